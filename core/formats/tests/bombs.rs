//! Archives inside archives, and files that are small packed and costly unpacked: one import has one budget, and it can be
//! cancelled at any time.
#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

use std::fs;
use std::io::Write as _;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

use kurso_base::messages::Lang;
use kurso_formats::{ImportError, read, unwatched};
use tempfile::TempDir;
use zip::write::SimpleFileOptions;

const MB: usize = 1 << 20;
const RELATIONS: &[u8] = b"<Relationships><Relationship Id='r1' Target='media/a.png'/></Relationships>";
const WORDS: &str = "<document><body><p><r><t>Words</t></r></p></body></document>";

fn zipped(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, bytes) in entries {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// A zip at `path` with copies of a DOCX file that has these parts.
fn documents(path: &Path, copies: usize, parts: &[(&str, &[u8])]) {
    let docx = zipped(parts);
    let names: Vec<String> = (0..copies).map(|n| format!("{n:02}.docx")).collect();
    let entries: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), docx.as_slice())).collect();
    fs::write(path, zipped(&entries)).unwrap();
}

fn bytes_in(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().map(Result::unwrap);
    entries
        .map(|entry| match entry.file_type().unwrap().is_dir() {
            true => bytes_in(&entry.path()),
            false => entry.metadata().unwrap().len(),
        })
        .sum()
}

#[test]
fn documents_in_a_zip_share_its_budget() {
    let dir = TempDir::new().unwrap();
    let (zip, scratch) = (dir.path().join("course.zip"), dir.path().join("scratch"));
    let image = vec![0; 40 * MB];
    let bomb = [
        ("word/document.xml", WORDS.as_bytes()),
        ("word/_rels/document.xml.rels", RELATIONS),
        ("word/media/a.png", &image),
    ];
    documents(&zip, 20, &bomb);
    assert!(fs::metadata(&zip).unwrap().len() < MB as u64);
    let error = read(&zip, None, &scratch, &mut unwatched).unwrap_err();
    assert!(error.text(Lang::En).contains("its unpacked size exceeds"), "{error}");
    let used = bytes_in(&scratch);
    assert!(used < 128 * MB as u64, "{used} bytes");
}

#[test]
fn parts_that_no_course_needs_stay_packed() {
    let dir = TempDir::new().unwrap();
    let (zip, scratch) = (dir.path().join("course.zip"), dir.path().join("scratch"));
    let large = vec![0; 40 * MB];
    let parts = [
        ("word/document.xml", WORDS.as_bytes()),
        ("word/_rels/document.xml.rels", RELATIONS),
        ("word/theme/theme1.xml", &large),
        ("word/embeddings/sheet.bin", &large),
    ];
    documents(&zip, 10, &parts);
    let (course, _) = read(&zip, None, &scratch, &mut unwatched).unwrap();
    assert_eq!(course.pages().count(), 10);
    let used = bytes_in(&scratch);
    assert!(used < MB as u64, "{used} bytes");
}

#[test]
fn a_refused_document_leaves_nothing_in_the_scratch() {
    let dir = TempDir::new().unwrap();
    let (zip, scratch) = (dir.path().join("course.zip"), dir.path().join("scratch"));
    let broken = [
        ("word/document.xml", &b"<document>"[..]),
        ("word/styles.xml", b"<styles/>"),
    ];
    documents(&zip, 3, &broken);
    assert_eq!(
        read(&zip, None, &scratch, &mut unwatched).unwrap_err(),
        ImportError::NoPages
    );
    let left: Vec<_> = fs::read_dir(&scratch)
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(left, ["unpacked"]);
}

#[test]
fn damaged_entries_count_against_the_budget() {
    let dir = TempDir::new().unwrap();
    let (path, scratch) = (dir.path().join("course.zip"), dir.path().join("scratch"));
    let large = zipped(&[("a.md", b"Words"), ("0.bin", &vec![0; 20 * MB])]);
    let mut large = zip::ZipArchive::new(std::io::Cursor::new(large)).unwrap();
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    zip.raw_copy_file(large.by_index(0).unwrap()).unwrap();
    for n in 0..20 {
        zip.raw_copy_file_rename(large.by_index(1).unwrap(), format!("{n}.bin"))
            .unwrap();
    }
    let mut zip = zip.finish().unwrap().into_inner();
    // The checksums in the headers of the central directory.
    let headers: Vec<usize> = zip
        .windows(4)
        .enumerate()
        .filter(|(_, at)| at == b"PK\x01\x02")
        .map(|(at, _)| at)
        .collect();
    for at in headers.into_iter().skip(1) {
        zip.get_mut(at + 16..at + 20).unwrap().fill(0x55);
    }
    fs::write(&path, zip).unwrap();
    let error = read(&path, None, &scratch, &mut unwatched).unwrap_err();
    assert!(error.text(Lang::En).contains("its unpacked size exceeds"), "{error}");
    let used = bytes_in(&scratch);
    assert!(used < 30 * MB as u64, "{used} bytes");
}

#[test]
fn floods_of_entities_are_refused_in_time_and_can_be_cancelled() {
    let dir = TempDir::new().unwrap();
    let flood = WORDS.replace("Words", &"&lt;".repeat(MB * 11 / 10));
    let document = ("word/document.xml", flood.as_bytes());
    let folder = dir.path().join("folder");
    fs::create_dir(&folder).unwrap();
    let docx = zipped(&[document]);
    for n in 0..10 {
        fs::write(folder.join(format!("{n}.docx")), &docx).unwrap();
    }
    let started = Instant::now();
    let error = read(&folder, None, &dir.path().join("all"), &mut unwatched).unwrap_err();
    assert_eq!(error, ImportError::NoPages);
    // Parsing them would take minutes without optimisation.
    assert!(started.elapsed() < Duration::from_secs(60), "{:?}", started.elapsed());

    let started = Instant::now();
    let error = read(&folder, None, &dir.path().join("some"), &mut |_| {
        if started.elapsed() < Duration::from_millis(300) {
            return ControlFlow::Continue(());
        }
        ControlFlow::Break(())
    });
    // From when it could have been noticed: steps without a check count.
    let late = started.elapsed().saturating_sub(Duration::from_millis(300));
    assert_eq!(error.unwrap_err(), ImportError::Cancelled);
    assert!(late < Duration::from_secs(5), "{late:?}");
}

/// The most memory that this process has held, in megabytes.
fn peak_memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() >> 10
}

#[test]
fn a_file_of_tiny_questions_is_refused_within_the_memory_of_a_job() {
    let dir = TempDir::new().unwrap();
    let scratch = dir.path().join("scratch");
    for (name, question) in [("a.gift", "a{T}\n\n"), ("b.aiken", "a\nA. b\nB. c\nANSWER: A\n\n")] {
        let path = dir.path().join(name);
        fs::write(&path, question.repeat(2 * MB / question.len())).unwrap();
        assert_eq!(
            read(&path, None, &scratch, &mut unwatched).unwrap_err(),
            ImportError::TooManyQuestions(10_000),
            "{name}"
        );
    }
    assert!(peak_memory() < 256, "{} MB", peak_memory());
}

#[test]
fn an_import_of_questions_can_be_cancelled_between_them() {
    let dir = TempDir::new().unwrap();
    let path = dir.path().join("a.gift");
    fs::write(&path, "a{T}\n\n".repeat(2000)).unwrap();
    let mut steps = 0;
    let error = read(&path, None, &dir.path().join("scratch"), &mut |_| {
        steps += 1;
        match steps {
            10.. => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    });
    assert_eq!((error.unwrap_err(), steps), (ImportError::Cancelled, 10));
}
