//! A learner's answers: reading them from a submission, and the form in which an attempt stores them.

use std::collections::{HashMap, HashSet};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::alias::{Side, Veil};
use super::fields::{At, Problems, given};
use super::model::{Blank, Choice, Filling, Kind, MAX_PARTS, MAX_QUESTIONS, Question, Quiz};
use super::number;
use super::problem::Problem;
use kurso_base::error::{Error, Result};

/// Characters of a text or a number a learner writes.
pub const MAX_TEXT: usize = 1000;

/// The answer to one question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    pub question_id: Uuid,
    #[serde(flatten)]
    pub given: Given,
}

/// What was answered, by the type of the question. Also the shape of a right answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Given {
    #[serde(rename = "option_ids")]
    Options(Vec<Uuid>),
    #[serde(rename = "text")]
    Text(String),
    /// As it was written.
    #[serde(rename = "number")]
    Number(String),
    #[serde(rename = "pairs")]
    Pairs(Vec<Match>),
    #[serde(rename = "order")]
    Order(Vec<Uuid>),
    #[serde(rename = "blanks")]
    Blanks(Vec<FilledBlank>),
}

/// Two sides put together. Kept with the ids of pairs, shown to learners with their aliases.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Match {
    pub left_id: Uuid,
    pub right_id: Uuid,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FilledBlank {
    pub blank_id: Uuid,
    #[serde(flatten)]
    pub with: FilledWith,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FilledWith {
    Text(String),
    OptionId(Uuid),
}

impl Given {
    /// The same with the ids a learner knows.
    pub fn veiled(self, veil: &Veil<'_>, question: Uuid) -> Self {
        match self {
            Given::Pairs(pairs) => Given::Pairs(
                pairs
                    .into_iter()
                    .map(|pair| Match {
                        left_id: veil.alias(question, pair.left_id, Side::Left),
                        right_id: veil.alias(question, pair.right_id, Side::Right),
                    })
                    .collect(),
            ),
            Given::Order(items) => {
                let alias = |item| veil.alias(question, item, Side::Item);
                Given::Order(items.into_iter().map(alias).collect())
            }
            other => other,
        }
    }
}

/// The body of a submission, its answers not yet compared with the quiz.
#[derive(Debug)]
pub struct Submission<'a> {
    answers: &'a [Value],
    /// Of this one submission: again, it is the same attempt.
    pub submission_id: Option<Uuid>,
    /// Of the page the learner answers.
    pub version: Option<i64>,
}

impl<'a> Submission<'a> {
    pub fn read(body: &'a Value) -> Result<Self> {
        let field = |name| body.get(name).filter(|value| !value.is_null());
        let mut problems = Problems::default();
        let at = At::BODY;
        if problems.object(&at, body).is_none() {
            return Err(Error::Invalid(problems.into_errors()));
        }
        let answers = field("answers");
        if answers.is_none() {
            problems.missing(&at.name("answers"));
        }
        // No quiz has more questions, so more answers are wrong in some way or other.
        let answers = problems.list(&at.name("answers"), answers, MAX_QUESTIONS);
        let submission_id = field("submission_id").and_then(|value| problems.uuid(&at.name("submission_id"), value));
        let version = field("version").and_then(|value| problems.whole(&at.name("version"), value, 1, i64::MAX));
        problems.finish(Submission {
            answers,
            submission_id,
            version,
        })
    }

    /// The answers, with the quiz's own ids. Refused: an answer to an unknown question, a second one to the same
    /// question, one of another type, and whatever names an id that the question has not.
    pub fn answers(&self, quiz: &Quiz, veil: &Veil<'_>) -> Result<Vec<Answer>> {
        let mut reader = Reader {
            problems: Problems::default(),
            veil,
        };
        let questions: HashMap<Uuid, &Question> = quiz.questions.iter().map(|q| (q.id, q)).collect();
        let at = At::BODY.name("answers");
        let mut seen = HashSet::new();
        let mut answers = Vec::new();
        for (i, value) in self.answers.iter().enumerate() {
            answers.extend(reader.answer(&at.index(i), value, &questions, &mut seen));
        }
        reader.problems.finish(answers)
    }
}

