//! Blocks that a comment suggests in place of one block of a page.

use serde_json::{Value, json};

use super::{ContentError, validate};
use kurso_base::messages::Message;
use kurso_base::values::{Checked, Problem, check_at_most};

/// At most [`SuggestedBlocks::MAX`] top-level blocks, each of which fits the content model. None of them: the block is to be deleted.
#[derive(Clone, Debug, PartialEq)]
pub struct SuggestedBlocks(Vec<Value>);

impl SuggestedBlocks {
    /// The most blocks.
    pub const MAX: usize = 100;
    /// The most bytes of their JSON text.
    pub const MAX_BYTES: usize = 100_000;

    pub fn blocks(&self) -> &[Value] {
        &self.0
    }

    /// Their JSON text.
    pub fn to_text(&self) -> String {
        Value::from(self.0.clone()).to_string()
    }
}

impl Checked for SuggestedBlocks {
    type Plain = Value;
    const HIDDEN: bool = true;

    fn check(plain: Value) -> Result<Self, Problem> {
        let Value::Array(blocks) = plain else {
            return Err(Self::wrong_type());
        };
        check_at_most(blocks.len(), Self::MAX)?;
        let text = Value::from(blocks);
        if text.to_string().len() > Self::MAX_BYTES {
            let message = Message::SuggestionTooLong(Self::MAX_BYTES / 1000);
            return Err(Problem::new("value_error", message));
        }
        let Value::Array(blocks) = text else {
            return Err(Self::wrong_type());
        };
        if !blocks.is_empty() {
            let document = json!({"type": "doc", "content": blocks});
            validate(&document).map_err(problem)?;
        }
        Ok(SuggestedBlocks(blocks))
    }

    fn wrong_type() -> Problem {
        Problem::new("list_type", Message::NotAList)
    }
}

/// The problem of a block. Its place begins with the index of the block.
fn problem(error: ContentError) -> Problem {
    let mut problem = Problem::from(error);
    problem.inside = problem.inside.into_iter().skip(1).collect();
    problem
}

#[cfg(any(test, feature = "testing"))]
impl<'de> serde::Deserialize<'de> for SuggestedBlocks {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        SuggestedBlocks::check(value).map_err(|problem| serde::de::Error::custom(problem.message))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggestions_are_lists_of_valid_blocks() {
        let paragraph = json!({"type": "paragraph", "content": [{"type": "text", "text": "x"}]});
        let kind = |plain: Value| SuggestedBlocks::check(plain).map_err(|problem| problem.kind).err();
        assert_eq!(kind(json!([])), None);
        assert_eq!(kind(json!([paragraph, paragraph])), None);
        assert_eq!(kind(json!(vec![paragraph.clone(); SuggestedBlocks::MAX])), None);
        assert_eq!(
            kind(json!(vec![paragraph.clone(); SuggestedBlocks::MAX + 1])),
            Some("too_long")
        );
        assert_eq!(kind(paragraph), Some("list_type"));
        assert!(kind(json!([{"type": "text", "text": "x"}])).is_some());
        assert!(kind(json!([{"type": "paragraph", "attrs": {"onclick": "x"}}])).is_some());
        let long = json!([{"type": "paragraph", "content": [{"type": "text", "text": "x".repeat(SuggestedBlocks::MAX_BYTES)}]}]);
        assert_eq!(kind(long), Some("value_error"));
    }
}
