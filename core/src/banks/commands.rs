//! The inputs of changes in banks.

use kurso_base::email::Email;
use kurso_base::entries::read_entries;
use kurso_base::ids::BankQuestionId;
use kurso_base::messages::Message;
use kurso_base::values::{Change, Checked, PageVersion, Problem, QuestionTags, Several, Title};
use kurso_formats::quiz::BankQuestionDraft;
use serde_json::{Value, json};

use super::MemberRole;

/// The most questions of one change.
pub const MAX_ADDED: usize = 500;

/// A new bank, or the new title of a bank.
#[derive(Clone, Debug)]
#[cfg_attr(any(test, feature = "testing"), derive(serde::Deserialize))]
pub struct BankTitle {
    pub title: Title,
}

/// Questions to add to a bank.
#[derive(Clone, Debug)]
#[cfg_attr(any(test, feature = "testing"), derive(serde::Deserialize))]
pub struct AddQuestions {
    pub questions: NewQuestions,
}

/// A question to add to a bank.
#[derive(Clone, Debug, PartialEq)]
pub struct NewQuestion {
    pub question: BankQuestionDraft,
    pub tags: QuestionTags,
}

/// 1 to [`MAX_ADDED`] questions, each as `{question, tags}`.
#[derive(Clone, Debug, PartialEq)]
pub struct NewQuestions(pub Vec<NewQuestion>);

impl Checked for NewQuestions {
    type Plain = Value;
    const HIDDEN: bool = true;

    fn check(plain: Value) -> Result<Self, Problem> {
        let entries = read_entries(&plain, MAX_ADDED, |reader| {
            reader.require("question");
            // Null is as wrong as an absent question.
            let question = match reader.json::<BankQuestionDraft>("question") {
                Change::Set(question) => Some(question),
                Change::Clear => {
                    reader.refuse_entry(Problem {
                        inside: vec!["question".into()],
                        ..BankQuestionDraft::wrong_type()
                    });
                    None
                }
                Change::Keep => None,
            };
            let tags = reader.json::<QuestionTags>("tags").value();
            Some(NewQuestion {
                question: question?,
                tags: tags.unwrap_or_default(),
            })
        })?;
        let questions: Option<Vec<NewQuestion>> = entries.into_iter().collect();
        questions.map(NewQuestions).ok_or_else(Problem::missing)
    }

    fn wrong_type() -> Problem {
        Problem::new("list_type", Message::NotAList)
    }
}

/// A change of a question. Fields that are None stay as they are.
#[derive(Clone, Debug)]
#[cfg_attr(any(test, feature = "testing"), derive(serde::Deserialize))]
pub struct UpdateQuestion {
    /// The version that the editor has read.
    pub version: PageVersion,
    pub question: Option<BankQuestionDraft>,
    pub tags: Option<QuestionTags>,
}

/// Tags to give to questions and to take from them.
#[derive(Clone, Debug)]
#[cfg_attr(any(test, feature = "testing"), derive(serde::Deserialize))]
pub struct TagQuestions {
    pub question_ids: QuestionIds,
    pub add: Option<QuestionTags>,
    pub remove: Option<QuestionTags>,
}

/// Questions to delete.
#[derive(Clone, Debug)]
#[cfg_attr(any(test, feature = "testing"), derive(serde::Deserialize))]
pub struct DeleteQuestions {
    pub question_ids: QuestionIds,
}

/// The ids of 1 to [`MAX_ADDED`] questions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuestionIds(pub Vec<BankQuestionId>);

impl Checked for QuestionIds {
    type Plain = Value;

    fn check(plain: Value) -> Result<Self, Problem> {
        if plain.as_array().is_some_and(|ids| ids.len() > MAX_ADDED) {
            let problem = Problem::new("too_long", Message::TooManyItems(MAX_ADDED));
            return Err(problem.with(json!({"max_length": MAX_ADDED})));
        }
        Several::check(plain).map(|Several(ids)| QuestionIds(ids))
    }

    fn wrong_type() -> Problem {
        Problem::new("list_type", Message::NotAList)
    }
}

/// A colleague to share a bank with.
#[derive(Clone, Debug)]
pub struct ShareBank {
    pub email: Email,
    pub role: MemberRole,
}

#[cfg(any(test, feature = "testing"))]
mod from_json {
    use super::{Checked, NewQuestions, QuestionIds, Value};

    macro_rules! checked {
        ($($type:ident)*) => {$(
            impl<'de> serde::Deserialize<'de> for $type {
                fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                    let plain = Value::deserialize(deserializer)?;
                    $type::check(plain).map_err(|problem| serde::de::Error::custom(problem.message))
                }
            }
        )*};
    }
    checked! { NewQuestions QuestionIds }
}
