# make_venv FOLDER PACKAGE...: a virtual environment with packages from PyPI, made once. For scripts that define skip().
make_venv() {
  local venv=$1 log
  shift
  "$venv/bin/python" -c 'import sys, importlib.metadata as m; [m.version(name) for name in sys.argv[1:]]' "$@" 2>/dev/null && return
  rm -rf "$venv"
  log=$("${FZM_TEST_PYTHON:-/usr/bin/python3}" -m venv "$venv" 2>&1) || skip "no virtual environment: $(tail -n 1 <<<"$log")"
  log=$("$venv/bin/python" -m pip install --quiet --only-binary :all: "$@" 2>&1) ||
    { rm -rf "$venv"; skip "$* cannot be installed: $(tail -n 1 <<<"$log")"; }
}
