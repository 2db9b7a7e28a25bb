//! The terms of a document: each stem with the tier of its weight.
//!
//! The index stores no frequencies and no positions: a term is stored once per document, prefixed with the letter of its tier. The
//! tier is the rounded BM25 weight of the term in the document, computed when the document is saved. So both databases only have to say
//! which documents contain a term, and the core computes the same scores on both.

use std::collections::{BTreeMap, HashMap};

use sha2::{Digest as _, Sha256};

use crate::stem::{fold_word, stem};
use crate::words::{Word, parts, words};

/// The version of the analysis. Increment it when terms or tiers change: the server then indexes all documents again.
pub const ANALYSIS: i64 = 1;

/// Where a text stands in a document.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Field {
    Title,
    Heading,
    Body,
    Code,
    Caption,
}

impl Field {
    /// How often a word in this field counts.
    fn weight(self) -> f64 {
        match self {
            Field::Title => 6.0,
            Field::Heading => 3.0,
            Field::Body | Field::Code | Field::Caption => 1.0,
        }
    }
}

/// A piece of text of a document that is shown as one: a title, a paragraph, a caption.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Passage {
    pub field: Field,
    pub text: String,
}

/// The tiers from the highest: the letter before a term, the least weight of a term in the tier, and the weight with which it is scored.
pub const TIERS: [(char, f64, f64); 4] = [
    ('a', 0.75, 0.85),
    ('b', 0.55, 0.65),
    ('c', 0.38, 0.45),
    ('d', 0.0, 0.25),
];

/// BM25's saturation and length normalisation. The average length is fixed, so that a weight never depends on other documents.
const K1: f64 = 1.2;
const B: f64 = 0.6;
const AVERAGE_WORDS: f64 = 400.0;

/// What the index stores of a document.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DocumentTerms {
    /// The terms with their tiers, sorted and separated by spaces.
    pub indexed: String,
    /// The terms without tiers, sorted.
    pub stems: Vec<String>,
}

impl DocumentTerms {
    pub fn is_empty(&self) -> bool {
        self.stems.is_empty()
    }

    /// A hash by which a changed document is recognised.
    pub fn digest(&self) -> i64 {
        let hash = Sha256::digest(self.indexed.as_bytes());
        let mut first = [0; 8];
        first.iter_mut().zip(hash).for_each(|(to, byte)| *to = byte);
        i64::from_be_bytes(first)
    }
}

/// The terms of a document.
pub fn terms_of<'a>(passages: impl IntoIterator<Item = &'a Passage>) -> DocumentTerms {
    let mut counts: HashMap<String, f64> = HashMap::new();
    // The words of a text repeat, and stemming is slower than a look-up.
    let mut known: HashMap<&'a str, Vec<(String, f64)>> = HashMap::new();
    let mut length = 0.0;
    for passage in passages {
        let weight = passage.field.weight();
        let mut before: Option<Word<'a>> = None;
        for word in words(&passage.text) {
            length += 1.0;
            for (term, share) in known.entry(word.text).or_insert_with(|| terms_of_word(word.text)) {
                match counts.get_mut(term.as_str()) {
                    Some(count) => *count += weight * *share,
                    None => {
                        counts.insert(term.clone(), weight * *share);
                    }
                }
            }
            if let Some(pair) = before.and_then(|before| pair(&before, &word)) {
                *counts.entry(pair).or_default() += weight;
            }
            before = Some(word);
        }
    }
    let norm = K1 * (1.0 - B + B * length / AVERAGE_WORDS);
    let sorted: BTreeMap<String, f64> = counts.into_iter().collect();
    let mut terms = DocumentTerms::default();
    for (term, count) in sorted {
        let weight = count / (count + norm);
        let tier = TIERS.iter().find(|(_, least, _)| weight >= *least);
        let letter = tier.map_or('d', |(letter, ..)| *letter);
        if !terms.indexed.is_empty() {
            terms.indexed.push(' ');
        }
        terms.indexed.push(letter);
        terms.indexed.push_str(&term);
        terms.stems.push(term);
    }
    terms
}

/// The terms of a word and how much each counts: its stem, and the stems of the parts of an identifier.
fn terms_of_word(word: &str) -> Vec<(String, f64)> {
    let mut terms = vec![(stem(&fold_word(word)), 1.0)];
    for part in parts(word).into_iter().filter(|part| part.chars().nth(1).is_some()) {
        terms.push((stem(&fold_word(part)), 0.5));
    }
    terms.retain(|(term, _)| !term.is_empty());
    terms
}

/// The term of two words that are joined: `hashmap::new`.
pub(crate) fn pair(before: &Word<'_>, word: &Word<'_>) -> Option<String> {
    let joint = word.joint.text()?;
    let (first, second) = (fold_word(before.text), fold_word(word.text));
    let is_short = first.chars().count() + second.chars().count() <= 60;
    is_short.then(|| format!("{first}{joint}{second}").replace('\'', ""))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn passage(field: Field, text: &str) -> Passage {
        let text = text.to_owned();
        Passage { field, text }
    }

    #[test]
    fn a_document_has_each_stem_once_with_its_tier() {
        let terms = terms_of(&[
            passage(Field::Title, "Владение"),
            passage(Field::Body, "Владением называют правило. HashMap::new()"),
        ]);
        assert_eq!(
            terms.indexed,
            "chash bhashmap bhashmap::new cmap bnew aвладен bназыва bправ"
        );
        assert!(terms.stems.contains(&"hashmap::new".to_owned()));
    }

    #[test]
    fn the_digest_changes_with_the_terms_only() {
        let of = |text| terms_of(&[passage(Field::Body, text)]).digest();
        assert_eq!(of("одно слово"), of("Слово, одно!"));
        assert_ne!(of("одно слово"), of("одно дело"));
    }

    proptest! {
        #[test]
        fn terms_are_safe_in_both_indexes(text in "\\PC{0,80}") {
            let terms = terms_of(&[passage(Field::Body, &text)]);
            for term in &terms.stems {
                prop_assert!(!term.is_empty() && !term.contains(|c: char| c.is_whitespace() || c == '"' || c == '\'' || c == '\\'));
                prop_assert!(term.chars().all(|c| !c.is_ascii() || c.is_ascii_alphanumeric() || "_:.+#".contains(c)), "{term}");
            }
            prop_assert_eq!(terms.indexed.split(' ').filter(|term| !term.is_empty()).count(), terms.stems.len());
        }

        #[test]
        fn more_occurrences_never_lower_a_tier(times in 1_usize..20) {
            let tier = |times: usize| {
                let text = "слово ".repeat(times) + &"иное ".repeat(40 - times);
                let terms = terms_of(&[passage(Field::Body, &text)]);
                let of = terms.indexed.split(' ').find(|term| term.ends_with("слов")).map(|term| term.chars().next());
                of.flatten()
            };
            prop_assert!(tier(times + 1) <= tier(times));
        }
    }
}
