//! Malicious packages.

use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use flate2::Compression;
use flate2::write::GzEncoder;
use kurso_formats::{ImportError, read};
use tar::{Builder, EntryType, Header};
use tempfile::TempDir;

use super::course::{FILES, lay_out};
use super::{lines, read_at};

const SMALL: &[(&str, &str)] = &[
    ("course.xml", "<course url_name=\"r\" display_name=\"Курс\"/>"),
    (
        "course/r.xml",
        "<course><chapter display_name=\"Г\"><sequential display_name=\"У\"><vertical url_name=\"v\"/></sequential></chapter></course>",
    ),
    (
        "vertical/v.xml",
        "<vertical display_name=\"С\"><html>Да</html></vertical>",
    ),
];

fn rejection(path: &Path) -> ImportError {
    let scratch = TempDir::new().unwrap();
    read(path, None, scratch.path(), &mut kurso_formats::unwatched).unwrap_err()
}

/// An entry with exactly this name and declared size.
fn entry(tar: &mut Builder<impl std::io::Write>, name: &str, kind: EntryType, size: u64, bytes: &[u8]) {
    let mut header = Header::new_gnu();
    let raw = header.as_old_mut();
    raw.name[..name.len()].copy_from_slice(name.as_bytes());
    header.set_entry_type(kind);
    header.set_size(size);
    header.set_mode(0o644);
    if matches!(kind, EntryType::Symlink | EntryType::Link) {
        header.set_link_name_literal("/etc/passwd").unwrap();
    }
    header.set_cksum();
    tar.append(&header, bytes).unwrap();
}

fn gzipped(path: &Path) -> Builder<GzEncoder<std::fs::File>> {
    Builder::new(GzEncoder::new(
        std::fs::File::create(path).unwrap(),
        Compression::best(),
    ))
}

fn close(tar: Builder<GzEncoder<std::fs::File>>) {
    tar.into_inner().unwrap().finish().unwrap().flush().unwrap();
}

#[test]
fn tarballs_read_like_folders() {
    let dir = TempDir::new().unwrap();
    let path = dir.path().join("course.tar.gz");
    let mut tar = gzipped(&path);
    for (name, text) in FILES {
        let mut header = Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_mode(0o644);
        header.set_cksum();
        // Like real exports: everything in one folder, long names in extra entries.
        let name = format!("course/{name}");
        tar.append_data(&mut header, &name, text.as_bytes()).unwrap();
    }
    let long = format!("course/static/{}.txt", "длинное-имя-".repeat(12));
    let mut header = Header::new_gnu();
    header.set_size(2);
    header.set_cksum();
    tar.append_data(&mut header, &long, &b"ok"[..]).unwrap();
    close(tar);
    let (course, report) = read_at(&path);
    assert_eq!((course.title.as_str(), course.pages().count()), ("Физика для всех", 12));
    assert!(
        lines(&report).iter().any(|line| line.contains("длинное-имя-длинное")),
        "{:#?}",
        lines(&report)
    );
}

#[test]
fn hostile_tarballs_stay_in_their_folder() {
    let dir = TempDir::new().unwrap();
    let path = dir.path().join("evil.tar.gz");
    let mut tar = gzipped(&path);
    for (name, text) in SMALL {
        entry(&mut tar, name, EntryType::Regular, text.len() as u64, text.as_bytes());
    }
    entry(&mut tar, "../evil", EntryType::Regular, 3, b"out");
    entry(&mut tar, "a/../../evil", EntryType::Regular, 3, b"out");
    entry(&mut tar, "/tmp/kurso-evil", EntryType::Regular, 3, b"out");
    entry(&mut tar, "link", EntryType::Symlink, 0, b"");
    entry(&mut tar, "hard", EntryType::Link, 0, b"");
    entry(&mut tar, "pipe", EntryType::Fifo, 0, b"");
    entry(&mut tar, "COURSE.xml", EntryType::Regular, 1, b"x");
    // The declared size exceeds the rest of the archive.
    entry(&mut tar, "liar", EntryType::Regular, 1 << 40, b"short");
    close(tar);
    let (course, report) = read_at(&path);
    assert_eq!(course.pages().count(), 1);
    let said = lines(&report).join("\n");
    for line in [
        "../evil: file in the archive: the path leaves",
        "a/../../evil: file in the archive: the path leaves",
        "/tmp/kurso-evil: file in the archive: the path leaves",
        "link: file in the archive: links",
        "hard: file in the archive: links",
        "pipe: file in the archive: it is not a file",
        "COURSE.xml: file in the archive: another file",
    ] {
        assert!(said.contains(line), "{line} is not in\n{said}");
    }
    assert!(!dir.path().join("evil").exists() && !Path::new("/tmp/kurso-evil").exists());
}

#[test]
fn bombs_and_invalid_tarballs_are_rejected() {
    let dir = TempDir::new().unwrap();
    let at = |name: &str| dir.path().join(name);
    let mut tar = gzipped(&at("bomb.tar.gz"));
    for number in 0..3 {
        let zeros = std::io::repeat(0);
        let mut header = Header::new_gnu();
        header.set_path(format!("a{number}")).unwrap();
        header.set_size(40 << 20);
        header.set_cksum();
        tar.append(&header, std::io::Read::take(zeros, 40 << 20)).unwrap();
    }
    close(tar);
    // A name of 8 MB, which the library would read into memory at once.
    let mut tar = gzipped(&at("name.tar.gz"));
    let mut header = Header::new_gnu();
    header.set_path("././@LongLink").unwrap();
    header.set_entry_type(EntryType::GNULongName);
    header.set_size(8 << 20);
    header.set_cksum();
    tar.append(&header, std::io::Read::take(std::io::repeat(b'a'), 8 << 20))
        .unwrap();
    entry(&mut tar, "x", EntryType::Regular, 1, b"x");
    close(tar);
    std::fs::write(at("no.tar.gz"), b"\x1f\x8b nothing").unwrap();
    for (name, why) in [
        ("bomb.tar.gz", "exceeds 64 MB"),
        ("name.tar.gz", "no supported format"),
        ("no.tar.gz", "not a tarball"),
    ] {
        let error = rejection(&at(name)).to_string();
        assert!(error.contains(why), "{name}: {error}");
    }
}

