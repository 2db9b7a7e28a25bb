//! Makes and replaces overrides.

use chrono::{DateTime, Utc};
use serde_json::Value;

use kurso_base::error::{Error, FieldError, Result, is_foreign_key_violation};
use kurso_base::ids::{CourseId, EnrollmentId, GroupId, LessonId, ModuleId, OverrideId, PageId, UserId};
use kurso_base::messages::Message;
use kurso_base::schedule::{Dates, Late, ScheduleTime, TimeZone};
use kurso_base::values::{Change, ExtraAttempts, TimeFactor};
use kurso_db::events::Event;
use kurso_db::{Tx, sql};

use super::rows::Row;
use super::{MAX_OVERRIDES, Part, StoredOverride, columns, entry, from_overrides, read};
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::audit::Act;
use crate::courses::dates::{dates_columns, late_columns};
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
}

/// A group, or a learner with their group.
enum For {
    Group(GroupId),
    Learner(UserId, EnrollmentId, Option<GroupId>),
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
pub async fn set(kurso: &Kurso, viewer: &Viewer, course: CourseId, command: SetOverride) -> Result<StoredOverride> {
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
    let values = command.values(course.dates.zone());
    require_sensible(&values, part, base.late.is_some())?;
    require_order(&mut tx, &course, &target, part, &base, values).await?;
    let id = store(&mut tx, course.id, &target, part, values, now).await?;
    renew_tree(&mut tx, course.id).await?;
    let (user, page) = (target.user(), command.page_id);
    entry(Act::OverrideSet, viewer, course.id, user, page)
        .write(&mut tx, now)
        .await?;
    let stored = read(&mut tx, id).await?;
    tx.publish(Event::Groups { course: course.id });
    tx.commit().await?;
    Ok(stored)
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
}

impl For {
    fn user(&self) -> Option<UserId> {
        match self {
            For::Group(_) => None,
            For::Learner(user, ..) => Some(*user),
        }
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
    let errors: Vec<FieldError> = misplaced
        .into_iter()
        .filter(|(_, is_wrong)| *is_wrong)
        .map(|(field, _)| FieldError::body("value_error", field, Message::OverrideNotHere, Value::Null))
        .collect();
    if errors.is_empty() {
        Ok(())
    } else {
        Err(Error::Invalid(errors))
    }
}

/// Fails with 422 if a date is set and the dates of the part are out of order for the group or the learner: with those that they inherit.
/// Who sets no date cannot mend an order that was wrong before.
async fn require_order(
    tx: &mut Tx,
    course: &Course,
    target: &For,
    part: Part,
    base: &Base,
    values: Override,
) -> Result<()> {
    let dates = [
        values.available_from,
        values.available_until,
        values.due_at,
        values.late_until,
    ];
    if !dates.iter().any(|date| matches!(date, Change::Set(_))) {
        return Ok(());
    }
    let inherited = match target {
        For::Learner(.., Some(group)) => of_group(tx, *group, part, course.id).await?,
        For::Learner(.., None) | For::Group(_) => Override::default(),
    };
    let values = values.over(inherited);
    let dates = values.dates(base.dates);
    let mut fields = dates.misplaced();
    fields.extend(base.late.iter().flat_map(|late| values.late(*late).misplaced(&dates)));
    if fields.is_empty() {
        return Ok(());
    }
    let errors = fields
        .into_iter()
        .map(|field| FieldError::body("value_error", field, Message::DatesOutOfOrder, Value::Null));
    Err(Error::Invalid(errors.collect()))
}

/// The override of a part for a group.
async fn of_group(tx: &mut Tx, group: GroupId, part: Part, course: CourseId) -> Result<Override> {
    let of = sql!(
        concat!(
            "SELECT ",
            columns!(),
            " FROM schedule_overrides o WHERE o.group_id = $1
             AND COALESCE(o.page_id, o.lesson_id, o.module_id, o.course_id) = "
        ),
        group
    );
    let of = match part {
        Part::Course => of.push_bind(course),
        Part::Module(id) => of.push_bind(id),
        Part::Lesson(id) => of.push_bind(id),
        Part::Page(id) => of.push_bind(id),
    };
    let row = of.fetch_optional::<Row>(tx).await?;
    Ok(row.map(|row| row.values()).unwrap_or_default())
}

/// Writes the row and returns its id, which an override that is replaced keeps.
async fn store(
    tx: &mut Tx,
    course: CourseId,
    target: &For,
    part: Part,
    values: Override,
    now: DateTime<Utc>,
) -> Result<OverrideId> {
    let (group, user) = match target {
        For::Group(group) => (Some(*group), None),
        For::Learner(user, ..) => (None, Some(*user)),
    };
    let (module, lesson, page) = match part {
        Part::Course => (None, None, None),
        Part::Module(id) => (Some(id), None, None),
        Part::Lesson(id) => (None, Some(id), None),
        Part::Page(id) => (None, None, Some(id)),
    };
    let (id,) = sql!(
        "INSERT INTO schedule_overrides (id, course_id, group_id, user_id, module_id, lesson_id, page_id,
           available_from, available_from_lifted, available_until, available_until_lifted, due_at, due_at_lifted,
           late_until, late_until_lifted, extra_attempts, extra_attempts_lifted, time_factor, time_factor_lifted, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)
         ON CONFLICT (COALESCE(group_id, user_id), COALESCE(page_id, lesson_id, module_id, course_id)) DO UPDATE SET
           available_from = excluded.available_from, available_from_lifted = excluded.available_from_lifted,
           available_until = excluded.available_until, available_until_lifted = excluded.available_until_lifted,
           due_at = excluded.due_at, due_at_lifted = excluded.due_at_lifted,
           late_until = excluded.late_until, late_until_lifted = excluded.late_until_lifted,
           extra_attempts = excluded.extra_attempts, extra_attempts_lifted = excluded.extra_attempts_lifted,
           time_factor = excluded.time_factor, time_factor_lifted = excluded.time_factor_lifted,
           updated_at = excluded.updated_at
         RETURNING id",
        OverrideId::new(),
        course,
        group,
        user,
        module,
        lesson,
        page,
        values.available_from.value(),
        values.available_from == Change::Clear,
        values.available_until.value(),
        values.available_until == Change::Clear,
        values.due_at.value(),
        values.due_at == Change::Clear,
        values.late_until.value(),
        values.late_until == Change::Clear,
        values.extra_attempts.value(),
        values.extra_attempts == Change::Clear,
        values.time_factor.value(),
        values.time_factor == Change::Clear,
        now
    )
    .fetch_one::<(OverrideId,)>(&mut *tx)
    .await
    .map_err(|error| match (error, target) {
        // The account was deleted meanwhile; the lock of the course keeps everything else.
        (error, For::Learner(_, enrollment, _)) if is_foreign_key_violation(&error) => {
            unknown("enrollment_id", enrollment, Message::UnknownStudent)
        }
        (error, _) => error.into(),
    })?;
    let count = sql!(
        concat!("SELECT COUNT(*)", from_overrides!(), "o.course_id = $1"),
        course
    );
    if count.fetch_one::<(i64,)>(tx).await?.0 > MAX_OVERRIDES {
        return Err(Error::Conflict(Message::TooManyOverrides(MAX_OVERRIDES)));
    }
    Ok(id)
}

fn wrong(field: &str, message: Message) -> Error {
    Error::invalid(FieldError::body("value_error", field, message, Value::Null))
}

fn unknown(field: &str, id: impl ToString, message: Message) -> Error {
    Error::invalid(FieldError::body("value_error", field, message, id.to_string().into()))
}
