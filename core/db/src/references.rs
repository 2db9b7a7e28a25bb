//! The foreign keys between tables, read from the database's catalogue, so that a table added by a migration belongs to the parts of a
//! course without further code.

use std::collections::BTreeMap;

use super::tables::{Column, POSTGRES_COLUMNS, SQLITE_COLUMNS, Table, arranged};
use super::{Result, Tx};
use crate::sql;

/// What becomes of rows whose referenced row is deleted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OnDelete {
    /// They are deleted too.
    Cascade,
    /// Their reference becomes NULL.
    SetNull,
    /// The deletion fails.
    Refuse,
}

/// A foreign key. Tables and columns are indexes into [`Catalogue::tables`] and [`Table::columns`].
#[derive(Clone, Debug)]
pub struct Reference {
    pub from: usize,
    pub from_columns: Vec<usize>,
    pub to: usize,
    pub to_columns: Vec<usize>,
    pub on_delete: OnDelete,
}

/// The tables of the product with their foreign keys. Referenced tables come before those that refer to them.
#[derive(Debug)]
pub struct Catalogue {
    pub tables: Vec<Table>,
    pub references: Vec<Reference>,
}

#[derive(sqlx::FromRow)]
struct ReferenceRow {
    from_table: String,
    id: i64,
    place: i64,
    from_column: String,
    to_table: String,
    to_column: Option<String>,
    on_delete: String,
}

impl Catalogue {
    /// Reads the catalogue as the transaction sees it.
    pub async fn read(tx: &mut Tx) -> Result<Self> {
        let (columns, references) = if tx.is_sqlite() {
            (SQLITE_COLUMNS, SQLITE_REFERENCES)
        } else {
            (POSTGRES_COLUMNS, POSTGRES_REFERENCES)
        };
        let columns = sql!(columns).fetch_all(&mut *tx).await?;
        let rows = sql!(references).fetch_all::<ReferenceRow>(&mut *tx).await?;
        let names: Vec<(String, String)> = rows
            .iter()
            .map(|row| (row.from_table.clone(), row.to_table.clone()))
            .collect();
        let tables = arranged(columns, &names)?;
        let mut by_key: BTreeMap<(String, i64), Vec<ReferenceRow>> = BTreeMap::new();
        for row in rows {
            by_key.entry((row.from_table.clone(), row.id)).or_default().push(row);
        }
        let references = by_key.into_values().filter_map(|rows| reference(&tables, rows));
        Ok(Catalogue {
            references: references.collect::<Result<_>>()?,
            tables,
        })
    }

    /// The index of a table.
    pub fn table(&self, name: &str) -> Option<usize> {
        self.tables.iter().position(|table| table.name == name)
    }

    /// Returns the foreign keys that refer to a table, those of the most dependent tables first. For a course this puts enrollments before
    /// modules and their pages, which is the order in which a visit locks them.
    pub fn references_to(&self, table: usize) -> Vec<&Reference> {
        let mut found: Vec<_> = self
            .references
            .iter()
            .filter(|reference| reference.to == table)
            .collect();
        found.sort_by_key(|reference| std::cmp::Reverse(reference.from));
        found
    }

    /// The foreign keys of a table.
    pub fn references_from(&self, table: usize) -> impl Iterator<Item = &Reference> {
        self.references.iter().filter(move |reference| reference.from == table)
    }
}

impl Table {
    /// The index of a column.
    pub fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.name == name)
    }

    /// The columns with these indexes.
    pub(super) fn columns_at<'a>(&'a self, indexes: &'a [usize]) -> impl Iterator<Item = &'a Column> {
        indexes.iter().filter_map(|index| self.columns.get(*index))
    }
}

/// A foreign key of its rows, one per column. None if it is of or to a table that is derived or never copied.
fn reference(tables: &[Table], mut rows: Vec<ReferenceRow>) -> Option<Result<Reference>> {
    rows.sort_by_key(|row| row.place);
    let first = rows.first()?;
    let index = |name: &str| tables.iter().position(|table| table.name == name);
    let (from, to) = (index(&first.from_table)?, index(&first.to_table)?);
    let on_delete = match first.on_delete.as_str() {
        "CASCADE" => OnDelete::Cascade,
        "SET NULL" => OnDelete::SetNull,
        "NO ACTION" | "RESTRICT" => OnDelete::Refuse,
        other => {
            let what = format!("a foreign key of {} has the action {other}", first.from_table);
            return Some(Err(sqlx::Error::Protocol(what)));
        }
    };
    let (from_table, to_table) = (tables.get(from)?, tables.get(to)?);
    let columns = rows.iter().map(|row| {
        let from = from_table.column(&row.from_column)?;
        // SQLite leaves out the columns of a reference to the primary key.
        let to = match &row.to_column {
            Some(name) => to_table.column(name)?,
            None => *to_table.key.get(usize::try_from(row.place).ok()?)?,
        };
        Some((from, to))
    });
    let (from_columns, to_columns) = columns.collect::<Option<Vec<_>>>()?.into_iter().unzip();
    Some(Ok(Reference {
        from,
        from_columns,
        to,
        to_columns,
        on_delete,
    }))
}

const SQLITE_REFERENCES: &str =
    "SELECT t.name AS from_table, CAST(r.id AS BIGINT) AS id, CAST(r.seq AS BIGINT) AS place,
    r.\"from\" AS from_column, r.\"table\" AS to_table, r.\"to\" AS to_column, r.on_delete AS on_delete
    FROM sqlite_master t JOIN pragma_foreign_key_list(t.name) r WHERE t.type = 'table'";

const POSTGRES_REFERENCES: &str = "SELECT CAST(t.relname AS TEXT) AS from_table, CAST(f.oid AS BIGINT) AS id,
    CAST(k.place AS BIGINT) AS place, CAST(a.attname AS TEXT) AS from_column, CAST(p.relname AS TEXT) AS to_table,
    CAST(b.attname AS TEXT) AS to_column,
    CASE f.confdeltype WHEN 'c' THEN 'CASCADE' WHEN 'n' THEN 'SET NULL' WHEN 'd' THEN 'SET DEFAULT' ELSE 'NO ACTION' END AS on_delete
    FROM pg_constraint f JOIN pg_class t ON t.oid = f.conrelid JOIN pg_class p ON p.oid = f.confrelid
    CROSS JOIN LATERAL unnest(f.conkey, f.confkey) WITH ORDINALITY AS k (from_no, to_no, place)
    JOIN pg_attribute a ON a.attrelid = f.conrelid AND a.attnum = k.from_no
    JOIN pg_attribute b ON b.attrelid = f.confrelid AND b.attnum = k.to_no
    WHERE f.contype = 'f' AND t.relnamespace = CAST(current_schema() AS regnamespace)";
