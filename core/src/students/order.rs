//! Sort orders of the class list.

use std::cmp::Reverse;

use super::Key;
use kurso_base::search::fold;

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

/// A sort key and a direction. Ties are sorted by enrollment id, ascending, that is by time of enrollment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Order {
    pub by: SortKey,
    pub descending: bool,
}

const NAMES: [(&str, SortKey); 6] = [
    ("full_name", SortKey::FullName),
    ("email", SortKey::Email),
    ("enrolled_at", SortKey::EnrolledAt),
    ("last_activity_at", SortKey::LastActivityAt),
    ("percent", SortKey::Percent),
    ("completed_at", SortKey::CompletedAt),
];

impl Order {
    /// Parses `percent`, or `-percent` for the reverse order; None for anything else.
    pub fn parse(text: &str) -> Option<Self> {
        let word = text.strip_prefix('-').unwrap_or(text);
        let (_, by) = NAMES.iter().find(|(known, _)| *known == word)?;
        Some(Order {
            by: *by,
            descending: word.len() < text.len(),
        })
    }

    /// The names that [`Order::parse`] accepts, each also with `-` before it.
    pub fn names() -> Vec<&'static str> {
        NAMES.iter().map(|(word, _)| *word).collect()
    }

    pub(super) fn sort<T: AsRef<Key>>(self, rows: &mut [&T], pages_done: impl Fn(&Key) -> usize) {
        match self.by {
            SortKey::FullName => self.by_key(rows, |row| fold(row.name())),
            SortKey::Email => self.by_key(rows, |row| fold(&row.email)),
            SortKey::EnrolledAt => self.by_key(rows, |row| row.enrolled_at),
            SortKey::LastActivityAt => self.by_key(rows, |row| row.last_activity_at),
            SortKey::Percent => self.by_key(rows, pages_done),
            SortKey::CompletedAt => {
                self.by_key(rows, |row| row.completed_at);
                rows.sort_by_key(|row| (*row).as_ref().completed_at.is_none());
            }
        }
    }

    fn by_key<T: AsRef<Key>, K: Ord>(self, rows: &mut [&T], key: impl Fn(&Key) -> K) {
        let keys = |row: &T| (key(row.as_ref()), row.as_ref().enrollment_id);
        if self.descending {
            rows.sort_by_cached_key(|row| {
                let (key, id) = keys(row);
                (Reverse(key), id)
            });
        } else {
            rows.sort_by_cached_key(|row| keys(row));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_parsed_by_name() {
        let order = |by, descending| Some(Order { by, descending });
        assert_eq!(Order::parse("percent"), order(SortKey::Percent, false));
        assert_eq!(Order::parse("-completed_at"), order(SortKey::CompletedAt, true));
        for word in ["", "-", "--percent", "Percent", "name", " percent", "percent "] {
            assert_eq!(Order::parse(word), None, "{word}");
        }
        assert!(Order::names().into_iter().all(|word| Order::parse(word).is_some()));
    }
}
