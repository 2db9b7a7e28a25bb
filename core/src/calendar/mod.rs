//! The dates of all courses that a person learns or teaches, as events: for the calendar, for what is due next, and for the
//! iCalendar feed.

mod events;
pub mod feed;
mod ics;

use chrono::{DateTime, Duration, Utc};

use crate::Kurso;
use crate::access::{Role, Viewer};
use crate::courses;
use crate::courses::overrides::Own;
use crate::courses::timeline::Timeline;
use crate::courses::tree::PageKind;
use crate::learning::view::CourseView;
use kurso_base::error::Result;
use kurso_base::ids::{CourseId, LessonId, ModuleId, PageId};
use kurso_base::pagination::{Listed, Page};

/// How long something overdue is listed as due.
const OVERDUE_FOR: Duration = Duration::days(30);

/// What happens at the time of an event.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Kind {
    /// A course starts.
    Starts,
    /// A part of a course opens later than what is above it.
    Opens,
    /// Something is due.
    Due,
    /// A part closes earlier than what is above it, and not at its due date.
    Closes,
    /// A course ends.
    Ends,
}

impl Kind {
    pub const ALL: [Self; 5] = [Self::Starts, Self::Opens, Self::Due, Self::Closes, Self::Ends];

    /// The name in REST and in UIDs; GraphQL has it in capitals.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Starts => "starts",
            Kind::Opens => "opens",
            Kind::Due => "due",
            Kind::Closes => "closes",
            Kind::Ends => "ends",
        }
    }
}

/// The part of a course that an event is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Part {
    Course,
    Module {
        id: ModuleId,
        title: String,
    },
    Lesson {
        id: LessonId,
        title: String,
        /// The first page that the viewer sees.
        first_page: Option<PageId>,
    },
    Page {
        id: PageId,
        title: Option<String>,
        /// The number within the lesson, from 1, among the pages that the viewer sees.
        number: usize,
        kind: PageKind,
        lesson_title: String,
    },
}

/// What a learner can do about a part, the most urgent first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Todo {
    /// It is open and not done.
    Now,
    /// It is not done and will open.
    Later,
    /// It is not done, and has closed or never opens.
    Never,
    /// It is not done, but none of its pages is due with it.
    Nothing,
    Done,
}

/// An event of a course for one person.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    pub kind: Kind,
    pub at: DateTime<Utc>,
    pub course_id: CourseId,
    pub course_title: String,
    /// IANA name of the zone of the course; None means UTC.
    pub time_zone: Option<String>,
    /// The viewer's role in the course.
    pub role: Role,
    pub part: Part,
    /// Whether the viewer, as a learner, has completed the part.
    pub is_done: bool,
    /// Whether it was due and the viewer, as a learner, has not completed it.
    pub is_overdue: bool,
    todo: Todo,
}

impl Event {
    /// The identifier in iCalendar: the same however often date and title change.
    pub fn uid(&self) -> String {
        let kind = self.kind.name();
        match &self.part {
            Part::Course => format!("{kind}-{}@kurso", self.course_id),
            Part::Module { id, .. } => format!("{kind}-{id}@kurso"),
            Part::Lesson { id, .. } => format!("{kind}-{id}@kurso"),
            Part::Page { id, .. } => format!("{kind}-{id}@kurso"),
        }
    }

    /// The title of the part; that of the lesson for a page without one.
    pub fn title(&self) -> &str {
        match &self.part {
            Part::Course => &self.course_title,
            Part::Module { title, .. } | Part::Lesson { title, .. } => title,
            Part::Page {
                title, lesson_title, ..
            } => title.as_deref().unwrap_or(lesson_title),
        }
    }

    /// The page to open; None for a course, a module, and a lesson without pages.
    pub fn page(&self) -> Option<PageId> {
        match &self.part {
            Part::Course | Part::Module { .. } => None,
            Part::Lesson { first_page, .. } => *first_page,
            Part::Page { id, .. } => Some(*id),
        }
    }

    /// Whether the viewer works in the course instead of learning it.
    pub fn is_teaching(&self) -> bool {
        self.role.is_staff()
    }
}

/// The time of the events to list; None has no limit.
#[derive(Clone, Copy, Debug, Default)]
pub struct Span {
    /// At or after this time.
    pub from: Option<DateTime<Utc>>,
    /// Before this time.
    pub until: Option<DateTime<Utc>>,
}

/// What a learner has to do.
#[derive(Clone, Debug)]
pub struct Upcoming {
    /// How much is overdue, also beyond the list.
    pub overdue_count: usize,
    /// Latest first.
    pub overdue: Vec<Event>,
    /// Soonest first.
    pub next: Vec<Event>,
}

/// The events of all courses that the viewer learns or teaches, by time. Learners see what they see in the course: no drafts, and
/// no hidden titles. At most six statements, one without courses, and one per newly completed course.
pub async fn list(kurso: &Kurso, viewer: &Viewer, span: Span, page: Page) -> Result<Listed<Event>> {
    let mut events = all(kurso, viewer, |_| true).await?;
    events.retain(|event| {
        span.from.is_none_or(|from| event.at >= from) && span.until.is_none_or(|until| event.at < until)
    });
    Ok(page.of(events))
}

/// The length of the lists of [`upcoming`]: 5 by default, at most 100.
pub fn upcoming_size(wanted: Option<u64>) -> usize {
    wanted.map_or(5, |wanted| usize::try_from(wanted.min(100)).unwrap_or(100))
}

/// What is due in the courses that the viewer learns and not completed: what was due in the last 30 days and is open, and what will be
/// due and is open or opens later; at most `most` of each.
pub async fn upcoming(kurso: &Kurso, viewer: &Viewer, most: usize) -> Result<Upcoming> {
    let events = all(kurso, viewer, |role| !role.is_staff()).await?;
    Ok(events::upcoming(events, kurso.clock.now(), most))
}

/// The events of the viewer's courses in which the role is `wanted`. Courses without dates cost their tree, which is cached.
async fn all(kurso: &Kurso, viewer: &Viewer, wanted: impl Fn(Role) -> bool) -> Result<Vec<Event>> {
    let mut courses = courses::in_reach(&kurso.db, viewer).await?;
    courses.retain(|course| wanted(course.role));
    let trees = kurso.trees.of(&kurso.db, &courses).await?;
    let now = kurso.clock.now();
    let dated = courses.into_iter().zip(trees);
    let dated = dated.filter(|(course, tree)| Timeline::of(course, tree, &Own::of(course, tree), &[], now).is_dated());
    let views = CourseView::of_trees(kurso, dated.collect()).await?;
    let mut events: Vec<Event> = views.iter().flat_map(events::of_course).collect();
    events.sort_by_cached_key(|event| (event.at, event.kind, event.uid()));
    Ok(events)
}
