//! Overrides: what differs from the dates and attempts of a course for one group or one learner
//! ([decision 83](../../../../docs/decisions/0083-overrides-are-merged-before-dates-are-resolved.md)). The list, and its changes.

mod base;
mod chain;
mod earlier;
mod entries;
mod expected;
mod moved;
mod own;
mod rows;
mod set;
mod set_many;
mod store;
mod times;

use chrono::{DateTime, Utc};

use kurso_base::error::{Error, Result};
use kurso_base::ids::{CourseId, EnrollmentId, GroupId, LessonId, ModuleId, OverrideId, PageId, UserId};
use kurso_base::messages::Message;
use kurso_base::pagination::{Listed, Page};
use kurso_base::values::Change;
use kurso_db::events::Event;
use kurso_db::{Executor, Sql, Tx, sql};

pub use earlier::Earlier;
pub use entries::OverrideEntries;
pub use expected::{Changed, ExpectedOverride};
pub(in crate::courses) use moved::{Base, Dated, dated};
pub use own::{Overrides, Own, Place};
pub(crate) use rows::at_page;
pub(in crate::courses) use rows::read_all;
pub use set::{SetOverride, set};
pub use set_many::{ChangedAll, SetOverrides, set_many};
pub use times::{LimitDates, OverrideTimes, Times, TimesOf, times};

use super::groups::GroupName;
use super::{Course, Scope, begin, find, renew_tree};
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::audit::{Act, Entry};
use crate::schedule::overrides::Override;
use expected::is_expected;
use rows::{Row, columns};

/// The most overrides of a course, without those of learners who left.
pub const MAX_OVERRIDES: i64 = 5000;

/// A part of a course, or all of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    Course,
    Module(ModuleId),
    Lesson(LessonId),
    Page(PageId),
}

/// Whom an override is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    Group(GroupName),
    Student(StudentName),
}

/// A learner as staff see them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StudentName {
    pub enrollment_id: EnrollmentId,
    pub full_name: Option<String>,
    pub email: String,
}

/// An override as staff see it.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredOverride {
    pub id: OverrideId,
    pub course_id: CourseId,
    pub target: Target,
    pub part: Part,
    pub values: Override,
    pub updated_at: DateTime<Utc>,
}

/// Selects overrides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TargetFilter {
    #[default]
    All,
    /// Those of the group; none if the course has no such group.
    Group(GroupId),
    /// The own ones of the learner; none if the course has no such learner.
    Student(EnrollmentId),
}

impl TargetFilter {
    /// Of two optional ids. A group and a learner at once select nothing in common: the learner's are returned.
    pub fn of(group: Option<GroupId>, student: Option<EnrollmentId>) -> Self {
        match (group, student) {
            (_, Some(student)) => TargetFilter::Student(student),
            (Some(group), None) => TargetFilter::Group(group),
            (None, None) => TargetFilter::All,
        }
    }

    fn on(self, sql: Sql<'_>) -> Sql<'_> {
        match self {
            TargetFilter::All => sql,
            TargetFilter::Group(group) => sql.push(" AND o.group_id = ").push_bind(group),
            TargetFilter::Student(student) => sql.push(" AND e.id = ").push_bind(student),
        }
    }
}

/// The names of the limits that an override lifts.
pub fn lifted(values: &Override) -> Vec<&'static str> {
    use Change::Clear;
    let all = [
        ("available_from", values.available_from == Clear),
        ("available_until", values.available_until == Clear),
        ("due_at", values.due_at == Clear),
        ("late_until", values.late_until == Clear),
        ("extra_attempts", values.extra_attempts == Clear),
        ("time_factor", values.time_factor == Clear),
    ];
    all.into_iter()
        .filter(|(_, lifted)| *lifted)
        .map(|(name, _)| name)
        .collect()
}

#[derive(sqlx::FromRow)]
struct Named {
    id: OverrideId,
    updated_at: DateTime<Utc>,
    group_title: Option<String>,
    enrollment_id: Option<EnrollmentId>,
    full_name: Option<String>,
    email: Option<String>,
    #[sqlx(flatten)]
    row: Row,
}

impl Named {
    /// None for an override of someone who is not enrolled.
    fn shown(self) -> Option<StoredOverride> {
        let group = self.row.group();
        let target = match GroupName::of(group, self.group_title) {
            Some(group) => Target::Group(group),
            None => Target::Student(StudentName {
                enrollment_id: self.enrollment_id?,
                full_name: self.full_name,
                email: self.email?,
            }),
        };
        Some(StoredOverride {
            id: self.id,
            course_id: self.row.course_id,
            target,
            part: self.row.part(),
            values: self.row.values(),
            updated_at: self.updated_at,
        })
    }
}

