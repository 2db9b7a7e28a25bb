//! Bulk changes of the dates of existing overrides.

use std::collections::HashMap;

use chrono::{DateTime, Utc};

use kurso_base::dates_entries::DatesEntry;
use kurso_base::error::{Result, require_no_errors};
use kurso_base::expected_dates::require_unchanged;
use kurso_base::ids::{CourseId, GroupId, OverrideId};
use kurso_base::messages::Message;
use kurso_base::schedule::shift::Shift;
use kurso_base::schedule::{Dates, Late, TimeZone};
use kurso_base::values::Change;
use kurso_db::{Tx, sql};

use super::rows::Row;
use super::{Part, columns};
use crate::courses::dates::{out_of_range, require_none, require_zone, wrong};
use crate::schedule::overrides::Override;

#[derive(sqlx::FromRow)]
struct IdentifiedRow {
    id: OverrideId,
    /// The group of the learner of the override.
    learners_group: Option<GroupId>,
    #[sqlx(flatten)]
    row: Row,
}

/// A stored override with its part.
#[derive(Clone, Copy, Debug)]
pub(in crate::courses) struct Dated {
    pub id: OverrideId,
    pub part: Part,
    pub values: Override,
    /// The override of the learner's group for the same part.
    pub inherits: Option<OverrideId>,
}

/// The dates of a part and the limits of the group's override of it, before and after the bulk change.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::courses) struct Base {
    pub before: (Dates, Late),
    pub after: (Dates, Late),
    pub inherited_before: Override,
    pub inherited_after: Override,
}

/// All overrides of a course.
pub(in crate::courses) async fn dated(tx: &mut Tx, course: CourseId) -> Result<Vec<Dated>> {
    let rows = sql!(
        concat!(
            "SELECT o.id, e.group_id AS learners_group, ",
            columns!(),
            " FROM schedule_overrides o LEFT JOIN enrollments e ON e.course_id = o.course_id AND e.user_id = o.user_id
             WHERE o.course_id = $1"
        ),
        course
    );
    let rows = rows.fetch_all::<IdentifiedRow>(tx).await?;
    let of_groups = rows
        .iter()
        .filter_map(|row| Some(((row.row.group()?, row.row.part()), row.id)));
    let of_groups: HashMap<(GroupId, Part), OverrideId> = of_groups.collect();
    let dated = rows.iter().map(
        |IdentifiedRow {
             id,
             learners_group,
             row,
         }| Dated {
            id: *id,
            part: row.part(),
            values: row.values(),
            inherits: learners_group.and_then(|group| of_groups.get(&(group, row.part())).copied()),
        },
    );
    Ok(dated.collect())
}

impl Dated {
    /// The override with its new dates. Fails with 409 if the stored dates are not the expected ones. Fails with 422 for a date that the
    /// override does not have, for a date outside of the years of dates, and for dates that this change puts out of order. The order is checked
    /// among the dates of the override, the group's override of the same part, and the part. Dates that were already out of order are accepted,
    /// because moving them together cannot correct them.
    pub fn changed(self, entry: &DatesEntry, shift: Option<Shift>, base: &Base, zone: TimeZone) -> Result<Override> {
        let stored = self.values;
        let expected = &entry.expected;
        require_zone(expected, zone)?;
        require_unchanged([
            (expected.available_from, stored.available_from.value()),
            (expected.available_until, stored.available_until.value()),
            (expected.due_at, stored.due_at.value()),
            (expected.late_until, stored.late_until.value()),
        ])?;
        let own = [
            ("available_from", stored.available_from),
            ("available_until", stored.available_until),
            ("due_at", stored.due_at),
            ("late_until", stored.late_until),
        ];
        let missing = entry.dates().into_iter().filter(|(name, change)| {
            let has = own.iter().any(|(own, date)| own == name && date.value().is_some());
            !(change.is_keep() || has && matches!(change, Change::Set(_)))
        });
        require_no_errors(missing.map(|(name, _)| wrong(name, Message::DateNotHere)).collect())?;
        let mut values = Override {
            available_from: set(
                stored.available_from,
                entry.available_from.value().map(|at| at.opening(zone)),
            ),
            available_until: set(
                stored.available_until,
                entry.available_until.value().map(|at| at.closing(zone)),
            ),
            due_at: set(stored.due_at, entry.due_at.value().map(|at| at.closing(zone))),
            late_until: set(stored.late_until, entry.late_until.value().map(|at| at.closing(zone))),
            ..stored
        };
        if let Some(shift) = shift {
            values = moved(values, shift).ok_or_else(out_of_range)?;
        }
        let misplaced = |values: Override, (dates, late): (Dates, Late)| values.misplaced(dates, Some(late));
        let before = misplaced(stored.over(base.inherited_before), base.before);
        let mut broken = misplaced(values.over(base.inherited_after), base.after);
        broken.retain(|field| !before.contains(field));
        require_none(broken)?;
        Ok(values)
    }
}

/// The date of an override, replaced by the new one, if there is one.
fn set(own: Change<DateTime<Utc>>, at: Option<DateTime<Utc>>) -> Change<DateTime<Utc>> {
    at.map_or(own, Change::Set)
}

/// The override with all its dates moved; None if one would be outside of the years of dates.
fn moved(values: Override, shift: Shift) -> Option<Override> {
    let dates = shift.part(&values.dates(Dates::default()))?;
    let late = shift.late(&values.late(Late::default()), &dates)?;
    Some(Override {
        available_from: set(values.available_from, dates.available_from),
        available_until: set(values.available_until, dates.available_until),
        due_at: set(values.due_at, dates.due_at),
        late_until: set(values.late_until, late.late_until),
        ..values
    })
}
