//! The notices of the caller.

use axum::Json;
use axum::extract::State;
use chrono::{DateTime, Utc};
use kurso_base::ids::NoticeId;
use kurso_base::values::Several;
use kurso_base::wire;
use kurso_core::access::Viewer;
use kurso_core::inbox::{self as core, MarkAllRead, MarkRead, NoticeIds};
use kurso_core::notices::Kind;
use serde::Serialize;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::KursoState;
use crate::error::Result;
use crate::extract::NoticesQuery;
use crate::fields::{Command, body};
use crate::grading::shapes::PersonName;
use crate::openapi_parts::SignedInRefusals;

body! {
    /// Marks these notices as read.
    NoticesRead -> MarkRead {
        /// Notices of other users are ignored.
        ids: NoticeIds,
    }

    /// Marks all notices up to one as read.
    NoticesAllRead -> MarkAllRead {
        /// The newest notice that was shown: what arrived later stays unread.
        before: NoticeId,
    }
}

/// The kind of a notice.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum NoticeKind {
    Graded,
    Returned,
    ResultChanged,
    AttemptGiven,
    DeadlineNear,
    ImportantChange,
    Mention,
    Comment,
    Invited,
    ImportDone,
    CourseCompleted,
    Announcement,
    Nudge,
    Answered,
    Asked,
    Reported,
}

impl From<Kind> for NoticeKind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Graded => NoticeKind::Graded,
            Kind::Returned => NoticeKind::Returned,
            Kind::ResultChanged => NoticeKind::ResultChanged,
            Kind::AttemptGiven => NoticeKind::AttemptGiven,
            Kind::DeadlineNear => NoticeKind::DeadlineNear,
            Kind::ImportantChange => NoticeKind::ImportantChange,
            Kind::Mention => NoticeKind::Mention,
            Kind::Comment => NoticeKind::Comment,
            Kind::Invited => NoticeKind::Invited,
            Kind::ImportDone => NoticeKind::ImportDone,
            Kind::CourseCompleted => NoticeKind::CourseCompleted,
            Kind::Announcement => NoticeKind::Announcement,
            Kind::Nudge => NoticeKind::Nudge,
            Kind::Answered => NoticeKind::Answered,
            Kind::Asked => NoticeKind::Asked,
            Kind::Reported => NoticeKind::Reported,
        }
    }
}

/// A course or page that a notice is about.
#[derive(Serialize, ToSchema)]
pub struct NoticePlace {
    pub id: Uuid,
    /// Null for a page without a title.
    #[schema(required)]
    pub title: Option<String>,
}

/// A notice of an event. The caller sees no notices of what they may not read now.
#[derive(Serialize, ToSchema)]
pub struct Notice {
    /// A repeated event renews the notice with a new ID.
    pub id: Uuid,
    #[schema(inline)]
    pub kind: NoticeKind,
    #[serde(serialize_with = "wire::time")]
    pub happened_at: DateTime<Utc>,
    pub is_read: bool,
    /// Null if it is about no course.
    #[schema(required)]
    pub course: Option<NoticePlace>,
    /// Null if it is about no page.
    #[schema(required)]
    pub page: Option<NoticePlace>,
    /// ID of the attempt (`graded`, `returned`, `result_changed`), page (`attempt_given`, `important_change`), comment (`mention`, `comment`),
    /// course (`invited`), import (`import_done`), enrollment (`course_completed`) or announcement (`announcement`); an opaque ID for `deadline_near` and `nudge`.
    pub subject_id: Uuid,
    /// The user who caused the event; null if nobody did, if learners do not see who did, and if the account was deleted.
    #[schema(required)]
    pub actor: Option<PersonName>,
    /// The learner who completed the course; null for other kinds.
    #[schema(required)]
    pub learner: Option<PersonName>,
    /// The deadline; null for other kinds.
    #[schema(required)]
    #[serde(serialize_with = "wire::optional_time")]
    pub closes_at: Option<DateTime<Utc>>,
    /// The title of the announcement, or the text of the nudge; null for other kinds.
    #[schema(required)]
    pub text: Option<String>,
}

