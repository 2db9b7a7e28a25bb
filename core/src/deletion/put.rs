//! Moves a part of a course, or a course, to the trash.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;

use chrono::{DateTime, Utc};
use flate2::Compression;
use flate2::write::DeflateEncoder;
use uuid::Uuid;

use super::{Above, Part, TrashKind, retention};
use crate::backup::rows;
use kurso_base::error::{Error, Result};
use kurso_base::ids::{CourseId, LessonId, ModuleId, TrashEntryId, UserId};
use kurso_db::parts::{Sink, Taken, take};
use kurso_db::references::Catalogue;
use kurso_db::tables::Value;
use kurso_db::{Tx, args, newest, sql};

/// Chunks in one statement.
const CHUNKS: usize = 100;

/// Where a part was before it was deleted.
#[derive(Clone, Debug)]
pub(crate) struct Deleted {
    pub position: i64,
    /// The module of a lesson, the lesson of a page, the course of a module.
    pub parent: Uuid,
    /// How many learners were enrolled in a deleted course.
    pub enrollments: u64,
}

struct Found {
    course: CourseId,
    course_title: String,
    owner: Option<UserId>,
    title: Option<String>,
    above: Vec<Above>,
    position: i64,
}

/// Moves a part with everything that belongs to it to the trash. The caller has locked the course, and closes the gap among the siblings.
/// None if the part does not exist.
pub(crate) async fn put(tx: &mut Tx, part: impl Into<Part>, by: UserId, now: DateTime<Utc>) -> Result<Option<Deleted>> {
    let part = part.into();
    let Some(found) = find(tx, part).await? else {
        return Ok(None);
    };
    let entry = TrashEntryId::new();
    let parent = found.above.last().map_or(found.course.0, |above| above.id);
    sql!(
        "INSERT INTO trash_entries (id, kind, part_id, title, course_id, course_title, owner_id, parent_id, place, position, page_count,
           attempt_count, deleted_by, deleted_at, expires_at, schema_version)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 0, 0, $11, $12, $13, $14)",
        entry,
        part.kind,
        part.id,
        found.title,
        found.course,
        found.course_title,
        found.owner,
        (part.kind != TrashKind::Course).then_some(parent),
        serde_json::to_string(&found.above).map_err(Error::internal)?,
        found.position,
        by,
        now,
        now + retention(),
        newest()
    )
    .execute(&mut *tx)
    .await?;
    let catalogue = Catalogue::read(tx).await?;
    let mut chunks = Chunks {
        catalogue: &catalogue,
        entry,
        seq: 0,
        counts: BTreeMap::new(),
    };
    take(
        &catalogue,
        tx,
        part.kind.table(),
        vec![Value::Uuid(part.id)],
        &mut chunks,
    )
    .await?;
    let count = |table: &str| chunks.counts.get(table).copied().unwrap_or_default();
    sql!(
        "UPDATE trash_entries SET page_count = $2, attempt_count = $3 WHERE id = $1",
        entry,
        count("pages"),
        count("attempts")
    )
    .execute(tx)
    .await?;
    Ok(Some(Deleted {
        position: found.position,
        parent,
        enrollments: u64::try_from(count("enrollments")).unwrap_or_default(),
    }))
}

async fn find(tx: &mut Tx, part: Part) -> Result<Option<Found>> {
    type ModuleRow = (Option<String>, i64, CourseId, String);
    type LessonRow = (Option<String>, i64, CourseId, String, ModuleId, String);
    type PageRow = (
        Option<String>,
        i64,
        CourseId,
        String,
        ModuleId,
        String,
        LessonId,
        String,
    );
    Ok(match part.kind {
        TrashKind::Course => {
            let course = sql!("SELECT title, owner_id FROM courses WHERE id = $1", part.id);
            let found = course.fetch_optional::<(String, UserId)>(tx).await?;
            found.map(|(title, owner)| Found {
                course: CourseId(part.id),
                course_title: title.clone(),
                owner: Some(owner),
                title: Some(title),
                above: vec![],
                position: 0,
            })
        }
        TrashKind::Module => {
            let module = sql!(
                "SELECT m.title, m.position, c.id, c.title FROM modules m JOIN courses c ON c.id = m.course_id WHERE m.id = $1",
                part.id
            );
            let found = module.fetch_optional::<ModuleRow>(tx).await?;
            found.map(|(title, position, course, course_title)| Found {
                course,
                course_title,
                owner: None,
                title,
                above: vec![],
                position,
            })
        }
        TrashKind::Lesson => {
            let lesson = sql!(
                "SELECT l.title, l.position, c.id, c.title, m.id, m.title
                 FROM lessons l JOIN modules m ON m.id = l.module_id JOIN courses c ON c.id = l.course_id WHERE l.id = $1",
                part.id
            );
            let found = lesson.fetch_optional::<LessonRow>(tx).await?;
            found.map(|(title, position, course, course_title, module, module_title)| Found {
                course,
                course_title,
                owner: None,
                title,
                above: vec![above(module.0, module_title)],
                position,
            })
        }
        TrashKind::Page => {
            let page = sql!(
                "SELECT p.title, p.position, c.id, c.title, m.id, m.title, l.id, l.title
                 FROM pages p JOIN lessons l ON l.id = p.lesson_id JOIN modules m ON m.id = l.module_id
                 JOIN courses c ON c.id = p.course_id WHERE p.id = $1",
                part.id
            );
            let found = page.fetch_optional::<PageRow>(tx).await?;
            found.map(
                |(title, position, course, course_title, module, module_title, lesson, lesson_title)| Found {
                    course,
                    course_title,
                    owner: None,
                    title,
                    above: vec![above(module.0, module_title), above(lesson.0, lesson_title)],
                    position,
                },
            )
        }
    })
}

