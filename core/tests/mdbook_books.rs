//! Small books made for one purpose each: every rule of the reader, and everything that may be wrong with a book.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use kurso_core::content::{self, Lang};
use kurso_core::exchange::{CourseDraft, ImportError, Report, mdbook};
use serde_json::{Value, json};
use tempfile::TempDir;

struct Book {
    dir: TempDir,
}

impl Book {
    /// A book in English of one page, `src/a.md`.
    fn of_page(text: &str) -> Self {
        Self::new(&[("src/SUMMARY.md", "- [A](a.md)"), ("src/a.md", text)])
    }

    fn new(files: &[(&str, &str)]) -> Self {
        let book = Self { dir: TempDir::new().unwrap() };
        for (path, text) in files {
            book.write(path, text);
        }
        book
    }

    fn write(&self, path: &str, bytes: impl AsRef<[u8]>) {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    fn root(&self) -> std::path::PathBuf {
        self.dir.path().join("book")
    }

    fn read(&self) -> Result<(CourseDraft, Report), ImportError> {
        let result = mdbook::read(&self.root(), &mut |_| {});
        if let Ok((course, _)) = &result {
            for page in course.pages() {
                assert_eq!(content::validate(&page.content), Ok(()), "{}: {}", page.source, page.content);
            }
        }
        result
    }

    fn read_well(&self) -> (CourseDraft, Report) {
        self.read().unwrap_or_else(|error| panic!("{error}"))
    }
}

/// The blocks of the one page of such a book, and the lines of the report.
fn blocks(text: &str) -> (Value, Vec<String>) {
    let (course, report) = Book::of_page(text).read_well();
    (course.pages().next().unwrap().content["content"].clone(), lines(&report))
}

fn lines(report: &Report) -> Vec<String> {
    report
        .entries
        .iter()
        .map(|entry| {
            assert!(!entry.to_line(Lang::Ru).is_empty());
            format!("{} {}", entry.note.outcome().name(), entry.to_line(Lang::En))
        })
        .collect()
}

fn paragraph(text: &str) -> Value {
    json!({ "type": "paragraph", "content": [{ "type": "text", "text": text }] })
}

// The book as a whole

#[test]
fn parts_and_headings_are_modules_chapters_lessons_and_sections_pages() {
    let book = Book::new(&[
        ("book.toml", "[book]\ntitle = \"Хлеб\"\ndescription = \"О хлебе\"\nauthors = [\"Анна\"]\nlanguage = \"ru\""),
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
                let pages = lesson.pages.iter().map(|page| page.title.as_deref().unwrap()).collect::<Vec<_>>();
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
    assert_eq!((course.title.as_str(), course.description.as_deref()), ("Хлеб", Some("О хлебе\n\nАвторы: Анна")));
    assert_eq!(
        lines(&report),
        [
            "changed src/SUMMARY.md:10: title \"1. Мука\" in the summary: the page's own heading is its title: \"Мука\"",
            "changed src/SUMMARY.md:11: title \"Сила\" in the summary: the page's own heading is its title: \"Сила муки\"",
        ]
    );
    let ids: Vec<_> = course.pages().map(|page| page.id).collect();
    let links = |page: usize| content::page_links(&course.pages().nth(page).unwrap().content).into_iter().collect::<Vec<_>>();
    assert_eq!((links(3), links(4)), (vec![ids[3], ids[5]], vec![ids[3]]));
}

#[test]
fn a_summary_with_faults_gives_what_it_can() {
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
    let lessons: Vec<_> = course.lessons().map(|lesson| (lesson.title.as_str(), lesson.pages.len())).collect();
    assert_eq!(lessons, [("Draft with a page", 1), ("No link", 1), ("A", 1)]);
    let told = lines(&report);
    for line in [
        "not_carried src/SUMMARY.md:3: draft chapter \"Draft\": it has no file yet",
        "not_carried src/SUMMARY.md:4: draft chapter \"Draft with a page\": it has no file yet",
        "not_carried src/SUMMARY.md:6: \"No link\" in the summary: a chapter is a link to a file; this is not one",
        "not_carried src/SUMMARY.md:8: chapter none.md: there is no such file",
        "not_carried src/SUMMARY.md:10: second mention of ./a.md: a file becomes one page, where it is named first",
        "not_carried src/SUMMARY.md:11: chapter ../../out.md: the path leads out of the folder",
        "not_carried src/SUMMARY.md:12: chapter https://example.com/a.md: there is no such file",
        "not_carried src/SUMMARY.md:14: \"Some text\" in the summary: a chapter is a link to a file; this is not one",
        "not_carried src/d.md: file src/d.md: the summary does not name it",
    ] {
        assert!(told.iter().any(|told| told == line), "{line}\n{told:#?}");
    }
    assert_eq!(told.len(), 9, "{told:#?}");
}

#[test]
fn a_folder_that_is_no_book_is_refused_with_a_reason() {
    let none = TempDir::new().unwrap();
    let error = |path: &Path| mdbook::read(path, &mut |_| {}).expect_err("refused");
    assert!(matches!(error(&none.path().join("none")), ImportError::NoFolder(_)));
    assert_eq!(error(none.path()), ImportError::NoSummary("src/SUMMARY.md".into()));
    assert_eq!(error(none.path()).text(Lang::Ru), "Нет файла src/SUMMARY.md: это не книга mdBook");
    fs::write(none.path().join("file"), "").unwrap();
    assert!(matches!(error(&none.path().join("file")), ImportError::NotAFolder(_)));

    for (files, expected) in [
        (vec![("src/SUMMARY.md", "")], "Not one page of the book could be read"),
        (vec![("src/SUMMARY.md", "just text, ]( and `code")], "Not one page of the book could be read"),
        (vec![("src/SUMMARY.md", "- [A](a.md)")], "Not one page of the book could be read"),
        (vec![("src/SUMMARY.md", "- [A](a.md)"), ("src/a.md", "a\0b")], "Not one page of the book could be read"),
        (vec![("book.toml", "[book"), ("src/SUMMARY.md", "- [A](a.md)"), ("src/a.md", "a")], "book.toml, line 1: "),
        (vec![("book.toml", "a = 1\nb = "), ("src/SUMMARY.md", ""), ("src/a.md", "a")], "book.toml, line 2: "),
        (vec![("book.toml", "[book]\nsrc = \"../..\"")], "/SUMMARY.md: the path leads out of the folder"),
        (vec![("book.toml", "[book]\nsrc = \"/etc\"")], "/etc/SUMMARY.md: the path leads out of the folder"),
        (vec![("src/SUMMARY.md/x", "")], "src/SUMMARY.md: this is not a file"),
    ] {
        let text = Book::new(&files).read().expect_err("refused").to_string();
        assert!(text.contains(expected), "{text}");
    }
    let book = Book::of_page("a");
    book.write("src/SUMMARY.md", b"- [A](a.md) \xff");
    assert_eq!(book.read().expect_err("refused").to_string(), "src/SUMMARY.md: this is not text in UTF-8");
    book.write("src/SUMMARY.md", "- [A](a.md)");
    book.write("book.toml", b"\xff");
    assert_eq!(book.read().expect_err("refused").to_string(), "book.toml: this is not text in UTF-8");
}

#[test]
fn a_page_that_is_no_text_is_left_out_and_links_to_it_keep_their_words() {
    let book = Book::new(&[("src/SUMMARY.md", "- [A](a.md)\n- [B](b.md)"), ("src/a.md", "see [b](b.md#x), that is")]);
    book.write("src/b.md", b"\xd0\xff\xfe binary");
    let (course, report) = book.read_well();
    assert_eq!(course.pages().count(), 1);
    assert_eq!(course.pages().next().unwrap().content["content"], json!([paragraph("see b, that is")]));
    assert_eq!(lines(&report), ["not_carried src/b.md: chapter src/b.md: this is not text in UTF-8"]);
}

#[test]
fn line_ends_and_byte_order_marks_do_not_matter() {
    let book = Book::of_page("");
    book.write("src/SUMMARY.md", "\u{feff}# S\r\n\r\n- [A](a.md)\r\n");
    book.write("src/a.md", "\u{feff}# Title\r\n\r\n```text\r\na\r\nb\r\n```\r\n");
    let (course, _) = book.read_well();
    let page = course.pages().next().unwrap();
    assert_eq!(page.title.as_deref(), Some("Title"));
    assert_eq!(page.content["content"][0]["content"][0]["text"], "a\nb");
}

#[cfg(unix)]
#[test]
fn symbolic_links_do_not_lead_out_of_the_folder() {
    use std::os::unix::fs::symlink;
    let book = Book::new(&[
        ("src/SUMMARY.md", "- [A](a.md)\n- [Secret](secret.md)\n- [Deep](out/secret.md)\n- [Loop](loop.md)\n- [Inside](inside.md)"),
        ("src/a.md", "![x](secret.png)\n\n```text\n{{#include out/secret.md}}\n```\n\n[f](out/secret.txt)\n"),
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
    assert_eq!(told.iter().filter(|line| line.contains("leads out of the folder")).count(), 5, "{told:#?}");
    assert!(told.iter().any(|line| line.contains("chapter loop.md")), "{told:#?}");
}

#[cfg(unix)]
#[test]
fn pipes_are_not_waited_for() {
    let book = Book::of_page("![x](pipe.png) {{#include pipe.png}}");
    let made = std::process::Command::new("mkfifo").arg(book.root().join("src/pipe.png")).status().unwrap();
    assert!(made.success());
    let (_, report) = book.read_well();
    assert_eq!(lines(&report).iter().filter(|line| line.contains("this is not a file")).count(), 2);
}

// Includes

#[test]
fn includes_bring_files_anchors_and_lines() {
    let source = "use std::io;\n// ANCHOR: all\n// ANCHOR: here\nfn main() {\n    # hidden\n    x();\n}\n// ANCHOR_END: here\nend();\n";
    for (directive, expected) in [
        ("{{#include ../code/a.rs}}", "use std::io;\nfn main() {\n    x();\n}\nend();"),
        ("{{#include ../code/a.rs:here}}", "fn main() {\n    x();\n}"),
        ("{{#rustdoc_include ../code/a.rs:here}}", "fn main() {\n    x();\n}"),
        ("{{#include ../code/a.rs:all}}", "fn main() {\n    x();\n}\nend();"),
        ("{{#include ../code/a.rs:1}}", "use std::io;"),
        ("{{#include ../code/a.rs:9:}}", "end();"),
        ("{{#include ../code/a.rs::2}}", "use std::io;"),
        ("{{#rustdoc_include ../code/a.rs:4:6}}", "fn main() {\n    x();"),
        ("{{ #include  ../code/a.rs:here }}", "fn main() {\n    x();\n}"),
        ("a(); // \\{{#include x}}", "a(); // {{#include x}}"),
    ] {
        let book = Book::of_page(&format!("```rust\n{directive}\n```\n"));
        book.write("code/a.rs", source);
        let (course, report) = book.read_well();
        assert_eq!(course.pages().next().unwrap().content["content"][0]["content"][0]["text"], expected, "{directive}");
        assert_eq!(lines(&report), [""; 0], "{directive}");
    }
    let book = Book::of_page("{{#playground a.rs editable}}\n\n{{#include part.md}}\n");
    book.write("src/a.rs", "fn main() {}\n// ```\n");
    book.write("src/part.md", "**bold** {{#include deep/more.md}}");
    book.write("src/deep/more.md", "and more");
    let (course, report) = book.read_well();
    let content = &course.pages().next().unwrap().content["content"];
    assert_eq!(content[0]["content"][0]["text"], "fn main() {}\n// ```");
    assert_eq!(content[1]["content"][1]["text"], " and more");
    assert_eq!((report.counts.includes, lines(&report).len()), (3, 1));
}

#[test]
fn includes_that_fail_stay_as_text_and_say_why() {
    let book = Book::of_page(
        "one\n\n{{#include none.rs}}\n\n{{#include a.rs:none}}\n\n{{#include a.rs:99}}\n\n{{#include ../../out.rs}}\n\n\
         {{#include /etc/passwd}}\n\n{{#include binary}}\n\n{{#include .}}\n\n{{#quiz x.toml}}\n",
    );
    book.write("src/a.rs", "a\n");
    book.write("src/binary", [0xff, 0]);
    fs::write(book.dir.path().join("out.rs"), "secret").unwrap();
    let (course, report) = book.read_well();
    assert!(!course.pages().next().unwrap().content.to_string().contains("secret"));
    let told = lines(&report);
    let expected = [
        ("3", "{{#include none.rs}}: there is no such file"),
        ("5", "{{#include a.rs:none}}: the file has no such anchor"),
        ("7", "{{#include a.rs:99}}: the file has no such anchor or no such lines"),
        ("9", "{{#include ../../out.rs}}: the path leads out of the folder"),
        ("11", "{{#include /etc/passwd}}: the path leads out of the folder"),
        ("13", "{{#include binary}}: this is not text in UTF-8"),
        ("15", "{{#include .}}: this is not a file"),
        ("17", "{{#quiz x.toml}}: unknown directive"),
    ];
    assert_eq!(told.len(), expected.len(), "{told:#?}");
    for ((line, text), told) in expected.iter().zip(&told) {
        assert!(told.contains(&format!("src/a.md:{line}: {text}")), "{told}");
    }
}

#[test]
fn loops_of_includes_end() {
    let book = Book::of_page("{{#include b.md}}\n");
    book.write("src/b.md", "b {{#include c.md}}");
    book.write("src/c.md", "c {{#include b.md}} {{#include c.md}} {{#include a.md}}");
    let (_, report) = book.read_well();
    let told = lines(&report);
    assert!(told.iter().any(|line| line.contains("src/c.md:1: {{#include b.md}}: the file includes itself")), "{told:#?}");
    assert!(told.iter().all(|line| line.contains("includes itself")), "{told:#?}");
    // A file may take a part of itself.
    let book = Book::of_page("{{#include b.md:x}}\n");
    book.write("src/b.md", "ANCHOR: x\n{{#include b.md:y}}\nANCHOR_END: x\nANCHOR: y\ninner\nANCHOR_END: y\n");
    let (course, report) = book.read_well();
    assert_eq!((content::text(&course.pages().next().unwrap().content).as_str(), lines(&report).len()), ("inner", 0));
}

#[test]
fn includes_cannot_multiply_without_end() {
    let book = Book::of_page("{{#include 0.md}}\n");
    for level in 0..30 {
        book.write(&format!("src/{level}.md"), format!("{{{{#include {0}.md}}}} {{{{#include {0}.md}}}}\n", level + 1));
    }
    let big = Book::of_page(&"{{#include big.txt}}\n".repeat(1000));
    big.write("src/big.txt", "word ".repeat(100_000));
    let slow = Book::of_page(&"{{#include big.txt:1}}\n".repeat(100_000));
    slow.write("src/big.txt", "a\n".repeat(2_000_000));
    for book in [book, big, slow] {
        let start = Instant::now();
        let (_, report) = book.read_well();
        assert!(lines(&report).iter().any(|line| line.contains("too large or nested too deep")));
        assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
    }
}

// Markdown and HTML

#[test]
fn marks_lists_and_quotes_come_over() {
    let (content, told) = blocks(
        "**bold _both_** ~~gone~~ `code` <u>u</u> <kbd>Ctrl</kbd> x<sup>2</sup><sub>i</sub> <mark>m</mark> line  \nbreak\n\n\
         1. one\n2. two\n\n7. seven\n\n- [x] done\n- [ ] open\n\n> quote\n>\n> ```rust,ignore,does_not_compile\n> let x;\n> ```\n\n> [!WARNING]\n> care\n\n---\n",
    );
    let text = |text: &str, marks: &[&str]| {
        let marks: Vec<_> = marks.iter().map(|mark| json!({ "type": mark })).collect();
        json!({ "type": "text", "text": text, "marks": marks })
    };
    let plain = |text: &str| json!({ "type": "text", "text": text });
    assert_eq!(
        content[0]["content"],
        json!([
            text("bold ", &["bold"]), text("both", &["bold", "italic"]), plain(" "), text("gone", &["strike"]), plain(" "),
            text("code", &["code"]), plain(" "), text("u", &["underline"]), plain(" "), text("Ctrl", &["code"]), plain(" x"),
            text("2", &["superscript"]), text("i", &["subscript"]), plain(" "), text("m", &["highlight"]), plain(" line"),
            { "type": "hardBreak" }, plain("break"),
        ])
    );
    assert_eq!(content[1]["type"], "orderedList");
    assert_eq!(content[1]["content"].as_array().unwrap().len(), 3);
    assert_eq!(content[2]["content"][0], json!({ "type": "taskItem", "attrs": { "checked": true }, "content": [paragraph("done")] }));
    assert_eq!(content[3]["content"][1]["attrs"], json!({ "language": "rust", "caption": "This code does not compile!" }));
    assert_eq!(content[4], json!({ "type": "callout", "attrs": { "kind": "warning" }, "content": [paragraph("care")] }));
    assert_eq!(content[5], json!({ "type": "horizontalRule" }));
    assert_eq!(told, ["not_carried src: flags of code blocks (1): ignore (1): they tell mdBook how to run and test code; the code itself is unchanged"]);
}

#[test]
fn tables_keep_alignment_and_need_no_outer_bars() {
    let (content, told) = blocks("a | b | c\n:-- | :-: | --:\n1 | `x \\| y` |\n\n<table><tr><th colspan=2>h</th></tr><tr><td>1<td style='text-align: right'><p>2</p><ul><li>3</ul></table>\n");
    let rows = content[0]["content"].as_array().unwrap();
    assert_eq!(rows[0]["content"][1], json!({ "type": "tableHeader", "attrs": { "align": "center" }, "content": [paragraph("b")] }));
    assert_eq!(rows[1]["content"][1]["content"][0]["content"][0]["text"], "x | y");
    assert_eq!(rows[1]["content"][2], json!({ "type": "tableCell", "attrs": { "align": "right" }, "content": [{ "type": "paragraph" }] }));
    let rows = content[1]["content"].as_array().unwrap();
    assert_eq!(rows[0]["content"][0]["attrs"], json!({ "colspan": 2 }));
    assert_eq!(rows[1]["content"][1]["attrs"], json!({ "align": "right" }));
    assert_eq!(rows[1]["content"][1]["content"][1]["type"], "bulletList");
    assert_eq!(told, [""; 0]);
}

#[test]
fn html_becomes_nodes_or_keeps_its_words() {
    let (content, told) = blocks(
        "<details open>\n<summary>More <b>here</b></summary>\n\nText with `code`\n\n- item\n\n</details>\n\n\
         <div class=\"warning\">\n\nCare\n\n</div>\n\n<span class=\"filename\">a.rs</span>\n\n\
         <iframe src=\"https://www.youtube.com/embed/abc\" title=\"T\"></iframe>\n\n<iframe src=\"https://example.com\"></iframe>\n\n\
         <!-- comment -->\n\n<script>alert(1)</script>\n\n<custom-box>kept</custom-box> <blink>too</blink> Vec<T>\n",
    );
    assert_eq!(
        content[0],
        json!({ "type": "details", "attrs": { "open": true }, "content": [
            { "type": "detailsSummary", "content": [{ "type": "text", "text": "More " }, { "type": "text", "text": "here", "marks": [{ "type": "bold" }] }] },
            { "type": "detailsContent", "content": [
                { "type": "paragraph", "content": [{ "type": "text", "text": "Text with " }, { "type": "text", "text": "code", "marks": [{ "type": "code" }] }] },
                { "type": "bulletList", "content": [{ "type": "listItem", "content": [paragraph("item")] }] },
            ] },
        ] })
    );
    assert_eq!(content[1], json!({ "type": "callout", "attrs": { "kind": "warning" }, "content": [paragraph("Care")] }));
    assert_eq!(content[2]["content"][0]["marks"][0]["type"], "bold");
    assert_eq!(content[3], json!({ "type": "embed", "attrs": { "provider": "youtube", "id": "abc", "caption": "T" } }));
    assert_eq!(content[4], paragraph("kept too Vec<T>"));
    assert_eq!(
        told,
        [
            "not_carried src/a.md:20: tag <iframe src=\"https://example.com\"> and what is in it: a page has nothing like it",
            "not_carried src/a.md:24: tag <script> and what is in it: a page has nothing like it",
            "changed src/a.md:26: tag <custom-box>: a page has nothing like it; its text is kept",
            "changed src/a.md:26: tag <blink>: a page has nothing like it; its text is kept",
        ]
    );
}

#[test]
fn an_unclosed_tag_or_comment_does_not_swallow_the_page() {
    for text in ["- <!-- open\n\nrest\n", "a <title> b\n\nrest\n", "<script>\n\nrest\n", "<textarea>\n\nrest", "<plaintext>\n\nrest\n", "> <style>\n\nrest\n"] {
        let (content, _) = blocks(text);
        assert!(content::text(&json!({ "type": "doc", "content": content })).contains("rest"), "{text}: {content}");
    }
}

#[test]
fn the_first_heading_is_the_title_and_the_rest_an_outline() {
    let titles = |text: &str| {
        let (course, _) = Book::of_page(text).read_well();
        let page = course.pages().next().unwrap();
        let headings = page.content["content"].as_array().unwrap().iter().filter(|block| block["type"] == "heading");
        let headings: Vec<_> = headings.map(|block| format!("{}{}", block["attrs"]["level"], content::heading_text(block))).collect();
        format!("{}: {}", page.title.as_deref().unwrap(), headings.join(" "))
    };
    assert_eq!(titles("# T `code`\n\n## a\n### b\n###### c\n# d\n## e"), "T code: 2a 3b 4c 2d 3e");
    assert_eq!(titles("## T\n\n### a\n#### b\n## c"), "T: 2a 3b 2c");
    assert_eq!(titles("text\n\n# T\n\ntext"), "T: ");
    assert_eq!(titles("text\n\n## a\n\n# b"), "A: 2a 2b");
    assert_eq!(titles("<h1 align=center>T</h1>\n\ntext"), "T: ");
    assert_eq!(titles(""), "A: ");
}

#[test]
fn links_find_headings_and_what_is_nowhere_is_told() {
    let book = Book::new(&[
        ("src/SUMMARY.md", "- [A](a.md)\n- [B](b.md)"),
        (
            "src/a.md",
            "# A\n\n[1](b.md#custom) [2](b.html#Second) [3](b.md#old-name) [4](b.md#b) [5](b.md#none) [6](#part) [7](c.md) [8](none.md)\n\
             [9](../std/x.html) [10](javascript:alert) [11](page:01890000-0000-7000-8000-000000000001) [12](data.csv) [13](b.md#inline)\n\n## Part\n",
        ),
        ("src/b.md", "# B\n\n## First {#custom}\n\n<a id=\"old-name\"></a>\n\n## Second\n\n## Third <a name=\"inline\"></a>\n"),
        ("src/c.md", "c"),
        ("src/data.csv", "a,b"),
    ]);
    let (course, report) = book.read_well();
    let (a, b) = (course.pages().next().unwrap(), course.pages().nth(1).unwrap());
    let texts = a.content["content"][0]["content"].as_array().unwrap();
    let href = |number: &str| {
        let text = texts.iter().find(|text| text["text"] == number);
        text.and_then(|text| text["marks"][0]["attrs"]["href"].as_str()).unwrap_or("").to_owned()
    };
    let id = b.id;
    assert_eq!(href("1"), format!("page:{id}#first"));
    assert_eq!(href("2"), format!("page:{id}#second"));
    assert_eq!(href("3"), format!("page:{id}#second"));
    assert_eq!(href("4"), format!("page:{id}"));
    assert_eq!(href("5"), format!("page:{id}"));
    assert_eq!(href("6"), "#part");
    assert_eq!(href("13"), format!("page:{id}#third"));
    assert_eq!(href("12"), course.files[0].address());
    assert_eq!((course.files.len(), course.files[0].content_type), (1, "text/plain"));
    assert_eq!(
        lines(&report),
        [
            "not_carried src/a.md:3: link c.md: the summary does not name this file, so it is no page; the words are kept",
            "not_carried src/a.md:3: link none.md: there is no such file; the words are kept",
            "changed src/a.md:3: link b.md#none: there is no such heading; the link leads to the beginning of the page",
            "not_carried src/a.md:4: link ../std/x.html: it leads out of the book; its words are kept",
            "not_carried src/a.md:4: link javascript:alert: only http, https and mailto addresses and links in the book are possible; the words are kept",
            "not_carried src/a.md:4: link page:01890000-0000-7000-8000-000000000001: only http, https and mailto addresses and links in the book are possible; the words are kept",
            "not_carried src/c.md: file src/c.md: the summary does not name it",
        ]
    );
}

#[test]
fn images_are_files_of_the_folder() {
    let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x20\0\0\0\x10\x08\x06\0\0\0";
    let book = Book::new(&[
        ("book.toml", "[output.html]\ngit-repository-url = \"https://github.com/me/book\""),
        ("src/SUMMARY.md", "- [A](a.md)"),
        (
            "src/a.md",
            "![alt *text*](img/a.png \"Caption\")\n\nbefore ![two](img/copy.png) after\n\n<img src=\"img/a.png\" width=\"64\">\n\
             <span class=\"caption\">Figure <code>1</code></span>\n\n[![l](img/a.png)](https://example.com)\n\n![no](img/none.png)\n\n\
             ![r](https://example.com/a.png)\n\n![mine](https://github.com/me/book/blob/main/src/img/a.png?raw=true)\n\n\
             ![theirs](https://github.com/you/book/blob/main/src/img/a.png)\n\n![text](a.md) ![t](img/text.png) ![d](data:image/png;base64,AA==)\n",
        ),
        ("src/img/text.png", "not an image"),
    ]);
    book.write("src/img/a.png", png);
    book.write("src/img/copy.png", png);
    let (course, report) = book.read_well();
    let content = &course.pages().next().unwrap().content["content"];
    let src = course.files[0].address();
    assert_eq!((course.files.len(), course.files[0].width, course.files[0].height), (1, Some(32), Some(16)));
    let size = |mut attrs: Value| {
        attrs["src"] = json!(src);
        attrs["naturalWidth"] = json!(32);
        attrs["naturalHeight"] = json!(16);
        json!({ "type": "image", "attrs": attrs })
    };
    assert_eq!(content[0], size(json!({ "alt": "alt text", "caption": "Caption" })));
    assert_eq!((&content[1], &content[3]), (&paragraph("before"), &paragraph("after")));
    assert_eq!(content[4], size(json!({ "alt": "", "width": 64, "caption": "Figure 1" })));
    assert_eq!(content[5], size(json!({ "alt": "l" })));
    assert_eq!((&content[6], &content[7]), (&paragraph("no"), &paragraph("r")));
    assert_eq!(content[8], size(json!({ "alt": "mine" })));
    let told: Vec<_> = lines(&report);
    for line in [
        "changed src/a.md:5: formatting in the caption",
        "not_carried src/a.md:8: link https://example.com around an image",
        "not_carried src/a.md:10: image img/none.png: there is no such file",
        "not_carried src/a.md:12: image https://example.com/a.png: nothing is fetched",
        "carried src/a.md:14: image https://github.com/me/book/blob/main/src/img/a.png?raw=true: taken from the folder",
        "not_carried src/a.md:16: image https://github.com/you/book/blob/main/src/img/a.png: nothing is fetched",
        "not_carried src/a.md:18: image a.md: this is not",
        "not_carried src/a.md:18: image img/text.png: this is not an image",
        "not_carried src/a.md:18: image data:image/png;base64,AA==: this is not a file",
    ] {
        assert!(told.iter().any(|told| told.starts_with(line)), "{line}\n{told:#?}");
    }
    assert_eq!(told.len(), 9, "{told:#?}");
}

#[test]
fn footnotes_become_a_list_at_the_end() {
    let (course, report) = Book::of_page("# T\n\n### h\n\na[^x] b[^1] c[^x]\n\n[^1]: one `1`\n[^x]: two\n\n    more\n\n[^unused]: three\n").read_well();
    let content = &course.pages().next().unwrap().content["content"];
    assert_eq!(content[1]["content"][1]["marks"], json!([{ "type": "superscript" }, { "type": "link", "attrs": { "href": "#notes" } }]));
    assert_eq!(content[2], json!({ "type": "heading", "attrs": { "level": 2 }, "content": [{ "type": "text", "text": "Notes" }] }));
    assert_eq!(content[3]["content"][0]["content"], json!([paragraph("two"), paragraph("more")]));
    assert_eq!(content[3]["content"][2]["content"], json!([paragraph("three")]));
    let told = lines(&report);
    assert!(told[0].starts_with("changed src/a.md: footnotes: 3:"), "{told:?}");
}

#[test]
fn mathematics_is_read_where_the_book_says_so() {
    let text = "a \\\\(x_1\\\\) b\n\n\\\\[\ny\n\\\\]\n\n`\\\\(code\\\\)`\n";
    let book = Book::of_page(text);
    book.write("book.toml", "[output.html]\nmathjax-support = true");
    let (course, _) = book.read_well();
    let content = &course.pages().next().unwrap().content["content"];
    assert_eq!(content[0]["content"][1], json!({ "type": "inlineMath", "attrs": { "latex": "x_1" } }));
    assert_eq!(content[1], json!({ "type": "blockMath", "attrs": { "latex": "y" } }));
    assert_eq!(content[2]["content"][0]["marks"][0]["type"], "code");
    assert!(!Book::of_page(text).read_well().0.pages().next().unwrap().content.to_string().contains("Math"));

    let book = Book::of_page("cost $x$ and\n\n$$\ny\n$$\n");
    book.write("book.toml", "[preprocessor.katex]");
    let content = book.read_well().0.pages().next().unwrap().content.to_string();
    assert!(content.contains("inlineMath") && content.contains("blockMath"), "{content}");
}

// What is too much

#[test]
fn what_is_nested_too_deep_is_flattened_and_told() {
    let levels = 10_000;
    for text in [
        format!("{} deep\n", "-".repeat(levels).replace('-', "- ")),
        format!("{} deep\n", "> ".repeat(levels)),
        format!("{} deep\n", "> - ".repeat(levels / 2)),
        (0..200).map(|level| format!("{}- deep\n", "  ".repeat(level))).collect(),
    ] {
        let start = Instant::now();
        let (content, told) = blocks(&text);
        assert!(content.to_string().contains("deep"));
        assert!(told.iter().any(|line| line.contains("nested very deep")), "{told:?}");
        assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    }
}

#[test]
fn hostile_html_is_shown_as_text_in_time() {
    let levels = 20_000;
    for text in [
        "<div>".repeat(levels) + "deep",
        "<b>x".repeat(levels),
        (0..5000).map(|n| format!("<i x={n}><p>a")).collect(),
        format!("{}deep", "<ul><li><table><tr><td>".repeat(levels / 10)),
        format!("<div>\n\n{}\n\ndeep", "<details>\n\n".repeat(2000)),
        "<li><dd>".repeat(levels) + "deep",
        "*a **b ".repeat(levels),
        "[a](".repeat(levels),
        "`a ``b ```c ".repeat(levels),
        "<a href=x>".repeat(levels),
        "| a ".repeat(1000) + "\n" + &"|-".repeat(1000) + "\n" + &"| b\n".repeat(100),
    ] {
        let start = Instant::now();
        let (content, _) = blocks(&text);
        assert!(!content.as_array().unwrap().is_empty());
        assert!(start.elapsed() < Duration::from_secs(20), "{:?}: {}", start.elapsed(), text.chars().take(40).collect::<String>());
    }
}

#[test]
fn long_pages_become_several_and_long_blocks_are_told() {
    let (course, report) = Book::of_page(&format!("# T\n\n## a\n\n{}\n\n## end\n\n[a](#a) [end](#end)\n", "word word word\n\n".repeat(80_000))).read_well();
    assert!(course.pages().count() > 1);
    let last = course.pages().last().unwrap();
    assert!(last.title.as_deref().unwrap().starts_with("T ("));
    let first = course.pages().next().unwrap().id;
    let links = last.content["content"].as_array().unwrap().last().unwrap().to_string();
    assert!(links.contains(&format!("page:{first}#a")) && links.contains(&format!("page:{}#end", last.id)), "{links}");
    assert!(lines(&report)[0].starts_with("changed src/a.md: a very long page"));

    let (content, told) = blocks(&format!("a\n\n```\n{}\n```\n\nb\n", "x".repeat(3_000_000)));
    assert_eq!(content, json!([paragraph("a"), paragraph("b")]));
    assert!(told[0].contains("a block larger than 2 MiB"), "{told:?}");

    let book = Book::new(&[("src/SUMMARY.md", "- [A](a.md)\n- [B](b.md)"), ("src/a.md", "a")]);
    book.write("src/b.md", "x".repeat(9_000_000));
    assert!(lines(&book.read_well().1)[0].contains("the file is too large"));
}

#[test]
fn long_texts_are_cut_to_what_the_model_takes() {
    let long = "я".repeat(5000);
    let book = Book::new(&[
        ("src/SUMMARY.md", &format!("- [{long}](a.md)\n    - [{long}](b.md)")),
        ("src/a.md", &format!("# {long}\n\n```{long}\nx\n```\n\n![{long}](i.svg \"{long}\")\n\n[x](https://example.com/{long})\n")),
        ("src/b.md", "b"),
        ("src/i.svg", "<svg width='10' height='10'/>"),
    ]);
    let (course, report) = book.read_well();
    assert_eq!(course.lessons().next().unwrap().title.chars().count(), 255);
    assert!(course.pages().all(|page| page.title.as_deref().unwrap().chars().count() == 255));
    let told = lines(&report);
    assert_eq!(told.iter().filter(|line| line.contains("very long text")).count(), 3, "{told:#?}");
    assert_eq!(told.iter().filter(|line| line.contains("at most 255 characters")).count(), 2, "{told:#?}");
    assert!(told.iter().all(|line| line.chars().count() < 1200));
}

#[test]
fn the_progress_is_told_page_by_page() {
    let book = Book::new(&[("src/SUMMARY.md", "- [A](a.md)\n- [B](b.md)"), ("src/a.md", "a"), ("src/b.md", "b")]);
    let mut seen = Vec::new();
    mdbook::read(&book.root(), &mut |progress| seen.push(format!("{}/{} {}", progress.done, progress.total, progress.file))).unwrap();
    assert_eq!(seen, ["1/2 src/a.md", "2/2 src/b.md"]);
}
