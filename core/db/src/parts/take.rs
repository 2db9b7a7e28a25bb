//! Deletes a row with everything that depends on it, row by row in Rust instead of by the database, and hands the rows to a [`Sink`].
//!
//! A row is handed over after all rows that depend on it. So the reverse order is one in which they can be inserted again.

use std::collections::BTreeMap;
use std::future::Future;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use uuid::Uuid;

use super::super::references::{Catalogue, OnDelete, Reference};
use super::super::tables::{ColumnType, Fields, Table, Value, selected};
use super::super::{Result, Sql, Tx};
use super::{BATCH, Taken, TakenRow, fetch, fields_at, name, push_in, tuple};

/// How much text the rows of one statement may have together; a single row may have more.
const BATCH_BYTES: i64 = 1024 * 1024;

/// Parents in one statement.
const PARENTS: usize = 200;

/// The table of accounts.
const USERS: &str = "users";

/// Receives the rows.
pub trait Sink: Send {
    fn add(&mut self, tx: &mut Tx, taken: Taken<'_>) -> impl Future<Output = Result<()>> + Send;
}

/// Deletes the row of this table with this primary key and all rows that refer to it by a cascading foreign key, directly or not. Rows
/// whose reference becomes NULL are handed over as links. On PostgreSQL, every row is locked before its dependants are read, so that none
/// is added meanwhile.
pub async fn take(catalogue: &Catalogue, tx: &mut Tx, table: &str, key: Fields, sink: &mut impl Sink) -> Result<()> {
    let index = catalogue.table(table).ok_or(sqlx::Error::RowNotFound)?;
    let columns = catalogue.tables.get(index).map(|table| table.key.clone());
    let rows = Selection {
        table: index,
        columns: &columns.unwrap_or_default(),
        values: &[key],
    };
    take_rows(catalogue, tx, rows, sink).await
}

/// The rows with one of these values in these columns.
#[derive(Clone, Copy)]
struct Selection<'a> {
    table: usize,
    columns: &'a [usize],
    values: &'a [Fields],
}

fn take_rows<'a>(
    catalogue: &'a Catalogue,
    tx: &'a mut Tx,
    from: Selection<'a>,
    sink: &'a mut impl Sink,
) -> BoxFuture<'a, Result<()>> {
    async move {
        let Some(table) = catalogue.tables.get(from.table) else {
            return Ok(());
        };
        let references = catalogue.references_to(from.table);
        let mut needed = table.key.clone();
        for column in references.iter().flat_map(|reference| &reference.to_columns) {
            if !needed.contains(column) {
                needed.push(*column);
            }
        }
        let place = |column: &usize| needed.iter().position(|needed| needed == column);
        for values in from.values.chunks(PARENTS) {
            loop {
                let found = lock_batch(catalogue, tx, &needed, Selection { values, ..from }).await?;
                if found.is_empty() {
                    break;
                }
                for group in groups(found) {
                    for reference in &references {
                        let places: Vec<usize> = reference.to_columns.iter().filter_map(place).collect();
                        let values: Vec<Fields> =
                            group.iter().filter_map(|row| fields_at(&row.fields, &places)).collect();
                        let dependants = Selection {
                            table: reference.from,
                            columns: &reference.from_columns,
                            values: &values,
                        };
                        match reference.on_delete {
                            OnDelete::Cascade => take_rows(catalogue, &mut *tx, dependants, &mut *sink).await?,
                            OnDelete::SetNull => take_links(catalogue, &mut *tx, dependants, &mut *sink).await?,
                            OnDelete::Refuse => {}
                        }
                    }
                    let places: Vec<usize> = table.key.iter().filter_map(place).collect();
                    let people = group
                        .iter()
                        .filter_map(|row| Some((fields_at(&row.fields, &places)?, row.person)));
                    let taken = delete(tx, table, people.collect()).await?;
                    if taken.rows.is_empty() {
                        // Without this error, the loop would not terminate.
                        return Err(sqlx::Error::Protocol(format!(
                            "rows of {} cannot be deleted",
                            table.name
                        )));
                    }
                    sink.add(tx, taken).await?;
                }
            }
        }
        Ok(())
    }
    .boxed()
}

