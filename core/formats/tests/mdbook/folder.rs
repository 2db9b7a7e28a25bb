//! The book as a whole: folder, summary, pages.

use std::fs;
use std::path::Path;

use kurso_base::messages::Lang;
use kurso_formats::content;
use kurso_formats::{ImportError, mdbook, unwatched};
use serde_json::json;
use tempfile::TempDir;

use crate::{Book, lines, paragraph};

#[test]
fn parts_chapters_and_sections_become_modules_lessons_and_pages() {
    let book = Book::new(&[
        (
            "book.toml",
            "[book]\ntitle = \"Хлеб\"\ndescription = \"О хлебе\"\nauthors = [\"Анна\"]\nlanguage = \"ru\"",
        ),
        (
            "src/SUMMARY.md",
            "# Содержание\n\n[Предисловие](pre.md)\n[О себе](me.md)\n\n- [Общее](common.md)\n\n# Основа\n\n- [1. Мука](flour.md)\n    \
             - [Сила](deep/strength.md)\n        - [Ещё глубже](deep/deeper.md)\n\n## Тесто\n\n- [Складывание](fold.md)\n\n---\n\n[Благодарности](thanks.md)\n",
        ),
        ("src/pre.md", "# Предисловие"),
        ("src/me.md", "Без заголовка"),
        ("src/common.md", "# Общее"),
        ("src/flour.md", "# Мука\n\n[вниз](deep/deeper.md), [сюда](#)"),
        ("src/deep/strength.md", "# Сила муки\n\n[вверх](../flour.html)"),
        ("src/deep/deeper.md", "# Ещё глубже"),
        ("src/fold.md", "# Складывание"),
        ("src/thanks.md", "# Благодарности"),
    ]);
    let (course, report) = book.read_well();
    let tree: Vec<_> = course
        .modules
        .iter()
        .map(|module| {
            let lessons = module.lessons.iter().map(|lesson| {
                let pages = lesson
                    .pages
                    .iter()
                    .map(|page| page.title.as_deref().unwrap())
                    .collect::<Vec<_>>();
                format!("{}: {}", lesson.title, pages.join(", "))
            });
            format!("{} > {}", module.title, lessons.collect::<Vec<_>>().join("; "))
        })
        .collect();
    assert_eq!(
        tree,
        [
            "О книге > Предисловие: Предисловие; О себе: О себе",
            "Хлеб > Общее: Общее",
            "Основа > 1. Мука: Мука, Сила муки, Ещё глубже",
            "Тесто > Складывание: Складывание",
            "Дополнения > Благодарности: Благодарности",
        ]
    );
    assert_eq!(
        (course.title.as_str(), course.description.as_deref()),
        ("Хлеб", Some("О хлебе\n\nАвторы: Анна"))
    );
    assert_eq!(
        lines(&report),
        [
            "changed src/SUMMARY.md:10: title \"1. Мука\" in the summary: the page is titled by its heading: \"Мука\"",
            "changed src/SUMMARY.md:11: title \"Сила\" in the summary: the page is titled by its heading: \"Сила муки\"",
        ]
    );
    let ids: Vec<_> = course.pages().map(|page| page.id).collect();
    let links = |page: usize| {
        content::page_links(&course.pages().nth(page).unwrap().content.read())
            .into_iter()
            .collect::<Vec<_>>()
    };
    assert_eq!((links(3), links(4)), (vec![ids[3], ids[5]], vec![ids[3]]));
}

