//! The size of the offline HTML file is bounded.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::disallowed_methods)]

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use kurso_base::messages::Lang;
use kurso_formats::testing::folder;
use kurso_formats::{CourseDraft, HtmlExport, read, unwatched, write_html};
use tempfile::TempDir;

const MB: usize = 1 << 20;

/// A course with a page of this text, and these files beside it.
fn course(dir: &Path, text: &str, files: &[(&str, usize)]) -> CourseDraft {
    fs::write(dir.join("a.md"), text).unwrap();
    for (at, (name, size)) in files.iter().enumerate() {
        let mut bytes = b"\x89PNG\r\n\x1a\n".to_vec();
        bytes.resize(*size, u8::try_from(at).unwrap());
        fs::write(dir.join(name), bytes).unwrap();
    }
    read(dir, None, &dir.join("scratch"), &mut unwatched).unwrap().0
}

/// Counts bytes.
#[derive(Default)]
struct Count(usize);

impl Write for Count {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The most memory that this process has held, in megabytes.
fn peak_memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() >> 10
}

#[test]
fn a_thousand_uses_of_an_image_are_embedded_once() {
    let dir = TempDir::new().unwrap();
    let course = course(dir.path(), &"![words](a.png)\n\n".repeat(1000), &[("a.png", 30 * MB)]);
    let started = Instant::now();
    let mut out = Count::default();
    let report = write_html(&course, HtmlExport::default(), &mut out).unwrap();
    assert!(report.entries.is_empty(), "{:?}", report.entries);
    assert!(out.0 < 42 * MB, "{} bytes", out.0);
    assert!(started.elapsed() < Duration::from_secs(10), "{:?}", started.elapsed());
    assert!(peak_memory() < 256, "{} MB", peak_memory());
}

#[test]
fn further_uses_of_a_file_refer_to_the_first() {
    let dir = TempDir::new().unwrap();
    let text = "![one](a.png)\n\n![two](a.png)\n\n[a](a.png) [b](a.png)\n";
    let course = course(dir.path(), text, &[("a.png", 100)]);
    let mut out = Vec::new();
    write_html(&course, HtmlExport::default(), &mut out).unwrap();
    let out = String::from_utf8(out).unwrap();
    // Once to look at and once to download.
    assert_eq!(out.matches("data:image/png;base64,").count(), 1);
    assert_eq!(out.matches("data:application/octet-stream;base64,").count(), 1);
    assert_eq!(out.matches("data-file=\"1\"").count(), 2);
    assert_eq!(out.matches("data-file=\"2\"").count(), 2);
}

#[test]
fn files_beyond_the_total_are_left_out_and_reported() {
    let dir = TempDir::new().unwrap();
    let names: Vec<String> = (0..9).map(|n| format!("{n}.png")).collect();
    let text: String = names.iter().map(|name| format!("![words]({name})\n\n")).collect();
    let files: Vec<(&str, usize)> = names.iter().map(|name| (name.as_str(), 30 * MB)).collect();
    let course = course(dir.path(), &text, &files);
    let mut out = Count::default();
    let report = write_html(&course, HtmlExport::default(), &mut out).unwrap();
    let said: Vec<String> = report.entries.iter().map(|entry| entry.to_line(Lang::En)).collect();
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].contains("8.png: a single HTML file cannot hold it"), "{said:?}");
    assert!(out.0 < 350 * MB, "{} bytes", out.0);
}

#[test]
fn an_assignment_says_what_to_hand_in() {
    let question =
        "??? hand_in takes_text max_links=2 points=4 rubric=shown\n\nOne page.\n\n== Facts\n(4) Right\n(0) Wrong\n";
    let page = format!("+++\ntitle = \"P\"\nkind = \"assignment\"\n+++\n\nDescribe a river.\n\n{question}");
    let dir = folder(&[
        ("course.toml", "title = \"C\"\n"),
        ("1-m/1-l/1-p.md", &page),
        ("scratch/a", ""),
    ]);
    let (course, _) = read(dir.path(), None, &dir.path().join("scratch"), &mut unwatched).unwrap();
    let mut out = Vec::new();
    let report = write_html(&course, HtmlExport::default(), &mut out).unwrap();
    assert!(report.entries.is_empty(), "{:?}", report.entries);
    let out = String::from_utf8(out).unwrap();
    let (_, page) = out.split_once("<p>Describe a river.</p>").unwrap();
    let (page, _) = page.split_once("</article>").unwrap();
    for part in [
        "<h2>Assignment <span>4\u{a0}points</span></h2>",
        "<p>One page.</p>",
        "<p class=\"hint\">Hand in: a text, links</p>",
        "Facts",
        "Right",
    ] {
        assert!(page.contains(part), "{part} is not in\n{page}");
    }
}

