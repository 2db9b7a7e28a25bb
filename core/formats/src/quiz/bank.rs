//! A question of a question bank, which belongs to no quiz.

use serde_json::{Value, json};
use uuid::Uuid;

use super::complete::require_complete;
use super::draft::problem_of;
use super::model::{Filling, Kind, Question, Quiz};
use super::problem::Problem;
use super::{folded, read};
use crate::content;
use kurso_base::error::{Error, Result};
use kurso_base::values::{self, Checked};
use kurso_base::wire;

/// The maximum size of the JSON of a question in bytes. It is bounded because lists have many questions and every version is kept.
pub const MAX_BANK_QUESTION: usize = 256 * 1024;

/// The types of questions that a bank cannot hold.
const REFUSED: [&str; 2] = ["hand_in", "draw"];

/// A question whose values are within their bounds, of a type that a bank can hold. It need not be complete.
#[derive(Clone, Debug, PartialEq)]
pub struct BankQuestionDraft(Question);

impl BankQuestionDraft {
    /// Checks a question. Fails if a bank cannot hold it. Removes its `source`.
    pub fn of(question: Question) -> Result<Self, values::Problem> {
        // Only questions of quizzes are copies of others.
        let question = Question {
            source: None,
            ..question
        };
        question.check()?;
        let text = serde_json::to_string(&question).unwrap_or_default();
        if text.is_empty() || text.len() > MAX_BANK_QUESTION {
            return Err(Problem::LargeBankQuestion.value_error());
        }
        match kind_in(&text) {
            Some(kind) if !REFUSED.contains(&kind.as_str()) => Ok(BankQuestionDraft(question)),
            _ => Err(Problem::NotInBank.value_error()),
        }
    }

    /// Reads a stored question. Fails if it is invalid or a bank cannot hold it.
    pub fn read(text: &str) -> Result<Self> {
        let question: Question = wire::read_stored(text).map_err(Error::internal)?;
        Self::of(question).map_err(|problem| Error::internal(problem.message.to_string()))
    }

    pub fn as_question(&self) -> &Question {
        &self.0
    }

    /// Every rich document of the question.
    pub fn documents_mut(&mut self) -> Vec<&mut Value> {
        self.0.documents_mut()
    }

    /// Whether a draw can take it.
    pub fn is_complete(&self) -> bool {
        is_complete(&self.0)
    }

    /// The bytes of its JSON.
    pub fn size(&self) -> usize {
        serde_json::to_string(&self.0).map_or(0, |text| text.len())
    }

    /// Every rich document of the question.
    pub fn documents(&self) -> Vec<&Value> {
        self.0.documents()
    }

    /// Replaces the addresses of files for which `map` returns another.
    pub fn map_addresses(&mut self, map: impl Fn(&str) -> Option<String>) {
        for document in self.0.documents_mut() {
            content::map_addresses(document, &map);
        }
    }

    /// The question as it is stored, with this id.
    pub fn stored_as(self, id: Uuid) -> Result<StoredBankQuestion> {
        let question = Question { id, ..self.0 };
        let text = serde_json::to_string(&question).map_err(Error::internal)?;
        StoredBankQuestion::of(question, text)
    }
}

impl Checked for BankQuestionDraft {
    type Plain = Value;
    const HIDDEN: bool = true;

    fn check(plain: Value) -> Result<Self, values::Problem> {
        let kind = plain.get("type").and_then(Value::as_str);
        if kind.is_some_and(|kind| REFUSED.contains(&kind)) {
            let problem = Problem::NotInBank.value_error();
            return Err(values::Problem {
                inside: vec!["type".into()],
                ..problem
            });
        }
        // The first four parts of an error location (body, quiz, questions, index) lead to the question, so they are left out.
        let quiz = read(&json!({"questions": [plain]})).map_err(|error| problem_of(error, 4))?;
        let question = quiz.questions.into_iter().next();
        Self::of(question.ok_or_else(Self::wrong_type)?)
    }

    fn wrong_type() -> values::Problem {
        values::Problem::missing()
    }
}

#[cfg(any(test, feature = "testing"))]
impl<'de> serde::Deserialize<'de> for BankQuestionDraft {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        BankQuestionDraft::check(value).map_err(|problem| serde::de::Error::custom(problem.message))
    }
}

/// A question of a bank with the values of the other columns of its row, which are computed from it.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredBankQuestion {
    pub question: Question,
    /// The JSON of the question, as its author writes it.
    pub text: String,
    /// The name of its type.
    pub kind: String,
    /// Whether a published quiz could consist of it.
    pub is_complete: bool,
    /// Its plain text for the search, normalised like answers.
    pub folded: String,
}

