//! Completeness of imports of real courses: what an independent reader finds in a package is in the course or in its report.
//!
//! The reader here shares nothing with the readers of courses but the crates that parse TOML, XML and zip archives. It knows only enough of
//! each format to name the words, pictures, links, code, tables, formulas and answers of a source.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use kurso_formats::quiz::{Filling, Kind};
use kurso_formats::{CourseDraft, PageDraft, Report, content, testing};
use regex::Regex;
use serde_json::Value;

use super::{import_at, lines};

mod found;
mod sources;

use found::Found;

/// What a package or a course has.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Thing {
    Word,
    Picture,
    Link,
    Code,
    /// A row of a table.
    Row,
    Formula,
    /// A question and its correct answer.
    Answer,
    /// A source that is not a page.
    File,
}

/// Things with their texts.
#[derive(Default, Debug)]
struct Things(BTreeMap<Thing, BTreeSet<String>>);

impl Things {
    fn add(&mut self, thing: Thing, text: impl Into<String>) {
        let text = text.into();
        if !text.is_empty() {
            self.0.entry(thing).or_default().insert(text);
        }
    }

    fn words(&mut self, text: &str) {
        for word in plain(text).split(' ').filter(|word| word.chars().count() > 2) {
            self.add(Thing::Word, word);
        }
    }

    fn code(&mut self, text: &str) {
        for line in text.lines() {
            self.add(Thing::Code, spaced(line));
        }
    }
}

/// Letters and digits in lower case, in words.
fn plain(text: &str) -> String {
    let words = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect::<Vec<_>>().join(" ")
}

fn spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Compiles each pattern once.
fn regex(pattern: &'static str) -> Regex {
    thread_local!(static KNOWN: RefCell<BTreeMap<&'static str, Regex>> = RefCell::default());
    KNOWN.with_borrow_mut(|known| {
        known
            .entry(pattern)
            .or_insert_with(|| Regex::new(pattern).unwrap())
            .clone()
    })
}

/// The text between the tags of HTML.
fn untagged(html: &str) -> String {
    let text = regex(r"(?s)</?(?:a|b|code|em|i|span|strong|su[bp]|u)(?:\s[^<>]*)?>").replace_all(html, "");
    let text =
        regex(r"(?s)<!--.*?-->|<(?:script|style)\b.*?</(?:script|style)>|</?[a-zA-Z][^<>]*>").replace_all(&text, " ");
    [
        ("&nbsp;", " "),
        ("&mdash;", "—"),
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&amp;", "&"),
    ]
    .iter()
    .fold(text.into_owned(), |text, (entity, sign)| text.replace(entity, sign))
}

/// The packages below a folder, each with the things in it.
fn packages(folder: &Path) -> Vec<(PathBuf, Things)> {
    let mut found = Vec::new();
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    entries.sort();
    for path in entries {
        let ends = |ending: &str| path.extension().is_some_and(|own| own == ending);
        if path.join("book.toml").is_file() {
            found.push((path.clone(), sources::book(&path)));
        } else if path.join("quizzes").is_dir() {
            found.push((path.clone(), sources::quizzes(&path)));
        } else if ends("imscc") {
            found.push((path.clone(), sources::cartridge(&path)));
        } else if path.is_dir() {
            let inside = packages(&path);
            assert!(!inside.is_empty(), "no reader for {}", path.display());
            found.extend(inside);
        } else {
            let is_about = ends("md")
                || path
                    .file_name()
                    .is_some_and(|name| name.to_string_lossy().starts_with("LICENSE"));
            assert!(is_about, "no reader for {}", path.display());
        }
    }
    found
}

#[test]
#[ignore = "reads real courses: set KURSO_TEST_COURSES"]
fn nothing_of_a_real_course_is_lost_without_a_line() {
    let packages = packages(&testing::real_courses());
    assert!(packages.len() > 3, "{packages:?}");
    let mut all: BTreeMap<Thing, usize> = BTreeMap::new();
    let mut lost = String::new();
    for (path, wanted) in &packages {
        let (course, report) = import_at(path).unwrap();
        let found = Found::of(&course, &report);
        for (thing, texts) in &wanted.0 {
            *all.entry(*thing).or_default() += texts.len();
            let missing: Vec<_> = texts.iter().filter(|text| !found.has(*thing, text)).collect();
            if !missing.is_empty() {
                writeln!(lost, "{}: {thing:?}: {missing:#?}", path.display()).unwrap();
            }
        }
    }
    assert!(lost.is_empty(), "{lost}");
    // A reader that finds nothing loses nothing.
    for (thing, least) in [
        (Thing::Word, 13_000),
        (Thing::Picture, 19),
        (Thing::Link, 200),
        (Thing::Code, 5_000),
        (Thing::Row, 130),
        (Thing::Formula, 1),
        (Thing::Answer, 600),
        (Thing::File, 200),
    ] {
        let count = all.get(&thing).copied().unwrap_or(0);
        assert!(count >= least, "{thing:?}: {count} of {all:?}");
    }
}
