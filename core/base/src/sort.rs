//! Sort orders of lists: a key and a direction, written `percent` or `-percent`.

use std::cmp::Reverse;

/// The keys by which a list can be sorted.
pub trait SortKey: Copy + PartialEq + Default + 'static {
    /// Every key with its name.
    const NAMES: &'static [(&'static str, Self)];
}

/// A sort key and a direction. Lists break ties by ID, ascending, in both directions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Order<K> {
    pub by: K,
    pub descending: bool,
}

impl<K: SortKey> Order<K> {
    /// Parses `percent`, or `-percent` for the reverse order; None for anything else.
    pub fn parse(text: &str) -> Option<Self> {
        let word = text.strip_prefix('-').unwrap_or(text);
        let (_, by) = K::NAMES.iter().find(|(known, _)| *known == word)?;
        Some(Order {
            by: *by,
            descending: word.len() < text.len(),
        })
    }

    /// The names that [`Order::parse`] accepts, each also with `-` before it.
    pub fn names() -> Vec<&'static str> {
        K::NAMES.iter().map(|(word, _)| *word).collect()
    }

    /// Sorts rows by a key that each row computes once, then by `id`.
    pub fn sort<T, V: Ord, I: Ord>(self, rows: &mut [T], key: impl Fn(&T) -> V, id: impl Fn(&T) -> I) {
        if self.descending {
            rows.sort_by_cached_key(|row| (Reverse(key(row)), id(row)));
        } else {
            rows.sort_by_cached_key(|row| (key(row), id(row)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    enum Key {
        #[default]
        Name,
        Percent,
    }

    impl SortKey for Key {
        const NAMES: &'static [(&'static str, Self)] = &[("full_name", Key::Name), ("percent", Key::Percent)];
    }

    #[test]
    fn orders_are_parsed_by_name() {
        let order = |by, descending| Some(Order { by, descending });
        assert_eq!(Order::parse("percent"), order(Key::Percent, false));
        assert_eq!(Order::parse("-full_name"), order(Key::Name, true));
        for word in ["", "-", "--percent", "Percent", "name", " percent", "percent "] {
            assert_eq!(Order::<Key>::parse(word), None, "{word}");
        }
        assert_eq!(Order::<Key>::names(), ["full_name", "percent"]);
    }

    #[test]
    fn ties_are_sorted_by_id_in_both_directions() {
        let mut rows = [(2, 'a'), (1, 'a'), (3, 'b')];
        let mut sorted = |descending| {
            let order = Order {
                by: Key::Name,
                descending,
            };
            order.sort(&mut rows, |row| row.1, |row| row.0);
            rows.map(|row| row.0)
        };
        assert_eq!(sorted(false), [1, 2, 3]);
        assert_eq!(sorted(true), [3, 1, 2]);
    }
}
