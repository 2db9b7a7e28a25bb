//! Announcements to the learners of a course, and nudges.

mod shapes;

use std::collections::HashMap;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use kurso_base::error::Error;
use kurso_base::ids::{AnnouncementId, CourseId};
use kurso_base::messages::{Lang, Message as Text};
use kurso_core::Kurso;
use kurso_core::access::Viewer;
use kurso_core::announcements as core;
use kurso_core::students;

use crate::KursoState;
use crate::error::Result;
use crate::extract::{AnnouncementsQuery, Path, with_path};
use crate::fields::Command;
use crate::message::Message;
use crate::openapi_parts::{CourseRefusals, HTTPError};
use shapes::{
    Announcement, AnnouncementCreate, AnnouncementUpdate, Announcements, AnnouncementsParams, AnnouncementsRead, Nudge,
    NudgedStudents, UnreadAnnouncements,
};

/// List the announcements of a course
///
/// Learners see the published announcements of the course and of their group, staff all published ones, and the owner and teachers also scheduled ones.
/// Scheduled ones come first, then pinned ones, then the newest.
#[utoipa::path(
    get, path = "/api/v1/courses/announcements/{course_id}", operation_id = "courses-announcements", tag = "courses",
    params(AnnouncementsParams),
    responses(CourseRefusals, (status = 200, description = "The announcements", body = Announcements))
)]
pub async fn announcements(
    State(kurso): KursoState,
    viewer: Viewer,
    path: Result<Path<CourseId>>,
    query: Result<AnnouncementsQuery>,
) -> Result<Json<Announcements>> {
    let (course, AnnouncementsQuery(wanted)) = with_path(path, query)?;
    let list = core::list(&kurso, &viewer, course, wanted).await?;
    let details = load_details(&kurso, &list.items).await?;
    let items = list.items.into_iter();
    // Leave out announcements that were deleted after they were listed.
    let items = items.filter(|item| details.contents.contains_key(&item.id));
    let data: Result<_, Error> = items.map(|item| Announcement::of(item, &details)).collect();
    Ok(Json(Announcements {
        has_more: list.next.is_some(),
        count: list.count,
        unread: list.unread,
        can_write: list.can_write,
        data: data?,
    }))
}

/// Read an announcement
///
/// 404 if the caller may not read it.
#[utoipa::path(
    get, path = "/api/v1/courses/announcement/{announcement_id}", operation_id = "courses-announcement", tag = "courses",
    responses(CourseRefusals, (status = 200, description = "The announcement", body = Announcement))
)]
pub async fn announcement(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<AnnouncementId>,
) -> Result<Json<Announcement>> {
    let found = core::find(&kurso, &viewer, id).await?;
    shown(&kurso, found).await
}

/// Write an announcement
///
/// Learners get notices when it is published. Owner and teachers.
#[utoipa::path(
    post, path = "/api/v1/courses/create_announcement/{course_id}", operation_id = "courses-create_announcement", tag = "courses",
    request_body = AnnouncementCreate,
    responses(
        CourseRefusals,
        (status = 200, description = "The announcement", body = Announcement),
        (status = 409, description = "The course has 1000 announcements", body = HTTPError),
        (status = 413, description = "The quota of content of the course's owner is full", body = HTTPError),
        (status = 429, description = "50 announcements within a day; `Retry-After` is the wait in seconds", body = HTTPError),
    )
)]
pub async fn create_announcement(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(course): Path<CourseId>,
    Command(new): Command<AnnouncementCreate>,
) -> Result<Json<Announcement>> {
    let created = Box::pin(core::create(&kurso, &viewer, course, new)).await?;
    shown(&kurso, created).await
}

/// Change an announcement
///
/// Nobody is notified again. Owner and teachers.
#[utoipa::path(
    put, path = "/api/v1/courses/update_announcement/{announcement_id}", operation_id = "courses-update_announcement", tag = "courses",
    request_body = AnnouncementUpdate,
    responses(
        CourseRefusals,
        (status = 200, description = "The announcement", body = Announcement),
        (status = 409, description = "It has another version, or is published and cannot get a time", body = HTTPError),
        (status = 413, description = "The quota of content of the course's owner is full", body = HTTPError),
    )
)]
pub async fn update_announcement(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<AnnouncementId>,
    Command(update): Command<AnnouncementUpdate>,
) -> Result<Json<Announcement>> {
    let updated = Box::pin(core::update(&kurso, &viewer, id, update)).await?;
    shown(&kurso, updated).await
}

/// Delete an announcement
///
/// Also withdraws its notices. Owner and teachers.
#[utoipa::path(
    delete, path = "/api/v1/courses/delete_announcement/{announcement_id}", operation_id = "courses-delete_announcement", tag = "courses",
    responses(CourseRefusals, (status = 200, description = "Deleted", body = Message))
)]
pub async fn delete_announcement(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<AnnouncementId>,
    lang: Lang,
) -> Result<Json<Message>> {
    core::delete(&kurso, &viewer, id).await?;
    Ok(Message::say(Text::AnnouncementDeleted, lang))
}

/// Mark announcements of a course as read
///
/// Their notices are marked as read too.
#[utoipa::path(
    post, path = "/api/v1/courses/mark_announcements_read/{course_id}", operation_id = "courses-mark_announcements_read", tag = "courses",
    request_body = AnnouncementsRead,
    responses(CourseRefusals, (status = 200, description = "What is unread", body = UnreadAnnouncements))
)]
pub async fn mark_announcements_read(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(course): Path<CourseId>,
    Command(read): Command<AnnouncementsRead>,
) -> Result<Json<UnreadAnnouncements>> {
    let unread = core::mark_read(&kurso, &viewer, course, read).await?;
    Ok(Json(UnreadAnnouncements { unread }))
}

/// Nudge students of a course
///
/// Each student gets a notice with the text, at most once in 24 hours. Owner and teachers.
#[utoipa::path(
    post, path = "/api/v1/courses/nudge_students/{course_id}", operation_id = "courses-nudge_students", tag = "courses",
    request_body = Nudge,
    responses(CourseRefusals, (status = 200, description = "Who was nudged", body = NudgedStudents))
)]
pub async fn nudge_students(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(course): Path<CourseId>,
    Command(nudge): Command<Nudge>,
) -> Result<Json<NudgedStudents>> {
    Ok(Json(students::nudge(&kurso, &viewer, course, nudge).await?.into()))
}

/// The contents and read counts of announcements.
struct Details {
    contents: HashMap<AnnouncementId, Arc<str>>,
    /// Empty unless the viewer may write announcements.
    counts: HashMap<AnnouncementId, core::Counts>,
}

async fn load_details(kurso: &Kurso, shown: &[core::Announcement]) -> Result<Details> {
    let ids: Vec<AnnouncementId> = shown.iter().map(|announcement| announcement.id).collect();
    let counted = shown.iter().filter(|announcement| announcement.can_write);
    let counted: Vec<AnnouncementId> = counted.map(|announcement| announcement.id).collect();
    Ok(Details {
        contents: core::contents_of(kurso, &ids).await?,
        counts: core::counts_of(kurso, &counted).await?,
    })
}

async fn shown(kurso: &Kurso, announcement: core::Announcement) -> Result<Json<Announcement>> {
    let details = load_details(kurso, std::slice::from_ref(&announcement)).await?;
    Ok(Json(Announcement::of(announcement, &details)?))
}
