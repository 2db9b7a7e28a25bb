//! Files that no reader takes are named for what they are.

use kurso_base::messages::Lang;
use kurso_formats::{ImportError, Unsupported};

use super::{PNG, import, lines, tree, zipped};

/// The beginning of a compound file with a part of this name.
fn compound(part: &str) -> Vec<u8> {
    let mut bytes = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1".to_vec();
    bytes.resize(1024, 0);
    bytes.extend(part.encode_utf16().flat_map(u16::to_le_bytes));
    bytes
}

/// A zip of one text whose header says that it is encrypted.
fn locked() -> Vec<u8> {
    let mut zip = zipped(&[("a.md", b"words")]);
    for (header, flags) in [(b"PK\x03\x04", 6), (b"PK\x01\x02", 8)] {
        let at = zip.windows(4).position(|bytes| bytes == header).unwrap();
        zip[at + flags] |= 1;
    }
    zip
}

/// A book with an encrypted text.
fn locked_book() -> Vec<u8> {
    let package = r#"<package><metadata/><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest>
      <spine><itemref idref="a"/></spine></package>"#;
    let container = r#"<container><rootfiles><rootfile full-path="OEBPS/a.opf"/></rootfiles></container>"#;
    let encryption = r#"<encryption><EncryptedData><CipherData><CipherReference URI="OEBPS/a.xhtml"/></CipherData></EncryptedData></encryption>"#;
    zipped(&[
        ("mimetype", b"application/epub+zip"),
        ("META-INF/container.xml", container.as_bytes()),
        ("META-INF/encryption.xml", encryption.as_bytes()),
        ("OEBPS/a.opf", package.as_bytes()),
        ("OEBPS/a.xhtml", b"\x8a\x13\0"),
    ])
}

const SCORM: &str = r#"<manifest xmlns:adlcp="http://www.adlnet.org/xsd/adlcp_rootv1p2"><metadata><schema>ADL SCORM</schema></metadata>
  <organizations><organization><title>Охрана труда</title><item identifierref="r"><title>Урок</title></item></organization></organizations>
  <resources><resource identifier="r" type="webcontent" adlcp:scormtype="sco" href="index.html"/></resources></manifest>"#;

const QTI: &str = r#"<manifest><organizations/><resources>
  <resource identifier="a" type="imsqti_item_xmlv2p1" href="a.xml"><file href="a.xml"/></resource></resources></manifest>"#;

