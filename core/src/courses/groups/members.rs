//! Moves learners between groups.

use std::collections::{HashMap, HashSet};

use kurso_base::email::Email;
use kurso_base::error::{Error, FieldError, Result};
use kurso_base::ids::{CourseId, EnrollmentId, GroupId, UserId};
use kurso_base::messages::Message;
use kurso_base::values::{self, Change, PastedEmails, Several};
use kurso_db::events::Event;
use kurso_db::{Tx, sql};

use super::ExpectedGroups;
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::audit::{Act, Entry};
use crate::courses::{Scope, begin, find};

/// Moves learners to a group, or out of theirs.
#[derive(Clone, Debug)]
#[cfg_attr(any(test, feature = "testing"), derive(serde::Deserialize))]
pub struct MoveStudents {
    pub enrollment_ids: Several<EnrollmentId>,
    /// None: no group.
    pub group_id: Option<GroupId>,
    /// The group in which the client last saw all of these learners; `Clear` for none. If one of them is now in another group, other than the
    /// new one, nobody is moved.
    #[cfg_attr(any(test, feature = "testing"), serde(default))]
    pub expected_group_id: Change<GroupId>,
    /// The group in which the client last saw each of these learners, with the same effect. Entries of learners who are not named above do not
    /// matter.
    #[cfg_attr(any(test, feature = "testing"), serde(skip))]
    pub expected_groups: Option<ExpectedGroups>,
}

/// The outcome of moving learners.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MoveOutcome {
    Done(Moved<EnrollmentId>),
    /// Nobody was moved, because somebody else has moved these learners since; contains their groups.
    Stale(Vec<(EnrollmentId, Option<GroupId>)>),
}

impl MoveOutcome {
    /// Returns the result of a move without an expected group; a conflict is an error.
    pub fn done(self) -> Result<Moved<EnrollmentId>> {
        match self {
            MoveOutcome::Done(moved) => Ok(moved),
            MoveOutcome::Stale(_) => Err(Error::Conflict(Message::StudentsMovedMeanwhile)),
        }
    }
}

/// Moves the learners with these addresses to a group, or out of theirs.
#[derive(Clone, Debug)]
#[cfg_attr(any(test, feature = "testing"), derive(serde::Deserialize))]
pub struct MoveByEmail {
    pub emails: PastedEmails,
    /// None: no group.
    pub group_id: Option<GroupId>,
    /// Changes nothing and returns what would change.
    pub preview: bool,
}

/// Outcome for each learner named, in the order given, each once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Moved<T> {
    pub moved: Vec<T>,
    /// Already in the group.
    pub unchanged: Vec<T>,
    /// No learners of the course.
    pub not_found: Vec<T>,
}

/// A learner of the course.
#[derive(sqlx::FromRow)]
struct Row {
    id: EnrollmentId,
    user_id: UserId,
    group_id: Option<GroupId>,
    email_key: String,
}

macro_rules! select {
    ($column:literal) => {
        concat!(
            "SELECT e.id, e.user_id, e.group_id, u.email_key FROM enrollments e JOIN users u ON u.id = e.user_id
             WHERE e.course_id = $1 AND ",
            $column,
            " IN "
        )
    };
}

impl MoveStudents {
    /// The learners who are neither in the group that the client expects nor in the new one, with their groups.
    fn elsewhere(&self, stored: &HashMap<EnrollmentId, Row>) -> Vec<(EnrollmentId, Option<GroupId>)> {
        let listed = self.expected_groups.iter().flat_map(|expected| &expected.0);
        let left: HashSet<EnrollmentId> = listed
            .filter(|(id, group)| stored.get(id).is_some_and(|row| row.group_id != *group))
            .map(|(id, _)| *id)
            .collect();
        let has_left = |row: &&Row| {
            let expected = self.expected_group_id;
            !expected.is_keep() && row.group_id != expected.value() || left.contains(&row.id)
        };
        let found = self.enrollment_ids.0.iter().filter_map(|id| stored.get(id));
        let elsewhere = found.filter(has_left).filter(|row| row.group_id != self.group_id);
        let mut seen = HashSet::new();
        let once = elsewhere.filter(|row| seen.insert(row.id));
        once.map(|row| (row.id, row.group_id)).collect()
    }
}

