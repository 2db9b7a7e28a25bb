//! The gradebook of a course.

mod own;
mod shapes;
mod table;

use axum::Json;
use axum::extract::State;
use kurso_base::ids::{CourseId, EnrollmentId, GradeCategoryId};
use kurso_base::messages::{Lang, Message as Text};
use kurso_core::access::Viewer;
use kurso_core::gradebook::csv::{self, Imported};
use kurso_core::gradebook::{self as core, Decided};

use crate::KursoState;
use crate::error::{Error, Result};
use crate::extract::{GradeCellQuery, GradebookQuery, Path, with_path};
use crate::fields::Command;
use crate::message::Message;
use crate::openapi_parts::{CourseRefusals, GroupParams, HTTPError, PagingParams, SearchParams};
use own::MyGrades;
use shapes::{
    GradeCategoryCreate, GradeCategoryUpdate, GradeConflict, GradeDecide, GradeDetail, GradeItemsSet, GradeSettings,
    GradeSettingsUpdate, Gradebook,
};
use table::{GradeTable, GradeTableConflict, GradesImport};

/// Read the gradebook of a course
///
/// Returns learners with their grades: the settings, whose published items are the columns, and rows with one cell for each column.
/// `search` matches names and email addresses. Order: by `sort`, then by enrollment ID, ascending; with `total`, learners without a
/// grade come last. Owner, editors, teachers and superusers.
#[utoipa::path(
    get, path = "/api/v1/courses/gradebook/{course_id}", operation_id = "courses-gradebook", tag = "courses",
    params(
        PagingParams,
        SearchParams,
        GroupParams,
        ("sort" = Option<String>, Query, description = "`full_name` (default), `email` or `total`, ascending; with the prefix `-` \
            descending", pattern = "^-?(full_name|email|total)$"),
    ),
    responses(CourseRefusals, (status = 200, description = "Settings and rows", body = Gradebook))
)]
pub async fn gradebook(
    State(kurso): KursoState,
    viewer: Viewer,
    path: Result<Path<CourseId>>,
    query: Result<GradebookQuery>,
) -> Result<Json<Gradebook>> {
    let (course, query) = with_path(path, query)?;
    let found = core::gradebook(&kurso, &viewer, course, &query.rows, query.page).await?;
    Ok(Json(found.into()))
}

/// Read the grades of the caller
///
/// Returns the published items of the course with the caller's grades, where each comes from and why a teacher decided it. Titles of locked
/// pages are null where the course hides them. Learners; 403 without an enrollment.
#[utoipa::path(
    get, path = "/api/v1/courses/my_grades/{course_id}", operation_id = "courses-my_grades", tag = "courses",
    responses(CourseRefusals, (status = 200, description = "The grades", body = MyGrades))
)]
pub async fn my_grades(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(course): Path<CourseId>,
) -> Result<Json<MyGrades>> {
    Ok(Json(core::own(&kurso, &viewer, course).await?.into()))
}

/// Read the settings of a gradebook
///
/// Returns the scheme, the categories and how each quiz counts. Owner, editors, teachers and superusers.
#[utoipa::path(
    get, path = "/api/v1/courses/grade_settings/{course_id}", operation_id = "courses-grade_settings", tag = "courses",
    responses(CourseRefusals, (status = 200, description = "The settings", body = GradeSettings))
)]
pub async fn grade_settings(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(course): Path<CourseId>,
) -> Result<Json<GradeSettings>> {
    Ok(Json(core::setup(&kurso, &viewer, course).await?.into()))
}

/// Update the settings of a gradebook
///
/// Changes the fields that are present in the body. Another scheme has its default thresholds, unless they are given. Owner and
/// teachers.
#[utoipa::path(
    put, path = "/api/v1/courses/update_grade_settings/{course_id}",
    operation_id = "courses-update_grade_settings", tag = "courses",
    request_body = GradeSettingsUpdate,
    responses(CourseRefusals, (status = 200, description = "The settings", body = GradeSettings))
)]
pub async fn update_grade_settings(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(course): Path<CourseId>,
    Command(update): Command<GradeSettingsUpdate>,
) -> Result<Json<GradeSettings>> {
    Ok(Json(
        core::update_settings(&kurso, &viewer, course, update).await?.into(),
    ))
}

/// Create a category of a gradebook
///
/// Inserts it at `position`, by default at the end. As soon as there is a category, quizzes without one count nowhere. Owner and teachers.
#[utoipa::path(
    post, path = "/api/v1/courses/create_grade_category/{course_id}",
    operation_id = "courses-create_grade_category", tag = "courses",
    request_body = GradeCategoryCreate,
    responses(
        CourseRefusals,
        (status = 200, description = "The settings with the new category", body = GradeSettings),
        (status = 409, description = "The course has 50 categories", body = HTTPError),
    )
)]
pub async fn create_grade_category(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(course): Path<CourseId>,
    Command(new): Command<GradeCategoryCreate>,
) -> Result<Json<GradeSettings>> {
    let (_, setup) = core::create_category(&kurso, &viewer, course, new).await?;
    Ok(Json(setup.into()))
}

