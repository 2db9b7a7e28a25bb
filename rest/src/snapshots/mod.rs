//! Snapshots of courses: takes, lists, shows, compares, names, deletes and restores them.

mod shapes;

use axum::Json;
use axum::extract::State;
use kurso_base::error::Error;
use kurso_base::ids::{CourseId, PageId, SnapshotId};
use kurso_base::messages::{Lang, Message as Text};
use kurso_core::access::Viewer;
use kurso_core::learning::view::CourseView;
use kurso_core::snapshots as core;

use crate::KursoState;
use crate::courses::shapes::CourseTree;
use crate::error::Result;
use crate::extract::{Path, Path2, SinceQuery, with_path};
use crate::fields::Command;
use crate::message::Message;
use crate::openapi_parts::{CourseRefusals, HTTPError};
use shapes::{
    CourseSnapshot, CourseSnapshots, RestoredSnapshot, SnapshotChanges, SnapshotContent, SnapshotNamed, SnapshotPage,
    SnapshotRestore,
};

/// List the snapshots of a course
///
/// Newest first, at most 80: 50 with a name and 30 automatic ones. Owner and editors.
#[utoipa::path(
    get, path = "/api/v1/courses/snapshots/{course_id}", operation_id = "courses-snapshots", tag = "courses",
    responses(CourseRefusals, (status = 200, description = "The snapshots", body = CourseSnapshots))
)]
pub async fn snapshots(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(course): Path<CourseId>,
) -> Result<Json<CourseSnapshots>> {
    let found = core::of_course(&kurso, &viewer, course).await?;
    Ok(Json(CourseSnapshots {
        count: found.len(),
        data: found.into_iter().map(CourseSnapshot::from).collect(),
    }))
}

/// Take a snapshot of a course
///
/// Keeps settings, modules, lessons, pages with their texts, quizzes and unpublished changes, dates and prerequisites, and no learners, groups,
/// grades or team. Owner and editors.
#[utoipa::path(
    post, path = "/api/v1/courses/take_snapshot/{course_id}", operation_id = "courses-take_snapshot", tag = "courses",
    request_body = SnapshotNamed,
    responses(
        CourseRefusals,
        (status = 200, description = "The snapshot", body = CourseSnapshot),
        (status = 409, description = "The course has 50 snapshots with a name", body = HTTPError),
        (status = 413, description = "The quota of content of the course's owner is full", body = HTTPError),
    )
)]
pub async fn take_snapshot(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(course): Path<CourseId>,
    Command(name): Command<SnapshotNamed>,
) -> Result<Json<CourseSnapshot>> {
    Ok(Json(core::take(&kurso, &viewer, course, name).await?.into()))
}

/// Look into a snapshot
///
/// Returns the outline of the course then. Owner and editors.
#[utoipa::path(
    get, path = "/api/v1/courses/snapshot/{snapshot_id}", operation_id = "courses-snapshot", tag = "courses",
    responses(CourseRefusals, (status = 200, description = "The snapshot", body = SnapshotContent))
)]
pub async fn snapshot(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<SnapshotId>,
) -> Result<Json<SnapshotContent>> {
    Ok(Json(core::content(&kurso, &viewer, id).await?.into()))
}

/// Read a page of a snapshot
///
/// Responds with 404 if the snapshot does not have the page. Owner and editors.
#[utoipa::path(
    get, path = "/api/v1/courses/snapshot_page/{snapshot_id}/{page_id}", operation_id = "courses-snapshot_page", tag = "courses",
    responses(CourseRefusals, (status = 200, description = "The page", body = SnapshotPage))
)]
pub async fn snapshot_page(
    State(kurso): KursoState,
    viewer: Viewer,
    Path2(id, page): Path2<SnapshotId, PageId>,
) -> Result<Json<SnapshotPage>> {
    let content = core::content(&kurso, &viewer, id).await?;
    let page = core::page(&kurso, &content, page).await?;
    Ok(Json(SnapshotPage::of(
        page.ok_or(Error::NotFound(Text::PageNotFound))?,
    )?))
}

