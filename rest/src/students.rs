//! The students of a course, for its staff.

mod heat_map;
mod shapes;

use axum::Json;
use axum::extract::State;
use kurso_base::ids::{CourseId, EnrollmentId};
use kurso_base::messages::{Lang, Message as Text};
use kurso_core::access::Viewer;
use kurso_core::students as core;
use kurso_core::students::heat_map as heat;

use crate::KursoState;
use crate::error::Result;
use crate::extract::{Path, StudentsQuery, with_path};
use crate::message::Message;
use crate::openapi_parts::{CourseRefusals, PagingParams, SearchParams};
use heat_map::HeatMap;
use shapes::{StudentProgress, Students};

/// Course Students
///
/// Those who learn a course and how far they are. The owner, editors, teachers and superusers. `search` looks into names and
/// e-mail addresses. Order: as `sort` says, `full_name` when it is left out; equal ones by enrollment id, ascending. People
/// without a name are sorted by their address, and those who have not completed the course come last by `completed_at`.
#[utoipa::path(
    get, path = "/api/v1/courses/course_students/{course_id}",
    operation_id = "courses-course_students", tag = "courses",
    params(
        PagingParams,
        SearchParams,
        ("sort" = Option<String>, Query, description = "`full_name`, `email`, `enrolled_at`, `last_activity_at`, `percent` \
            or `completed_at`, ascending; with `-` before it, descending",
            pattern = "^-?(full_name|email|enrolled_at|last_activity_at|percent|completed_at)$"),
    ),
    responses(CourseRefusals, (status = 200, description = "Students", body = Students))
)]
pub async fn course_students(
    State(kurso): KursoState,
    viewer: Viewer,
    path: Result<Path<CourseId>>,
    query: Result<StudentsQuery>,
) -> Result<Json<Students>> {
    let (course, query) = with_path(path, query)?;
    Ok(Json(
        core::list(&kurso, &viewer, course, &query.students, query.page)
            .await?
            .into(),
    ))
}

/// Student Detailed Progress
///
/// What one student did, page by page, with the attempts at quizzes, their answers and the quizzes as they were taken.
/// Unpublished pages are shown and count nowhere. The owner, editors, teachers and superusers.
#[utoipa::path(
    get, path = "/api/v1/courses/student_detailed_progress/{enrollment_id}",
    operation_id = "courses-student_detailed_progress", tag = "courses",
    responses(CourseRefusals, (status = 200, description = "The student", body = StudentProgress))
)]
pub async fn student_detailed_progress(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<EnrollmentId>,
) -> Result<Json<StudentProgress>> {
    let detail = core::detail(&kurso, &viewer, id).await?;
    Ok(Json(StudentProgress::of(&detail)?))
}

/// Course Heat Map
///
/// What the students of a course did with each of its published pages, where those who have not completed it stopped, and
/// which questions they miss at their first attempt: `students` is `completed`, `not_started` and the `stopped` of all
/// pages together. Of the hardest questions at most ten, the hardest first; none with an average above 80 %. The
/// owner, editors, teachers and superusers.
#[utoipa::path(
    get, path = "/api/v1/courses/course_heat_map/{course_id}",
    operation_id = "courses-course_heat_map", tag = "courses",
    responses(CourseRefusals, (status = 200, description = "The heat map", body = HeatMap))
)]
pub async fn course_heat_map(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(course): Path<CourseId>,
) -> Result<Json<HeatMap>> {
    let map = heat::find(&kurso, &viewer, course).await?;
    let hardest = map.hardest_questions(&kurso).await?;
    Ok(Json(HeatMap::of(&map, hardest)))
}

/// Remove Student
///
/// Takes somebody out of a course, with all visits and attempts; the share code lets the person in again. The owner and
/// teachers.
#[utoipa::path(
    delete, path = "/api/v1/courses/remove_student/{enrollment_id}",
    operation_id = "courses-remove_student", tag = "courses",
    responses(CourseRefusals, (status = 200, description = "Removed", body = Message))
)]
pub async fn remove_student(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<EnrollmentId>,
    lang: Lang,
) -> Result<Json<Message>> {
    core::remove(&kurso, &viewer, id).await?;
    Ok(Message::say(Text::StudentRemoved, lang))
}
