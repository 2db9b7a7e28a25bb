#!/usr/bin/env bash
# Everything `make test` checks. One failing check does not hide the others: all run, then the counts are printed, and
# the exit status is 0 only when nothing failed. Expects KURSO_TEST_POSTGRES_URL (scripts/with-postgres.sh).
set -uo pipefail
source "$(dirname "$0")/lib.sh"
: "${KURSO_TEST_POSTGRES_URL:?run me through scripts/with-postgres.sh}"

logs=$PWD/target/test-logs
mkdir -p "$logs"
rm -f "$logs"/*
passed=0
failed=0
summaries=()
broken=()
fallen=() # the names of the tests that failed

# step NAME COMMAND...: a check that passes or fails as a whole.
step() {
    local name=$1
    shift
    say "$name"
    if "$@"; then return 0; fi
    broken+=("$name")
    return 1
}

# Each count_… reads what the runner itself reported. A runner without a report has run nothing that could be counted.
count_vitest() {
    local name=$1 report=$logs/$1.json counts p f s
    counts=$(node -e '
        const report = JSON.parse(require("node:fs").readFileSync(process.argv[1], "utf8"));
        // A file that does not load holds tests that nobody counted.
        const unloaded = report.testResults.filter((file) => file.status === "failed" && file.assertionResults.length === 0);
        console.log(report.numPassedTests, report.numFailedTests + unloaded.length, report.numPendingTests + report.numTodoTests);
        for (const file of report.testResults) {
            const name = require("node:path").basename(file.name);
            if (unloaded.includes(file)) console.log(name);
            for (const test of file.assertionResults) {
                if (test.status !== "failed") continue;
                const reason = (test.failureMessages?.[0] ?? "").replaceAll(/\x1b\[[0-9;]*m/g, "").split("\n", 3).join(" ");
                console.log(name, test.fullName, "|", reason.slice(0, 240));
            }
        }
    ' "$report" 2>/dev/null) || {
        broken+=("vitest ($name) left no report")
        return
    }
    read -r p f s <<<"$counts"
    [ "$f" = 0 ] || mapfile -t -O ${#fallen[@]} fallen < <(tail -n +2 <<<"$counts")
    passed=$((passed + p)) failed=$((failed + f))
    summaries+=("vitest ($name): $p passed, $f failed, $s skipped")
}

count_rust() {
    local log=$1 line p f
    line=$(grep -E '^ +Summary \[' "$log" | tail -n 1)
    if [ -n "$line" ]; then
        p=$(grep -oE '[0-9]+ passed' <<<"$line" | cut -d' ' -f1)
        f=$(grep -oE '[0-9]+ (failed|timed out|exec failed)' <<<"$line" | awk '{ n += $1 } END { print n + 0 }')
        summaries+=("cargo-nextest: ${line#"${line%%[![:space:]]*}"}")
    elif grep -q '^test result:' "$log"; then
        read -r p f <<<"$(awk '/^test result:/ { p += $4; f += $6 } END { print p + 0, f + 0 }' "$log")"
        summaries+=("cargo test: $p passed, $f failed")
    else
        broken+=("the Rust tests left no result")
        return
    fi
    [ "$f" = 0 ] || mapfile -t -O ${#fallen[@]} fallen < <(grep -oE '(FAIL|TIMEOUT|SIGABRT|SIGSEGV) +\[.*' "$log" | sed -E 's/^.*\] *(\([^)]*\) *)?//' | sort -u)
    passed=$((passed + ${p:-0})) failed=$((failed + f))
}

# count_junit NAME...: reports of that name in the log folder.
count_junit() {
    local name counts p f
    for name in "$@"; do
        counts=$(node -e '
            const report = require("node:fs").readFileSync(process.argv[1], "utf8");
            const failed = (report.match(/<(failure|error)[ >]/g) ?? []).length;
            console.log((report.match(/<testcase /g) ?? []).length - failed, failed);
            const cases = report.matchAll(/<testcase ([^>]*)>\s*<(?:failure|error)[ >]([^<]{0,240})/g);
            for (const [, test, reason] of cases) {
                console.log(/name="([^"]*)"/.exec(test)?.[1] ?? test, "|", reason.split("\n", 3).join(" "));
            }
        ' "$logs/$name.xml" 2>/dev/null) || {
            broken+=("$name left no report")
            continue
        }
        read -r p f <<<"$counts"
        [ "$f" = 0 ] || mapfile -t -O ${#fallen[@]} fallen < <(tail -n +2 <<<"$counts")
        passed=$((passed + p)) failed=$((failed + f))
        summaries+=("$name: $p passed, $f failed")
    done
}

# GraphQL over HTTP, by the audits of those who write its specification.
http_audits() {
    make tests/clients/node_modules/.stamp || return 1
    node --test --test-reporter=spec --test-reporter-destination=stdout \
        --test-reporter=junit --test-reporter-destination="$logs/graphql-http.xml" tests/clients/graphql-http.test.mjs
}

# By programs that others wrote: clients generated from openapi.json, and requests made up from it.
outside_tests() {
    make tests/clients/node_modules/.stamp && scripts/python-tools.sh && node tests/clients/run.mjs "$logs"
}

vitest() {
    local name=$1 script=$2
    (cd web && npm run "$script" -- --reporter=default --reporter=json --outputFile.json="$logs/$name.json") 2>&1 | tee "$logs/$name.log"
}

rust_tests() {
    if cargo nextest --version >/dev/null 2>&1; then
        cargo nextest run --workspace --locked 2>&1 | tee "$logs/rust.log"
    else
        cargo test --workspace --locked --no-fail-fast 2>&1 | tee "$logs/rust.log"
    fi
}

command -v chromium >/dev/null || debian_package chromium "the browser tests run in it"

# Without the web app there is nothing to embed and nothing to show: later steps would only repeat this failure.
step "Web build" make web/dist/index.html || exit 1
step "Formats and lints" make lint
step "Web unit tests" vitest web test
count_vitest web
step "Rust tests on SQLite and PostgreSQL" rust_tests
count_rust "$logs/rust.log"
if step "Debug binary" cargo build --locked; then
    step "Browser tests" vitest browser e2e
    count_vitest browser
    step "Generated clients" outside_tests
    count_junit typescript-client python-client graphql-client
    step "GraphQL over HTTP" http_audits
    count_junit graphql-http
    step "Installing and operating" scripts/delivery.sh "$logs"
    count_junit delivery
    step "Crash trials" node tests/torture/run.mjs "$logs"
    count_junit torture
    step "Failures of disk, database and store" node tests/failures/run.mjs "$logs"
    count_junit failures
    step "Made-up requests" node tests/fuzz/run.mjs "$logs"
    count_junit fuzz-sqlite fuzz-postgres
fi

unsteady=$(cat "$logs"/web.log "$logs"/browser.log 2>/dev/null | sed -n 's/\x1b\[[0-9;]*m//g; /✓.*(retry x/s/^ *✓ *//p')

say "Result"
[ ${#summaries[@]} = 0 ] || printf '%s\n' "${summaries[@]}"
[ -z "$unsteady" ] || printf 'passed only when tried again:\n%s\n' "$unsteady"
[ ${#fallen[@]} = 0 ] || printf '  ✘ %s\n' "${fallen[@]}"
[ ${#broken[@]} = 0 ] || printf 'failed: %s\n' "${broken[@]}"
echo "$passed passed, $failed failed"
[ ${#broken[@]} = 0 ] && [ "$failed" = 0 ] && [ "$passed" -gt 0 ]
