//! Takes a row out of the database with all rows that its deletion would delete, and puts them back: the trash of `kurso-core`. Which rows
//! these are follows from the foreign keys in the catalogue.

mod put;
mod take;

use uuid::Uuid;

use super::snapshot::Row;
use super::tables::{ColumnType, Fields, Table, Value, pushed, read};
use super::{Executor, Result, Rows, Sql, Tx};

pub use put::put;
pub use put::set_links;
pub use take::{Sink, take};

/// Rows in one statement.
const BATCH: usize = 500;

/// Rows of one table that were taken.
#[derive(Debug)]
pub struct Taken<'a> {
    pub table: &'a Table,
    /// The columns of the rows, as indexes into [`Table::columns`].
    pub columns: Vec<usize>,
    /// Whether the rows themselves stay: they refer to a row that was taken, by columns that become NULL. Then they have the columns of
    /// their key and of the reference.
    pub are_links: bool,
    pub rows: Vec<TakenRow>,
}

/// A row, with the person whose account it belongs to.
#[derive(Debug)]
pub struct TakenRow {
    pub person: Option<Uuid>,
    pub fields: Fields,
}

/// Returns the columns as a row value, `("a", "b")`, or a single column without parentheses.
fn tuple(table: &Table, columns: &[usize]) -> String {
    let names: Vec<String> = table
        .columns_at(columns)
        .map(|column| format!("\"{}\"", column.name))
        .collect();
    match names.as_slice() {
        [one] => one.clone(),
        all => format!("({})", all.join(", ")),
    }
}

/// Appends ` IN (…)` for values of these columns. Values of one column are a plain list, which partial indexes understand.
fn push_in<'q>(sql: Sql<'q>, table: &Table, columns: &[usize], values: &'q [Fields]) -> Sql<'q> {
    let kinds: Vec<ColumnType> = table.columns_at(columns).map(|column| column.kind).collect();
    let bound = |mut sql: Sql<'q>, value: &'q Fields| {
        for (index, (kind, value)) in kinds.iter().zip(value).enumerate() {
            sql = pushed(if index > 0 { sql.push(", ") } else { sql }, *kind, value);
        }
        sql
    };
    if kinds.len() > 1 {
        return sql.push(" IN (VALUES ").push_values(values, bound).push(")");
    }
    let mut sql = sql.push(" IN (");
    for (index, value) in values.iter().enumerate() {
        sql = bound(if index > 0 { sql.push(", ") } else { sql }, value);
    }
    sql.push(")")
}

/// Runs a statement and reads fields of these types from its rows.
async fn fetch(tx: &mut Tx, sql: Sql<'_>, kinds: &[ColumnType]) -> Result<Vec<Fields>> {
    let read = |row: Row| read(kinds.iter().copied(), &row);
    match tx.rows(sql).await? {
        Rows::Sqlite(rows) => rows.into_iter().map(Row::Sqlite).map(read).collect(),
        Rows::Postgres(rows) => rows.into_iter().map(Row::Postgres).map(read).collect(),
    }
}

/// The fields at these indexes; None if one of them is NULL or missing.
fn fields_at(fields: &Fields, indexes: &[usize]) -> Option<Fields> {
    let found = indexes.iter().map(|index| fields.get(*index).cloned());
    let found: Option<Fields> = found.collect();
    found.filter(|fields| !fields.contains(&Value::Null))
}

/// Returns values as a map key, because [`Value`] is not hashable.
fn name(fields: &Fields) -> String {
    format!("{fields:?}")
}
