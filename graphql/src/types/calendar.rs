use async_graphql::{Enum, ID, SimpleObject};
use kurso_core::calendar::{self, Kind, Part, feed};

use super::course::CourseRole;
use super::{DateTime, PageKind, id_of, int};

/// A date of a course that the caller learns or teaches.
#[derive(SimpleObject)]
pub struct CalendarEvent {
    /// The UID of the event in the iCalendar feed. It stays the same when date and title change.
    uid: String,
    /// What happens.
    kind: CalendarEventKind,
    /// When it happens.
    at: DateTime,
    /// What it is about.
    part: CalendarEventPart,
    /// ID of the course, module, lesson or page.
    part_id: ID,
    /// Null for an untitled page: clients show 'Страница {number}'.
    title: Option<String>,
    /// ID of the course.
    course_id: ID,
    /// Title of the course.
    course_title: String,
    /// IANA name of the zone of the course; null means UTC.
    time_zone: Option<String>,
    /// Title of the lesson of a page; null for others.
    lesson_title: Option<String>,
    /// ID of the page to open: the page itself, or the first page of a lesson; null for others.
    page_id: Option<ID>,
    /// Number of a page in its lesson, from 1; null for others.
    number: Option<i32>,
    /// Kind of a page; null for others.
    page_kind: Option<PageKind>,
    /// The caller's highest role in the course.
    my_role: CourseRole,
    /// Whether the caller has completed the part; false for staff.
    is_done: bool,
    /// Whether it was due and the caller has not completed it; false for staff.
    is_overdue: bool,
}

/// What happens at the time of an event.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
pub enum CalendarEventKind {
    /// The course starts.
    Starts,
    /// The part opens, later than what is above it.
    Opens,
    /// The part is due.
    Due,
    /// The part closes, earlier than what is above it and not at its due date.
    Closes,
    /// The course ends.
    Ends,
}

/// The part of a course that an event is about.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
pub enum CalendarEventPart {
    /// The course itself.
    Course,
    /// A module.
    Module,
    /// A lesson.
    Lesson,
    /// A page.
    Page,
}

/// What the caller has to do as a learner: due dates without what is completed.
#[derive(SimpleObject)]
pub struct Upcoming {
    /// How much is overdue, also beyond the list.
    overdue_count: i32,
    /// What was due in the last 30 days and still takes work, latest first.
    overdue: Vec<CalendarEvent>,
    /// What will be due, soonest first.
    next: Vec<CalendarEvent>,
}

/// The state of the caller's iCalendar feed.
#[derive(SimpleObject)]
pub struct CalendarFeed {
    /// Whether there is an address.
    is_active: bool,
    /// When the address was made; null without one.
    created_at: Option<DateTime>,
    /// When a program last read it, accurate to an hour; null if none has.
    last_read_at: Option<DateTime>,
}

impl From<calendar::Event> for CalendarEvent {
    fn from(event: calendar::Event) -> Self {
        let course = CalendarEvent {
            uid: event.uid(),
            kind: match event.kind {
                Kind::Starts => CalendarEventKind::Starts,
                Kind::Opens => CalendarEventKind::Opens,
                Kind::Due => CalendarEventKind::Due,
                Kind::Closes => CalendarEventKind::Closes,
                Kind::Ends => CalendarEventKind::Ends,
            },
            at: DateTime(event.at),
            part: CalendarEventPart::Course,
            part_id: id_of(event.course_id),
            title: None,
            page_id: event.page().map(id_of),
            course_id: id_of(event.course_id),
            course_title: event.course_title,
            time_zone: event.time_zone,
            lesson_title: None,
            number: None,
            page_kind: None,
            my_role: event.role.into(),
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
                part_id: id_of(id),
                title: Some(title),
                ..course
            },
            Part::Lesson { id, title, .. } => CalendarEvent {
                part: CalendarEventPart::Lesson,
                part_id: id_of(id),
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
                part_id: id_of(id),
                title,
                lesson_title: Some(lesson_title),
                number: Some(int(number)),
                page_kind: Some(kind.into()),
                ..course
            },
        }
    }
}

impl From<calendar::Upcoming> for Upcoming {
    fn from(upcoming: calendar::Upcoming) -> Self {
        let events = |events: Vec<calendar::Event>| events.into_iter().map(Into::into).collect();
        Upcoming {
            overdue_count: int(upcoming.overdue_count),
            overdue: events(upcoming.overdue),
            next: events(upcoming.next),
        }
    }
}

impl Upcoming {
    /// The rows of both lists.
    pub fn rows(&self) -> usize {
        self.overdue.len() + self.next.len()
    }
}

impl From<feed::Feed> for CalendarFeed {
    fn from(feed: feed::Feed) -> Self {
        CalendarFeed {
            is_active: feed.is_active,
            created_at: feed.created_at.map(DateTime),
            last_read_at: feed.last_read_at.map(DateTime),
        }
    }
}
