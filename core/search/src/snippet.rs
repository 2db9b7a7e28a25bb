//! Snippets: the places of a text where it matches a query.

use std::collections::BTreeSet;

use crate::document::{Field, Passage};
use crate::matches::{Match, PassageMatches};

/// The usual length of a snippet in characters, and how many of them may stand before the first match.
const LENGTH: usize = 160;
const BEFORE: usize = 50;
/// The most snippets of a document.
const MOST: usize = 3;

/// A part of a snippet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    pub text: String,
    pub is_match: bool,
}

/// A place of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Snippet {
    /// The index of the passage.
    pub passage: usize,
    pub parts: Vec<Part>,
}

/// At most three places where the passages match, best first: those with the most words of the query. Titles only if nothing else matches.
pub fn snippets(passages: &[Passage], matches: &[PassageMatches]) -> Vec<Snippet> {
    let mut places: Vec<(usize, Place)> = Vec::new();
    for (at, matches) in matches.iter().enumerate() {
        places.extend(best_place(&matches.found).map(|place| (at, place)));
    }
    let is_title = |at: usize| passages.get(at).is_some_and(|passage| passage.field == Field::Title);
    if places.iter().any(|(at, _)| !is_title(*at)) {
        places.retain(|(at, _)| !is_title(*at));
    }
    places.sort_by_key(|(at, place)| (std::cmp::Reverse((place.words, place.matches)), *at));
    places.truncate(MOST);
    let snippet = |(at, place): (usize, Place)| {
        let (passage, matches) = (passages.get(at)?, matches.get(at)?);
        let parts = cut(&passage.text, &matches.found, place.start);
        Some(Snippet { passage: at, parts })
    };
    places.into_iter().filter_map(snippet).collect()
}

/// The window of a text with the most words of the query.
struct Place {
    /// Where its first match starts, in bytes.
    start: usize,
    /// How many different words of the query it has.
    words: usize,
    matches: usize,
}

fn best_place(matches: &[Match]) -> Option<Place> {
    let mut best: Option<Place> = None;
    for (from, first) in matches.iter().enumerate() {
        let mut found = BTreeSet::new();
        let mut count = 0;
        for next in matches.get(from..).unwrap_or_default() {
            // Bytes are cheaper to count than characters, and the window need not be exact.
            if next.end - first.start > LENGTH - BEFORE {
                break;
            }
            found.insert(next.word);
            count += 1;
        }
        let better = best
            .as_ref()
            .is_none_or(|best| (found.len(), count) > (best.words, best.matches));
        if better {
            best = Some(Place {
                start: first.start,
                words: found.len(),
                matches: count,
            });
        }
    }
    best
}

/// The snippet around a match, from whole words.
fn cut(text: &str, matches: &[Match], first: usize) -> Vec<Part> {
    let start = back(text, first);
    let end = forward(text, start, first);
    let mut parts = Parts::default();
    if start > 0 {
        parts.push("… ", false);
    }
    let mut at = start;
    for found in matches.iter().filter(|found| (start..end).contains(&found.start)) {
        parts.push(text.get(at..found.start).unwrap_or_default(), false);
        at = found.end.min(end);
        parts.push(text.get(found.start..at).unwrap_or_default(), true);
    }
    parts.push(text.get(at..end).unwrap_or_default(), false);
    if end < text.len() {
        parts.push(" …", false);
    }
    parts.0
}

/// Where the snippet starts: after white space, at most [`BEFORE`] characters before the match.
fn back(text: &str, first: usize) -> usize {
    let head = text.get(..first).unwrap_or_default();
    if head.chars().count() <= BEFORE {
        return 0;
    }
    let mut start = first;
    for (count, (at, c)) in head.char_indices().rev().enumerate() {
        if count >= BEFORE {
            break;
        }
        if c.is_whitespace() {
            start = at + c.len_utf8();
        }
    }
    start
}

