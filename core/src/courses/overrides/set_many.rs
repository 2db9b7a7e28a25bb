//! Sets and removes the overrides of several parts for one group or learner in one transaction: all of them or none.

use std::collections::HashSet;

use serde_json::Value;

use kurso_base::error::{Error, FieldError, Loc, Result, require_no_errors};
use kurso_base::ids::{CourseId, EnrollmentId, GroupId};
use kurso_base::messages::Message;
use kurso_base::schedule::TimeZone;
use kurso_base::values::Change;
use kurso_db::events::Event;
use kurso_db::{Tx, sql};

use super::base::base;
use super::entries::OverrideEntries;
use super::expected::is_expected;
use super::set::{Plan, SetOverride, plan, require_one_target, target};
use super::store::{For, store, stored_at};
use super::{Part, StoredOverride, entry, read_any};
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::audit::Act;
use crate::courses::{Course, Scope, begin, dated_rows, find, renew_tree};

/// The overrides of several parts for one group or one learner: exactly one of `group_id` and `enrollment_id`.
#[derive(Clone, Debug)]
pub struct SetOverrides {
    pub group_id: Option<GroupId>,
    pub enrollment_id: Option<EnrollmentId>,
    /// Each replaces the override of its part; one without limits removes it.
    pub overrides: OverrideEntries,
    /// As in [`SetOverride`].
    pub expected_time_zone: Change<TimeZone>,
}

/// The outcome of a change of several overrides.
#[derive(Clone, Debug)]
pub enum ChangedAll {
    /// The overrides after the change, in the order of the entries; None for a part without an override.
    Done(Vec<Option<StoredOverride>>),
    /// Somebody else has changed the overrides of these parts: nothing was changed. Contains what is stored; None for a part without an
    /// override.
    Stale(Vec<(Part, Option<StoredOverride>)>),
    /// As [`super::Changed::OtherZone`].
    OtherZone,
}

/// Sets overrides; for the owner and teachers. Fails as [`super::set`] does, with the entry in the location of the error, and with 422 for a
/// part that is named twice. A conflict of any entry takes precedence over errors, which may have the same cause.
pub async fn set_many(kurso: &Kurso, viewer: &Viewer, course: CourseId, command: SetOverrides) -> Result<ChangedAll> {
    let course = find(&kurso.db, viewer, course, Right::ManageStudents).await?;
    require_one_target(command.group_id, command.enrollment_id)?;
    let (entries, parts) = command.entries()?;
    let now = kurso.clock.now();
    let mut tx = begin(&kurso.db, course.id, Scope::Unchanged).await?;
    let target = target(&mut tx, course.id, command.group_id, command.enrollment_id).await?;
    let zone = dated_rows::course(&mut tx, course.id).await?.zone();
    let (mut changes, mut stale, mut errors) = (vec![], vec![], vec![]);
    let mut is_zone_other = false;
    for (index, (one, part)) in entries.iter().zip(parts).enumerate() {
        let planned = if one.is_empty() {
            plan_removal(&mut tx, &course, &target, one).await
        } else {
            plan(&mut tx, &course, &target, one, zone).await.map(Step::Set)
        };
        match planned {
            Ok(Step::Set(Plan::Set(values))) => changes.push((part, Some(values))),
            Ok(Step::Remove) => changes.push((part, None)),
            Ok(Step::Set(Plan::Stale(id))) => stale.push((part, id)),
            Ok(Step::Set(Plan::OtherZone(_))) => is_zone_other = true,
            Err(Error::Invalid(wrong)) => errors.extend(wrong.into_iter().map(|error| within(error, index))),
            Err(other) => return Err(other),
        }
    }
    if !stale.is_empty() || is_zone_other {
        let mut stored = Vec::with_capacity(stale.len());
        for (part, id) in stale {
            stored.push((part, read_any(&mut tx, id).await?));
        }
        // `rollback` waits for the batch, which may contain the competing change that the response shows.
        tx.rollback().await?;
        return Ok(if stored.is_empty() {
            ChangedAll::OtherZone
        } else {
            ChangedAll::Stale(stored)
        });
    }
    require_no_errors(errors)?;
    let mut done = Vec::with_capacity(changes.len());
    for (part, values) in changes {
        let (id, act) = match values {
            Some(values) => {
                let id = store(&mut tx, course.id, &target, part, values, now).await?;
                (Some(id), Some(Act::OverrideSet))
            }
            None => (
                None,
                remove(&mut tx, course.id, &target, part)
                    .await?
                    .then_some(Act::OverrideDeleted),
            ),
        };
        done.push(id);
        if let Some(act) = act {
            let page = match part {
                Part::Page(page) => Some(page),
                Part::Course | Part::Module(_) | Part::Lesson(_) => None,
            };
            entry(act, viewer, course.id, target.user(), page)
                .write(&mut tx, now)
                .await?;
        }
    }
    renew_tree(&mut tx, course.id).await?;
    let mut stored = Vec::with_capacity(done.len());
    for id in done {
        stored.push(read_any(&mut tx, id).await?);
    }
    tx.publish(Event::Groups { course: course.id });
    tx.commit().await?;
    Ok(ChangedAll::Done(stored))
}

impl SetOverrides {
    /// The entries with their parts. Fails with 422 for a part that is named twice.
    fn entries(&self) -> Result<(Vec<SetOverride>, Vec<Part>)> {
        let (mut seen, mut entries, mut parts) = (HashSet::new(), vec![], vec![]);
        for (index, one) in self.overrides.0.iter().enumerate() {
            let part = one.part()?;
            if !seen.insert(part) {
                return Err(Error::invalid(within(twice(), index)));
            }
            parts.push(part);
            entries.push(SetOverride {
                expected_time_zone: self.expected_time_zone,
                ..one.clone()
            });
        }
        Ok((entries, parts))
    }
}

enum Step {
    Set(Plan),
    Remove,
}

/// Reads whether the override of the command's part, if there is one, is the expected one.
async fn plan_removal(tx: &mut Tx, course: &Course, target: &For, command: &SetOverride) -> Result<Step> {
    let part = command.part()?;
    base(tx, course, part).await?;
    let (id, own) = stored_at(tx, target.id(), part, course.id).await?.unzip();
    if is_expected(command.expected, own) {
        Ok(Step::Remove)
    } else {
        Ok(Step::Set(Plan::Stale(id)))
    }
}

/// Removes the override of a part. Returns whether there was one.
async fn remove(tx: &mut Tx, course: CourseId, target: &For, part: Part) -> Result<bool> {
    let Some((id, _)) = stored_at(tx, target.id(), part, course).await? else {
        return Ok(false);
    };
    sql!("DELETE FROM schedule_overrides WHERE id = $1", id)
        .execute(tx)
        .await?;
    Ok(true)
}

fn twice() -> FieldError {
    FieldError {
        kind: "value_error",
        loc: vec!["body".into()],
        message: Message::DatesOfWhat,
        input: Value::Null,
        ctx: None,
    }
}

/// Adds the index of an entry to the location of its error.
fn within(error: FieldError, index: usize) -> FieldError {
    let steps = error.loc.into_iter().skip(1);
    let loc = [Loc::from("body"), Loc::from("overrides"), Loc::Index(index)].into_iter();
    FieldError {
        loc: loc.chain(steps).collect(),
        ..error
    }
}
