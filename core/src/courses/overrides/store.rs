//! Finds and writes the override of one part for one group or learner.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use kurso_base::error::{Error, Result, is_foreign_key_violation};
use kurso_base::ids::{CourseId, EnrollmentId, GroupId, OverrideId, UserId};
use kurso_base::messages::Message;
use kurso_base::values::Change;
use kurso_db::{Tx, sql};

use super::rows::Row;
use super::set::unknown;
use super::{MAX_OVERRIDES, Part, columns, from_overrides};
use crate::schedule::overrides::Override;

/// A group, or a learner with their group.
pub(super) enum For {
    Group(GroupId),
    Learner(UserId, EnrollmentId, Option<GroupId>),
}

impl For {
    /// The id in the table of overrides.
    pub fn id(&self) -> Uuid {
        match self {
            For::Group(group) => group.0,
            For::Learner(user, ..) => user.0,
        }
    }

    /// The group whose overrides it inherits.
    pub fn group(&self) -> Option<GroupId> {
        match self {
            For::Group(_) => None,
            For::Learner(.., group) => *group,
        }
    }

    pub fn user(&self) -> Option<UserId> {
        match self {
            For::Group(_) => None,
            For::Learner(user, ..) => Some(*user),
        }
    }
}

/// The override of a part for a group or a person, with its id.
pub(super) async fn stored_at(
    tx: &mut Tx,
    target: Uuid,
    part: Part,
    course: CourseId,
) -> Result<Option<(OverrideId, Override)>> {
    #[derive(sqlx::FromRow)]
    struct Found {
        id: OverrideId,
        #[sqlx(flatten)]
        row: Row,
    }
    let of = match part {
        Part::Course => course.0,
        Part::Module(id) => id.0,
        Part::Lesson(id) => id.0,
        Part::Page(id) => id.0,
    };
    // The expressions of the unique index.
    let found = sql!(
        concat!(
            "SELECT o.id, ",
            columns!(),
            " FROM schedule_overrides o WHERE COALESCE(o.group_id, o.user_id) = $1
             AND COALESCE(o.page_id, o.lesson_id, o.module_id, o.course_id) = $2"
        ),
        target,
        of
    );
    let found = found.fetch_optional::<Found>(tx).await?;
    Ok(found.map(|found| (found.id, found.row.values())))
}

/// Writes the row and returns its id, which an override that is replaced keeps.
pub(super) async fn store(
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
        // The account was deleted concurrently. The course lock rules out every other cause.
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
