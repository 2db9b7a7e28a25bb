//! Puts the rows of an entry back into their tables, a chunk at a time.

use std::collections::{BTreeSet, HashSet};

use uuid::Uuid;

use crate::backup::rows::value;
use crate::courses::sharing::{is_taken, new_code};
use crate::deletion::chunk;
use crate::trash::{EntryRow, TrashKind};
use kurso_base::error::{Error, Result, is_foreign_key_violation};
use kurso_base::ids::TrashEntryId;
use kurso_base::messages::Message;
use kurso_db::parts;
use kurso_db::references::Catalogue;
use kurso_db::tables::{Fields, Value};
use kurso_db::{Tx, sql};

/// Chunks read at a time.
const CHUNKS: i64 = 32;

/// The most rows and bytes of text that are collected for one call of [`parts::put`].
const ROWS: usize = 500;
const BYTES: usize = 1024 * 1024;

/// The tables of an enrollment, and those that have the same rows of an ended one.
const OF_ENROLLMENTS: [(&str, &str); 4] = [
    ("visits", "ended_visits"),
    ("attempts", "ended_attempts"),
    ("extra_attempts", "ended_extra_attempts"),
    ("practice_cards", "ended_practice_cards"),
];

/// Where a part is restored.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub parent: Uuid,
    pub position: i64,
}

/// Rows of one table.
#[derive(Default)]
struct Batch {
    table: String,
    /// As stored, JSON.
    columns: String,
    are_links: bool,
    rows: Vec<Fields>,
    bytes: usize,
}

pub(super) struct Restoring<'a> {
    catalogue: Catalogue,
    entry: &'a EntryRow,
    place: Place,
    /// Restored pages.
    pub pages: Vec<Uuid>,
    /// Learners whose visits or attempts were restored.
    pub enrollments: BTreeSet<Uuid>,
}

#[derive(sqlx::FromRow)]
struct Chunk {
    seq: i64,
    table_name: String,
    columns: String,
    are_links: bool,
    rows: Vec<u8>,
}

impl<'a> Restoring<'a> {
    pub async fn new(tx: &mut Tx, entry: &'a EntryRow, place: Place) -> Result<Self> {
        Ok(Restoring {
            catalogue: Catalogue::read(tx).await?,
            entry,
            place,
            pages: vec![],
            enrollments: BTreeSet::new(),
        })
    }

    /// Inserts all rows, referenced ones before those that refer to them.
    pub async fn run(&mut self, tx: &mut Tx) -> Result<()> {
        let mut before = i64::MAX;
        let mut batch = Batch::default();
        loop {
            let chunks = read_chunks(tx, self.entry.id, before).await?;
            let Some(last) = chunks.last() else { break };
            before = last.seq;
            for chunk in chunks {
                let is_same = batch.table == chunk.table_name
                    && batch.columns == chunk.columns
                    && batch.are_links == chunk.are_links;
                if !is_same || batch.rows.len() >= ROWS || batch.bytes >= BYTES {
                    self.put(tx, std::mem::take(&mut batch)).await?;
                    batch.table = chunk.table_name;
                    batch.columns = chunk.columns;
                    batch.are_links = chunk.are_links;
                }
                let lines = chunk::inflate(&chunk.rows).map_err(Error::internal)?;
                batch.bytes += lines.len();
                let rows = self.read(&batch.table, &batch.columns, &lines)?;
                batch.rows.extend(rows);
            }
        }
        self.put(tx, batch).await
    }

    /// The columns that the table still has, with their place among those of a chunk.
    fn columns(&self, table: &str, names: &str) -> Result<Vec<(usize, usize)>> {
        let names: Vec<String> = serde_json::from_str(names).map_err(Error::internal)?;
        let table = self
            .catalogue
            .table(table)
            .and_then(|index| self.catalogue.tables.get(index));
        let found = names.iter().enumerate();
        Ok(found
            .filter_map(|(place, name)| Some((table?.column(name)?, place)))
            .collect())
    }

