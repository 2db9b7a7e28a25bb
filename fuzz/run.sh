#!/usr/bin/env bash
# Fuzzes the importers with libFuzzer: `fuzz/run.sh [SECONDS [TARGET…]]`; by default every target for a minute. Failing inputs are
# written to fuzz/found.
set -euo pipefail
cd "$(dirname "$0")"
seconds=${1:-60}
shift || true
targets=("$@")
[ ${#targets[@]} -gt 0 ] || mapfile -t targets < <(grep -oP '^    target\("\K\w+' src/targets.rs)

command -v c++ >/dev/null || { echo "The fuzzer needs a C++ compiler: apt-get install g++" >&2; exit 1; }

# The same instrumentation as cargo-fuzz, but on a stable compiler by naming the LLVM pass: edge counters and compared values. An
# explicit --target excludes build scripts and macros from it.
host=$(rustc -vV | sed -n 's/^host: //p')
flags="--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4
 -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table
 -Cllvm-args=-sanitizer-coverage-trace-compares -Clink-dead-code -Ccodegen-units=16"
RUSTFLAGS="$(echo $flags)" ${CARGO:-cargo} build --release --locked --target "$host"
program=target/$host/release/kurso-fuzz

for target in "${targets[@]}"; do
  mkdir -p "found/$target" "target/corpus/$target" "target/seeds/$target"
  dictionary=()
  [ -f "dictionaries/$target.txt" ] && dictionary=("-dict=dictionaries/$target.txt")
  corpus=("target/corpus/$target" "target/seeds/$target") # libFuzzer adds new inputs to the first folder
  [ -d "corpus/$target" ] && corpus+=("corpus/$target")
  echo "== $target, $seconds seconds"
  # Limits per input: 10 s and 768 MB. The importers' own limits on a course are far lower.
  KURSO_FUZZ=$target KURSO_FUZZ_SEEDS=target/seeds/$target "$program" \
    -max_total_time="$seconds" -timeout=10 -rss_limit_mb=768 -malloc_limit_mb=256 -max_len=20000 -print_final_stats=1 \
    -artifact_prefix="found/$target/" "${dictionary[@]}" \
    "${corpus[@]}"
done
