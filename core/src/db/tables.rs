//! The tables as the database itself describes them, and their rows as values that are the same on both databases. A table
//! that a migration adds is copied by backups and moves without a word here.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, SubsecRound as _, Utc};
use futures_util::StreamExt as _;
use futures_util::stream::BoxStream;
use sqlx::Row as _;
use uuid::Uuid;

use super::snapshot::{Row, Snapshot};
use super::{Executor, Result, Rows, Sql, Tx};
use crate::sql;

/// Tables that say something of the database they are in, or of what its nodes do at the moment: never copied.
const OWN: [&str; 3] = ["_sqlx_migrations", "leases", MOVE];

/// Present in a database that a move has begun to fill.
pub(crate) const MOVE: &str = "unfinished_move";

/// Arguments of one statement: SQLite looks each of them up among all the others, so ten times as many take a hundred times
/// as long.
const ARGUMENTS: usize = 1_000;

/// What a column holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
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
    pub kind: Kind,
}

/// A table: its columns in the order of their names, and by which of them a row is told from the others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Table {
    pub name: String,
    pub columns: Vec<Column>,
    /// Places in `columns`, in the order of the primary key.
    pub key: Vec<usize>,
}

/// What a field holds. Times have microseconds.
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

/// The fields of a row, one for each of the table's columns.
pub type Fields = Vec<Value>;

impl Kind {
    /// As the migrations name it, or PostgreSQL.
    fn of(declared: &str) -> Option<Self> {
        Some(match declared.to_ascii_lowercase().as_str() {
            "boolean" => Kind::Bool,
            "bigint" | "integer" => Kind::Int,
            "double precision" => Kind::Real,
            "text" => Kind::Text,
            "bytea" | "blob" => Kind::Bytes,
            "uuid" => Kind::Uuid,
            "timestamptz" | "timestamp with time zone" => Kind::Time,
            _ => return None,
        })
    }
}

/// A field of a row of either database.
macro_rules! field {
    ($row:expr, $place:expr, $kind:expr) => {
        Ok(match $kind {
            Kind::Bool => $row.try_get::<Option<bool>, _>($place)?.map(Value::Bool),
            Kind::Int => $row.try_get::<Option<i64>, _>($place)?.map(Value::Int),
            Kind::Real => $row.try_get::<Option<f64>, _>($place)?.map(Value::Real),
            Kind::Text => $row.try_get::<Option<String>, _>($place)?.map(Value::Text),
            Kind::Bytes => $row.try_get::<Option<Vec<u8>>, _>($place)?.map(Value::Bytes),
            Kind::Uuid => $row.try_get::<Option<Uuid>, _>($place)?.map(Value::Uuid),
            Kind::Time => $row
                .try_get::<Option<DateTime<Utc>>, _>($place)?
                .map(|time| Value::Time(time.trunc_subsecs(6))),
        }
        .unwrap_or(Value::Null))
    };
}
#[derive(sqlx::FromRow)]
struct ColumnRow {
    table_name: String,
    column_name: String,
    declared: String,
    /// From 0; None: not in the key.
    key_place: Option<i64>,
}

/// The product's tables, those that others refer to first.
pub async fn tables(on: &mut Snapshot) -> Result<Vec<Table>> {
    let (columns, references) = if on.is_sqlite() {
        (SQLITE_COLUMNS, SQLITE_REFERENCES)
    } else {
        (POSTGRES_COLUMNS, POSTGRES_REFERENCES)
    };
    let rows = sql!(columns).fetch_all::<ColumnRow>(&mut *on).await?;
    let references = sql!(references).fetch_all::<(String, String)>(&mut *on).await?;
    let mut by_name: BTreeMap<String, Vec<ColumnRow>> = BTreeMap::new();
    for row in rows {
        if !OWN.contains(&row.table_name.as_str()) {
            by_name.entry(row.table_name.clone()).or_default().push(row);
        }
    }
    let tables = by_name
        .into_iter()
        .map(|(name, rows)| table(name, rows))
        .collect::<Result<Vec<_>>>()?;
    in_order(tables, &references)
}

