//! Modules of a course.

use axum::Json;
use axum::extract::State;
use kurso_base::ids::{CourseId, ModuleId};
use kurso_base::messages::{Lang, Message as Text};
use kurso_core::access::Viewer;
use kurso_core::courses::{duplicate, module};

use super::bodies::{ModuleCreate, ModuleUpdate};
use super::shapes::Module;
use crate::KursoState;
use crate::error::Result;
use crate::extract::Path;
use crate::fields::Command;
use crate::message::Message;
use crate::openapi_parts::CourseRefusals;

/// Create Module
///
/// At `position` in the course, or at the end. Owner and editors.
#[utoipa::path(
    post, path = "/api/v1/courses/create_module/{course_id}", operation_id = "courses-create_module", tag = "courses",
    request_body = ModuleCreate,
    responses(CourseRefusals, (status = 200, description = "The new module", body = Module))
)]
pub async fn create_module(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<CourseId>,
    Command(new): Command<ModuleCreate>,
) -> Result<Json<Module>> {
    Ok(Json(module::create(&kurso, &viewer, id, new).await?.into()))
}

/// Get Module
///
/// A module with what is in it, as its authors and teachers see it.
#[utoipa::path(
    get, path = "/api/v1/courses/get_module/{module_id}", operation_id = "courses-get_module", tag = "courses",
    responses(CourseRefusals, (status = 200, description = "The module", body = Module))
)]
pub async fn get_module(State(kurso): KursoState, viewer: Viewer, Path(id): Path<ModuleId>) -> Result<Json<Module>> {
    Ok(Json(module::get(&kurso, &viewer, id).await?.into()))
}

/// Update Module
///
/// Changes what is given; `position` moves the module among its siblings. Owner and editors.
#[utoipa::path(
    put, path = "/api/v1/courses/update_module/{module_id}", operation_id = "courses-update_module", tag = "courses",
    request_body = ModuleUpdate,
    responses(CourseRefusals, (status = 200, description = "The module", body = Module))
)]
pub async fn update_module(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<ModuleId>,
    Command(update): Command<ModuleUpdate>,
) -> Result<Json<Module>> {
    Ok(Json(module::update(&kurso, &viewer, id, update).await?.into()))
}

/// Delete Module
///
/// With everything in it. Owner and editors.
#[utoipa::path(
    delete, path = "/api/v1/courses/delete_module/{module_id}", operation_id = "courses-delete_module", tag = "courses",
    responses(CourseRefusals, (status = 200, description = "Deleted", body = Message))
)]
pub async fn delete_module(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<ModuleId>,
    lang: Lang,
) -> Result<Json<Message>> {
    module::delete(&kurso, &viewer, id).await?;
    Ok(Message::say(Text::ModuleDeleted, lang))
}

/// Duplicate Module
///
/// A copy with everything in it, right after the original, its title followed by ` (копия)`. Links inside what is copied
/// lead to the copies. Owner and editors.
#[utoipa::path(
    post, path = "/api/v1/courses/duplicate_module/{module_id}",
    operation_id = "courses-duplicate_module", tag = "courses",
    responses(CourseRefusals, (status = 200, description = "The copy", body = Module))
)]
pub async fn duplicate_module(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<ModuleId>,
) -> Result<Json<Module>> {
    Ok(Json(duplicate::module(&kurso, &viewer, id).await?.into()))
}
