//! Makes and replaces overrides.

use serde_json::Value;

use kurso_base::error::{Error, FieldError, Result};
use kurso_base::ids::{CourseId, EnrollmentId, GroupId, LessonId, ModuleId, OverrideId, PageId, UserId};
use kurso_base::messages::Message;
use kurso_base::schedule::{ScheduleTime, TimeZone};
use kurso_base::values::{AddedAttempts, Change, Checked, ExtraAttempts, TimeFactor};
use kurso_db::events::Event;
use kurso_db::{Executor, Tx, sql};

use super::base::{base, require_none_of, require_order, require_sensible};
use super::expected::{Changed, ExpectedOverride, is_expected};
use super::store::{For, store, stored_at};
use super::{Part, StoredOverride, entry, read, read_any};
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::audit::Act;
use crate::courses::dates::is_zone;
use crate::courses::{Course, Scope, begin, dated_rows, find, renew_tree};
use crate::schedule::overrides::Override;

/// The override of one part of a course for one group or one learner: exactly one of `group_id` and `enrollment_id`, and at most one of
/// `module_id`, `lesson_id` and `page_id`; without any, the override is of the course itself. It replaces the stored override: `Keep` inherits,
/// `Clear` lifts the limit.
#[derive(Clone, Debug, Default)]
#[cfg_attr(any(test, feature = "testing"), derive(serde::Deserialize), serde(default))]
pub struct SetOverride {
    pub group_id: Option<GroupId>,
    pub enrollment_id: Option<EnrollmentId>,
    pub module_id: Option<ModuleId>,
    pub lesson_id: Option<LessonId>,
    pub page_id: Option<PageId>,
    /// Of the course itself: its start.
    pub available_from: Change<ScheduleTime>,
    /// Of the course itself: its end.
    pub available_until: Change<ScheduleTime>,
    pub due_at: Change<ScheduleTime>,
    pub late_until: Change<ScheduleTime>,
    pub extra_attempts: Change<ExtraAttempts>,
    pub time_factor: Change<TimeFactor>,
    /// Adds to the attempts that the override grants or, if it sets no number, to those that the override of the group grants. It cannot be
    /// combined with the limits above and leaves them as they are; unlimited attempts stay unlimited.
    pub add_attempts: Option<AddedAttempts>,
    /// The override that the client read; `Clear` if there was none. The change is rejected if the stored override differs.
    #[cfg_attr(any(test, feature = "testing"), serde(skip))]
    pub expected: Change<ExpectedOverride>,
    /// The time zone in which the client interpreted local times and days; `Clear` is UTC. If the course uses another zone, the request changes
    /// nothing and returns [`Changed::OtherZone`]. Times with an offset are not affected.
    pub expected_time_zone: Change<TimeZone>,
}

/// Makes the override of a part for a group or a learner, or replaces it; for the owner and teachers. Fails with 422 if the target or
/// the part is not of the course, if nothing or something that the part does not have is overridden, or if the dates are out of
/// order together with those that they inherit; with 409 if the course has [`MAX_OVERRIDES`].
pub async fn set(
    kurso: &Kurso,
    viewer: &Viewer,
    course: CourseId,
    command: SetOverride,
) -> Result<Changed<StoredOverride>> {
    let course = find(&kurso.db, viewer, course, Right::ManageStudents).await?;
    command.part()?;
    require_one_target(command.group_id, command.enrollment_id)?;
    let now = kurso.clock.now();
    let mut tx = begin(&kurso.db, course.id, Scope::Unchanged).await?;
    let target = target(&mut tx, course.id, command.group_id, command.enrollment_id).await?;
    let zone = dated_rows::course(&mut tx, course.id).await?.zone();
    let values = match plan(&mut tx, &course, &target, &command, zone).await? {
        Plan::Set(values) => values,
        Plan::Stale(id) => {
            let current = read_any(&mut tx, id).await?.map(Box::new);
            // Commits even without a change, to wait for the batch, which may contain the competing change.
            tx.commit().await?;
            return Ok(Changed::Stale(current));
        }
        Plan::OtherZone(id) => {
            let current = read_any(&mut tx, id).await?.map(Box::new);
            tx.commit().await?;
            return Ok(Changed::OtherZone(current));
        }
    };
    let id = store(&mut tx, course.id, &target, command.part()?, values, now).await?;
    renew_tree(&mut tx, course.id).await?;
    entry(Act::OverrideSet, viewer, course.id, target.user(), command.page_id)
        .write(&mut tx, now)
        .await?;
    let stored = read(&mut tx, id).await?;
    tx.publish(Event::Groups { course: course.id });
    tx.commit().await?;
    Ok(Changed::Done(stored))
}

