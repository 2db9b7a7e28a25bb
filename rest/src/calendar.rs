//! The calendar of the caller, and their iCalendar feed.

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use chrono::{DateTime, Utc};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use kurso_base::error as core;
use kurso_base::messages::{Lang, Message as Text};
use kurso_base::wire;
use kurso_core::access::{Role, Viewer};
use kurso_core::auth::Origin;
use kurso_core::calendar::{self, Kind, Part, feed};
use kurso_core::courses::tree;
use serde::Serialize;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::KursoState;
use crate::courses::shapes::CourseRole;
use crate::error::Result;
use crate::extract::{CalendarQuery, MailLang, PathText, UpcomingQuery};
use crate::files::{FileBytes, is_cached};
use crate::message::Message;
use crate::openapi_parts::{HTTPError, PagingParams, SignedInRefusals};
use crate::page_kind::PageKind;
use crate::response::lists;

lists! {
    /// A page of the calendar.
    CalendarEvents of CalendarEvent;
}

/// A date of a course that the caller learns or teaches.
#[derive(Serialize, ToSchema)]
pub struct CalendarEvent {
    /// The UID of the event in the iCalendar feed. It stays the same when date and title change.
    pub uid: String,
    #[schema(inline)]
    pub kind: CalendarEventKind,
    #[serde(serialize_with = "wire::time")]
    pub at: DateTime<Utc>,
    #[schema(inline)]
    pub part: CalendarEventPart,
    /// ID of the course, module, lesson or page.
    pub part_id: Uuid,
    /// Null for an untitled page: clients show 'Страница {number}'.
    #[schema(required)]
    pub title: Option<String>,
    pub course_id: Uuid,
    pub course_title: String,
    /// IANA name of the zone of the course; null means UTC.
    #[schema(required)]
    pub time_zone: Option<String>,
    /// Title of the lesson of a page; otherwise null.
    #[schema(required)]
    pub lesson_title: Option<String>,
    /// Page to open: the page itself, or the first page of a lesson; otherwise null.
    #[schema(required)]
    pub page_id: Option<Uuid>,
    /// Number of a page in its lesson, from 1; otherwise null.
    #[schema(required)]
    pub number: Option<usize>,
    /// Kind of a page; otherwise null.
    #[schema(required, inline, value_type = Option<PageKind>)]
    pub page_kind: Option<tree::PageKind>,
    #[schema(inline, value_type = CourseRole)]
    pub my_role: Role,
    /// Whether the caller has completed the part; false for staff.
    pub is_done: bool,
    /// Whether it was due and the caller has not completed it; false for staff.
    pub is_overdue: bool,
}

/// What happens at the time of an event.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum CalendarEventKind {
    Starts,
    Opens,
    Due,
    Closes,
    Ends,
}

/// The part of a course that an event is about.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum CalendarEventPart {
    Course,
    Module,
    Lesson,
    Page,
}

/// What the caller has to do as a learner.
#[derive(Serialize, ToSchema)]
pub struct Upcoming {
    /// How much is overdue, also beyond the list.
    pub overdue_count: usize,
    /// What was due in the last 30 days and still takes work, latest first.
    pub overdue: Vec<CalendarEvent>,
    /// What will be due, soonest first.
    pub next: Vec<CalendarEvent>,
}

/// The state of the caller's iCalendar feed.
#[derive(Serialize, ToSchema)]
pub struct CalendarFeed {
    /// Whether there is an address.
    pub is_active: bool,
    /// When the address was made; null without one.
    #[schema(required)]
    #[serde(serialize_with = "wire::optional_time")]
    pub created_at: Option<DateTime<Utc>>,
    /// When a program last read it, accurate to an hour; null if none has.
    #[schema(required)]
    #[serde(serialize_with = "wire::optional_time")]
    pub last_read_at: Option<DateTime<Utc>>,
}

