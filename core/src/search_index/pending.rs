//! Pages and drafts that were saved and are not indexed yet.
//!
//! A save only notes its page here: to index it takes as long as the rest of the save. The server indexes noted pages every few seconds. Until then
//! a search analyses them itself, so each save is found at once.

use std::collections::{BTreeSet, HashSet};

use kurso_base::error::{Error, Result};
use kurso_base::ids::{CourseId, PageId};
use kurso_db::search::{Place, SearchTerm};
use kurso_db::{Db, Tx, sql};
use uuid::Uuid;

use super::write::{Analysed, PageText, analysed, forget_gone_drafts, page_texts, write};

/// The most pages that a search analyses itself, the latest first. It finds the others by their earlier texts.
const ANALYSED: i64 = 100;

/// Pages per transaction. Few, because the transaction holds the lock of their course, and SQLite's write lock.
const BATCH: i64 = 5;

/// The most transactions for one course in a round.
const BATCHES: usize = 100;

/// Notes that the text of a page, or its draft, was changed by the transaction. One statement.
pub(crate) async fn note_change(tx: &mut Tx, page: PageId, is_draft: bool) -> Result<()> {
    sql!(
        "INSERT INTO search_pending (page_id, is_draft, course_id, stamp) SELECT p.id, $2, p.course_id, $3 FROM pages p WHERE p.id = $1
         ON CONFLICT (page_id, is_draft) DO UPDATE SET stamp = excluded.stamp",
        page,
        is_draft,
        Uuid::now_v7()
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// The noted pages and drafts of a search.
#[derive(Clone, Debug, Default)]
pub(crate) struct Noted(HashSet<(PageId, bool)>);

/// The documents of noted pages and drafts, in place of those that the index has of them.
#[derive(Default)]
pub(crate) struct Pending {
    noted: HashSet<(Uuid, bool)>,
    documents: Vec<Analysed>,
}

impl Noted {
    /// Those of these courses. Read before the index: what is indexed meanwhile is in both, and what is noted meanwhile in neither. One statement.
    pub async fn of(db: &Db, courses: &[CourseId]) -> Result<Self> {
        if courses.is_empty() {
            return Ok(Noted::default());
        }
        let rows = sql!("SELECT page_id, is_draft FROM search_pending WHERE course_id IN ");
        let rows = rows.push_in(courses.iter().copied());
        let rows = rows.push(" ORDER BY stamp DESC LIMIT ").push_bind(ANALYSED);
        Ok(Noted(rows.fetch_all::<(PageId, bool)>(db).await?.into_iter().collect()))
    }

    /// Analyses their texts. At most one statement.
    pub async fn analysed(self, db: &Db) -> Result<Pending> {
        if self.0.is_empty() {
            return Ok(Pending::default());
        }
        let pages: BTreeSet<PageId> = self.0.iter().map(|(page, _)| *page).collect();
        let pages: Vec<PageId> = pages.into_iter().collect();
        let texts = page_texts(db, &pages).await?;
        let noted = self.0;
        analysed(move || {
            let texts = texts.iter().filter(|text| noted.contains(&(text.id, text.is_draft)));
            Pending {
                documents: texts.flat_map(PageText::analyse).collect(),
                noted: noted.iter().map(|(page, is_draft)| (page.0, *is_draft)).collect(),
            }
        })
        .await
    }
}

impl Pending {
    /// Whether the index has an earlier text of this document.
    pub fn replaces(&self, place: Place, id: Uuid) -> bool {
        match place {
            Place::Text | Place::Prompts | Place::GatedPrompts => self.noted.contains(&(id, false)),
            Place::Draft => self.noted.contains(&(id, true)),
            Place::BankQuestion => false,
        }
    }

    /// The documents that contain a term.
    pub fn hits<'a>(&'a self, term: &'a SearchTerm) -> impl Iterator<Item = (Place, Uuid)> + 'a {
        let has = |document: &&Analysed| document.contains(term);
        self.documents.iter().filter(has).filter_map(Analysed::place)
    }

    /// Whether a document has this stem.
    pub fn has_stem(&self, stem: &str) -> bool {
        self.documents.iter().any(|document| document.has_stem(stem))
    }
}

/// Whether a page or a draft is noted.
pub(super) async fn is_any(db: &Db) -> Result<bool> {
    let any = sql!("SELECT EXISTS (SELECT 1 FROM search_pending)");
    Ok(any.fetch_one::<(bool,)>(db).await?.0)
}

#[derive(Clone, Copy, sqlx::FromRow)]
struct Row {
    page_id: PageId,
    is_draft: bool,
    stamp: Uuid,
}

/// Indexes the noted pages and drafts of the first course after this one, [`BATCH`] at a time. Returns the course and their number; None if there is none. A
/// course that cannot be locked or whose texts cannot be written is left for the next round, so that it does not hold up the others.
pub(super) async fn index_next(db: &Db, after: CourseId) -> Result<Option<(CourseId, u64)>> {
    let next = sql!(
        "SELECT course_id FROM search_pending WHERE course_id > $1 ORDER BY course_id LIMIT 1",
        after
    );
    let Some((course,)) = next.fetch_optional::<(CourseId,)>(db).await? else {
        return Ok(None);
    };
    let mut count = 0;
    for _ in 0..BATCHES {
        match index_some(db, course).await {
            Ok(0) => break,
            Ok(some) => count += some as u64,
            // A page was deleted meanwhile. The next round reads what is left.
            Err(Error::NotFound(_)) => break,
            Err(error) => {
                tracing::warn!(%error, %course, "saved pages could not be indexed for the search");
                break;
            }
        }
    }
    Ok(Some((course, count)))
}

/// Indexes a few noted pages and drafts of a course. Returns their number.
async fn index_some(db: &Db, course: CourseId) -> Result<usize> {
    let rows = sql!(
        "SELECT page_id, is_draft, stamp FROM search_pending WHERE course_id = $1 ORDER BY page_id, is_draft LIMIT $2",
        course,
        BATCH
    );
    let rows = rows.fetch_all::<Row>(db).await?;
    if rows.is_empty() {
        return Ok(0);
    }
    let mut pages: Vec<PageId> = rows.iter().map(|row| row.page_id).collect();
    pages.dedup();
    let texts = page_texts(db, &pages).await?;
    let documents = analysed(move || texts.iter().flat_map(PageText::analyse).collect::<Vec<_>>()).await?;
    store(db, course, &pages, &documents, &rows).await?;
    Ok(rows.len())
}

/// Writes documents of a course. A note that a later save has replaced stays.
async fn store(db: &Db, course: CourseId, pages: &[PageId], documents: &[Analysed], rows: &[Row]) -> Result<()> {
    let mut tx = db.begin_job_in_course(course).await?;
    // As every change in a course: deleting a page locks the same rows in another order.
    sql!("UPDATE courses SET updated_at = updated_at WHERE id = $1", course)
        .execute(&mut tx)
        .await?;
    write(&mut tx, documents).await?;
    forget_gone_drafts(&mut tx, pages).await?;
    for row in rows {
        sql!(
            "DELETE FROM search_pending WHERE page_id = $1 AND is_draft = $2 AND stamp = $3",
            row.page_id,
            row.is_draft,
            row.stamp
        )
        .execute(&mut tx)
        .await?;
    }
    Ok(tx.commit().await?)
}
