//! Practice: questions that a learner missed in a quiz come again by spaced repetition, across courses, and never count in grades
//! ([decision 125](../../../../docs/decisions/0125-practice.md)).
//!
//! A card is a question of one learner. The first attempt in which the answer is not right makes it; each later answer, in an attempt or in
//! practice, is a review of it. The server keeps the key until the question is answered, and asks only questions whose answers the quiz shows to
//! the learner anyway.

mod answer;
mod fsrs;
mod question;
mod queue;
mod record;

pub use answer::{Practised, SetPractice, answer, set};
pub use queue::{DueQuestion, Practice, queue};
pub(super) use record::record;
