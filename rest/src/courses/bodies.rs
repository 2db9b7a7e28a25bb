//! The bodies of author calls. The core reads the fields, all errors at once; these describe them.
#![expect(dead_code, reason = "the fields are read from the JSON")]

use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

use super::shapes::PageKind;
use crate::quiz::QuizWrite;

#[derive(ToSchema)]
pub struct CourseCreate {
    #[schema(min_length = 1, max_length = 255)]
    title: String,
    #[schema(max_length = 10_000)]
    description: Option<String>,
}

/// What is left out stays as it is.
#[derive(ToSchema)]
pub struct CourseUpdate {
    #[schema(min_length = 1, max_length = 255, nullable = false)]
    title: Option<String>,
    #[schema(max_length = 10_000)]
    description: Option<String>,
}

#[derive(ToSchema)]
pub struct ModuleCreate {
    #[schema(min_length = 1, max_length = 255)]
    title: String,
    #[schema(max_length = 10_000)]
    description: Option<String>,
    /// At the end when left out; beyond the end is the end.
    #[schema(minimum = 0)]
    position: Option<i64>,
}

/// What is left out stays as it is.
#[derive(ToSchema)]
pub struct ModuleUpdate {
    #[schema(min_length = 1, max_length = 255, nullable = false)]
    title: Option<String>,
    #[schema(max_length = 10_000)]
    description: Option<String>,
    /// Where among its siblings the module goes; beyond the end is the end.
    #[schema(minimum = 0)]
    position: Option<i64>,
    /// Null takes the picture away; anything else changes nothing, `upload_module_avatar` does.
    avatar_url: Option<String>,
}

#[derive(ToSchema)]
pub struct LessonCreate {
    #[schema(min_length = 1, max_length = 255)]
    title: String,
    /// At the end when left out; beyond the end is the end.
    #[schema(minimum = 0)]
    position: Option<i64>,
}

/// What is left out stays as it is.
#[derive(ToSchema)]
pub struct LessonUpdate {
    #[schema(min_length = 1, max_length = 255, nullable = false)]
    title: Option<String>,
    /// Into which module of the same course the lesson goes: to its end, unless a position is given.
    module_id: Option<Uuid>,
    /// Where among its siblings the lesson goes; beyond the end is the end.
    #[schema(minimum = 0)]
    position: Option<i64>,
}

#[derive(ToSchema)]
pub struct PageCreate {
    /// Null: shown as the page's number in its lesson.
    #[schema(min_length = 1, max_length = 255)]
    title: Option<String>,
    /// `content` when left out; never changes.
    #[schema(inline)]
    kind: Option<PageKind>,
    /// A ProseMirror document; one empty paragraph when left out.
    #[schema(value_type = Option<Object>)]
    content: Option<Value>,
    /// Quiz pages only.
    quiz: Option<QuizWrite>,
    /// At the end when left out; beyond the end is the end.
    #[schema(minimum = 0)]
    position: Option<i64>,
    /// True when left out. A page that is not published may hold an incomplete quiz.
    #[schema(nullable = false)]
    published: Option<bool>,
}

/// What is left out stays as it is.
#[derive(ToSchema)]
pub struct PageUpdate {
    /// Null: shown as the page's number in its lesson.
    #[schema(min_length = 1, max_length = 255)]
    title: Option<String>,
    /// A ProseMirror document.
    #[schema(value_type = Option<Object>, nullable = false)]
    content: Option<Value>,
    /// Quiz pages only.
    quiz: Option<QuizWrite>,
    #[schema(nullable = false)]
    published: Option<bool>,
    /// Into which lesson of the same course the page goes: to its end, unless a position is given.
    lesson_id: Option<Uuid>,
    /// Where among its siblings the page goes; beyond the end is the end.
    #[schema(minimum = 0)]
    position: Option<i64>,
    /// The version that the change is of. Without it the change is never too late.
    #[schema(minimum = 1)]
    version: Option<i64>,
}
