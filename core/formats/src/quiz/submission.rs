//! A submission: the answers as a learner sends them, and how they become the answers to a quiz.

use std::collections::{HashMap, HashSet};

use serde_json::{Number, Value};
use uuid::Uuid;

use super::alias::Aliases;
use super::answers::{Answer, AnswerFile};
use super::check::check_count;
use super::fields::{At, Problems};
use super::json::{Form as _, JsonReader};
use super::limits::{MAX_FILES, MAX_QUESTIONS};
use super::model::{Question, Quiz};
use super::problem::Problem;
use super::seconds::{Seconds, Times};
pub use check::{AnswerCheck, check_schemas};
use comparison::Comparison;
use kurso_base::error::Result;
use open::OpenChecks;
pub use practice::{PracticeReview, practice_schemas};
use read::SubmitQuiz;
pub use read::submission_schemas;
pub use save::{AnswersSave, ChangedAnswer, save_schemas};
pub use work::{WorkDraft, work_schemas};

mod check;
mod comparison;
mod hand_in;
mod open;
mod practice;
mod read;
mod save;
mod work;

/// Characters of a text or a number that a learner writes.
pub const MAX_TEXT: usize = 1000;
/// The maximum size of the JSON of an essay in bytes.
pub const MAX_ESSAY_BYTES: usize = 256 * 1024;
/// The maximum number of files in all answers to a quiz.
const MAX_SUBMITTED_FILES: usize = MAX_QUESTIONS * MAX_FILES as usize;

/// Answers that are not yet compared with the quiz.
#[derive(Clone, Debug, Default)]
pub struct Submission {
    pub answers: Vec<AnswerDraft>,
    /// Identifies the submission: sent again, it returns the same attempt.
    pub submission_id: Option<Uuid>,
    /// The version of the page that the learner has read.
    pub version: Option<i64>,
    /// The number of the attempt whose questions the learner has answered.
    pub attempt_no: Option<i64>,
}

/// An answer whose type is not yet compared with the question. Ids are those that the learner knows, as they were sent.
#[derive(Clone, Debug, Default)]
pub struct AnswerDraft {
    pub question_id: String,
    pub option_ids: Option<Vec<String>>,
    pub text: Option<String>,
    pub number: Option<String>,
    /// The unit of the number.
    pub unit: Option<String>,
    pub pairs: Option<Vec<MatchDraft>>,
    pub order: Option<Vec<String>>,
    pub blanks: Option<Vec<FilledBlankDraft>>,
    pub content: Option<Value>,
    pub file_ids: Option<Vec<String>>,
    pub links: Option<Vec<String>>,
    pub places: Option<Vec<PlaceDraft>>,
    /// Seconds that the learner has spent on the question.
    pub seconds: Option<Number>,
}

/// A marked place whose coordinates are not yet checked.
#[derive(Clone, Debug)]
pub struct PlaceDraft {
    pub x: Number,
    pub y: Number,
}

#[derive(Clone, Debug)]
pub struct MatchDraft {
    pub left_id: String,
    pub right_id: String,
}

#[derive(Clone, Debug)]
pub struct FilledBlankDraft {
    pub blank_id: String,
    pub text: Option<String>,
    pub option_id: Option<String>,
}

impl Submission {
    /// Fails when the version or the number of the attempt is below 1.
    pub fn new(
        answers: Vec<AnswerDraft>,
        submission_id: Option<Uuid>,
        version: Option<i64>,
        attempt_no: Option<i64>,
    ) -> Result<Self> {
        let mut problems = Problems::default();
        for (name, number) in [("version", version), ("attempt_no", attempt_no)] {
            if let Some(number) = number.filter(|number| *number < 1) {
                let problem = Problem::OutOfBounds(1, i64::MAX).value_error();
                problems.add(&At::BODY.name(name), problem, &number.into());
            }
        }
        problems.finish(Submission {
            answers,
            submission_id,
            version,
            attempt_no,
        })
    }

