#!/usr/bin/env bash
# `make bench`: measures target/release/kurso and rewrites the tables of docs/performance.md.
set -euo pipefail
source "$(dirname "$0")/../scripts/lib.sh"

command -v wrk >/dev/null || debian_package wrk "the load generator of the benchmarks"
command -v chromium >/dev/null || debian_package chromium "the browser benchmarks run in it"
command -v nginx >/dev/null || debian_package nginx-light "the baseline for static files"
command -v sqlite3 >/dev/null || debian_package sqlite3 "the class benchmark inserts its data with it"
ulimit -n "$(ulimit -Hn)"

# Every benchmark runs even when another one fails or misses its goal. The failures are listed at the end.
missed=()
for one in bench dates overload students consequences announcement grading exam search gradebook refusals import live thread editing outline lighthouse; do
    node "bench/$one.mjs" || missed+=("$one")
done
if ((${#missed[@]})); then
    echo "failed or missed the goal: ${missed[*]}" >&2
    exit 1
fi
