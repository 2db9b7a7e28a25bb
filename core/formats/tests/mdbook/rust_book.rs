//! The whole Russian Rust book, when it is at hand (`docs/testing.md`).

use std::collections::BTreeMap;
use std::sync::LazyLock;

use kurso_base::messages::Lang;
use kurso_formats::content;
use kurso_formats::testing::real_courses;
use kurso_formats::{Counts, CourseDraft, Outcome, PageDraft, Report, mdbook, unwatched};
use serde_json::json;

use crate::nodes;

static BOOK: LazyLock<(CourseDraft, Report)> = LazyLock::new(|| {
    let folder = real_courses().join("rust-book-ru");
    mdbook::read(&folder, &mut unwatched).expect("the book can be read")
});

fn page(source: &str) -> &'static PageDraft {
    let mut pages = BOOK.0.pages().filter(|page| page.source == format!("src/{source}.md"));
    pages.next().unwrap_or_else(|| panic!("there is no page {source}"))
}

fn code(page: &PageDraft) -> Vec<String> {
    nodes(&page.content.read(), "codeBlock")
        .into_iter()
        .map(|block| block["content"][0]["text"].as_str().unwrap_or("").to_owned())
        .collect()
}

#[test]
#[ignore = "reads real courses: set KURSO_TEST_COURSES"]
fn counts_match_the_book() {
    // The files contain 239 comments; one of them is inside a link label.
    let expected = Counts {
        modules: 5,
        lessons: 24,
        pages: 104,
        questions: 0,
        files: 17,
        code_blocks: 908,
        images: 18,
        tables: 13,
        quotes: 42,
        includes: 674,
        comments: 238,
    };
    assert_eq!(BOOK.1.counts, expected);
    let mut languages = BTreeMap::new();
    for block in BOOK.0.pages().flat_map(|page| nodes(&page.content.read(), "codeBlock")) {
        *languages
            .entry(block["attrs"]["language"].as_str().unwrap_or("none").to_owned())
            .or_insert(0) += 1;
    }
    let expected = [
        ("cmd", 2),
        ("console", 211),
        ("html", 2),
        ("powershell", 3),
        ("rust", 617),
        ("text", 56),
        ("toml", 17),
    ];
    let expected = expected.map(|(language, number)| (language.to_owned(), number));
    assert_eq!(languages, BTreeMap::from(expected));
}

#[test]
#[ignore = "reads real courses: set KURSO_TEST_COURSES"]
fn every_page_is_a_valid_document_and_links_to_pages_of_the_book() {
    let ids: Vec<_> = BOOK.0.pages().map(|page| page.id).collect();
    let keys: Vec<_> = BOOK.0.files.iter().map(|file| file.key.as_str()).collect();
    let mut page_links = 0;
    for page in BOOK.0.pages() {
        assert_eq!(content::validate(&page.content.read()), Ok(()), "{}", page.source);
        let links = content::page_links(&page.content.read());
        page_links += links.len();
        assert!(links.iter().all(|link| ids.contains(link)), "{}", page.source);
        assert!(
            content::files(&page.content.read())
                .iter()
                .all(|key| keys.contains(&key.as_str())),
            "{}",
            page.source
        );
        let json = page.content.to_string();
        for left_over in [
            "{{#",
            "waiting:",
            "ANCHOR",
            "kurso-footnotes",
            "<!--",
            "<span",
            "\"text\":\"```",
        ] {
            assert!(!json.contains(left_over), "{} has {left_over}", page.source);
        }
    }
    assert!(page_links > 100);
    assert!(ids.iter().all(|id| id.get_version_num() == 7) && ids.is_sorted());
}

