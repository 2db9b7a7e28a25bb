//! The effective dates of a part of a course with an override: for everybody, for the group, and for the group or learner of the override. Also
//! the parts that would end before its deadline.

use chrono::{DateTime, Utc};
use serde_json::Value;

use kurso_base::entries::EntryReader;
use kurso_base::error::{Error, Result};
use kurso_base::ids::{CourseId, EnrollmentId, GroupId, LessonId, ModuleId, PageId};
use kurso_base::messages::Message;
use kurso_base::schedule::ScheduleTime;
use kurso_base::values::{Change, Checked, Problem};

use super::chain::{Chain, place_of};
use super::earlier::{Earlier, earlier_parts, earlier_students};
use super::entries::OverrideEntries;
use super::set::{SetOverride, part_of, require_one_target, target};
use super::store::For;
use super::{Own, Part, Place, StudentName};
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::courses;
use crate::schedule::overrides::Override;

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
    /// The end of late attempts at a quiz. Without a due date there are none.
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
    /// The parts below whose own dates still end earlier for them, if the override sets an end.
    pub earlier_parts: Earlier<Part>,
    /// For the override of a group: the learners of the group whose own overrides still end earlier.
    pub earlier_students: Earlier<StudentName>,
}

/// Computes the effective dates of a part; for the staff of the course. Fails with 422 for a group, a learner or a part that the course does not
/// have. At most seven statements.
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
    let place = place_of(&tree, part)?;
    let chain = Chain::of(&course, &tree, place);
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
    let own_at = |at: Place| typed.filter(|_| at == place).unwrap_or_else(|| user.at(at));
    let result = |at: Place| own_at(at).over(group.at(at));
    let set = own_at(place);
    let deadline = set
        .due_at
        .value()
        .max(set.late_until.value().filter(|_| chain.late.is_some()));
    let sets_due = !(set.due_at.is_keep() && set.late_until.is_keep());
    let (mut parts, mut students) = (Earlier::default(), Earlier::default());
    if own.is_some() && (sets_due || !set.available_until.is_keep()) {
        parts = earlier_parts(&course, &tree, (place, chain.ends(result)), sets_due, result);
        if let Some(For::Group(group)) = own {
            let of = (course.id, &*tree);
            students = earlier_students(&kurso.db, of, group, &chain, sets_due, result).await?;
        }
    }
    let has_group = matches!(own, Some(For::Learner(_, _, Some(_))));
    Ok(OverrideTimes {
        everyone: chain.times(|_| Override::default()),
        group: has_group.then(|| chain.times(|at| group.at(at))),
        result: chain.times(result),
        deadline,
        earlier_ends: deadline.map(|last| chain.ends_before(result, last)).unwrap_or_default(),
        earlier_parts: parts,
        earlier_students: students,
    })
}
