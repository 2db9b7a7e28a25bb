//! Import of Markdown, HTML and DOCX files (docs/import.md), with various encodings and zips.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods
)]

mod docx;
mod hostile;

use std::path::Path;

use kurso_base::messages::Lang;
use kurso_core::both;
use kurso_core::drafts::store::store;
use kurso_db::sql;
use kurso_formats::content;
use kurso_formats::{CourseDraft, PageDraft, Report, read};
use tempfile::TempDir;

pub const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89\0\0\0\rIDATx\x9cc\xf8\xff\xff?\0\x05\xfe\x02\xfe\xa75\x81\x84\0\0\0\0IEND\xaeB`\x82";

pub fn read_at(path: &Path) -> (CourseDraft, Report) {
    let scratch = TempDir::new().unwrap();
    let (course, report) =
        read(path, None, scratch.path(), &mut kurso_formats::unwatched).unwrap_or_else(|error| panic!("{error}"));
    for page in course.pages() {
        assert_eq!(content::validate(&page.content.read()), Ok(()), "{}", page.source);
    }
    (course, report)
}

pub fn lines(report: &Report) -> Vec<String> {
    let all = report.entries.iter();
    all.map(|entry| {
        assert!(!entry.to_line(Lang::Ru).is_empty());
        format!("{} {}", entry.note.outcome().name(), entry.to_line(Lang::En))
    })
    .collect()
}

/// Paths of the form `module / lesson / page`.
pub fn tree(course: &CourseDraft) -> Vec<String> {
    let mut tree = Vec::new();
    for module in &course.modules {
        for lesson in &module.lessons {
            for page in &lesson.pages {
                tree.push(format!(
                    "{} / {} / {}",
                    module.title,
                    lesson.title,
                    page.title.as_deref().unwrap_or("-")
                ));
            }
        }
    }
    tree
}

pub fn page<'c>(course: &'c CourseDraft, title: &str) -> &'c PageDraft {
    let found = course.pages().find(|page| page.title.as_deref() == Some(title));
    found.unwrap_or_else(|| panic!("no page {title}: {:?}", tree(course)))
}

fn write(folder: &Path, files: &[(&str, &[u8])]) {
    for (name, bytes) in files {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
}

/// A zip whose names are exactly these bytes: the library writes UTF-8 names of equal length, which are patched
/// afterwards.
pub fn zipped(path: &Path, entries: &[(&[u8], &[u8])]) {
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Deflated);
    let stand_in = |number: usize, length: usize| format!("{number:0>length$}");
    for (number, (name, bytes)) in entries.iter().enumerate() {
        zip.start_file(stand_in(number, name.len()), options).unwrap();
        std::io::Write::write_all(&mut zip, bytes).unwrap();
    }
    let mut bytes = zip.finish().unwrap().into_inner();
    for (number, (name, _)) in entries.iter().enumerate() {
        let from = stand_in(number, name.len()).into_bytes();
        let mut at = 0;
        // The name is in the file header and in the directory.
        while let Some(found) = bytes[at..].windows(from.len()).position(|part| part == from) {
            let place = at + found;
            let header = |back: usize, mark: &[u8]| place >= back && bytes[place - back..].starts_with(mark);
            if header(30, b"PK\x03\x04") || header(46, b"PK\x01\x02") {
                bytes[place..place + name.len()].copy_from_slice(name);
            }
            at = place + from.len();
        }
    }
    std::fs::write(path, bytes).unwrap();
}

#[test]
fn markdown_files_become_courses() {
    let dir = TempDir::new().unwrap();
    let text = "---\ntitle: Алгебра\nauthor: Анна\n---\n\nВступление, см. [дальше](#второе)\n\n# Первая глава\n\nТекст $x^2$ ![кот](cat.png)\n\n\
                # Вторая глава\n\n## Второе\n\nСноска[^1].\n\n[^1]: Слова.\n\n```rust\nfn main() {}\n```\n";
    write(
        dir.path(),
        &[("алгебра.md", text.as_bytes()), ("cat.png", PNG), ("other.md", b"no")],
    );
    let (course, report) = read_at(&dir.path().join("алгебра.md"));
    assert_eq!(course.title, "Алгебра");
    assert_eq!(
        tree(&course),
        [
            "Алгебра / Алгебра / Алгебра",
            "Алгебра / Алгебра / Первая глава",
            "Алгебра / Алгебра / Вторая глава",
        ]
    );
    let first = page(&course, "Алгебра").content.to_string();
    let second = page(&course, "Вторая глава");
    assert!(first.contains(&format!("page:{}#второе", second.id)), "{first}");
    assert!(
        page(&course, "Первая глава")
            .content
            .to_string()
            .contains("\"latex\":\"x^2\"")
    );
    assert_eq!(course.files.len(), 1);
    let said = lines(&report).join("\n");
    for line in ["front matter settings: author", "split into 3 pages", "footnotes: 1"] {
        assert!(said.contains(line), "{line} is not in\n{said}");
    }
}

#[test]
fn long_texts_split_at_level_2_headings() {
    let dir = TempDir::new().unwrap();
    let long = format!(
        "# Книга\n\n## Первая\n\n{0}\n\n## Вторая\n\n{0}\n",
        "слово ".repeat(1500)
    );
    write(
        dir.path(),
        &[
            ("a.md", long.as_bytes()),
            ("b.md", b"# A\n\n## B\n\nshort\n\n## C\n\nshort\n"),
        ],
    );
    let (course, _) = read_at(&dir.path().join("a.md"));
    assert_eq!(tree(&course), ["Книга / Книга / Книга", "Книга / Книга / Вторая"]);
    assert!(page(&course, "Книга").content.to_string().contains("Первая"));
    let (course, _) = read_at(&dir.path().join("b.md"));
    assert_eq!(tree(&course), ["A / A / A"]);
}

#[test]
fn html_in_legacy_encodings_is_read() {
    let dir = TempDir::new().unwrap();
    let html = |charset: &str| {
        format!(
            "<html><head><meta http-equiv=\"Content-Type\" content=\"text/html; charset={charset}\"><title>Урок — первый</title>\
             <style>p{{}}</style></head><body><h1>Привет, мир</h1><p>Съешь же ещё <b>этих</b> булок.</p><script>alert(1)</script>\
             <h2>Дальше</h2><p>Конец.</p></body></html>"
        )
    };
    for (encoding, name) in [
        (encoding_rs::WINDOWS_1251, "windows-1251"),
        (encoding_rs::KOI8_R, "KOI8-R"),
    ] {
        for declared in [name, "utf-8"] {
            let text = html(declared);
            let text = text.replace('—', "-");
            let (bytes, _, lost) = encoding.encode(&text);
            assert!(!lost);
            let path = dir.path().join(format!("{name}-{declared}.html"));
            std::fs::write(&path, &bytes).unwrap();
            let (course, report) = read_at(&path);
            assert_eq!(course.title, "Урок - первый");
            let text = content::text(&course.pages().next().unwrap().content.read());
            assert!(
                text.contains("Съешь же ещё этих булок.") && !text.contains("alert"),
                "{text}"
            );
            let said = lines(&report).join("\n");
            assert!(
                said.contains("encoding of the text") && said.contains("script"),
                "{said}"
            );
        }
    }
}

#[test]
fn folders_become_modules_and_lessons_in_natural_order() {
    let dir = TempDir::new().unwrap();
    write(
        dir.path(),
        &[
            (
                "index.md",
                "# Начало\n\n[к лекции](<1. Механика/Лекция 10.md#%D0%B3>) [мимо](../x.md)".as_bytes(),
            ),
            (
                "1. Механика/Лекция 10.md",
                "# Десятая\n\n## Г\n\n![рис](../img/a.png)".as_bytes(),
            ),
            (
                "1. Механика/Лекция 2.html",
                "<p>Вторая <a href='..\\index.md'>назад</a></p>".as_bytes(),
            ),
            ("1. Механика/Задачи/b.md", "b".as_bytes()),
            ("1. Механика/Задачи/глубже/a.md", "a".as_bytes()),
            ("2. Оптика/Свет.md", "Свет".as_bytes()),
            ("img/a.png", PNG),
            ("img/unused.png", PNG),
            ("notes.xyz", b"?"),
            ("__MACOSX/._index.md", b"\0\0"),
            (".git/config", b"secret"),
        ],
    );
    let (course, report) = read_at(dir.path());
    let rest: Vec<String> = tree(&course)
        .iter()
        .map(|line| line.split_once(" / ").unwrap().1.to_owned())
        .collect();
    assert_eq!(
        rest,
        [
            "Начало / Начало",
            "Лекция 2 / Лекция 2",
            "Десятая / Десятая",
            "Задачи / b",
            "Задачи / a",
            "Свет / Свет",
        ]
    );
    assert_eq!(
        course
            .modules
            .iter()
            .map(|module| module.title.as_str())
            .skip(1)
            .collect::<Vec<_>>(),
        ["Механика", "Оптика"]
    );
    let start = page(&course, "Начало");
    assert!(
        start
            .content
            .to_string()
            .contains(&format!("page:{}#г", page(&course, "Десятая").id)),
        "{}",
        start.content
    );
    assert!(
        page(&course, "Лекция 2")
            .content
            .to_string()
            .contains(&format!("page:{}", start.id))
    );
    let said = lines(&report).join("\n");
    assert!(
        said.contains("link ../x.md: the path leaves") && said.contains("notes.xyz: file notes.xyz"),
        "{said}"
    );
    assert!(!said.contains(".git") && !said.contains("MACOSX"), "{said}");
}

#[test]
fn zip_names_in_legacy_encodings_are_read() {
    let dir = TempDir::new().unwrap();
    let path = dir.path().join("a.zip");
    for (encoding, name) in [
        (encoding_rs::IBM866, "IBM866"),
        (encoding_rs::WINDOWS_1251, "windows-1251"),
    ] {
        let in_it = |text: &str| encoding.encode(text).0.into_owned();
        let (module, picture) = (in_it("Физика/Урок первый.md"), in_it("Физика/схема.png"));
        let text = "![x](схема.png) слова".as_bytes();
        zipped(
            &path,
            &[(&module, text), (&picture, PNG), (b"\xff/../../evil.md", b"no")],
        );
        let (course, report) = read_at(&path);
        assert_eq!(course.pages().next().unwrap().title.as_deref(), Some("Урок первый"));
        assert_eq!(course.files[0].filename, "схема.png");
        let said = lines(&report).join("\n");
        assert!(
            said.contains(&format!("Физика/схема.png: name of the file: decoded from {name}")),
            "{said}"
        );
        assert!(said.contains("the path leaves"), "{said}");
    }
}

both! {
    async fn folder_import_is_stored(kurso: TestKurso) {
        let dir = TempDir::new().unwrap();
        write(dir.path(), &[("a.md", "# А\n\n![кот](cat.png) [б](b.html)".as_bytes()), ("b.html", "<p>Б".as_bytes()), ("cat.png", PNG)]);
        std::fs::write(dir.path().join("c.docx"), docx::whole()).unwrap();
        let scratch = TempDir::new().unwrap();
        let (course, mut report) = read(dir.path(), None, scratch.path(), &mut kurso_formats::unwatched).unwrap();
        let (pages, files) = (course.pages().count() as i64, course.files.len() as i64);
        let owner = kurso.person("owner").await;
        store(&kurso, owner.id(), course, &mut report).await.unwrap();
        let count = |text: &'static str| {
            let kurso = &kurso;
            async move { sql!(text).fetch_one::<(i64,)>(&kurso.db).await.unwrap().0 }
        };
        assert_eq!(count("SELECT COUNT(*) FROM pages WHERE published").await, pages);
        assert_eq!(count("SELECT COUNT(*) FROM files").await, files);
        let links = sql!("SELECT content FROM page_contents").fetch_all::<(String,)>(&kurso.db).await.unwrap();
        assert!(links.iter().all(|(content,)| !content.contains("page:00000000")));
    }
}
