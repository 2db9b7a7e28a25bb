//! Sort orders of the class list.

use super::Key;
use kurso_base::search::fold;
use kurso_base::sort;

/// The sort key.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SortKey {
    /// The name, or else the mail address; ignores case, and ё equals е.
    #[default]
    FullName,
    Email,
    EnrolledAt,
    LastActivityAt,
    /// By pages done, which is more precise than whole percentages.
    Percent,
    /// Students who have not completed the course come last in both directions.
    CompletedAt,
}

impl sort::SortKey for SortKey {
    const NAMES: &'static [(&'static str, Self)] = &[
        ("full_name", SortKey::FullName),
        ("email", SortKey::Email),
        ("enrolled_at", SortKey::EnrolledAt),
        ("last_activity_at", SortKey::LastActivityAt),
        ("percent", SortKey::Percent),
        ("completed_at", SortKey::CompletedAt),
    ];
}

/// A sort key and a direction. Ties are sorted by enrollment id, ascending, that is by time of enrollment.
pub type Order = sort::Order<SortKey>;

/// Sorts the rows of a class.
pub(super) fn sort<T: AsRef<Key>>(rows: &mut [&T], order: Order, pages_done: impl Fn(&Key) -> usize) {
    match order.by {
        SortKey::FullName => by(rows, order, |row| fold(row.shown_name())),
        SortKey::Email => by(rows, order, |row| fold(&row.email)),
        SortKey::EnrolledAt => by(rows, order, |row| row.enrolled_at),
        SortKey::LastActivityAt => by(rows, order, |row| row.last_activity_at),
        SortKey::Percent => by(rows, order, pages_done),
        SortKey::CompletedAt => {
            by(rows, order, |row| row.completed_at);
            rows.sort_by_key(|row| (*row).as_ref().completed_at.is_none());
        }
    }
}

fn by<T: AsRef<Key>, V: Ord>(rows: &mut [&T], order: Order, key: impl Fn(&Key) -> V) {
    order.sort(rows, |row| key((*row).as_ref()), |row| (*row).as_ref().enrollment_id);
}
