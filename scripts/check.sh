#!/usr/bin/env bash
# The fast loop before a commit: formats, lints, types, and the tests that need neither PostgreSQL nor a browser. Stops at the first failure and
# prints the duration of each step. `make test` runs everything.
set -euo pipefail
source "$(dirname "$0")/lib.sh"

cargo nextest --version >/dev/null 2>&1 || die "cargo-nextest is missing. Install it: cargo install --locked cargo-nextest"

# step NAME COMMAND...
step() {
    local name=$1 started=$SECONDS
    shift
    say "$name"
    "$@"
    printf '%s: %s s\n' "$name" "$((SECONDS - started))"
}

web_types() { (cd web && npm run --silent generate && npm run --silent typecheck); }
web_tests() { (cd web && npx vitest run --reporter=dot); }
# Tests run once per database under `…::sqlite` and `…::postgres`; the stress test of writers needs the machine for itself.
rust_tests() { cargo nextest run --workspace --locked --status-level fail -E 'not (test(/postgres/) or test(/^writers::/))'; }

step "Rust format" cargo fmt --all --check
step "Rust lints" cargo clippy --workspace --all-targets --locked -- --deny warnings
step "Module cycles" node scripts/module-cycles.mjs
step "Rust tests on SQLite" rust_tests
step "Web types" web_types
step "Web lints" npm --prefix web run --silent lint
step "Web unit tests" web_tests
say "All checks passed in $SECONDS s"
