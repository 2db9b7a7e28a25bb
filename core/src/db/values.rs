//! Statements about several things at once, whose texts are always the same: there is one for each of a few sizes, which the
//! database prepares once, and what is left over in it holds NULLs.

use super::Sql;

/// So many things there are texts for. A text for many costs as much for one thing as for many.
const SIZES: [usize; 5] = [1, 2, 4, 8, ROOM];
/// At most so many in one statement.
pub const ROOM: usize = 16;

/// The texts of a statement.
#[derive(Debug)]
pub struct Texts([&'static str; SIZES.len()]);

impl Texts {
    /// `text` is given `(VALUES …) AS v`: a row for each thing, the columns of which both databases call `column1` and so on.
    /// For a `LazyLock`: statements that are kept prepared have texts that stay.
    pub fn new(columns: usize, text: impl Fn(&str) -> String) -> Self {
        Texts(SIZES.map(|things| &*text(&values(things, columns)).leak()))
    }

    /// The statement of these things, at most [`ROOM`]; `columns` binds those of one, and NULLs for None.
    pub fn about<'q, T>(&self, things: &[T], columns: impl Fn(Sql<'q>, Option<&T>) -> Sql<'q>) -> Sql<'q> {
        let mut fitting = (0, "");
        for (size, text) in SIZES.into_iter().zip(self.0) {
            fitting = (size, text);
            if size >= things.len() {
                break;
            }
        }
        let (size, text) = fitting;
        let things = things.iter().map(Some).chain(std::iter::repeat(None));
        things.take(size).fold(Sql::new(text), columns)
    }
}

fn values(things: usize, columns: usize) -> String {
    let row = |n: usize| {
        let names: Vec<String> = (1..=columns).map(|c| format!("${}", n * columns + c)).collect();
        format!("({})", names.join(", "))
    };
    let rows: Vec<String> = (0..things).map(row).collect();
    format!("(VALUES {}) AS v", rows.join(", "))
}
