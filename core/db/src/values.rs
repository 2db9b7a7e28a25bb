//! Multi-row statements over a `VALUES` list with a few fixed sizes, so that the database prepares each text once.
//! Unused rows are filled with NULLs.

use super::Sql;

/// The row counts that have a text of their own.
const SIZES: [usize; 5] = [1, 2, 4, 8, MAX_ROWS];
/// The maximum number of rows in one statement.
pub const MAX_ROWS: usize = 16;

/// The texts of one statement, by row count.
#[derive(Debug)]
pub struct ValuesStatement([&'static str; SIZES.len()]);

impl ValuesStatement {
    /// `text` receives `(VALUES …) AS v`, whose columns are named `column1`, `column2`, … on both databases. Call it
    /// once in a `LazyLock`: the texts are leaked, because only static texts are prepared.
    pub fn new(columns: usize, text: impl Fn(&str) -> String) -> Self {
        ValuesStatement(SIZES.map(|rows| &*text(&values(rows, columns)).leak()))
    }

    /// The statement for `rows`, at most [`MAX_ROWS`]. `columns` binds the values of one row, or NULLs for None.
    pub fn bind_rows<'q, T>(&self, rows: &[T], columns: impl Fn(Sql<'q>, Option<&T>) -> Sql<'q>) -> Sql<'q> {
        let mut smallest = (0, "");
        for (size, text) in SIZES.into_iter().zip(self.0) {
            smallest = (size, text);
            if size >= rows.len() {
                break;
            }
        }
        let (size, text) = smallest;
        let rows = rows.iter().map(Some).chain(std::iter::repeat(None));
        rows.take(size).fold(Sql::new(text), columns)
    }
}

fn values(rows: usize, columns: usize) -> String {
    let row = |n: usize| {
        let names: Vec<String> = (1..=columns).map(|c| format!("${}", n * columns + c)).collect();
        format!("({})", names.join(", "))
    };
    let rows: Vec<String> = (0..rows).map(row).collect();
    format!("(VALUES {}) AS v", rows.join(", "))
}
