//! Groups of a course's learners.

mod shapes;

use axum::Json;
use axum::extract::State;
use kurso_base::ids::{CourseId, GroupId};
use kurso_base::messages::{Lang, Message as Text};
use kurso_core::access::Viewer;
use kurso_core::courses::groups::{self as core, MoveOutcome};

use crate::KursoState;
use crate::error::{Error, Result};
use crate::extract::Path;
use crate::fields::Command;
use crate::message::Message;
use crate::openapi_parts::{CourseRefusals, HTTPError};
use shapes::{
    Group, GroupCreate, GroupUpdate, Groups, MoveConflict, MovedEmails, MovedStudents, StudentElsewhere, StudentsMove,
    StudentsMoveByEmail,
};

/// List the groups of a course
///
/// Returns all groups in order. Owner, editors, teachers and superusers; superusers see no share codes.
#[utoipa::path(
    get, path = "/api/v1/courses/groups/{course_id}", operation_id = "courses-groups", tag = "courses",
    responses(CourseRefusals, (status = 200, description = "The groups", body = Groups))
)]
pub async fn groups(State(kurso): KursoState, viewer: Viewer, Path(course): Path<CourseId>) -> Result<Json<Groups>> {
    Ok(Json(core::list(&kurso, &viewer, course).await?.into()))
}

/// Create a group
///
/// Inserts it at `position` of the course, by default at the end. Owner and teachers.
#[utoipa::path(
    post, path = "/api/v1/courses/create_group/{course_id}", operation_id = "courses-create_group", tag = "courses",
    request_body = GroupCreate,
    responses(
        CourseRefusals,
        (status = 200, description = "The new group", body = Group),
        (status = 409, description = "The course has 200 groups", body = HTTPError),
    )
)]
pub async fn create_group(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(course): Path<CourseId>,
    Command(new): Command<GroupCreate>,
) -> Result<Json<Group>> {
    Ok(Json(core::create(&kurso, &viewer, course, new).await?.into()))
}

/// Update a group
///
/// Changes the fields that are present in the body; `position` moves the group among its siblings. Owner and teachers.
#[utoipa::path(
    put, path = "/api/v1/courses/update_group/{group_id}", operation_id = "courses-update_group", tag = "courses",
    request_body = GroupUpdate,
    responses(CourseRefusals, (status = 200, description = "The group", body = Group))
)]
pub async fn update_group(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(group): Path<GroupId>,
    Command(update): Command<GroupUpdate>,
) -> Result<Json<Group>> {
    Ok(Json(core::update(&kurso, &viewer, group, update).await?.into()))
}

/// Delete a group
///
/// Its learners stay in the course, without a group. Owner and teachers.
#[utoipa::path(
    delete, path = "/api/v1/courses/delete_group/{group_id}", operation_id = "courses-delete_group", tag = "courses",
    responses(CourseRefusals, (status = 200, description = "Deleted", body = Message))
)]
pub async fn delete_group(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(group): Path<GroupId>,
    lang: Lang,
) -> Result<Json<Message>> {
    core::delete(&kurso, &viewer, group).await?;
    Ok(Message::say(Text::GroupDeleted, lang))
}

/// Generate a share code of a group
///
/// Replaces the current code of the group immediately. Learners who enroll with it join the group. Owner and teachers.
#[utoipa::path(
    post, path = "/api/v1/courses/generate_group_code/{group_id}",
    operation_id = "courses-generate_group_code", tag = "courses",
    responses(CourseRefusals, (status = 200, description = "The group with its new code", body = Group))
)]
pub async fn generate_group_code(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(group): Path<GroupId>,
) -> Result<Json<Group>> {
    Ok(Json(core::generate_code(&kurso, &viewer, group).await?.into()))
}

/// Remove the share code of a group
///
/// The code stops working immediately; the learners stay in the group. Owner and teachers.
#[utoipa::path(
    delete, path = "/api/v1/courses/remove_group_code/{group_id}",
    operation_id = "courses-remove_group_code", tag = "courses",
    responses(CourseRefusals, (status = 200, description = "The group without a code", body = Group))
)]
pub async fn remove_group_code(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(group): Path<GroupId>,
) -> Result<Json<Group>> {
    Ok(Json(core::remove_code(&kurso, &viewer, group).await?.into()))
}

/// Move students to a group
///
/// Moves them to a group of the course, or out of their groups, all in one transaction. Students who are not in the course are
/// returned in `not_found`; the others are moved, or nobody is when one of them is not in the expected group. Owner and teachers.
#[utoipa::path(
    post, path = "/api/v1/courses/move_students/{course_id}", operation_id = "courses-move_students", tag = "courses",
    request_body = StudentsMove,
    responses(
        CourseRefusals,
        (status = 200, description = "The result for each student", body = MovedStudents),
        (status = 409, description = "Somebody else has moved students meanwhile", body = MoveConflict),
    )
)]
pub async fn move_students(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(course): Path<CourseId>,
    Command(command): Command<StudentsMove>,
) -> Result<Json<MovedStudents>> {
    match core::move_students(&kurso, &viewer, course, command).await? {
        MoveOutcome::Done(moved) => Ok(Json(moved.into())),
        MoveOutcome::Stale(changed) => {
            let changed: Vec<_> = changed.into_iter().map(StudentElsewhere::of).collect();
            Err(Error::outdated(Text::StudentsMovedMeanwhile, "changed", &changed))
        }
    }
}

/// Move students to a group by their email addresses
///
/// As `move_students`, for the addresses in a pasted text. Owner and teachers.
#[utoipa::path(
    post, path = "/api/v1/courses/move_students_by_email/{course_id}",
    operation_id = "courses-move_students_by_email", tag = "courses",
    request_body = StudentsMoveByEmail,
    responses(CourseRefusals, (status = 200, description = "The result for each address", body = MovedEmails))
)]
pub async fn move_students_by_email(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(course): Path<CourseId>,
    Command(command): Command<StudentsMoveByEmail>,
) -> Result<Json<MovedEmails>> {
    let moved = core::move_by_email(&kurso, &viewer, course, command).await?;
    Ok(Json(moved.into()))
}
