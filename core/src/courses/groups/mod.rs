//! Groups of a course's learners: the list, and its changes. A learner is in at most one group
//! ([decision 80](../../../../docs/decisions/0080-groups.md)).

mod code;
mod expected;
mod members;

use kurso_base::error::{Error, Result};
use kurso_base::ids::{CourseId, GroupId};
use kurso_base::messages::Message;
use kurso_base::values::{Position, Title};
use kurso_db::events::Event;
use kurso_db::{Executor, Sql, Tx, sql};

pub use code::{generate_code, remove_code};
pub use expected::ExpectedGroups;
pub(crate) use members::require_group;
pub use members::{MoveByEmail, MoveOutcome, MoveStudents, Moved, move_by_email, move_students};

use super::order::{self, Siblings};
use super::{Course, Scope, begin, find, sharing};
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::audit::{Act, Entry};

/// The most groups of a course.
pub const MAX_GROUPS: i64 = 200;

/// A group as staff see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    pub id: GroupId,
    pub course_id: CourseId,
    pub title: String,
    pub position: i64,
    /// `XXXX-XXXX`; None without the right to see it.
    pub share_code: Option<String>,
    /// The number of its learners.
    pub students: i64,
}

/// The group of a learner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupName {
    pub id: GroupId,
    pub title: String,
}

impl GroupName {
    /// From the columns of a LEFT JOIN.
    pub(crate) fn of(id: Option<GroupId>, title: Option<String>) -> Option<Self> {
        Some(GroupName { id: id?, title: title? })
    }
}

/// A group of the course; fails with 404 if the course does not have it.
pub async fn name_of(on: impl Executor, course: CourseId, group: GroupId) -> Result<GroupName> {
    let found = sql!(
        "SELECT title FROM groups WHERE id = $1 AND course_id = $2",
        group,
        course
    );
    let (title,) = found
        .fetch_optional::<(String,)>(on)
        .await?
        .ok_or(Error::NotFound(Message::GroupNotFound))?;
    Ok(GroupName { id: group, title })
}

/// Selects learners by their group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GroupFilter {
    #[default]
    All,
    /// Learners without a group.
    Without,
    /// The learners of this group; nobody if the course has no such group.
    In(GroupId),
}

impl GroupFilter {
    /// The name of [`GroupFilter::Without`].
    pub const WITHOUT: &'static str = "none";

    pub fn admits(self, group: Option<GroupId>) -> bool {
        match self {
            GroupFilter::All => true,
            GroupFilter::Without => group.is_none(),
            GroupFilter::In(wanted) => group == Some(wanted),
        }
    }

    /// Appends the condition on the enrollments `e` to a statement that has conditions already.
    pub(crate) fn on(self, sql: Sql<'_>) -> Sql<'_> {
        match self {
            GroupFilter::All => sql,
            GroupFilter::Without => sql.push(" AND e.group_id IS NULL"),
            GroupFilter::In(group) => sql.push(" AND e.group_id = ").push_bind(group),
        }
    }
}

/// The name as [`std::str::FromStr`] reads it; empty for [`GroupFilter::All`].
impl std::fmt::Display for GroupFilter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            GroupFilter::All => Ok(()),
            GroupFilter::Without => f.write_str(Self::WITHOUT),
            GroupFilter::In(group) => group.fmt(f),
        }
    }
}

/// Reads the id of a group or `none`.
impl kurso_base::values::Checked for GroupFilter {
    type Plain = String;

    fn check(plain: String) -> Result<Self, kurso_base::values::Problem> {
        match plain.as_str() {
            Self::WITHOUT => Ok(GroupFilter::Without),
            _ => GroupId::check(plain).map(GroupFilter::In),
        }
    }

    fn wrong_type() -> kurso_base::values::Problem {
        GroupId::wrong_type()
    }
}

/// A new group. Without a position it is appended to its course.
#[derive(Clone, Debug)]
#[cfg_attr(any(test, feature = "testing"), derive(serde::Deserialize))]
pub struct CreateGroup {
    pub title: Title,
    pub position: Option<Position>,
}

/// A change of a group. Fields that are None stay as they are. `position` moves it among its siblings.
#[derive(Clone, Debug, Default)]
#[cfg_attr(any(test, feature = "testing"), derive(serde::Deserialize), serde(default))]
pub struct UpdateGroup {
    pub title: Option<Title>,
    pub position: Option<Position>,
}

#[derive(sqlx::FromRow)]
struct Row {
    id: GroupId,
    course_id: CourseId,
    title: String,
    position: i64,
    share_code: Option<String>,
    students: i64,
}

impl Row {
    fn seen_in(self, course: &Course) -> Group {
        let may = course.role.may(Right::SeeGroupCodes);
        Group {
            id: self.id,
            course_id: self.course_id,
            title: self.title,
            position: self.position,
            share_code: self.share_code.filter(|_| may).map(|code| sharing::shown(&code)),
            students: self.students,
        }
    }
}

macro_rules! select {
    () => {
        "SELECT g.id, g.course_id, g.title, g.position, g.share_code,
           (SELECT COUNT(*) FROM enrollments e WHERE e.group_id = g.id) AS students
         FROM groups g WHERE "
    };
}

