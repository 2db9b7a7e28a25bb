//! Dates of courses are compared with the clock in one module (decision 81): a search of the code for comparisons elsewhere.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use std::fs;
use std::path::{Path, PathBuf};

/// Files that compare the clock with something else than a date of a course, how often, and with what.
const OTHERS: &[(&str, usize, &str)] = &[
    (
        "core/src/announcements/write.rs",
        1,
        "when an announcement is published",
    ),
    ("core/src/attempts/practice/queue.rs", 2, "when a question comes again"),
    ("core/src/attempts/running/allowance.rs", 1, "the end of an attempt"),
    ("core/src/attempts/running/finish.rs", 1, "the end of attempts"),
    ("core/src/attempts/upload.rs", 1, "the end of an attempt"),
    ("core/src/auth/limits.rs", 2, "windows of limits, the age of an account"),
    ("core/src/auth/limits/windows.rs", 3, "windows of limits"),
    ("core/src/auth/mod.rs", 2, "when a session was seen last"),
    ("core/src/auth/tokens.rs", 1, "the end of a token"),
    ("core/src/calendar/feed.rs", 1, "when a feed was read last"),
    ("core/src/certificates/rules.rs", 1, "the end of a certificate"),
    ("core/src/courses/page/stored.rs", 1, "the age of the newest version"),
    ("core/src/courses/team/mod.rs", 1, "the end of an invitation"),
    ("core/src/files/mod.rs", 1, "the end of an address"),
    (
        "core/src/inbox/deadlines.rs",
        1,
        "the next deadline, which the timeline has resolved",
    ),
    ("core/src/jobs/cleanup.rs", 1, "the age of a job"),
    ("core/src/notice_mails/digest.rs", 1, "the end of quiet hours"),
    ("core/src/notice_mails/preferences.rs", 1, "when a mail or push is due"),
    (
        "core/src/push/queue.rs",
        2,
        "the end of quiet hours, and when a push is due",
    ),
    ("core/src/push/sending.rs", 1, "the end of quiet hours"),
    ("core/src/regrades/mod.rs", 1, "the end of the time to undo"),
    ("core/src/search_index/rebuild.rs", 1, "when the next scan is due"),
    (
        "core/src/students/state.rs",
        2,
        "the last activity, and a due date that the timeline has resolved",
    ),
    ("core/db/src/pool.rs", 1, "a deadline of the pool"),
    ("graphql/src/socket/connection.rs", 1, "when a session is checked again"),
    ("rest/src/admission/queue.rs", 2, "how long a request waits"),
    ("src/health.rs", 1, "a deadline of a probe"),
];

/// The module that compares.
const RESOLVER: &str = "core/src/schedule/";

/// The names of dates of a course and of what is resolved from them.
const DATES: &[&str] = &[
    "available_from",
    "available_until",
    "due_at",
    "late_until",
    "starts_at",
    "ends_at",
    "enroll_until",
    "opens_at",
    "closes_at",
];

#[test]
fn only_the_schedule_compares_dates_of_a_course_with_the_clock() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut files = vec![];
    for folder in [
        "core/src",
        "core/base/src",
        "core/db/src",
        "core/formats/src",
        "rest/src",
        "graphql/src",
        "src",
    ] {
        sources(&root.join(folder), &mut files);
    }
    assert!(files.len() > 200, "the sources are not where they were");
    let mut wrong = vec![];
    let mut resolver = 0;
    for file in files {
        let path = file.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
        let found = comparisons(&fs::read_to_string(&file).unwrap());
        if path.starts_with(RESOLVER) {
            resolver += found.len();
        } else if found.len()
            != OTHERS
                .iter()
                .find(|(other, ..)| *other == path)
                .map_or(0, |(_, times, _)| *times)
        {
            wrong.push(format!("{path}: {found:#?}"));
        }
    }
    assert!(resolver >= 5, "the search finds no comparison in {RESOLVER}");
    assert!(
        wrong.is_empty(),
        "ask `schedule` or the `Timeline`, or add to OTHERS what is no date of a course:\n{}",
        wrong.join("\n")
    );
}

/// The Rust files of a folder without those of tests.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        if name == "tests" || name == "testing" {
            continue;
        }
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The lines of a file that compare the clock or a date, without its tests and comments.
fn comparisons(text: &str) -> Vec<String> {
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let lines = code.lines().map(str::trim).filter(|line| !line.starts_with("//"));
    lines.filter(|line| compares(line)).map(str::to_owned).collect()
}

/// Whether a line compares `now` or a date with `<`, `<=`, `>` or `>=`, which rustfmt surrounds with spaces.
fn compares(line: &str) -> bool {
    line.split("&&").flat_map(|clause| clause.split("||")).any(compares_in)
}

fn compares_in(clause: &str) -> bool {
    let tokens: Vec<&str> = clause.split_whitespace().collect();
    let is_time = |token: &&str| {
        let name = token.trim_end_matches(|c: char| !c.is_alphanumeric());
        let name = name.rsplit(['.', '(', '&', '*', '|', '!']).next().unwrap_or_default();
        let is_now = name == "now" || token.contains("now()") || token.contains("Instant::now");
        is_now || DATES.contains(&name)
    };
    let is_comparison = |token: &str| matches!(token, "<" | "<=" | ">" | ">=");
    (0..tokens.len()).filter(|at| is_comparison(tokens[*at])).any(|at| {
        // Three tokens on each side: `now - begun > limit`.
        let around = tokens[at.saturating_sub(3)..at]
            .iter()
            .chain(tokens.iter().skip(at + 1).take(3));
        around.copied().any(|token| is_time(&token))
    })
}

#[test]
fn a_comparison_is_found_however_it_is_written() {
    for line in [
        "is_overdue: at < view.now,",
        "if now > end {",
        ".is_some_and(|due| due <= now)",
        "(now - event.at <= OVERDUE_FOR)",
        "if kurso.clock.now() >= end {",
        "page.due_at.is_some() && page.due_at > end",
        "let late = self.closes_at < other;",
    ] {
        assert!(compares(line), "{line}");
    }
    for line in [
        "fn f(now: DateTime<Utc>) -> Option<At> {",
        "let timing = resolve(course, now);",
        "if known > 3 {",
        "Scope::Structure(now) => sql!(",
    ] {
        assert!(!compares(line), "{line}");
    }
}