    /// Reads the JSON of a submission; fails with every value of a wrong type.
    pub fn read(body: &Value) -> Result<Self> {
        let mut reader = JsonReader::default();
        let read = SubmitQuiz::read(&mut reader, &At::BODY, body);
        Ok(reader.problems.finish(read)?.unwrap_or_default())
    }

    /// The valid file ids in the answers, at most as many as a quiz accepts. Not yet compared with the quiz.
    pub fn file_ids(&self) -> Vec<Uuid> {
        let ids = self.answers.iter().filter_map(|answer| answer.file_ids.as_deref());
        let ids = ids.flatten().filter_map(|id| Uuid::parse_str(id).ok());
        ids.take(MAX_SUBMITTED_FILES).collect()
    }

    /// The times that the answers name and that are within their bounds.
    pub fn times(&self) -> Times {
        let times = self.answers.iter().filter_map(|answer| {
            let id = Uuid::parse_str(&answer.question_id).ok()?;
            Some((id, Seconds::new(answer.seconds.as_ref()?)?))
        });
        times.collect()
    }

    /// The answers, with the ids of the quiz. Refuses an answer to an unknown question, a second one to the same
    /// question, one of another type, and one with an id that the question does not have. `files` are those that the learner has uploaded
    /// for the quiz, at least those of [`Submission::file_ids`].
    pub fn answers(&self, quiz: &Quiz, aliases: &Aliases<'_>, files: &AnswerFiles) -> Result<Vec<Answer>> {
        self.answers_without(HashSet::new(), quiz, aliases, files)
    }

    /// As [`Submission::answers`]; also refuses the files `taken`.
    fn answers_without(
        &self,
        taken: HashSet<Uuid>,
        quiz: &Quiz,
        aliases: &Aliases<'_>,
        files: &AnswerFiles,
    ) -> Result<Vec<Answer>> {
        let mut comparison = Comparison {
            open: OpenChecks::beside(taken, files),
            aliases,
        };
        let questions: HashMap<Uuid, &Question> = quiz.asked().map(|q| (q.id, q)).collect();
        let at = At::BODY.name("answers");
        let mut seen = HashSet::new();
        let mut answers = Vec::new();
        let rule = check_count(self.answers.len(), MAX_QUESTIONS);
        if comparison.open.problems.holds(&at, rule, &Value::Null) {
            for (i, draft) in self.answers.iter().enumerate() {
                answers.extend(comparison.answer(&at.index(i), draft, &questions, &mut seen));
            }
            comparison.open.require_hand_in(&at, quiz, &answers);
        }
        comparison.open.problems.finish(answers)
    }
}

impl AnswerDraft {
    /// The names of the fields, and which of them are given.
    fn fields(&self) -> [(&'static str, bool); 10] {
        [
            ("option_ids", self.option_ids.is_some()),
            ("text", self.text.is_some()),
            ("number", self.number.is_some()),
            ("pairs", self.pairs.is_some()),
            ("order", self.order.is_some()),
            ("blanks", self.blanks.is_some()),
            ("content", self.content.is_some()),
            ("file_ids", self.file_ids.is_some()),
            ("links", self.links.is_some()),
            ("places", self.places.is_some()),
        ]
    }
}

/// The files of a learner by their ids.
pub type AnswerFiles = HashMap<Uuid, AnswerFile>;

/// Fails unless the file name has one of the extensions, or there are none.
pub fn require_kind(filename: &str, extensions: &[String]) -> std::result::Result<(), Problem> {
    let extension = filename.rsplit_once('.').map(|(_, end)| end.to_lowercase());
    match extensions.is_empty() || extension.is_some_and(|extension| extensions.contains(&extension)) {
        true => Ok(()),
        false => Err(Problem::WrongFileKind(extensions.to_vec())),
    }
}

#[cfg(test)]
mod tests;
