//! Makes and replaces overrides.

use chrono::{DateTime, Utc};
use serde_json::Value;

use kurso_base::error::{Error, FieldError, Result, require_no_errors};
use kurso_base::ids::{CourseId, EnrollmentId, GroupId, LessonId, ModuleId, PageId, UserId};
use kurso_base::messages::Message;
use kurso_base::schedule::{Dates, Late, ScheduleTime, TimeZone};
use kurso_base::values::{AddedAttempts, Change, Checked, ExtraAttempts, TimeFactor};
use kurso_db::events::Event;
use kurso_db::{Tx, sql};

use super::expected::{Changed, ExpectedOverride, is_expected};
use super::store::{For, store, stored_at};
use super::{Part, StoredOverride, entry, read};
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::audit::Act;
use crate::courses::dates::{dates_columns, late_columns, require_none};
use crate::courses::tree::PageKind;
use crate::courses::{Course, Scope, begin, find, renew_tree};
use crate::schedule::overrides::Override;

/// The override of one part of a course for one group or one learner: exactly one of `group_id` and `enrollment_id`, and at most one
/// of `module_id`, `lesson_id` and `page_id`; without any, the override is of the course itself. It replaces the override that is
/// there: `Keep` inherits, `Clear` lifts the limit.
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
}

/// The own dates of a part.
struct Base {
    dates: Dates,
    /// None for everything but quiz pages.
    late: Option<Late>,
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
    let part = command.part()?;
    if command.group_id.is_some() == command.enrollment_id.is_some() {
        let field = if command.group_id.is_some() {
            "enrollment_id"
        } else {
            "group_id"
        };
        return Err(wrong(field, Message::OverrideForWhom));
    }
    let now = kurso.clock.now();
    let mut tx = begin(&kurso.db, course.id, Scope::Unchanged).await?;
    let target = command.target(&mut tx, course.id).await?;
    let base = base(&mut tx, &course, part).await?;
    let own = stored_at(&mut tx, target.id(), part, course.id).await?;
    if !is_expected(command.expected, own.map(|(_, values)| values)) {
        let current = match own {
            Some((id, _)) => Some(Box::new(read(&mut tx, id).await?)),
            None => None,
        };
        // Also without a change: a competing one may be committed together with this transaction.
        tx.commit().await?;
        return Ok(Changed::Stale(current));
    }
    let inherited = match target.group() {
        Some(group) => stored_at(&mut tx, group.0, part, course.id).await?,
        None => None,
    };
    let inherited = inherited.map(|(_, values)| values).unwrap_or_default();
    let is_quiz = base.late.is_some();
    let values = match command.add_attempts {
        Some(added) => command.added(
            added,
            own.map(|(_, values)| values).unwrap_or_default(),
            inherited,
            is_quiz,
        )?,
        None => {
            let values = command.values(course.dates.zone());
            require_sensible(&values, part, is_quiz)?;
            require_order(&base, values, inherited)?;
            values
        }
    };
    let id = store(&mut tx, course.id, &target, part, values, now).await?;
    renew_tree(&mut tx, course.id).await?;
    let (user, page) = (target.user(), command.page_id);
    entry(Act::OverrideSet, viewer, course.id, user, page)
        .write(&mut tx, now)
        .await?;
    let stored = read(&mut tx, id).await?;
    tx.publish(Event::Groups { course: course.id });
    tx.commit().await?;
    Ok(Changed::Done(stored))
}

impl SetOverride {
    fn part(&self) -> Result<Part> {
        match (self.module_id, self.lesson_id, self.page_id) {
            (None, None, None) => Ok(Part::Course),
            (Some(module), None, None) => Ok(Part::Module(module)),
            (None, Some(lesson), None) => Ok(Part::Lesson(lesson)),
            (None, None, Some(page)) => Ok(Part::Page(page)),
            (_, _, Some(_)) => Err(wrong("page_id", Message::OverrideOfWhat)),
            (_, Some(_), None) => Err(wrong("lesson_id", Message::OverrideOfWhat)),
        }
    }

    /// Fails with 422 for a group or a learner of another course.
    async fn target(&self, tx: &mut Tx, course: CourseId) -> Result<For> {
        if let Some(enrollment) = self.enrollment_id {
            let found = sql!(
                "SELECT user_id, group_id FROM enrollments WHERE id = $1 AND course_id = $2",
                enrollment,
                course
            );
            let found = found.fetch_optional::<(UserId, Option<GroupId>)>(tx).await?;
            return found
                .map(|(user, group)| For::Learner(user, enrollment, group))
                .ok_or_else(|| unknown("enrollment_id", enrollment, Message::UnknownStudent));
        }
        let Some(group) = self.group_id else {
            return Err(wrong("group_id", Message::OverrideForWhom));
        };
        let found = sql!("SELECT id FROM groups WHERE id = $1 AND course_id = $2", group, course);
        let found = found.fetch_optional::<(GroupId,)>(tx).await?;
        found
            .map(|(group,)| For::Group(group))
            .ok_or_else(|| unknown("group_id", group, Message::UnknownGroup))
    }

