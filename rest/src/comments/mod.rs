//! Comments of authors on pages: threads, mentions, suggested changes.

mod shapes;

use axum::Json;
use axum::extract::State;
use kurso_base::error as base;
use kurso_base::ids::{CommentId, CourseId, PageId, ThreadId};
use kurso_core::access::Viewer;
use kurso_core::comments::{self as core, Thread};

use crate::KursoState;
use crate::error::Result;
use crate::extract::{Path, ThreadStateQuery, ThreadsQuery, with_path};
use crate::fields::Command;
use crate::openapi_parts::{CourseRefusals, HTTPError, PagingParams};
use shapes::{
    CommentThread, CommentThreads, CommentWrite, Commenters, PageThreads, SuggestionAccept, ThreadLeft, ThreadRead,
    ThreadStart,
};

fn shown(thread: base::Result<Thread>) -> Result<Json<CommentThread>> {
    Ok(Json(thread?.into()))
}

/// List the threads of a page
///
/// Oldest first: all open threads and at most the 500 newest resolved ones. Owner, editors, teachers and reviewers.
#[utoipa::path(
    get, path = "/api/v1/courses/page_threads/{page_id}", operation_id = "courses-page_threads", tag = "courses",
    params(("state" = Option<String>, Query, description = "`open` or `resolved`; by default both", pattern = "^(open|resolved)$")),
    responses(CourseRefusals, (status = 200, description = "The threads", body = PageThreads))
)]
pub async fn page_threads(
    State(kurso): KursoState,
    viewer: Viewer,
    path: Result<Path<PageId>>,
    state: Result<ThreadStateQuery>,
) -> Result<Json<PageThreads>> {
    let (page, ThreadStateQuery(state)) = with_path(path, state)?;
    Ok(Json(core::of_page(&kurso, &viewer, page, state).await?.into()))
}

/// List the threads of a course
///
/// Those of all pages, newest activity first. Owner, editors, teachers and reviewers.
#[utoipa::path(
    get, path = "/api/v1/courses/course_threads/{course_id}", operation_id = "courses-course_threads", tag = "courses",
    params(
        PagingParams,
        ("state" = Option<String>, Query, description = "`open` or `resolved`; by default both", pattern = "^(open|resolved)$"),
        ("mentioning_me" = Option<bool>, Query, description = "True: only threads with a comment that mentions the caller. Default: false"),
    ),
    responses(CourseRefusals, (status = 200, description = "The threads", body = CommentThreads))
)]
pub async fn course_threads(
    State(kurso): KursoState,
    viewer: Viewer,
    path: Result<Path<CourseId>>,
    query: Result<ThreadsQuery>,
) -> Result<Json<CommentThreads>> {
    let (course, query) = with_path(path, query)?;
    let threads = core::in_course(&kurso, &viewer, course, query.threads, query.page).await?;
    Ok(Json(threads.into()))
}

/// List who may comment on a course
///
/// Those whom a comment may mention: the owner, then the others by name. Owner, editors, teachers and reviewers.
#[utoipa::path(
    get, path = "/api/v1/courses/commenters/{course_id}", operation_id = "courses-commenters", tag = "courses",
    responses(CourseRefusals, (status = 200, description = "The users", body = Commenters))
)]
pub async fn commenters(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<CourseId>,
) -> Result<Json<Commenters>> {
    Ok(Json(core::commenters(&kurso, &viewer, id).await?.into()))
}

/// Start a thread on a page
///
/// With its first comment, and a suggested change if one is given. Learners never see it. Owner, editors, teachers and reviewers.
#[utoipa::path(
    post, path = "/api/v1/courses/start_thread/{page_id}", operation_id = "courses-start_thread", tag = "courses",
    request_body = ThreadStart,
    responses(
        CourseRefusals,
        (status = 200, description = "The thread", body = CommentThread),
        (status = 409, description = "The page has 500 open threads, or the version no longer", body = HTTPError),
        (status = 429, description = "Too many mentions; `Retry-After` is the wait in seconds", body = HTTPError),
    )
)]
pub async fn start_thread(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(page): Path<PageId>,
    Command(new): Command<ThreadStart>,
) -> Result<Json<CommentThread>> {
    shown(core::start(&kurso, &viewer, page, new).await)
}

/// Add a comment to a thread
///
/// Owner, editors, teachers and reviewers.
#[utoipa::path(
    post, path = "/api/v1/courses/add_comment/{thread_id}", operation_id = "courses-add_comment", tag = "courses",
    request_body = CommentWrite,
    responses(
        CourseRefusals,
        (status = 200, description = "The thread", body = CommentThread),
        (status = 409, description = "The thread has 200 comments", body = HTTPError),
        (status = 429, description = "Too many mentions; `Retry-After` is the wait in seconds", body = HTTPError),
    )
)]
pub async fn add_comment(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<ThreadId>,
    Command(text): Command<CommentWrite>,
) -> Result<Json<CommentThread>> {
    shown(core::add(&kurso, &viewer, id, text).await)
}

