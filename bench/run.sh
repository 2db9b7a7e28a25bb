#!/usr/bin/env bash
# `make bench`: measures target/release/kurso and rewrites the tables of docs/performance.md.
set -euo pipefail
source "$(dirname "$0")/../scripts/lib.sh"

command -v wrk >/dev/null || debian_package wrk "it makes the load of the measurements"
command -v chromium >/dev/null || debian_package chromium "the measurement of writing runs in it"
command -v nginx >/dev/null || debian_package nginx-light "its static files are what answers are measured beside"
command -v sqlite3 >/dev/null || debian_package sqlite3 "it writes the class of the measurements"
node bench/bench.mjs
node bench/students.mjs
node bench/refusals.mjs
node bench/import.mjs
ulimit -n "$(ulimit -Hn)"
node bench/live.mjs
node bench/editing.mjs
node bench/outline.mjs
node bench/lighthouse.mjs
