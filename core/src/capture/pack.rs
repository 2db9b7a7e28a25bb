//! The texts of a snapshot: written in parts of about a megabyte, so that memory is bounded, and read a part at a time.

use std::collections::{BTreeSet, HashMap};
use std::io::{Read as _, Write as _};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use kurso_base::error::{Error, Result, of_io};
use kurso_base::ids::{CourseId, SnapshotId};
use kurso_base::messages::Message;
use kurso_base::wire;
use kurso_db::{Db, Tx, sql};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::Outline;

/// Pages read by one statement.
const PAGES: usize = 100;
/// The bytes of text after which a part ends.
const PART: usize = 1 << 20;

/// The texts of a page as its rows have them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, sqlx::FromRow)]
pub(crate) struct Text {
    pub id: Uuid,
    pub content: String,
    pub quiz: Option<String>,
    #[sqlx(skip)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draft: Option<DraftText>,
}

/// The texts of a page draft.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct DraftText {
    pub title: Option<String>,
    pub content: String,
    pub quiz: Option<String>,
}

#[derive(sqlx::FromRow)]
struct DraftRow {
    page_id: Uuid,
    title: Option<String>,
    content: String,
    quiz: Option<String>,
}

impl Text {
    fn size(&self) -> usize {
        let size = |content: &str, quiz: Option<&String>| content.len() + quiz.map_or(0, String::len);
        let draft = self.draft.as_ref();
        size(&self.content, self.quiz.as_ref()) + draft.map_or(0, |draft| size(&draft.content, draft.quiz.as_ref()))
    }
}

/// The present texts of pages of a course by page. Two statements for [`PAGES`] pages, one if no page has a draft.
pub(crate) async fn texts(tx: &mut Tx, course: CourseId, pages: &[(Uuid, bool)]) -> Result<HashMap<Uuid, Text>> {
    let mut found = HashMap::with_capacity(pages.len());
    for pages in pages.chunks(PAGES) {
        let rows = sql!(
            "SELECT c.page_id AS id, c.content, c.quiz FROM page_contents c JOIN pages p ON p.id = c.page_id WHERE p.course_id = $1 AND c.page_id IN ",
            course
        )
        .push_in(pages.iter().map(|(id, _)| *id));
        let rows = rows.fetch_all::<Text>(&mut *tx).await?;
        found.extend(rows.into_iter().map(|text| (text.id, text)));
        let drafted: Vec<Uuid> = pages
            .iter()
            .filter(|(_, is_drafted)| *is_drafted)
            .map(|(id, _)| *id)
            .collect();
        if drafted.is_empty() {
            continue;
        }
        let rows = sql!("SELECT page_id, title, content, quiz FROM page_drafts WHERE page_id IN ").push_in(drafted);
        for row in rows.fetch_all::<DraftRow>(&mut *tx).await? {
            if let Some(text) = found.get_mut(&row.page_id) {
                text.draft = Some(DraftText {
                    title: row.title,
                    content: row.content,
                    quiz: row.quiz,
                });
            }
        }
    }
    Ok(found)
}

/// Writes the texts of all pages, and notes in the outline where they are. Returns the number of bytes.
pub(super) async fn write(tx: &mut Tx, id: SnapshotId, outline: &mut Outline) -> Result<usize> {
    let course = sql!("SELECT course_id FROM course_snapshots WHERE id = $1", id);
    let (course,) = course.fetch_one::<(CourseId,)>(&mut *tx).await?;
    let pages: Vec<(Uuid, bool)> = outline
        .pages()
        .map(|page| (page.id, page.draft_version.is_some()))
        .collect();
    let mut part = Part::default();
    let mut places: HashMap<Uuid, i64> = HashMap::with_capacity(pages.len());
    for chunk in pages.chunks(PAGES) {
        let mut found = texts(&mut *tx, course, chunk).await?;
        for (page, _) in chunk {
            let text = found.remove(page);
            let text = text.ok_or_else(|| Error::internal(format!("page {page} has no content")))?;
            places.insert(*page, part.seq);
            part.add(text);
            if part.bytes >= PART {
                part.flush(&mut *tx, id).await?;
            }
        }
    }
    part.flush(tx, id).await?;
    for page in outline.pages_mut() {
        page.seq = places.get(&page.id).copied().unwrap_or_default();
    }
    Ok(part.written)
}

/// Texts that are not written yet.
#[derive(Default)]
struct Part {
    seq: i64,
    texts: Vec<Text>,
    bytes: usize,
    /// The compressed bytes of all parts so far.
    written: usize,
}

impl Part {
    fn add(&mut self, text: Text) {
        self.bytes += text.size();
        self.texts.push(text);
    }

    async fn flush(&mut self, tx: &mut Tx, id: SnapshotId) -> Result<()> {
        if self.texts.is_empty() {
            return Ok(());
        }
        let packed = deflate(&serde_json::to_vec(&self.texts).map_err(Error::internal)?)?;
        self.written += packed.len();
        sql!(
            "INSERT INTO snapshot_texts (snapshot_id, seq, texts) VALUES ($1, $2, $3)",
            id,
            self.seq,
            packed
        )
        .execute(tx)
        .await?;
        self.seq += 1;
        self.bytes = 0;
        self.texts.clear();
        Ok(())
    }
}

pub(super) fn deflate(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).map_err(of_io)
}

/// Parses what a snapshot has stored. Fails if it is damaged.
pub(crate) fn inflate<T: DeserializeOwned>(packed: &[u8]) -> Result<T> {
    let mut text = String::new();
    DeflateDecoder::new(packed)
        .read_to_string(&mut text)
        .map_err(Error::internal)?;
    wire::read_stored(&text).map_err(Error::internal)
}

/// The texts of some parts of a snapshot, by page. One statement per part. Fails with 404 if the snapshot is gone.
pub(crate) async fn stored_texts(db: &Db, id: SnapshotId, parts: &BTreeSet<i64>) -> Result<HashMap<Uuid, Text>> {
    let mut found = HashMap::new();
    for seq in parts {
        let row = sql!(
            "SELECT texts FROM snapshot_texts WHERE snapshot_id = $1 AND seq = $2",
            id,
            *seq
        );
        let row = row.fetch_optional::<(Vec<u8>,)>(db).await?;
        let (packed,) = row.ok_or(Error::NotFound(Message::SnapshotNotFound))?;
        let texts: Vec<Text> = inflate(&packed)?;
        found.extend(texts.into_iter().map(|text| (text.id, text)));
    }
    Ok(found)
}