/// Outcome of checking a command for the override of one part.
pub(super) enum Plan {
    /// The override to store.
    Set(Override),
    /// Another override than the expected one is stored.
    Stale(Option<OverrideId>),
    /// The client interpreted local times in another time zone than that of the course. Contains the stored override.
    OtherZone(Option<OverrideId>),
}

/// Checks a command in a locked course, whose zone is `zone`, and returns what to store. Changes nothing. Fails with 422 if the command is
/// invalid.
pub(super) async fn plan(
    tx: &mut Tx,
    course: &Course,
    target: &For,
    command: &SetOverride,
    zone: TimeZone,
) -> Result<Plan> {
    let part = command.part()?;
    let base = base(tx, course, part).await?;
    let own = stored_at(tx, target.id(), part, course.id).await?;
    let (id, own) = own.unzip();
    if !is_expected(command.expected, own) {
        return Ok(Plan::Stale(id));
    }
    if command.has_local_times() && !is_zone(command.expected_time_zone, zone) {
        return Ok(Plan::OtherZone(id));
    }
    let inherited = match target.group() {
        Some(group) => stored_at(tx, group.0, part, course.id).await?,
        None => None,
    };
    let inherited = inherited.map(|(_, values)| values).unwrap_or_default();
    let is_quiz = base.late.is_some();
    let values = match command.add_attempts {
        Some(added) => command.added(added, own.unwrap_or_default(), inherited, is_quiz)?,
        None => {
            let values = command.values(zone);
            require_sensible(&values, part, is_quiz)?;
            require_order(&base, values, inherited)?;
            values
        }
    };
    Ok(Plan::Set(values))
}

/// Fails with 422 unless exactly one of the two is given.
pub(super) fn require_one_target(group: Option<GroupId>, enrollment: Option<EnrollmentId>) -> Result<()> {
    match (group, enrollment) {
        (Some(_), Some(_)) => Err(wrong("enrollment_id", Message::OverrideForWhom)),
        (None, None) => Err(wrong("group_id", Message::OverrideForWhom)),
        _ => Ok(()),
    }
}

/// Fails with 422 for a group or a learner of another course.
pub(super) async fn target(
    on: impl Executor,
    course: CourseId,
    group: Option<GroupId>,
    enrollment: Option<EnrollmentId>,
) -> Result<For> {
    if let Some(enrollment) = enrollment {
        let found = sql!(
            "SELECT user_id, group_id FROM enrollments WHERE id = $1 AND course_id = $2",
            enrollment,
            course
        );
        let found = found.fetch_optional::<(UserId, Option<GroupId>)>(on).await?;
        return found
            .map(|(user, group)| For::Learner(user, enrollment, group))
            .ok_or_else(|| unknown("enrollment_id", enrollment, Message::UnknownStudent));
    }
    let Some(group) = group else {
        return Err(wrong("group_id", Message::OverrideForWhom));
    };
    let found = sql!("SELECT id FROM groups WHERE id = $1 AND course_id = $2", group, course);
    let found = found.fetch_optional::<(GroupId,)>(on).await?;
    found
        .map(|(group,)| For::Group(group))
        .ok_or_else(|| unknown("group_id", group, Message::UnknownGroup))
}