fn samples() -> Vec<(&'static str, Vec<u8>, Unsupported)> {
    use Unsupported as Of;
    let odt = zipped(&[
        ("mimetype", b"application/vnd.oasis.opendocument.text"),
        ("content.xml", b"<a/>"),
    ]);
    let odp = zipped(&[("mimetype", b"application/vnd.oasis.opendocument.presentation")]);
    let pptx = zipped(&[("[Content_Types].xml", b"<a/>"), ("ppt/presentation.xml", b"<a/>")]);
    let quiz =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- questions -->\n<quiz><question type=\"category\"/></quiz>";
    let item = "<?xml version=\"1.0\"?><assessmentItem xmlns=\"http://www.imsglobal.org/xsd/imsqti_v2p1\"/>";
    vec![
        ("лекция.pdf", b"%PDF-1.7\n%\xe2\xe3\xcf\xd3".to_vec(), Of::Pdf),
        ("pdf.docx", b"%PDF-1.4\n".to_vec(), Of::Pdf),
        ("book.djvu", b"AT&TFORM\0\0\0\0DJVM".to_vec(), Of::DjVu),
        ("old.doc", compound("WordDocument"), Of::Doc),
        ("old.docx", compound("WordDocument"), Of::Doc),
        ("slides.ppt", compound("PowerPoint Document"), Of::PowerPoint),
        ("slides.pptx", pptx.clone(), Of::PowerPoint),
        ("slides.docx", pptx, Of::PowerPoint),
        ("old.xls", compound("Workbook"), Of::Excel),
        ("new.xlsx", zipped(&[("xl/workbook.xml", b"<a/>")]), Of::Excel),
        ("locked.docx", compound("EncryptedPackage"), Of::LockedOffice),
        ("text.zip", zipped(&[("word/document.xml", b"<a/>")]), Of::UnnamedDocx),
        ("text.rtf", b"{\\rtf1\\ansi words}".to_vec(), Of::Rtf),
        ("text.docx", b"{\\rtf1\\ansi words}".to_vec(), Of::Rtf),
        ("text.odt", odt, Of::OpenDocumentText),
        ("slides.odp", odp, Of::OpenDocument),
        (
            "book.fb2",
            b"<?xml version=\"1.0\"?><FictionBook/>".to_vec(),
            Of::FictionBook,
        ),
        ("book.epub", locked_book(), Of::LockedBook),
        (
            "course.mbz",
            zipped(&[("moodle_backup.xml", b"<a/>")]),
            Of::MoodleBackup,
        ),
        ("questions.xml", quiz.as_bytes().to_vec(), Of::MoodleXml),
        ("item.xml", item.as_bytes().to_vec(), Of::Qti),
        (
            "course.zip",
            zipped(&[("imsmanifest.xml", SCORM.as_bytes()), ("index.html", b"<p>a")]),
            Of::Scorm,
        ),
        (
            "questions.zip",
            zipped(&[("imsmanifest.xml", QTI.as_bytes()), ("a.xml", b"<a/>")]),
            Of::Qti,
        ),
        (
            "game.h5p",
            zipped(&[("h5p.json", b"{}"), ("content/content.json", b"{}")]),
            Of::H5p,
        ),
        ("course.zip", locked(), Of::LockedZip),
        ("course.rar", b"Rar!\x1a\x07\x01\0".to_vec(), Of::Rar),
        ("course.zip", b"7z\xbc\xaf\x27\x1c\0\x04".to_vec(), Of::SevenZip),
        ("photo.png", PNG.to_vec(), Of::Image),
        ("song.mp3", b"ID3\x04\0".to_vec(), Of::Media),
        ("work.ipynb", br#"{"cells": [], "nbformat": 4}"#.to_vec(), Of::Notebook),
    ]
}

#[test]
fn files_that_no_reader_takes_are_named_for_what_they_are() {
    for (name, bytes, expected) in samples() {
        let error = import(name, &bytes).err();
        match &error {
            Some(ImportError::Unsupported { path, what }) => {
                assert_eq!(*what, expected, "{name}");
                assert!(path.ends_with(name), "{path}");
            }
            other => panic!("{name}: {other:?}"),
        }
        for lang in [Lang::En, Lang::Ru] {
            let text = error.as_ref().unwrap().text(lang);
            assert!(text.contains(expected.text(lang)), "{text}");
        }
    }
    let known: std::collections::HashSet<Unsupported> = samples().into_iter().map(|(_, _, what)| what).collect();
    assert_eq!(known.len(), Unsupported::ALL.len());
}

#[test]
fn a_moodle_backup_in_a_tarball_is_named() {
    let mut tar = tar::Builder::new(Vec::new());
    let mut header = tar::Header::new_gnu();
    header.set_size(4);
    header.set_mode(0o644);
    tar.append_data(&mut header, "moodle_backup.xml", b"<a/>".as_slice())
        .unwrap();
    let mut zip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    std::io::Write::write_all(&mut zip, &tar.into_inner().unwrap()).unwrap();
    let error = import("course.mbz", &zip.finish().unwrap()).err();
    assert!(
        matches!(
            error,
            Some(ImportError::Unsupported {
                what: Unsupported::MoodleBackup,
                ..
            })
        ),
        "{error:?}"
    );
}

#[test]
fn words_at_the_start_of_a_text_do_not_make_it_a_picture_or_a_sound() {
    for text in ["ID3 tags are read first.", "GIF89a is a format.", "{\"cells\": 1}"] {
        assert!(import("a.md", text.as_bytes()).is_ok(), "{text}");
    }
}

#[test]
fn documents_beside_texts_become_attachments_of_a_page() {
    let pptx = zipped(&[("ppt/presentation.xml", b"<a/>")]);
    let zip = zipped(&[
        ("курс/1 Введение.md", "# Введение\n\nСм. [план](plan.pdf).\n".as_bytes()),
        ("курс/plan.pdf", b"%PDF-1.7 plan"),
        ("курс/Лекция 2/текст.md", "# Текст\n\nСлова.\n".as_bytes()),
        ("курс/Лекция 2/slides.pptx", &pptx),
        ("курс/Лекция 2/внутри/handout.pdf", b"%PDF-1.7 handout"),
        ("курс/Лекция 2/старый.docx", &compound("WordDocument")),
        ("курс/Лекция 3/only.pdf", b"%PDF-1.7 only"),
        ("курс/unused.bin", b"\0"),
    ]);
    let (course, report) = import("курс.zip", &zip).unwrap();
    assert_eq!(
        tree(&course),
        [
            "курс / Введение / Введение",
            "Лекция 2 / Текст / Текст",
            "Лекция 2 / Файлы / Файлы",
            "Лекция 3 / Файлы / Файлы",
        ]
    );
    let names = |page: usize| {
        let content = course.pages().nth(page).unwrap().content.read();
        let blocks = content["content"].as_array().unwrap().clone();
        blocks
            .iter()
            .filter_map(|block| Some(block.pointer("/attrs/filename")?.as_str()?.to_owned()))
            .collect::<Vec<String>>()
    };
    assert_eq!(names(2), ["slides.pptx", "handout.pdf"]);
    assert_eq!(names(3), ["only.pdf"]);
    assert_eq!(course.files.len(), 4);
    let said = lines(&report).join("\n");
    for line in [
        "changed Лекция 2/slides.pptx: file Лекция 2/slides.pptx: its text cannot be imported; it is an attachment of a page",
        "not_carried Лекция 2/старый.docx: entire file: it is a document of Word 97-2003",
        "not_carried unused.bin: file unused.bin: no page uses it",
    ] {
        assert!(said.contains(line), "{line} is not in\n{said}");
    }
    assert!(!said.contains("plan.pdf"), "{said}");
}

#[test]
fn a_file_that_is_too_large_is_told_with_the_limit() {
    let error = import("long.md", &b"word ".repeat(1024 * 1024)).err().unwrap();
    assert!(error.text(Lang::En).contains("the file is larger than 4 MB"), "{error}");
    assert!(
        error.text(Lang::Ru).contains("файл больше 4 МБ"),
        "{}",
        error.text(Lang::Ru)
    );
}

#[test]
fn a_course_without_a_title_is_named_like_its_archive() {
    let manifest = r#"<manifest><organizations/><resources>
      <resource identifier="a" type="webcontent" href="a.html"><file href="a.html"/></resource></resources></manifest>"#;
    let zip = zipped(&[
        ("imsmanifest.xml", manifest.as_bytes()),
        ("a.html", b"<title>A</title><p>words"),
    ]);
    let (course, _) = import("История.imscc", &zip).unwrap();
    assert_eq!(course.title, "История");
}