/// Where the snippet ends: before white space, about [`LENGTH`] characters after its start, but after the first match.
fn forward(text: &str, start: usize, first: usize) -> usize {
    let rest = text.get(start..).unwrap_or_default();
    let mut end = None;
    for (count, (at, c)) in rest.char_indices().enumerate() {
        if count >= LENGTH {
            // A word without an end, such as a long line of code, is cut.
            let hard = count >= LENGTH * 2;
            return match end {
                Some(end) if end > first => end,
                _ if hard || c.is_whitespace() => start + at,
                _ => continue,
            };
        }
        if c.is_whitespace() {
            end = Some(start + at);
        }
    }
    text.len()
}

/// Collects parts with single spaces.
#[derive(Default)]
struct Parts(Vec<Part>);

impl Parts {
    fn push(&mut self, text: &str, is_match: bool) {
        let mut folded = String::with_capacity(text.len());
        let ends_blank = |parts: &[Part]| parts.last().is_some_and(|part| part.text.ends_with(' '));
        for c in text.chars() {
            if !c.is_whitespace() {
                folded.push(c);
            } else if !(folded.ends_with(' ') || folded.is_empty() && ends_blank(&self.0)) {
                folded.push(' ');
            }
        }
        if folded.is_empty() {
            return;
        }
        match self.0.last_mut() {
            Some(last) if last.is_match == is_match => last.text.push_str(&folded),
            _ => self.0.push(Part { text: folded, is_match }),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::matches::matches;
    use crate::query::Query;

    fn found(query: &Query, passages: &[Passage]) -> Vec<Snippet> {
        snippets(passages, &matches(query, passages))
    }

    fn body(text: &str) -> Passage {
        Passage {
            field: Field::Body,
            text: text.to_owned(),
        }
    }

    fn shown(snippet: &Snippet) -> String {
        let mark = |part: &Part| {
            if part.is_match {
                format!("[{}]", part.text)
            } else {
                part.text.clone()
            }
        };
        snippet.parts.iter().map(mark).collect()
    }

    #[test]
    fn a_snippet_marks_the_words_in_any_form() {
        let query = Query::of("правило владения");
        let text =
            "Слово. ".repeat(30) + "Есть три правила:\n  владением управляет владелец. " + &"Ещё слова. ".repeat(30);
        let shown_at = found(&query, &[body("Ничего."), body(&text)]);
        assert_eq!(shown_at.len(), 1);
        let text = shown(&shown_at[0]);
        assert!(text.starts_with("… Слово.") && text.ends_with(" …"), "{text}");
        assert!(text.contains("три [правила]: [владением] управляет"), "{text}");
        assert!(text.chars().count() < 190, "{text}");
    }

    #[test]
    fn the_passage_with_most_words_comes_first_and_titles_last() {
        let query = Query::of("красное яблоко ");
        let title = Passage {
            field: Field::Title,
            text: "Яблоко".to_owned(),
        };
        let passages = [
            title.clone(),
            body("Яблоко."),
            body("Красное яблоко."),
            body("Красное."),
        ];
        let places: Vec<usize> = found(&query, &passages).iter().map(|found| found.passage).collect();
        assert_eq!(places, [2, 1, 3]);
        let only_title = found(&query, &[title]);
        assert_eq!(shown(&only_title[0]), "[Яблоко]");
    }

    proptest! {
        #[test]
        fn parts_are_never_empty_and_alternate(text in "\\PC{0,400}", typed in "\\PC{0,20}") {
            let query = Query::of(&typed);
            for snippet in found(&query, &[body(&text)]) {
                prop_assert!(snippet.parts.iter().all(|part| !part.text.is_empty()));
                prop_assert!(snippet.parts.windows(2).all(|pair| pair[0].is_match != pair[1].is_match));
                prop_assert!(snippet.parts.iter().any(|part| part.is_match));
            }
        }
    }
}
