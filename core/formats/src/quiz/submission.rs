//! A submission: the answers as a learner sends them, and how they become the answers to a quiz.

use std::collections::{HashMap, HashSet};

use serde_json::{Number, Value};
use uuid::Uuid;

use super::alias::{Aliases, Side};
use super::answers::{Answer, AnswerFile, FilledBlank, FilledWith, Given, Match, Quantity};
use super::check::{check_count, check_text};
use super::choice::Choice;
use super::fields::{At, Problems};
use super::json::{Form as _, JsonReader};
use super::model::{Blank, Filling, Kind, MAX_FILES, MAX_PARTS, MAX_QUESTIONS, Question, Quiz};
use super::number;
use super::problem::Problem;
use super::seconds::{Seconds, Times};
use super::units::Unit;
use super::zones::{Coordinate, MarkedPlace};
use kurso_base::error::Result;
use open::OpenChecks;
use read::SubmitQuiz;
pub use read::submission_schemas;
pub use save::{AnswersSave, ChangedAnswer, save_schemas};
pub use work::{WorkDraft, work_schemas};

mod hand_in;
mod open;
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

/// Compares answers with their questions.
struct Comparison<'a> {
    open: OpenChecks<'a>,
    aliases: &'a Aliases<'a>,
}

impl Comparison<'_> {
    fn answer(
        &mut self,
        at: &At<'_>,
        draft: &AnswerDraft,
        questions: &HashMap<Uuid, &Question>,
        seen: &mut HashSet<Uuid>,
    ) -> Option<Answer> {
        let id_at = at.name("question_id");
        let question_id = self.open.problems.uuid_text(&id_at, &draft.question_id)?;
        let Some(question) = questions.get(&question_id) else {
            self.open
                .refuse(&id_at, "unknown_question", Problem::UnknownQuestion, &draft.question_id);
            return None;
        };
        if !seen.insert(question_id) {
            self.open
                .refuse(&id_at, "answered_twice", Problem::AnsweredTwice, &draft.question_id);
            return None;
        }
        if let Some(seconds) = &draft.seconds {
            let rule = Seconds::new(seconds)
                .map(|_| ())
                .ok_or_else(|| Problem::BadSeconds.value_error());
            self.open
                .problems
                .holds(&at.name("seconds"), rule, &Value::Number(seconds.clone()));
        }
        let given = self.given(at, draft, question)?;
        Some(Answer { question_id, given })
    }

    /// None when nothing was answered, or the answer does not fit.
    fn given(&mut self, at: &At<'_>, draft: &AnswerDraft, question: &Question) -> Option<Given> {
        let unit = self.unit(&at.name("unit"), draft.unit.as_deref(), question.kind.units());
        let field = match question.kind {
            Kind::SingleChoice { .. } | Kind::MultipleChoice { .. } => "option_ids",
            Kind::ShortText { .. } => "text",
            Kind::Numeric { .. } | Kind::Formula { .. } => "number",
            Kind::Matching { .. } => "pairs",
            Kind::Ordering { .. } => "order",
            Kind::FillBlank { .. } => "blanks",
            Kind::Hotspot { .. } => "places",
            Kind::Essay { .. } => "content",
            Kind::FileUpload { .. } => "file_ids",
            Kind::HandIn { .. } => return self.open.hand_in(at, draft, &question.kind),
            Kind::Draw { .. } => return None, // attempts have the drawn questions instead
        };
        let given = draft.fields().into_iter().filter(|(_, is_given)| *is_given);
        let given: Vec<&str> = given.map(|(name, _)| name).collect();
        if let (false, Some(other)) = (given.contains(&field), given.first()) {
            return self.open.refuse_type(&at.name(other), field);
        }
        let at = at.name(field);
        match &question.kind {
            Kind::HandIn { .. } | Kind::Draw { .. } => None, // has several fields, or none
            Kind::SingleChoice { options } => {
                let chosen = self.chosen(&at, draft.option_ids.as_deref()?, &ids_of(options));
                if chosen.len() > 1 {
                    let message = Problem::OnlyOneChoice.message();
                    self.open.problems.refuse(&at, "too_long", message, &Value::Null);
                }
                Some(Given::Options(chosen))
            }
            Kind::MultipleChoice { options, .. } => {
                let chosen = self.chosen(&at, draft.option_ids.as_deref()?, &ids_of(options));
                Some(Given::Options(chosen))
            }
            Kind::ShortText { .. } => self.text(&at, draft.text.as_deref()?).map(Given::Text),
            Kind::Numeric { .. } | Kind::Formula { .. } => self.number(&at, draft.number.as_deref()?, unit),
            Kind::Matching { pairs } => {
                let ids: Vec<Uuid> = pairs.iter().map(|pair| pair.id).collect();
                let matches = self.matches(&at, draft.pairs.as_deref()?, question.id, &ids);
                Some(Given::Pairs(matches))
            }
            Kind::Ordering { items } => {
                let aliases = self.aliases(question.id, items.iter().map(|item| item.id), Side::Item);
                Some(Given::Order(self.chosen(&at, draft.order.as_deref()?, &aliases)))
            }
            Kind::FillBlank { blanks, .. } => {
                let filled = self.blanks(&at, draft.blanks.as_deref()?, blanks);
                Some(Given::Blanks(filled))
            }
            Kind::Hotspot { .. } => {
                let places = self.places(&at, draft.places.as_deref()?, question.kind.max_places());
                (!places.is_empty()).then_some(Given::Places(places))
            }
            Kind::Essay {
                min_words, max_words, ..
            } => self
                .open
                .essay(&at, draft.content.as_ref()?, *min_words, *max_words)
                .map(Given::Essay),
            Kind::FileUpload {
                max_files, extensions, ..
            } => {
                let files = self
                    .open
                    .uploaded(&at, draft.file_ids.as_deref()?, *max_files, extensions);
                (!files.is_empty()).then_some(Given::Files(files))
            }
        }
    }

    fn text(&mut self, at: &At<'_>, text: &str) -> Option<String> {
        let rule = check_text(text, MAX_TEXT);
        self.open
            .problems
            .holds(at, rule, &text.into())
            .then(|| text.to_owned())
    }

    /// The unit of a number. None without one, or if the question has no such unit.
    fn unit(&mut self, at: &At<'_>, text: Option<&str>, units: &[Unit]) -> Option<String> {
        let name = text?.trim();
        let is_known = units.iter().any(|unit| unit.name == name);
        if !is_known && !name.is_empty() {
            let problem = match units {
                [] => Problem::NoUnits,
                _ => Problem::UnknownUnit,
            };
            self.open.refuse(at, "unknown_unit", problem, name);
        }
        is_known.then(|| name.to_owned())
    }

    fn number(&mut self, at: &At<'_>, text: &str, unit: Option<String>) -> Option<Given> {
        let written = self.text(at, text)?.trim().to_owned();
        if written.is_empty() {
            return None;
        }
        if number::decimal(&written).is_none() {
            self.open.refuse(at, "float_parsing", Problem::UnreadableNumber, text);
        }
        Some(Given::Number(Quantity { number: written, unit }))
    }

    fn places(&mut self, at: &At<'_>, drafts: &[PlaceDraft], max: usize) -> Vec<MarkedPlace> {
        if drafts.len() > max {
            let message = Problem::ManyPlaces(max).message();
            self.open.problems.refuse(at, "too_long", message, &Value::Null);
            return vec![];
        }
        let mut coordinate = |at: &At<'_>, sent: &Number| {
            let coordinate = Coordinate::new(sent);
            if coordinate.is_none() {
                let problem = Problem::BadCoordinate.value_error();
                self.open.problems.add(at, problem, &Value::Number(sent.clone()));
            }
            coordinate
        };
        let mut place = |(i, draft): (usize, &PlaceDraft)| {
            let at = at.index(i);
            let (x, y) = (coordinate(&at.name("x"), &draft.x), coordinate(&at.name("y"), &draft.y));
            Some(MarkedPlace { x: x?, y: y? })
        };
        drafts.iter().enumerate().filter_map(&mut place).collect()
    }

    fn matches(&mut self, at: &At<'_>, drafts: &[MatchDraft], question: Uuid, ids: &[Uuid]) -> Vec<Match> {
        let left = self.aliases(question, ids.iter().copied(), Side::Left);
        let right = self.aliases(question, ids.iter().copied(), Side::Right);
        let mut seen = HashSet::new();
        let mut matches = Vec::new();
        for (i, draft) in self.entries(at, drafts) {
            let at = at.index(i);
            let left_id = self.known_id(&at.name("left_id"), &draft.left_id, &left);
            let right_id = self.known_id(&at.name("right_id"), &draft.right_id, &right);
            let (Some(left_id), Some(right_id)) = (left_id, right_id) else {
                continue;
            };
            self.open
                .refuse_repeated(&at.name("left_id"), seen.insert(left_id), &Value::Null);
            matches.push(Match { left_id, right_id });
        }
        matches
    }

    fn blanks(&mut self, at: &At<'_>, drafts: &[FilledBlankDraft], blanks: &[Blank]) -> Vec<FilledBlank> {
        let ids: Known = blanks.iter().map(|blank| (blank.id, blank.id)).collect();
        let mut seen = HashSet::new();
        let mut filled = Vec::new();
        for (i, draft) in self.entries(at, drafts) {
            let at = at.index(i);
            let Some(blank_id) = self.known_id(&at.name("blank_id"), &draft.blank_id, &ids) else {
                continue;
            };
            self.open
                .refuse_repeated(&at.name("blank_id"), seen.insert(blank_id), &Value::Null);
            let blank = blanks.iter().find(|blank| blank.id == blank_id);
            let with = blank.and_then(|blank| self.filled(&at, draft, &blank.filling));
            filled.extend(with.map(|with| FilledBlank { blank_id, with }));
        }
        filled
    }

    fn filled(&mut self, at: &At<'_>, draft: &FilledBlankDraft, filling: &Filling) -> Option<FilledWith> {
        match (filling, &draft.text, &draft.option_id) {
            (Filling::Accepted(_), Some(text), _) => self.text(&at.name("text"), text).map(FilledWith::Text),
            (Filling::Options(options), _, Some(id)) => self
                .known_id(&at.name("option_id"), id, &ids_of(options))
                .map(FilledWith::OptionId),
            (_, None, None) => None,
            (Filling::Accepted(_), ..) => self.open.refuse_type(&at.name("option_id"), "text"),
            (Filling::Options(_), ..) => self.open.refuse_type(&at.name("text"), "option_id"),
        }
    }

    /// A list of ids, none of them twice.
    fn chosen(&mut self, at: &At<'_>, ids: &[String], known: &Known) -> Vec<Uuid> {
        let mut chosen = Vec::new();
        for (i, text) in self.entries(at, ids) {
            let at = at.index(i);
            if let Some(id) = self.known_id(&at, text, known) {
                self.open
                    .refuse_repeated(&at, !chosen.contains(&id), &text.as_str().into());
                chosen.push(id);
            }
        }
        chosen
    }

    /// The entries of a list with their indexes; none when there are too many.
    fn entries<'d, T>(&mut self, at: &At<'_>, list: &'d [T]) -> impl Iterator<Item = (usize, &'d T)> + use<'d, T> {
        let rule = check_count(list.len(), MAX_PARTS);
        let fits = self.open.problems.holds(at, rule, &Value::Null);
        list.iter().filter(move |_| fits).enumerate()
    }

    /// The id in the quiz for one that the learner knows.
    fn known_id(&mut self, at: &At<'_>, text: &str, known: &Known) -> Option<Uuid> {
        let id = self.open.problems.uuid_text(at, text)?;
        let own = known.get(&id).copied();
        if own.is_none() {
            self.open.refuse(at, "unknown_id", Problem::UnknownChoice, text);
        }
        own
    }

    fn aliases(&self, question: Uuid, ids: impl Iterator<Item = Uuid>, side: Side) -> Known {
        ids.map(|id| (self.aliases.alias(question, id, side), id)).collect()
    }
}

/// The ids that a learner may name, and the ids of the quiz that they stand for.
type Known = HashMap<Uuid, Uuid>;

fn ids_of(options: &[Choice]) -> Known {
    options.iter().map(|option| (option.id, option.id)).collect()
}

#[cfg(test)]
mod tests;