/// A row that is locked for deletion.
struct Locked {
    /// Its key, and the columns that other tables refer to.
    fields: Fields,
    person: Option<Uuid>,
    /// Bytes of its texts.
    size: i64,
}

/// Locks some of the rows.
async fn lock_batch(catalogue: &Catalogue, tx: &mut Tx, needed: &[usize], from: Selection<'_>) -> Result<Vec<Locked>> {
    let Some(table) = catalogue.tables.get(from.table) else {
        return Ok(vec![]);
    };
    let columns: Vec<String> = table.columns_at(needed).map(selected).collect();
    let text = |kind| matches!(kind, ColumnType::Text | ColumnType::Bytes);
    let sizes: String = table
        .columns
        .iter()
        .filter(|column| text(column.kind))
        .map(|column| format!(" + COALESCE(octet_length(\"{}\"), 0)", column.name))
        .collect();
    let person = person(catalogue, from.table, "t");
    let sql = Sql::built(format!(
        "SELECT {}, CAST(0{sizes} AS BIGINT){} FROM \"{}\" AS t WHERE {}",
        columns.join(", "),
        person.as_ref().map_or_else(String::new, |person| format!(", {person}")),
        table.name,
        tuple(table, from.columns)
    ));
    let lock = if tx.is_sqlite() { "" } else { " FOR UPDATE" };
    let sql = push_in(sql, table, from.columns, from.values).and(&format!(" LIMIT {BATCH}{lock}"));
    let kinds = table.columns_at(needed).map(|column| column.kind);
    let kinds = kinds
        .chain([ColumnType::Int])
        .chain(person.is_some().then_some(ColumnType::Uuid));
    let rows = fetch(tx, sql, &kinds.collect::<Vec<_>>()).await?;
    Ok(rows
        .into_iter()
        .map(|fields| {
            let TakenRow { person, mut fields } = row(fields, person.is_some());
            let size = match fields.pop() {
                Some(Value::Int(size)) => size,
                _ => 0,
            };
            Locked { fields, person, size }
        })
        .collect())
}

fn groups(rows: Vec<Locked>) -> Vec<Vec<Locked>> {
    let mut groups: Vec<Vec<Locked>> = vec![];
    let mut bytes = 0;
    for row in rows {
        bytes = row.size.saturating_add(bytes);
        match groups.last_mut() {
            Some(group) if bytes <= BATCH_BYTES => group.push(row),
            _ => {
                bytes = row.size;
                groups.push(vec![row]);
            }
        }
    }
    groups
}

/// Deletes the rows with these keys, which belong to these people.
async fn delete<'a>(tx: &mut Tx, table: &'a Table, people: Vec<(Fields, Option<Uuid>)>) -> Result<Taken<'a>> {
    let (keys, people): (Vec<Fields>, Vec<Option<Uuid>>) = people.into_iter().unzip();
    let people: BTreeMap<String, Option<Uuid>> = keys.iter().map(name).zip(people).collect();
    let columns: Vec<String> = table.columns.iter().map(selected).collect();
    let kinds: Vec<ColumnType> = table.columns.iter().map(|column| column.kind).collect();
    let mut rows = Vec::with_capacity(keys.len());
    for keys in keys.chunks(BATCH / table.key.len().max(1)) {
        let sql = Sql::built(format!(
            "DELETE FROM \"{}\" WHERE {}",
            table.name,
            tuple(table, &table.key)
        ));
        let sql = push_in(sql, table, &table.key, keys);
        let sql = sql.and(&format!(" RETURNING {}", columns.join(", ")));
        for fields in fetch(tx, sql, &kinds).await? {
            let person = people.get(&name(&table.key_of(&fields))).copied().flatten();
            rows.push(TakenRow { person, fields });
        }
    }
    Ok(Taken {
        table,
        columns: (0..table.columns.len()).collect(),
        are_links: false,
        rows,
    })
}

