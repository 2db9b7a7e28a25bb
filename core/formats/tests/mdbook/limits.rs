//! Limits of nesting, size and length.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use kurso_formats::mdbook;
use serde_json::json;

use crate::{Book, blocks, lines, paragraph};

#[test]
fn excess_nesting_is_flattened_with_a_note() {
    let levels = 10_000;
    for text in [
        format!("{} deep\n", "-".repeat(levels).replace('-', "- ")),
        format!("{} deep\n", "> ".repeat(levels)),
        format!("{} deep\n", "> - ".repeat(levels / 2)),
        (0..200)
            .map(|level| format!("{}- deep\n", "  ".repeat(level)))
            .collect(),
    ] {
        let start = Instant::now();
        let (content, told) = blocks(&text);
        assert!(content.to_string().contains("deep"));
        assert!(told.iter().any(|line| line.contains("deeply nested")), "{told:?}");
        assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
    }
}

#[test]
fn hostile_html_becomes_text_in_bounded_time() {
    let levels = 20_000;
    for text in [
        "<div>".repeat(levels) + "deep",
        "<b>x".repeat(levels),
        (0..5000).map(|n| format!("<i x={n}><p>a")).collect(),
        format!("{}deep", "<ul><li><table><tr><td>".repeat(levels / 10)),
        format!("<div>\n\n{}\n\ndeep", "<details>\n\n".repeat(2000)),
        // The deepest nesting that is still parsed.
        "<blockquote>".repeat(150) + "deep",
        "<ul><li>".repeat(75) + "deep",
        "<details><summary>s</summary>".repeat(150) + "deep",
        "<table><tr><td>".repeat(37) + "deep",
        "<h2><div>".repeat(70) + "deep",
        "<li><dd>".repeat(levels) + "deep",
        "*a **b ".repeat(levels),
        "[a](".repeat(levels),
        "`a ``b ```c ".repeat(levels),
        "<a href=x>".repeat(levels),
        "{{#include x ".repeat(levels),
        "| a ".repeat(1000) + "\n" + &"|-".repeat(1000) + "\n" + &"| b\n".repeat(100),
    ] {
        let start = Instant::now();
        let (content, _) = blocks(&text);
        assert!(!content.as_array().unwrap().is_empty());
        assert!(
            start.elapsed() < Duration::from_secs(60),
            "{:?}: {}",
            start.elapsed(),
            text.chars().take(40).collect::<String>()
        );
    }
}

#[test]
fn pages_with_too_many_nodes_are_skipped_with_a_note() {
    let wide = "| a ".repeat(1000) + "\n" + &"|-".repeat(1000) + "\n" + &"| b\n".repeat(1000);
    for text in ["a\n\n".repeat(400_000), wide] {
        let start = Instant::now();
        let (content, told) = blocks(&text);
        assert_eq!(content, json!([{ "type": "paragraph" }]));
        assert!(
            told.iter().any(|line| line.contains("it has too many elements")),
            "{told:?}"
        );
        assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
    }
}

#[test]
fn long_pages_are_split_and_long_blocks_reported() {
    let (course, report) = Book::of_page(&format!(
        "# T\n\n## a\n\n{}\n\n## end\n\n[a](#a) [end](#end)\n",
        ("word ".repeat(60) + "\n\n").repeat(8000)
    ))
    .read_well();
    assert!(course.pages().count() > 1);
    let last = course.pages().last().unwrap();
    assert!(last.title.as_deref().unwrap().starts_with("T ("));
    let first = course.pages().next().unwrap().id;
    let links = last.content.read()["content"]
        .as_array()
        .unwrap()
        .last()
        .unwrap()
        .to_string();
    assert!(
        links.contains(&format!("page:{first}#a")) && links.contains(&format!("page:{}#end", last.id)),
        "{links}"
    );
    assert!(lines(&report)[0].starts_with("changed src/a.md: very long page"));

    let (content, told) = blocks(&format!("a\n\n```\n{}\n```\n\nb\n", "x".repeat(3_000_000)));
    assert_eq!(content, json!([paragraph("a"), paragraph("b")]));
    assert!(told[0].contains("block larger than 2 MiB"), "{told:?}");

    let book = Book::new(&[("src/SUMMARY.md", "- [A](a.md)\n- [B](b.md)"), ("src/a.md", "a")]);
    book.write("src/b.md", "x".repeat(5_000_000));
    assert!(lines(&book.read_well().1)[0].contains("the file is larger than 4 MB"));
}

#[test]
fn long_texts_are_cut_to_the_limits() {
    let long = "я".repeat(5000);
    let book = Book::new(&[
        ("src/SUMMARY.md", &format!("- [{long}](a.md)\n    - [{long}](b.md)")),
        (
            "src/a.md",
            &format!(
                "# {long}\n\n```{long}\nx\n```\n\n![{long}](i.svg \"{long}\")\n\n[x](https://example.com/{long})\n"
            ),
        ),
        ("src/b.md", "b"),
        ("src/i.svg", "<svg width='10' height='10'/>"),
    ]);
    let (course, report) = book.read_well();
    assert_eq!(course.lessons().next().unwrap().title.chars().count(), 255);
    assert!(
        course
            .pages()
            .all(|page| page.title.as_deref().unwrap().chars().count() == 255)
    );
    let told = lines(&report);
    assert_eq!(
        told.iter().filter(|line| line.contains("very long text")).count(),
        3,
        "{told:#?}"
    );
    assert_eq!(
        told.iter()
            .filter(|line| line.contains("limited to 255 characters"))
            .count(),
        2,
        "{told:#?}"
    );
    assert!(told.iter().all(|line| line.chars().count() < 1200));
}

#[test]
fn progress_is_reported_per_page() {
    let book = Book::new(&[
        ("src/SUMMARY.md", "- [A](a.md)\n- [B](b.md)"),
        ("src/a.md", "a"),
        ("src/b.md", "b"),
    ]);
    let mut seen = Vec::new();
    mdbook::read(&book.root(), &mut |progress| {
        seen.push(format!("{}/{} {}", progress.done, progress.total, progress.file));
        ControlFlow::Continue(())
    })
    .unwrap();
    assert_eq!(seen, ["1/2 src/a.md", "2/2 src/b.md"]);
}
