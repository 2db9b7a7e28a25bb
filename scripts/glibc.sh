#!/usr/bin/env bash
# glibc.sh BINARY: prints the minimum glibc version of the binary, which is the newest symbol version it requires. Fails if it links to any library besides
# those of glibc and libgcc, so that the packages can state their dependencies.
set -euo pipefail

command -v objdump >/dev/null || { echo "glibc.sh: objdump is missing; on Debian: apt-get install binutils" >&2; exit 1; }
headers=$(objdump -p "$1")
for library in $(awk '$1 == "NEEDED" { print $2 }' <<<"$headers"); do
    case $library in
        libc.so.6 | libm.so.6 | libgcc_s.so.1 | ld-linux-x86-64.so.2 | ld-linux-aarch64.so.1) ;;
        *) echo "glibc.sh: $1 needs $library, which our packages do not depend on" >&2 && exit 1 ;;
    esac
done
grep -oE 'GLIBC_[0-9.]+' <<<"$headers" | cut -d_ -f2 | sort -uV | tail -n 1