fn above(id: Uuid, title: String) -> Above {
    Above { id, title }
}

/// Writes rows to the trash, one chunk for each person.
struct Chunks<'a> {
    catalogue: &'a Catalogue,
    entry: TrashEntryId,
    seq: i64,
    /// Rows by table.
    counts: BTreeMap<String, i64>,
}

impl Sink for Chunks<'_> {
    async fn add(&mut self, tx: &mut Tx, taken: Taken<'_>) -> kurso_db::Result<()> {
        if taken.rows.is_empty() {
            return Ok(());
        }
        if !taken.are_links {
            let count = i64::try_from(taken.rows.len()).unwrap_or(i64::MAX);
            let counted = self.counts.entry(taken.table.name.clone()).or_default();
            *counted = counted.saturating_add(count);
            self.keep_files(tx, &taken).await?;
        }
        let columns = taken.columns.iter().filter_map(|index| taken.table.columns.get(*index));
        let columns: Vec<&str> = columns.map(|column| column.name.as_str()).collect();
        let columns = serde_json::to_string(&columns).map_err(|error| sqlx::Error::Encode(error.into()))?;
        let mut by_person: BTreeMap<Option<Uuid>, DeflateEncoder<Vec<u8>>> = BTreeMap::new();
        let mut line = vec![];
        for row in &taken.rows {
            line.clear();
            rows::write(&row.fields, &mut line).map_err(|error| sqlx::Error::Encode(error.into()))?;
            let chunk = by_person
                .entry(row.person)
                .or_insert_with(|| DeflateEncoder::new(vec![], Compression::fast()));
            chunk.write_all(&line)?;
        }
        let mut chunks = vec![];
        for (person, chunk) in by_person {
            self.seq += 1;
            chunks.push((self.seq, person, chunk.finish()?));
        }
        for chunks in chunks.chunks(CHUNKS) {
            sql!("INSERT INTO trash_rows (entry_id, seq, table_name, columns, are_links, user_id, rows) VALUES ")
                .push_rows(chunks, |(seq, person, rows)| {
                    args![
                        self.entry,
                        *seq,
                        taken.table.name.as_str(),
                        columns.as_str(),
                        taken.are_links,
                        *person,
                        rows.as_slice()
                    ]
                })
                .execute(&mut *tx)
                .await?;
        }
        Ok(())
    }
}

impl Chunks<'_> {
    /// Keeps the files that rows refer to from the cleanup.
    async fn keep_files(&self, tx: &mut Tx, taken: &Taken<'_>) -> kurso_db::Result<()> {
        let (Some(files), Some(table)) = (self.catalogue.table("files"), self.catalogue.table(&taken.table.name))
        else {
            return Ok(());
        };
        let mut kept: BTreeSet<(Uuid, Option<Uuid>)> = BTreeSet::new();
        for reference in self
            .catalogue
            .references_from(table)
            .filter(|reference| reference.to == files)
        {
            for column in &reference.from_columns {
                for row in &taken.rows {
                    if let Some(Value::Uuid(file)) = row.fields.get(*column) {
                        kept.insert((*file, row.person));
                    }
                }
            }
        }
        let kept: Vec<_> = kept.into_iter().collect();
        for kept in kept.chunks(CHUNKS) {
            sql!("INSERT INTO trash_files (entry_id, file_id, user_id) VALUES ")
                .push_rows(kept, |(file, person)| args![self.entry, *file, *person])
                .push(" ON CONFLICT (entry_id, file_id) DO NOTHING")
                .execute(&mut *tx)
                .await?;
        }
        Ok(())
    }
}
