//! Overrides of dates and attempts for a group or a student.

mod shapes;
mod times;

use axum::Json;
use axum::extract::State;
use kurso_base::ids::{CourseId, OverrideId};
use kurso_base::messages::{Lang, Message as Text};
use kurso_core::access::Viewer;
use kurso_core::courses::overrides::{self as core, Changed, ChangedAll, StoredOverride};

use crate::KursoState;
use crate::error::{Error, Result};
use crate::extract::{ExpectedQuery, OverridesQuery, Path, TimesQuery, with_path};
use crate::fields::Command;
use crate::message::Message;
use crate::openapi_parts::{CourseRefusals, PagingParams};
use shapes::{
    Override, OverrideConflict, OverrideSet, Overrides, OverridesConflict, OverridesSet, PartOverride, StoredOverrides,
};
use times::OverrideTimes;

/// List the overrides of a course
///
/// Returns those of groups in the order of the groups, then those of students, each in the order in which they were made. Owner, editors,
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
/// Sets what differs for a group or a student from the dates and attempts of the course, a module, a lesson or a page, in place of the override
/// of the same part that they have. Limits that are absent are inherited, null lifts the limit. An override of a student precedes that of their
/// group. `add_attempts` instead adds to the attempts that the override gives. Owner and teachers.
#[utoipa::path(
    put, path = "/api/v1/courses/set_override/{course_id}", operation_id = "courses-set_override", tag = "courses",
    request_body = OverrideSet,
    responses(
        CourseRefusals,
        (status = 200, description = "The override", body = Override),
        (
            status = 409,
            description = "Somebody else has changed the override or the time zone of the course meanwhile, or the course has 5,000 overrides; \
                `override` is present in the first two cases",
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
        Changed::Stale(current) => Err(outdated(Text::OverrideChanged, current)),
        Changed::OtherZone(current) => Err(outdated(Text::CourseZoneChanged, current)),
    }
}

/// Set several overrides of a group or a student
///
/// Sets and removes the overrides of several parts of a course for a group or a student in one transaction: all of them or none. Owner and
/// teachers.
#[utoipa::path(
    put, path = "/api/v1/courses/set_overrides/{course_id}", operation_id = "courses-set_overrides", tag = "courses",
    request_body = OverridesSet,
    responses(
        CourseRefusals,
        (status = 200, description = "The overrides", body = StoredOverrides),
        (
            status = 409,
            description = "Somebody else has changed overrides or the time zone of the course meanwhile, or the course has 5,000 overrides; \
                `changed` is present in the first two cases",
            body = OverridesConflict,
        ),
    )
)]
pub async fn set_overrides(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(course): Path<CourseId>,
    Command(command): Command<OverridesSet>,
) -> Result<Json<StoredOverrides>> {
    let (message, changed) = match core::set_many(&kurso, &viewer, course, command).await? {
        ChangedAll::Done(stored) => {
            let overrides = stored.into_iter().map(|one| one.map(Override::from)).collect();
            return Ok(Json(StoredOverrides { overrides }));
        }
        ChangedAll::Stale(changed) => (Text::OverrideChanged, changed),
        ChangedAll::OtherZone => (Text::CourseZoneChanged, vec![]),
    };
    let changed: Vec<_> = changed.into_iter().map(PartOverride::of).collect();
    Err(Error::outdated(message, "changed", &changed))
}

/// Read the effective dates with an override
///
/// Returns the effective dates of a part, with those inherited from the parts above it: for everybody, for the group of a student, and for the
/// group or student of the override. Also returns the parts that end for them before the deadline of the override. Changes nothing. Owner,
/// editors, teachers and superusers.
#[utoipa::path(
    get, path = "/api/v1/courses/override_times/{course_id}", operation_id = "courses-override_times", tag = "courses",
    params(
        ("group_id" = Option<uuid::Uuid>, Query, description = "A group of the course."),
        ("enrollment_id" = Option<uuid::Uuid>, Query,
            description = "The `enrollment_id` of a student of the course. Without it and `group_id`, `result` is for everybody."),
        ("module_id" = Option<uuid::Uuid>, Query, description = "A module of the course."),
        ("lesson_id" = Option<uuid::Uuid>, Query, description = "A lesson of the course."),
        ("page_id" = Option<uuid::Uuid>, Query, description = "A page of the course. Without the three, the part is the course itself."),
        ("limits" = Option<String>, Query,
            description = "The dates that the override would have instead of the stored one: a JSON object of `available_from`, \
                `available_until`, `due_at` and `late_until` as in `OverrideSet`."),
    ),
    responses(CourseRefusals, (status = 200, description = "The effective dates", body = OverrideTimes))
)]
pub async fn override_times(
    State(kurso): KursoState,
    viewer: Viewer,
    path: Result<Path<CourseId>>,
    query: Result<TimesQuery>,
) -> Result<Json<OverrideTimes>> {
    let (course, TimesQuery(of)) = with_path(path, query)?;
    Ok(Json(core::times(&kurso, &viewer, course, of).await?.into()))
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
        Changed::Stale(current) | Changed::OtherZone(current) => Err(outdated(Text::OverrideChanged, current)),
    }
}

fn outdated(message: Text, current: Option<Box<StoredOverride>>) -> Error {
    let current = current.map(|stored| Override::from(*stored));
    Error::outdated(message, "override", &current)
}
