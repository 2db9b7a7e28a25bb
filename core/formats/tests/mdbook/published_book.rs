//! The published mdBook in the crate `async-graphql`.

use std::collections::HashSet;
use std::fs;

use kurso_formats::content;
use kurso_formats::testing::published_book;
use kurso_formats::{mdbook, unwatched};

use crate::nodes;

#[test]
fn every_chapter_of_the_summary_becomes_a_page() {
    let folder = published_book();
    let (course, report) = mdbook::read(&folder, &mut unwatched).unwrap();
    assert_eq!(course.title, "Async-graphql Book");
    let summary = fs::read_to_string(folder.join("src/SUMMARY.md")).unwrap();
    let chapters: Vec<_> = summary
        .lines()
        .filter_map(|line| line.split_once("](")?.1.split_once(".md)"))
        .map(|(path, _)| format!("src/{path}.md"))
        .collect();
    assert!(chapters.len() > 30, "{chapters:?}");
    let sources: Vec<_> = course.pages().map(|page| page.source.clone()).collect();
    assert_eq!(sources, chapters);
    assert_eq!(report.counts.pages, chapters.len());
}

#[test]
fn every_page_is_valid_and_keeps_its_code_and_links() {
    let folder = published_book();
    let (course, report) = mdbook::read(&folder, &mut unwatched).unwrap();
    let ids: HashSet<_> = course.pages().map(|page| page.id).collect();
    let (mut code_blocks, mut links) = (0, 0);
    for page in course.pages() {
        let document = page.content.read();
        assert_eq!(content::validate(&document), Ok(()), "{}", page.source);
        let targets = content::page_links(&document);
        assert!(targets.iter().all(|id| ids.contains(id)), "{}", page.source);
        links += targets.len();
        let blocks = nodes(&document, "codeBlock");
        let text = fs::read_to_string(folder.join(&page.source)).unwrap();
        let fences = text.lines().filter(|line| line.trim_start().starts_with("```")).count();
        assert_eq!(blocks.len(), fences / 2, "{}", page.source);
        code_blocks += blocks.len();
    }
    assert!(
        code_blocks > 50 && links > 0,
        "{code_blocks} code blocks, {links} links"
    );
    assert_eq!(report.counts.code_blocks, code_blocks);
}
