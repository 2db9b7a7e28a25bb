//! Marks that tell which cells of a table still hold what was exported.
//!
//! A table is imported hours after its export, and learners go on meanwhile. A cell that nobody has changed must not give a learner the
//! grade of that time. So each line ends with a mark of each of its cells; a cell that matches its mark changes nothing, whatever the grade is now.

use std::collections::HashSet;

use sha2::{Digest as _, Sha256};

use kurso_base::ids::{PageId, UserId};

use crate::gradebook::cells::DecisionKind;

/// The characters of a mark: one of 2^50. A typed cell must not pass for one that was exported.
const LENGTH: usize = 10;
const LETTERS: [char; 32] = [
    'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm', 'n', 'o', 'p', 'q', 'r', 's', 't', 'u', 'v', 'w',
    'x', 'y', 'z', '2', '3', '4', '5', '6', '7',
];
/// The first letters of a state, so that no program reads it as a number.
const BEGINNING: &str = "kurso";

/// The marks of a line, to write or to compare with.
#[derive(Debug, Default)]
pub(super) struct State(HashSet<String>);

impl State {
    /// Reads the cell of a line; none of its marks if it has none, or is broken.
    pub fn read(cell: &str) -> Self {
        let marks: Vec<char> = cell
            .trim()
            .strip_prefix(BEGINNING)
            .unwrap_or_default()
            .chars()
            .collect();
        State(marks.chunks_exact(LENGTH).map(|mark| mark.iter().collect()).collect())
    }

    /// Whether a cell was exported with this content.
    pub fn has(&self, user: UserId, page: PageId, kind: DecisionKind, points: Option<i64>) -> bool {
        !self.0.is_empty() && self.0.contains(&mark(user, page, kind, points))
    }
}

/// The cell of a line: the marks of its cells in order.
pub(super) fn write(marks: &[String]) -> String {
    match marks {
        [] => String::new(),
        marks => format!("{BEGINNING}{}", marks.concat()),
    }
}

/// The mark of a cell with points, in hundredths, or an excuse. It is the same however a program writes the number.
pub(super) fn mark(user: UserId, page: PageId, kind: DecisionKind, points: Option<i64>) -> String {
    let hash = Sha256::digest(format!("{user} {page} {} {points:?}", kind.name()));
    let letters = hash.iter().take(LENGTH);
    letters.filter_map(|byte| LETTERS.get(usize::from(byte % 32))).collect()
}
