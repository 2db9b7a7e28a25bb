//! The query that a person types: the words that a document must contain, and the terms to look up for them.

use std::collections::BTreeSet;

use crate::document::{TIERS, pair};
use crate::stem::{fold_word, is_mark, stem};
use crate::stop::is_stop;
use crate::typos::variants;
use crate::words::{Word, parts, words};

/// The maximum number of words that are looked up.
const MAX_WORDS: usize = 16;
/// The shortest last word that is taken as the beginning of a longer one.
const MIN_PREFIX: usize = 3;
/// How many letters of an unfinished word may be those of an ending.
const MAX_ENDING: usize = 4;

/// A word of a query.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct QueryWord {
    /// In the form of [`fold_word`].
    pub folded: String,
    /// The stem.
    pub term: String,
    /// Whether the word may be the beginning of a longer one.
    pub is_open: bool,
    /// How many stop words stand before it, since the previous word.
    gap: usize,
    /// Terms that stand for the word because no document has it: similar words.
    near: BTreeSet<String>,
}

/// A query.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Query {
    words: Vec<QueryWord>,
    /// The terms of joined words, as `hashmap::new`: documents with them are preferred.
    pairs: Vec<String>,
}

/// A term to look up, with the word of the query that it stands for.
#[derive(Clone, PartialEq, Debug)]
pub struct Lookup {
    /// The index of the word; for a pair the number of words plus its index.
    pub word: usize,
    /// The term with the letter of its tier.
    pub term: String,
    /// Whether the term is the beginning of terms.
    pub is_prefix: bool,
    /// What a document with the term scores.
    pub value: f64,
}

impl Query {
    /// Reads what a person typed. The last word may be unfinished unless white space follows it.
    pub fn of(typed: &str) -> Self {
        let found: Vec<Word<'_>> = words(typed).take(MAX_WORDS * 2).collect();
        let last_end = found.last().map(Word::end);
        let is_open_end = last_end.is_some_and(|end| end == typed.len());
        let all_stop = found.iter().all(|word| is_stop(&fold_word(word.text)));
        let mut query = Query::default();
        let mut gap = 0;
        for (at, word) in found.iter().enumerate() {
            if let Some(before) = at.checked_sub(1).and_then(|before| found.get(before)) {
                query.pairs.extend(pair(before, word));
            }
            let folded = fold_word(word.text).into_owned();
            let term = stem(&folded);
            let is_known = query.words.iter().any(|known| known.term == term);
            if term.is_empty() || is_known || (is_stop(&folded) && !all_stop) || query.words.len() >= MAX_WORDS {
                gap += 1;
                continue;
            }
            let is_last = at + 1 == found.len();
            query.words.push(QueryWord {
                is_open: is_last && is_open_end && folded.chars().count() >= MIN_PREFIX,
                folded,
                term,
                gap: std::mem::take(&mut gap),
                near: BTreeSet::new(),
            });
        }
        query
    }

    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The words that a document should contain.
    pub fn words(&self) -> &[QueryWord] {
        &self.words
    }

    /// The number of words and pairs.
    pub fn targets(&self) -> usize {
        self.words.len() + self.pairs.len()
    }

    /// The terms to look up first.
    pub fn lookups(&self) -> Vec<Lookup> {
        let mut lookups = Vec::new();
        for (at, word) in self.words.iter().enumerate() {
            push(&mut lookups, at, &word.term, false, 1.0);
            if word.is_open {
                push(&mut lookups, at, &word.folded, true, 0.6);
            }
        }
        for (at, pair) in self.pairs.iter().enumerate() {
            push(&mut lookups, self.words.len() + at, pair, false, 1.0);
        }
        lookups
    }

    /// The terms that the word at this index may have meant, if no document has it.
    pub fn guesses(&self, word: usize) -> BTreeSet<String> {
        let Some(word) = self.words.get(word) else {
            return BTreeSet::new();
        };
        let mut guesses = variants(&word.folded);
        if word.is_open {
            // "programmi" is no beginning of "program", the stem of "programming".
            let letters: Vec<char> = word.folded.chars().collect();
            let shortest = letters.len().saturating_sub(MAX_ENDING).max(4);
            guesses.extend(
                (shortest..letters.len()).filter_map(|end| Some(letters.get(..end)?.iter().collect::<String>())),
            );
        }
        guesses.extend(parts(&word.folded).into_iter().map(stem));
        guesses.remove(&word.term);
        guesses
    }

    /// Lets these terms stand for the word at this index, and returns what to look up for them.
    pub fn guess(&mut self, at: usize, terms: impl IntoIterator<Item = String>) -> Vec<Lookup> {
        let mut lookups = Vec::new();
        if let Some(word) = self.words.get_mut(at) {
            for term in terms {
                push(&mut lookups, at, &term, false, 0.5);
                word.near.insert(term);
            }
        }
        lookups
    }

