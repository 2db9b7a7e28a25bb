//! The dates of a part of a course together with those of the parts above it, under any overrides.

use chrono::{DateTime, Utc};

use kurso_base::error::Result;
use kurso_base::messages::Message;
use kurso_base::schedule::{CourseDates, Dates, Late};

use super::set::unknown;
use super::times::Times;
use super::{Part, Place};
use crate::courses::Course;
use crate::courses::tree::Tree;
use crate::schedule::overrides::{Override, merged_all};
use crate::schedule::{deadline, ends_before, joined};

/// The parts above a part and itself, outermost first, with the places in the tree and their own dates.
pub(super) struct Chain<'a> {
    course: &'a CourseDates,
    parts: Vec<(Part, Place, Dates)>,
    /// The late policy of a quiz.
    pub late: Option<Late>,
}

/// When a part is over for somebody. None is never.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ends {
    due_at: Option<DateTime<Utc>>,
    /// The end; for a quiz also the end of attempts.
    closes_at: Option<DateTime<Utc>>,
    /// The end, or the deadline if that is earlier: what comes later does not cut anything.
    last: Option<DateTime<Utc>>,
}

impl Ends {
    /// The first moment at which this is over while `other` is not: it takes nothing any more before the last moment that matters of the other
    /// one, or if `is_due_compared`, the due date is earlier.
    pub fn earlier_than(self, other: Self, is_due_compared: bool) -> Option<DateTime<Utc>> {
        let before = |end: Option<DateTime<Utc>>, limit: Option<DateTime<Utc>>| {
            end.filter(|end| limit.is_none_or(|limit| *end < limit))
        };
        let due = self.due_at.filter(|_| is_due_compared);
        first(before(due, other.due_at), before(self.closes_at, other.last))
    }
}

/// The earlier one; None has no end.
fn first(one: Option<DateTime<Utc>>, other: Option<DateTime<Utc>>) -> Option<DateTime<Utc>> {
    one.into_iter().chain(other).min()
}

/// Finds a part in the tree of its course. Fails with 422 if the course does not have it.
pub(super) fn place_of(tree: &Tree, part: Part) -> Result<Place> {
    match part {
        Part::Course => Ok(Place::Course),
        Part::Module(id) => {
            let at = tree.modules.iter().position(|node| node.id == id);
            at.map(Place::Module)
                .ok_or_else(|| unknown("module_id", id, Message::UnknownModule))
        }
        Part::Lesson(id) => {
            let at = tree.lessons.iter().position(|node| node.id == id);
            at.map(Place::Lesson)
                .ok_or_else(|| unknown("lesson_id", id, Message::UnknownLesson))
        }
        Part::Page(id) => tree
            .place(id)
            .map(Place::Page)
            .ok_or_else(|| unknown("page_id", id, Message::UnknownPage)),
    }
}

impl<'a> Chain<'a> {
    /// The chain of a place in the tree of the course.
    pub fn of(course: &'a Course, tree: &Tree, place: Place) -> Self {
        let module = |at: usize| {
            let node = tree.module(at);
            (Part::Module(node.id), Place::Module(at), node.own_dates())
        };
        let lesson = |at: usize| {
            let node = tree.lesson(at);
            (Part::Lesson(node.id), Place::Lesson(at), node.own_dates())
        };
        let mut late = None;
        let parts = match place {
            Place::Course => vec![],
            Place::Module(at) => vec![module(at)],
            Place::Lesson(at) => vec![module(tree.lesson(at).module), lesson(at)],
            Place::Page(at) => {
                let node = tree.page(at);
                let (dates, policy) = node.own_dates();
                late = node.kind.takes_attempts().then_some(policy);
                let above = tree.lesson(node.lesson).module;
                vec![module(above), lesson(node.lesson), (Part::Page(node.id), place, dates)]
            }
        };
        Chain {
            course: &course.dates,
            parts,
            late,
        }
    }

    /// The part itself, which is the innermost one.
    pub fn part(&self) -> Part {
        self.parts.last().map_or(Part::Course, |(part, ..)| *part)
    }

    pub fn place(&self) -> Place {
        self.parts.last().map_or(Place::Course, |(_, place, _)| *place)
    }

    /// Whether the part has a due date or an end of its own with the override.
    pub fn has_own_end(&self, over: Override) -> bool {
        let own = self.parts.last().map(|(.., dates)| over.dates(*dates));
        own.is_some_and(|own| own.due_at.is_some() || own.available_until.is_some())
    }

    /// Whether there is an override of the part or of one above it.
    pub fn is_overridden(&self, over: impl Fn(Place) -> Override) -> bool {
        let mut places = std::iter::once(Place::Course).chain(self.parts.iter().map(|(_, place, _)| *place));
        places.any(|place| !over(place).is_empty())
    }

    /// The dates of the course and of the chain with overrides.
    fn merged(&self, over: impl Fn(Place) -> Override) -> (CourseDates, Vec<Dates>) {
        let parts: Vec<_> = self
            .parts
            .iter()
            .map(|(_, place, dates)| (*dates, over(*place)))
            .collect();
        (over(Place::Course).course(self.course), merged_all(&parts))
    }

    /// The dates that hold for the part with overrides.
    pub fn times(&self, over: impl Fn(Place) -> Override) -> Times {
        let (dates, late_until, last_attempt) = self.resolved(over);
        Times {
            available_from: dates.available_from,
            available_until: dates.available_until,
            due_at: dates.due_at,
            late_until,
            is_late_endless: self.late.is_some() && dates.due_at.is_some() && last_attempt.is_none(),
        }
    }

    /// When the part is over with overrides.
    pub fn ends(&self, over: impl Fn(Place) -> Override) -> Ends {
        let (dates, late_until, last_attempt) = self.resolved(over);
        Ends {
            due_at: dates.due_at,
            closes_at: first(dates.available_until, last_attempt),
            last: first(dates.available_until, dates.due_at.max(late_until)),
        }
    }

    /// The dates with overrides, the end of late attempts and the last moment for any attempt.
    fn resolved(&self, over: impl Fn(Place) -> Override) -> (Dates, Option<DateTime<Utc>>, Option<DateTime<Utc>>) {
        let late = self.late.map(|late| over(self.place()).late(late));
        let (course, chain) = self.merged(over);
        let chain: Vec<&Dates> = chain.iter().collect();
        let dates = joined(&course, &chain);
        let (late_until, last_attempt) = deadline(dates.due_at, late.as_ref());
        (dates, late_until, last_attempt)
    }

    /// The part and those above it that end before `last` with overrides, outermost first, each with its end.
    pub fn ends_before(&self, over: impl Fn(Place) -> Override, last: DateTime<Utc>) -> Vec<(Part, DateTime<Utc>)> {
        let (course, chain) = self.merged(over);
        let chain: Vec<&Dates> = chain.iter().collect();
        let parts = std::iter::once(Part::Course).chain(self.parts.iter().map(|(part, ..)| *part));
        let ends = parts.zip(ends_before(&course, &chain, last));
        ends.filter_map(|(part, end)| Some((part, end?))).collect()
    }
}
