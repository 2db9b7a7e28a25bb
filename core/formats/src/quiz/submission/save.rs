//! Answers of a running attempt as a learner saves them. They may break the rules of a submission, but not its sizes.

use std::collections::HashSet;

use serde_json::{Number, Value, json};
use uuid::Uuid;

use super::read::QuizAnswer;
use super::{AnswerDraft, AnswerFiles, Submission};
use crate::quiz::alias::Aliases;
use crate::quiz::answers::Answer;
use crate::quiz::fields::{At, Problems};
use crate::quiz::json::{Form, JsonReader, List, Schemas, Text, object};
use crate::quiz::limits::MAX_QUESTIONS;
use crate::quiz::model::{Kind, Quiz};
use crate::quiz::problem::Problem;
use crate::quiz::seconds::Seconds;
use kurso_base::error::Result;

/// Characters of a start ticket.
pub(super) const MAX_TICKET: usize = 200;
/// Ten years: an attempt without a time limit may have no end.
const MAX_SECONDS: u32 = 10 * 366 * 24 * 60 * 60;

/// Answers of a running attempt, not yet compared with its quiz.
#[derive(Clone, Debug, Default)]
pub struct AnswersSave {
    /// The ticket of the running attempt.
    pub ticket: String,
    /// Microseconds between the start of the attempt and the moment when the last of the answers was given.
    pub given_after: i64,
    pub answers: Vec<AnswerDraft>,
}

/// A changed answer; None removes the saved one.
#[derive(Clone, Debug, PartialEq)]
pub struct ChangedAnswer {
    pub question_id: Uuid,
    pub answer: Option<Answer>,
    /// How long the learner has spent on the question; None keeps what was saved.
    pub seconds: Option<Seconds>,
}

/// The schemas of saved answers; the save itself is `SaveAnswers`.
pub fn save_schemas() -> Schemas {
    let mut schemas = Schemas::default();
    SaveAnswers::add_schemas(&mut schemas);
    // Those of the answers are the same as in a submission.
    schemas.retain(|name, _| *name == "SaveAnswers");
    schemas
}

object! {
    /// Answers of a running attempt.
    SaveAnswers -> AnswersSave {
        /// The `ticket` of the running attempt.
        ticket: Text<MAX_TICKET>,
        /// Seconds between the start of the attempt and the moment when the last of these answers was given.
        elapsed_seconds: Elapsed,
        /// The changed answers, at most one per question. An empty answer removes the saved one.
        answers: List<QuizAnswer, MAX_QUESTIONS>,
    } => |_reader, _at| Some(AnswersSave {
        ticket: ticket.unwrap_or_default(),
        given_after: elapsed_seconds.unwrap_or_default(),
        answers: answers.unwrap_or_default(),
    });
}

/// Seconds, read as microseconds.
pub(super) struct Elapsed;

impl Form for Elapsed {
    type Value = i64;

    fn read(reader: &mut JsonReader, at: &At<'_>, value: &Value) -> Option<i64> {
        let seconds = reader.problems.number(at, value)?;
        let micros = seconds.as_f64().and_then(micros);
        if micros.is_none() {
            reader.problems.add(at, out_of_bounds(), value);
        }
        micros
    }

    fn schema() -> Value {
        json!({"type": "number", "format": "double", "minimum": 0, "maximum": MAX_SECONDS})
    }
}

/// None outside of the bounds.
fn micros(seconds: f64) -> Option<i64> {
    let is_within = (0.0..=f64::from(MAX_SECONDS)).contains(&seconds);
    #[expect(clippy::cast_possible_truncation, reason = "within the bounds")]
    is_within.then_some((seconds * 1e6) as i64)
}

fn out_of_bounds() -> kurso_base::values::Problem {
    Problem::OutOfBounds(0, MAX_SECONDS.into()).value_error()
}

