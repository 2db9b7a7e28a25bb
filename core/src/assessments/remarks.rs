//! What a grader says of an answer in its details: the chosen level of each criterion, and comments pinned to places of the answer.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use kurso_base::entries::{EntryReader, read_any_entries};
use kurso_base::error::Error;
use kurso_base::messages::Message;
use kurso_base::values::{Checked, PartComment, Problem, TextOffset};
use kurso_formats::quiz::{self, MAX_CRITERIA, MAX_PINS, Mark, PinnedComment, Place};
use uuid::Uuid;

/// Marks as a client sends them: at most [`MAX_CRITERIA`] entries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marks(pub Vec<Mark>);

/// Pinned comments as a client sends them: at most [`MAX_PINS`] entries, whose places are valid but may be outside of the answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Pins(pub Vec<PinnedComment>);

/// The name of the comment of both kinds of entries.
const COMMENT: &str = "comment";

impl Marks {
    /// The names of the fields of an entry.
    pub const CRITERION: &'static str = "criterion_id";
    pub const LEVEL: &'static str = "level_id";
    pub const COMMENT: &'static str = COMMENT;
}

impl Pins {
    /// The names of the fields of an entry: of a place in a text, of a place in a picture.
    pub const OFFSETS: [&'static str; 2] = ["start", "end"];
    pub const FILE: &'static str = "file_id";
    pub const SIDES: [&'static str; 2] = ["x", "y"];
    pub const COMMENT: &'static str = COMMENT;
}

impl Checked for Marks {
    type Plain = Value;

    fn check(plain: Value) -> Result<Self, Problem> {
        let entries = read_any_entries(&plain, MAX_CRITERIA, mark)?;
        Ok(Marks(entries.into_iter().flatten().collect()))
    }

    fn wrong_type() -> Problem {
        Problem::new("list_type", Message::NotAList)
    }
}

impl Checked for Pins {
    type Plain = Value;

    fn check(plain: Value) -> Result<Self, Problem> {
        let entries = read_any_entries(&plain, MAX_PINS, pin)?;
        Ok(Pins(entries.into_iter().flatten().collect()))
    }

    fn wrong_type() -> Problem {
        Problem::new("list_type", Message::NotAList)
    }
}

/// Returns None for an entry without valid ids, which the reader has refused.
fn mark(reader: &mut EntryReader<'_>) -> Option<Mark> {
    let criterion = reader.required::<Uuid>(Marks::CRITERION);
    let level = reader.required::<Uuid>(Marks::LEVEL);
    let comment = reader.text::<PartComment>(Marks::COMMENT).value();
    Some(Mark {
        criterion_id: criterion?,
        level_id: level?,
        comment: comment.map(|comment| comment.as_str().to_owned()),
    })
}

/// Returns None for an entry without a place and a comment, which the reader has refused.
fn pin(reader: &mut EntryReader<'_>) -> Option<PinnedComment> {
    let [start, end] = Pins::OFFSETS.map(|name| reader.read::<TextOffset>(name, Value::as_i64).value());
    let file = reader.text::<Uuid>(Pins::FILE).value();
    let [x, y] = Pins::SIDES.map(|name| reader.read::<Side>(name, Value::as_f64).value());
    let comment = reader.required::<PartComment>(Pins::COMMENT);
    let place = match (start, end, file, x, y) {
        (Some(start), Some(end), None, None, None) if start.get() < end.get() => Some(Place::Text {
            start: u32::try_from(start.get()).ok()?,
            end: u32::try_from(end.get()).ok()?,
        }),
        (None, None, Some(file_id), Some(Side(x)), Some(Side(y))) => Some(Place::Picture { file_id, x, y }),
        _ => {
            reader.refuse_entry(quiz::Problem::OnePlace.value_error());
            None
        }
    };
    Some(PinnedComment {
        place: place?,
        comment: comment?.as_str().to_owned(),
    })
}

/// A point on a side of a picture, in percent of its length, rounded to four decimals: such a number is stored and read without a change.
#[derive(Clone, Copy)]
struct Side(f64);

impl Checked for Side {
    type Plain = f64;

    fn check(plain: f64) -> Result<Self, Problem> {
        match (0.0..=100.0).contains(&plain) {
            true => Ok(Side((plain * 10_000.0).round() / 10_000.0)),
            false => Err(quiz::Problem::OutOfBounds(0, 100).value_error()),
        }
    }

    fn wrong_type() -> Problem {
        quiz::Problem::NotANumber.value_error()
    }
}

/// The text in which marks or pinned comments are stored; None for an empty list.
pub(super) fn to_text<T: Serialize>(list: &[T]) -> Result<Option<String>, Error> {
    match list {
        [] => Ok(None),
        list => serde_json::to_string(list).map(Some).map_err(Error::internal),
    }
}

/// Reads what [`to_text`] wrote.
pub(super) fn from_text<T: DeserializeOwned>(text: Option<&str>) -> Result<Vec<T>, Error> {
    text.map_or_else(
        || Ok(vec![]),
        |text| serde_json::from_str(text).map_err(Error::internal),
    )
}

#[cfg(any(test, feature = "testing"))]
mod from_json {
    use serde::de::{Deserialize, Deserializer, Error as _};

    use super::{Checked, Marks, Pins, Value};

    macro_rules! checked {
        ($($type:ident)*) => {$(
            impl<'de> Deserialize<'de> for $type {
                fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                    let plain = Value::deserialize(deserializer)?;
                    <$type as Checked>::check(plain).map_err(|problem| D::Error::custom(problem.message))
                }
            }
        )*};
    }
    checked! { Marks Pins }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    /// What is wrong, each as its kind and its place in the list.
    fn wrong<T: Checked<Plain = Value> + std::fmt::Debug>(list: &Value) -> Vec<String> {
        let errors = T::check(list.clone()).unwrap_err().all_at(&[], list);
        let shown = |error: kurso_base::error::FieldError| {
            let place = serde_json::to_string(&error.loc).unwrap();
            format!("{} {place}", error.kind)
        };
        errors.into_iter().map(shown).collect()
    }

    #[test]
    fn marks_name_a_criterion_and_a_level() {
        let id = Uuid::from_u128(7);
        let read = Marks::check(json!([
            {"criterion_id": id, "level_id": id, "comment": "Good"},
            {"criterion_id": id, "level_id": id, "comment": null},
        ]));
        let comments = read.unwrap().0.into_iter().map(|mark| mark.comment);
        assert_eq!(comments.collect::<Vec<_>>(), [Some("Good".to_owned()), None]);
        assert_eq!(wrong::<Marks>(&json!({})), ["list_type []"]);
        assert_eq!(Marks::check(json!([])), Ok(Marks(vec![])));
        assert_eq!(
            wrong::<Marks>(&json!(vec![json!({}); MAX_CRITERIA + 1])),
            ["too_long []"]
        );
        let long = "x".repeat(PartComment::MAX + 1);
        let broken = json!([1, {"criterion_id": null}, {"criterion_id": id, "level_id": "x", "comment": long}]);
        assert_eq!(
            wrong::<Marks>(&broken),
            [
                "model_attributes_type [0]",
                r#"uuid_type [1,"criterion_id"]"#,
                r#"missing [1,"level_id"]"#,
                r#"uuid_parsing [2,"level_id"]"#,
                r#"string_too_long [2,"comment"]"#,
            ]
        );
    }

    #[test]
    fn a_pinned_comment_has_one_kind_of_place() {
        let file_id = Uuid::from_u128(7);
        let text = json!({"start": 0, "end": 3, "file_id": null, "x": null, "comment": "a"});
        let picture = json!({"file_id": file_id, "x": 0, "y": 99.5, "comment": "b"});
        let places = Pins::check(json!([text, picture]))
            .unwrap()
            .0
            .into_iter()
            .map(|pin| pin.place);
        assert_eq!(
            places.collect::<Vec<_>>(),
            [
                Place::Text { start: 0, end: 3 },
                Place::Picture {
                    file_id,
                    x: 0.0,
                    y: 99.5
                }
            ]
        );
        for (broken, found) in [
            (json!({"comment": "a"}), vec!["value_error [0]"]),
            (json!({"start": 3, "end": 3, "comment": "a"}), vec!["value_error [0]"]),
            (json!({"start": 1, "comment": "a"}), vec!["value_error [0]"]),
            (
                json!({"file_id": file_id, "x": 1, "comment": "a"}),
                vec!["value_error [0]"],
            ),
            (
                json!({"start": 0, "end": 1, "file_id": file_id, "x": 1, "y": 1, "comment": "a"}),
                vec!["value_error [0]"],
            ),
            (json!({"start": 0, "end": 1}), vec![r#"missing [0,"comment"]"#]),
            (
                json!({"start": 0, "end": 1, "comment": ""}),
                vec![r#"string_too_short [0,"comment"]"#],
            ),
            (
                json!({"start": -1, "end": 1.5, "comment": "a"}),
                vec![
                    r#"greater_than_equal [0,"start"]"#,
                    r#"int_type [0,"end"]"#,
                    "value_error [0]",
                ],
            ),
            (
                json!({"file_id": "x", "x": -0.1, "y": "2", "comment": "a"}),
                vec![
                    r#"uuid_parsing [0,"file_id"]"#,
                    r#"value_error [0,"x"]"#,
                    r#"value_error [0,"y"]"#,
                    "value_error [0]",
                ],
            ),
        ] {
            assert_eq!(wrong::<Pins>(&json!([broken])), found, "{broken}");
        }
        assert_eq!(wrong::<Pins>(&json!(vec![text.clone(); MAX_PINS + 1])), ["too_long []"]);
        assert!(Pins::check(json!(vec![text; MAX_PINS])).is_ok());
        assert_eq!(Pins::check(json!([])), Ok(Pins(vec![])));
    }

    fn any_pin() -> impl Strategy<Value = PinnedComment> {
        let text = (0u32..1000, 1u32..1000).prop_map(|(start, length)| Place::Text {
            start,
            end: start + length,
        });
        let side = || (0.0..=100.0).prop_map(|percent| Side::check(percent).unwrap().0);
        let picture = (any::<u128>(), side(), side()).prop_map(|(id, x, y)| Place::Picture {
            file_id: Uuid::from_u128(id),
            x,
            y,
        });
        (prop_oneof![text, picture], ".{1,20}").prop_map(|(place, comment)| PinnedComment { place, comment })
    }

    proptest! {
        #[test]
        fn stored_pins_are_read_as_they_were_sent(pins in proptest::collection::vec(any_pin(), 1..5)) {
            let sent = serde_json::to_value(&pins).unwrap();
            prop_assume!(!sent.to_string().contains("\\u0000"));
            prop_assert_eq!(&Pins::check(sent).unwrap().0, &pins);
            let stored = to_text(&pins).unwrap().unwrap();
            prop_assert_eq!(from_text::<PinnedComment>(Some(&stored)).unwrap(), pins);
        }
    }
}
