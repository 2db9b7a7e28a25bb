//! The choice of what the headings of a document begin.

use kurso_formats::{CourseDraft, Headings, Options, content, read_with, unwatched};
use tempfile::TempDir;

use super::docx::docx;
use super::tree;

fn import(headings: Option<&str>) -> CourseDraft {
    let heading = |level: usize, text: &str| {
        format!(
            "<w:p><w:pPr><w:outlineLvl w:val=\"{}\"/></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>",
            level - 1
        )
    };
    let text = |text: &str| format!("<w:p><w:r><w:t>{text}</w:t></w:r></w:p>");
    let link = "<w:p><w:hyperlink w:anchor=\"place\"><w:r><w:t>to the page</w:t></w:r></w:hyperlink></w:p>";
    let place = "<w:p><w:bookmarkStart w:name=\"place\"/><w:r><w:t>place</w:t></w:r></w:p>";
    let body = [
        text("preface"),
        link.to_owned(),
        heading(1, "Part I"),
        heading(2, "Chapter 1"),
        heading(3, "Section 1.1"),
        text("one"),
        heading(3, "Section 1.2"),
        text("two"),
        heading(4, "Detail"),
        place.to_owned(),
        heading(2, "Chapter 2"),
        text("three"),
        heading(1, "Part II"),
        text("four"),
    ]
    .concat();
    let dir = TempDir::new().unwrap();
    let path = dir.path().join("Book.docx");
    std::fs::write(&path, docx(&body, &[])).unwrap();
    let options = Options {
        headings: headings.map(|text| Headings::parse(text).unwrap()),
        ..Options::default()
    };
    let (course, report) = read_with(&path, &options, dir.path(), &mut unwatched).unwrap();
    for page in course.pages() {
        assert_eq!(content::validate(&page.content.read()), Ok(()), "{}", page.content);
    }
    assert!(
        report.entries.iter().all(|entry| entry.note.key() == "document_split"),
        "{:?}",
        report.entries
    );
    course
}

#[test]
fn levels_become_modules_lessons_and_pages() {
    let course = import(Some("module,lesson,page"));
    assert_eq!(
        tree(&course),
        [
            "Book / Book / Book",
            "Part I / Chapter 1 / Section 1.1",
            "Part I / Chapter 1 / Section 1.2",
            "Part I / Chapter 2 / Chapter 2",
            "Part II / Part II / Part II",
        ]
    );
    let pages: Vec<_> = course.pages().collect();
    let texts: Vec<String> = pages.iter().map(|page| content::text(&page.content.read())).collect();
    assert_eq!(
        texts,
        ["preface\nto the page", "one", "two\nDetail\nplace", "three", "four"]
    );
    let link = format!("page:{}", pages[2].id);
    assert!(pages[0].content.as_str().contains(&link), "{}", pages[0].content);
}

#[test]
fn other_levels_stay_headings() {
    assert_eq!(
        tree(&import(Some("lesson"))),
        [
            "Book / Book / Book",
            "Book / Part I / Part I",
            "Book / Part II / Part II"
        ]
    );
    let course = import(Some("none,page"));
    assert_eq!(
        tree(&course),
        [
            "Book / Book / Part I",
            "Book / Book / Chapter 1",
            "Book / Book / Chapter 2"
        ]
    );
    let last = course.pages().last().unwrap().content.read();
    assert_eq!(content::text(&last), "three\nPart II\nfour");
}

#[test]
fn without_a_choice_headings_of_level_1_begin_pages() {
    assert_eq!(
        tree(&import(None)),
        ["Book / Book / Book", "Book / Book / Part I", "Book / Book / Part II"]
    );
}
