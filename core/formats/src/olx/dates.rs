//! Dates of Open edX: attributes of the course, chapters, sequentials, units and problems.

use chrono::{DateTime, Utc};
use kurso_base::schedule::{CourseDates, Dates, Reading, ScheduleTime, TimeZone};

use super::definitions::{Definition, Definitions};
use crate::note::olx::Note;
use crate::xml::Element;

/// The attributes that may be read. Of other elements they are settings that Kurso does not have.
pub const COURSE: [&str; 4] = ["start", "end", "enrollment_end", "self_paced"];
pub const PART: [&str; 2] = ["start", "due"];
pub const PROBLEM: [&str; 1] = ["due"];
const OPEN_RESPONSE: [&str; 1] = ["submission_due"];

/// The start of courses whose authors have not decided on one.
const UNDECIDED: &str = "2030-01-01T00:00:00Z";

/// The due date of open responses whose authors have not decided on one.
const UNDECIDED_DUE: &str = "2029-01-01T00:00:00Z";

/// The names that are read of an element.
pub fn names_of(element: &str) -> &'static [&'static str] {
    match element {
        "course" => &COURSE,
        "chapter" | "sequential" | "videosequence" | "section" | "vertical" | "unit" => &PART,
        "problem" => &PROBLEM,
        "openassessment" => &OPEN_RESPONSE,
        _ => &[],
    }
}

/// Reads a time in one of the forms of Open edX: in quotes or not, with a space or a T, in UTC without an offset.
fn parse(text: &str, read: Reading) -> Option<DateTime<Utc>> {
    let bare = text.trim().trim_matches('"');
    let text = match bare.split_once(' ') {
        Some((day, time)) => format!("{day}T{time}"),
        None => bare.to_owned(),
    };
    Some(read(ScheduleTime::parse(&text).ok()?, TimeZone::UTC))
}

impl Definitions<'_> {
    fn time(&mut self, element: &Element, name: &str, place: &str, read: Reading) -> Option<DateTime<Utc>> {
        let text = element.attr_text(name).filter(|text| *text != "null")?;
        let found = parse(text, read);
        if found.is_none() {
            let (name, element) = (name.to_owned(), element.name.clone());
            self.has_unread_dates = true;
            self.note(place, Note::BadDate { name, element });
        }
        found
    }

    /// The dates of the course. Those that are out of order are reported and left out.
    pub fn course_dates(&mut self, found: &Definition) -> CourseDates {
        let (element, place) = (&found.element, found.place.as_str());
        let is_self_paced = element.attr_text("self_paced");
        self.is_self_paced = is_self_paced.is_some_and(|value| value.eq_ignore_ascii_case("true"));
        let mut dates = CourseDates {
            starts_at: self.time(element, "start", place, ScheduleTime::opening),
            ends_at: self.time(element, "end", place, ScheduleTime::closing),
            enroll_until: self.time(element, "enrollment_end", place, ScheduleTime::closing),
            ..CourseDates::default()
        };
        if dates.starts_at == parse(UNDECIDED, ScheduleTime::opening) {
            dates.starts_at = None;
            self.note(place, Note::UndecidedStart);
        }
        if !dates.misplaced().is_empty() {
            self.note(place, Note::OutOfOrder("course".to_owned()));
            self.has_unread_dates = true;
            (dates.starts_at, dates.ends_at, dates.enroll_until) = (None, None, None);
        }
        dates
    }

    /// The dates of a chapter, sequential or unit. A course in which learners set the pace has no due dates.
    pub fn dates(&mut self, found: &Definition) -> Dates {
        let (element, place) = (&found.element, found.place.as_str());
        if !PART.iter().all(|name| names_of(&element.name).contains(name)) {
            return Dates::default();
        }
        let dates = Dates {
            available_from: self.time(element, "start", place, ScheduleTime::opening),
            available_until: None,
            due_at: self.due(element, place),
        };
        if dates.misplaced().is_empty() {
            return dates;
        }
        self.note(place, Note::OutOfOrder(element.name.clone()));
        Dates::default()
    }

    /// When an element is due.
    pub fn due(&mut self, element: &Element, place: &str) -> Option<DateTime<Utc>> {
        let due = self.time(element, "due", place, ScheduleTime::closing)?;
        self.unless_self_paced(due)
    }

    /// When an open response is due.
    pub fn submission_due(&mut self, element: &Element, place: &str) -> Option<DateTime<Utc>> {
        let due = self.time(element, "submission_due", place, ScheduleTime::closing)?;
        if Some(due) == parse(UNDECIDED_DUE, ScheduleTime::closing) {
            return None;
        }
        self.unless_self_paced(due)
    }

    fn unless_self_paced(&mut self, due: DateTime<Utc>) -> Option<DateTime<Utc>> {
        if self.is_self_paced {
            self.self_paced_dues += 1;
            return None;
        }
        Some(due)
    }
}
