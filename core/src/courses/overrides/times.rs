//! The effective dates of a part of a course with an override: for everybody, for the group, and for the group or learner of the override. Also
//! the parts that would end before its deadline.

use chrono::{DateTime, Utc};
use serde_json::Value;

use kurso_base::entries::EntryReader;
use kurso_base::error::{Error, Result};
use kurso_base::ids::{CourseId, EnrollmentId, GroupId, LessonId, ModuleId, PageId};
use kurso_base::messages::Message;
use kurso_base::schedule::{CourseDates, Dates, Late, ScheduleTime};
use kurso_base::values::{Change, Checked, Problem};

use super::entries::OverrideEntries;
use super::set::{SetOverride, part_of, require_one_target, target, unknown};
use super::store::For;
use super::{Own, Part, Place};
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::courses::tree::{PageKind, Tree};
use crate::courses::{self, Course};
use crate::schedule::overrides::{Override, merged_all};
use crate::schedule::{ends_before, joined};

/// The dates of an override that is not stored. What is left out is inherited, null lifts the limit.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LimitDates {
    pub available_from: Change<ScheduleTime>,
    pub available_until: Change<ScheduleTime>,
    pub due_at: Change<ScheduleTime>,
    pub late_until: Change<ScheduleTime>,
}

impl Checked for LimitDates {
    type Plain = Value;

    fn check(plain: Value) -> Result<Self, Problem> {
        EntryReader::read_object(&plain, |reader| {
            let [from, until, due, late] = OverrideEntries::DATES;
            reader.refuse_unknown(|name| OverrideEntries::DATES.contains(&name), &Message::OverrideNotHere);
            LimitDates {
                available_from: reader.text(from),
                available_until: reader.text(until),
                due_at: reader.text(due),
                late_until: reader.text(late),
            }
        })
    }

    fn wrong_type() -> Problem {
        Problem::new("model_attributes_type", Message::NotAnObject)
    }
}

/// A part, and the group or learner of an override of it; everybody without either.
#[derive(Clone, Copy, Debug, Default)]
pub struct TimesOf {
    pub group_id: Option<GroupId>,
    pub enrollment_id: Option<EnrollmentId>,
    pub module_id: Option<ModuleId>,
    pub lesson_id: Option<LessonId>,
    pub page_id: Option<PageId>,
    /// The dates that the override would have; None for those of the stored override.
    pub limits: Option<LimitDates>,
}

/// The effective dates of a part, with those inherited from the parts above it. None: no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Times {
    pub available_from: Option<DateTime<Utc>>,
    pub available_until: Option<DateTime<Utc>>,
    pub due_at: Option<DateTime<Utc>>,
    /// The end of late attempts at a quiz.
    pub late_until: Option<DateTime<Utc>>,
    /// Whether late attempts are accepted without an end.
    pub is_late_endless: bool,
}

/// The effective dates of a part, without and with an override.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OverrideTimes {
    pub everyone: Times,
    /// For the group of the learner; None without a learner, and for a learner without a group.
    pub group: Option<Times>,
    /// For the group or learner of the override, with the override; for everybody if there is neither.
    pub result: Times,
    /// The later of the due date and the end of late attempts that the override sets.
    pub deadline: Option<DateTime<Utc>>,
    /// The part and the parts above it that end before the deadline for the group or learner of the override; outermost first, each with its
    /// end.
    pub earlier_ends: Vec<(Part, DateTime<Utc>)>,
}

