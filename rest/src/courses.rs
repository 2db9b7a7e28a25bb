//! Courses as their authors and teachers see them.

mod bodies;
pub mod content_search;
pub mod dates;
pub mod exports;
pub mod finding;
pub mod imports;
pub mod lessons;
pub mod modules;
pub mod page_drafts;
pub mod pages;
pub mod questions;
pub mod shapes;
pub mod timeline;
pub mod uploads;

use axum::Json;
use axum::extract::State;
use kurso_base::ids::CourseId;
use kurso_base::messages::{Lang, Message as Text};
use kurso_base::pagination as paging;
use kurso_core::access::{Right, Viewer};
use kurso_core::courses::{self, course, duplicate};
use kurso_core::learning::view::CourseView;
use utoipa::IntoParams;

use crate::KursoState;
use crate::error::Result;
use crate::extract::{DuplicateQuery, Listing, Path, Superuser, with_path};
use crate::fields::Command;
use crate::message::Message;
use crate::openapi_parts::{
    CourseRefusals, HTTPError, PagingParams, SearchParams, SignedInRefusals, SuperuserRefusals,
};
use bodies::{CourseCreate, CourseUpdate};
pub use imports::shapes::ImportReportEntry;
pub(crate) use shapes::module_response;
pub use shapes::{Course, LessonFields, Page};
use shapes::{CourseTree, Courses, ShareCode};

/// List the courses that the caller teaches
///
/// Courses in which the caller is owner, editor or teacher. Order: last change first, then by ID, descending.
#[utoipa::path(
    get, path = "/api/v1/courses/list_courses", operation_id = "courses-list_courses", tag = "courses",
    params(PagingParams),
    responses(SignedInRefusals, (status = 200, description = "Courses", body = Courses))
)]
pub async fn list_courses(State(kurso): KursoState, viewer: Viewer, page: paging::Page) -> Result<Json<Courses>> {
    let listed = courses::taught_by(&kurso.db, &viewer, page).await?;
    Ok(Json(Courses {
        data: Course::counted(&kurso, listed.data).await?,
        count: listed.count,
    }))
}

/// List all courses of the server
///
/// Superusers only. `search` matches the title and the owner's name and email address. Order: last change first, then by ID,
/// descending.
#[utoipa::path(
    get, path = "/api/v1/courses/all_courses", operation_id = "courses-all_courses", tag = "courses",
    params(PagingParams, SearchParams),
    responses(SuperuserRefusals, (status = 200, description = "Courses", body = Courses))
)]
pub async fn all_courses(
    State(kurso): KursoState,
    Superuser(viewer): Superuser,
    listing: Listing,
) -> Result<Json<Courses>> {
    let listed = courses::everywhere(&kurso.db, &viewer, &listing.search, listing.page).await?;
    Ok(Json(Courses {
        data: Course::counted(&kurso, listed.data).await?,
        count: listed.count,
    }))
}

/// Get a course with its tree
///
/// Returns modules, lessons and pages, including unpublished pages, without the content of pages. Owner, editors, teachers and
/// superusers.
#[utoipa::path(
    get, path = "/api/v1/courses/get_course/{course_id}", operation_id = "courses-get_course", tag = "courses",
    responses(CourseRefusals, (status = 200, description = "The course", body = CourseTree))
)]
pub async fn get_course(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<CourseId>,
) -> Result<Json<CourseTree>> {
    let view = CourseView::load(&kurso, &viewer, id, Right::ReadAsAuthor).await?;
    Ok(Json(CourseTree::of(&kurso, view).await?))
}

/// Create a course
///
/// The new course is empty and belongs to the caller. Any active user may create courses.
#[utoipa::path(
    post, path = "/api/v1/courses/create_course", operation_id = "courses-create_course", tag = "courses",
    request_body = CourseCreate,
    responses(
        SignedInRefusals,
        (status = 200, description = "The new course", body = CourseTree),
        (status = 400, description = "The user is inactive, or the body is not UTF-8", body = HTTPError),
    )
)]
pub async fn create_course(
    State(kurso): KursoState,
    viewer: Viewer,
    Command(new): Command<CourseCreate>,
) -> Result<Json<CourseTree>> {
    let course = course::create(&kurso, &viewer, new).await?;
    let view = CourseView::of(&kurso, course).await?;
    Ok(Json(CourseTree::of(&kurso, view).await?))
}

/// Update a course
///
/// Changes the fields that are present in the body. Owner and editors.
#[utoipa::path(
    put, path = "/api/v1/courses/update_course/{course_id}", operation_id = "courses-update_course", tag = "courses",
    request_body = CourseUpdate,
    responses(CourseRefusals, (status = 200, description = "The course", body = CourseTree))
)]
pub async fn update_course(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<CourseId>,
    Command(update): Command<CourseUpdate>,
) -> Result<Json<CourseTree>> {
    let course = course::update(&kurso, &viewer, id, update).await?;
    let view = CourseView::of(&kurso, course).await?;
    Ok(Json(CourseTree::of(&kurso, view).await?))
}

/// Delete a course
///
/// Deletes its modules, lessons and pages and the progress of its learners as well. Owner and superusers.
#[utoipa::path(
    delete, path = "/api/v1/courses/delete_course/{course_id}", operation_id = "courses-delete_course", tag = "courses",
    responses(CourseRefusals, (status = 200, description = "Deleted", body = Message))
)]
pub async fn delete_course(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<CourseId>,
    lang: Lang,
) -> Result<Json<Message>> {
    course::delete(&kurso, &viewer, id).await?;
    Ok(Message::say(Text::CourseDeleted, lang))
}

/// How a course is copied.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what `extract` reads")]
pub struct DuplicateParams {
    /// By how many days all dates of the copy move, from -3660 to 3660. Default: 0.
    #[param(minimum = -3660, maximum = 3660)]
    pub shift_days: Option<i64>,
}

/// Duplicate a course
///
/// Creates a deep copy that belongs to the caller. ` (копия)` is appended to its title. Students, share code and page history
/// are not copied. `shift_days` moves all dates of the copy: the times of day in the course's time zone stay. Owner and editors.
#[utoipa::path(
    post, path = "/api/v1/courses/duplicate_course/{course_id}",
    operation_id = "courses-duplicate_course", tag = "courses",
    params(DuplicateParams),
    responses(
        CourseRefusals,
        (status = 200, description = "The copy", body = CourseTree),
        (status = 413, description = "The quota of content of the course's owner is full", body = HTTPError),
    )
)]
pub async fn duplicate_course(
    State(kurso): KursoState,
    viewer: Viewer,
    path: Result<Path<CourseId>>,
    query: Result<DuplicateQuery>,
) -> Result<Json<CourseTree>> {
    let (id, DuplicateQuery(how)) = with_path(path, query)?;
    let course = duplicate::course(&kurso, &viewer, id, how).await?;
    let view = CourseView::of(&kurso, course).await?;
    Ok(Json(CourseTree::of(&kurso, view).await?))
}

/// Generate a share code
///
/// The new code replaces the current one immediately. Owner only.
#[utoipa::path(
    post, path = "/api/v1/courses/generate_share_code/{course_id}",
    operation_id = "courses-generate_share_code", tag = "courses",
    responses(CourseRefusals, (status = 200, description = "The new code", body = ShareCode))
)]
pub async fn generate_share_code(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<CourseId>,
) -> Result<Json<ShareCode>> {
    let course = courses::generate_share_code(&kurso, &viewer, id).await?;
    Ok(Json(ShareCode {
        course_id: course.id.0,
        share_code: course.share_code,
    }))
}