/// Splits the id of the person, the last field where one is selected, from the fields of a row.
fn row(mut fields: Fields, has_person: bool) -> TakenRow {
    let person = match has_person.then(|| fields.pop()).flatten() {
        Some(Value::Uuid(person)) => Some(person),
        _ => None,
    };
    TakenRow { person, fields }
}

/// Hands over the keys of rows whose reference is about to become NULL, with the reference.
async fn take_links(catalogue: &Catalogue, tx: &mut Tx, from: Selection<'_>, sink: &mut impl Sink) -> Result<()> {
    let person = person(catalogue, from.table, "t");
    let Some(table) = catalogue.tables.get(from.table) else {
        return Ok(());
    };
    let mut columns = table.key.clone();
    columns.extend(from.columns.iter().filter(|column| !table.key.contains(column)));
    let names: Vec<String> = table.columns_at(&columns).map(selected).collect();
    let person_column = person.as_ref().map_or_else(String::new, |person| format!(", {person}"));
    let kinds = table.columns_at(&columns).map(|column| column.kind);
    let kinds: Vec<ColumnType> = kinds.chain(person.is_some().then_some(ColumnType::Uuid)).collect();
    for values in from.values.chunks(PARENTS) {
        let sql = Sql::built(format!(
            "SELECT {}{person_column} FROM \"{}\" AS t WHERE {}",
            names.join(", "),
            table.name,
            tuple(table, from.columns)
        ));
        let found = fetch(tx, push_in(sql, table, from.columns, values), &kinds).await?;
        let rows: Vec<TakenRow> = found.into_iter().map(|fields| row(fields, person.is_some())).collect();
        if !rows.is_empty() {
            let links = Taken {
                table,
                columns: columns.clone(),
                are_links: true,
                rows,
            };
            sink.add(tx, links).await?;
        }
    }
    Ok(())
}

/// The person that a row belongs to, as SQL over the alias of its table: the account with which it is deleted. None for a table whose rows
/// belong to no one person.
fn person(catalogue: &Catalogue, table: usize, alias: &str) -> Option<String> {
    let cascading = |reference: &&Reference| reference.on_delete == OnDelete::Cascade && reference.from != reference.to;
    let name = |table: usize, column: usize| Some(&catalogue.tables.get(table)?.columns.get(column)?.name);
    let is_users = |table: usize| catalogue.tables.get(table).is_some_and(|table| table.name == USERS);
    let owned = catalogue
        .references_from(table)
        .filter(cascading)
        .find(|reference| is_users(reference.to));
    if let Some(reference) = owned {
        return Some(format!(
            "{alias}.\"{}\"",
            name(table, *reference.from_columns.first()?)?
        ));
    }
    catalogue
        .references_from(table)
        .filter(cascading)
        .find_map(|reference| {
            let inner = format!("{alias}{}", reference.to);
            let person = person(catalogue, reference.to, &inner)?;
            let columns = reference.from_columns.iter().zip(&reference.to_columns);
            let same: Option<Vec<String>> = columns
                .map(|(from, to)| {
                    let (from, to) = (name(table, *from)?, name(reference.to, *to)?);
                    Some(format!("{inner}.\"{to}\" = {alias}.\"{from}\""))
                })
                .collect();
            let parent = &catalogue.tables.get(reference.to)?.name;
            Some(format!(
                "(SELECT {person} FROM \"{parent}\" {inner} WHERE {})",
                same?.join(" AND ")
            ))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_grouped_by_size() {
        let row = |size| Locked {
            fields: vec![],
            person: None,
            size,
        };
        let sizes = |groups: Vec<Vec<Locked>>| groups.iter().map(Vec::len).collect::<Vec<_>>();
        assert_eq!(sizes(groups(vec![])), [0usize; 0]);
        assert_eq!(sizes(groups(vec![row(1), row(2), row(3)])), [3]);
        assert_eq!(
            sizes(groups(vec![row(BATCH_BYTES * 2), row(1), row(BATCH_BYTES)])),
            [1, 1, 1]
        );
        assert_eq!(
            sizes(groups(vec![
                row(BATCH_BYTES / 2),
                row(BATCH_BYTES / 3),
                row(BATCH_BYTES / 2)
            ])),
            [2, 1]
        );
    }
}
