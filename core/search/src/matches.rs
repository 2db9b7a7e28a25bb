//! Where the words of a query stand in a text.

use std::collections::BTreeSet;

use crate::document::Passage;
use crate::query::Query;
use crate::words::words;

/// A word of a passage that is a form of a word of the query.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Match {
    /// The index of the word in the passage.
    pub(crate) at: usize,
    /// Where it starts and ends, in bytes.
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// The index of the query's word.
    pub(crate) word: usize,
}

/// The matches of a passage, in order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PassageMatches {
    pub(crate) found: Vec<Match>,
    /// The number of words in the passage.
    pub(crate) words: usize,
}

/// The number of words of the query that passages have.
pub fn words_found(matches: &[PassageMatches]) -> usize {
    let words = matches.iter().flat_map(|passage| &passage.found);
    words.map(|found| found.word).collect::<BTreeSet<_>>().len()
}

/// The matches of each passage.
pub fn matches(query: &Query, passages: &[Passage]) -> Vec<PassageMatches> {
    let of = |passage: &Passage| {
        let mut matches = PassageMatches::default();
        for word in words(&passage.text) {
            if let Some(index) = query.match_word(word.text) {
                matches.found.push(Match {
                    at: matches.words,
                    start: word.start,
                    end: word.end(),
                    word: index,
                });
            }
            matches.words += 1;
        }
        matches
    };
    passages.iter().map(of).collect()
}
