//! Puts deleted parts of a course back into a transaction that restores an earlier state of it.

use std::collections::{BTreeMap, HashSet};

use uuid::Uuid;

use super::restore::put_back;
use super::{ENTRIES, EntryRow, TrashKind};
use crate::courses::order::{self, Siblings};
use crate::deletion::chunk;
use kurso_base::error::{Error, Result};
use kurso_base::ids::{CourseId, LessonId, ModuleId, TrashEntryId};
use kurso_db::{Tx, sql};

/// Entries read by one statement.
const ENTRIES_AT_A_TIME: usize = 100;

/// The entries of a course that contain certain parts.
pub(crate) struct Trashed(Vec<EntryRow>);

#[derive(sqlx::FromRow)]
struct Chunk {
    entry_id: TrashEntryId,
    columns: String,
    rows: Vec<u8>,
}

impl Trashed {
    /// Finds the entries that contain one of the parts, also inside of another part. A part is in one entry at most.
    pub async fn find(tx: &mut Tx, course: CourseId, parts: &HashSet<Uuid>) -> Result<Self> {
        if parts.is_empty() {
            return Ok(Trashed(vec![]));
        }
        let rows = sql!(ENTRIES)
            .push("t.owner_id IS NULL AND t.course_id = ")
            .push_bind(course);
        let rows = rows.fetch_all::<EntryRow>(&mut *tx).await?;
        let mut entries: BTreeMap<TrashEntryId, EntryRow> = rows.into_iter().map(|entry| (entry.id, entry)).collect();
        let ids: Vec<TrashEntryId> = entries.keys().copied().collect();
        let mut wanted = HashSet::new();
        for ids in ids.chunks(ENTRIES_AT_A_TIME) {
            let chunks = sql!(
                "SELECT entry_id, columns, rows FROM trash_rows WHERE table_name IN ('modules', 'lessons', 'pages') AND NOT are_links AND entry_id IN "
            )
            .push_in(ids.iter().copied());
            for chunk in chunks.fetch_all::<Chunk>(&mut *tx).await? {
                if !wanted.contains(&chunk.entry_id) && contains(&chunk, parts)? {
                    wanted.insert(chunk.entry_id);
                }
            }
        }
        entries.retain(|id, _| wanted.contains(id));
        Ok(Trashed(entries.into_values().collect()))
    }

    /// Puts back the entries of this kind. `parent` names the part above by the deleted part and by the one that was above it; None leaves
    /// the entry in the trash.
    pub async fn put_back(
        &mut self,
        tx: &mut Tx,
        kind: TrashKind,
        parent: impl Fn(Uuid, Option<Uuid>) -> Option<Uuid>,
    ) -> Result<()> {
        for entry in self.0.extract_if(.., |entry| entry.kind == kind) {
            let Some(above) = parent(entry.part_id, entry.parent_id) else {
                continue;
            };
            let siblings = match kind {
                TrashKind::Page => Siblings::Pages(LessonId(above)),
                TrashKind::Lesson => Siblings::Lessons(ModuleId(above)),
                TrashKind::Module => Siblings::Modules(entry.course_id),
                TrashKind::Course => continue,
            };
            // Locks the entry. Somebody may have deleted it meanwhile.
            let locked = sql!(
                "UPDATE trash_entries SET expires_at = expires_at WHERE id = $1",
                entry.id
            );
            if locked.execute(&mut *tx).await? == 0 {
                continue;
            }
            let position = order::make_room(tx, entry.course_id, siblings, None).await?;
            Box::pin(put_back(tx, &entry, above, position)).await?;
        }
        Ok(())
    }
}

/// Whether one of the rows is one of the parts.
fn contains(chunk: &Chunk, parts: &HashSet<Uuid>) -> Result<bool> {
    let columns: Vec<String> = serde_json::from_str(&chunk.columns).map_err(Error::internal)?;
    let Some(place) = columns.iter().position(|name| name == "id") else {
        return Ok(false);
    };
    let lines = chunk::inflate(&chunk.rows).map_err(Error::internal)?;
    for fields in chunk::parse(&lines) {
        let fields = fields.map_err(Error::internal)?;
        let id = fields
            .get(place)
            .and_then(|id| id.as_str())
            .and_then(|id| Uuid::try_parse(id).ok());
        if id.is_some_and(|id| parts.contains(&id)) {
            return Ok(true);
        }
    }
    Ok(false)
}
