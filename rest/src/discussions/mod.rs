//! Questions under pages and their answers.

mod shapes;

use axum::Json;
use axum::extract::State;
use kurso_base::error as base;
use kurso_base::ids::{CourseId, DiscussionId, PageId, PostId};
use kurso_core::access::Viewer;
use kurso_core::discussions as core;

use crate::KursoState;
use crate::error::Result;
use crate::extract::{DiscussionAnswersQuery, DiscussionsQuery, Path, with_path};
use crate::fields::Command;
use crate::openapi_parts::{CourseRefusals, HTTPError, PagingParams};
use shapes::{
    ChangedPost, Discussion, DiscussionAnswers, DiscussionChange, DiscussionLeft, DiscussionNote, DiscussionReply,
    DiscussionSettings, DiscussionSettingsUpdate, DiscussionStart, Discussions, PageDiscussionsUpdate, PageQuestions,
    PostChange, PostComplaint, PostModeration, PostUseful,
};

fn changed(post: base::Result<core::ChangedPost>) -> Result<Json<ChangedPost>> {
    Ok(Json(post?.into()))
}

fn shown(discussion: base::Result<core::Discussion>) -> Result<Json<Discussion>> {
    Ok(Json(discussion?.into()))
}

/// List the questions of a page
///
/// Pinned ones first, then those with the newest answers; at most 100. Owner, editors, teachers, and learners who may read the
/// page. Learners read those for the course, for their group and their own; editors none that are for the teachers alone.
#[utoipa::path(
    get, path = "/api/v1/courses/page_discussions/{page_id}", operation_id = "courses-page_discussions", tag = "courses",
    params(
        PagingParams,
        ("filter" = Option<String>, Query, description = "`all` (default), `open`, `resolved`, `unanswered` (the longest waiting first), `reported`, `private` or `mine`",
            pattern = "^(all|open|resolved|unanswered|reported|private|mine)$"),
    ),
    responses(CourseRefusals, (status = 200, description = "The questions", body = Discussions))
)]
pub async fn page_discussions(
    State(kurso): KursoState,
    viewer: Viewer,
    path: Result<Path<PageId>>,
    query: Result<DiscussionsQuery>,
) -> Result<Json<Discussions>> {
    let (page, query) = with_path(path, query)?;
    let found = core::of_page(&kurso, &viewer, page, query.filter, query.page).await?;
    Ok(Json(found.into()))
}

/// List the questions of a course
///
/// As `page_discussions`, of all pages. Owner, editors and teachers.
#[utoipa::path(
    get, path = "/api/v1/courses/course_discussions/{course_id}", operation_id = "courses-course_discussions", tag = "courses",
    params(
        PagingParams,
        ("filter" = Option<String>, Query, description = "As in `page_discussions`", pattern = "^(all|open|resolved|unanswered|reported|private|mine)$"),
    ),
    responses(CourseRefusals, (status = 200, description = "The questions", body = Discussions))
)]
pub async fn course_discussions(
    State(kurso): KursoState,
    viewer: Viewer,
    path: Result<Path<CourseId>>,
    query: Result<DiscussionsQuery>,
) -> Result<Json<Discussions>> {
    let (course, query) = with_path(path, query)?;
    let found = core::in_course(&kurso, &viewer, course, query.filter, query.page).await?;
    Ok(Json(found.into()))
}

/// Read a question
///
/// By its ID or that of one of its answers. For everyone who may read it; 404 for others.
#[utoipa::path(
    get, path = "/api/v1/courses/discussion/{discussion_id}", operation_id = "courses-discussion", tag = "courses",
    responses(CourseRefusals, (status = 200, description = "The question", body = Discussion))
)]
pub async fn discussion(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<DiscussionId>,
) -> Result<Json<Discussion>> {
    shown(core::get(&kurso, &viewer, id.0).await)
}

/// List the answers to a question
///
/// Oldest first, at most 100. For everyone who may read the question.
#[utoipa::path(
    get, path = "/api/v1/courses/discussion_answers/{discussion_id}", operation_id = "courses-discussion_answers", tag = "courses",
    params(
        PagingParams,
        ("at" = Option<Uuid>, Query, description = "An answer, in place of `skip`: of windows of `limit` answers, the one with this answer; the first one if the caller does not see it"),
    ),
    responses(CourseRefusals, (status = 200, description = "The answers", body = DiscussionAnswers))
)]
pub async fn discussion_answers(
    State(kurso): KursoState,
    viewer: Viewer,
    path: Result<Path<DiscussionId>>,
    query: Result<DiscussionAnswersQuery>,
) -> Result<Json<DiscussionAnswers>> {
    let (id, DiscussionAnswersQuery(window)) = with_path(path, query)?;
    Ok(Json(core::answers(&kurso, &viewer, id, window).await?.into()))
}

