//! Table descriptions read from the database's catalogue, and rows as values that are the same on both databases.
//! Backups and moves copy through this module, so a table added by a migration is copied without further code.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, SubsecRound as _, Utc};
use futures_util::StreamExt as _;
use futures_util::stream::BoxStream;
use sqlx::Row as _;
use uuid::Uuid;

use super::snapshot::{Row, Snapshot};
use super::{Executor, Result, Rows, Sql, Tx};
use crate::sql;

/// Tables about the database itself or the current state of its nodes; never copied.
const NEVER_COPIED: [&str; 3] = ["_sqlx_migrations", "leases", MOVE_MARKER];

/// The beginning of the names of the tables of the full-text index, which differ between the databases. They are never copied: the
/// server builds the index again.
const SEARCH_INDEX: &str = "search_";

/// A table that marks a database which a move has begun to fill and not finished.
pub const MOVE_MARKER: &str = "unfinished_move";

/// Maximum arguments per statement. SQLite's lookup of numbered parameters is quadratic, so larger statements are
/// slower per row.
const ARGUMENTS: usize = 1_000;

/// The type of a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ColumnType {
    Bool,
    Int,
    Real,
    Text,
    Bytes,
    Uuid,
    Time,
}

#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Column {
    pub name: String,
    pub kind: ColumnType,
}

/// A table: its columns in alphabetical order, and its primary key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Table {
    pub name: String,
    pub columns: Vec<Column>,
    /// Indexes into `columns`, in the order of the primary key.
    pub key: Vec<usize>,
}

/// The value of a field. Times have microsecond precision.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    Null,
    Bool(bool),
    Int(i64),
    Real(f64),
    Text(String),
    Bytes(Vec<u8>),
    Uuid(Uuid),
    Time(DateTime<Utc>),
}

/// The fields of a row, in the order of [`Table::columns`].
pub type Fields = Vec<Value>;

impl ColumnType {
    /// Reads a type name as written in migrations or reported by PostgreSQL.
    fn of(declared: &str) -> Option<Self> {
        Some(match declared.to_ascii_lowercase().as_str() {
            "boolean" => ColumnType::Bool,
            "bigint" | "integer" => ColumnType::Int,
            "double precision" => ColumnType::Real,
            "text" => ColumnType::Text,
            "bytea" | "blob" => ColumnType::Bytes,
            "uuid" => ColumnType::Uuid,
            "timestamptz" | "timestamp with time zone" => ColumnType::Time,
            _ => return None,
        })
    }
}

/// Reads a field of a row of either database.
macro_rules! field {
    ($row:expr, $index:expr, $kind:expr) => {
        Ok(match $kind {
            ColumnType::Bool => $row.try_get::<Option<bool>, _>($index)?.map(Value::Bool),
            ColumnType::Int => $row.try_get::<Option<i64>, _>($index)?.map(Value::Int),
            ColumnType::Real => $row.try_get::<Option<f64>, _>($index)?.map(Value::Real),
            ColumnType::Text => $row.try_get::<Option<String>, _>($index)?.map(Value::Text),
            ColumnType::Bytes => $row.try_get::<Option<Vec<u8>>, _>($index)?.map(Value::Bytes),
            ColumnType::Uuid => $row.try_get::<Option<Uuid>, _>($index)?.map(Value::Uuid),
            ColumnType::Time => $row
                .try_get::<Option<DateTime<Utc>>, _>($index)?
                .map(|time| Value::Time(time.trunc_subsecs(6))),
        }
        .unwrap_or(Value::Null))
    };
}
#[derive(sqlx::FromRow)]
pub(super) struct ColumnRow {
    table_name: String,
    column_name: String,
    declared: String,
    /// Index within the primary key; None if the column is not part of it.
    key_index: Option<i64>,
}

/// The tables of the product, referenced tables before those that refer to them.
pub async fn tables(on: &mut Snapshot) -> Result<Vec<Table>> {
    let (columns, references) = if on.is_sqlite() {
        (SQLITE_COLUMNS, SQLITE_REFERENCES)
    } else {
        (POSTGRES_COLUMNS, POSTGRES_REFERENCES)
    };
    let rows = sql!(columns).fetch_all::<ColumnRow>(&mut *on).await?;
    let references = sql!(references).fetch_all::<(String, String)>(&mut *on).await?;
    arranged(rows, &references)
}

