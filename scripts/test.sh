#!/usr/bin/env bash
# Everything `make test` checks. One failing check does not hide the others: all run, then the counts are printed, and
# the exit status is 0 only when nothing failed. Expects KURSO_TEST_POSTGRES_URL (scripts/with-postgres.sh).
set -uo pipefail
source "$(dirname "$0")/lib.sh"
: "${KURSO_TEST_POSTGRES_URL:?run me through scripts/with-postgres.sh}"

# Some tests read courses that the repository does not carry (docs/testing.md): KURSO_TEST_COURSES names their folder, or
# it lies beside the repository. Without it those tests are skipped, and the result says how many.
if [ -z "${KURSO_TEST_COURSES:-}" ]; then
    for folder in ../courses ../*/courses; do
        [ ! -f "$folder/rust-book-ru/book.toml" ] || KURSO_TEST_COURSES=$(realpath "$folder")
    done
fi
[ -z "${KURSO_TEST_COURSES:-}" ] || export KURSO_TEST_COURSES

logs=$PWD/target/test-logs
mkdir -p "$logs"
rm -f "$logs"/*
passed=0
failed=0
skipped=0
summaries=()
broken=()
fallen=() # the names of the tests that failed
flaky=()  # the names of the tests that passed only when tried again
durations=()

# A misspelt name of a function would skip a check in silence, so it ends the run. Bash calls this in a subshell.
command_not_found_handle() {
    echo "test.sh: there is no command $1" >&2
    kill "$$"
}

# Prints the time that all cores have been busy since the machine started, and that time with the idle time, in ticks.
processor_ticks() { awk '/^cpu /{ print $2 + $3 + $4 + $7 + $8, $2 + $3 + $4 + $5 + $6 + $7 + $8 }' /proc/stat; }

# step NAME COMMAND...: a check that passes or fails as a whole. Its duration is printed with the share of the processor that was used: a
# step with a low share waits, and can be made faster by doing more at once.
step() {
    local name=$1 started=$SECONDS status=0 busy total busy_before total_before
    shift
    say "$name"
    read -r busy_before total_before < <(processor_ticks)
    "$@" || status=1
    read -r busy total < <(processor_ticks)
    durations+=("$(printf '%5d s  %3d %%  %s' "$((SECONDS - started))" "$((100 * (busy - busy_before) / (total - total_before + 1)))" "$name")")
    [ "$status" = 0 ] || broken+=("$name")
    return "$status"
}

# begin NAME COMMAND...: starts a step beside the next ones, which leave a part of the processor idle. `join` waits for it, prints its output, and
# fails if it failed. Only one step at a time runs beside others.
begin() {
    beside=$1
    beside_started=$SECONDS
    shift
    "$@" >"$logs/beside.log" 2>&1 &
    beside_pid=$!
}
join() {
    local status=0
    wait "$beside_pid" || status=1
    say "$beside"
    cat "$logs/beside.log"
    durations+=("$(printf '%5d s  beside %s' "$((SECONDS - beside_started))" "$beside")")
    [ "$status" = 0 ] || broken+=("$beside")
    return "$status"
}

# Badges and certificates, by verifiers and readers that others wrote.
badge_tests() {
    command -v pdftotext >/dev/null || debian_package poppler-utils "the tests of certificates read and draw them" || return 1
    make tests/badges/node_modules/.stamp && scripts/python-tools.sh && node tests/badges/verify.mjs "$logs"
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
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
    summaries+=("vitest ($name): $p passed, $f failed, $s skipped")
}

# A test that failed and then passed counts as passed; its name goes to `flaky`.
count_playwright() {
    local name=$1 report=$logs/$1.json counts p f s flaky_tests
    counts=$(node -e '
        const report = JSON.parse(require("node:fs").readFileSync(process.argv[1], "utf8"));
        const { expected, unexpected, skipped, flaky } = report.stats;
        const specs = (suites, titles) =>
            (suites ?? []).flatMap((suite) => {
                const path = suite.title ? [...titles, suite.title] : titles;
                return [...(suite.specs ?? []).map((spec) => [[...path, spec.title].join(" > "), spec]), ...specs(suite.suites, path)];
            });
        const reason = (error) => (error?.message ?? "").replaceAll(/\x1b\[[0-9;]*m/g, "").split("\n", 3).join(" ").slice(0, 240);
        const all = specs(report.suites, []).flatMap(([title, spec]) => spec.tests.map((test) => [title, test]));
        // Errors outside of tests: a file that does not load, or a failed teardown of a worker.
        const failures = report.errors.map((error) => `${error.location?.file ?? "browser tests"} | ${reason(error)}`);
        for (const [title, { status, results }] of all)
            if (status === "unexpected") failures.push(`${title} | ${reason(results.at(-1)?.error)}`);
        console.log(expected + flaky, unexpected + report.errors.length, skipped, flaky);
        for (const [title, { status }] of all) if (status === "flaky") console.log(title);
        for (const failure of failures) console.log(failure);
    ' "$report" 2>/dev/null) || {
        broken+=("playwright ($name) left no report")
        return
    }
    read -r p f s flaky_tests <<<"$counts"
    [ "$flaky_tests" = 0 ] || mapfile -t -O ${#flaky[@]} flaky < <(sed -n "2,$((flaky_tests + 1))p" <<<"$counts")
    [ "$f" = 0 ] || mapfile -t -O ${#fallen[@]} fallen < <(tail -n "+$((flaky_tests + 2))" <<<"$counts")
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
    summaries+=("playwright ($name): $p passed, $f failed, $s skipped, $flaky_tests passed only when tried again")
}

count_rust() {
    local log=$1 line p f s
    line=$(grep -E '^ +Summary \[' "$log" | tail -n 1)
    if [ -n "$line" ]; then
        p=$(grep -oE '[0-9]+ passed' <<<"$line" | cut -d' ' -f1)
        f=$(grep -oE '[0-9]+ (failed|timed out|exec failed)' <<<"$line" | awk '{ n += $1 } END { print n + 0 }')
        s=$(grep -oE '[0-9]+ skipped' <<<"$line" | cut -d' ' -f1)
        summaries+=("cargo-nextest: ${line#"${line%%[![:space:]]*}"}")
        mapfile -t -O ${#flaky[@]} flaky < <(grep -oE '^ +FLAKY .*' "$log" | sed -E 's/^.*\] *(\([^)]*\) *)?//' | sort -u)
    elif grep -q '^test result:' "$log"; then
        read -r p f s <<<"$(awk '/^test result:/ { p += $4; f += $6; s += $8 } END { print p + 0, f + 0, s + 0 }' "$log")"
        summaries+=("cargo test: $p passed, $f failed, $s skipped")
    else
        broken+=("the Rust tests left no result")
        return
    fi
    [ "$f" = 0 ] || mapfile -t -O ${#fallen[@]} fallen < <(grep -oE '^ +(TRY 2 )?(FAIL|TIMEOUT|SIGABRT|SIGSEGV) +\[.*' "$log" | sed -E 's/^.*\] *(\([^)]*\) *)?//' | sort -u)
    passed=$((passed + ${p:-0})) failed=$((failed + f)) skipped=$((skipped + ${s:-0}))
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

# The traces of failures stay in target/browser-tests.
browser_tests() {
    (cd web && PLAYWRIGHT_JSON_OUTPUT_FILE="$logs/browser.json" npm run e2e -- --forbid-only --reporter=list,json) 2>&1 |
        tee "$logs/browser.log"
}

rust_tests() {
    # The only ignored tests are those that need the real courses.
    if cargo nextest --version >/dev/null 2>&1; then
        # Twice as many tests as cores: tests wait for disks, databases and clocks for half of their time.
        # A failed test is tried once more, like a browser test; the result names those that passed only then.
        cargo nextest run --workspace --locked --retries 1 --test-threads "$(($(nproc) * 2))" ${KURSO_TEST_COURSES:+--run-ignored all} 2>&1 | tee "$logs/rust.log"
    else
        cargo test --workspace --locked --no-fail-fast -- ${KURSO_TEST_COURSES:+--include-ignored} 2>&1 | tee "$logs/rust.log"
    fi
}

command -v chromium >/dev/null || command -v chromium-browser >/dev/null ||
    debian_package chromium "the browser tests run in it; the smaller headless shell shows no notices of pushes"

# Without the web app there is nothing to embed and nothing to show: later steps would only repeat this failure.
step "Web build" make web/dist/index.html || exit 1
step "Formats and lints of the web app" make lint-web
# The compiler yields to the tests, which have timeouts.
begin "Formats and lints of Rust" nice make lint-rust
step "Web unit tests" vitest web test
count_vitest web
join
step "Rust tests on SQLite and PostgreSQL" rust_tests
count_rust "$logs/rust.log"
# With the features of the product: everything above is compiled with those of the tests.
if step "Debug binary" cargo build --locked; then
    step "Browser tests" browser_tests
    count_playwright browser
    # Half of the time of the crash trials is waiting. The steps beside them have servers and databases of their own.
    begin "Crash trials" node tests/torture/run.mjs "$logs"
    step "Generated clients" outside_tests
    count_junit typescript-client python-client graphql-client
    step "Badges and certificates" badge_tests
    count_junit badges
    step "GraphQL over HTTP" http_audits
    count_junit graphql-http
    step "Installing and operating" scripts/delivery.sh "$logs"
    count_junit delivery
    step "Failures of disk, database and store" node tests/failures/run.mjs "$logs"
    count_junit failures
    join
    count_junit torture
    step "Made-up requests" node tests/fuzz/run.mjs "$logs"
    count_junit fuzz-sqlite fuzz-postgres
fi

# The only skipped tests are those of the real courses.
[ "$skipped" = 0 ] || [ -z "${KURSO_TEST_COURSES:-}" ] || broken+=("$skipped tests were skipped although the real courses are there")

say "Result"
printf '%s\n' "${durations[@]}" "$(printf '%5d s         in all' "$SECONDS")"
[ ${#summaries[@]} = 0 ] || printf '%s\n' "${summaries[@]}"
[ ${#flaky[@]} = 0 ] || { echo "passed only when tried again:" && printf '  %s\n' "${flaky[@]}"; }
[ ${#fallen[@]} = 0 ] || printf '  ✘ %s\n' "${fallen[@]}"
[ ${#broken[@]} = 0 ] || printf 'failed: %s\n' "${broken[@]}"
[ "$skipped" = 0 ] || echo "skipped: $skipped (real courses not found)"
echo "$passed passed, $failed failed, $skipped skipped"
[ ${#broken[@]} = 0 ] && [ "$failed" = 0 ] && [ "$passed" -gt 0 ]
