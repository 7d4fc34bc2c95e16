#!/usr/bin/env bash
# h5fzm as pip installs it, with the plugin inside, beside h5py, xarray, h5netcdf, numcodecs and zarr from PyPI. Skipped, with the reason, where
# they cannot be installed.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source=$(cd "$here/../.." && pwd)
build=${FZM_BUILD:-$source/build}
venv=$build/tests/python
python=$venv/bin/python

. "$here/../support/venv.sh"
skip() {
  echo "skipped: $1"
  exit 77
}

[ -z "${LD_PRELOAD:-}" ] || skip "runs once, without sanitizers"
make_venv "$venv" h5py xarray h5netcdf numcodecs zarr setuptools wheel

# A copy, since pip leaves its build in the source.
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
mkdir -p "$copy/filter" "$copy/core"
cp -r "$source/filter/python" "$copy/filter/"
cp "$source/core/fzm.h" "$copy/core/"
FZM_PLUGIN=$build/plugin/libh5zfzm.so "$python" -m pip install --quiet --force-reinstall --no-deps --no-build-isolation "$copy/filter/python" || exit 1

cd "$copy" || exit 1
env -u FZM_PLUGIN -u HDF5_PLUGIN_PATH -u PYTHONPATH H5FZM_INSTALLED=1 "$python" - <<'PY' || exit 1
import h5fzm, h5py
print("h5fzm with", h5fzm.plugin_file(), "and HDF5", h5py.version.hdf5_version)
assert "site-packages" in h5fzm.plugin_file()
PY
env -u FZM_PLUGIN -u HDF5_PLUGIN_PATH -u PYTHONPATH H5FZM_INSTALLED=1 "$python" "$here/test_h5fzm.py"
