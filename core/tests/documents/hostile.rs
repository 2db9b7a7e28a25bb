//! Malicious files.

use std::time::{Duration, Instant};

use kurso_formats::read;
use tempfile::TempDir;

use super::docx::document;
use super::{lines, read_at};

#[test]
fn invalid_and_malicious_docx_files_spare_the_others() {
    let dir = TempDir::new().unwrap();
    let write = |name: &str, bytes: &[u8]| std::fs::write(dir.path().join(name), bytes).unwrap();
    write("a.md", "Текст".as_bytes());
    write("no.docx", b"\xd0\xcf\x11\xe0 an old one, or one with a password");
    let bomb = "<!DOCTYPE w [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;\">]>";
    let whole = document("<w:p/>", &[]);
    let mut zip = zip::ZipArchive::new(std::io::Cursor::new(whole)).unwrap();
    let mut text = String::new();
    std::io::Read::read_to_string(&mut zip.by_index(0).unwrap(), &mut text).unwrap();
    let mut hostile = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    hostile
        .start_file("word/document.xml", zip::write::SimpleFileOptions::default())
        .unwrap();
    let with_type = text
        .replace("<w:document", &format!("{bomb}<w:document"))
        .replace("<w:p/>", "<w:p>&b;</w:p>");
    std::io::Write::write_all(&mut hostile, with_type.as_bytes()).unwrap();
    write("bomb.docx", &hostile.finish().unwrap().into_inner());
    write(
        "deep.docx",
        &document(
            &("<w:sdt><w:sdtContent>".repeat(300) + &"</w:sdtContent></w:sdt>".repeat(300)),
            &[],
        ),
    );
    write("broken.docx", &document("<w:p><w:r>", &[]));
    let out =
        "<w:p><w:r><a:blip r:embed=\"r1\"/></w:r><w:r><w:drawing><a:blip r:embed=\"r1\"/></w:drawing></w:r></w:p>";
    let rels = b"<Relationships><Relationship Id='r1' Target='../../../../../../etc/passwd'/></Relationships>";
    write("out.docx", &document(out, &[("word/_rels/document.xml.rels", rels)]));
    let (course, report) = read_at(dir.path());
    assert!(course.files.is_empty());
    let said = lines(&report).join("\n");
    for line in [
        "no.docx: entire file",
        "bomb.docx: document part word/document.xml: the XML has a DTD",
        "deep.docx: document part word/document.xml: the XML is nested too deeply",
        "broken.docx: document part word/document.xml: invalid XML",
        "out.docx: image ../../../../../../etc/passwd: the path leaves",
    ] {
        assert!(said.contains(line), "{line} is not in\n{said}");
    }
}

#[test]
fn large_tables_and_lists_take_linear_time() {
    let dir = TempDir::new().unwrap();
    let row = "<w:tr><w:tc><w:tcPr><w:vMerge/></w:tcPr><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc></w:tr>";
    let body = format!("<w:tbl>{}</w:tbl>", row.repeat(20_000));
    std::fs::write(dir.path().join("a.docx"), document(&body, &[])).unwrap();
    let started = Instant::now();
    read_at(&dir.path().join("a.docx"));
    assert!(started.elapsed() < Duration::from_secs(30), "{:?}", started.elapsed());
}

#[test]
fn links_outside_the_folder_are_not_read() {
    let dir = TempDir::new().unwrap();
    let inside = dir.path().join("in");
    std::fs::create_dir(&inside).unwrap();
    std::fs::write(dir.path().join("secret.txt"), "secret").unwrap();
    std::fs::write(
        inside.join("a.md"),
        "[a](../secret.txt) [b](/etc/passwd) ![c](file:///etc/passwd) [d](C:\\secret.txt) [e](javascript:alert(1))\n\n<iframe src=\"https://example.com\"></iframe>",
    )
    .unwrap();
    let (course, report) = read_at(&inside);
    assert!(course.files.is_empty());
    assert_eq!(report.entries.len(), 6, "{:#?}", lines(&report));
    let empty = TempDir::new().unwrap();
    let scratch = TempDir::new().unwrap();
    std::fs::write(empty.path().join("a.txt.bin"), b"\0").unwrap();
    assert!(
        read(empty.path(), None, scratch.path(), &mut kurso_formats::unwatched)
            .unwrap_err()
            .to_string()
            .contains("no supported format")
    );
}
