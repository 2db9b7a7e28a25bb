//! Operations on pages and their versions.

use axum::Json;
use axum::extract::State;
use kurso_base::ids::{LessonId, PageId};
use kurso_base::messages::{Lang, Message as Text};
use kurso_core::access::Viewer;
use kurso_core::courses::page::versions;
use kurso_core::courses::{duplicate, page};

use super::bodies::{PageCreate, PageUpdate};
use super::page_drafts::refusal;
use super::shapes::{AuthorPage, PageConflict, PageVersion, PageVersions};
use crate::KursoState;
use crate::error::Result;
use crate::extract::{DraftQuery, Path, SaveQuery, VersionInPath, both};
use crate::fields::Command;
use crate::message::Message;
use crate::openapi_parts::{CourseRefusals, HTTPError};

/// Create a page
///
/// Inserts it at `position` of the lesson, by default at the end. Owner and editors.
#[utoipa::path(
    post, path = "/api/v1/courses/create_page/{lesson_id}", operation_id = "courses-create_page", tag = "courses",
    request_body = PageCreate,
    responses(CourseRefusals, (status = 200, description = "The new page", body = AuthorPage))
)]
pub async fn create_page(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<LessonId>,
    Command(new): Command<PageCreate>,
) -> Result<Json<AuthorPage>> {
    let page = page::create(&kurso, &viewer, id, new).await?;
    Ok(Json(AuthorPage::of(page)?))
}

/// Get a page
///
/// Returns the page with its content and, for a quiz page, the quiz with its answer key. Owner, editors, teachers and
/// superusers.
#[utoipa::path(
    get, path = "/api/v1/courses/get_page/{page_id}", operation_id = "courses-get_page", tag = "courses",
    responses(CourseRefusals, (status = 200, description = "The page", body = AuthorPage))
)]
pub async fn get_page(State(kurso): KursoState, viewer: Viewer, Path(id): Path<PageId>) -> Result<Json<AuthorPage>> {
    let page = page::get(&kurso, &viewer, id).await?;
    Ok(Json(AuthorPage::of(page)?))
}

/// Update a page
///
/// Changes the fields that are present in the body; `position` and `lesson_id` move the page within its course. When title,
/// content or quiz changes and `version` is not the stored version, the response is 409 with the stored page, unless the stored
/// version was saved with the same `user_session_id`. Saves of one `user_session_id` within ten minutes share a version of the
/// history. With `draft`, title, content and quiz of a published page become its draft, which learners do not see: then `version` and
/// the response are those of the draft. Owner and editors.
#[utoipa::path(
    put, path = "/api/v1/courses/update_page/{page_id}", operation_id = "courses-update_page", tag = "courses",
    params(
        ("user_session_id" = Option<String>, Query, min_length = 1, max_length = 128, nullable = false,
            description = "Identifies one open editor of the caller, such as a browser tab."),
        ("draft" = Option<bool>, Query, nullable = false, description = "As `draft` in the body; either suffices."),
    ),
    request_body = PageUpdate,
    responses(
        CourseRefusals,
        (status = 200, description = "The page", body = AuthorPage),
        (status = 409, description = "The page has changed since the client read it", body = PageConflict),
    )
)]
pub async fn update_page(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<PageId>,
    save: Result<SaveQuery>,
    update: Result<Command<PageUpdate>>,
) -> Result<Json<AuthorPage>> {
    let (save, Command(mut update)) = both(save, update)?;
    update.draft |= save.draft;
    let updated = page::update(&kurso, &viewer, id, save.session, update).await;
    Ok(Json(AuthorPage::of(updated.map_err(refusal)?)?))
}

/// Delete a page
///
/// Deletes its history and the visits and attempts of learners as well. Owner and editors.
#[utoipa::path(
    delete, path = "/api/v1/courses/delete_page/{page_id}", operation_id = "courses-delete_page", tag = "courses",
    responses(CourseRefusals, (status = 200, description = "Deleted", body = Message))
)]
pub async fn delete_page(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<PageId>,
    lang: Lang,
) -> Result<Json<Message>> {
    page::delete(&kurso, &viewer, id).await?;
    Ok(Message::say(Text::PageDeleted, lang))
}

/// Duplicate a page
///
/// Inserts a copy after the original and appends ` (копия)` to its title, if it has one. Owner and editors.
#[utoipa::path(
    post, path = "/api/v1/courses/duplicate_page/{page_id}", operation_id = "courses-duplicate_page", tag = "courses",
    responses(
        CourseRefusals,
        (status = 200, description = "The copy", body = AuthorPage),
        (status = 413, description = "The quota of content of the course's owner is full", body = HTTPError),
    )
)]
pub async fn duplicate_page(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<PageId>,
) -> Result<Json<AuthorPage>> {
    let page = duplicate::page(&kurso, &viewer, id).await?;
    Ok(Json(AuthorPage::of(page)?))
}

/// List the versions of a page
///
/// Texts of the page and of its drafts: the last 50, and older ones that are the published text, one of the ten published last, or from
/// which the draft began. Those who
/// may not edit the page get no texts of a published page that were never published. Order: newest first. Owner, editors, teachers and superusers.
#[utoipa::path(
    get, path = "/api/v1/courses/page_versions/{page_id}", operation_id = "courses-page_versions", tag = "courses",
    responses(CourseRefusals, (status = 200, description = "The history", body = PageVersions))
)]
pub async fn page_versions(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<PageId>,
) -> Result<Json<PageVersions>> {
    let listed = versions::list(&kurso, &viewer, id).await?;
    Ok(Json(PageVersions {
        data: listed.data.into_iter().map(PageVersion::from).collect(),
        count: listed.count,
    }))
}

/// Restore a version of a page
///
/// Stores the title, content and quiz of a stored version as a new version. Owner and editors.
#[utoipa::path(
    post, path = "/api/v1/courses/restore_page_version/{page_id}/{version}",
    operation_id = "courses-restore_page_version", tag = "courses",
    params(
        ("version" = i64, Path, minimum = 1),
        ("draft" = Option<bool>, Query, nullable = false,
            description = "True: the text becomes the draft of a published page. An unpublished page is changed itself."),
    ),
    responses(CourseRefusals, (status = 200, description = "The page", body = AuthorPage))
)]
pub async fn restore_page_version(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<PageId>,
    version: Result<VersionInPath>,
    draft: Result<DraftQuery>,
) -> Result<Json<AuthorPage>> {
    let (VersionInPath(version), DraftQuery(draft)) = both(version, draft)?;
    let page = versions::restore(&kurso, &viewer, id, version, draft).await?;
    Ok(Json(AuthorPage::of(page)?))
}
