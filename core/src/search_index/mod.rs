//! Writes the full-text index: one document for the text of each page, one for the prompts of its quiz, one for its draft, one for each bank
//! question. `docs/search.md` describes it.
//!
//! A save writes its documents in its own transaction. What was stored otherwise, by an older release, a restored backup or a move, is
//! found by its version and indexed by [`work`].

mod rebuild;
pub(crate) mod texts;
mod write;

pub use rebuild::{rebuild, update, work};
pub(crate) use write::{
    PageText, QuestionText, forget_draft, index_page, index_pages, index_questions, indexed_pages, indexed_questions,
    next_pages, next_questions, page_texts, reindex_page, reindex_question,
};
