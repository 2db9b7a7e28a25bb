//! Creates, changes and deletes courses.

use super::dates::{CourseDatesChange, course_dates_columns, given};
use super::{Course, Scope, begin, find, prerequisites};
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::audit::{Act, Entry};
use crate::deletion;
use kurso_base::error::{Error, Result};
use kurso_base::expected_dates::ExpectedDates;
use kurso_base::ids::CourseId;
use kurso_base::messages::Message;
use kurso_base::schedule::{CourseDates, ScheduleTime, TimeZone};
use kurso_base::values::{Change, Description, Title};
use kurso_db::events::Event;
use kurso_db::sql;

/// A new course.
#[derive(Clone, Debug)]
#[cfg_attr(any(test, feature = "testing"), derive(serde::Deserialize))]
pub struct CreateCourse {
    pub title: Title,
    pub description: Option<Description>,
    pub starts_at: Option<ScheduleTime>,
    pub ends_at: Option<ScheduleTime>,
    /// The end of enrollment by share code.
    pub enroll_until: Option<ScheduleTime>,
    /// The zone of local times; None means UTC.
    pub time_zone: Option<TimeZone>,
    /// None means false.
    pub hide_locked_titles: Option<bool>,
    /// Whether each lesson needs the one before it; None means false.
    pub sequential: Option<bool>,
}

/// A change of a course. Fields that are None or `Keep` stay as they are.
#[derive(Clone, Debug, Default)]
#[cfg_attr(any(test, feature = "testing"), derive(serde::Deserialize), serde(default))]
pub struct UpdateCourse {
    pub title: Option<Title>,
    pub description: Change<Description>,
    pub starts_at: Change<ScheduleTime>,
    pub ends_at: Change<ScheduleTime>,
    pub enroll_until: Change<ScheduleTime>,
    /// Local times of the same change are in the new zone. Stored dates stay the instants that they are.
    pub time_zone: Change<TimeZone>,
    pub hide_locked_titles: Option<bool>,
    pub sequential: Option<bool>,
    /// What the editor has read of the dates. The change fails with 409 if others are stored.
    #[cfg_attr(any(test, feature = "testing"), serde(skip))]
    pub expected_dates: Option<ExpectedDates>,
}

impl UpdateCourse {
    fn dates(&self) -> CourseDatesChange {
        CourseDatesChange {
            expected: self.expected_dates.unwrap_or_default(),
            starts_at: self.starts_at,
            ends_at: self.ends_at,
            enroll_until: self.enroll_until,
            time_zone: self.time_zone,
            hide_locked_titles: self.hide_locked_titles,
            sequential: self.sequential,
        }
    }
}

/// Creates an empty course that belongs to the viewer; every signed-in person may.
pub async fn create(kurso: &Kurso, viewer: &Viewer, new: CreateCourse) -> Result<Course> {
    viewer.require_account()?;
    let id = CourseId::new();
    let dates = CourseDatesChange {
        expected: ExpectedDates::default(),
        starts_at: given(new.starts_at),
        ends_at: given(new.ends_at),
        enroll_until: given(new.enroll_until),
        time_zone: given(new.time_zone),
        hide_locked_titles: new.hide_locked_titles,
        sequential: new.sequential,
    };
    let dates = dates.apply(&CourseDates::default())?;
    sql!(
        concat!(
            "INSERT INTO courses (id, owner_id, title, description, structure_version, created_at, updated_at, ",
            course_dates_columns!(),
            ") VALUES ($1, $2, $3, $4, 1, $5, $5, $6, $7, $8, $9, $10, $11)"
        ),
        id,
        viewer.id(),
        new.title.as_str(),
        new.description.map(String::from),
        kurso.clock.now(),
        dates.starts_at,
        dates.ends_at,
        dates.enroll_until,
        dates.time_zone,
        dates.hide_locked_titles,
        dates.sequential
    )
    .execute(&kurso.db)
    .await?;
    find(&kurso.db, viewer, id, Right::Edit).await
}

/// Changes a course. Needs the right to edit it. Fails with 422 for dates out of order, and if lessons in a row contradict the
/// prerequisites.
pub async fn update(kurso: &Kurso, viewer: &Viewer, id: CourseId, update: UpdateCourse) -> Result<Course> {
    let mut course = find(&kurso.db, viewer, id, Right::Edit).await?;
    let changed = update.dates();
    if update.title.is_some() || !update.description.is_keep() || !changed.is_keep() {
        let now = kurso.clock.now();
        let scope = if changed.is_keep() {
            Scope::Content(now)
        } else {
            Scope::Structure(now)
        };
        let mut tx = begin(&kurso.db, id, scope).await?;
        let stored = find(&mut tx, viewer, id, Right::Edit).await?.dates;
        let dates = changed.apply(&stored)?;
        sql!(
            "UPDATE courses SET title = COALESCE($2, title), description = CASE WHEN $3 THEN $4 ELSE description END,
             starts_at = $5, ends_at = $6, enroll_until = $7, time_zone = $8, hide_locked_titles = $9, sequential = $10
             WHERE id = $1",
            id,
            update.title.map(String::from),
            !update.description.is_keep(),
            update.description.value().map(String::from),
            dates.starts_at,
            dates.ends_at,
            dates.enroll_until,
            dates.time_zone,
            dates.hide_locked_titles,
            dates.sequential
        )
        .execute(&mut tx)
        .await?;
        if dates.sequential && !stored.sequential {
            prerequisites::require_no_cycle(&mut tx, id, "sequential").await?;
        }
        course = find(&mut tx, viewer, id, Right::Edit).await?;
        tx.commit().await?;
    }
    Ok(course)
}

/// Moves a course with everything in it, including the progress of its learners, to the trash. Needs the right to
/// delete it.
pub async fn delete(kurso: &Kurso, viewer: &Viewer, id: CourseId) -> Result<()> {
    find(&kurso.db, viewer, id, Right::DeleteOrTransfer).await?;
    let now = kurso.clock.now();
    let mut tx = begin(&kurso.db, id, Scope::Structure(now)).await?;
    let deleted = deletion::put(&mut tx, id, viewer.id(), now).await?;
    let deleted = deleted.ok_or(Error::NotFound(Message::CourseNotFound))?;
    let entry = Entry::new(Act::CourseDeleted).by(viewer.id()).in_course(id);
    entry.detail(deleted.enrollments).write(&mut tx, now).await?;
    tx.publish(Event::Removed { course: id });
    tx.commit().await?;
    Ok(())
}
