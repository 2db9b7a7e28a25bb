#!/usr/bin/env bash
# glibc.sh BINARY: prints the oldest glibc that the binary starts with: the newest version it asks its loader for. Whatever it is
# linked with beside glibc and libgcc is refused, so that the packages can say what they need.
set -euo pipefail

command -v objdump >/dev/null || { echo "glibc.sh: objdump is missing; on Debian: apt-get install binutils" >&2; exit 1; }
headers=$(objdump -p "$1")
for library in $(awk '$1 == "NEEDED" { print $2 }' <<<"$headers"); do
    case $library in
        libc.so.6 | libm.so.6 | libgcc_s.so.1 | ld-linux-x86-64.so.2 | ld-linux-aarch64.so.1) ;;
        *) echo "glibc.sh: $1 needs $library, which no package of ours asks for" >&2 && exit 1 ;;
    esac
done
grep -oE 'GLIBC_[0-9.]+' <<<"$headers" | cut -d_ -f2 | sort -uV | tail -n 1