/// The overrides with their names, without those of learners who left.
macro_rules! from_overrides {
    () => {
        " FROM schedule_overrides o LEFT JOIN groups g ON g.id = o.group_id
          LEFT JOIN enrollments e ON e.course_id = o.course_id AND e.user_id = o.user_id
          LEFT JOIN users u ON u.id = e.user_id WHERE (o.group_id IS NOT NULL OR e.id IS NOT NULL) AND "
    };
}

use from_overrides;

macro_rules! select {
    () => {
        concat!(
            "SELECT o.id, o.updated_at, g.title AS group_title, e.id AS enrollment_id, u.full_name, u.email, ",
            columns!(),
            from_overrides!()
        )
    };
}

/// The overrides of a course for its staff, one page of them: those of groups in the order of the groups, then those of learners, each in the
/// order in which they were made. Fails with 403 for learners. Three statements.
pub async fn list(
    kurso: &Kurso,
    viewer: &Viewer,
    course: CourseId,
    filter: TargetFilter,
    page: Page,
) -> Result<Listed<StoredOverride>> {
    let course = find(&kurso.db, viewer, course, Right::SeeStudents).await?.id;
    let count = sql!(
        concat!("SELECT COUNT(*)", from_overrides!(), "o.course_id = $1"),
        course
    );
    let (count,) = filter.on(count).fetch_one::<(i64,)>(&kurso.db).await?;
    let rows = filter
        .on(sql!(concat!(select!(), "o.course_id = $1"), course))
        .push(" ORDER BY CASE WHEN o.group_id IS NULL THEN 1 ELSE 0 END, g.position, o.id LIMIT ")
        .push_bind(page.limit)
        .push(" OFFSET ")
        .push_bind(page.skip)
        .fetch_all::<Named>(&kurso.db)
        .await?;
    Ok(Listed {
        data: rows.into_iter().filter_map(Named::shown).collect(),
        count,
    })
}

/// Reads an override; 404 if it is gone.
async fn read(on: impl Executor, id: OverrideId) -> Result<StoredOverride> {
    let row = sql!(concat!(select!(), "o.id = $1"), id)
        .fetch_optional::<Named>(on)
        .await?;
    row.and_then(Named::shown)
        .ok_or(Error::NotFound(Message::OverrideNotFound))
}

async fn read_any(tx: &mut Tx, id: Option<OverrideId>) -> Result<Option<StoredOverride>> {
    match id {
        Some(id) => read(tx, id).await.map(Some),
        None => Ok(None),
    }
}

/// Deletes an override; for the owner and teachers. Returns the course. Changes nothing if the override is not the expected one; without an
/// expected one it is deleted as it is.
pub async fn delete(
    kurso: &Kurso,
    viewer: &Viewer,
    id: OverrideId,
    expected: Option<ExpectedOverride>,
) -> Result<Changed<CourseId>> {
    let course = find(&kurso.db, viewer, id, Right::ManageStudents).await?.id;
    let mut tx = begin(&kurso.db, course, Scope::Unchanged).await?;
    if let Some(expected) = expected {
        let current = read(&mut tx, id).await?;
        if !is_expected(Change::Set(expected), Some(current.values)) {
            // Also without a change: a competing one may be committed together with this transaction.
            tx.commit().await?;
            return Ok(Changed::Stale(Some(Box::new(current))));
        }
    }
    let (user, page) = sql!(
        "DELETE FROM schedule_overrides WHERE id = $1 RETURNING user_id, page_id",
        id
    )
    .fetch_optional::<(Option<UserId>, Option<PageId>)>(&mut tx)
    .await?
    .ok_or(Error::NotFound(Message::OverrideNotFound))?;
    renew_tree(&mut tx, course).await?;
    entry(Act::OverrideDeleted, viewer, course, user, page)
        .write(&mut tx, kurso.clock.now())
        .await?;
    tx.publish(Event::Groups { course });
    tx.commit().await?;
    Ok(Changed::Done(course))
}

fn entry(act: Act, viewer: &Viewer, course: CourseId, user: Option<UserId>, page: Option<PageId>) -> Entry {
    let entry = Entry::new(act).by(viewer.id()).to(user).in_course(course);
    match page {
        Some(page) => entry.about(page),
        None => entry,
    }
}
