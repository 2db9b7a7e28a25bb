#!/usr/bin/env bash
# clean-root.sh FOLDER: creates a minimal bootable Debian in the folder, unless it exists. Its apt cache contains PostgreSQL, because the test machines
# have no network.
set -euo pipefail
source "$(dirname "$0")/lib.sh"

folder=${1:?a folder}
suite=bookworm
[ ! -e "$folder/.made" ] || exit 0
[ "$(id -u)" = 0 ] || die "a machine to install on is made as root"
command -v mmdebstrap >/dev/null || debian_package mmdebstrap "it makes a Debian to install on"
rm -rf "$folder"
mkdir -p "$(dirname "$folder")"
# Keeps apt's lists and cache, as on a machine that was just updated.
mmdebstrap --quiet --mode=root --variant=minbase --skip=cleanup/apt,cleanup/reproducible \
    --include=systemd,systemd-sysv,adduser,ca-certificates \
    --customize-hook='chroot "$1" apt-get install -y --download-only -o APT::Install-Recommends=true postgresql >/dev/null' \
    "$suite" "$folder"
touch "$folder/.made"