/// The tables of these columns, without those that are never copied, referenced tables first.
pub(super) fn arranged(rows: Vec<ColumnRow>, references: &[(String, String)]) -> Result<Vec<Table>> {
    let mut by_name: BTreeMap<String, Vec<ColumnRow>> = BTreeMap::new();
    for row in rows {
        if !NEVER_COPIED.contains(&row.table_name.as_str()) && !row.table_name.starts_with(SEARCH_INDEX) {
            by_name.entry(row.table_name.clone()).or_default().push(row);
        }
    }
    let tables = by_name
        .into_iter()
        .map(|(name, rows)| table(name, rows))
        .collect::<Result<Vec<_>>>()?;
    sorted_by_references(tables, references)
}

fn table(name: String, mut rows: Vec<ColumnRow>) -> Result<Table> {
    rows.sort_by(|a, b| a.column_name.cmp(&b.column_name));
    let mut key: Vec<(i64, usize)> = rows
        .iter()
        .enumerate()
        .filter_map(|(index, row)| Some((row.key_index?, index)))
        .collect();
    key.sort_unstable();
    if key.is_empty() {
        return Err(not_copyable(format!("the table {name} has no primary key")));
    }
    let columns = rows
        .into_iter()
        .map(|row| {
            let kind = ColumnType::of(&row.declared)
                .ok_or_else(|| not_copyable(format!("{name}.{} is of the type {}", row.column_name, row.declared)))?;
            Ok(Column {
                name: row.column_name,
                kind,
            })
        })
        .collect::<Result<_>>()?;
    Ok(Table {
        name,
        columns,
        key: key.into_iter().map(|(_, index)| index).collect(),
    })
}

/// Sorts tables topologically by their foreign keys.
fn sorted_by_references(mut remaining: Vec<Table>, references: &[(String, String)]) -> Result<Vec<Table>> {
    let mut done: Vec<Table> = Vec::with_capacity(remaining.len());
    while !remaining.is_empty() {
        let waiting: BTreeSet<String> = remaining.iter().map(|table| table.name.clone()).collect();
        let (ready, rest): (Vec<_>, Vec<_>) = remaining.into_iter().partition(|table| {
            references
                .iter()
                .all(|(from, to)| *from != table.name || from == to || !waiting.contains(to))
        });
        if ready.is_empty() {
            return Err(not_copyable("the foreign keys of tables form a cycle".to_owned()));
        }
        done.extend(ready);
        remaining = rest;
    }
    Ok(done)
}

fn not_copyable(why: String) -> sqlx::Error {
    sqlx::Error::Protocol(format!("{why}, which backups and moves do not support"))
}

impl Table {
    /// The column list of a SELECT. Integers are cast to 64 bits.
    fn selected(&self) -> String {
        self.columns.iter().map(selected).collect::<Vec<_>>().join(", ")
    }

    pub(super) fn key_columns(&self) -> impl Iterator<Item = &Column> {
        self.key.iter().filter_map(|index| self.columns.get(*index))
    }

    /// The ORDER BY list of the primary key. Texts compare by bytes on both databases.
    fn ordered(&self, is_sqlite: bool) -> String {
        let columns = self.key_columns().map(|column| match column.kind {
            ColumnType::Text if !is_sqlite => format!("\"{}\" COLLATE \"C\"", column.name),
            _ => format!("\"{}\"", column.name),
        });
        columns.collect::<Vec<_>>().join(", ")
    }

    /// The primary key of a row.
    pub fn key_of(&self, row: &Fields) -> Fields {
        self.key.iter().filter_map(|index| row.get(*index).cloned()).collect()
    }

    /// Streams all rows ordered by primary key; the order is the same on both databases.
    pub fn rows<'a>(&'a self, on: &'a mut Snapshot) -> Result<BoxStream<'a, Result<Fields>>> {
        let order = self.ordered(on.is_sqlite());
        let text = format!("SELECT {} FROM \"{}\" ORDER BY {order}", self.selected(), self.name);
        let rows = on.stream(Sql::built(text))?;
        Ok(rows.map(move |row| self.read(&row?)).boxed())
    }