    /// The index of the query's word that a word of a text is a form of.
    pub fn match_word(&self, word: &str) -> Option<usize> {
        let found = if self.begins(word) {
            self.match_folded(&fold_word(word))
        } else {
            None
        };
        if found.is_some() || !(word.contains('_') || word.chars().skip(1).any(char::is_uppercase)) {
            return found;
        }
        parts(word)
            .into_iter()
            .find_map(|part| self.match_folded(&fold_word(part)))
    }

    /// Whether a word begins with the letter of a word of the query. Stems begin with the letter of their word, so most words of a text
    /// need neither folding nor stemming.
    fn begins(&self, word: &str) -> bool {
        let Some(initial) = word.chars().next().and_then(|c| c.to_lowercase().next()) else {
            return false;
        };
        let initial = if initial == 'ё' { 'е' } else { initial };
        let begins = |term: &String| term.starts_with(initial);
        // A letter and an accent may compose another letter.
        let is_composed = word.chars().nth(1).is_some_and(is_mark);
        is_composed
            || self
                .words
                .iter()
                .any(|word| begins(&word.term) || word.near.iter().any(begins))
    }

    fn match_folded(&self, folded: &str) -> Option<usize> {
        let term = stem(folded);
        let exact = self.words.iter().position(|word| word.term == term);
        let open = || {
            self.words
                .iter()
                .position(|word| word.is_open && folded.starts_with(&word.folded))
        };
        let near = || self.words.iter().position(|word| word.near.contains(&term));
        exact.or_else(open).or_else(near)
    }

    /// The number of words between which the phrase continues: from the word before the one at this index to it.
    pub(crate) fn step(&self, word: usize) -> usize {
        self.words.get(word).map_or(1, |word| word.gap + 1)
    }
}

fn push(lookups: &mut Vec<Lookup>, word: usize, term: &str, is_prefix: bool, weight: f64) {
    lookups.extend(TIERS.iter().map(|(letter, _, value)| Lookup {
        word,
        term: format!("{letter}{term}"),
        is_prefix,
        value: value * weight,
    }));
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn terms(typed: &str) -> Vec<String> {
        let query = Query::of(typed);
        query.words().iter().map(|word| word.term.clone()).collect()
    }

    #[test]
    fn stop_words_are_required_only_without_others() {
        assert_eq!(terms("что такое владение и заимствование "), ["владен", "заимствован"]);
        assert_eq!(terms("to be or not to be"), ["to", "be", "or", "not"]);
        assert_eq!(terms("  ,  "), Vec::<String>::new());
    }

    #[test]
    fn the_last_word_is_open_until_a_space() {
        let open = |typed| {
            Query::of(typed)
                .words()
                .iter()
                .map(|word| word.is_open)
                .collect::<Vec<_>>()
        };
        assert_eq!(open("cargo test"), [false, true]);
        assert_eq!(open("cargo test "), [false, false]);
        assert_eq!(open("go"), [false], "too short");
    }

    #[test]
    fn an_identifier_requires_its_words_and_prefers_the_whole() {
        let query = Query::of("HashMap::new");
        assert_eq!(terms("HashMap::new"), ["hashmap", "new"]);
        assert_eq!(query.pairs, ["hashmap::new"]);
    }

    #[test]
    fn words_of_a_text_match_in_any_form() {
        let query = Query::of("владения замык");
        assert_eq!(query.match_word("Владением"), Some(0));
        assert_eq!(query.match_word("замыкания"), Some(1));
        assert_eq!(query.match_word("замок"), None);
        assert_eq!(Query::of("map ").match_word("HashMap"), Some(0));
    }

    #[test]
    fn an_unfinished_word_is_guessed_by_its_beginnings() {
        let query = Query::of("programmi");
        assert!(query.guesses(0).contains("program"));
    }

    proptest! {
        #[test]
        fn a_document_with_the_typed_words_matches_all_of_them(text in "[а-яa-z ]{1,40}") {
            let query = Query::of(&text);
            let matched: BTreeSet<usize> = words(&text).filter_map(|word| query.match_word(word.text)).collect();
            prop_assert_eq!(matched.len(), query.words().len());
        }

        #[test]
        fn any_text_is_a_query(text in "\\PC{0,255}") {
            let query = Query::of(&text);
            prop_assert!(query.words().len() <= MAX_WORDS);
            prop_assert!(query.lookups().iter().all(|lookup| lookup.word < query.targets()));
        }
    }
}