/// Moves learners, all in one transaction; for the owner and teachers. Moves nobody if one of them is neither in the expected group nor in
/// the new one. Fails with 422 if the course has no such group.
pub async fn move_students(
    kurso: &Kurso,
    viewer: &Viewer,
    course: CourseId,
    command: MoveStudents,
) -> Result<MoveOutcome> {
    find(&kurso.db, viewer, course, Right::ManageStudents).await?;
    let mut tx = begin(&kurso.db, course, Scope::Unchanged).await?;
    require_group(&mut tx, course, command.group_id).await?;
    let rows = sql!(select!("e.id"), course)
        .push_in(command.enrollment_ids.0.iter().copied())
        .fetch_all::<Row>(&mut tx)
        .await?;
    let by_id: HashMap<EnrollmentId, Row> = rows.into_iter().map(|row| (row.id, row)).collect();
    let elsewhere = command.elsewhere(&by_id);
    if !elsewhere.is_empty() {
        // `rollback` waits for the batch, which may contain the competing move that the response shows.
        tx.rollback().await?;
        return Ok(MoveOutcome::Stale(elsewhere));
    }
    let named = command.enrollment_ids.0.into_iter().map(|id| (id, by_id.get(&id)));
    let (moved, rows) = sorted(named, command.group_id);
    write(kurso, viewer, tx, course, command.group_id, &rows).await?;
    Ok(MoveOutcome::Done(moved))
}

/// Moves the learners with these addresses, all in one transaction; for the owner and teachers. Entries that are no
/// addresses count as not found. Fails with 422 if the course has no such group, and for more than 1,000 addresses.
pub async fn move_by_email(
    kurso: &Kurso,
    viewer: &Viewer,
    course: CourseId,
    command: MoveByEmail,
) -> Result<Moved<String>> {
    find(&kurso.db, viewer, course, Right::ManageStudents).await?;
    let entries = command.emails.entries();
    values::check_size(entries.len()).map_err(|problem| {
        let loc = vec!["body".into(), "emails".into()];
        Error::invalid(problem.at(loc, command.emails.as_str().into()))
    })?;
    let named: Vec<(String, String)> = entries
        .into_iter()
        .map(|entry| {
            (
                Email::parse(&entry).map_or_else(|_| entry.to_lowercase(), |email| email.key().to_owned()),
                entry,
            )
        })
        .collect();
    let mut tx = begin(&kurso.db, course, Scope::Unchanged).await?;
    require_group(&mut tx, course, command.group_id).await?;
    let rows = sql!(select!("u.email_key"), course)
        .push_in(named.iter().map(|(key, _)| key.as_str()))
        .fetch_all::<Row>(&mut tx)
        .await?;
    let by_key: HashMap<&str, &Row> = rows.iter().map(|row| (row.email_key.as_str(), row)).collect();
    let mut seen = HashSet::new();
    let once = named.iter().filter(|(key, _)| seen.insert(key.as_str()));
    let found = once.map(|(key, entry)| (entry.clone(), by_key.get(key.as_str()).copied()));
    let (moved, rows) = sorted(found, command.group_id);
    if !command.preview {
        write(kurso, viewer, tx, course, command.group_id, &rows).await?;
    }
    Ok(moved)
}

/// Sorts those named into moved, unchanged and not found, each once. Also returns the learners to move.
fn sorted<'a, T: Clone + Eq + std::hash::Hash>(
    named: impl Iterator<Item = (T, Option<&'a Row>)>,
    group: Option<GroupId>,
) -> (Moved<T>, Vec<&'a Row>) {
    let (mut result, mut rows, mut seen) = (
        Moved {
            moved: vec![],
            unchanged: vec![],
            not_found: vec![],
        },
        vec![],
        HashSet::new(),
    );
    for (name, row) in named.filter(|(name, _)| seen.insert(name.clone())) {
        match row {
            None => result.not_found.push(name),
            Some(row) if row.group_id == group => result.unchanged.push(name),
            Some(row) => {
                rows.push(row);
                result.moved.push(name);
            }
        }
    }
    (result, rows)
}

/// Fails with 422 if the course has no such group. The caller has locked the course.
pub(crate) async fn require_group(tx: &mut Tx, course: CourseId, group: Option<GroupId>) -> Result<()> {
    let Some(group) = group else { return Ok(()) };
    let found = sql!("SELECT id FROM groups WHERE id = $1 AND course_id = $2", group, course);
    match found.fetch_optional::<(GroupId,)>(tx).await? {
        Some(_) => Ok(()),
        None => {
            let input = group.to_string().into();
            let error = FieldError::body("value_error", "group_id", Message::UnknownGroup, input);
            Err(Error::invalid(error))
        }
    }
}

async fn write(
    kurso: &Kurso,
    viewer: &Viewer,
    mut tx: Tx,
    course: CourseId,
    group: Option<GroupId>,
    rows: &[&Row],
) -> Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    sql!("UPDATE enrollments SET group_id = $1 WHERE id IN ", group)
        .push_in(rows.iter().map(|row| row.id))
        .execute(&mut tx)
        .await?;
    let entry = Entry::new(Act::StudentsMoved).by(viewer.id()).in_course(course);
    let entry = match rows {
        [one] => entry.to(one.user_id),
        _ => entry.detail(rows.len()),
    };
    entry.write(&mut tx, kurso.clock.now()).await?;
    tx.publish(Event::Groups { course });
    tx.commit().await?;
    Ok(())
}