/// Compare a snapshot
///
/// What restoring the snapshot would change in the course as it is now, or what leads to it from another snapshot of the course. Owner and
/// editors.
#[utoipa::path(
    get, path = "/api/v1/courses/snapshot_changes/{snapshot_id}", operation_id = "courses-snapshot_changes", tag = "courses",
    params(("since" = Option<uuid::Uuid>, Query, description = "Another snapshot of the course. Absent: the course as it is now.")),
    responses(CourseRefusals, (status = 200, description = "The changes", body = SnapshotChanges))
)]
pub async fn snapshot_changes(
    State(kurso): KursoState,
    viewer: Viewer,
    path: Result<Path<SnapshotId>>,
    query: Result<SinceQuery>,
) -> Result<Json<SnapshotChanges>> {
    let (id, SinceQuery(since)) = with_path(path, query)?;
    let content = core::content(&kurso, &viewer, id).await?;
    Ok(Json(core::Changes::to(&kurso, &viewer, &content, since).await?.into()))
}

/// Name a snapshot
///
/// An automatic one is kept from then on until it is deleted. Owner and editors.
#[utoipa::path(
    put, path = "/api/v1/courses/rename_snapshot/{snapshot_id}", operation_id = "courses-rename_snapshot", tag = "courses",
    request_body = SnapshotNamed,
    responses(
        CourseRefusals,
        (status = 200, description = "The snapshot", body = CourseSnapshot),
        (status = 409, description = "The course has 50 snapshots with a name", body = HTTPError),
    )
)]
pub async fn rename_snapshot(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<SnapshotId>,
    Command(name): Command<SnapshotNamed>,
) -> Result<Json<CourseSnapshot>> {
    Ok(Json(core::rename(&kurso, &viewer, id, name).await?.into()))
}

/// Delete a snapshot
///
/// Deletes it for good. Owner and editors.
#[utoipa::path(
    delete, path = "/api/v1/courses/delete_snapshot/{snapshot_id}", operation_id = "courses-delete_snapshot", tag = "courses",
    responses(CourseRefusals, (status = 200, description = "Deleted", body = Message))
)]
pub async fn delete_snapshot(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<SnapshotId>,
    lang: Lang,
) -> Result<Json<Message>> {
    core::delete(&kurso, &viewer, id).await?;
    Ok(Message::say(Text::SnapshotDeleted, lang))
}

/// Restore a snapshot
///
/// Makes the course equal to the snapshot. What was deleted since returns from the trash with visits, attempts and grades, or without them if it
/// is not there any more; what was created since goes to the trash. Owner and editors.
#[utoipa::path(
    post, path = "/api/v1/courses/restore_snapshot/{snapshot_id}", operation_id = "courses-restore_snapshot", tag = "courses",
    request_body = SnapshotRestore,
    responses(
        CourseRefusals,
        (status = 200, description = "The course, and a snapshot of it as it was before", body = RestoredSnapshot),
        (status = 409, description = "The course has changed since the client compared it with the snapshot", body = HTTPError),
        (status = 413, description = "The quota of content of the course's owner is full", body = HTTPError),
    )
)]
pub async fn restore_snapshot(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<SnapshotId>,
    Command(shown): Command<SnapshotRestore>,
) -> Result<Json<RestoredSnapshot>> {
    let restored = Box::pin(core::restore(&kurso, &viewer, id, &shown.digest)).await?;
    let view = CourseView::of(&kurso, restored.course).await?;
    Ok(Json(RestoredSnapshot {
        course: CourseTree::of(&kurso, view).await?,
        before: restored.before.into(),
        unpublished_page_ids: restored.unpublished.into_iter().map(|page| page.0).collect(),
    }))
}
