//! Indexes what is not indexed: after an upgrade, a restore or a move, and on `kurso search rebuild`.

use std::sync::Arc;
use std::time::{Duration, Instant};

use chrono::TimeDelta;
use kurso_base::clock::Clock;
use kurso_base::error::{Error, Result};
use kurso_base::ids::{BankQuestionId, CourseId, PageId};
use kurso_db::Db;
use kurso_db::lease::{TaskLease, Terms};
use tokio::sync::watch;
use uuid::Uuid;

use super::pending;
use super::write::{
    Analysed, PageText, QuestionText, analysed, forget_gone_drafts, page_texts, question_texts, stale_pages,
    stale_questions, write,
};
use crate::Kurso;

/// The number of pages or bank questions per transaction. It is small because the transaction holds SQLite's write lock.
const BATCH: i64 = 20;

/// The interval at which the server indexes documents that are missing from the index.
const PERIOD: Duration = Duration::from_secs(60 * 60);

/// The delay before the server retries a scan that failed, or for which another node held the lease.
const RETRY: Duration = Duration::from_secs(60);

/// The interval at which it indexes pages that were saved.
const SAVED_PERIOD: Duration = Duration::from_secs(2);

/// A batch takes seconds at most; the lease is renewed after each.
const TERMS: Terms = Terms {
    length: TimeDelta::minutes(2),
    max_ahead: TimeDelta::minutes(10),
};

/// Runs until `stopping` is true: indexes saved pages every few seconds, and whatever else is not indexed at the start and every hour. One node of
/// several does it.
pub async fn work(kurso: Arc<Kurso>, mut stopping: watch::Receiver<bool>) {
    let mut next_scan = Instant::now();
    loop {
        let is_scan = next_scan <= Instant::now();
        tokio::select! {
            done = leased(&kurso, is_scan) => {
                if is_scan {
                    let wait = if matches!(done, Ok(Some(_))) { PERIOD } else { RETRY };
                    next_scan = Instant::now() + wait;
                }
                match done {
                    Ok(Some(indexed)) if is_scan && indexed > 0 => {
                        tracing::info!(indexed, "pages and bank questions were indexed for the search");
                    }
                    Ok(_) => {}
                    Err(error) => tracing::warn!(%error, "pages could not be indexed for the search"),
                }
            }
            _ = stopping.wait_for(|is_stopping| *is_stopping) => return,
        }
        let stopped = stopping.wait_for(|is_stopping| *is_stopping);
        if tokio::time::timeout(SAVED_PERIOD, stopped).await.is_ok() {
            return;
        }
    }
}

/// Returns the number of indexed pages, drafts and bank questions; None if another node holds the lease.
async fn leased(kurso: &Kurso, is_scan: bool) -> Result<Option<u64>> {
    if !is_scan && !pending::is_any(&kurso.db).await? {
        return Ok(Some(0));
    }
    let now = kurso.clock.now();
    let Some(lease) = TaskLease::acquire(&kurso.db, "search", TERMS, now, now).await? else {
        return Ok(None);
    };
    let leased = Some((&lease, &kurso.clock));
    let done = match is_scan {
        true => indexed(&kurso.db, leased).await,
        false => saved(&kurso.db, leased).await,
    };
    lease.release(&kurso.db, kurso.clock.now(), done.is_ok()).await?;
    done.map(Some)
}

/// Indexes pending pages and drafts, and returns their number.
async fn saved(db: &Db, lease: Option<(&TaskLease, &Clock)>) -> Result<u64> {
    let mut count = 0;
    let mut last = CourseId(Uuid::nil());
    while let Some((course, indexed)) = pending::index_next(db, last).await? {
        last = course;
        count += indexed;
        if !renewed(db, lease).await? {
            break;
        }
    }
    Ok(count)
}

/// Indexes the pages and bank questions that are not indexed, or in another version. Returns their number.
pub async fn update(db: &Db) -> Result<u64> {
    indexed(db, None).await
}

/// Deletes the index and builds it again. Returns the number of pages and bank questions. Searches find only what is indexed already.
pub async fn rebuild(db: &Db) -> Result<u64> {
    let mut tx = db.begin().await?;
    tx.clear_search_index().await?;
    tx.commit().await?;
    update(db).await
}

async fn indexed(db: &Db, lease: Option<(&TaskLease, &Clock)>) -> Result<u64> {
    let mut count = saved(db, lease).await?;
    let mut last = PageId(Uuid::nil());
    loop {
        let stale = stale_pages(db, last, BATCH).await?;
        let ids: Vec<PageId> = stale.iter().map(|stale| stale.id).collect();
        let Some(end) = ids.last() else { break };
        last = *end;
        let texts = page_texts(db, &ids).await?;
        let documents = analysed(move || texts.iter().flat_map(PageText::analyse).collect()).await?;
        count += store(db, documents, ids.len()).await?;
        // Last, because a draft may have been deleted since its text was read.
        let mut tx = db.begin().await?;
        forget_gone_drafts(&mut tx, &ids).await?;
        tx.commit().await?;
        if !renewed(db, lease).await? {
            return Ok(count);
        }
    }
    let mut last = BankQuestionId(Uuid::nil());
    loop {
        let stale = stale_questions(db, last, BATCH).await?;
        let ids: Vec<BankQuestionId> = stale.iter().map(|stale| stale.id).collect();
        let Some(end) = ids.last() else { break };
        last = *end;
        let texts = question_texts(db, &ids).await?;
        let documents = analysed(move || texts.iter().map(QuestionText::analyse).collect()).await?;
        count += store(db, documents, ids.len()).await?;
        if !renewed(db, lease).await? {
            return Ok(count);
        }
    }
    Ok(count)
}

/// Stores a batch. If something was deleted since it was read, its documents are stored one by one, without that.
async fn store(db: &Db, documents: Vec<Analysed>, count: usize) -> Result<u64> {
    match stored(db, &documents).await {
        Err(Error::NotFound(_)) => {
            for document in documents.chunks(1) {
                match stored(db, document).await {
                    Ok(()) | Err(Error::NotFound(_)) => {}
                    Err(error) => return Err(error),
                }
            }
        }
        done => done?,
    }
    Ok(count as u64)
}

async fn stored(db: &Db, documents: &[Analysed]) -> Result<()> {
    let mut tx = db.begin().await?;
    write(&mut tx, documents).await?;
    tx.commit().await?;
    Ok(())
}

/// Renews the lease. False if another node holds it.
async fn renewed(db: &Db, lease: Option<(&TaskLease, &Clock)>) -> Result<bool> {
    match lease {
        Some((lease, clock)) => Ok(lease.renew(db, clock.now()).await?),
        None => Ok(true),
    }
}
