//! A course as one of its learners sees it at a chosen moment, for its staff.

use axum::Json;
use axum::extract::State;
use kurso_base::ids::{CourseId, PageId};
use kurso_core::access::Viewer;
use kurso_core::preview;

use super::progress::MyProgress;
use super::shapes::EnrolledCourse;
use super::shapes::page::EnrolledPage;
use super::{shown_course, shown_page};
use crate::KursoState;
use crate::courses::timeline::PageLocked;
use crate::error::Result;
use crate::extract::{Path, PreviewQuery, with_path};
use crate::openapi_parts::{CourseRefusals, PreviewParams};

/// Get a course as a learner sees it
///
/// The response of `enrolled_course` to a learner at a moment. Nothing is recorded of the learner; the audit log has an entry for each
/// learner or group and moment, at most one an hour. Owner, editors, teachers and superusers.
#[utoipa::path(
    get, path = "/api/v1/courses/preview_course/{course_id}", operation_id = "courses-preview_course", tag = "courses",
    params(PreviewParams),
    responses(CourseRefusals, (status = 200, description = "The course", body = EnrolledCourse))
)]
pub async fn preview_course(
    State(kurso): KursoState,
    viewer: Viewer,
    path: Result<Path<CourseId>>,
    query: Result<PreviewQuery>,
) -> Result<Json<EnrolledCourse>> {
    let (id, PreviewQuery(preview)) = with_path(path, query)?;
    let view = preview::course(&kurso, &viewer, id, preview).await?;
    shown_course(&kurso, view).await
}

/// Get a page as a learner sees it
///
/// The response of `enrolled_page` to a learner at a moment, also if that is a refusal. Owner, editors, teachers and superusers.
#[utoipa::path(
    get, path = "/api/v1/courses/preview_page/{page_id}", operation_id = "courses-preview_page", tag = "courses",
    params(PreviewParams),
    responses(
        CourseRefusals,
        (status = 200, description = "The page", body = EnrolledPage),
        (status = 409, description = "The page is locked for the learner", body = PageLocked),
    )
)]
pub async fn preview_page(
    State(kurso): KursoState,
    viewer: Viewer,
    path: Result<Path<PageId>>,
    query: Result<PreviewQuery>,
) -> Result<Json<EnrolledPage>> {
    let (id, PreviewQuery(preview)) = with_path(path, query)?;
    let (view, index) = preview::page(&kurso, &viewer, id, preview).await?;
    shown_page(&kurso, &view, index).await
}

/// Get the progress of a learner as they see it
///
/// The response of `my_progress` to a learner at a moment. Owner, editors, teachers and superusers.
#[utoipa::path(
    get, path = "/api/v1/courses/preview_progress/{course_id}", operation_id = "courses-preview_progress",
    tag = "courses",
    params(PreviewParams),
    responses(CourseRefusals, (status = 200, description = "The progress", body = MyProgress))
)]
pub async fn preview_progress(
    State(kurso): KursoState,
    viewer: Viewer,
    path: Result<Path<CourseId>>,
    query: Result<PreviewQuery>,
) -> Result<Json<MyProgress>> {
    let (id, PreviewQuery(preview)) = with_path(path, query)?;
    let view = preview::course(&kurso, &viewer, id, preview).await?;
    Ok(Json(MyProgress::of(&view)))
}