#[test]
#[ignore = "reads real courses: set KURSO_TEST_COURSES"]
fn the_tree_matches_the_summary() {
    let course = &BOOK.0;
    assert_eq!(course.title, "Язык программирования Rust");
    assert_eq!(
        course.description.as_deref(),
        Some("Авторы: Стив Клабник, Кэрол Николс и другие участники сообщества Rust")
    );
    let modules: Vec<_> = course
        .modules
        .iter()
        .map(|module| (module.title.as_str(), module.lessons.len()))
        .collect();
    assert_eq!(
        modules,
        [
            ("О книге", 3),
            ("С чего начать", 6),
            ("Основы Rust", 6),
            ("Думать на Rust", 5),
            ("Продвинутые темы", 4)
        ]
    );
    let first = &course.modules[1].lessons[0];
    let pages: Vec<_> = first
        .pages
        .iter()
        .map(|page| page.title.as_deref().unwrap_or(""))
        .collect();
    assert_eq!(
        (first.title.as_str(), pages),
        (
            "С чего начать",
            vec!["Начало работы", "Установка", "Привет, мир!", "Привет, Cargo!"]
        )
    );
    // The summary has a tab before this title.
    assert_eq!(
        page("ch20-03-graceful-shutdown-and-cleanup").title.as_deref(),
        Some("Мягкое завершение работы и очистка")
    );
}

#[test]
#[ignore = "reads real courses: set KURSO_TEST_COURSES"]
fn the_report_lists_losses() {
    let report = &BOOK.1;
    let mut summary = BTreeMap::new();
    for entry in &report.entries {
        *summary
            .entry((entry.note.outcome().name(), entry.note.key()))
            .or_insert(0) += 1;
    }
    let expected = [
        (("carried", "image_from_book"), 4),
        (("changed", "caption_format"), 14),
        (("changed", "image_width"), 3),
        (("changed", "link_anchor"), 85),
        (("changed", "title_differs"), 66),
        (("changed", "unknown_tag"), 2),
        (("not_carried", "fence_flags"), 1),
        (("not_carried", "link_leaves_book"), 23),
        (("not_carried", "not_in_summary"), 12),
        (("not_carried", "setting"), 3),
    ];
    assert_eq!(summary, BTreeMap::from(expected));
    let lines: Vec<_> = report
        .of(Outcome::NotCarried)
        .map(|entry| entry.to_line(Lang::Ru))
        .collect();
    assert!(lines.contains(&"src/appendix-03-derivable-traits.md:13: ссылка ../std/index.html: ведёт за пределы книги; слова сохранены".to_owned()));
    assert_eq!(
        report.to_json(Lang::En)[3],
        json!({
            "where": "src/SUMMARY.md:7",
            "what": "title \"С чего начать\" in the summary",
            "outcome": "changed",
            "why": "the page is titled by its heading: \"Начало работы\"",
        }),
    );
}

#[test]
#[ignore = "reads real courses: set KURSO_TEST_COURSES"]
fn code_has_no_hidden_lines() {
    // A range inside an anchor, nested anchors, and hidden lines.
    let ownership = page("ch04-01-what-is-ownership");
    assert_eq!(code(ownership)[0], "let s = \"hello\";");
    assert!(code(ownership)[1].starts_with("    {                      // s is not valid here"));
    let blocks = nodes(&ownership.content.read(), "codeBlock");
    let warned: Vec<_> = blocks
        .iter()
        .filter_map(|block| block["attrs"]["caption"].as_str())
        .collect();
    assert_eq!(warned, ["Этот код не компилируется!"]);
    // `ANCHOR: all` without an end.
    let game = code(page("ch02-00-guessing-game-tutorial"));
    assert!(
        game.iter()
            .any(|code| code.starts_with("use std::io;") && code.ends_with("guess}\");\n}")),
        "{:?}",
        game[0]
    );
    for block in BOOK.0.pages().flat_map(|page| nodes(&page.content.read(), "codeBlock")) {
        let code = block["content"][0]["text"].as_str().unwrap_or("");
        let hidden =
            block["attrs"]["language"] == "rust" && code.lines().any(|line| line.trim_start().starts_with("# "));
        assert!(!hidden, "{code}");
    }
}

