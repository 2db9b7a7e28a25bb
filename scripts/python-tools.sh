#!/usr/bin/env bash
# Puts what tests/requirements.txt names into target/python-tools, unless it is there already.
set -euo pipefail
source "$(dirname "$0")/lib.sh"

tools=target/python-tools
cmp -s tests/requirements.txt "$tools/requirements.txt" && exit
# Debian has `venv` without `ensurepip`, which makes the environments, in a package of its own.
python3 -c 'import ensurepip, sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null \
    || debian_package python3-venv "the generated Python client and the API fuzzer need Python 3.10 or newer with venv"
rm -rf "$tools"
python3 -m venv "$tools"
"$tools/bin/pip" install --quiet --disable-pip-version-check --no-deps -r tests/requirements.txt
# Last, so that an installation that broke off is made again.
cp tests/requirements.txt "$tools/"
