//! Overrides of dates and attempts for a group or a student.

mod shapes;

use axum::Json;
use axum::extract::State;
use kurso_base::ids::{CourseId, OverrideId};
use kurso_base::messages::{Lang, Message as Text};
use kurso_core::access::Viewer;
use kurso_core::courses::overrides::{self as core, Changed, StoredOverride};

use crate::KursoState;
use crate::error::{Error, Result};
use crate::extract::{ExpectedQuery, OverridesQuery, Path, with_path};
use crate::fields::Command;
use crate::message::Message;
use crate::openapi_parts::{CourseRefusals, PagingParams};
use shapes::{Override, OverrideConflict, OverrideSet, Overrides};

/// List the overrides of a course
///
/// Returns those of groups in the order of the groups, then those of students, each in the order of their making. Owner, editors,
/// teachers and superusers.
#[utoipa::path(
    get, path = "/api/v1/courses/overrides/{course_id}", operation_id = "courses-overrides", tag = "courses",
    params(
        PagingParams,
        ("group_id" = Option<uuid::Uuid>, Query,
            description = "ID of a group: only its overrides; none when the course has no such group."),
        ("enrollment_id" = Option<uuid::Uuid>, Query,
            description = "The `enrollment_id` of a student: only their own overrides; none when the course has no such student. \
                `group_id` is then ignored."),
    ),
    responses(CourseRefusals, (status = 200, description = "The overrides", body = Overrides))
)]
pub async fn overrides(
    State(kurso): KursoState,
    viewer: Viewer,
    path: Result<Path<CourseId>>,
    query: Result<OverridesQuery>,
) -> Result<Json<Overrides>> {
    let (course, query) = with_path(path, query)?;
    let found = core::list(&kurso, &viewer, course, query.filter, query.page).await?;
    Ok(Json(found.into()))
}

/// Set an override
///
/// Sets what differs for a group or a student from the dates and attempts of the course, a module, a lesson or a page, in place of the
/// override of the same part that they have. Limits that are absent are inherited, null lifts the limit. An override of a student
/// precedes that of their group. `add_attempts` adds to the attempts that are there instead. Owner and teachers.
#[utoipa::path(
    put, path = "/api/v1/courses/set_override/{course_id}", operation_id = "courses-set_override", tag = "courses",
    request_body = OverrideSet,
    responses(
        CourseRefusals,
        (status = 200, description = "The override", body = Override),
        (
            status = 409,
            description = "Somebody else has changed the override meanwhile, or the course has 5,000 overrides; `override` is present in the \
                first case",
            body = OverrideConflict,
        ),
    )
)]
pub async fn set_override(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(course): Path<CourseId>,
    Command(command): Command<OverrideSet>,
) -> Result<Json<Override>> {
    match core::set(&kurso, &viewer, course, command).await? {
        Changed::Done(stored) => Ok(Json(stored.into())),
        Changed::Stale(current) => Err(outdated(current)),
    }
}

/// Delete an override
///
/// The group or the student inherits again. Owner and teachers.
#[utoipa::path(
    delete, path = "/api/v1/courses/delete_override/{override_id}", operation_id = "courses-delete_override", tag = "courses",
    params(
        ("expected" = Option<String>, Query,
            description = "The limits of the override that was read, a JSON object as `ExpectedOverride`. If others are stored, nothing is \
                deleted (409). Without it, the deletion is never refused as a conflict."),
    ),
    responses(
        CourseRefusals,
        (status = 200, description = "Deleted", body = Message),
        (status = 409, description = "Somebody else has changed the override meanwhile", body = OverrideConflict),
    )
)]
pub async fn delete_override(
    State(kurso): KursoState,
    viewer: Viewer,
    path: Result<Path<OverrideId>>,
    query: Result<ExpectedQuery>,
    lang: Lang,
) -> Result<Json<Message>> {
    let (id, ExpectedQuery(expected)) = with_path(path, query)?;
    match core::delete(&kurso, &viewer, id, expected).await? {
        Changed::Done(_) => Ok(Message::say(Text::OverrideDeleted, lang)),
        Changed::Stale(current) => Err(outdated(current)),
    }
}

fn outdated(current: Option<Box<StoredOverride>>) -> Error {
    let current = current.map(|stored| Override::from(*stored));
    Error::outdated(Text::OverrideChanged, "override", &current)
}
