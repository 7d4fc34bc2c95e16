#!/usr/bin/env bash
# The same tests with another HDF5: that of the newest h5py from PyPI, which brings its own copy of the library (2.x), and
# files passed between the two. Skipped, with the reason, where it cannot be installed.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=${FZM_BUILD:-$here/../../build}
system=${FZM_TEST_PYTHON:-/usr/bin/python3}
venv=$build/tests/other_hdf5
other=$venv/bin/python
export HDF5_PLUGIN_PATH=${HDF5_PLUGIN_PATH:-$build/plugin} PYTHONPATH=$here PYTHONDONTWRITEBYTECODE=1

. "$here/../support/venv.sh"
skip() {
  echo "skipped: $1"
  exit 77
}

[ -z "${LD_PRELOAD:-}" ] || skip "runs once, without sanitizers"
make_venv "$venv" h5py
version() { "$1" -c 'import h5py; print(h5py.version.hdf5_version)'; }
[ "$(version "$other")" != "$(version "$system")" ] || skip "the newest h5py has the same HDF5 as the system's"
echo "HDF5 $(version "$other") of PyPI's h5py against $(version "$system")"

failed=0
for test in element_types chunk_shapes partial_writes property_lists pipelines corruption processes; do
  echo "== $test"
  "$other" "$here/test_$test.py" || failed=1
done

exchange=$(mktemp -d)
trap 'rm -rf "$exchange"' EXIT
for pair in "$system $other" "$other $system"; do
  read -r writer reader <<<"$pair"
  echo "== written with HDF5 $(version "$writer"), read with $(version "$reader")"
  "$writer" "$here/_exchange.py" write "$exchange/t.h5" && "$reader" "$here/_exchange.py" read "$exchange/t.h5" || failed=1
done
exit $failed