fn table(name: String, mut rows: Vec<ColumnRow>) -> Result<Table> {
    rows.sort_by(|a, b| a.column_name.cmp(&b.column_name));
    let mut key: Vec<(i64, usize)> = rows
        .iter()
        .enumerate()
        .filter_map(|(place, row)| Some((row.key_place?, place)))
        .collect();
    key.sort_unstable();
    if key.is_empty() {
        return Err(unreadable(format!("the table {name} has no primary key")));
    }
    let columns = rows
        .into_iter()
        .map(|row| {
            let kind = Kind::of(&row.declared)
                .ok_or_else(|| unreadable(format!("{name}.{} is of the type {}", row.column_name, row.declared)))?;
            Ok(Column {
                name: row.column_name,
                kind,
            })
        })
        .collect::<Result<_>>()?;
    Ok(Table {
        name,
        columns,
        key: key.into_iter().map(|(_, place)| place).collect(),
    })
}

/// Each after those it refers to.
fn in_order(mut left: Vec<Table>, references: &[(String, String)]) -> Result<Vec<Table>> {
    let mut done: Vec<Table> = Vec::with_capacity(left.len());
    while !left.is_empty() {
        let waiting: BTreeSet<String> = left.iter().map(|table| table.name.clone()).collect();
        let (ready, rest): (Vec<_>, Vec<_>) = left.into_iter().partition(|table| {
            references
                .iter()
                .all(|(from, to)| *from != table.name || from == to || !waiting.contains(to))
        });
        if ready.is_empty() {
            return Err(unreadable("tables refer to each other in a circle".to_owned()));
        }
        done.extend(ready);
        left = rest;
    }
    Ok(done)
}

fn unreadable(why: String) -> sqlx::Error {
    sqlx::Error::Protocol(format!("{why}, which no copy can hold"))
}

impl Table {
    /// `"a", "b"` as they are read: texts compare by their bytes on both databases, numbers have 64 bits.
    fn selected(&self) -> String {
        let columns = self.columns.iter().map(|column| match column.kind {
            Kind::Int => format!("CAST(\"{0}\" AS BIGINT) AS \"{0}\"", column.name),
            _ => format!("\"{}\"", column.name),
        });
        columns.collect::<Vec<_>>().join(", ")
    }

    fn key_columns(&self) -> impl Iterator<Item = &Column> {
        self.key.iter().filter_map(|place| self.columns.get(*place))
    }

    /// `("a", "b")` as rows are put in order by it.
    fn ordered(&self, is_sqlite: bool) -> String {
        let columns = self.key_columns().map(|column| match column.kind {
            Kind::Text if !is_sqlite => format!("\"{}\" COLLATE \"C\"", column.name),
            _ => format!("\"{}\"", column.name),
        });
        columns.collect::<Vec<_>>().join(", ")
    }

    /// The fields by which a row is told from others.
    pub fn key_of(&self, row: &Fields) -> Fields {
        self.key.iter().filter_map(|place| row.get(*place).cloned()).collect()
    }

    /// All rows in the order of their keys, which is the same on both databases.
    pub fn rows<'a>(&'a self, on: &'a mut Snapshot) -> Result<BoxStream<'a, Result<Fields>>> {
        let order = self.ordered(on.is_sqlite());
        let text = format!("SELECT {} FROM \"{}\" ORDER BY {order}", self.selected(), self.name);
        let rows = on.stream(Sql::built(text))?;
        Ok(rows.map(move |row| self.read(&row?)).boxed())
    }