/// A new address of the caller's iCalendar feed.
#[derive(Serialize, ToSchema)]
pub struct CalendarFeedAddress {
    /// The secret address. It cannot be read again.
    pub url: String,
    pub feed: CalendarFeed,
}

/// The time of the events to list.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what `extract` reads")]
pub struct CalendarParams {
    /// At this time or later.
    from: Option<DateTime<Utc>>,
    /// Before this time.
    until: Option<DateTime<Utc>>,
}

/// The length of both lists.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what `extract` reads")]
pub struct UpcomingParams {
    /// Maximum number of rows of each list; values above 100 are read as 100.
    #[param(minimum = 0, default = 5)]
    limit: Option<i64>,
}

/// List the dates of the caller's courses
///
/// The courses that the caller learns or teaches: when they start and end, and when their parts open, are due and close, as far as
/// this differs from what is above them. Learners see no drafts. Order: by time.
#[utoipa::path(
    get, path = "/api/v1/calendar/events", operation_id = "calendar-read_events", tag = "calendar",
    params(CalendarParams, PagingParams),
    responses(SignedInRefusals, (status = 200, description = "Events", body = CalendarEvents))
)]
pub async fn events(State(kurso): KursoState, viewer: Viewer, query: CalendarQuery) -> Result<Json<CalendarEvents>> {
    Ok(Json(
        calendar::list(&kurso, &viewer, query.span, query.page).await?.into(),
    ))
}

/// Get what is due next
///
/// Due dates of the courses that the caller learns, without what is completed.
#[utoipa::path(
    get, path = "/api/v1/calendar/upcoming", operation_id = "calendar-read_upcoming", tag = "calendar",
    params(UpcomingParams),
    responses(SignedInRefusals, (status = 200, description = "What is due", body = Upcoming))
)]
pub async fn upcoming(
    State(kurso): KursoState,
    viewer: Viewer,
    UpcomingQuery(most): UpcomingQuery,
) -> Result<Json<Upcoming>> {
    let upcoming = calendar::upcoming(&kurso, &viewer, most).await?;
    let events = |events: Vec<calendar::Event>| events.into_iter().map(Into::into).collect();
    Ok(Json(Upcoming {
        overdue_count: upcoming.overdue_count,
        overdue: events(upcoming.overdue),
        next: events(upcoming.next),
    }))
}

/// Get the state of the caller's iCalendar feed
#[utoipa::path(
    get, path = "/api/v1/calendar/feed", operation_id = "calendar-read_feed_state", tag = "calendar",
    responses(SignedInRefusals, (status = 200, description = "The state", body = CalendarFeed))
)]
pub async fn feed_state(State(kurso): KursoState, viewer: Viewer) -> Result<Json<CalendarFeed>> {
    Ok(Json(feed::get(&kurso, &viewer).await?.into()))
}

/// Make a secret address of the caller's iCalendar feed
///
/// It replaces the current address, which stops working. Texts of the feed are in the language of this request.
#[utoipa::path(
    post, path = "/api/v1/calendar/feed", operation_id = "calendar-create_feed", tag = "calendar",
    responses(SignedInRefusals, (status = 200, description = "The new address", body = CalendarFeedAddress))
)]
pub async fn create_feed(
    State(kurso): KursoState,
    viewer: Viewer,
    MailLang(lang): MailLang,
) -> Result<Json<CalendarFeedAddress>> {
    let (feed, url) = feed::create(&kurso, &viewer, lang).await?;
    Ok(Json(CalendarFeedAddress { url, feed: feed.into() }))
}

/// Revoke the address of the caller's iCalendar feed
#[utoipa::path(
    delete, path = "/api/v1/calendar/feed", operation_id = "calendar-revoke_feed", tag = "calendar",
    responses(
        SignedInRefusals,
        (status = 200, description = "Revoked", body = Message),
        (status = 404, description = "There is no address, or the user is deleted", body = HTTPError),
    )
)]
pub async fn revoke_feed(State(kurso): KursoState, viewer: Viewer, lang: Lang) -> Result<Json<Message>> {
    feed::revoke(&kurso, &viewer).await?;
    Ok(Message::say(Text::CalendarFeedRevoked, lang))
}

