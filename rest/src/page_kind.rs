//! The schema of the kind of a page, which courses, quizzes, progress and students show.

use utoipa::ToSchema;

/// The kind of a page; it never changes.
#[derive(ToSchema)]
#[schema(rename_all = "snake_case")]
#[expect(dead_code, reason = "describes names of the core")]
pub enum PageKind {
    Content,
    Quiz,
    Assignment,
}
