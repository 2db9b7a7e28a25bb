//! The answer to a question that its learner checks during a running attempt.

use std::collections::{HashMap, HashSet};

use serde_json::Value;
use uuid::Uuid;

use super::comparison::Comparison;
use super::open::OpenChecks;
use super::read::QuizAnswer;
use super::save::{Elapsed, MAX_TICKET, given_after};
use super::{AnswerDraft, AnswerFiles, Submission};
use crate::quiz::alias::Aliases;
use crate::quiz::answers::Answer;
use crate::quiz::fields::{At, Problems};
use crate::quiz::json::{Form, JsonReader, Schemas, Text, object};
use crate::quiz::limits::MAX_FILES;
use crate::quiz::model::{Question, Quiz};
use crate::quiz::problem::Problem;
use crate::quiz::seconds::Seconds;
use kurso_base::error::{Error, Result};

/// The answer to check, not yet compared with its question.
#[derive(Clone, Debug, Default)]
pub struct AnswerCheck {
    /// The ticket of the running attempt.
    pub ticket: String,
    /// Microseconds from the start of the attempt to the learner's request for the check.
    pub given_after: i64,
    pub answer: AnswerDraft,
}

/// The schema of a check, `CheckAnswer`. Those of the answers are the same as in a submission.
pub fn check_schemas() -> Schemas {
    let mut schemas = Schemas::default();
    CheckAnswer::add_schemas(&mut schemas);
    schemas.retain(|name, _| *name == "CheckAnswer");
    schemas
}

object! {
    /// An answer of a running attempt to check.
    CheckAnswer -> AnswerCheck {
        /// The `ticket` of the running attempt.
        ticket: Text<MAX_TICKET>,
        /// Seconds from the start of the attempt to the learner's request for the check.
        elapsed_seconds: Elapsed,
        /// The answer, which is fixed from then on. It may not be empty.
        answer: QuizAnswer,
    } => |_reader, _at| Some(AnswerCheck {
        ticket: ticket.unwrap_or_default(),
        given_after: elapsed_seconds.unwrap_or_default(),
        answer: answer.unwrap_or_default(),
    });
}

impl AnswerCheck {
    /// Fails for a time outside of the bounds.
    pub fn new(ticket: String, elapsed_seconds: f64, answer: AnswerDraft) -> Result<Self> {
        let mut problems = Problems::default();
        let given_after = given_after(&mut problems, elapsed_seconds);
        problems.finish(AnswerCheck {
            ticket,
            given_after,
            answer,
        })
    }

    /// Reads the JSON of a check; fails with every value of a wrong type.
    pub fn read(body: &Value) -> Result<Self> {
        let mut reader = JsonReader::default();
        let read = CheckAnswer::read(&mut reader, &At::BODY, body);
        Ok(reader.problems.finish(read)?.unwrap_or_default())
    }

    /// The id of the question; None if it is malformed.
    pub fn question_id(&self) -> Option<Uuid> {
        Uuid::parse_str(&self.answer.question_id).ok()
    }

    /// The valid file ids in the answer.
    pub fn file_ids(&self) -> Vec<Uuid> {
        let ids = self.answer.file_ids.iter().flatten();
        // One more than the limit is enough to tell that there are too many.
        let ids = ids.filter_map(|id| Uuid::parse_str(id).ok());
        ids.take(MAX_FILES as usize + 1).collect()
    }

    /// How long the learner has spent on the question, if that is known.
    pub fn seconds(&self) -> Option<Seconds> {
        Seconds::new(self.answer.seconds.as_ref()?)
    }

    /// The answer, with the ids of the quiz. Fails like [`Submission::answers`], and for an empty answer or a file that belongs to another `saved`
    /// answer.
    pub fn answer(&self, quiz: &Quiz, aliases: &Aliases<'_>, files: &AnswerFiles, saved: &[Answer]) -> Result<Answer> {
        let own = self.question_id();
        let others = saved.iter().filter(|answer| Some(answer.question_id) != own);
        let taken = others.flat_map(|answer| answer.given.files()).map(|file| file.id);
        single_answer(&self.answer, quiz, aliases, OpenChecks::beside(taken.collect(), files))
    }
}

