//! Tags of questions in a bank.

use serde_json::Value;
use unicode_normalization::UnicodeNormalization as _;

use super::checked::no_string;
use super::lists::list;
use super::{Checked, Problem, check_at_most, check_length, check_zero_byte};
use crate::error::Loc;
use crate::messages::Message;

/// A tag of a question in a bank, in Unicode normalization form C and with single spaces between words. Case matters.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct QuestionTag(String);

impl QuestionTag {
    /// The fewest characters.
    pub const MIN: usize = 1;
    /// The most characters.
    pub const MAX: usize = 50;

    pub fn parse(text: impl AsRef<str>) -> Result<Self, Problem> {
        let composed: String = text.as_ref().nfc().collect();
        let words: Vec<&str> = composed.split_whitespace().collect();
        let tag = words.join(" ");
        check_length(&tag, Self::MIN, Self::MAX)?;
        check_zero_byte(&tag)?;
        Ok(QuestionTag(tag))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Checked for QuestionTag {
    type Plain = String;

    fn check(plain: String) -> Result<Self, Problem> {
        Self::parse(plain)
    }

    fn wrong_type() -> Problem {
        no_string()
    }
}

impl From<QuestionTag> for String {
    fn from(tag: QuestionTag) -> String {
        tag.0
    }
}

/// The tags of one question, or tags to search by: at most 20, sorted, without duplicates.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct QuestionTags(Vec<QuestionTag>);

impl QuestionTags {
    /// The most tags.
    pub const MAX: usize = 20;

    /// The valid ones of these, up to the limit.
    pub fn of<'a>(tags: impl IntoIterator<Item = &'a str>) -> Self {
        let mut tags: Vec<QuestionTag> = tags
            .into_iter()
            .filter_map(|tag| QuestionTag::parse(tag).ok())
            .collect();
        tags.sort();
        tags.dedup();
        tags.truncate(Self::MAX);
        QuestionTags(tags)
    }

    pub fn iter(&self) -> impl Iterator<Item = &QuestionTag> {
        self.0.iter()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Checked for QuestionTags {
    type Plain = Value;

    fn check(plain: Value) -> Result<Self, Problem> {
        let items = list(plain)?;
        check_at_most(items.len(), Self::MAX)?;
        let mut tags = Vec::with_capacity(items.len());
        for (at, item) in items.into_iter().enumerate() {
            let tag = match &item {
                Value::String(text) => QuestionTag::parse(text),
                _ => Err(QuestionTag::wrong_type()),
            };
            tags.push(tag.map_err(|mut problem| {
                problem.inside.insert(0, Loc::Index(at));
                problem.shown = Some(item);
                problem
            })?);
        }
        tags.sort();
        tags.dedup();
        Ok(QuestionTags(tags))
    }

    fn wrong_type() -> Problem {
        Problem::new("list_type", Message::NotAList)
    }
}

#[cfg(feature = "testing")]
impl<'de> serde::Deserialize<'de> for QuestionTags {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let plain = Value::deserialize(deserializer)?;
        Self::check(plain).map_err(|problem| serde::de::Error::custom(problem.message))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_tag_is_trimmed_and_composed() {
        let tag = QuestionTag::parse(" Е\u{308}лка \t 2 ").unwrap();
        assert_eq!(tag.as_str(), "Ёлка 2");
        assert_eq!(QuestionTag::parse(" \n").unwrap_err().kind, "string_too_short");
        assert!(QuestionTag::parse("я".repeat(50)).is_ok());
        assert_eq!(QuestionTag::parse("я".repeat(51)).unwrap_err().kind, "string_too_long");
    }

    #[test]
    fn a_list_has_each_tag_once_and_at_most_20() {
        let tags = QuestionTags::check(json!(["b", "a", " a ", "A"])).unwrap();
        let names: Vec<_> = tags.iter().map(QuestionTag::as_str).collect();
        assert_eq!(names, ["A", "a", "b"]);
        assert_eq!(QuestionTags::check(json!(vec!["x"; 21])).unwrap_err().kind, "too_long");
        let problem = QuestionTags::check(json!(["a", 7])).unwrap_err();
        assert_eq!((problem.kind, problem.inside), ("string_type", vec![Loc::Index(1)]));
    }
}
