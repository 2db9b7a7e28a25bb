//! Comments that a grader pins to a place of an answer. A submitted answer never changes, so a place stays where it is.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;

use super::answers::AnswerFile;
use super::problem::Problem;
use crate::content;

/// Pinned comments of one answer.
pub const MAX_PINS: usize = 100;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PinnedComment {
    #[serde(flatten)]
    pub place: Place,
    pub comment: String,
}

/// Where a comment is pinned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Place {
    /// From `start` up to `end`, in code points of the document's text nodes in order, without separators. `start` is below `end`.
    Text { start: u32, end: u32 },
    /// A point of a picture among the files, in percent of its width and height: 0 to 100.
    Picture { file_id: Uuid, x: f64, y: f64 },
}

impl Place {
    /// Checks that the place is in the document or the files of an answer.
    pub fn check(&self, document: Option<&Value>, files: &[AnswerFile]) -> Result<(), Problem> {
        match self {
            Place::Text { end, .. } => {
                let length = document.map_or(0, content::text_length);
                (*end <= length).then_some(()).ok_or(Problem::OutsideText(length))
            }
            Place::Picture { file_id, .. } => {
                let is_this = |file: &AnswerFile| file.id == *file_id && file.content_type.starts_with("image/");
                files.iter().any(is_this).then_some(()).ok_or(Problem::NotAPicture)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::quiz::answers::FileLocation;

    fn file(id: u128, content_type: &str) -> AnswerFile {
        AnswerFile {
            id: Uuid::from_u128(id),
            filename: "a".into(),
            content_type: content_type.into(),
            size: 1,
            location: FileLocation::Key("k".into()),
        }
    }

    #[test]
    fn offsets_count_the_code_points_of_the_text_alone() {
        let text = |text: &str| json!({"type": "text", "text": text});
        let document = json!({"type": "doc", "content": [
            {"type": "paragraph", "content": [text("я😀"), {"type": "hardBreak"}, text("b")]},
            {"type": "blockMath", "attrs": {"latex": "x^2"}},
            {"type": "codeBlock", "attrs": {"caption": "code"}, "content": [text("1\n")]},
        ]});
        assert_eq!(content::text_length(&document), 5);
        let check = |start, end| Place::Text { start, end }.check(Some(&document), &[]);
        assert_eq!((check(0, 5), check(4, 6)), (Ok(()), Err(Problem::OutsideText(5))));
        let files_only = Place::Text { start: 0, end: 1 }.check(None, &[file(1, "image/png")]);
        assert_eq!(files_only, Err(Problem::OutsideText(0)));
    }

    #[test]
    fn a_point_is_in_a_picture_of_the_answer() {
        let files = [file(1, "image/png"), file(2, "application/pdf")];
        let check = |id| {
            let place = Place::Picture {
                file_id: Uuid::from_u128(id),
                x: 0.0,
                y: 100.0,
            };
            place.check(None, &files)
        };
        let refused = Err(Problem::NotAPicture);
        assert_eq!([check(1), check(2), check(3)], [Ok(()), refused.clone(), refused]);
    }

    proptest! {
        /// What the offsets select is what a reader selects in the joined text.
        #[test]
        fn every_place_within_the_text_is_accepted(texts in proptest::collection::vec(".{0,6}", 1..5), start in 0u32..40, length in 1u32..40) {
            let nodes = texts.iter().filter(|text| !text.is_empty());
            let blocks = nodes.map(|text| json!({"type": "paragraph", "content": [{"type": "text", "text": text}]}));
            let document = json!({"type": "doc", "content": blocks.collect::<Vec<_>>()});
            let joined: Vec<char> = texts.concat().chars().collect();
            let end = start + length;
            let is_inside = joined.get(start as usize..end as usize).is_some();
            prop_assert_eq!(Place::Text { start, end }.check(Some(&document), &[]).is_ok(), is_inside);
        }
    }
}
