//! The students of a course, for its staff.

mod analysis;
mod heat_map;
pub mod shapes;

use axum::Json;
use axum::extract::State;
use kurso_base::ids::{CourseId, EnrollmentId, PageId};
use kurso_base::messages::{Lang, Message as Text};
use kurso_core::access::Viewer;
use kurso_core::attempts::analysis::analyse;
use kurso_core::students as core;
use kurso_core::students::heat_map as heat;

use crate::KursoState;
use crate::error::Result;
use crate::extract::{GroupQuery, Path, StudentsQuery, with_path};
use crate::message::Message;
use crate::openapi_parts::{CourseRefusals, GroupParams, PagingParams, SearchParams};
use analysis::QuizAnalysis;
use heat_map::HeatMap;
use shapes::{StudentProgress, Students};

/// List the students of a course
///
/// Returns the learners with their progress. `search` matches names and email addresses. Order: by `sort`, then by enrollment ID,
/// ascending. Students without a name are sorted by their email address; with `completed_at`, students who have not completed the
/// course come last. Owner, editors, teachers and superusers.
#[utoipa::path(
    get, path = "/api/v1/courses/course_students/{course_id}",
    operation_id = "courses-course_students", tag = "courses",
    params(
        PagingParams,
        SearchParams,
        GroupParams,
        ("state" = Option<String>, Query, description = "Only students in this state: `not_started`: visited no page; `stalled`: \
            started, not completed, and not active for seven days; `late`: the due date of a published page has passed, and they have \
            neither done it nor handed in work that waits for grading", pattern = "^(not_started|stalled|late)$"),
        ("stopped_at" = Option<Uuid>, Query, description = "A page: only students who have stopped there, as the heat map counts them; \
            nobody when the course has no such page"),
        ("sort" = Option<String>, Query, description = "`full_name` (default), `email`, `enrolled_at`, \
            `last_activity_at`, `percent` or `completed_at`, ascending; with the prefix `-` descending",
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

/// Get the activity of a student
///
/// Returns visits and attempts by page, with the submitted answers and the quizzes as they were taken. Unpublished pages are
/// included but do not count. Owner, editors, teachers and superusers.
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

/// Get the heat map of a course
///
/// Of all students or of one group, returns how many visited, completed and stopped at each published page, and the questions with the lowest results in
/// first attempts. `students` is the sum of `completed`, `not_started` and the `stopped` of all pages. `hardest_questions` has at
/// most ten entries, the hardest first, and none with an average above 80 %. Owner, editors, teachers and
/// superusers.
#[utoipa::path(
    get, path = "/api/v1/courses/course_heat_map/{course_id}",
    operation_id = "courses-course_heat_map", tag = "courses",
    params(GroupParams),
    responses(CourseRefusals, (status = 200, description = "The heat map", body = HeatMap))
)]
pub async fn course_heat_map(
    State(kurso): KursoState,
    viewer: Viewer,
    path: Result<Path<CourseId>>,
    query: Result<GroupQuery>,
) -> Result<Json<HeatMap>> {
    let (course, GroupQuery(group)) = with_path(path, query)?;
    let map = heat::find(&kurso, &viewer, course, group).await?;
    let hardest = map.hardest_questions(&kurso).await?;
    Ok(Json(HeatMap::of(&map, hardest)))
}

/// Get the item analysis of a quiz
///
/// By the first attempts of all students or of one group, returns how hard the questions are, how well they tell strong students from weak ones, what was
/// answered, and what looks wrong. Contains the right options. 404 for a page without a quiz. Owner, editors, teachers and superusers.
#[utoipa::path(
    get, path = "/api/v1/courses/quiz_analysis/{page_id}",
    operation_id = "courses-quiz_analysis", tag = "courses",
    params(GroupParams),
    responses(CourseRefusals, (status = 200, description = "The analysis", body = QuizAnalysis))
)]
pub async fn quiz_analysis(
    State(kurso): KursoState,
    viewer: Viewer,
    path: Result<Path<PageId>>,
    query: Result<GroupQuery>,
) -> Result<Json<QuizAnalysis>> {
    let (page, GroupQuery(group)) = with_path(path, query)?;
    Ok(Json(analyse(&kurso, &viewer, page, group).await?.into()))
}

/// Remove a student from a course
///
/// Ends the enrollment. A student who enrolls again with the share code gets the visits and attempts back. Owner and teachers.
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
