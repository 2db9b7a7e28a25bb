#!/usr/bin/env bash
# Runs the API on http://127.0.0.1:8000 with Vite in front of it; Ctrl+C stops both.
set -euo pipefail
source "$(dirname "$0")/lib.sh"

cargo build --locked
KURSO_DEV=1 target/debug/kurso serve &
server=$!
trap 'kill "$server" 2>/dev/null || true' EXIT
cd web
npm run dev