    /// The rows with keys after `after` and up to `until`; without one, from the first or to the last.
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
        for (place, (column, value)) in self.key_columns().zip(key).enumerate() {
            sql = pushed(if place > 0 { sql.push(", ") } else { sql }, column.kind, value);
        }
        sql
    }

    /// How many rows fit into one statement.
    fn at_once(&self) -> usize {
        (ARGUMENTS / self.columns.len().max(1)).max(1)
    }

    /// Writes rows that are new; with `over`, also over those that are there with the same keys.
    pub async fn write(&self, on: &mut Tx, rows: &[Fields], over: bool) -> Result<()> {
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
        for rows in rows.chunks(self.at_once()) {
            let sql = Sql::built(format!("INSERT INTO \"{}\" ({}) VALUES ", self.name, names.join(", ")));
            let mut sql = sql.push_values(rows, |mut sql, row| {
                for (place, (column, value)) in self.columns.iter().zip(row).enumerate() {
                    sql = pushed(if place > 0 { sql.push(", ") } else { sql }, column.kind, value);
                }
                sql
            });
            if over {
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

    /// Removes the rows of these keys.
    pub async fn remove(&self, on: &mut Tx, keys: &[Fields]) -> Result<()> {
        let names: Vec<String> = self
            .key_columns()
            .map(|column| format!("\"{}\"", column.name))
            .collect();
        for keys in keys.chunks(self.at_once()) {
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

    /// Has it no row?
    pub async fn is_empty(&self, on: &mut Snapshot) -> Result<bool> {
        let sql = Sql::built(format!("SELECT CAST(1 AS BIGINT) FROM \"{}\" LIMIT 1", self.name));
        Ok(sql.fetch_optional::<(i64,)>(on).await?.is_none())
    }

    fn read(&self, row: &Row) -> Result<Fields> {
        let fields = self.columns.iter().enumerate();
        let fields = fields.map(|(place, column)| match row {
            Row::Sqlite(row) => field!(row, place, column.kind),
            Row::Postgres(row) => field!(row, place, column.kind),
        });
        fields.collect()
    }
}

/// Binds a value; NULL has the type of its column.
fn pushed<'q>(sql: Sql<'q>, kind: Kind, value: &'q Value) -> Sql<'q> {
    match (value, kind) {
        (Value::Bool(value), _) => sql.push_bind(*value),
        (Value::Int(value), _) => sql.push_bind(*value),
        (Value::Real(value), _) => sql.push_bind(*value),
        (Value::Text(value), _) => sql.push_bind(value.as_str()),
        (Value::Bytes(value), _) => sql.push_bind(value.as_slice()),
        (Value::Uuid(value), _) => sql.push_bind(*value),
        (Value::Time(value), _) => sql.push_bind(*value),
        (Value::Null, Kind::Bool) => sql.push_bind(None::<bool>),
        (Value::Null, Kind::Int) => sql.push_bind(None::<i64>),
        (Value::Null, Kind::Real) => sql.push_bind(None::<f64>),
        (Value::Null, Kind::Text) => sql.push_bind(None::<String>),
        (Value::Null, Kind::Bytes) => sql.push_bind(None::<Vec<u8>>),
        (Value::Null, Kind::Uuid) => sql.push_bind(None::<Uuid>),
        (Value::Null, Kind::Time) => sql.push_bind(None::<DateTime<Utc>>),
    }
}

const SQLITE_COLUMNS: &str = "SELECT t.name AS table_name, c.name AS column_name, c.type AS declared,
    CASE WHEN c.pk > 0 THEN c.pk - 1 END AS key_place
    FROM sqlite_master t JOIN pragma_table_info(t.name) c WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite%'";

const SQLITE_REFERENCES: &str = "SELECT t.name, r.\"table\" FROM sqlite_master t JOIN pragma_foreign_key_list(t.name) r
    WHERE t.type = 'table'";

const POSTGRES_COLUMNS: &str = "SELECT CAST(t.relname AS TEXT) AS table_name, CAST(a.attname AS TEXT) AS column_name,
    format_type(a.atttypid, NULL) AS declared,
    CAST(array_position(CAST(i.indkey AS int2[]), a.attnum) AS BIGINT) AS key_place
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
    fn what_others_refer_to_comes_first_and_a_circle_is_told() {
        let refer = |from: &str, to: &str| (from.to_owned(), to.to_owned());
        let tables = || ["a", "b", "c"].map(named).into();
        let ordered = in_order(tables(), &[refer("a", "b"), refer("b", "c"), refer("c", "c")]).unwrap();
        let names: Vec<_> = ordered.iter().map(|table| table.name.as_str()).collect();
        assert_eq!(names, ["c", "b", "a"]);
        assert!(in_order(tables(), &[refer("a", "b"), refer("b", "a")]).is_err());
    }
}
