//! Consistency checks of the trash: its rows can be read, and what is in it is nowhere else.

use futures_util::TryStreamExt as _;
use serde_json::Value;
use uuid::Uuid;

use super::{Report, Rule};
use crate::deletion::chunk;
use kurso_base::error::Result;
use kurso_db::{Snapshot, sql};

#[derive(sqlx::FromRow)]
struct Entry {
    id: Uuid,
    place: String,
    is_there: bool,
}

#[derive(sqlx::FromRow)]
struct Chunk {
    entry_id: Uuid,
    seq: i64,
    columns: String,
    rows: Vec<u8>,
}

pub(super) async fn check(on: &mut Snapshot, report: &mut Report) -> Result<()> {
    let entries = sql!(
        "SELECT t.id, t.place, CASE t.kind
           WHEN 'course' THEN EXISTS (SELECT 1 FROM courses c WHERE c.id = t.part_id)
           WHEN 'module' THEN EXISTS (SELECT 1 FROM modules m WHERE m.id = t.part_id)
           WHEN 'lesson' THEN EXISTS (SELECT 1 FROM lessons l WHERE l.id = t.part_id)
           ELSE EXISTS (SELECT 1 FROM pages p WHERE p.id = t.part_id) END AS is_there
         FROM trash_entries t ORDER BY t.id"
    );
    for entry in entries.fetch_all::<Entry>(&mut *on).await? {
        report.checked(Rule::Trash, 1);
        let is_place = serde_json::from_str::<Value>(&entry.place).is_ok_and(|place| place.is_array());
        for (is_wrong, problem) in [
            (entry.is_there, "it is in the trash, but was not deleted"),
            (!is_place, "its place cannot be read"),
        ] {
            if is_wrong {
                report.found(
                    Rule::Trash,
                    format!("trash_entries {}", entry.id),
                    problem.to_owned(),
                    None,
                );
            }
        }
    }
    let chunks = sql!("SELECT entry_id, seq, columns, rows FROM trash_rows ORDER BY entry_id, seq");
    let mut chunks = on.records::<Chunk>(chunks)?;
    while let Some(chunk) = chunks.try_next().await? {
        report.checked(Rule::Trash, 1);
        if !is_readable(&chunk) {
            let at = format!("trash_rows {} {}", chunk.entry_id, chunk.seq);
            report.found(Rule::Trash, at, "its rows cannot be read".to_owned(), None);
        }
    }
    Ok(())
}

fn is_readable(chunk: &Chunk) -> bool {
    let Ok(columns) = serde_json::from_str::<Vec<String>>(&chunk.columns) else {
        return false;
    };
    let Ok(lines) = chunk::inflate(&chunk.rows) else {
        return false;
    };
    chunk::parse(&lines).all(|row| row.is_ok_and(|fields| fields.len() == columns.len()))
}
