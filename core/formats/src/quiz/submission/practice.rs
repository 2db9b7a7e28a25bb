//! Reads the answer to a practice question.

use std::collections::HashSet;

use serde_json::Value;

use super::check::single_answer;
use super::open::OpenChecks;
use super::read::QuizAnswer;
use super::{AnswerDraft, AnswerFiles};
use crate::quiz::alias::Aliases;
use crate::quiz::answers::Answer;
use crate::quiz::fields::At;
use crate::quiz::json::{Form as _, JsonReader, Schemas, Whole, object};
use crate::quiz::model::Quiz;
use kurso_base::error::Result;

/// An answer to a practice question, not yet compared with its question.
#[derive(Clone, Debug, Default)]
pub struct PracticeReview {
    /// The number of earlier reviews of the question.
    pub reviews: i64,
    /// None if the learner does not remember.
    pub answer: Option<AnswerDraft>,
}

/// The schema of an answer to a practice question, `PracticeAnswer`. Those of the answers are the same as in a submission.
pub fn practice_schemas() -> Schemas {
    let mut schemas = Schemas::default();
    PracticeAnswer::add_schemas(&mut schemas);
    schemas.retain(|name, _| *name == "PracticeAnswer");
    schemas
}

object! {
    /// An answer to a practice question.
    PracticeAnswer -> PracticeReview {
        /// The `reviews` of the question as it was read.
        reviews: Whole<i64, 1, { i32::MAX as i64 }>,
        /// The answer. It may not be empty. Without it, the learner does not remember.
        answer: Option<QuizAnswer>,
    } => |_reader, _at| Some(PracticeReview {
        reviews: reviews.unwrap_or_default(),
        answer,
    });
}

impl PracticeReview {
    /// Reads the JSON of an answer; fails with every value of a wrong type.
    pub fn read(body: &Value) -> Result<Self> {
        let mut reader = JsonReader::default();
        let read = PracticeAnswer::read(&mut reader, &At::BODY, body);
        Ok(reader.problems.finish(read)?.unwrap_or_default())
    }

    /// The answer, with the ids of the quiz; None if the learner does not remember. Fails like [`super::Submission::answers`], and for an empty
    /// answer.
    pub fn answer(&self, quiz: &Quiz, aliases: &Aliases<'_>) -> Result<Option<Answer>> {
        let files = AnswerFiles::new();
        let answer = self.answer.as_ref();
        answer
            .map(|answer| single_answer(answer, quiz, aliases, OpenChecks::beside(HashSet::new(), &files)))
            .transpose()
    }
}