/// An answer that is read on its own, with the ids of the quiz. Fails like [`Submission::answers`], and for an empty answer.
pub(super) fn single_answer(
    draft: &AnswerDraft,
    quiz: &Quiz,
    aliases: &Aliases<'_>,
    open: OpenChecks<'_>,
) -> Result<Answer> {
    let mut comparison = Comparison { open, aliases };
    let questions: HashMap<Uuid, &Question> = quiz.asked().map(|q| (q.id, q)).collect();
    let at = At::BODY.name("answer");
    let answer = comparison.answer(&at, draft, &questions, &mut HashSet::new());
    let answer = comparison.open.problems.finish(answer)?;
    if let Some(answer) = answer.filter(|answer| !answer.given.is_blank()) {
        return Ok(answer);
    }
    let mut problems = Problems::default();
    let message = Problem::NothingToCheck.message();
    problems.refuse(&at, "nothing_to_check", message, &Value::Null);
    Err(Error::Invalid(problems.into_errors()))
}

impl Submission {
    /// The submission without its answers to these questions.
    #[must_use]
    pub fn without(mut self, questions: &HashSet<Uuid>) -> Self {
        self.answers.retain(|answer| {
            let id = Uuid::parse_str(&answer.question_id);
            !id.is_ok_and(|id| questions.contains(&id))
        });
        self
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::quiz::alias::QuizKey;
    use crate::quiz::answers::Given;
    use crate::quiz::grading::grade;
    use crate::quiz::samples;

    fn quiz() -> Quiz {
        crate::quiz::read(&json!({"checking": "each_question", "questions": [
            {"id": Uuid::from_u128(1), "type": "short_text", "prompt": "?", "accepted": ["x"]},
            {"id": Uuid::from_u128(2), "type": "essay", "prompt": "?", "min_words": 2},
            {"id": Uuid::from_u128(3), "type": "numeric", "prompt": "?", "value": 1},
            {"id": Uuid::from_u128(4), "type": "multiple_choice", "prompt": "?", "options": [{"id": Uuid::from_u128(40), "content": "a", "correct": true}]},
        ]}))
        .unwrap()
    }

    fn checked(answer: &Value) -> Result<Answer> {
        let check = AnswerCheck::read(&json!({"ticket": "t", "elapsed_seconds": 2, "answer": answer}))?;
        assert_eq!(check.given_after, 2_000_000);
        let key = QuizKey::new(b"0123456789abcdef0123456789abcdef").unwrap();
        check.answer(&quiz(), &key.aliases(Uuid::nil()), &AnswerFiles::new(), &[])
    }

    fn id(number: u128) -> Uuid {
        Uuid::from_u128(number)
    }

    #[test]
    fn an_empty_answer_is_not_checked() {
        for answer in [
            json!({"question_id": id(1)}),
            json!({"question_id": id(1), "text": " "}),
            json!({"question_id": id(2), "content": ""}),
            json!({"question_id": id(3), "number": ""}),
            json!({"question_id": id(4), "option_ids": []}),
        ] {
            let Err(Error::Invalid(errors)) = checked(&answer) else {
                panic!("{answer}")
            };
            let found: Vec<_> = errors.iter().map(|error| (error.loc.len(), error.kind)).collect();
            assert_eq!(found, [(2, "nothing_to_check")], "{answer}");
        }
    }

    #[test]
    fn an_answer_has_to_fit_its_question_and_its_length() {
        let right = checked(&json!({"question_id": id(1), "text": "x"})).unwrap();
        assert_eq!(right.given, Given::Text("x".into()));
        for answer in [
            json!({"question_id": id(9), "text": "x"}),
            json!({"question_id": id(1), "number": "1"}),
            json!({"question_id": id(2), "content": "short"}),
            json!({"question_id": id(3), "number": "one"}),
        ] {
            assert!(matches!(checked(&answer), Err(Error::Invalid(_))), "{answer}");
        }
    }

    #[test]
    fn a_submission_leaves_out_what_is_fixed() {
        let answers = json!([{"question_id": id(1), "text": "y"}, {"question_id": id(3), "number": "1"}]);
        let submission = Submission::read(&json!({"answers": answers})).unwrap();
        let left = submission.without(&HashSet::from([id(1)]));
        assert_eq!(left.question_ids().collect::<Vec<_>>(), [id(3)]);
    }

    proptest! {
        /// A question checked on its own gets the same points as in the whole quiz.
        #[test]
        fn a_question_alone_is_graded_as_in_its_quiz(
            quiz in samples::quiz(), bits in proptest::collection::vec(any::<u8>(), 1..20),
        ) {
            let answers = samples::some_answers(&quiz, &bits);
            let whole = grade(&quiz, &answers);
            for expected in whole.questions {
                let only = quiz.only(expected.question_id).unwrap();
                let own: Vec<Answer> = answers.iter().filter(|one| one.question_id == expected.question_id).cloned().collect();
                prop_assert_eq!(grade(&only, &own).questions, vec![expected]);
            }
        }
    }
}