#[test]
fn a_faulty_summary_is_read_as_far_as_possible() {
    let book = Book::new(&[
        (
            "src/SUMMARY.md",
            "# Summary\n\n- [Draft]()\n- [Draft with a page]()\n    - [B](b.md)\n- No link\n    - [C](c.md)\n- [Missing](none.md)\n\
             - [A](a.md)\n- [A again](./a.md)\n- [Out](../../out.md)\n- [Away](https://example.com/a.md)\n\nSome text\n",
        ),
        ("src/a.md", "a"),
        ("src/b.md", "b"),
        ("src/c.md", "c"),
        ("src/d.md", "d"),
    ]);
    fs::write(book.dir.path().join("out.md"), "secret").unwrap();
    let (course, report) = book.read_well();
    let lessons: Vec<_> = course
        .lessons()
        .map(|lesson| (lesson.title.as_str(), lesson.pages.len()))
        .collect();
    assert_eq!(lessons, [("Draft with a page", 1), ("No link", 1), ("A", 1)]);
    let told = lines(&report);
    for line in [
        "not_carried src/SUMMARY.md:3: draft chapter \"Draft\": it has no file",
        "not_carried src/SUMMARY.md:4: draft chapter \"Draft with a page\": it has no file",
        "not_carried src/SUMMARY.md:6: \"No link\" in the summary: chapters are links to files; this is not a link",
        "not_carried src/SUMMARY.md:8: chapter none.md: the file does not exist",
        "not_carried src/SUMMARY.md:10: repeated chapter ./a.md: a file becomes one page, at its first mention",
        "not_carried src/SUMMARY.md:11: chapter ../../out.md: the path leaves the folder",
        "not_carried src/SUMMARY.md:12: chapter https://example.com/a.md: the file does not exist",
        "not_carried src/SUMMARY.md:14: \"Some text\" in the summary: chapters are links to files; this is not a link",
        "not_carried src/d.md: file src/d.md: it is not in the summary",
    ] {
        assert!(told.iter().any(|told| told == line), "{line}\n{told:#?}");
    }
    assert_eq!(told.len(), 9, "{told:#?}");
}

#[test]
fn folders_without_a_book_are_rejected_with_a_reason() {
    let none = TempDir::new().unwrap();
    let error = |path: &Path| mdbook::read(path, &mut unwatched).expect_err("refused");
    assert!(matches!(error(&none.path().join("none")), ImportError::NoFolder(_)));
    assert_eq!(error(none.path()), ImportError::NoSummary("src/SUMMARY.md".into()));
    assert_eq!(
        error(none.path()).text(Lang::Ru),
        "Нет файла src/SUMMARY.md: это не книга mdBook"
    );
    fs::write(none.path().join("file"), "").unwrap();
    assert!(matches!(error(&none.path().join("file")), ImportError::NotAFolder(_)));

    for (files, expected) in [
        (vec![("src/SUMMARY.md", "")], "No page could be read"),
        (
            vec![("src/SUMMARY.md", "just text, ]( and `code")],
            "No page could be read",
        ),
        (vec![("src/SUMMARY.md", "- [A](a.md)")], "No page could be read"),
        (
            vec![("src/SUMMARY.md", "- [A](a.md)"), ("src/a.md", "a\0b")],
            "No page could be read",
        ),
        (
            vec![
                ("book.toml", "[book"),
                ("src/SUMMARY.md", "- [A](a.md)"),
                ("src/a.md", "a"),
            ],
            "book.toml: line 1 is not",
        ),
        (
            vec![("book.toml", "a = 1\nb = "), ("src/SUMMARY.md", ""), ("src/a.md", "a")],
            "book.toml: line 2 is not",
        ),
        (
            vec![("book.toml", "[book]\nsrc = \"../..\"")],
            "/SUMMARY.md: the path leaves the folder",
        ),
        (
            vec![("book.toml", "[book]\nsrc = \"/etc\"")],
            "/etc/SUMMARY.md: the path leaves the folder",
        ),
        (vec![("src/SUMMARY.md/x", "")], "src/SUMMARY.md: it is not a file"),
    ] {
        let text = Book::new(&files).read().expect_err("refused").to_string();
        assert!(text.contains(expected), "{text}");
    }
    let book = Book::of_page("a");
    book.write("src/SUMMARY.md", b"- [A](a.md) \0\xff");
    assert_eq!(
        book.read().expect_err("refused").to_string(),
        "src/SUMMARY.md: it is not text"
    );
    book.write("src/SUMMARY.md", "- [A](a.md)");
    book.write("book.toml", b"\x01\xff");
    assert_eq!(
        book.read().expect_err("refused").to_string(),
        "book.toml: it is not text"
    );
}

