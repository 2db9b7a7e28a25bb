//! Writes the full-text index: one document for the text of each page, one for the prompts of its quiz, one for its draft, one for each bank
//! question. `docs/search.md` describes it.
//!
//! A save marks its page as pending in its own transaction, and [`work`] indexes it a few seconds later ([`pending`]). Other changes write their
//! documents in their transactions. What was stored otherwise, by an older release, a restored backup or a move, is found by its version, and then
//! [`work`] indexes it in the same way.

mod pending;
mod rebuild;
pub(crate) mod texts;
mod write;

pub(crate) use pending::{PendingDocuments, PendingPages, mark_pending, reindex_page};
pub use rebuild::{rebuild, update, work};
pub(crate) use write::{
    PageText, QuestionText, index_pages, index_questions, indexed_pages, indexed_questions, next_pages, next_questions,
    page_texts, reindex_question,
};