impl StoredBankQuestion {
    /// Reads a stored question. Fails if it is invalid or a bank cannot hold it.
    pub fn read(text: &str) -> Result<Self> {
        Self::of(BankQuestionDraft::read(text)?.0, text.to_owned())
    }

    fn of(question: Question, text: String) -> Result<Self> {
        let kind = kind_in(&text).ok_or_else(|| Error::internal("a question without a type"))?;
        let folded = folded(&words(&question), false);
        Ok(StoredBankQuestion {
            is_complete: is_complete(&question),
            question,
            text,
            kind,
            folded,
        })
    }
}

/// Whether a published quiz could consist of the question.
fn is_complete(question: &Question) -> bool {
    let quiz = Quiz {
        questions: vec![question.clone()],
        ..Quiz::default()
    };
    require_complete(&quiz).is_ok()
}

/// The name of the type of a question in its JSON.
fn kind_in(text: &str) -> Option<String> {
    #[derive(serde::Deserialize)]
    struct Typed {
        r#type: String,
    }
    serde_json::from_str::<Typed>(text).ok().map(|typed| typed.r#type)
}

/// The plain text of a question: its documents, its right answers, and the names and descriptions of its rubric.
fn words(question: &Question) -> String {
    let mut words: Vec<String> = question.documents().into_iter().map(content::text).collect();
    match &question.kind {
        Kind::ShortText { accepted, regex, .. } => {
            words.extend(accepted.iter().cloned());
            words.extend(regex.clone());
        }
        Kind::Numeric { value: Some(value), .. } => words.push(value.to_string()),
        Kind::Formula { expression, .. } => words.push(expression.clone()),
        Kind::FillBlank { blanks, .. } => {
            for blank in blanks {
                if let Filling::Accepted(accepted) = &blank.filling {
                    words.extend(accepted.iter().cloned());
                }
            }
        }
        _ => {}
    }
    for criterion in question.kind.rubric().into_iter().flat_map(|rubric| &rubric.criteria) {
        words.extend([criterion.name.clone(), criterion.description.clone()]);
        for level in &criterion.levels {
            words.extend([level.name.clone(), level.description.clone()]);
        }
    }
    words.join("\n")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn stored(question: Value) -> StoredBankQuestion {
        let id = Uuid::now_v7();
        let stored = BankQuestionDraft::check(question).unwrap().stored_as(id).unwrap();
        assert_eq!(stored.question.id, id);
        assert_eq!(StoredBankQuestion::read(&stored.text).unwrap(), stored);
        stored
    }

    #[test]
    fn all_texts_of_a_question_are_searched() {
        let question =
            json!({"type": "short_text", "prompt": "Ёлка?", "accepted": ["ЗЕЛЁНАЯ  ель"], "explanation": "Хвоя"});
        let short = stored(question);
        assert_eq!(short.folded, "елка? хвоя зеленая ель");
        assert_eq!((short.kind.as_str(), short.is_complete), ("short_text", true));
        let choice =
            stored(json!({"type": "single_choice", "prompt": "?", "options": [{"content": "Да", "feedback": "Нет"}]}));
        assert_eq!(choice.folded, "? да нет");
        assert!(!choice.is_complete);
        let essay = json!({"type": "essay", "prompt": "?", "guide": "Смотрите", "rubric": {"criteria": [{"name": "Язык", "levels": [{"name": "Хорошо", "points": 1}]}]}});
        assert_eq!(stored(essay).folded, "? смотрите язык хорошо");
        let numeric = stored(json!({"type": "numeric", "prompt": "?", "value": 42.5}));
        assert_eq!(numeric.folded, "? 42.5");
    }

    #[test]
    fn assignments_draws_and_large_questions_are_refused() {
        for kind in REFUSED {
            let problem = BankQuestionDraft::check(json!({"type": kind})).unwrap_err();
            assert_eq!(problem.inside, ["type".into()]);
        }
        let long = json!({"type": "numeric", "prompt": "я".repeat(MAX_BANK_QUESTION / 2), "value": 1});
        assert!(BankQuestionDraft::check(long).is_err());
    }

    #[test]
    fn problems_are_located_in_the_question() {
        let problem = BankQuestionDraft::check(json!({"type": "numeric", "prompt": "?", "points": -1})).unwrap_err();
        assert_eq!(problem.inside, ["points".into()]);
        let problem = BankQuestionDraft::check(json!({"type": "numeric", "prompt": "?", "source": 7})).unwrap_err();
        assert_eq!(problem.inside, ["source".into()]);
        assert!(BankQuestionDraft::check(json!(7)).is_err());
    }
}