    /// The rows with a key greater than `after` and at most `until`; None means no bound.
    pub async fn between(&self, on: &mut Tx, after: Option<&Fields>, until: Option<&Fields>) -> Result<Vec<Fields>> {
        let is_sqlite = on.is_sqlite();
        let order = self.ordered(is_sqlite);
        let mut sql = Sql::built(format!("SELECT {} FROM \"{}\" WHERE 1 = 1", self.selected(), self.name));
        for (bound, than) in [(after, ">"), (until, "<=")] {
            if let Some(bound) = bound {
                sql = sql.and(&format!(" AND ({order}) {than} ("));
                sql = self.bound(sql, bound).push(")");
            }
        }
        let sql = sql.and(&format!(" ORDER BY {order}"));
        match on.rows(sql).await? {
            Rows::Sqlite(rows) => rows.into_iter().map(|row| self.read(&Row::Sqlite(row))).collect(),
            Rows::Postgres(rows) => rows.into_iter().map(|row| self.read(&Row::Postgres(row))).collect(),
        }
    }

    fn bound<'q>(&self, mut sql: Sql<'q>, key: &'q Fields) -> Sql<'q> {
        for (index, (column, value)) in self.key_columns().zip(key).enumerate() {
            sql = pushed(if index > 0 { sql.push(", ") } else { sql }, column.kind, value);
        }
        sql
    }

    /// How many rows fit into one statement.
    pub(super) fn rows_per_statement(&self) -> usize {
        (ARGUMENTS / self.columns.len().max(1)).max(1)
    }

    /// Inserts rows; with `overwrite`, updates existing rows with the same key.
    pub async fn write(&self, on: &mut Tx, rows: &[Fields], overwrite: bool) -> Result<()> {
        let names: Vec<String> = self
            .columns
            .iter()
            .map(|column| format!("\"{}\"", column.name))
            .collect();
        let set: Vec<String> = names.iter().map(|name| format!("{name} = excluded.{name}")).collect();
        let key: Vec<String> = self
            .key_columns()
            .map(|column| format!("\"{}\"", column.name))
            .collect();
        for rows in rows.chunks(self.rows_per_statement()) {
            let sql = Sql::built(format!("INSERT INTO \"{}\" ({}) VALUES ", self.name, names.join(", ")));
            let mut sql = sql.push_values(rows, |mut sql, row| {
                for (index, (column, value)) in self.columns.iter().zip(row).enumerate() {
                    sql = pushed(if index > 0 { sql.push(", ") } else { sql }, column.kind, value);
                }
                sql
            });
            if overwrite {
                sql = sql.and(&format!(
                    " ON CONFLICT ({}) DO UPDATE SET {}",
                    key.join(", "),
                    set.join(", ")
                ));
            }
            sql.execute(&mut *on).await?;
        }
        Ok(())
    }

    /// Deletes the rows with these keys.
    pub async fn remove(&self, on: &mut Tx, keys: &[Fields]) -> Result<()> {
        let names: Vec<String> = self
            .key_columns()
            .map(|column| format!("\"{}\"", column.name))
            .collect();
        for keys in keys.chunks(self.rows_per_statement()) {
            let sql = Sql::built(format!(
                "DELETE FROM \"{}\" WHERE ({}) IN (VALUES ",
                self.name,
                names.join(", ")
            ));
            let sql = sql.push_values(keys, |sql, key| self.bound(sql, key)).push(")");
            sql.execute(&mut *on).await?;
        }
        Ok(())
    }

    /// Whether the table has no rows.
    pub async fn is_empty(&self, on: &mut Snapshot) -> Result<bool> {
        let sql = Sql::built(format!("SELECT CAST(1 AS BIGINT) FROM \"{}\" LIMIT 1", self.name));
        Ok(sql.fetch_optional::<(i64,)>(on).await?.is_none())
    }

    fn read(&self, row: &Row) -> Result<Fields> {
        read(self.columns.iter().map(|column| column.kind), row)
    }
}

