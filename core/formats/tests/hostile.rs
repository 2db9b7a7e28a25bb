//! Malicious packages and cancelled imports: nothing is trusted, and memory, disk and time are bounded.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods
)]

use std::fs;
use std::io::Write as _;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use kurso_base::messages::Lang;
use kurso_formats::{CourseDraft, Format, ImportError, Report, read, unwatched};
use tempfile::TempDir;
use zip::CompressionMethod::{Deflated, Stored};
use zip::write::SimpleFileOptions;

fn zipped(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(Deflated);
    for (name, bytes) in entries {
        zip.start_file(*name, options).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

const COURSE: &[(&str, &[u8])] = &[
    ("course.toml", b"title = \"Zip\"\n"),
    ("1-m/1-l/1-a.md", b"words\n"),
    ("1-m/1-l/2-b.md", b"more words\n"),
];

fn import(bytes: &[u8]) -> Result<(CourseDraft, Report), ImportError> {
    let dir = TempDir::new().unwrap();
    let zip = dir.path().join("course.zip");
    fs::write(&zip, bytes).unwrap();
    let read = read(&zip, None, &dir.path().join("scratch"), &mut unwatched);
    let mut names: Vec<_> = fs::read_dir(dir.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    names.retain(|name| name != "course.zip" && name != "scratch");
    assert!(names.is_empty(), "something lies beside the scratch: {names:?}");
    read
}

fn lines(report: &Report) -> String {
    let lines: Vec<String> = report.entries.iter().map(|entry| entry.to_line(Lang::En)).collect();
    lines.join("\n")
}

/// Last position of the four bytes.
fn last(bytes: &[u8], of: &[u8; 4]) -> usize {
    bytes.windows(4).rposition(|window| window == of).unwrap()
}

/// Makes every header declare this packed and unpacked size.
fn claiming(mut zip: Vec<u8>, packed: Option<u32>, size: u32) -> Vec<u8> {
    let at: Vec<usize> = (0..zip.len() - 4)
        .filter(|at| &zip[*at..at + 4] == b"PK\x01\x02")
        .collect();
    for at in at {
        if let Some(packed) = packed {
            zip[at + 20..at + 24].copy_from_slice(&packed.to_le_bytes());
        }
        zip[at + 24..at + 28].copy_from_slice(&size.to_le_bytes());
    }
    zip
}

#[test]
fn declared_zip_sizes_are_ignored() {
    for (packed, size) in [
        (None, u32::MAX - 1),
        (None, 0),
        (Some(u32::MAX - 1), u32::MAX - 1),
        (Some(0), 0),
        // Refers to a size field elsewhere that does not exist.
        (Some(u32::MAX), u32::MAX),
    ] {
        let start = Instant::now();
        match import(&claiming(zipped(COURSE), packed, size)) {
            // The result has the actual content.
            Ok((course, _)) => assert!(course.pages().count() <= 2),
            Err(error) => assert!(!error.text(Lang::Ru).is_empty()),
        }
        assert!(start.elapsed() < Duration::from_secs(10));
    }
}

#[test]
fn declared_zip_entry_counts_are_ignored() {
    let whole = zipped(COURSE);
    let end = last(&whole, b"PK\x05\x06");
    for (from, to) in [(8, 12), (10, 12), (12, 16), (16, 20)] {
        for value in [0_u8, 0xfe, 0xff] {
            let mut zip = whole.clone();
            zip[end + from..end + to].fill(value);
            let _ = import(&zip);
        }
    }
    // A ZIP64 directory with the maximum number of entries.
    let mut zip = whole.clone();
    let tail = zip.split_off(end);
    let at = zip.len() as u64;
    zip.extend(b"PK\x06\x06");
    zip.extend(44_u64.to_le_bytes());
    zip.extend([45, 0, 45, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    for value in [u64::MAX / 64, u64::MAX / 64, u64::MAX / 4, 0] {
        zip.extend(value.to_le_bytes());
    }
    zip.extend(b"PK\x06\x07\0\0\0\0");
    zip.extend(at.to_le_bytes());
    zip.extend(1_u32.to_le_bytes());
    zip.extend(&tail[..8]);
    zip.extend([0xff; 12]);
    zip.extend([0, 0]);
    let _ = import(&zip);
}

#[test]
fn zips_with_too_many_entries_are_rejected_before_loading() {
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(Stored);
    for number in 0..100_001 {
        zip.start_file(format!("{number:x}"), options).unwrap();
    }
    let start = Instant::now();
    let error = import(&zip.finish().unwrap().into_inner()).unwrap_err();
    assert!(error.to_string().contains("more than 100000 files"), "{error}");
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}

#[test]
fn ambiguous_and_invalid_names_are_skipped_with_a_note() {
    let long = "x".repeat(3000);
    let deep = "d/".repeat(5000) + "x.md";
    let (course, report) = import(&zipped(&[
        ("course.toml", b"title = \"Zip\"\n"),
        ("COURSE.TOML", b"title = \"Other\"\n"),
        ("1-m/1-l/1-a.md", b"words\n"),
        ("1-M/1-L/1-A.MD", b"others\n"),
        ("1-m/1-l/\u{430}.md", b"one\n"),
        ("1-m/1-l/\u{410}.md", b"two\n"),
        ("file", b"a file"),
        ("file/inside.md", b"in a file"),
        (&long, b"x"),
        (&deep, b"x"),
        ("1-m/1-l/nul\0.md", b"x"),
        ("C:\\Windows\\x.md", b"x"),
        ("..", b"x"),
        (".", b"x"),
        ("1-m/../../out.md", b"x"),
    ]))
    .unwrap();
    assert_eq!(course.title, "Zip");
    assert_eq!(course.pages().count(), 2);
    let said = lines(&report);
    for line in [
        "COURSE.TOML: file in the archive: another file",
        "1-M/1-L/1-A.MD: file in the archive: another file",
        "\u{410}.md: file in the archive: another file",
        "file/inside.md: file in the archive: invalid file name",
        "1-m/../../out.md: file in the archive: the path leaves",
        "C:\\Windows\\x.md: file in the archive: the path leaves",
    ] {
        assert!(said.contains(line), "{line} is not in\n{said}");
    }
    assert!(said.lines().all(|line| line.chars().count() < 12_000));
}

#[test]
fn damaged_zips_are_read_or_rejected() {
    let whole = zipped(COURSE);
    for length in 0..whole.len() {
        let _ = import(&whole[..length]);
    }
    for at in 0..whole.len() {
        let mut zip = whole.clone();
        zip[at] ^= 0x81;
        let _ = import(&zip);
    }
}

/// A folder of the format, or a file for file formats.
fn sample(dir: &Path, format: Format) -> PathBuf {
    let files: &[(&str, &str)] = match format {
        Format::Mdbook => &[
            ("src/SUMMARY.md", "- [A](a.md)\n- [B](b.md)\n- [C](c.md)\n"),
            ("src/a.md", "# A\n"),
            ("src/b.md", "# B\n"),
            ("src/c.md", "# C\n"),
        ],
        Format::MdbookQuiz => &[
            (
                "a.toml",
                "[[questions]]\ntype = \"ShortAnswer\"\nprompt.prompt = \"1+1?\"\nanswer.answer = \"2\"\n",
            ),
            (
                "b.toml",
                "[[questions]]\ntype = \"ShortAnswer\"\nprompt.prompt = \"1+2?\"\nanswer.answer = \"3\"\n",
            ),
        ],
        Format::Gift => &[("q.gift", "What is 1+1? {=2}\n")],
        Format::Aiken => &[("q.txt", "What is 1+1?\nA. 2\nB. 3\nANSWER: A\n")],
        Format::Epub => &[
            (
                "META-INF/container.xml",
                "<container><rootfiles><rootfile full-path=\"b.opf\"/></rootfiles></container>",
            ),
            (
                "b.opf",
                "<package><metadata/><manifest><item id=\"a\" href=\"a.xhtml\" media-type=\"application/xhtml+xml\"/></manifest><spine><itemref idref=\"a\"/></spine></package>",
            ),
            ("a.xhtml", "<p>words</p>"),
        ],
        _ => &[
            ("course.toml", "title = \"K\"\n"),
            ("1-m/1-l/1-a.md", "# A\n"),
            ("1-m/1-l/2-b.md", "# B\n"),
        ],
    };
    for (name, text) in files {
        let path = dir.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    match format {
        Format::Gift => dir.join("q.gift"),
        Format::Aiken => dir.join("q.txt"),
        _ => dir.to_owned(),
    }
}

/// Cancels at each progress step in turn.
fn cancel_at_every_step(path: &Path, format: Option<Format>) -> usize {
    for steps in 0.. {
        let scratch = TempDir::new().unwrap();
        let mut left = steps;
        let mut after = 0;
        let read = read(path, format, &scratch.path().join("x"), &mut |_| {
            if left == 0 {
                after += 1;
                return ControlFlow::Break(());
            }
            left -= 1;
            ControlFlow::Continue(())
        });
        match read {
            Ok(_) => {
                assert_eq!(after, 0);
                return steps;
            }
            Err(error) => assert_eq!((error, after), (ImportError::Cancelled, 1), "{}", path.display()),
        }
    }
    0
}

#[test]
fn imports_can_be_cancelled_at_every_step() {
    for (format, least) in [
        (Format::Mdbook, 3),
        (Format::Markdown, 4),
        (Format::MdbookQuiz, 2),
        (Format::Gift, 1),
        (Format::Aiken, 1),
        (Format::Epub, 1),
    ] {
        let dir = TempDir::new().unwrap();
        let path = sample(dir.path(), format);
        let steps = cancel_at_every_step(&path, Some(format));
        assert!(steps >= least, "{format:?}: {steps} steps");
    }
    // Also inside a large file of a zip.
    let large = vec![7; 20 << 20];
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(Stored);
    for (name, bytes) in COURSE.iter().chain(&[("large.bin", large.as_slice())]) {
        zip.start_file(*name, options).unwrap();
        zip.write_all(bytes).unwrap();
    }
    let dir = TempDir::new().unwrap();
    let path = dir.path().join("large.zip");
    fs::write(&path, zip.finish().unwrap().into_inner()).unwrap();
    let mut steps = 0;
    let error = read(&path, None, &dir.path().join("x"), &mut |progress| {
        steps += usize::from(progress.file == "large.bin");
        match steps {
            3.. => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    });
    assert_eq!(error.unwrap_err(), ImportError::Cancelled);
    assert_eq!(steps, 3);
}

#[test]
fn questions_beyond_the_limits_of_a_quiz_are_reported() {
    let dir = TempDir::new().unwrap();
    let path = dir.path().join("q.gift");
    let questions: Vec<String> = (0..60).map(|n| format!("Question {n} {{=a*{n}}}")).collect();
    fs::write(&path, questions.join("\n\n")).unwrap();
    let (course, report) = read(&path, None, &dir.path().join("scratch"), &mut unwatched).unwrap();
    let quiz = course.pages().next().unwrap().quiz.as_ref().unwrap();
    assert_eq!((quiz.questions.len(), report.counts.questions), (50, 50));
    assert_eq!(quiz.check(), Ok(()));
    assert_eq!(report.entries.len(), 10, "{}", lines(&report));
    assert!(lines(&report).contains("At most 50 questions of a quiz can have a pattern"));
}