    fn values(&self, zone: TimeZone) -> Override {
        Override {
            available_from: map(self.available_from, |time| time.opening(zone)),
            available_until: map(self.available_until, |time| time.closing(zone)),
            due_at: map(self.due_at, |time| time.closing(zone)),
            late_until: map(self.late_until, |time| time.closing(zone)),
            extra_attempts: map(self.extra_attempts, ExtraAttempts::get),
            time_factor: map(self.time_factor, TimeFactor::get),
        }
    }

    /// The override with more attempts. Fails with 422 beside other limits, for what takes no attempts, and for too many.
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

fn map<T, U>(change: Change<T>, with: impl FnOnce(T) -> U) -> Change<U> {
    match change {
        Change::Keep => Change::Keep,
        Change::Clear => Change::Clear,
        Change::Set(value) => Change::Set(with(value)),
    }
}

/// Reads the dates of a part, which are those of a course whose row is locked. Fails with 422 for a part of another course.
async fn base(tx: &mut Tx, course: &Course, part: Part) -> Result<Base> {
    #[derive(sqlx::FromRow)]
    struct Page {
        kind: PageKind,
        #[sqlx(flatten)]
        dates: Dates,
        #[sqlx(flatten)]
        late: Late,
    }
    let plain = |found: Option<Dates>, error: Error| found.map(|dates| Base { dates, late: None }).ok_or(error);
    match part {
        Part::Course => {
            let (available_from, available_until) =
                sql!("SELECT starts_at, ends_at FROM courses WHERE id = $1", course.id)
                    .fetch_one::<(Option<DateTime<Utc>>, Option<DateTime<Utc>>)>(tx)
                    .await?;
            let dates = Dates {
                available_from,
                available_until,
                due_at: None,
            };
            Ok(Base { dates, late: None })
        }
        Part::Module(id) => {
            let text = concat!(
                "SELECT ",
                dates_columns!(),
                " FROM modules WHERE id = $1 AND course_id = $2"
            );
            let found = sql!(text, id, course.id).fetch_optional(tx).await?;
            plain(found, unknown("module_id", id, Message::UnknownModule))
        }
        Part::Lesson(id) => {
            let text = concat!(
                "SELECT ",
                dates_columns!(),
                " FROM lessons WHERE id = $1 AND course_id = $2"
            );
            let found = sql!(text, id, course.id).fetch_optional(tx).await?;
            plain(found, unknown("lesson_id", id, Message::UnknownLesson))
        }
        Part::Page(id) => {
            let text = concat!(
                "SELECT kind, ",
                dates_columns!(),
                ", ",
                late_columns!(),
                " FROM pages WHERE id = $1 AND course_id = $2"
            );
            let found = sql!(text, id, course.id).fetch_optional::<Page>(tx).await?;
            let page = found.ok_or_else(|| unknown("page_id", id, Message::UnknownPage))?;
            Ok(Base {
                dates: page.dates,
                late: (page.kind == PageKind::Quiz).then_some(page.late),
            })
        }
    }
}

/// Fails with 422 if nothing is overridden, or something that the part does not have.
fn require_sensible(values: &Override, part: Part, is_quiz: bool) -> Result<()> {
    if values.is_empty() {
        return Err(Error::invalid(FieldError {
            kind: "value_error",
            loc: vec!["body".into()],
            message: Message::OverrideEmpty,
            input: Value::Null,
            ctx: None,
        }));
    }
    let misplaced = [
        ("due_at", part == Part::Course && !values.due_at.is_keep()),
        ("late_until", !is_quiz && !values.late_until.is_keep()),
        ("extra_attempts", !is_quiz && !values.extra_attempts.is_keep()),
        (
            "time_factor",
            matches!(part, Part::Page(_)) && !is_quiz && !values.time_factor.is_keep(),
        ),
    ];
    require_none_of(misplaced)
}

/// Fails with 422 at each field that is given where it cannot be overridden.
fn require_none_of<const N: usize>(fields: [(&'static str, bool); N]) -> Result<()> {
    let errors: Vec<FieldError> = fields
        .into_iter()
        .filter(|(_, is_wrong)| *is_wrong)
        .map(|(field, _)| FieldError::body("value_error", field, Message::OverrideNotHere, Value::Null))
        .collect();
    require_no_errors(errors)
}

/// Fails with 422 if a date is set and the dates of the part are out of order for the group or the learner: with those that they inherit.
/// Who sets no date cannot mend an order that was wrong before.
fn require_order(base: &Base, values: Override, inherited: Override) -> Result<()> {
    let dates = [
        values.available_from,
        values.available_until,
        values.due_at,
        values.late_until,
    ];
    if !dates.iter().any(|date| matches!(date, Change::Set(_))) {
        return Ok(());
    }
    require_none(values.over(inherited).misplaced(base.dates, base.late))
}

fn wrong(field: &str, message: Message) -> Error {
    Error::invalid(FieldError::body("value_error", field, message, Value::Null))
}

pub(super) fn unknown(field: &str, id: impl ToString, message: Message) -> Error {
    Error::invalid(FieldError::body("value_error", field, message, id.to_string().into()))
}
