//! Bodies of marks and pinned comments, and the schema of the rubrics of a course.

use kurso_base::values::{PartComment, TextOffset};
use kurso_core::assessments::{self as core, Marks, Pins};
use kurso_formats::quiz::{MAX_CRITERIA, MAX_PINS};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa::openapi::schema::Type;
use utoipa::openapi::{RefOr, Schema};
use uuid::Uuid;

use crate::fields::{Field, any_entries_schema, of_type, property, uuid_schema};
use crate::quiz::rubric::Rubric;

impl Field for Marks {
    fn schema() -> RefOr<Schema> {
        any_entries_schema("MarkWrite", MAX_CRITERIA)
    }

    fn schemas(to: &mut Vec<(String, RefOr<Schema>)>) {
        let object = of_type(Type::Object)
            .description(Some("The level that a grader chooses for a criterion."))
            .property(Self::CRITERION, uuid_schema())
            .required(Self::CRITERION)
            .property(Self::LEVEL, uuid_schema())
            .required(Self::LEVEL)
            .property(Self::COMMENT, property::<Option<PartComment>>(&[]));
        to.push(("MarkWrite".to_owned(), object.into()));
    }
}

impl Field for Pins {
    fn schema() -> RefOr<Schema> {
        any_entries_schema("PinnedCommentWrite", MAX_PINS)
    }

    fn schemas(to: &mut Vec<(String, RefOr<Schema>)>) {
        let percent = || of_type(Type::Number).minimum(Some(0)).maximum(Some(100));
        let [start, end] = Self::OFFSETS;
        let [x, y] = Self::SIDES;
        let object = of_type(Type::Object)
            .description(Some(
                "A grader's comment at a place of an answer: either `start` and a larger `end`, offsets in Unicode code points in the text nodes of \
                 the document in order, without separators; or `file_id` of a picture among the files, with `x` and `y` in percent of its width and \
                 height.",
            ))
            .property(start, TextOffset::schema())
            .property(end, TextOffset::schema())
            .property(Self::FILE, uuid_schema())
            .property(x, percent())
            .property(y, percent())
            .property(Self::COMMENT, PartComment::schema())
            .required(Self::COMMENT);
        to.push(("PinnedCommentWrite".to_owned(), object.into()));
    }
}

/// The rubric of a question of the course.
#[derive(Serialize, ToSchema)]
pub struct UsedRubric {
    pub page_id: Uuid,
    /// Null when the page is shown by its number.
    #[schema(required)]
    pub page_title: Option<String>,
    /// Number of the question, from 1.
    pub number: i64,
    /// Plain text on one line, cut at 200 characters.
    pub prompt: String,
    pub rubric: Rubric,
}

impl From<core::UsedRubric> for UsedRubric {
    fn from(used: core::UsedRubric) -> Self {
        UsedRubric {
            page_id: used.page_id.0,
            page_title: used.page_title,
            number: used.number,
            prompt: used.prompt,
            rubric: used.rubric.into(),
        }
    }
}
