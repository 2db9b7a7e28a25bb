//! Calls about lessons.

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
use crate::openapi_parts::CourseRefusals;

/// Create Lesson
///
/// At `position` in the module, or at the end. Owner and editors.
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

/// Get Lesson
///
/// A lesson with what is in it, as its authors and teachers see it.
#[utoipa::path(
    get, path = "/api/v1/courses/get_lesson/{lesson_id}", operation_id = "courses-get_lesson", tag = "courses",
    responses(CourseRefusals, (status = 200, description = "The lesson", body = Lesson))
)]
pub async fn get_lesson(State(kurso): KursoState, viewer: Viewer, Path(id): Path<LessonId>) -> Result<Json<Lesson>> {
    Ok(Json(lesson::get(&kurso, &viewer, id).await?.into()))
}

/// Update Lesson
///
/// Changes what is given; `position` and `module_id` move the lesson within its course. Owner and editors.
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

/// Delete Lesson
///
/// With everything in it. Owner and editors.
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

/// Duplicate Lesson
///
/// A copy with everything in it, right after the original, its title followed by ` (копия)`. Links inside what is copied
/// lead to the copies. Owner and editors.
#[utoipa::path(
    post, path = "/api/v1/courses/duplicate_lesson/{lesson_id}",
    operation_id = "courses-duplicate_lesson", tag = "courses",
    responses(CourseRefusals, (status = 200, description = "The copy", body = Lesson))
)]
pub async fn duplicate_lesson(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<LessonId>,
) -> Result<Json<Lesson>> {
    Ok(Json(duplicate::lesson(&kurso, &viewer, id).await?.into()))
}
