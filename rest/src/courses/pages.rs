//! Calls about pages and their versions.

use axum::Json;
use axum::extract::State;
use kurso_base::ids::{LessonId, PageId};
use kurso_base::messages::{Lang, Message as Text};
use kurso_core::access::Viewer;
use kurso_core::courses::page::versions;
use kurso_core::courses::{duplicate, page};

use super::bodies::{PageCreate, PageUpdate};
use super::shapes::{AuthorPage, PageConflict, PageVersion, PageVersions};
use crate::KursoState;
use crate::error::Result;
use crate::extract::{Path, UserSession, VersionInPath, both};
use crate::fields::Command;
use crate::message::Message;
use crate::openapi_parts::CourseRefusals;

/// Create Page
///
/// At `position` in the lesson, or at the end. Owner and editors.
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

/// Get Page
///
/// A page with its content and, of a quiz, the answers, as its authors and teachers see it.
#[utoipa::path(
    get, path = "/api/v1/courses/get_page/{page_id}", operation_id = "courses-get_page", tag = "courses",
    responses(CourseRefusals, (status = 200, description = "The page", body = AuthorPage))
)]
pub async fn get_page(State(kurso): KursoState, viewer: Viewer, Path(id): Path<PageId>) -> Result<Json<AuthorPage>> {
    let page = page::get(&kurso, &viewer, id).await?;
    Ok(Json(AuthorPage::of(page)?))
}

/// Update Page
///
/// Changes what is given; `position` and `lesson_id` move the page within its course. A change of title, content or quiz
/// whose `version` is not the stored one is refused with the stored page, unless the stored one was written with the same
/// `user_session_id`. Saves of one `user_session_id` within ten minutes are one version of the history. Owner and editors.
#[utoipa::path(
    put, path = "/api/v1/courses/update_page/{page_id}", operation_id = "courses-update_page", tag = "courses",
    params(
        ("user_session_id" = Option<String>, Query, min_length = 1, max_length = 128, nullable = false,
            description = "Names one open editor of the caller, such as a tab."),
    ),
    request_body = PageUpdate,
    responses(
        CourseRefusals,
        (status = 200, description = "The page", body = AuthorPage),
        (status = 409, description = "Somebody else has changed the page", body = PageConflict),
    )
)]
pub async fn update_page(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<PageId>,
    session: Result<UserSession>,
    update: Result<Command<PageUpdate>>,
) -> Result<Json<AuthorPage>> {
    let (UserSession(session), Command(update)) = both(session, update)?;
    let page = page::update(&kurso, &viewer, id, session, update).await?;
    Ok(Json(AuthorPage::of(page)?))
}

/// Delete Page
///
/// With its history and what learners did there. Owner and editors.
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

/// Duplicate Page
///
/// A copy right after the original, a title followed by ` (копия)`. Owner and editors.
#[utoipa::path(
    post, path = "/api/v1/courses/duplicate_page/{page_id}", operation_id = "courses-duplicate_page", tag = "courses",
    responses(CourseRefusals, (status = 200, description = "The copy", body = AuthorPage))
)]
pub async fn duplicate_page(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<PageId>,
) -> Result<Json<AuthorPage>> {
    let page = duplicate::page(&kurso, &viewer, id).await?;
    Ok(Json(AuthorPage::of(page)?))
}

/// Page Versions
///
/// The last 50 versions of a page. Order: newest first; the first is what the page says now. Authors and teachers.
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

/// Restore Page Version
///
/// Makes the page say again what it said in a version that is kept, as a new version. Owner and editors.
#[utoipa::path(
    post, path = "/api/v1/courses/restore_page_version/{page_id}/{version}",
    operation_id = "courses-restore_page_version", tag = "courses",
    params(("version" = i64, Path, minimum = 1)),
    responses(CourseRefusals, (status = 200, description = "The page", body = AuthorPage))
)]
pub async fn restore_page_version(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<PageId>,
    VersionInPath(version): VersionInPath,
) -> Result<Json<AuthorPage>> {
    let page = versions::restore(&kurso, &viewer, id, version).await?;
    Ok(Json(AuthorPage::of(page)?))
}
