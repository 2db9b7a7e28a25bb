//! The inputs of changes in banks.

use kurso_base::email::Email;
use kurso_base::entries::{MAX_PROBLEMS, one_of};
use kurso_base::error::Loc;
use kurso_base::ids::BankQuestionId;
use kurso_base::messages::Message;
use kurso_base::values::{Checked, PageVersion, Problem, QuestionTags, Several, Title, check_at_most};
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
        let Value::Array(items) = plain else {
            return Err(Self::wrong_type());
        };
        if items.is_empty() {
            return Err(Problem::new("too_short", Message::TooFewItems(1)).with(json!({"min_length": 1})));
        }
        check_at_most(items.len(), MAX_ADDED)?;
        let (mut questions, mut problems) = (Vec::with_capacity(items.len()), Vec::new());
        for (at, item) in items.into_iter().enumerate() {
            let Value::Object(mut fields) = item else {
                let problem = Problem::new("model_attributes_type", Message::NotAnObject);
                problems.extend(located(problem, &[Loc::Index(at)]));
                continue;
            };
            let mut part = |name: &str| fields.remove(name).filter(|value| !value.is_null());
            let (question, tags) = (part("question"), part("tags"));
            let question = question.map_or_else(|| Err(Problem::missing()), BankQuestionDraft::check);
            let tags = tags.map_or_else(|| Ok(QuestionTags::default()), QuestionTags::check);
            match (question, tags) {
                (Ok(question), Ok(tags)) => questions.push(NewQuestion { question, tags }),
                (question, tags) => {
                    let wrong = [("question", question.err()), ("tags", tags.err())];
                    for (name, problem) in wrong {
                        let place = [Loc::Index(at), name.into()];
                        problems.extend(problem.into_iter().flat_map(|problem| located(problem, &place)));
                    }
                }
            }
            if problems.len() >= MAX_PROBLEMS {
                break;
            }
        }
        one_of(problems).map_or(Ok(NewQuestions(questions)), Err)
    }

    fn wrong_type() -> Problem {
        Problem::new("list_type", Message::NotAList)
    }
}

/// A problem of a part of the list and its further problems, each with the path to the part before its own.
fn located(mut problem: Problem, place: &[Loc]) -> Vec<Problem> {
    let others = std::mem::take(&mut problem.others);
    let all = std::iter::once(problem).chain(others);
    all.map(|mut problem| {
        problem.inside.splice(0..0, place.iter().cloned());
        problem.shown.get_or_insert(Value::Null);
        problem
    })
    .collect()
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
pub type QuestionIds = Several<BankQuestionId, MAX_ADDED>;

/// A colleague with whom a bank is to be shared.
#[derive(Clone, Debug)]
pub struct ShareBank {
    pub email: Email,
    pub role: MemberRole,
}

#[cfg(any(test, feature = "testing"))]
impl<'de> serde::Deserialize<'de> for NewQuestions {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let plain = Value::deserialize(deserializer)?;
        NewQuestions::check(plain).map_err(|problem| serde::de::Error::custom(problem.message))
    }
}