/// Count the open questions of a page by block
///
/// And tell what holds under the page. As `page_discussions`.
#[utoipa::path(
    get, path = "/api/v1/courses/page_questions/{page_id}", operation_id = "courses-page_questions", tag = "courses",
    responses(CourseRefusals, (status = 200, description = "The numbers", body = PageQuestions))
)]
pub async fn page_questions(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(page): Path<PageId>,
) -> Result<Json<PageQuestions>> {
    let rules = core::rules(&kurso, &viewer, page).await?;
    Ok(Json(PageQuestions::new(
        rules,
        core::blocks(&kurso, &viewer, page).await?,
    )))
}

/// Ask a question under a page
///
/// As `page_discussions`; the staff may write there too.
#[utoipa::path(
    post, path = "/api/v1/courses/start_discussion/{page_id}", operation_id = "courses-start_discussion", tag = "courses",
    request_body = DiscussionStart,
    responses(
        CourseRefusals,
        (status = 200, description = "The question", body = Discussion),
        (status = 409, description = "Questions are off, the page has 1,000 open ones, or the version no longer", body = HTTPError),
        (status = 429, description = "The learner writes too much; `Retry-After` is the wait in seconds", body = HTTPError),
    )
)]
pub async fn start_discussion(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<PageId>,
    Command(command): Command<DiscussionStart>,
) -> Result<Json<Discussion>> {
    shown(core::start(&kurso, &viewer, id, command).await)
}

/// Answer a question
///
/// For everyone who may read it. Answers of the staff are marked.
#[utoipa::path(
    post, path = "/api/v1/courses/reply_discussion/{discussion_id}", operation_id = "courses-reply_discussion", tag = "courses",
    request_body = DiscussionReply,
    responses(
        CourseRefusals,
        (status = 200, description = "The answer with its discussion", body = ChangedPost),
        (status = 409, description = "It is locked for learners, or has 10,000 answers", body = HTTPError),
        (status = 429, description = "The learner writes too much; `Retry-After` is the wait in seconds", body = HTTPError),
    )
)]
pub async fn reply_discussion(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<DiscussionId>,
    Command(command): Command<DiscussionReply>,
) -> Result<Json<ChangedPost>> {
    changed(core::reply(&kurso, &viewer, id, command).await)
}

/// Change a question or an answer
///
/// For its author only.
#[utoipa::path(
    put, path = "/api/v1/courses/edit_post/{post_id}", operation_id = "courses-edit_post", tag = "courses",
    request_body = PostChange,
    responses(
        CourseRefusals,
        (status = 200, description = "The question or answer with its discussion", body = ChangedPost),
        (status = 409, description = "It is hidden or deleted, or the question is locked for learners", body = HTTPError),
        (status = 429, description = "The learner writes too much; `Retry-After` is the wait in seconds", body = HTTPError),
    )
)]
pub async fn edit_post(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<PostId>,
    Command(command): Command<PostChange>,
) -> Result<Json<ChangedPost>> {
    changed(core::edit(&kurso, &viewer, id, command).await)
}

/// Delete a question or an answer
///
/// A question that others have answered keeps its place without its text. Its author, the owner and teachers.
#[utoipa::path(
    delete, path = "/api/v1/courses/delete_post/{post_id}", operation_id = "courses-delete_post", tag = "courses",
    responses(
        CourseRefusals,
        (status = 200, description = "The question that is left", body = DiscussionLeft),
        (status = 409, description = "It is hidden", body = HTTPError),
    )
)]
pub async fn delete_post(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<PostId>,
) -> Result<Json<DiscussionLeft>> {
    let (_, discussion) = core::delete(&kurso, &viewer, id).await?;
    Ok(Json(DiscussionLeft {
        discussion: discussion.map(Discussion::from),
    }))
}

/// Resolve, pin, lock or move a question
///
/// The fields say who may change what.
#[utoipa::path(
    put, path = "/api/v1/courses/change_discussion/{discussion_id}", operation_id = "courses-change_discussion", tag = "courses",
    request_body = DiscussionChange,
    responses(
        CourseRefusals,
        (status = 200, description = "The question", body = Discussion),
        (status = 409, description = "The page has 1,000 open questions", body = HTTPError),
    )
)]
pub async fn change_discussion(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<DiscussionId>,
    Command(command): Command<DiscussionChange>,
) -> Result<Json<Discussion>> {
    shown(core::change(&kurso, &viewer, id, command).await)
}