    /// Parses lines of JSON. Fields of columns that are gone are left out.
    fn read(&self, table: &str, names: &str, lines: &[u8]) -> Result<Vec<Fields>> {
        let columns = self.columns(table, names)?;
        let Some(table) = self
            .catalogue
            .table(table)
            .and_then(|index| self.catalogue.tables.get(index))
        else {
            return Ok(vec![]);
        };
        let damaged = || Error::internal(format!("a row of {} in the trash cannot be read", table.name));
        let rows = chunk::parse(lines).map(|fields| {
            let mut fields = fields.map_err(Error::internal)?;
            let fields = columns.iter().map(|(column, place)| {
                let kind = table.columns.get(*column)?.kind;
                value(kind, fields.get_mut(*place)?.take())
            });
            fields.collect::<Option<Fields>>().ok_or_else(damaged)
        });
        rows.collect()
    }

    async fn put(&mut self, tx: &mut Tx, batch: Batch) -> Result<()> {
        if batch.rows.is_empty() {
            return Ok(());
        }
        let columns: Vec<usize> = self
            .columns(&batch.table, &batch.columns)?
            .into_iter()
            .map(|(column, _)| column)
            .collect();
        let Some(table) = self.catalogue.table(&batch.table) else {
            return Ok(());
        };
        if batch.are_links {
            return Ok(parts::set_links(&self.catalogue, tx, table, &columns, batch.rows).await?);
        }
        let pair = OF_ENROLLMENTS
            .iter()
            .find(|(current, ended)| [*current, *ended].contains(&batch.table.as_str()));
        let Some((current, ended)) = pair else {
            return self.insert(tx, table, &columns, batch.rows).await;
        };
        // A learner may have left the course or enrolled again since: the rows go to the table of the enrollment's state.
        let names = self.names(table, &columns);
        let Some(place) = names.iter().position(|name| name == "enrollment_id") else {
            return Ok(());
        };
        let enrolled = enrolled(tx, batch.rows.iter().filter_map(|row| row.get(place))).await?;
        let (of_enrolled, of_ended): (Vec<_>, Vec<_>) = batch
            .rows
            .into_iter()
            .partition(|row| matches!(row.get(place), Some(Value::Uuid(id)) if enrolled.contains(id)));
        for (name, rows) in [(current, of_enrolled), (ended, of_ended)] {
            let Some(table) = self.catalogue.table(name) else {
                continue;
            };
            let Some(stored) = self.catalogue.tables.get(table) else {
                continue;
            };
            // Both tables have the same columns.
            let there: Option<Vec<usize>> = names.iter().map(|name| stored.column(name)).collect();
            let there = there.ok_or_else(|| Error::internal(format!("{name} lacks a column")))?;
            self.insert(tx, table, &there, rows).await?;
        }
        Ok(())
    }

    fn names(&self, table: usize, columns: &[usize]) -> Vec<String> {
        let Some(table) = self.catalogue.tables.get(table) else {
            return vec![];
        };
        let columns = columns.iter().filter_map(|index| table.columns.get(*index));
        columns.map(|column| column.name.clone()).collect()
    }

    async fn insert(&mut self, tx: &mut Tx, table: usize, columns: &[usize], mut rows: Vec<Fields>) -> Result<()> {
        if rows.is_empty() {
            return Ok(());
        }
        let names = self.names(table, columns);
        let place = |column: &str| names.iter().position(|name| name == column);
        let table_name = self.catalogue.tables.get(table).map_or("", |table| table.name.as_str());
        if table_name == self.entry.kind.table() {
            self.move_part(&names, &mut rows);
        }
        match table_name {
            "courses" | "groups" => renew_codes(tx, place("share_code"), &mut rows).await?,
            "attempts" => clear_submissions(tx, place("enrollment_id"), place("submission_id"), &mut rows).await?,
            _ => {}
        }
        let ids = |column: &str, rows: &[Fields]| -> Vec<Uuid> {
            let fields = rows.iter().filter_map(|row| row.get(place(column)?));
            fields
                .filter_map(|field| match field {
                    Value::Uuid(id) => Some(*id),
                    _ => None,
                })
                .collect()
        };
        let of_pages = (table_name == "pages").then_some("id");
        let of_enrollments = OF_ENROLLMENTS
            .iter()
            .any(|(current, _)| *current == table_name)
            .then_some("enrollment_id");
        let inserted = match parts::put(&self.catalogue, tx, table, columns, rows).await {
            Ok(inserted) => inserted,
            Err(sqlx::Error::RowNotFound) => return Err(Error::Conflict(Message::TrashConflict)),
            // A referenced row was deleted after it was found.
            Err(error) if is_foreign_key_violation(&error) => return Err(Error::Busy),
            Err(error) => return Err(error.into()),
        };
        if let Some(column) = of_pages {
            self.pages.extend(ids(column, &inserted));
        }
        if let Some(column) = of_enrollments {
            self.enrollments.extend(ids(column, &inserted));
        }
        Ok(())
    }

