#!/usr/bin/env bash
# `make bench`: measures target/release/kurso and rewrites the tables of docs/performance.md.
set -euo pipefail
source "$(dirname "$0")/../scripts/lib.sh"

command -v wrk >/dev/null || debian_package wrk "it makes the load of the measurements"
command -v chromium >/dev/null || debian_package chromium "the measurement of writing runs in it"
command -v nginx >/dev/null || debian_package nginx-light "its static files are what answers are measured beside"
command -v sqlite3 >/dev/null || debian_package sqlite3 "it writes the class of the measurements"
ulimit -n "$(ulimit -Hn)"

# A measurement that misses its goal keeps none of the others from being made; what was missed is said at the end.
missed=()
for one in bench overload students refusals import live editing outline lighthouse; do
    node "bench/$one.mjs" || missed+=("$one")
done
if ((${#missed[@]})); then
    echo "missed its goal, or failed: ${missed[*]}" >&2
    exit 1
fi