/// Read an iCalendar feed
///
/// The events of a user's courses in `text/calendar` (RFC 5545), at most 2000: those nearest to now. Needs no token: the secret in the
/// address grants access. A program that sends `If-None-Match` gets 304 until something changes.
#[utoipa::path(
    get, path = "/api/v1/calendar/{token}/kurso.ics", operation_id = "calendar-read_feed", tag = "calendar",
    params(("token" = String, Path, description = "The secret of the address")),
    responses(
        (
            status = 200, description = "The events",
            content((FileBytes = "application/octet-stream"), (FileBytes = "*/*")),
        ),
        (status = 304, description = "The cached copy is valid"),
        (status = 404, description = "There is no such address, or it was revoked", body = HTTPError),
        (status = 429, description = "Too many wrong addresses; `Retry-After` is the wait in seconds", body = HTTPError),
    )
)]
pub async fn read_feed(
    State(kurso): KursoState,
    PathText(token): PathText,
    origin: Origin,
    request: HeaderMap,
) -> Result<Response> {
    let published = feed::read(&kurso, origin.address, &token, |etag| is_cached(&request, etag)).await?;
    let headers = HeaderMap::from_iter([
        (
            header::ETAG,
            HeaderValue::try_from(published.etag).map_err(core::Error::internal)?,
        ),
        (header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache")),
        (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
        (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    ]);
    Ok(match published.text {
        Some(text) => (
            headers,
            [
                (header::CONTENT_TYPE, "text/calendar; charset=utf-8"),
                (header::CONTENT_DISPOSITION, "attachment; filename=\"kurso.ics\""),
            ],
            text,
        )
            .into_response(),
        None => (StatusCode::NOT_MODIFIED, headers).into_response(),
    })
}

impl From<feed::Feed> for CalendarFeed {
    fn from(feed: feed::Feed) -> Self {
        CalendarFeed {
            is_active: feed.is_active,
            created_at: feed.created_at,
            last_read_at: feed.last_read_at,
        }
    }
}

impl From<Kind> for CalendarEventKind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Starts => CalendarEventKind::Starts,
            Kind::Opens => CalendarEventKind::Opens,
            Kind::Due => CalendarEventKind::Due,
            Kind::Closes => CalendarEventKind::Closes,
            Kind::Ends => CalendarEventKind::Ends,
        }
    }
}

impl From<calendar::Event> for CalendarEvent {
    fn from(event: calendar::Event) -> Self {
        let course = CalendarEvent {
            uid: event.uid(),
            kind: event.kind.into(),
            at: event.at,
            part: CalendarEventPart::Course,
            part_id: event.course_id.0,
            title: None,
            page_id: event.page().map(|page| page.0),
            course_id: event.course_id.0,
            course_title: event.course_title,
            time_zone: event.time_zone,
            lesson_title: None,
            number: None,
            page_kind: None,
            my_role: event.role,
            is_done: event.is_done,
            is_overdue: event.is_overdue,
        };
        match event.part {
            Part::Course => CalendarEvent {
                title: Some(course.course_title.clone()),
                ..course
            },
            Part::Module { id, title } => CalendarEvent {
                part: CalendarEventPart::Module,
                part_id: id.0,
                title: Some(title),
                ..course
            },
            Part::Lesson { id, title, .. } => CalendarEvent {
                part: CalendarEventPart::Lesson,
                part_id: id.0,
                title: Some(title),
                ..course
            },
            Part::Page {
                id,
                title,
                number,
                kind,
                lesson_title,
            } => CalendarEvent {
                part: CalendarEventPart::Page,
                part_id: id.0,
                title,
                lesson_title: Some(lesson_title),
                number: Some(number),
                page_kind: Some(kind),
                ..course
            },
        }
    }
}
