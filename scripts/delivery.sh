#!/usr/bin/env bash
# delivery.sh [--clean] [FOLDER]: packages KURSO_DIST_BINARY (default: the debug build) and runs every command of docs/operations.md with the packages, on
# copies of this machine, or with --clean on machines made from Debian packages, where lintian checks the packages too. Writes a JUnit report to FOLDER.
set -euo pipefail
source "$(dirname "$0")/lib.sh"

clean=
[ "${1:-}" != --clean ] || { clean=1 && shift; }
reports=${1:-target/delivery}
mkdir -p "$reports"
tests=(tests/delivery/files.test.mjs)
# Inside a container, even root may lack the right to create namespaces.
if [ "$(id -u)" = 0 ] && [ -e /etc/debian_version ] && unshare --mount --pid --net --fork true 2>/dev/null; then
    command -v systemd-nspawn >/dev/null || debian_package systemd-container "the packages are installed on machines that it starts"
    command -v objdump >/dev/null || debian_package binutils "it tells which glibc a binary asks for"
    tests+=(tests/delivery/operations.test.mjs)
elif [ -n "$clean" ]; then
    die "machines are made by root, on Debian, outside of containers"
else
    echo "NOT CHECKED: the commands of docs/operations.md; the test machines need root, Debian, and no surrounding container"
fi
if [ -n "$clean" ]; then
    scripts/clean-root.sh target/delivery/root
    export KURSO_CLEAN_ROOT=$PWD/target/delivery/root
fi
node --test --test-reporter=spec --test-reporter-destination=stdout \
    --test-reporter=junit --test-reporter-destination="$reports/delivery.xml" "${tests[@]}"
if [ -n "$clean" ]; then
    command -v lintian >/dev/null || debian_package lintian "it reads Debian packages"
    scripts/dist.sh
    lintian --allow-root --fail-on error,warning target/dist/kurso_*.deb
fi
