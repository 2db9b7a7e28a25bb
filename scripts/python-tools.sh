#!/usr/bin/env bash
# Installs the packages of tests/requirements.txt into target/python-tools, unless they are up to date.
set -euo pipefail
source "$(dirname "$0")/lib.sh"

tools=target/python-tools
cmp -s tests/requirements.txt "$tools/requirements.txt" && exit
# Debian's `venv` needs `ensurepip`, which is in a separate package.
python3 -c 'import ensurepip, sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null \
    || debian_package python3-venv "the generated Python client and the API fuzzer need Python 3.10 or newer with venv"
rm -rf "$tools"
python3 -m venv "$tools"
"$tools/bin/pip" install --quiet --disable-pip-version-check --no-deps -r tests/requirements.txt
# Written last, so that an interrupted installation is repeated.
cp tests/requirements.txt "$tools/"
