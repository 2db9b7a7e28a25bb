//! What differs from the schedule of a course for one group or one learner
//! ([decision 83](../../../docs/decisions/0083-overrides-are-merged-before-dates-are-resolved.md)). Pure: merges overrides with
//! dates, and [`super::resolve`] compares the result with the clock.

use chrono::{DateTime, Utc};

use kurso_base::schedule::{CourseDates, Dates, Late};
use kurso_base::values::Change;

#[cfg(test)]
mod tests;

/// An override of one part of a course. `Keep` inherits, `Clear` lifts the limit, `Set` replaces it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Override {
    /// Of the course itself: its start.
    pub available_from: Change<DateTime<Utc>>,
    /// Of the course itself: its end.
    pub available_until: Change<DateTime<Utc>>,
    /// A lifted due date also lifts those of the parts above it.
    pub due_at: Change<DateTime<Utc>>,
    /// Lifted, late attempts have no end.
    pub late_until: Change<DateTime<Utc>>,
    /// Attempts beyond the limit of a quiz; lifted, there is no limit.
    pub extra_attempts: Change<i64>,
    /// The factor of the time for a timed quiz; lifted, its time is not limited.
    pub time_factor: Change<f64>,
}

impl Override {
    /// This override with what it inherits from another one of the same part, as that of a learner over that of their group.
    #[must_use]
    pub fn over(self, lower: Self) -> Self {
        fn first<T>(own: Change<T>, lower: Change<T>) -> Change<T> {
            if own.is_keep() { lower } else { own }
        }
        Override {
            available_from: first(self.available_from, lower.available_from),
            available_until: first(self.available_until, lower.available_until),
            due_at: first(self.due_at, lower.due_at),
            late_until: first(self.late_until, lower.late_until),
            extra_attempts: first(self.extra_attempts, lower.extra_attempts),
            time_factor: first(self.time_factor, lower.time_factor),
        }
    }

    pub fn is_empty(&self) -> bool {
        *self == Override::default()
    }

    /// The dates of the course itself. Its other fields stay.
    pub fn course(&self, base: &CourseDates) -> CourseDates {
        CourseDates {
            starts_at: changed(self.available_from, base.starts_at),
            ends_at: changed(self.available_until, base.ends_at),
            ..base.clone()
        }
    }

    /// The own dates of a part.
    pub fn dates(&self, base: Dates) -> Dates {
        Dates {
            available_from: changed(self.available_from, base.available_from),
            available_until: changed(self.available_until, base.available_until),
            due_at: changed(self.due_at, base.due_at),
        }
    }

    /// The late policy of a page.
    pub fn late(&self, base: Late) -> Late {
        let late_penalty_per_day = match self.late_until {
            // Without an end, only a penalty says that late attempts are accepted.
            Change::Clear => base.late_penalty_per_day.or(Some(0)),
            Change::Keep | Change::Set(_) => base.late_penalty_per_day,
        };
        Late {
            late_until: changed(self.late_until, base.late_until),
            late_penalty_per_day,
            late_penalty_max: base.late_penalty_max,
        }
    }

    /// The dates that are out of order, once this override applies to the dates of a part and, for a quiz, to its late policy.
    pub fn misplaced(&self, dates: Dates, late: Option<Late>) -> Vec<&'static str> {
        let dates = self.dates(dates);
        let mut fields = dates.misplaced();
        fields.extend(late.iter().flat_map(|late| self.late(*late).misplaced(&dates)));
        fields
    }

    /// The attempt limit of a quiz; None without a limit.
    pub fn attempts(&self, base: Option<i64>) -> Option<i64> {
        match self.extra_attempts {
            Change::Keep => base,
            Change::Clear => None,
            Change::Set(extra) => base.map(|limit| limit.saturating_add(extra)),
        }
    }
}

fn changed<T>(change: Change<T>, base: Option<T>) -> Option<T> {
    match change {
        Change::Keep => base,
        change => change.value(),
    }
}

/// The dates of a part and of the parts above it, outermost first, with their overrides: the chain that [`super::resolve`] takes.
pub fn merged<const N: usize>(parts: [(Dates, Override); N]) -> [Dates; N] {
    let mut chain = parts.map(|(dates, over)| over.dates(dates));
    lift(&mut chain, &parts);
    chain
}

/// As [`merged`], for a chain of any length.
pub fn merged_all(parts: &[(Dates, Override)]) -> Vec<Dates> {
    let mut chain: Vec<Dates> = parts.iter().map(|(dates, over)| over.dates(*dates)).collect();
    lift(&mut chain, parts);
    chain
}

/// Removes the due dates of the parts above a part with a lifted due date.
fn lift(chain: &mut [Dates], parts: &[(Dates, Override)]) {
    let lifted = parts.iter().rposition(|(_, over)| over.due_at == Change::Clear);
    for above in chain.iter_mut().take(lifted.unwrap_or(0)) {
        above.due_at = None;
    }
}