/// The seconds as microseconds. Adds a problem if they are outside of the bounds.
pub(super) fn given_after(problems: &mut Problems, elapsed_seconds: f64) -> i64 {
    let given_after = micros(elapsed_seconds);
    if given_after.is_none() {
        let sent = Number::from_f64(elapsed_seconds).map_or(Value::Null, Value::Number);
        problems.add(&At::BODY.name("elapsed_seconds"), out_of_bounds(), &sent);
    }
    given_after.unwrap_or_default()
}

impl AnswersSave {
    /// Fails for a time outside of the bounds.
    pub fn new(ticket: String, elapsed_seconds: f64, answers: Vec<AnswerDraft>) -> Result<Self> {
        let mut problems = Problems::default();
        let given_after = given_after(&mut problems, elapsed_seconds);
        problems.finish(AnswersSave {
            ticket,
            given_after,
            answers,
        })
    }

    /// Reads the JSON of a save; fails with every value of a wrong type.
    pub fn read(body: &Value) -> Result<Self> {
        let mut reader = JsonReader::default();
        let read = SaveAnswers::read(&mut reader, &At::BODY, body);
        Ok(reader.problems.finish(read)?.unwrap_or_default())
    }

    /// The valid file ids in the answers.
    pub fn file_ids(&self) -> Vec<Uuid> {
        self.submission().file_ids()
    }

    /// The changes, with the ids of the quiz, which is one [without lengths](Quiz::without_lengths). Fails as [`Submission::answers`], and for a file
    /// of another `saved` answer.
    pub fn changes(
        &self,
        quiz: &Quiz,
        aliases: &Aliases<'_>,
        files: &AnswerFiles,
        saved: &[Answer],
    ) -> Result<Vec<ChangedAnswer>> {
        let submission = self.submission();
        let mut answers = submission.answers_beside(saved, quiz, aliases, files)?;
        let times = submission.times();
        let ids = submission.question_ids();
        Ok(ids
            .map(|question_id| {
                let found = answers.iter().position(|answer| answer.question_id == question_id);
                ChangedAnswer {
                    question_id,
                    answer: found.map(|at| answers.swap_remove(at)),
                    seconds: times.get(&question_id).copied(),
                }
            })
            .collect())
    }

    fn submission(&self) -> Submission {
        Submission {
            answers: self.answers.clone(),
            ..Submission::default()
        }
    }
}

impl Submission {
    /// The questions that it answers, also with an empty answer.
    pub fn question_ids(&self) -> impl Iterator<Item = Uuid> + '_ {
        let ids = self.answers.iter();
        ids.filter_map(|answer| Uuid::parse_str(&answer.question_id).ok())
    }

    /// The answers of a running attempt that ends with this submission: its answers take the place of the saved ones. Fails as
    /// [`Submission::answers`].
    pub fn answers_over(
        &self,
        mut saved: Vec<Answer>,
        quiz: &Quiz,
        aliases: &Aliases<'_>,
        files: &AnswerFiles,
    ) -> Result<Vec<Answer>> {
        let answers = self.answers_beside(&saved, quiz, aliases, files)?;
        for id in self.question_ids() {
            saved.retain(|answer| answer.question_id != id);
        }
        saved.extend(answers);
        Ok(saved)
    }

    /// As [`Submission::answers`], beside saved answers to other questions, whose files it may not have.
    fn answers_beside(
        &self,
        saved: &[Answer],
        quiz: &Quiz,
        aliases: &Aliases<'_>,
        files: &AnswerFiles,
    ) -> Result<Vec<Answer>> {
        let replaced: HashSet<Uuid> = self.question_ids().collect();
        let others = saved.iter().filter(|answer| !replaced.contains(&answer.question_id));
        let taken = others.flat_map(|answer| answer.given.files()).map(|file| file.id);
        self.answers_without(taken.collect(), quiz, aliases, files)
    }
}

