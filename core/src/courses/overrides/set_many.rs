//! Sets and removes the overrides of several parts for one group or learner in one transaction: all of them or none.

use std::collections::HashSet;

use serde_json::Value;

use kurso_base::error::{Error, FieldError, Loc, Result};
use kurso_base::ids::{CourseId, EnrollmentId, GroupId};
use kurso_base::messages::Message;
use kurso_base::schedule::TimeZone;
use kurso_base::values::Change;
use kurso_db::events::Event;
use kurso_db::{Tx, sql};

use super::base::base;
use super::entries::OverrideEntries;
use super::expected::is_expected;
use super::set::{Applied, SetOverride, apply, require_one_target, target};
use super::store::{For, stored_at};
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
/// part that is named twice.
pub async fn set_many(kurso: &Kurso, viewer: &Viewer, course: CourseId, command: SetOverrides) -> Result<ChangedAll> {
    let course = find(&kurso.db, viewer, course, Right::ManageStudents).await?;
    require_one_target(command.group_id, command.enrollment_id)?;
    let now = kurso.clock.now();
    let mut tx = begin(&kurso.db, course.id, Scope::Unchanged).await?;
    let target = target(&mut tx, course.id, command.group_id, command.enrollment_id).await?;
    let zone = dated_rows::course(&mut tx, course.id).await?.zone();
    let (mut seen, mut stale, mut done) = (HashSet::new(), vec![], vec![]);
    let mut is_zone_other = false;
    for (index, one) in command.overrides.0.into_iter().enumerate() {
        let one = SetOverride {
            expected_time_zone: command.expected_time_zone,
            ..one
        };
        let at_entry = |error| within(error, index);
        let part = one.part().map_err(at_entry)?;
        if !seen.insert(part) {
            return Err(within(twice(), index));
        }
        let applied = if one.is_empty() {
            remove(&mut tx, &course, &target, &one).await
        } else {
            apply(&mut tx, &course, &target, &one, zone, now)
                .await
                .map(Outcome::Applied)
        };
        let act = match applied.map_err(at_entry)? {
            Outcome::Applied(Applied::Set(id)) => {
                done.push(Some(id));
                Act::OverrideSet
            }
            Outcome::Removed => {
                done.push(None);
                Act::OverrideDeleted
            }
            Outcome::Nothing => {
                done.push(None);
                continue;
            }
            Outcome::Applied(Applied::Stale(id)) => {
                stale.push((part, id));
                continue;
            }
            Outcome::Applied(Applied::OtherZone(_)) => {
                is_zone_other = true;
                continue;
            }
        };
        entry(act, viewer, course.id, target.user(), one.page_id)
            .write(&mut tx, now)
            .await?;
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
    renew_tree(&mut tx, course.id).await?;
    let mut stored = Vec::with_capacity(done.len());
    for id in done {
        stored.push(read_any(&mut tx, id).await?);
    }
    tx.publish(Event::Groups { course: course.id });
    tx.commit().await?;
    Ok(ChangedAll::Done(stored))
}

enum Outcome {
    Applied(Applied),
    Removed,
    /// There was no override to remove.
    Nothing,
}

/// Removes the override of the command's part, if there is one.
async fn remove(tx: &mut Tx, course: &Course, target: &For, command: &SetOverride) -> Result<Outcome> {
    let part = command.part()?;
    base(tx, course, part).await?;
    let (id, own) = stored_at(tx, target.id(), part, course.id).await?.unzip();
    if !is_expected(command.expected, own) {
        return Ok(Outcome::Applied(Applied::Stale(id)));
    }
    let Some(id) = id else { return Ok(Outcome::Nothing) };
    sql!("DELETE FROM schedule_overrides WHERE id = $1", id)
        .execute(tx)
        .await?;
    Ok(Outcome::Removed)
}

fn twice() -> Error {
    Error::invalid(FieldError {
        kind: "value_error",
        loc: vec!["body".into()],
        message: Message::DatesOfWhat,
        input: Value::Null,
        ctx: None,
    })
}

/// Adds the index of an entry to the locations of its errors.
fn within(error: Error, index: usize) -> Error {
    let Error::Invalid(errors) = error else { return error };
    let at = |error: FieldError| {
        let steps = error.loc.into_iter().skip(1);
        let loc = [Loc::from("body"), Loc::from("overrides"), Loc::Index(index)].into_iter();
        FieldError {
            loc: loc.chain(steps).collect(),
            ..error
        }
    };
    Error::Invalid(errors.into_iter().map(at).collect())
}
