//! Full-text search without its storage: words and their stems, the terms of a document, queries, scores and snippets. All functions are
//! pure, so that both databases answer alike. `docs/search.md` describes the whole.

mod document;
mod matches;
mod query;
mod score;
mod snippet;
mod stem;
mod stop;
mod typos;
mod words;

pub use document::{ANALYSIS, DocumentTerms, Field, Passage, TIERS, terms_of};
pub use matches::{Match, PassageMatches, matches, words_found};
pub use query::{Lookup, Query, QueryWord};
pub use score::{Found, Scores, closeness};
pub use snippet::{Part, Snippet, snippets};
pub use stem::{fold_word, stem};
pub use typos::variants;
pub use words::{Joint, Word, words};
