//! Statements about several things at once, whose text is always the same: it has room for [`ROOM`] of them, so the database
//! prepares it once, and what is left over holds NULLs.

use super::Sql;

/// At most so many things in one statement.
pub const ROOM: usize = 16;

/// `(VALUES …) AS v`: a row for each thing, the columns of which both databases call `column1` and so on.
pub fn values(columns: usize) -> String {
    let row = |n: usize| {
        let names: Vec<String> = (1..=columns).map(|c| format!("${}", n * columns + c)).collect();
        format!("({})", names.join(", "))
    };
    let rows: Vec<String> = (0..ROOM).map(row).collect();
    format!("(VALUES {}) AS v", rows.join(", "))
}

/// A text that is made once, for a `LazyLock`: statements that are kept prepared have texts that stay.
pub fn lasting(text: String) -> &'static str {
    Box::leak(text.into_boxed_str())
}

/// The statement of these things, at most [`ROOM`]; `columns` binds those of one, and NULLs for None.
pub fn about<'q, T>(text: &'static str, things: &[T], columns: impl Fn(Sql<'q>, Option<&T>) -> Sql<'q>) -> Sql<'q> {
    let things = things.iter().map(Some).chain(std::iter::repeat(None));
    things.take(ROOM).fold(Sql::new(text), columns)
}
