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
# Tests run once per database under `…::sqlite` and `…::postgres`; a few others need PostgreSQL under any name. The tests of the installed
# binary and three that take half a minute each are left to `make test`, and so is the stress test of writers, which needs the machine for
# itself. Most tests wait for commits and passwords rather than for a core, hence four at a time.
left_to_make_test='
    test(/postgres/) or test(/^writers::/) or (package(kurso) and kind(test))
    or test(/^backup::/) or test(/^whole_course::/) or test(/^nodes::/) or test(connections_closed_by_the_server_are_replaced)
    or test(learner_screens_take_few_statements)
    or test(no_query_reveals_answers_or_data_of_others) or test(/^quiz::locked::/) or test(a_request_beyond_its_timeout_gets_503)
    or test(statements_are_independent_of_parent_count)'
rust_tests() { cargo nextest run --workspace --locked --test-threads 4 --status-level fail -E "not ($left_to_make_test)"; }

step "Rust format" cargo fmt --all --check
step "Rust lints" cargo clippy --workspace --all-targets --locked -- --deny warnings
step "Module cycles" node scripts/module-cycles.mjs
step "Rust tests on SQLite" rust_tests
step "Web types" web_types
step "Web lints" npm --prefix web run --silent lint
step "Web unit tests" web_tests
say "All checks passed in $SECONDS s"