#[test]
fn a_hotspot_shows_its_zones_with_the_answers_only() {
    let question = "??? hotspot mark_all\n\nWhere?\n\n^ ![Heart](a.png)\n% rectangle 10.5 20 30 12.25\n% ellipse 50 50 10 12\n\
                    % polygon 1 2, 30 2, 10 40\n";
    let dir = folder(&[
        ("course.toml", "title = \"C\"\n"),
        (
            "1-m/1-l/1-p.md",
            &format!("+++\ntitle = \"P\"\n+++\n\nText.\n\n{question}"),
        ),
        ("scratch/a", ""),
    ]);
    fs::write(dir.path().join("1-m/1-l/a.png"), b"\x89PNG\r\n\x1a\n").unwrap();
    let (course, _) = read(dir.path(), None, &dir.path().join("scratch"), &mut unwatched).unwrap();
    let mut out = Vec::new();
    let report = write_html(&course, HtmlExport::default(), &mut out).unwrap();
    assert!(report.entries.is_empty(), "{:?}", report.entries);
    let out = String::from_utf8(out).unwrap();
    let (asked, answers) = out.split_once("<details class=\"answers\">").unwrap();
    assert!(
        asked.contains("<p class=\"hint\">Mark places on the picture: 3</p>"),
        "{asked}"
    );
    assert!(asked.contains("<img alt=\"Heart\"") && !asked.contains("<ellipse"));
    for part in [
        "<img alt=\"Heart\"",
        "<rect x=\"10.5\" y=\"20\" width=\"30\" height=\"12.25\"/>",
        "<ellipse cx=\"50\" cy=\"50\" rx=\"10\" ry=\"12\"/>",
        "<polygon points=\"1,2 30,2 10,40\"/>",
        "<p>Right zones: 3</p>",
    ] {
        assert!(answers.contains(part), "{part} is not in\n{answers}");
    }
    assert_eq!(out.matches("data:image/png;base64,").count(), 1);
}

#[test]
fn feedback_of_options_stands_with_the_answers() {
    let question =
        "??? single_choice\n\nWhich?\n\n(x) One\n-> Indeed.\n( ) Two\n-> Count again.\n( ) Three\n! Because.\n";
    let dir = folder(&[
        ("course.toml", "title = \"C\"\n"),
        (
            "1-m/1-l/1-p.md",
            &format!("+++\ntitle = \"P\"\n+++\n\nText.\n\n{question}"),
        ),
        ("scratch/a", ""),
    ]);
    let (course, _) = read(dir.path(), None, &dir.path().join("scratch"), &mut unwatched).unwrap();
    let page = |answers: bool| {
        let mut out = Vec::new();
        write_html(&course, HtmlExport { answers }, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    };
    let with = page(true);
    let (asked, answered) = with.split_once("<details class=\"answers\">").unwrap();
    assert!(!asked.contains("Indeed.") && !asked.contains("Count again."));
    let said = "<p class=\"hint\">Feedback for options</p><ul class=\"plain\">\
                <li><p>One</p><div class=\"feedback\"><p>Indeed.</p></div></li>\
                <li><p>Two</p><div class=\"feedback\"><p>Count again.</p></div></li></ul>";
    assert!(answered.contains(said), "{answered}");
    assert!(answered.find(said) < answered.find("Because."));
    let without = page(false);
    assert!(!without.contains("Indeed.") && !without.contains("Count again.") && !without.contains("Feedback for"));
}

#[test]
fn all_parts_of_a_formula_question_show_the_same_values() {
    let question = "??? formula\n\nTwice {a}?\n\n: a 3..3\n= 2 * a\n? Add {a} to {a}.\n! Because {a} + {a}.\n";
    let dir = folder(&[
        ("course.toml", "title = \"C\"\n"),
        (
            "1-m/1-l/1-p.md",
            &format!("+++\ntitle = \"P\"\n+++\n\nText.\n\n{question}"),
        ),
        ("scratch/a", ""),
    ]);
    let (course, _) = read(dir.path(), None, &dir.path().join("scratch"), &mut unwatched).unwrap();
    let mut out = Vec::new();
    write_html(&course, HtmlExport { answers: true }, &mut out).unwrap();
    let page = String::from_utf8(out).unwrap();
    for text in ["Twice 3?", "Add 3 to 3.", "Because 3 + 3."] {
        assert!(page.contains(text), "{text}: {page}");
    }
}
