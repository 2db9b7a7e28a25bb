//! A learner's answers in the form in which an attempt stores them.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;

use super::alias::{Aliases, Side};
use super::hand_in::HandIn;
use super::text::is_blank;
use super::zones::MarkedPlace;
use crate::content;
use kurso_base::error::{Error, Result};
use kurso_base::wire;

/// The answer to one question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    pub question_id: Uuid,
    #[serde(flatten)]
    pub given: Given,
}

/// The answer by the type of the question. A correct answer has the same form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Given {
    #[serde(rename = "option_ids")]
    Options(Vec<Uuid>),
    #[serde(rename = "text")]
    Text(String),
    #[serde(rename = "pairs")]
    Pairs(Vec<Match>),
    #[serde(rename = "order")]
    Order(Vec<Uuid>),
    #[serde(rename = "blanks")]
    Blanks(Vec<FilledBlank>),
    /// The document of an essay.
    #[serde(rename = "content")]
    Essay(Value),
    #[serde(rename = "files")]
    Files(Vec<AnswerFile>),
    #[serde(rename = "places")]
    Places(Vec<MarkedPlace>),
    /// Its fields stand beside the id of the question.
    #[serde(untagged)]
    Number(Quantity),
    /// Its fields stand beside the id of the question; `links` tells it from a text and from files.
    #[serde(untagged)]
    HandIn(HandIn),
}

/// A number with its unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quantity {
    /// The text that the learner wrote.
    pub number: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
}

impl<T: Into<String>> From<T> for Quantity {
    fn from(number: T) -> Self {
        Quantity {
            number: number.into(),
            unit: None,
        }
    }
}

/// A file that a learner handed in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnswerFile {
    pub id: Uuid,
    pub filename: String,
    pub content_type: String,
    /// In bytes.
    pub size: i64,
    #[serde(flatten)]
    pub location: FileLocation,
}

impl AnswerFile {
    /// The address; empty for a stored file, which has none before it leaves the server.
    pub fn url(&self) -> &str {
        match &self.location {
            FileLocation::Url(url) => url,
            FileLocation::Key(_) => "",
        }
    }
}

/// Where a file is: stored answers have its key, answers that leave the server an address that expires.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FileLocation {
    Key(String),
    Url(String),
}

/// The files of answers, in order.
pub fn files_of(answers: &[Answer]) -> impl Iterator<Item = &AnswerFile> {
    answers.iter().flat_map(|answer| answer.given.files())
}

/// Reads the JSON text of stored answers.
pub fn answers_from_text(text: &str) -> Result<Vec<Answer>> {
    wire::read_stored(text).map_err(Error::internal)
}

/// Two matched sides. Attempts store the ids of pairs; learners see aliases.
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
    /// Whether the answer is empty, as if the question were not answered.
    pub fn is_blank(&self) -> bool {
        match self {
            Given::Options(ids) | Given::Order(ids) => ids.is_empty(),
            Given::Text(text) => is_blank(text),
            Given::Number(quantity) => is_blank(&quantity.number),
            Given::Pairs(pairs) => pairs.is_empty(),
            Given::Blanks(blanks) => blanks.iter().all(|filled| match &filled.with {
                FilledWith::Text(text) => is_blank(text),
                FilledWith::OptionId(_) => false,
            }),
            Given::Places(places) => places.is_empty(),
            Given::Essay(content) => content::is_empty(content),
            Given::Files(files) => files.is_empty(),
            Given::HandIn(work) => work.is_empty(),
        }
    }

    /// The document of an answer to an open question.
    pub fn document(&self) -> Option<&Value> {
        match self {
            Given::Essay(content) => Some(content),
            Given::HandIn(hand_in) => hand_in.content.as_ref(),
            _ => None,
        }
    }

    /// The files of an answer to an open question.
    pub fn files(&self) -> &[AnswerFile] {
        match self {
            Given::Files(files) => files,
            Given::HandIn(hand_in) => &hand_in.files,
            _ => &[],
        }
    }

    /// The files of an answer to an open question, to change.
    pub fn files_mut(&mut self) -> &mut [AnswerFile] {
        match self {
            Given::Files(files) => files,
            Given::HandIn(hand_in) => &mut hand_in.files,
            _ => &mut [],
        }
    }

    /// The answer with the aliases that a learner knows in place of ids.
    pub fn with_aliases(self, aliases: &Aliases<'_>, question: Uuid) -> Self {
        match self {
            Given::Pairs(pairs) => Given::Pairs(
                pairs
                    .into_iter()
                    .map(|pair| Match {
                        left_id: aliases.alias(question, pair.left_id, Side::Left),
                        right_id: aliases.alias(question, pair.right_id, Side::Right),
                    })
                    .collect(),
            ),
            Given::Order(items) => {
                let alias = |item| aliases.alias(question, item, Side::Item);
                Given::Order(items.into_iter().map(alias).collect())
            }
            other => other,
        }
    }
}