/// Returns a column as an item of a SELECT list. Integers are cast to 64 bits.
pub(super) fn selected(column: &Column) -> String {
    match column.kind {
        ColumnType::Int => format!("CAST(\"{0}\" AS BIGINT) AS \"{0}\"", column.name),
        _ => format!("\"{}\"", column.name),
    }
}

/// Reads fields of these types from the start of a row.
pub(super) fn read(kinds: impl Iterator<Item = ColumnType>, row: &Row) -> Result<Fields> {
    let fields = kinds.enumerate().map(|(index, kind)| match row {
        Row::Sqlite(row) => field!(row, index, kind),
        Row::Postgres(row) => field!(row, index, kind),
    });
    fields.collect()
}

/// Binds a value; a NULL gets the type of its column.
pub(super) fn pushed<'q>(sql: Sql<'q>, kind: ColumnType, value: &'q Value) -> Sql<'q> {
    match (value, kind) {
        (Value::Bool(value), _) => sql.push_bind(*value),
        (Value::Int(value), _) => sql.push_bind(*value),
        (Value::Real(value), _) => sql.push_bind(*value),
        (Value::Text(value), _) => sql.push_bind(value.as_str()),
        (Value::Bytes(value), _) => sql.push_bind(value.as_slice()),
        (Value::Uuid(value), _) => sql.push_bind(*value),
        (Value::Time(value), _) => sql.push_bind(*value),
        (Value::Null, ColumnType::Bool) => sql.push_bind(None::<bool>),
        (Value::Null, ColumnType::Int) => sql.push_bind(None::<i64>),
        (Value::Null, ColumnType::Real) => sql.push_bind(None::<f64>),
        (Value::Null, ColumnType::Text) => sql.push_bind(None::<String>),
        (Value::Null, ColumnType::Bytes) => sql.push_bind(None::<Vec<u8>>),
        (Value::Null, ColumnType::Uuid) => sql.push_bind(None::<Uuid>),
        (Value::Null, ColumnType::Time) => sql.push_bind(None::<DateTime<Utc>>),
    }
}

pub(super) const SQLITE_COLUMNS: &str = "SELECT t.name AS table_name, c.name AS column_name, c.type AS declared,
    CASE WHEN c.pk > 0 THEN c.pk - 1 END AS key_index
    FROM sqlite_master t JOIN pragma_table_info(t.name) c WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite%'";

const SQLITE_REFERENCES: &str = "SELECT t.name, r.\"table\" FROM sqlite_master t JOIN pragma_foreign_key_list(t.name) r
    WHERE t.type = 'table'";

pub(super) const POSTGRES_COLUMNS: &str =
    "SELECT CAST(t.relname AS TEXT) AS table_name, CAST(a.attname AS TEXT) AS column_name,
    format_type(a.atttypid, NULL) AS declared,
    CAST(array_position(CAST(i.indkey AS int2[]), a.attnum) AS BIGINT) AS key_index
    FROM pg_class t JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
    LEFT JOIN pg_index i ON i.indrelid = t.oid AND i.indisprimary
    WHERE t.relnamespace = CAST(current_schema() AS regnamespace) AND t.relkind IN ('r', 'p')";

const POSTGRES_REFERENCES: &str = "SELECT CAST(t.relname AS TEXT), CAST(p.relname AS TEXT)
    FROM pg_constraint f JOIN pg_class t ON t.oid = f.conrelid JOIN pg_class p ON p.oid = f.confrelid
    WHERE f.contype = 'f' AND t.relnamespace = CAST(current_schema() AS regnamespace)";

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str) -> Table {
        Table {
            name: name.to_owned(),
            columns: vec![],
            key: vec![0],
        }
    }

    #[test]
    fn referenced_tables_come_first_and_cycles_are_reported() {
        let refer = |from: &str, to: &str| (from.to_owned(), to.to_owned());
        let tables = || ["a", "b", "c"].map(named).into();
        let ordered = sorted_by_references(tables(), &[refer("a", "b"), refer("b", "c"), refer("c", "c")]).unwrap();
        let names: Vec<_> = ordered.iter().map(|table| table.name.as_str()).collect();
        assert_eq!(names, ["c", "b", "a"]);
        assert!(sorted_by_references(tables(), &[refer("a", "b"), refer("b", "a")]).is_err());
    }
}