impl SetOverride {
    /// Fails with 422 for more than one part.
    pub(super) fn part(&self) -> Result<Part> {
        part_of(self.module_id, self.lesson_id, self.page_id)
    }

    /// Whether it sets a local time or a day, which is interpreted in the time zone of the course.
    fn has_local_times(&self) -> bool {
        let times = [self.available_from, self.available_until, self.due_at, self.late_until];
        let is_local =
            |time: &Change<ScheduleTime>| matches!(time, Change::Set(ScheduleTime::Local(_) | ScheduleTime::Day(_)));
        times.iter().any(is_local)
    }

    /// Whether it neither sets nor lifts a limit, so that everything is inherited.
    pub(super) fn is_empty(&self) -> bool {
        self.values(TimeZone::UTC).is_empty() && self.add_attempts.is_none()
    }

    /// The limits of the override, with local times interpreted in this zone.
    pub(super) fn values(&self, zone: TimeZone) -> Override {
        Override {
            available_from: map(self.available_from, |time| time.opening(zone)),
            available_until: map(self.available_until, |time| time.closing(zone)),
            due_at: map(self.due_at, |time| time.closing(zone)),
            late_until: map(self.late_until, |time| time.closing(zone)),
            extra_attempts: map(self.extra_attempts, ExtraAttempts::get),
            time_factor: map(self.time_factor, TimeFactor::get),
        }
    }

    /// The override with more attempts. Fails with 422 if other limits are given, if the part takes no attempts, and for too many attempts.
    fn added(&self, added: AddedAttempts, own: Override, inherited: Override, is_quiz: bool) -> Result<Override> {
        let limits = self.values(TimeZone::UTC);
        let others = [
            ("available_from", !limits.available_from.is_keep()),
            ("available_until", !limits.available_until.is_keep()),
            ("due_at", !limits.due_at.is_keep()),
            ("late_until", !limits.late_until.is_keep()),
            ("extra_attempts", !limits.extra_attempts.is_keep()),
            ("time_factor", !limits.time_factor.is_keep()),
            ("add_attempts", !is_quiz),
        ];
        require_none_of(others)?;
        let extra_attempts = match own.over(inherited).extra_attempts {
            Change::Clear => Change::Clear,
            given => {
                let total = given.value().unwrap_or(0).saturating_add(added.get());
                let checked = ExtraAttempts::check(total).map_err(|problem| {
                    let loc = vec!["body".into(), "add_attempts".into()];
                    Error::invalid(problem.at(loc, added.get().into()))
                })?;
                Change::Set(checked.get())
            }
        };
        Ok(Override { extra_attempts, ..own })
    }
}

/// Fails with 422 for more than one part.
pub(super) fn part_of(module: Option<ModuleId>, lesson: Option<LessonId>, page: Option<PageId>) -> Result<Part> {
    match (module, lesson, page) {
        (None, None, None) => Ok(Part::Course),
        (Some(module), None, None) => Ok(Part::Module(module)),
        (None, Some(lesson), None) => Ok(Part::Lesson(lesson)),
        (None, None, Some(page)) => Ok(Part::Page(page)),
        (_, _, Some(_)) => Err(wrong("page_id", Message::OverrideOfWhat)),
        (_, Some(_), None) => Err(wrong("lesson_id", Message::OverrideOfWhat)),
    }
}

fn map<T, U>(change: Change<T>, with: impl FnOnce(T) -> U) -> Change<U> {
    match change {
        Change::Keep => Change::Keep,
        Change::Clear => Change::Clear,
        Change::Set(value) => Change::Set(with(value)),
    }
}

pub(super) fn wrong(field: &str, message: Message) -> Error {
    Error::invalid(FieldError::body("value_error", field, message, Value::Null))
}

pub(super) fn unknown(field: &str, id: impl ToString, message: Message) -> Error {
    Error::invalid(FieldError::body("value_error", field, message, id.to_string().into()))
}