/// The fields an answer may be in.
const FIELDS: &[&str] = &["option_ids", "text", "number", "pairs", "order", "blanks"];

struct Reader<'a> {
    problems: Problems,
    veil: &'a Veil<'a>,
}

impl Reader<'_> {
    fn answer(
        &mut self,
        at: &At<'_>,
        value: &Value,
        questions: &HashMap<Uuid, &Question>,
        seen: &mut HashSet<Uuid>,
    ) -> Option<Answer> {
        let map = self.problems.object(at, value)?;
        let id_at = at.name("question_id");
        let Some(value) = given(map, "question_id") else {
            self.problems.missing(&id_at);
            return None;
        };
        let question_id = self.problems.uuid(&id_at, value)?;
        let Some(question) = questions.get(&question_id) else {
            self.refuse(&id_at, "unknown_question", Problem::UnknownQuestion, value);
            return None;
        };
        if !seen.insert(question_id) {
            self.refuse(&id_at, "answered_twice", Problem::AnsweredTwice, value);
            return None;
        }
        let given = self.given(at, map, question)?;
        Some(Answer { question_id, given })
    }

    /// None when nothing was answered, or what was does not fit.
    fn given(&mut self, at: &At<'_>, map: &Map<String, Value>, question: &Question) -> Option<Given> {
        let field = match question.kind {
            Kind::SingleChoice { .. } | Kind::MultipleChoice { .. } => "option_ids",
            Kind::ShortText { .. } => "text",
            Kind::Numeric { .. } => "number",
            Kind::Matching { .. } => "pairs",
            Kind::Ordering { .. } => "order",
            Kind::FillBlank { .. } => "blanks",
        };
        let Some(value) = given(map, field) else {
            if let Some(other) = FIELDS.iter().find(|name| given(map, name).is_some()) {
                self.refuse(
                    &at.name(other),
                    "wrong_answer_type",
                    Problem::OtherAnswerExpected(field),
                    &Value::Null,
                );
            }
            return None;
        };
        let at = at.name(field);
        match &question.kind {
            Kind::SingleChoice { options } => {
                let chosen = self.chosen(&at, value, &ids_of(options));
                if chosen.len() > 1 {
                    self.refuse(&at, "too_long", Problem::OnlyOneChoice, value);
                }
                Some(Given::Options(chosen))
            }
            Kind::MultipleChoice { options } => Some(Given::Options(self.chosen(&at, value, &ids_of(options)))),
            Kind::ShortText { .. } => Some(Given::Text(self.problems.text(&at, value, MAX_TEXT)?.to_owned())),
            Kind::Numeric { .. } => self.number(&at, value),
            Kind::Matching { pairs } => {
                let ids: Vec<Uuid> = pairs.iter().map(|pair| pair.id).collect();
                Some(Given::Pairs(self.matches(&at, value, question.id, &ids)))
            }
            Kind::Ordering { items } => {
                let aliases = self.aliases(question.id, items.iter().map(|item| item.id), Side::Item);
                Some(Given::Order(self.chosen(&at, value, &aliases)))
            }
            Kind::FillBlank { blanks, .. } => Some(Given::Blanks(self.blanks(&at, value, blanks))),
        }
    }

    fn number(&mut self, at: &At<'_>, value: &Value) -> Option<Given> {
        let written = match value {
            Value::Number(number) => number.to_string(),
            value => self.problems.text(at, value, MAX_TEXT)?.trim().to_owned(),
        };
        if written.is_empty() {
            return None;
        }
        if number::decimal(&written).is_none() {
            self.refuse(at, "float_parsing", Problem::UnreadableNumber, value);
        }
        Some(Given::Number(written))
    }

    fn matches(&mut self, at: &At<'_>, value: &Value, question: Uuid, ids: &[Uuid]) -> Vec<Match> {
        let left = self.aliases(question, ids.iter().copied(), Side::Left);
        let right = self.aliases(question, ids.iter().copied(), Side::Right);
        let mut seen = HashSet::new();
        let mut matches = Vec::new();
        for (i, value) in self.problems.list(at, Some(value), MAX_PARTS).iter().enumerate() {
            let at = at.index(i);
            let Some(map) = self.problems.object(&at, value) else {
                continue;
            };
            let left_id = self.known(&at, map, "left_id", &left);
            let right_id = self.known(&at, map, "right_id", &right);
            let (Some(left_id), Some(right_id)) = (left_id, right_id) else {
                continue;
            };
            if !seen.insert(left_id) {
                self.refuse(&at.name("left_id"), "value_error", Problem::ChosenTwice, &Value::Null);
            }
            matches.push(Match { left_id, right_id });
        }
        matches
    }

    fn blanks(&mut self, at: &At<'_>, value: &Value, blanks: &[Blank]) -> Vec<FilledBlank> {
        let ids: Known = blanks.iter().map(|blank| (blank.id, blank.id)).collect();
        let mut seen = HashSet::new();
        let mut filled = Vec::new();
        for (i, value) in self.problems.list(at, Some(value), MAX_PARTS).iter().enumerate() {
            let at = at.index(i);
            let Some(map) = self.problems.object(&at, value) else {
                continue;
            };
            let Some(blank_id) = self.known(&at, map, "blank_id", &ids) else {
                continue;
            };
            if !seen.insert(blank_id) {
                self.refuse(&at.name("blank_id"), "value_error", Problem::ChosenTwice, &Value::Null);
            }
            let blank = blanks.iter().find(|blank| blank.id == blank_id);
            let with = blank.and_then(|blank| self.filled(&at, map, &blank.filling));
            filled.extend(with.map(|with| FilledBlank { blank_id, with }));
        }
        filled
    }

    fn filled(&mut self, at: &At<'_>, map: &Map<String, Value>, filling: &Filling) -> Option<FilledWith> {
        let (field, other) = match filling {
            Filling::Accepted(_) => ("text", "option_id"),
            Filling::Options(_) => ("option_id", "text"),
        };
        let Some(value) = given(map, field) else {
            if given(map, other).is_some() {
                self.refuse(
                    &at.name(other),
                    "wrong_answer_type",
                    Problem::OtherAnswerExpected(field),
                    &Value::Null,
                );
            }
            return None;
        };
        match filling {
            Filling::Accepted(_) => {
                let text = self.problems.text(&at.name(field), value, MAX_TEXT)?;
                Some(FilledWith::Text(text.to_owned()))
            }
            Filling::Options(options) => Some(FilledWith::OptionId(self.known(at, map, field, &ids_of(options))?)),
        }
    }

    /// A list of ids, none of them twice.
    fn chosen(&mut self, at: &At<'_>, value: &Value, known: &Known) -> Vec<Uuid> {
        let mut chosen = Vec::new();
        for (i, value) in self.problems.list(at, Some(value), MAX_PARTS).iter().enumerate() {
            let at = at.index(i);
            let Some(id) = self.known_id(&at, value, known) else {
                continue;
            };
            if chosen.contains(&id) {
                self.refuse(&at, "value_error", Problem::ChosenTwice, value);
            }
            chosen.push(id);
        }
        chosen
    }

    fn known(&mut self, at: &At<'_>, map: &Map<String, Value>, name: &str, known: &Known) -> Option<Uuid> {
        match given(map, name) {
            Some(value) => self.known_id(&at.name(name), value, known),
            None => {
                self.problems.missing(&at.name(name));
                None
            }
        }
    }

    /// The quiz's own id for one that the learner knows.
    fn known_id(&mut self, at: &At<'_>, value: &Value, known: &Known) -> Option<Uuid> {
        let id = self.problems.uuid(at, value)?;
        let own = known.get(&id).copied();
        if own.is_none() {
            self.refuse(at, "unknown_id", Problem::UnknownChoice, value);
        }
        own
    }

    fn aliases(&self, question: Uuid, ids: impl Iterator<Item = Uuid>, side: Side) -> Known {
        ids.map(|id| (self.veil.alias(question, id, side), id)).collect()
    }

    fn refuse(&mut self, at: &At<'_>, kind: &'static str, problem: Problem, input: &Value) {
        self.problems.refuse(at, kind, problem.message(), input);
    }
}

/// The ids a learner may name, and what each of them is in the quiz.
type Known = HashMap<Uuid, Uuid>;

fn ids_of(options: &[Choice]) -> Known {
    options.iter().map(|option| (option.id, option.id)).collect()
}

#[cfg(test)]
mod tests;
