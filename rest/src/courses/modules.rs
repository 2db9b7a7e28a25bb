//! Operations on modules.

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
use crate::openapi_parts::{CourseRefusals, HTTPError};

/// Create a module
///
/// Inserts it at `position` of the course, by default at the end. Owner and editors.
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

/// Get a module
///
/// Returns the module with its lessons and pages, including unpublished pages. Owner, editors, teachers and superusers.
#[utoipa::path(
    get, path = "/api/v1/courses/get_module/{module_id}", operation_id = "courses-get_module", tag = "courses",
    responses(CourseRefusals, (status = 200, description = "The module", body = Module))
)]
pub async fn get_module(State(kurso): KursoState, viewer: Viewer, Path(id): Path<ModuleId>) -> Result<Json<Module>> {
    Ok(Json(module::get(&kurso, &viewer, id).await?.into()))
}

/// Update a module
///
/// Changes the fields that are present in the body; `position` moves the module among its siblings. Owner and editors.
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

/// Delete a module
///
/// Deletes its lessons and pages and what learners did there as well. Owner and editors.
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

/// Duplicate a module
///
/// Inserts a deep copy after the original and appends ` (копия)` to its title. Links between copied pages point to the copies.
/// Owner and editors.
#[utoipa::path(
    post, path = "/api/v1/courses/duplicate_module/{module_id}",
    operation_id = "courses-duplicate_module", tag = "courses",
    responses(
        CourseRefusals,
        (status = 200, description = "The copy", body = Module),
        (status = 413, description = "The quota of content of the course's owner is full", body = HTTPError),
    )
)]
pub async fn duplicate_module(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<ModuleId>,
) -> Result<Json<Module>> {
    Ok(Json(duplicate::module(&kurso, &viewer, id).await?.into()))
}
