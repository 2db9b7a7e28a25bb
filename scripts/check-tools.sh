#!/usr/bin/env bash
# Checks for required tools before a build fails with an obscure message. Versions: web/package.json and Cargo.toml.
set -euo pipefail
source "$(dirname "$0")/lib.sh"

command -v cargo >/dev/null || die "Rust is missing. Install it from https://rustup.rs (1.95 or newer)"
command -v cc >/dev/null || die "Rust needs a C linker. Install one, on Debian with: sudo apt-get install gcc libc6-dev"
command -v npm >/dev/null || die "Node.js is missing. Install Node.js 20.19 or newer with npm"
node -e '
    const [major, minor] = process.versions.node.split(".").map(Number);
    process.exit(major > 20 || (major === 20 && minor >= 19) ? 0 : 1);
' || die "Node.js $(node --version) is too old. Install Node.js 20.19 or newer"
