//! The time to read a file grows linearly with its size.
#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

use std::fs;
use std::time::{Duration, Instant};

use kurso_formats::{read, unwatched};
use tempfile::TempDir;

/// Asserts that four times as much of a file takes less than eight times as long; quadratic reading takes 16 times as long.
/// `make` returns the name and the bytes of a file of this size.
fn grows_linearly(size: usize, make: impl Fn(usize) -> (&'static str, Vec<u8>)) {
    let time = |size: usize| {
        let (name, bytes) = make(size);
        let dir = TempDir::new().unwrap();
        let path = dir.path().join(name);
        fs::write(&path, bytes).unwrap();
        let started = Instant::now();
        read(&path, None, &dir.path().join("scratch"), &mut unwatched).unwrap();
        started.elapsed()
    };
    // The best of three: other programs only slow down.
    let best = |size: usize| (0..3).map(|_| time(size)).min().unwrap();
    let (one, four) = (best(size), best(4 * size));
    // What does not depend on the size.
    let slack = Duration::from_millis(50);
    assert!(four < one * 8 + slack, "{size}: {one:?}, {}: {four:?}", 4 * size);
}

fn zipped(entries: &[(&str, &str)]) -> Vec<u8> {
    use std::io::Write as _;
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, text) in entries {
        zip.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

fn cartridge(item: &str) -> Vec<u8> {
    let manifest = "<manifest><organizations><organization><item><item identifierref=\"q\"><title>Quiz</title></item></item></organization></organizations><resources>\
        <resource identifier=\"q\" type=\"imsqti_xmlv1p2/imscc_xmlv1p3/assessment\"><file href=\"q.xml\"/></resource></resources></manifest>";
    let quiz = format!(
        "<questestinterop><assessment title=\"Quiz\"><section><item>{item}</item></section></assessment></questestinterop>"
    );
    zipped(&[("imsmanifest.xml", manifest), ("q.xml", &quiz)])
}

/// Responses, each with a label and a condition that names them all.
#[test]
fn blanks_with_many_conditions() {
    grows_linearly(100, |n| {
        let responses: String = (0..n)
            .map(|at| format!("<response_str ident=\"response_r{at}\"><material><mattext>r{at}</mattext></material><render_fib/></response_str>"))
            .collect();
        let tests: String = (0..n)
            .map(|at| format!("<varequal respident=\"response_r{at}\">word</varequal>"))
            .collect();
        let condition =
            format!("<respcondition><conditionvar>{tests}</conditionvar><setvar>100</setvar></respcondition>");
        let item = format!(
            "<presentation><material><mattext>Text</mattext></material>{responses}</presentation><resprocessing>{}</resprocessing>",
            condition.repeat(100)
        );
        ("a.imscc", cartridge(&item))
    });
}

#[test]
fn matching_questions_with_equal_options() {
    grows_linearly(50, |n| {
        let labels = "<response_label ident=\"a\"><material><mattext texttype=\"text/html\">&lt;b&gt;word&lt;/b&gt;</mattext></material></response_label>".repeat(20);
        let responses: String = (0..n)
            .map(|at| format!("<response_lid ident=\"r{at}\"><material><mattext>{at}</mattext></material><render_choice>{labels}</render_choice></response_lid>"))
            .collect();
        let item = format!("<presentation><material><mattext>Text</mattext></material>{responses}</presentation>");
        ("a.imscc", cartridge(&item))
    });
}

#[test]
fn documents_with_many_footnotes() {
    grows_linearly(2_000, |n| {
        let text: String = (0..n)
            .map(|at| format!("<p><r><t>words</t></r><r><footnoteReference id=\"{at}\"/></r></p>"))
            .collect();
        let notes: String = (0..n)
            .map(|at| format!("<footnote id=\"{at}\"><p><r><t>note</t></r></p></footnote>"))
            .collect();
        let bytes = zipped(&[
            (
                "word/document.xml",
                &format!("<document><body>{text}</body></document>"),
            ),
            ("word/footnotes.xml", &format!("<footnotes>{notes}</footnotes>")),
        ]);
        ("a.docx", bytes)
    });
}

#[test]
fn courses_with_many_attachments() {
    grows_linearly(500, |n| {
        let parts: String = (0..n)
            .map(|at| format!("<pdf display_name=\"f{at}\" url=\"/static/f{at}.pdf\"/>"))
            .collect();
        let course = format!(
            "<course url_name=\"r\" org=\"O\" course=\"C\" display_name=\"Course\"><chapter display_name=\"M\"><sequential display_name=\"L\">\
             <vertical display_name=\"P\">{parts}</vertical></sequential></chapter></course>"
        );
        let files: Vec<(String, String)> = (0..n)
            .map(|at| (format!("static/f{at}.pdf"), format!("%PDF-1.7 {at}")))
            .collect();
        let mut entries = vec![("course.xml", course.as_str())];
        entries.extend(files.iter().map(|(name, text)| (name.as_str(), text.as_str())));
        ("a.zip", zipped(&entries))
    });
}

#[test]
fn pages_with_many_problems() {
    grows_linearly(2_000, |n| {
        let page = "words <img alt=\"x\">\n\n".repeat(n);
        (
            "a.zip",
            zipped(&[("course.toml", "title = \"C\""), ("1-m/1-l/1-a.md", &page)]),
        )
    });
}
