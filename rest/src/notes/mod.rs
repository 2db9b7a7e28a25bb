//! Notes, bookmarks and ticks of the caller.

mod shapes;

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use http::header;
use kurso_base::ids::{CourseId, NoteId, PageId};
use kurso_base::messages::{Lang, Message as Text};
use kurso_core::access::Viewer;
use kurso_core::notes as core;

use crate::KursoState;
use crate::error::Result;
use crate::extract::{NotesQuery, Path, with_path};
use crate::fields::Command;
use crate::files::disposition_of;
use crate::message::Message;
use crate::openapi_parts::{CourseRefusals, HTTPError, PagingParams};
use shapes::{
    BookmarkSet, CourseNotes, Note, NoteCreate, NoteUpdate, NotedCourse, NotedCourses, PageKept, PageNotes, TaskTick,
};

/// List what the caller keeps of a page
///
/// Notes in reading order, the bookmark and ticked tasks; nobody else reads them. For everyone who may read the page.
#[utoipa::path(
    get, path = "/api/v1/courses/page_notes/{page_id}", operation_id = "courses-page_notes", tag = "courses",
    responses(CourseRefusals, (status = 200, description = "What the caller keeps", body = PageNotes))
)]
pub async fn page_notes(State(kurso): KursoState, viewer: Viewer, Path(page): Path<PageId>) -> Result<Json<PageNotes>> {
    let notes = core::of_page(&kurso, &viewer, page).await?;
    let mut kept = core::kept_of(&kurso, viewer.id(), &[page], false).await?;
    Ok(Json(PageNotes::new(notes, kept.remove(&page).unwrap_or_default())))
}

/// List the courses in which the caller has notes
///
/// Including those that they have left, at most 500. The course with the most recently changed note comes first.
#[utoipa::path(
    get, path = "/api/v1/courses/noted_courses", operation_id = "courses-noted_courses", tag = "courses",
    responses(CourseRefusals, (status = 200, description = "The courses", body = NotedCourses))
)]
pub async fn noted_courses(State(kurso): KursoState, viewer: Viewer) -> Result<Json<NotedCourses>> {
    let found = core::noted_courses(&kurso, &viewer).await?;
    Ok(Json(NotedCourses {
        data: found.into_iter().map(NotedCourse::from).collect(),
    }))
}

/// List what the caller keeps of a course
///
/// Notes in the order of the course, at most 100 at once, and all bookmarks; nobody else reads them. For everyone who may read the course, and for
/// those who have left it while they have notes. Words of pages that the caller may not read now are withheld.
#[utoipa::path(
    get, path = "/api/v1/courses/course_notes/{course_id}", operation_id = "courses-course_notes", tag = "courses",
    params(
        PagingParams,
        ("color" = Option<String>, Query, description = "Only notes of this color", pattern = "^(yellow|green|blue|pink)$"),
        ("search" = Option<String>, Query, description = "Only notes with these words in their text or quote; at most 200 characters"),
    ),
    responses(CourseRefusals, (status = 200, description = "What the caller keeps", body = CourseNotes))
)]
pub async fn course_notes(
    State(kurso): KursoState,
    viewer: Viewer,
    path: Result<Path<CourseId>>,
    query: Result<NotesQuery>,
) -> Result<Json<CourseNotes>> {
    let (course, query) = with_path(path, query)?;
    let found = core::in_course(&kurso, &viewer, course, &query.filter, query.page).await?;
    Ok(Json(found.into()))
}

/// Download the notes of the caller in a course
///
/// As Markdown, by module and page, in the language of the request. As `course_notes`.
#[utoipa::path(
    get, path = "/api/v1/courses/export_notes/{course_id}", operation_id = "courses-export_notes", tag = "courses",
    responses(CourseRefusals, (status = 200, description = "The notes", body = String, content_type = "text/markdown"))
)]
pub async fn export_notes(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(course): Path<CourseId>,
    lang: Lang,
) -> Result<Response> {
    let text = core::markdown(&kurso, &viewer, course, lang).await?;
    let headers = [
        (header::CONTENT_TYPE, "text/markdown; charset=utf-8".to_owned()),
        (header::CONTENT_DISPOSITION, disposition_of("attachment", "notes.md")),
    ];
    Ok((headers, text).into_response())
}

/// Note or highlight words of a page
///
/// Or the whole page. For everyone who may read it.
#[utoipa::path(
    post, path = "/api/v1/courses/create_note/{page_id}", operation_id = "courses-create_note", tag = "courses",
    request_body = NoteCreate,
    responses(
        CourseRefusals,
        (status = 200, description = "The note", body = Note),
        (status = 409, description = "The caller has 200 notes on the page or 2,000 in the course, or the version is not one that the caller has read", body = HTTPError),
    )
)]
pub async fn create_note(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(page): Path<PageId>,
    Command(new): Command<NoteCreate>,
) -> Result<Json<Note>> {
    Ok(Json(core::create(&kurso, &viewer, page, new).await?.into()))
}

/// Change a note
///
/// Only its author, also when they may no longer read the page.
#[utoipa::path(
    put, path = "/api/v1/courses/update_note/{note_id}", operation_id = "courses-update_note", tag = "courses",
    request_body = NoteUpdate,
    responses(
        CourseRefusals,
        (status = 200, description = "The note", body = Note),
        (status = 409, description = "It has changed since", body = HTTPError),
    )
)]
pub async fn update_note(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<NoteId>,
    Command(to): Command<NoteUpdate>,
) -> Result<Json<Note>> {
    Ok(Json(core::update(&kurso, &viewer, id, to).await?.into()))
}

/// Delete a note
///
/// Only its author.
#[utoipa::path(
    delete, path = "/api/v1/courses/delete_note/{note_id}", operation_id = "courses-delete_note", tag = "courses",
    responses(CourseRefusals, (status = 200, description = "Deleted", body = Message))
)]
pub async fn delete_note(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<NoteId>,
    lang: Lang,
) -> Result<Json<Message>> {
    core::delete(&kurso, &viewer, id).await?;
    Ok(Message::say(Text::NoteDeleted, lang))
}

/// Set or remove a bookmark
///
/// Of the caller. For everyone who sees the page.
#[utoipa::path(
    put, path = "/api/v1/courses/set_bookmark/{page_id}", operation_id = "courses-set_bookmark", tag = "courses",
    request_body = BookmarkSet,
    responses(
        CourseRefusals,
        (status = 200, description = "The bookmark and the ticks of the page", body = PageKept),
        (status = 409, description = "The caller has 500 bookmarks in the course", body = HTTPError),
    )
)]
pub async fn set_bookmark(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(page): Path<PageId>,
    Command(set): Command<BookmarkSet>,
) -> Result<Json<PageKept>> {
    Ok(Json(core::set_bookmark(&kurso, &viewer, page, set).await?.into()))
}

/// Tick a task
///
/// Of a task list in the page, for the caller alone; or take the tick back. For everyone who may read the page.
#[utoipa::path(
    put, path = "/api/v1/courses/tick_task/{page_id}", operation_id = "courses-tick_task", tag = "courses",
    request_body = TaskTick,
    responses(
        CourseRefusals,
        (status = 200, description = "The bookmark and the ticks of the page", body = PageKept),
        (status = 409, description = "The caller has 1,000 ticks on the page, or the version is not one that the caller has read", body = HTTPError),
    )
)]
pub async fn tick_task(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(page): Path<PageId>,
    Command(tick): Command<TaskTick>,
) -> Result<Json<PageKept>> {
    Ok(Json(core::tick(&kurso, &viewer, page, tick).await?.into()))
}