/// Change a comment
///
/// Its author only. Users whom it mentions now and did not before get a mail.
#[utoipa::path(
    put, path = "/api/v1/courses/edit_comment/{comment_id}", operation_id = "courses-edit_comment", tag = "courses",
    request_body = CommentWrite,
    responses(
        CourseRefusals,
        (status = 200, description = "The thread", body = CommentThread),
        (status = 429, description = "Too many mentions; `Retry-After` is the wait in seconds", body = HTTPError),
    )
)]
pub async fn edit_comment(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<CommentId>,
    Command(text): Command<CommentWrite>,
) -> Result<Json<CommentThread>> {
    shown(core::edit(&kurso, &viewer, id, text).await)
}

/// Delete a comment
///
/// The last comment of a thread deletes the thread. Its author, the owner and editors.
#[utoipa::path(
    delete, path = "/api/v1/courses/delete_comment/{comment_id}", operation_id = "courses-delete_comment", tag = "courses",
    responses(CourseRefusals, (status = 200, description = "The thread that is left", body = ThreadLeft))
)]
pub async fn delete_comment(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<CommentId>,
) -> Result<Json<ThreadLeft>> {
    let (_, thread) = core::delete(&kurso, &viewer, id).await?;
    Ok(Json(ThreadLeft {
        thread: thread.map(CommentThread::from),
    }))
}

/// Resolve a thread
///
/// Owner, editors, and the user who started it.
#[utoipa::path(
    post, path = "/api/v1/courses/resolve_thread/{thread_id}", operation_id = "courses-resolve_thread", tag = "courses",
    responses(CourseRefusals, (status = 200, description = "The thread", body = CommentThread))
)]
pub async fn resolve_thread(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<ThreadId>,
) -> Result<Json<CommentThread>> {
    shown(core::resolve(&kurso, &viewer, id).await)
}

/// Reopen a thread
///
/// Owner, editors, and the user who started it.
#[utoipa::path(
    post, path = "/api/v1/courses/reopen_thread/{thread_id}", operation_id = "courses-reopen_thread", tag = "courses",
    responses(
        CourseRefusals,
        (status = 200, description = "The thread", body = CommentThread),
        (status = 409, description = "The page has 500 open threads", body = HTTPError),
    )
)]
pub async fn reopen_thread(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<ThreadId>,
) -> Result<Json<CommentThread>> {
    shown(core::reopen(&kurso, &viewer, id).await)
}

/// Accept a suggested change
///
/// Makes it in the text that editors see: in the draft of a published page, which learners do not see yet, or in an unpublished page. Resolves the
/// thread. Owner and editors.
#[utoipa::path(
    post, path = "/api/v1/courses/accept_suggestion/{thread_id}", operation_id = "courses-accept_suggestion", tag = "courses",
    request_body = SuggestionAccept,
    responses(
        CourseRefusals,
        (status = 200, description = "The thread", body = CommentThread),
        (
            status = 409,
            description = "The text has another version, the block has changed since the suggestion, or the suggestion was decided",
            body = HTTPError,
        ),
        (status = 413, description = "The quota of content of the course's owner is full", body = HTTPError),
    )
)]
pub async fn accept_suggestion(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<ThreadId>,
    Command(version): Command<SuggestionAccept>,
) -> Result<Json<CommentThread>> {
    shown(core::accept(&kurso, &viewer, id, version).await)
}

/// Reject a suggested change
///
/// Resolves the thread. Owner and editors.
#[utoipa::path(
    post, path = "/api/v1/courses/reject_suggestion/{thread_id}", operation_id = "courses-reject_suggestion", tag = "courses",
    responses(
        CourseRefusals,
        (status = 200, description = "The thread", body = CommentThread),
        (status = 409, description = "There is no suggestion, or it was decided", body = HTTPError),
    )
)]
pub async fn reject_suggestion(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<ThreadId>,
) -> Result<Json<CommentThread>> {
    shown(core::reject(&kurso, &viewer, id).await)
}

/// Mark a thread as read
///
/// Up to a comment of it. Owner, editors, teachers and reviewers.
#[utoipa::path(
    post, path = "/api/v1/courses/mark_thread_read/{thread_id}", operation_id = "courses-mark_thread_read", tag = "courses",
    request_body = ThreadRead,
    responses(CourseRefusals, (status = 200, description = "The thread", body = CommentThread))
)]
pub async fn mark_thread_read(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<ThreadId>,
    Command(comment): Command<ThreadRead>,
) -> Result<Json<CommentThread>> {
    shown(core::mark_read(&kurso, &viewer, id, comment).await)
}
