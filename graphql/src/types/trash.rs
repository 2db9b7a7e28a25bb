use async_graphql::{Enum, ID, SimpleObject};
use kurso_core::trash;

use super::grading::PersonName;
use super::{DateTime, id_of, int};

/// What was deleted.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "trash::TrashKind")]
pub enum TrashKind {
    /// A course.
    Course,
    /// A module with its lessons.
    Module,
    /// A lesson with its pages.
    Lesson,
    /// A page.
    Page,
}

/// Something that was deleted and can be restored with everything that belonged to it.
#[derive(SimpleObject)]
pub struct TrashEntry {
    /// Unique ID.
    id: ID,
    /// What was deleted.
    kind: TrashKind,
    /// Its title; null for a page that was shown by its number.
    title: Option<String>,
    /// ID of its course, or its own when it is a course.
    course_id: ID,
    /// Title of its course when it was deleted.
    course_title: String,
    /// Titles of the module and the lesson in which it was, outermost first.
    place: Vec<String>,
    /// Number of pages in it.
    page_count: i32,
    /// Number of attempts in it by the learners who were enrolled.
    attempt_count: i32,
    /// The user who deleted it; null if that account was deleted.
    deleted_by: Option<PersonName>,
    /// Time of the deletion.
    deleted_at: DateTime,
    /// When it is deleted forever.
    expires_at: DateTime,
    /// Whether the lesson of the page, or the module of the lesson, is no longer in the course.
    parent_is_gone: bool,
}

impl From<&trash::TrashEntry> for TrashEntry {
    fn from(entry: &trash::TrashEntry) -> Self {
        TrashEntry {
            id: id_of(entry.id),
            kind: entry.kind.into(),
            title: entry.title.clone(),
            course_id: id_of(entry.course_id),
            course_title: entry.course_title.clone(),
            place: entry.place.clone(),
            page_count: int(entry.page_count),
            attempt_count: int(entry.attempt_count),
            deleted_by: entry
                .deleted_by
                .map(|id| PersonName::of(id, entry.deleted_by_full_name.clone())),
            deleted_at: DateTime(entry.deleted_at),
            expires_at: DateTime(entry.expires_at),
            parent_is_gone: entry.parent_is_gone,
        }
    }
}