/// Update a category of a gradebook
///
/// Changes the fields that are present in the body; `position` moves the category among its siblings. Owner and teachers.
#[utoipa::path(
    put, path = "/api/v1/courses/update_grade_category/{category_id}",
    operation_id = "courses-update_grade_category", tag = "courses",
    request_body = GradeCategoryUpdate,
    responses(CourseRefusals, (status = 200, description = "The settings", body = GradeSettings))
)]
pub async fn update_grade_category(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(category): Path<GradeCategoryId>,
    Command(update): Command<GradeCategoryUpdate>,
) -> Result<Json<GradeSettings>> {
    Ok(Json(
        core::update_category(&kurso, &viewer, category, update).await?.into(),
    ))
}

/// Delete a category of a gradebook
///
/// Its quizzes stay in the gradebook, without a category. Owner and teachers.
#[utoipa::path(
    delete, path = "/api/v1/courses/delete_grade_category/{category_id}",
    operation_id = "courses-delete_grade_category", tag = "courses",
    responses(CourseRefusals, (status = 200, description = "Deleted", body = Message))
)]
pub async fn delete_grade_category(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(category): Path<GradeCategoryId>,
    lang: Lang,
) -> Result<Json<Message>> {
    core::delete_category(&kurso, &viewer, category).await?;
    Ok(Message::say(Text::GradeCategoryDeleted, lang))
}

/// Change how quizzes count
///
/// Changes the fields that are present in the body, for all given pages alike. Owner and teachers.
#[utoipa::path(
    put, path = "/api/v1/courses/set_grade_items/{course_id}", operation_id = "courses-set_grade_items", tag = "courses",
    request_body = GradeItemsSet,
    responses(CourseRefusals, (status = 200, description = "The settings", body = GradeSettings))
)]
pub async fn set_grade_items(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(course): Path<CourseId>,
    Command(set): Command<GradeItemsSet>,
) -> Result<Json<GradeSettings>> {
    Ok(Json(core::set_items(&kurso, &viewer, course, set).await?.into()))
}

/// Read a grade of a student
///
/// Returns a cell of the gradebook with its row and all decisions on it, or the grade of the course. Owner, editors, teachers and superusers.
#[utoipa::path(
    get, path = "/api/v1/courses/grade/{enrollment_id}", operation_id = "courses-grade", tag = "courses",
    params(
        ("page_id" = Option<uuid::Uuid>, Query, description = "A page of the gradebook. Absent: the grade of the course."),
    ),
    responses(CourseRefusals, (status = 200, description = "The grade", body = GradeDetail))
)]
pub async fn grade(
    State(kurso): KursoState,
    viewer: Viewer,
    path: Result<Path<EnrollmentId>>,
    query: Result<GradeCellQuery>,
) -> Result<Json<GradeDetail>> {
    let (enrollment, GradeCellQuery(page)) = with_path(path, query)?;
    Ok(Json(core::read_cell(&kurso, &viewer, enrollment, page).await?.into()))
}

/// Decide on a grade of a student
///
/// Overrides a cell of the gradebook or the grade of the course, excuses the student from a cell, or withdraws the last decision. `version` is
/// the version of the cell that the decision is based on. Owner and teachers.
#[utoipa::path(
    put, path = "/api/v1/courses/decide_grade/{enrollment_id}", operation_id = "courses-decide_grade", tag = "courses",
    request_body = GradeDecide,
    responses(
        CourseRefusals,
        (status = 200, description = "The grade", body = GradeDetail),
        (
            status = 409,
            description = "Somebody else has decided meanwhile, or the cell has 500 decisions; `grade` is present in the first case",
            body = GradeConflict,
        ),
    )
)]
pub async fn decide_grade(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(enrollment): Path<EnrollmentId>,
    Command(command): Command<GradeDecide>,
) -> Result<Json<GradeDetail>> {
    match core::decide(&kurso, &viewer, enrollment, command).await? {
        Decided::Stored(read) => Ok(Json(read.into())),
        Decided::Stale(read) => Err(Error::outdated(Text::GradeChanged, "grade", &GradeDetail::from(read))),
    }
}

/// Import grades from a table
///
/// Reads a CSV text as the export `grades` writes it, and any with its headings `Email` and codes of pages in brackets, separated by
/// semicolons, tabs or commas. Another number than the grade of the student is an override, `excused` or `освобождён` excuses, `auto` or
/// `авто` withdraws a decision; an empty cell changes nothing. Without `digest`, nothing is changed and the changes are returned; with
/// the `digest` of that answer, exactly those changes are made. Owner and teachers.
#[utoipa::path(
    post, path = "/api/v1/courses/import_grades/{course_id}", operation_id = "courses-import_grades", tag = "courses",
    request_body = GradesImport,
    responses(
        CourseRefusals,
        (status = 200, description = "The changes", body = GradeTable),
        (
            status = 409,
            description = "The grades have changed since the preview; `import` has the changes that the table means now",
            body = GradeTableConflict,
        ),
    )
)]
pub async fn import_grades(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(course): Path<CourseId>,
    lang: Lang,
    Command(command): Command<GradesImport>,
) -> Result<Json<GradeTable>> {
    match csv::import(&kurso, &viewer, course, command).await? {
        Imported::Read(import) => Ok(Json(GradeTable::of(import, lang))),
        Imported::Outdated(import) => {
            let import = GradeTable::of(import, lang);
            Err(Error::outdated(Text::GradeTableOutdated, "import", &import))
        }
    }
}