    /// Sets the parent and the position of the restored part itself.
    fn move_part(&self, names: &[String], rows: &mut [Fields]) {
        let parent = match self.entry.kind {
            TrashKind::Course => return,
            TrashKind::Module => "course_id",
            TrashKind::Lesson => "module_id",
            TrashKind::Page => "lesson_id",
        };
        let place = |column: &str| names.iter().position(|name| name == column);
        let (Some(id), Some(parent), Some(position)) = (place("id"), place(parent), place("position")) else {
            return;
        };
        for row in rows {
            if row.get(id) == Some(&Value::Uuid(self.entry.part_id)) {
                for (field, value) in [
                    (parent, Value::Uuid(self.place.parent)),
                    (position, Value::Int(self.place.position)),
                ] {
                    if let Some(field) = row.get_mut(field) {
                        *field = value;
                    }
                }
            }
        }
    }
}

async fn read_chunks(tx: &mut Tx, entry: TrashEntryId, before: i64) -> Result<Vec<Chunk>> {
    let chunks = sql!(
        "SELECT seq, table_name, columns, are_links, rows FROM trash_rows WHERE entry_id = $1 AND seq < $2 ORDER BY seq DESC LIMIT $3",
        entry,
        before,
        CHUNKS
    );
    Ok(chunks.fetch_all(tx).await?)
}

/// Returns those of the enrollments that have not ended.
async fn enrolled(tx: &mut Tx, ids: impl Iterator<Item = &Value>) -> Result<HashSet<Uuid>> {
    let ids: BTreeSet<Uuid> = ids
        .filter_map(|id| match id {
            Value::Uuid(id) => Some(*id),
            _ => None,
        })
        .collect();
    let found = sql!("SELECT id FROM enrollments WHERE id IN ").push_in(ids);
    let found = found.fetch_all::<(Uuid,)>(tx).await?;
    Ok(found.into_iter().map(|(id,)| id).collect())
}

/// Replaces share codes that were given to another course or group meanwhile.
async fn renew_codes(tx: &mut Tx, place: Option<usize>, rows: &mut [Fields]) -> Result<()> {
    for row in rows {
        let field = place.and_then(|place| row.get_mut(place));
        let Some(Value::Text(code)) = field else { continue };
        while is_taken(&mut *tx, code).await? {
            *code = new_code();
        }
    }
    Ok(())
}

/// Clears the ids by which clients repeat a submission where the learner has used them for another one meanwhile.
async fn clear_submissions(
    tx: &mut Tx,
    enrollment: Option<usize>,
    submission: Option<usize>,
    rows: &mut [Fields],
) -> Result<()> {
    let (Some(enrollment), Some(submission)) = (enrollment, submission) else {
        return Ok(());
    };
    let pair = |row: &Fields| match (row.get(enrollment), row.get(submission)) {
        (Some(Value::Uuid(enrollment)), Some(Value::Uuid(submission))) => Some((*enrollment, *submission)),
        _ => None,
    };
    let submissions: Vec<Uuid> = rows.iter().filter_map(pair).map(|(_, submission)| submission).collect();
    let enrollments: BTreeSet<Uuid> = rows.iter().filter_map(pair).map(|(enrollment, _)| enrollment).collect();
    if submissions.is_empty() {
        return Ok(());
    }
    let used = sql!("SELECT enrollment_id, submission_id FROM attempts WHERE enrollment_id IN ")
        .push_in(enrollments)
        .push(" AND submission_id IN ")
        .push_in(submissions)
        .fetch_all::<(Uuid, Uuid)>(tx)
        .await?;
    let used: HashSet<(Uuid, Uuid)> = used.into_iter().collect();
    for row in rows {
        if pair(row).is_some_and(|pair| used.contains(&pair))
            && let Some(field) = row.get_mut(submission)
        {
            *field = Value::Null;
        }
    }
    Ok(())
}