/// Note that a question was read, or follow it
///
/// For everyone who may read it.
#[utoipa::path(
    put, path = "/api/v1/courses/note_discussion/{discussion_id}", operation_id = "courses-note_discussion", tag = "courses",
    request_body = DiscussionNote,
    responses(
        CourseRefusals,
        (status = 200, description = "The question", body = Discussion),
    )
)]
pub async fn note_discussion(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<DiscussionId>,
    Command(command): Command<DiscussionNote>,
) -> Result<Json<Discussion>> {
    shown(core::note(&kurso, &viewer, id, command).await)
}

/// Mark a question or an answer as useful
///
/// Once per user; not for the caller's own posts. For everyone who may read it.
#[utoipa::path(
    put, path = "/api/v1/courses/mark_post/{post_id}", operation_id = "courses-mark_post", tag = "courses",
    request_body = PostUseful,
    responses(
        CourseRefusals,
        (status = 200, description = "The question or answer with its discussion", body = ChangedPost),
        (status = 409, description = "It is the caller's own, hidden or deleted", body = HTTPError),
    )
)]
pub async fn mark_post(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<PostId>,
    Command(command): Command<PostUseful>,
) -> Result<Json<ChangedPost>> {
    changed(core::mark(&kurso, &viewer, id, command).await)
}

/// Report a question or an answer
///
/// To the owner and teachers. A second report by a user replaces the first. For everyone who may read it.
#[utoipa::path(
    post, path = "/api/v1/courses/report_post/{post_id}", operation_id = "courses-report_post", tag = "courses",
    request_body = PostComplaint,
    responses(
        CourseRefusals,
        (status = 200, description = "The question or answer with its discussion", body = ChangedPost),
        (status = 409, description = "It is the caller's own, hidden or deleted", body = HTTPError),
        (status = 429, description = "The caller reports too much; `Retry-After` is the wait in seconds", body = HTTPError),
    )
)]
pub async fn report_post(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<PostId>,
    Command(command): Command<PostComplaint>,
) -> Result<Json<ChangedPost>> {
    changed(core::report(&kurso, &viewer, id, command).await)
}

/// Hide a question or an answer, show it again, or dismiss its reports
///
/// Owner and teachers.
#[utoipa::path(
    post, path = "/api/v1/courses/moderate_post/{post_id}", operation_id = "courses-moderate_post", tag = "courses",
    request_body = PostModeration,
    responses(
        CourseRefusals,
        (status = 200, description = "The question or answer with its discussion", body = ChangedPost),
    )
)]
pub async fn moderate_post(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<PostId>,
    Command(command): Command<PostModeration>,
) -> Result<Json<ChangedPost>> {
    changed(core::moderate(&kurso, &viewer, id, command).await)
}

/// Read the settings of questions under pages
///
/// Owner, editors and teachers.
#[utoipa::path(
    get, path = "/api/v1/courses/discussion_settings/{course_id}", operation_id = "courses-discussion_settings", tag = "courses",
    responses(CourseRefusals, (status = 200, description = "The settings", body = DiscussionSettings))
)]
pub async fn discussion_settings(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<CourseId>,
) -> Result<Json<DiscussionSettings>> {
    Ok(Json(core::settings(&kurso, &viewer, id).await?.into()))
}

/// Change the settings of questions under pages
///
/// Owner and teachers.
#[utoipa::path(
    put, path = "/api/v1/courses/set_discussions/{course_id}", operation_id = "courses-set_discussions", tag = "courses",
    request_body = DiscussionSettingsUpdate,
    responses(
        CourseRefusals,
        (status = 200, description = "The settings", body = DiscussionSettings),
    )
)]
pub async fn set_discussions(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<CourseId>,
    Command(command): Command<DiscussionSettingsUpdate>,
) -> Result<Json<DiscussionSettings>> {
    Ok(Json(core::set(&kurso, &viewer, id, command).await?.into()))
}

/// Switch questions on or off under a page
///
/// Owner and teachers.
#[utoipa::path(
    put, path = "/api/v1/courses/set_page_discussions/{page_id}", operation_id = "courses-set_page_discussions", tag = "courses",
    request_body = PageDiscussionsUpdate,
    responses(
        CourseRefusals,
        (status = 200, description = "What holds under the page", body = PageQuestions),
    )
)]
pub async fn set_page_discussions(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<PageId>,
    Command(command): Command<PageDiscussionsUpdate>,
) -> Result<Json<PageQuestions>> {
    let rules = core::set_page(&kurso, &viewer, id, command).await?;
    Ok(Json(PageQuestions::new(
        rules,
        core::blocks(&kurso, &viewer, id).await?,
    )))
}
