//! Courses as their authors and teachers see them.

mod bodies;
pub mod exports;
pub mod finding;
pub mod imports;
pub mod lessons;
pub mod modules;
pub mod pages;
mod shapes;
pub mod uploads;

use axum::Json;
use axum::extract::State;
use kurso_base::ids::CourseId;
use kurso_base::messages::{Lang, Message as Text};
use kurso_base::pagination as paging;
use kurso_core::access::{Right, Viewer};
use kurso_core::courses::{self, course, duplicate};
use kurso_core::learning::view::CourseView;

use crate::KursoState;
use crate::error::Result;
use crate::extract::{Listing, Path, Superuser};
use crate::fields::Command;
use crate::message::Message;
use crate::openapi_parts::{
    CourseRefusals, HTTPError, PagingParams, SearchParams, SignedInRefusals, SuperuserRefusals,
};
use bodies::{CourseCreate, CourseUpdate};
pub use shapes::{AuthorPage, Course, LessonFields, Page, PageConflict, PageKind};
use shapes::{CourseTree, Courses, ShareCode};

/// List Courses
///
/// Courses where the caller is owner, editor or teacher. Order: newest change first, then by id, descending.
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

/// All Courses
///
/// Every course there is; superusers only. `search` looks into the title, the owner's name and address. Order: newest change
/// first, then by id, descending.
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

/// Get Course
///
/// A course with its modules, lessons and pages, as its authors and teachers see it.
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

/// Create Course
///
/// An empty course of the caller: anybody signed in may make one.
#[utoipa::path(
    post, path = "/api/v1/courses/create_course", operation_id = "courses-create_course", tag = "courses",
    request_body = CourseCreate,
    responses(
        SignedInRefusals,
        (status = 200, description = "The new course", body = CourseTree),
        (status = 400, description = "An inactive user, or a body that is not UTF-8", body = HTTPError),
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

/// Update Course
///
/// Changes what is given. Owner and editors.
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

/// Delete Course
///
/// With everything in it and its learners' progress. The owner, or a superuser.
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

/// Duplicate Course
///
/// A course of the caller with everything that is in this one, its title followed by ` (копия)`; no students, no share
/// code, no history. Owner and editors.
#[utoipa::path(
    post, path = "/api/v1/courses/duplicate_course/{course_id}",
    operation_id = "courses-duplicate_course", tag = "courses",
    responses(CourseRefusals, (status = 200, description = "The copy", body = CourseTree))
)]
pub async fn duplicate_course(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<CourseId>,
) -> Result<Json<CourseTree>> {
    let course = duplicate::course(&kurso, &viewer, id).await?;
    let view = CourseView::of(&kurso, course).await?;
    Ok(Json(CourseTree::of(&kurso, view).await?))
}

/// Generate Share Code
///
/// Makes a new share code, which replaces the old one at once. The owner only.
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