/// Computes the effective dates of a part; for the staff of the course. Fails with 422 for a group, a learner or a part that the course does not
/// have. At most six statements.
pub async fn times(kurso: &Kurso, viewer: &Viewer, course: CourseId, of: TimesOf) -> Result<OverrideTimes> {
    let course = courses::find(&kurso.db, viewer, course, Right::SeeStudents).await?;
    let part = part_of(of.module_id, of.lesson_id, of.page_id)?;
    let own = match (of.group_id, of.enrollment_id) {
        (None, None) => None,
        (group, enrollment) => {
            require_one_target(group, enrollment)?;
            Some(target(&kurso.db, course.id, group, enrollment).await?)
        }
    };
    let trees = kurso.trees.of(&kurso.db, std::slice::from_ref(&course)).await?;
    let missing = Error::NotFound(Message::CourseNotFound);
    let tree = trees.into_iter().next().ok_or(missing)?;
    let chain = Chain::of(&course, &tree, part)?;
    let (group, user) = match own {
        None => (Own::default(), Own::default()),
        Some(For::Group(group)) => (Own::default(), Own::of_group(&tree, group)),
        Some(For::Learner(user, _, group)) => (
            group.map(|group| Own::of_group(&tree, group)).unwrap_or_default(),
            Own::of_user(&tree, user),
        ),
    };
    let zone = course.dates.zone();
    let typed = of.limits.map(|limits| {
        let limits = SetOverride {
            available_from: limits.available_from,
            available_until: limits.available_until,
            due_at: limits.due_at,
            late_until: limits.late_until,
            ..SetOverride::default()
        };
        limits.values(zone)
    });
    let place = chain.place();
    let own_at = |at: Place| typed.filter(|_| at == place).unwrap_or_else(|| user.at(at));
    let result = |at: Place| own_at(at).over(group.at(at));
    let set = own_at(place);
    let deadline = set
        .due_at
        .value()
        .max(set.late_until.value().filter(|_| chain.late.is_some()));
    let has_group = matches!(own, Some(For::Learner(_, _, Some(_))));
    Ok(OverrideTimes {
        everyone: chain.times(|_| Override::default()),
        group: has_group.then(|| chain.times(|at| group.at(at))),
        result: chain.times(result),
        deadline,
        earlier_ends: deadline.map(|last| chain.ends_before(result, last)).unwrap_or_default(),
    })
}

/// A part and the parts above it, outermost first, with their places in the tree and their own dates.
struct Chain<'a> {
    course: &'a CourseDates,
    parts: Vec<(Part, Place, Dates)>,
    /// The late policy of a quiz.
    late: Option<Late>,
}

impl<'a> Chain<'a> {
    fn of(course: &'a Course, tree: &Tree, part: Part) -> Result<Self> {
        let module = |at: usize| {
            let node = tree.module(at);
            (Part::Module(node.id), Place::Module(at), node.own_dates())
        };
        let lesson = |at: usize| {
            let node = tree.lesson(at);
            (Part::Lesson(node.id), Place::Lesson(at), node.own_dates())
        };
        let mut late = None;
        let parts = match part {
            Part::Course => vec![],
            Part::Module(id) => {
                let at = tree.modules.iter().position(|node| node.id == id);
                vec![module(
                    at.ok_or_else(|| unknown("module_id", id, Message::UnknownModule))?,
                )]
            }
            Part::Lesson(id) => {
                let at = tree.lessons.iter().position(|node| node.id == id);
                let at = at.ok_or_else(|| unknown("lesson_id", id, Message::UnknownLesson))?;
                vec![module(tree.lesson(at).module), lesson(at)]
            }
            Part::Page(id) => {
                let at = tree
                    .place(id)
                    .ok_or_else(|| unknown("page_id", id, Message::UnknownPage))?;
                let node = tree.page(at);
                let (dates, policy) = node.own_dates();
                late = (node.kind == PageKind::Quiz).then_some(policy);
                let above = tree.lesson(node.lesson).module;
                vec![
                    module(above),
                    lesson(node.lesson),
                    (Part::Page(id), Place::Page(at), dates),
                ]
            }
        };
        Ok(Chain {
            course: &course.dates,
            parts,
            late,
        })
    }

    fn place(&self) -> Place {
        self.parts.last().map_or(Place::Course, |(_, place, _)| *place)
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

    fn times(&self, over: impl Fn(Place) -> Override) -> Times {
        let late = self.late.map(|late| over(self.place()).late(late));
        let (course, chain) = self.merged(over);
        let chain: Vec<&Dates> = chain.iter().collect();
        let dates = joined(&course, &chain);
        // As in the schedule, late attempts never end before the due date.
        let late_until = late.and_then(|late| late.late_until);
        Times {
            available_from: dates.available_from,
            available_until: dates.available_until,
            due_at: dates.due_at,
            late_until: late_until.max(late_until.and(dates.due_at)),
            is_late_endless: late.is_some_and(|late| late.is_allowed() && late.late_until.is_none()),
        }
    }

    fn ends_before(&self, over: impl Fn(Place) -> Override, last: DateTime<Utc>) -> Vec<(Part, DateTime<Utc>)> {
        let (course, chain) = self.merged(over);
        let chain: Vec<&Dates> = chain.iter().collect();
        let parts = std::iter::once(Part::Course).chain(self.parts.iter().map(|(part, ..)| *part));
        let ends = parts.zip(ends_before(&course, &chain, last));
        ends.filter_map(|(part, end)| Some((part, end?))).collect()
    }
}