impl Quiz {
    /// The quiz without bounds on the length of essays: one that is being written may have any.
    #[must_use]
    pub fn without_lengths(mut self) -> Self {
        for question in &mut self.questions {
            if let Kind::Essay {
                min_words, max_words, ..
            } = &mut question.kind
            {
                (*min_words, *max_words) = (None, None);
            }
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quiz::alias::QuizKey;
    use crate::quiz::answers::Given;
    use kurso_base::error::Error;

    fn quiz() -> Quiz {
        crate::quiz::read(&json!({"questions": [
            {"id": Uuid::from_u128(1), "type": "short_text", "prompt": "?", "accepted": ["x"]},
            {"id": Uuid::from_u128(2), "type": "essay", "prompt": "?", "min_words": 5},
            {"id": Uuid::from_u128(3), "type": "numeric", "prompt": "?", "value": 1},
        ]}))
        .unwrap()
    }

    fn text(id: u128, text: &str) -> Value {
        json!({"question_id": Uuid::from_u128(id), "text": text})
    }

    fn changes(answers: Value) -> Result<Vec<ChangedAnswer>> {
        let save = AnswersSave::read(&json!({"ticket": "t", "elapsed_seconds": 1.5, "answers": answers}))?;
        assert_eq!(save.given_after, 1_500_000);
        let key = QuizKey::new(b"0123456789abcdef0123456789abcdef").unwrap();
        save.changes(
            &quiz().without_lengths(),
            &key.aliases(Uuid::nil()),
            &AnswerFiles::new(),
            &[],
        )
    }

    #[test]
    fn an_empty_answer_removes_the_saved_one() {
        let read = changes(json!([text(1, "a"), {"question_id": Uuid::from_u128(3), "number": ""}])).unwrap();
        assert_eq!(read.len(), 2);
        assert_eq!(read[0].answer.as_ref().unwrap().given, Given::Text("a".into()));
        assert_eq!((read[1].question_id, &read[1].answer), (Uuid::from_u128(3), &None));
    }

    #[test]
    fn an_essay_that_is_being_written_may_be_short() {
        let read = changes(json!([{"question_id": Uuid::from_u128(2), "content": "so far"}])).unwrap();
        assert!(read[0].answer.is_some());
    }

    #[test]
    fn an_answer_that_does_not_fit_is_refused() {
        for answers in [
            json!([text(9, "a")]),
            json!([text(2, "a")]),
            json!([text(1, "a"), text(1, "b")]),
            json!([{"question_id": Uuid::from_u128(3), "number": "one"}]),
        ] {
            assert!(matches!(changes(answers), Err(Error::Invalid(_))));
        }
    }

    #[test]
    fn the_elapsed_time_has_bounds() {
        for seconds in [json!(-1), json!(1e9), json!("1"), json!(null)] {
            let body = json!({"ticket": "t", "elapsed_seconds": seconds, "answers": []});
            assert!(matches!(AnswersSave::read(&body), Err(Error::Invalid(_))), "{body}");
        }
        for seconds in [-0.1, f64::NAN, f64::INFINITY, 1e9] {
            assert!(AnswersSave::new("t".into(), seconds, vec![]).is_err(), "{seconds}");
        }
    }

    #[test]
    fn a_submission_replaces_the_saved_answers_that_it_names() {
        let saved = |id: u128, text: &str| Answer {
            question_id: Uuid::from_u128(id),
            given: Given::Text(text.into()),
        };
        let submission =
            Submission::read(&json!({"answers": [text(1, "new"), {"question_id": Uuid::from_u128(3), "number": ""}]}))
                .unwrap();
        let key = QuizKey::new(b"0123456789abcdef0123456789abcdef").unwrap();
        let before = vec![saved(1, "old"), saved(2, "kept"), saved(3, "removed")];
        let merged = submission
            .answers_over(before, &quiz(), &key.aliases(Uuid::nil()), &AnswerFiles::new())
            .unwrap();
        assert_eq!(merged, [saved(2, "kept"), saved(1, "new")]);
    }
}