/// The groups of a course in order, for its staff; 403 for learners. Two statements.
pub async fn list(kurso: &Kurso, viewer: &Viewer, course: CourseId) -> Result<Vec<Group>> {
    let course = find(&kurso.db, viewer, course, Right::SeeStudents).await?;
    let groups = of_all(&kurso.db, std::slice::from_ref(&course)).await?;
    Ok(groups.into_iter().next().unwrap_or_default())
}

/// The groups of the courses in the order given; none for learners. One statement.
pub async fn of_all(on: impl Executor, courses: &[Course]) -> Result<Vec<Vec<Group>>> {
    let seen = courses.iter().filter(|course| course.role.may(Right::SeeStudents));
    let rows = sql!(concat!(select!(), "g.course_id IN "))
        .push_in(seen.map(|course| course.id))
        .push(" ORDER BY g.position, g.id")
        .fetch_all::<Row>(on)
        .await?;
    let mut groups: Vec<Vec<Group>> = courses.iter().map(|_| vec![]).collect();
    for row in rows {
        let at = courses.iter().position(|course| course.id == row.course_id);
        if let Some((course, groups)) = at.and_then(|at| courses.get(at).zip(groups.get_mut(at))) {
            groups.push(row.seen_in(course));
        }
    }
    Ok(groups)
}

/// Reads a group of the course; None if it is gone.
async fn read(on: impl Executor, course: &Course, id: GroupId) -> Result<Option<Group>> {
    let row = sql!(concat!(select!(), "g.id = $1 AND g.course_id = $2"), id, course.id);
    Ok(row.fetch_optional::<Row>(on).await?.map(|row| row.seen_in(course)))
}

/// Creates an empty group; for the owner and teachers. Fails with 409 if the course has [`MAX_GROUPS`].
pub async fn create(kurso: &Kurso, viewer: &Viewer, course: CourseId, new: CreateGroup) -> Result<Group> {
    let course = find(&kurso.db, viewer, course, Right::ManageStudents).await?;
    let (id, now) = (GroupId::new(), kurso.clock.now());
    let mut tx = begin(&kurso.db, course.id, Scope::Unchanged).await?;
    let count = sql!("SELECT COUNT(*) FROM groups WHERE course_id = $1", course.id);
    if count.fetch_one::<(i64,)>(&mut tx).await?.0 >= MAX_GROUPS {
        return Err(Error::Conflict(Message::TooManyGroups(MAX_GROUPS)));
    }
    let siblings = Siblings::Groups(course.id);
    let position = order::make_room(&mut tx, course.id, siblings, new.position.map(Position::get)).await?;
    sql!(
        "INSERT INTO groups (id, course_id, title, position, created_at) VALUES ($1, $2, $3, $4, $5)",
        id,
        course.id,
        new.title.as_str(),
        position,
        now
    )
    .execute(&mut tx)
    .await?;
    commit(tx, &course, id).await
}

/// Renames or moves a group; for the owner and teachers.
pub async fn update(kurso: &Kurso, viewer: &Viewer, id: GroupId, update: UpdateGroup) -> Result<Group> {
    let course = find(&kurso.db, viewer, id, Right::ManageStudents).await?;
    let mut tx = begin(&kurso.db, course.id, Scope::Unchanged).await?;
    let (at,) = sql!("SELECT position FROM groups WHERE id = $1", id)
        .fetch_optional::<(i64,)>(&mut tx)
        .await?
        .ok_or(Error::NotFound(Message::GroupNotFound))?;
    let siblings = Siblings::Groups(course.id);
    let wanted = update.position.map(Position::get);
    let position = order::move_child(&mut tx, course.id, (siblings, at), siblings, wanted)
        .await?
        .ok_or(Error::NotFound(Message::CourseNotFound))?;
    sql!(
        "UPDATE groups SET title = COALESCE($2, title), position = $3 WHERE id = $1",
        id,
        update.title.map(String::from),
        position
    )
    .execute(&mut tx)
    .await?;
    commit(tx, &course, id).await
}

/// Reads the changed group and commits.
async fn commit(mut tx: Tx, course: &Course, id: GroupId) -> Result<Group> {
    let group = read(&mut tx, course, id).await?;
    let group = group.ok_or(Error::NotFound(Message::GroupNotFound))?;
    tx.publish(Event::Groups { course: course.id });
    tx.commit().await?;
    Ok(group)
}

/// Deletes a group; for the owner and teachers. Its learners stay in the course, without a group. Returns the course.
pub async fn delete(kurso: &Kurso, viewer: &Viewer, id: GroupId) -> Result<CourseId> {
    let course = find(&kurso.db, viewer, id, Right::ManageStudents).await?.id;
    let mut tx = begin(&kurso.db, course, Scope::Unchanged).await?;
    let students = sql!("SELECT COUNT(*) FROM enrollments WHERE group_id = $1", id);
    let (students,) = students.fetch_one::<(i64,)>(&mut tx).await?;
    let (position,) = sql!("DELETE FROM groups WHERE id = $1 RETURNING position", id)
        .fetch_optional::<(i64,)>(&mut tx)
        .await?
        .ok_or(Error::NotFound(Message::GroupNotFound))?;
    order::close_gap(&mut tx, Siblings::Groups(course), position).await?;
    let entry = Entry::new(Act::GroupDeleted).by(viewer.id()).in_course(course);
    entry.detail(students).write(&mut tx, kurso.clock.now()).await?;
    tx.publish(Event::Groups { course });
    tx.commit().await?;
    Ok(course)
}
