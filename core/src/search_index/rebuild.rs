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
use super::write::{Analysed, QuestionText, analysed, question_texts, stale_pages, stale_questions, write};
use crate::Kurso;

/// The number of bank questions per transaction, and of stale pages that are marked together. It is small because the transaction holds SQLite's
/// write lock, and because searches analyse what is marked.
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
    let mut run = Run::new(&kurso.db, Some((&lease, &kurso.clock)));
    let done = match is_scan {
        true => run.all().await,
        false => run.pending().await.map(|_| ()),
    };
    let indexed = done.and(run.end());
    lease.release(&kurso.db, kurso.clock.now(), indexed.is_ok()).await?;
    indexed.map(Some)
}

/// Indexes the pages and bank questions that are not indexed, or in another version. Returns their number.
pub async fn update(db: &Db) -> Result<u64> {
    let mut run = Run::new(db, None);
    run.all().await?;
    run.end()
}

/// Deletes the index and builds it again. Returns the number of pages and bank questions. Searches find only what is indexed already.
pub async fn rebuild(db: &Db) -> Result<u64> {
    let mut tx = db.begin().await?;
    tx.clear_search_index().await?;
    tx.commit().await?;
    update(db).await
}

/// One run of the indexer. It goes on after a course that cannot be indexed, so that this course does not block the others.
struct Run<'a> {
    db: &'a Db,
    lease: Option<(&'a TaskLease, &'a Clock)>,
    /// The number of indexed pages, drafts and bank questions.
    indexed: u64,
    /// Why the first of the courses that failed could not be indexed.
    failure: Option<Error>,
}

impl<'a> Run<'a> {
    fn new(db: &'a Db, lease: Option<(&'a TaskLease, &'a Clock)>) -> Self {
        Run {
            db,
            lease,
            indexed: 0,
            failure: None,
        }
    }

    /// The number of what was indexed, or why a course could not be.
    fn end(self) -> Result<u64> {
        self.failure.map_or(Ok(self.indexed), Err)
    }

    /// Indexes whatever is pending or stale. Ends early if another node holds the lease.
    async fn all(&mut self) -> Result<()> {
        let _ = self.pending().await? && self.stale_pages().await? && self.stale_questions().await?;
        Ok(())
    }

    /// Indexes pending pages and drafts. False if another node holds the lease.
    async fn pending(&mut self) -> Result<bool> {
        let mut last = CourseId(Uuid::nil());
        while let Some((course, indexed)) = pending::index_next(self.db, last).await? {
            last = course;
            match indexed {
                Ok(count) => self.indexed += count,
                Err(error) => {
                    tracing::warn!(%error, %course, "saved pages could not be indexed for the search");
                    self.failure.get_or_insert(error);
                }
            }
            if !self.renewed().await? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Marks stale pages as pending, and indexes them.
    async fn stale_pages(&mut self) -> Result<bool> {
        let mut last = PageId(Uuid::nil());
        loop {
            let stale = stale_pages(self.db, last, BATCH).await?;
            let ids: Vec<PageId> = stale.iter().map(|stale| stale.id).collect();
            let Some(end) = ids.last() else { return Ok(true) };
            last = *end;
            pending::mark_stale(self.db, &ids).await?;
            if !self.pending().await? {
                return Ok(false);
            }
        }
    }

    async fn stale_questions(&mut self) -> Result<bool> {
        let mut last = BankQuestionId(Uuid::nil());
        loop {
            let stale = stale_questions(self.db, last, BATCH).await?;
            let ids: Vec<BankQuestionId> = stale.iter().map(|stale| stale.id).collect();
            let Some(end) = ids.last() else { return Ok(true) };
            last = *end;
            let texts = question_texts(self.db, &ids).await?;
            let documents = analysed(move || texts.iter().map(QuestionText::analyse).collect()).await?;
            store(self.db, documents).await?;
            self.indexed += ids.len() as u64;
            if !self.renewed().await? {
                return Ok(false);
            }
        }
    }

    /// Renews the lease. False if another node holds it.
    async fn renewed(&self) -> Result<bool> {
        match self.lease {
            Some((lease, clock)) => Ok(lease.renew(self.db, clock.now()).await?),
            None => Ok(true),
        }
    }
}

/// Stores bank questions. If one was deleted since it was read, the others are stored one by one.
async fn store(db: &Db, questions: Vec<Analysed>) -> Result<()> {
    match stored(db, &questions).await {
        Err(Error::NotFound(_)) => {
            for question in questions.chunks(1) {
                match stored(db, question).await {
                    Ok(()) | Err(Error::NotFound(_)) => {}
                    Err(error) => return Err(error),
                }
            }
            Ok(())
        }
        done => done,
    }
}

async fn stored(db: &Db, questions: &[Analysed]) -> Result<()> {
    let mut tx = db.begin().await?;
    write(&mut tx, questions).await?;
    tx.commit().await?;
    Ok(())
}
