//! Saved pages and drafts that are not indexed yet.
//!
//! A save only marks its page as pending, because indexing takes as long as the rest of the save. The server indexes pending pages every few
//! seconds. Until then searches analyse them themselves, so that each save is found at once.

use std::collections::{BTreeSet, HashSet};

use kurso_base::error::{Error, Result};
use kurso_base::ids::{CourseId, PageId};
use kurso_db::search::Place;
use kurso_db::{Db, Tx, sql};
use uuid::Uuid;

use super::write::{Analysed, PageText, analysed, forget_gone_drafts, page_texts, write};

/// The maximum number of pending pages that a search analyses, the most recent ones first. It finds the others by their earlier texts.
const ANALYSED: i64 = 100;

/// The number of pages per transaction. It is small because the transaction holds the lock of their course, and SQLite's write lock.
const BATCH: i64 = 5;

/// The maximum number of transactions per course and round.
const BATCHES: usize = 100;

/// Marks a page or its draft, which the transaction has changed, as pending. One statement.
pub(crate) async fn mark_pending(tx: &mut Tx, page: PageId, is_draft: bool) -> Result<()> {
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

/// The pending pages and drafts of a search.
#[derive(Clone, Debug, Default)]
pub(crate) struct PendingPages(HashSet<(PageId, bool)>);

/// The documents of pending pages and drafts, which replace those of the index.
#[derive(Default)]
pub(crate) struct PendingDocuments {
    of: PendingPages,
    documents: Vec<Analysed>,
}

impl PendingPages {
    /// The pending pages and drafts of these courses. Callers read them before the index, so that a page that is indexed in between is found in both
    /// places instead of in neither. One statement.
    pub async fn load(db: &Db, courses: &[CourseId]) -> Result<Self> {
        if courses.is_empty() {
            return Ok(PendingPages::default());
        }
        let rows = sql!("SELECT page_id, is_draft FROM search_pending WHERE course_id IN ");
        let rows = rows.push_in(courses.iter().copied());
        let rows = rows.push(" ORDER BY stamp DESC LIMIT ").push_bind(ANALYSED);
        Ok(PendingPages(rows.fetch_all(db).await?.into_iter().collect()))
    }

    /// Analyses their texts. At most one statement.
    pub async fn analysed(self, db: &Db) -> Result<PendingDocuments> {
        if self.0.is_empty() {
            return Ok(PendingDocuments::default());
        }
        let pages: BTreeSet<PageId> = self.0.iter().map(|(page, _)| *page).collect();
        let pages: Vec<PageId> = pages.into_iter().collect();
        let texts = page_texts(db, &pages).await?;
        analysed(move || {
            let texts = texts.iter().filter(|text| self.0.contains(&(text.id, text.is_draft)));
            PendingDocuments {
                documents: texts.flat_map(PageText::analyse).collect(),
                of: self,
            }
        })
        .await
    }
}

impl PendingDocuments {
    /// Whether the index holds an outdated version of this document.
    pub fn replace(&self, place: Place, id: Uuid) -> bool {
        match place {
            Place::Text | Place::Prompts | Place::GatedPrompts => self.of.0.contains(&(PageId(id), false)),
            Place::Draft => self.of.0.contains(&(PageId(id), true)),
            Place::BankQuestion => false,
        }
    }

    /// The documents that contain a term, or a term with this beginning.
    pub fn hits<'a>(&'a self, term: &'a str, is_prefix: bool) -> impl Iterator<Item = (Place, Uuid)> + 'a {
        let has = move |document: &&Analysed| document.contains(term, is_prefix);
        self.documents.iter().filter(has).filter_map(Analysed::place)
    }

    /// Whether a document has this stem.
    pub fn have_stem(&self, stem: &str) -> bool {
        self.documents.iter().any(|document| document.has_stem(stem))
    }
}

/// Whether any page or draft is pending.
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

/// Marks pages whose documents are stale as pending. One statement.
pub(super) async fn mark_stale(db: &Db, pages: &[PageId]) -> Result<()> {
    let mut tx = db.begin().await?;
    let rows = sql!(
        "INSERT INTO search_pending (page_id, is_draft, course_id, stamp) SELECT p.id, FALSE, p.course_id, $1 FROM pages p WHERE p.id IN ",
        Uuid::now_v7()
    );
    let rows = rows.push_in(pages.iter().copied());
    // What was saved in the meantime is pending already.
    rows.push(" ON CONFLICT (page_id, is_draft) DO NOTHING")
        .execute(&mut tx)
        .await?;
    Ok(tx.commit().await?)
}

/// Indexes the pending pages and drafts of the next course, in the order of ids after `after`. Returns the course and the number of indexed pages and
/// drafts, or the error after which the rest of the course stays pending; None if no course is left.
pub(super) async fn index_next(db: &Db, after: CourseId) -> Result<Option<(CourseId, Result<u64>)>> {
    let next = sql!(
        "SELECT course_id FROM search_pending WHERE course_id > $1 ORDER BY course_id LIMIT 1",
        after
    );
    let Some((course,)) = next.fetch_optional::<(CourseId,)>(db).await? else {
        return Ok(None);
    };
    Ok(Some((course, index_course(db, course).await)))
}

async fn index_course(db: &Db, course: CourseId) -> Result<u64> {
    let mut count = 0;
    for _ in 0..BATCHES {
        match index_some(db, course).await {
            Ok(0) => break,
            Ok(some) => count += some as u64,
            // A page was deleted in the meantime, and is no longer pending.
            Err(Error::NotFound(_)) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(count)
}

/// Indexes up to [`BATCH`] pending pages and drafts of a course, and returns their number.
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
    index(db, course, &pages, &rows).await?;
    Ok(rows.len())
}

/// Indexes a page and its draft again.
pub(crate) async fn reindex_page(db: &Db, page: PageId) -> Result<()> {
    let course = sql!("SELECT course_id FROM pages WHERE id = $1", page);
    match course.fetch_optional::<(CourseId,)>(db).await? {
        Some((course,)) => index(db, course, &[page], &[]).await,
        None => Ok(()),
    }
}

/// Indexes pages of a course and their drafts. What was saved again in the meantime stays pending.
async fn index(db: &Db, course: CourseId, pages: &[PageId], rows: &[Row]) -> Result<()> {
    let texts = page_texts(db, pages).await?;
    let documents = analysed(move || texts.iter().flat_map(PageText::analyse).collect::<Vec<_>>()).await?;
    let mut tx = db.begin_job_in_course(course).await?;
    // Every change in a course locks the course first. Deleting a page locks these rows in another order and could deadlock otherwise.
    sql!("UPDATE courses SET updated_at = updated_at WHERE id = $1", course)
        .execute(&mut tx)
        .await?;
    write(&mut tx, &documents).await?;
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
