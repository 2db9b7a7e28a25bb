//! The order of a class list.

use std::cmp::Reverse;

use super::Key;
use crate::search::folded;

/// What students are sorted by.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SortKey {
    /// The name, or the e-mail address of those who gave none; case does not matter, nor ё.
    #[default]
    FullName,
    Email,
    EnrolledAt,
    LastActivityAt,
    /// By pages done, which tells more than whole percents do.
    Percent,
    /// Those who have not completed the course come last, either way.
    CompletedAt,
}

/// A key and a direction. Equal ones go by enrollment id, ascending: who came first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Order {
    pub by: SortKey,
    pub descending: bool,
}

const WORDS: [(&str, SortKey); 6] = [
    ("full_name", SortKey::FullName),
    ("email", SortKey::Email),
    ("enrolled_at", SortKey::EnrolledAt),
    ("last_activity_at", SortKey::LastActivityAt),
    ("percent", SortKey::Percent),
    ("completed_at", SortKey::CompletedAt),
];

impl Order {
    /// `percent`, or `-percent` for the other way round; None for anything else.
    pub fn parse(text: &str) -> Option<Self> {
        let word = text.strip_prefix('-').unwrap_or(text);
        let (_, by) = WORDS.iter().find(|(known, _)| *known == word)?;
        Some(Order {
            by: *by,
            descending: word.len() < text.len(),
        })
    }

    /// The words that [`Order::parse`] takes, each also with `-` before it.
    pub fn words() -> Vec<&'static str> {
        WORDS.iter().map(|(word, _)| *word).collect()
    }

    pub(super) fn sort<T: AsRef<Key>>(self, rows: &mut [&T], pages_done: impl Fn(&Key) -> usize) {
        match self.by {
            SortKey::FullName => self.by_key(rows, |row| folded(row.name())),
            SortKey::Email => self.by_key(rows, |row| folded(&row.email)),
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
    fn reads_its_words() {
        let order = |by, descending| Some(Order { by, descending });
        assert_eq!(Order::parse("percent"), order(SortKey::Percent, false));
        assert_eq!(Order::parse("-completed_at"), order(SortKey::CompletedAt, true));
        for word in ["", "-", "--percent", "Percent", "name", " percent", "percent "] {
            assert_eq!(Order::parse(word), None, "{word}");
        }
        assert!(Order::words().into_iter().all(|word| Order::parse(word).is_some()));
    }
}