#[test]
#[ignore = "reads real courses: set KURSO_TEST_COURSES"]
fn figures_have_their_size_and_caption() {
    let images = nodes(&page("ch15-01-box").content.read(), "image");
    assert_eq!(
        images[0]["attrs"],
        json!({
            "src": "/files/8acb018bf29622099bdbdced748b545b/trpl15-01.svg",
            "alt": "Бесконечный список Cons",
            "caption": "Рисунок 15-1: Бесконечный List, состоящий из нескончаемого числа вариантов Cons",
            "width": 375, "naturalWidth": 1000, "naturalHeight": 700,
        })
    );
    let hello = BOOK
        .0
        .files
        .iter()
        .find(|file| file.filename == "trpl20-01.png")
        .expect("the last figure");
    assert_eq!(
        (hello.content_type, hello.width, hello.height, hello.size),
        ("image/png", Some(372), Some(320), 8491)
    );
}

#[test]
#[ignore = "reads real courses: set KURSO_TEST_COURSES"]
fn links_resolve_to_existing_headings() {
    let hrefs = |source: &str| -> Vec<String> {
        let texts = nodes(&page(source).content.read(), "text");
        let marks = texts
            .iter()
            .flat_map(|text| text["marks"].as_array().into_iter().flatten());
        marks
            .filter_map(|mark| mark["attrs"]["href"].as_str().map(str::to_owned))
            .collect()
    };
    let game = page("ch02-00-guessing-game-tutorial").id;
    let anchored = BOOK
        .0
        .pages()
        .flat_map(|page| hrefs(page.source.trim_start_matches("src/").trim_end_matches(".md")));
    let anchored: Vec<_> = anchored
        .filter(|href| href.starts_with("page:") && href.contains('#'))
        .collect();
    // A percent-encoded anchor, and one from an `<a id>` before the heading.
    assert!(
        anchored.contains(&format!("page:{game}#хранение-значений-с-помощью-переменных")),
        "{anchored:#?}"
    );
    let ownership = page("ch04-01-what-is-ownership").id;
    let cloning = format!("page:{ownership}#взаимодействие-переменных-и-данных-с-помощью-клонирования");
    assert!(anchored.contains(&cloning), "{anchored:#?}");
    for href in anchored {
        let (id, anchor) = href.trim_start_matches("page:").split_once('#').expect("an anchor");
        let target = BOOK.0.pages().find(|page| page.id.to_string() == id).expect("the page");
        assert!(
            content::heading_anchors(&target.content.read()).contains(&Some(anchor.to_owned())),
            "{href}"
        );
    }
}

#[test]
#[ignore = "reads real courses: set KURSO_TEST_COURSES"]
fn headings_are_an_outline_without_gaps() {
    for page in BOOK.0.pages() {
        let mut last = 1;
        for block in page.content.read()["content"].as_array().into_iter().flatten() {
            if block["type"] == "heading" {
                let level = block["attrs"]["level"].as_u64().unwrap_or(0);
                assert!((2..=last + 1).contains(&level), "{}: {level} after {last}", page.source);
                last = level;
            }
        }
    }
}

#[test]
#[ignore = "reads real courses: set KURSO_TEST_COURSES"]
fn tables_and_formatted_text_stay_whole() {
    let operators = page("appendix-02-operators");
    let table = nodes(&operators.content.read(), "table").remove(0);
    assert_eq!(nodes(&table, "tableHeader").len(), 4);
    assert_eq!(
        nodes(&table, "tableRow")
            .iter()
            .filter(|row| row["content"].as_array().is_none_or(|cells| cells.len() != 4))
            .count(),
        0
    );
    // No leading `|`, and images in cells.
    let introduction = nodes(&page("ch00-00-introduction").content.read(), "table").remove(0);
    assert_eq!(
        (
            nodes(&introduction, "tableRow").len(),
            nodes(&introduction, "image").len()
        ),
        (4, 3)
    );
    let types = content::text(&page("ch03-02-data-types").content.read());
    assert!(types.contains("Каждый вариант со знаком может хранить числа от -(2 n - 1 ) до 2 n - 1 - 1 включительно"));
    // Code without backticks.
    assert!(content::text(&page("ch16-03-shared-state").content.read()).contains("Rc<Mutex<i32>>"));
}