#[test]
fn cycles_and_expanding_courses_terminate() {
    let dir = TempDir::new().unwrap();
    lay_out(dir.path(), SMALL);
    lay_out(
        dir.path(),
        &[
            (
                "vertical/v.xml",
                "<vertical display_name=\"С\"><vertical url_name=\"w\"/><html>Да</html></vertical>",
            ),
            ("vertical/w.xml", "<vertical><vertical url_name=\"v\"/></vertical>"),
        ],
    );
    let (course, report) = read_at(dir.path());
    assert_eq!(course.pages().count(), 1);
    assert!(
        lines(&report)
            .iter()
            .any(|line| line.contains("vertical/v.xml: it contains itself")),
        "{:#?}",
        lines(&report)
    );
    // Each unit references the next one twice: 2 to the power of 30 uses.
    for number in 0..30 {
        let next = format!("<vertical url_name=\"x{}\"/>", number + 1);
        std::fs::write(
            dir.path().join(format!("vertical/x{number}.xml")),
            format!("<vertical>{next}{next}</vertical>"),
        )
        .unwrap();
    }
    lay_out(
        dir.path(),
        &[("vertical/v.xml", "<vertical><vertical url_name=\"x0\"/></vertical>")],
    );
    let started = Instant::now();
    assert_eq!(rejection(dir.path()), ImportError::TooLarge);
    assert!(started.elapsed() < Duration::from_secs(120));
}

#[test]
fn excess_units_are_rejected_and_large_courses_read_in_time() {
    let dir = TempDir::new().unwrap();
    lay_out(dir.path(), SMALL);
    let units = |count: usize| {
        let units = "<vertical display_name='a'><html>b</html></vertical>".repeat(count);
        format!("<course><chapter><sequential>{units}</sequential></chapter></course>")
    };
    lay_out(dir.path(), &[("course/r.xml", &units(5000))]);
    let started = Instant::now();
    assert_eq!(read_at(dir.path()).0.pages().count(), 5000);
    assert!(started.elapsed() < Duration::from_secs(30), "{:?}", started.elapsed());
    lay_out(dir.path(), &[("course/r.xml", &units(60_000))]);
    assert!(matches!(rejection(dir.path()), ImportError::TooManyPages(_)));
}

#[test]
fn an_entity_bomb_in_one_component_spares_the_others() {
    let dir = TempDir::new().unwrap();
    lay_out(dir.path(), SMALL);
    let bomb = "<!DOCTYPE p [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;\">]><problem>&b;</problem>";
    lay_out(
        dir.path(),
        &[
            (
                "vertical/v.xml",
                "<vertical display_name=\"С\"><problem url_name=\"p\"/><html url_name=\"../policies/x\"/><html>Да</html></vertical>",
            ),
            ("problem/p.xml", bomb),
        ],
    );
    let (course, report) = read_at(dir.path());
    assert!(course.pages().next().unwrap().content.to_string().contains("Да"));
    assert!(
        lines(&report).iter().any(|line| line.contains("DTD")),
        "{:#?}",
        lines(&report)
    );
}

#[test]
fn expanding_problems_stay_bounded() {
    let read_with = |name: &str, text: String| {
        let dir = TempDir::new().unwrap();
        lay_out(dir.path(), &SMALL[..2]);
        let vertical = format!("<vertical display_name=\"С\"><{name} url_name=\"p\"/></vertical>");
        let file = format!("{name}/p.xml");
        lay_out(dir.path(), &[("vertical/v.xml", &vertical), (&file, &text)]);
        let (course, report) = read_at(dir.path());
        let questions: Vec<_> = course
            .pages()
            .filter_map(|page| page.quiz.clone())
            .flat_map(|quiz| quiz.questions)
            .collect();
        assert_eq!(questions.len(), 1, "{}", lines(&report).join("\n"));
        format!("{questions:?}").len()
    };
    let long = "слово ".repeat(20_000);
    // Feedback repeats the text of its option: a long text, many times.
    let hints = "<choicehint>да</choicehint>".repeat(300);
    let size = read_with(
        "problem",
        format!(
            "<problem><multiplechoiceresponse><label>?</label><choicegroup><choice correct=\"true\">{long}{hints}</choice>\
             <choice correct=\"false\">нет</choice></choicegroup></multiplechoiceresponse></problem>"
        ),
    );
    assert!(size < 5_000_000, "{size}");
    // A zone with a long title and many items.
    let items = vec!["{&quot;displayName&quot;: &quot;a&quot;, &quot;zone&quot;: &quot;z&quot;}"; 90].join(",");
    let size = read_with(
        "drag-and-drop-v2",
        format!(
            "<drag-and-drop-v2 question_text=\"?\" data=\"{{&quot;zones&quot;: [{{&quot;uid&quot;: &quot;z&quot;, &quot;title&quot;: \
             &quot;{long}&quot;}}], &quot;items&quot;: [{items}]}}\"/>"
        ),
    );
    assert!(size < 5_000_000, "{size}");
}