/// Notices of the caller.
#[derive(Serialize, ToSchema)]
pub struct Notices {
    /// Newest first. They may be fewer than `limit` although more follow.
    pub data: Vec<Notice>,
    /// Whether more follow.
    pub has_more: bool,
    /// Number of all unread notices, at most 100.
    pub unread: usize,
}

/// The notices of the caller that are unread.
#[derive(Serialize, ToSchema)]
pub struct UnreadNotices {
    /// Their number, at most 100.
    pub unread: usize,
}

/// The requested part of the list of notices.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what `extract` reads")]
pub struct NoticesParams {
    /// Number of rows to skip.
    #[param(minimum = 0, default = 0)]
    skip: Option<i64>,
    /// Maximum number of rows to return; values above 100 are read as 100.
    #[param(minimum = 0, default = 30)]
    limit: Option<i64>,
    /// True: only unread notices. Default: false.
    unread_only: Option<bool>,
}

/// List the notices of the caller
///
/// Newest first. Notices are kept for 90 days.
#[utoipa::path(
    get, path = "/api/v1/notices", operation_id = "notices-list", tag = "notices",
    params(NoticesParams),
    responses(SignedInRefusals, (status = 200, description = "The notices", body = Notices))
)]
pub async fn list(
    State(kurso): KursoState,
    viewer: Viewer,
    NoticesQuery(wanted): NoticesQuery,
) -> Result<Json<Notices>> {
    let found = core::list(&kurso, &viewer, wanted).await?;
    Ok(Json(Notices {
        data: found.items.into_iter().map(Notice::from).collect(),
        has_more: found.has_more,
        unread: found.unread,
    }))
}

/// Mark notices as read
#[utoipa::path(
    post, path = "/api/v1/notices/mark_read", operation_id = "notices-mark_read", tag = "notices",
    request_body = NoticesRead,
    responses(SignedInRefusals, (status = 200, description = "What is unread", body = UnreadNotices))
)]
pub async fn mark_read(
    State(kurso): KursoState,
    viewer: Viewer,
    Command(MarkRead { ids: Several(ids) }): Command<NoticesRead>,
) -> Result<Json<UnreadNotices>> {
    let unread = core::mark_read(&kurso, &viewer, &ids).await?;
    Ok(Json(UnreadNotices { unread }))
}

/// Mark all notices up to one as read
#[utoipa::path(
    post, path = "/api/v1/notices/mark_all_read", operation_id = "notices-mark_all_read", tag = "notices",
    request_body = NoticesAllRead,
    responses(SignedInRefusals, (status = 200, description = "What is unread", body = UnreadNotices))
)]
pub async fn mark_all_read(
    State(kurso): KursoState,
    viewer: Viewer,
    Command(marked): Command<NoticesAllRead>,
) -> Result<Json<UnreadNotices>> {
    let unread = core::mark_all_read(&kurso, &viewer, marked).await?;
    Ok(Json(UnreadNotices { unread }))
}

impl From<core::Notice> for Notice {
    fn from(notice: core::Notice) -> Self {
        Notice {
            id: notice.id.0,
            kind: notice.kind.into(),
            happened_at: notice.happened_at,
            is_read: notice.read_at.is_some(),
            course: notice.course.map(NoticePlace::from),
            page: notice.page.map(NoticePlace::from),
            subject_id: notice.subject,
            actor: notice.actor.map(PersonName::from),
            learner: notice.learner.map(PersonName::from),
            closes_at: notice.closes_at,
            text: notice.text,
        }
    }
}

impl<Id: Into<Uuid>> From<core::Place<Id>> for NoticePlace {
    fn from(place: core::Place<Id>) -> Self {
        NoticePlace {
            id: place.id.into(),
            title: place.title,
        }
    }
}
