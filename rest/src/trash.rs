//! The trash: lists, restores and finally deletes deleted courses and parts of courses.

use axum::Json;
use axum::extract::State;
use chrono::{DateTime, Utc};
use kurso_base::ids::{CourseId, LessonId, ModuleId, TrashEntryId};
use kurso_base::messages::{Lang, Message as Text};
use kurso_core::access::Viewer;
use kurso_core::learning::view::CourseView;
use kurso_core::trash::{self as core, RestoreFromTrash};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::KursoState;
use crate::courses::shapes::CourseTree;
use crate::error::Result;
use crate::extract::Path;
use crate::fields::{Command, body};
use crate::grading::shapes::PersonName;
use crate::message::Message;
use crate::openapi_parts::{CourseRefusals, HTTPError, SignedInRefusals};

body! {
    /// An empty object restores to where it was.
    TrashRestore -> RestoreFromTrash {
        /// A lesson of the course, for a page. Default: the one in which it was.
        lesson_id: Option<LessonId>,
        /// A module of the course, for a lesson. Default: the one in which it was.
        module_id: Option<ModuleId>,
    }
}

/// Something that was deleted and can be restored with everything that belonged to it.
#[derive(Serialize, ToSchema)]
pub struct TrashEntry {
    pub id: Uuid,
    /// `course`, `module`, `lesson` or `page`.
    #[schema(pattern = "^(course|module|lesson|page)$")]
    pub kind: &'static str,
    /// Null for a page that was shown by its number.
    #[schema(required)]
    pub title: Option<String>,
    /// ID of its course, or its own when it is a course.
    pub course_id: Uuid,
    /// Title of its course when it was deleted.
    pub course_title: String,
    /// Titles of the module and the lesson in which it was, outermost first.
    pub place: Vec<String>,
    /// Number of pages in it.
    pub page_count: i64,
    /// Number of attempts in it by the learners who were enrolled.
    pub attempt_count: i64,
    /// Null if the account was deleted.
    #[schema(required)]
    pub deleted_by: Option<PersonName>,
    #[serde(serialize_with = "kurso_base::wire::time")]
    pub deleted_at: DateTime<Utc>,
    /// When it is deleted forever.
    #[serde(serialize_with = "kurso_base::wire::time")]
    pub expires_at: DateTime<Utc>,
    /// Whether the lesson of the page, or the module of the lesson, is no longer in the course.
    pub parent_is_gone: bool,
}

impl From<core::TrashEntry> for TrashEntry {
    fn from(entry: core::TrashEntry) -> Self {
        let full_name = entry.deleted_by_full_name;
        TrashEntry {
            id: entry.id.0,
            kind: entry.kind.name(),
            title: entry.title,
            course_id: entry.course_id.0,
            course_title: entry.course_title,
            place: entry.place,
            page_count: entry.page_count,
            attempt_count: entry.attempt_count,
            deleted_by: entry.deleted_by.map(|id| PersonName { id: id.0, full_name }),
            deleted_at: entry.deleted_at,
            expires_at: entry.expires_at,
            parent_is_gone: entry.parent_is_gone,
        }
    }
}

/// Entries of the trash.
#[derive(Serialize, ToSchema)]
pub struct Trash {
    /// Last deleted first.
    pub data: Vec<TrashEntry>,
    /// Number of entries.
    pub count: usize,
}

impl From<Vec<core::TrashEntry>> for Trash {
    fn from(entries: Vec<core::TrashEntry>) -> Self {
        Trash {
            count: entries.len(),
            data: entries.into_iter().map(TrashEntry::from).collect(),
        }
    }
}

/// List what was deleted from a course
///
/// Pages, lessons and modules that can be restored, last deleted first, at most 500. Owner and editors.
#[utoipa::path(
    get, path = "/api/v1/courses/trash/{course_id}", operation_id = "courses-trash", tag = "courses",
    responses(CourseRefusals, (status = 200, description = "The entries", body = Trash))
)]
pub async fn trash(State(kurso): KursoState, viewer: Viewer, Path(course): Path<CourseId>) -> Result<Json<Trash>> {
    Ok(Json(core::of_course(&kurso, &viewer, course).await?.into()))
}

/// List the deleted courses of the caller
///
/// Courses of the caller that can be restored, last deleted first, at most 500; for superusers those of all owners.
#[utoipa::path(
    get, path = "/api/v1/courses/deleted_courses", operation_id = "courses-deleted_courses", tag = "courses",
    responses(SignedInRefusals, (status = 200, description = "The entries", body = Trash))
)]
pub async fn deleted_courses(State(kurso): KursoState, viewer: Viewer) -> Result<Json<Trash>> {
    Ok(Json(core::deleted_courses(&kurso, &viewer).await?.into()))
}

/// Restore from the trash
///
/// Restores a deleted page, lesson, module or course with visits, attempts, grades and everything else that belonged to it: a part to its
/// place, or to the end of the given lesson or module. Parts: owner and editors; a course: its owner and superusers.
#[utoipa::path(
    post, path = "/api/v1/courses/restore_from_trash/{entry_id}", operation_id = "courses-restore_from_trash", tag = "courses",
    request_body = TrashRestore,
    responses(
        CourseRefusals,
        (status = 200, description = "The course with what was restored", body = CourseTree),
        (
            status = 409,
            description = "What contained the part is in the trash or gone and no other is given, or it conflicts with what was added meanwhile",
            body = HTTPError,
        ),
    )
)]
pub async fn restore_from_trash(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<TrashEntryId>,
    Command(to): Command<TrashRestore>,
) -> Result<Json<CourseTree>> {
    let course = core::restore(&kurso, &viewer, id, to).await?;
    let view = CourseView::of(&kurso, course).await?;
    Ok(Json(CourseTree::of(&kurso, view).await?))
}

/// Delete from the trash
///
/// Deletes an entry at once and for good. Parts: owner and editors; a course: its owner and superusers.
#[utoipa::path(
    delete, path = "/api/v1/courses/delete_forever/{entry_id}", operation_id = "courses-delete_forever", tag = "courses",
    responses(CourseRefusals, (status = 200, description = "Deleted", body = Message))
)]
pub async fn delete_forever(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<TrashEntryId>,
    lang: Lang,
) -> Result<Json<Message>> {
    core::delete_forever(&kurso, &viewer, id).await?;
    Ok(Message::say(Text::TrashDeletedForever, lang))
}