#[test]
fn binary_pages_are_skipped_and_links_to_them_become_text() {
    let book = Book::new(&[
        ("src/SUMMARY.md", "- [A](a.md)\n- [B](b.md)"),
        ("src/a.md", "see [b](b.md#x), that is"),
    ]);
    book.write("src/b.md", b"\xd0\xff\xfe\0\x02 binary");
    let (course, report) = book.read_well();
    assert_eq!(course.pages().count(), 1);
    assert_eq!(
        course.pages().next().unwrap().content.read()["content"],
        json!([paragraph("see b, that is")])
    );
    assert_eq!(
        lines(&report),
        ["not_carried src/b.md: chapter src/b.md: it is not text"]
    );
}

#[test]
fn line_ends_and_byte_order_marks_do_not_matter() {
    let book = Book::of_page("");
    book.write("src/SUMMARY.md", "\u{feff}# S\r\n\r\n- [A](a.md)\r\n");
    book.write("src/a.md", "\u{feff}# Title\r\n\r\n```text\r\na\r\nb\r\n```\r\n");
    let (course, _) = book.read_well();
    let page = course.pages().next().unwrap();
    assert_eq!(page.title.as_deref(), Some("Title"));
    assert_eq!(page.content.read()["content"][0]["content"][0]["text"], "a\nb");
}

#[cfg(unix)]
#[test]
fn symbolic_links_do_not_lead_out_of_the_folder() {
    use std::os::unix::fs::symlink;
    let book = Book::new(&[
        (
            "src/SUMMARY.md",
            "- [A](a.md)\n- [Secret](secret.md)\n- [Deep](out/secret.md)\n- [Loop](loop.md)\n- [Inside](inside.md)",
        ),
        (
            "src/a.md",
            "![x](secret.png)\n\n```text\n{{#include out/secret.md}}\n```\n\n[f](out/secret.txt)\n",
        ),
        ("notes/real.md", "inside"),
    ]);
    let out = book.dir.path().join("out");
    fs::create_dir(&out).unwrap();
    for name in ["secret.md", "secret.png", "secret.txt"] {
        fs::write(out.join(name), "TOP SECRET").unwrap();
    }
    let src = book.root().join("src");
    symlink(&out, src.join("out")).unwrap();
    symlink(out.join("secret.md"), src.join("secret.md")).unwrap();
    symlink(out.join("secret.png"), src.join("secret.png")).unwrap();
    symlink(src.join("loop.md"), src.join("loop.md")).unwrap();
    symlink("../notes/real.md", src.join("inside.md")).unwrap();
    let (course, report) = book.read_well();
    assert_eq!(course.pages().count(), 2);
    assert!(course.pages().all(|page| !page.content.to_string().contains("SECRET")) && course.files.is_empty());
    let told = lines(&report);
    assert_eq!(
        told.iter().filter(|line| line.contains("leaves the folder")).count(),
        5,
        "{told:#?}"
    );
    assert!(told.iter().any(|line| line.contains("chapter loop.md")), "{told:#?}");
}

#[cfg(unix)]
#[test]
fn pipes_do_not_block() {
    let book = Book::of_page("![x](pipe.png) {{#include pipe.png}}");
    let made = std::process::Command::new("mkfifo")
        .arg(book.root().join("src/pipe.png"))
        .status()
        .unwrap();
    assert!(made.success());
    let (_, report) = book.read_well();
    assert_eq!(
        lines(&report)
            .iter()
            .filter(|line| line.contains("it is not a file"))
            .count(),
        2
    );
}
