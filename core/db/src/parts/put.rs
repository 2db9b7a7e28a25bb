//! Inserts rows that [`super::take`] has taken. A row whose referenced row no longer exists follows the action of the foreign key.

use std::collections::{BTreeMap, BTreeSet};

use super::super::references::{Catalogue, OnDelete, Reference};
use super::super::tables::{Fields, Table, Value, pushed};
use super::super::{Result, Sql, Tx};
use super::{BATCH, fetch, fields_at, name, push_in, tuple};

/// Inserts rows with these columns; other columns take their defaults. Leaves out rows that belong to a row that is gone, and clears
/// references to one that may be NULL. Returns the inserted rows. Fails with [`sqlx::Error::RowNotFound`] if a row conflicts with a stored
/// one, so that none is lost in silence.
pub async fn put(
    catalogue: &Catalogue,
    tx: &mut Tx,
    table: usize,
    columns: &[usize],
    mut rows: Vec<Fields>,
) -> Result<Vec<Fields>> {
    let stored = catalogue.tables.get(table).ok_or(sqlx::Error::RowNotFound)?;
    for reference in catalogue.references_from(table) {
        rows = follow(catalogue, tx, reference, columns, rows).await?;
    }
    let names: Vec<String> = stored
        .columns_at(columns)
        .map(|column| format!("\"{}\"", column.name))
        .collect();
    for rows in rows.chunks(stored.rows_per_statement()) {
        let sql = Sql::built(format!(
            "INSERT INTO \"{}\" ({}) VALUES ",
            stored.name,
            names.join(", ")
        ));
        let sql = sql.push_values(rows, |mut sql, row| {
            for (index, (column, value)) in stored.columns_at(columns).zip(row).enumerate() {
                sql = pushed(if index > 0 { sql.push(", ") } else { sql }, column.kind, value);
            }
            sql
        });
        let inserted = sql.push(" ON CONFLICT DO NOTHING").execute(&mut *tx).await?;
        if usize::try_from(inserted) != Ok(rows.len()) {
            return Err(sqlx::Error::RowNotFound);
        }
    }
    Ok(rows)
}

/// Applies a foreign key to rows whose referenced row is gone.
async fn follow(
    catalogue: &Catalogue,
    tx: &mut Tx,
    reference: &Reference,
    columns: &[usize],
    mut rows: Vec<Fields>,
) -> Result<Vec<Fields>> {
    let place = |column: &usize| columns.iter().position(|stored| stored == column);
    let places: Option<Vec<usize>> = reference.from_columns.iter().map(place).collect();
    // A reference that was added after the rows were taken is NULL.
    let Some(places) = places else { return Ok(rows) };
    let mut there = existing(
        catalogue,
        tx,
        reference,
        rows.iter().filter_map(|row| fields_at(row, &places)),
    )
    .await?;
    if reference.from == reference.to {
        let own: Option<Vec<usize>> = reference.to_columns.iter().map(place).collect();
        let own = own.unwrap_or_default();
        there.extend(
            rows.iter()
                .filter_map(|row| fields_at(row, &own))
                .map(|fields| name(&fields)),
        );
    }
    let is_there = |row: &Fields| fields_at(row, &places).is_none_or(|fields| there.contains(&name(&fields)));
    match reference.on_delete {
        OnDelete::Cascade | OnDelete::Refuse => rows.retain(is_there),
        OnDelete::SetNull => {
            for row in rows.iter_mut().filter(|row| !is_there(row)) {
                for place in &places {
                    if let Some(field) = row.get_mut(*place) {
                        *field = Value::Null;
                    }
                }
            }
        }
    }
    Ok(rows)
}

/// Which of the values the referenced table has.
async fn existing(
    catalogue: &Catalogue,
    tx: &mut Tx,
    reference: &Reference,
    values: impl Iterator<Item = Fields>,
) -> Result<BTreeSet<String>> {
    let Some(parent) = catalogue.tables.get(reference.to) else {
        return Ok(BTreeSet::new());
    };
    let values: BTreeMap<String, Fields> = values.map(|fields| (name(&fields), fields)).collect();
    let values: Vec<Fields> = values.into_values().collect();
    let kinds: Vec<_> = parent
        .columns_at(&reference.to_columns)
        .map(|column| column.kind)
        .collect();
    let columns: Vec<_> = parent
        .columns_at(&reference.to_columns)
        .map(super::super::tables::selected)
        .collect();
    let mut found = BTreeSet::new();
    for values in values.chunks(BATCH) {
        let sql = Sql::built(format!(
            "SELECT {} FROM \"{}\" WHERE {}",
            columns.join(", "),
            parent.name,
            tuple(parent, &reference.to_columns)
        ));
        let rows = fetch(tx, push_in(sql, parent, &reference.to_columns, values), &kinds).await?;
        found.extend(rows.iter().map(name));
    }
    Ok(found)
}

/// Sets references that became NULL when the rows were taken, where they are still NULL and the row that they refer to exists. `columns`
/// are those of the key and of the reference.
pub async fn set_links(
    catalogue: &Catalogue,
    tx: &mut Tx,
    table: usize,
    columns: &[usize],
    rows: Vec<Fields>,
) -> Result<()> {
    let stored = catalogue.tables.get(table).ok_or(sqlx::Error::RowNotFound)?;
    let linking: Vec<usize> = columns
        .iter()
        .copied()
        .filter(|column| !stored.key.contains(column))
        .collect();
    let set_null = |reference: &&Reference| {
        reference.on_delete == OnDelete::SetNull && reference.from_columns.iter().all(|column| columns.contains(column))
    };
    let mut rows = rows;
    for reference in catalogue.references_from(table).filter(set_null) {
        rows = follow(catalogue, tx, reference, columns, rows).await?;
    }
    for row in rows {
        if let Some(sql) = link(stored, columns, &linking, &row) {
            sql.execute(&mut *tx).await?;
        }
    }
    Ok(())
}

/// The statement that sets the references of one row; None if they refer to nothing.
fn link<'q>(table: &Table, columns: &[usize], linking: &[usize], row: &'q Fields) -> Option<Sql<'q>> {
    let field = |column: &usize| row.get(columns.iter().position(|stored| stored == column)?);
    let mut sql = Sql::built(format!("UPDATE \"{}\" SET ", table.name));
    for (index, column) in linking.iter().enumerate() {
        let (value, stored) = (field(column)?, table.columns.get(*column)?);
        if *value == Value::Null {
            return None;
        }
        sql = sql.and(&format!("{}\"{}\" = ", if index > 0 { ", " } else { "" }, stored.name));
        sql = pushed(sql, stored.kind, value);
    }
    for (index, column) in table.key.iter().enumerate() {
        let (value, stored) = (field(column)?, table.columns.get(*column)?);
        sql = sql.and(&format!(
            " {} \"{}\" = ",
            if index > 0 { "AND" } else { "WHERE" },
            stored.name
        ));
        sql = pushed(sql, stored.kind, value);
    }
    for stored in table.columns_at(linking) {
        sql = sql.and(&format!(" AND \"{}\" IS NULL", stored.name));
    }
    Some(sql)
}
