//! Operations on lessons.

use axum::Json;
use axum::extract::State;
use kurso_base::ids::{LessonId, ModuleId};
use kurso_base::messages::{Lang, Message as Text};
use kurso_core::access::Viewer;
use kurso_core::courses::{duplicate, lesson};

use super::bodies::{LessonCreate, LessonUpdate};
use super::shapes::Lesson;
use crate::KursoState;
use crate::error::Result;
use crate::extract::Path;
use crate::fields::Command;
use crate::message::Message;
use crate::openapi_parts::{CourseRefusals, HTTPError};

/// Create a lesson
///
/// Inserts it at `position` of the module, by default at the end. Owner and editors.
#[utoipa::path(
    post, path = "/api/v1/courses/create_lesson/{module_id}", operation_id = "courses-create_lesson", tag = "courses",
    request_body = LessonCreate,
    responses(CourseRefusals, (status = 200, description = "The new lesson", body = Lesson))
)]
pub async fn create_lesson(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<ModuleId>,
    Command(new): Command<LessonCreate>,
) -> Result<Json<Lesson>> {
    Ok(Json(lesson::create(&kurso, &viewer, id, new).await?.into()))
}

/// Get a lesson
///
/// Returns the lesson with its pages, including unpublished pages. Owner, editors, teachers and superusers.
#[utoipa::path(
    get, path = "/api/v1/courses/get_lesson/{lesson_id}", operation_id = "courses-get_lesson", tag = "courses",
    responses(CourseRefusals, (status = 200, description = "The lesson", body = Lesson))
)]
pub async fn get_lesson(State(kurso): KursoState, viewer: Viewer, Path(id): Path<LessonId>) -> Result<Json<Lesson>> {
    Ok(Json(lesson::get(&kurso, &viewer, id).await?.into()))
}

/// Update a lesson
///
/// Changes the fields that are present in the body; `position` and `module_id` move the lesson within its course. Owner and
/// editors.
#[utoipa::path(
    put, path = "/api/v1/courses/update_lesson/{lesson_id}", operation_id = "courses-update_lesson", tag = "courses",
    request_body = LessonUpdate,
    responses(CourseRefusals, (status = 200, description = "The lesson", body = Lesson))
)]
pub async fn update_lesson(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<LessonId>,
    Command(update): Command<LessonUpdate>,
) -> Result<Json<Lesson>> {
    Ok(Json(lesson::update(&kurso, &viewer, id, update).await?.into()))
}

/// Delete a lesson
///
/// Deletes its pages and what learners did there as well. Owner and editors.
#[utoipa::path(
    delete, path = "/api/v1/courses/delete_lesson/{lesson_id}", operation_id = "courses-delete_lesson", tag = "courses",
    responses(CourseRefusals, (status = 200, description = "Deleted", body = Message))
)]
pub async fn delete_lesson(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<LessonId>,
    lang: Lang,
) -> Result<Json<Message>> {
    lesson::delete(&kurso, &viewer, id).await?;
    Ok(Message::say(Text::LessonDeleted, lang))
}

/// Duplicate a lesson
///
/// Inserts a deep copy after the original and appends ` (копия)` to its title. Links between copied pages point to the copies.
/// Owner and editors.
#[utoipa::path(
    post, path = "/api/v1/courses/duplicate_lesson/{lesson_id}",
    operation_id = "courses-duplicate_lesson", tag = "courses",
    responses(
        CourseRefusals,
        (status = 200, description = "The copy", body = Lesson),
        (status = 413, description = "The quota of content of the course's owner is full", body = HTTPError),
    )
)]
pub async fn duplicate_lesson(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<LessonId>,
) -> Result<Json<Lesson>> {
    Ok(Json(duplicate::lesson(&kurso, &viewer, id).await?.into()))
}
