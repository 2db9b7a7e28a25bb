//! The quota of stored content: the texts of all pages, their quizzes, their drafts and their history in the courses of one owner, the snapshots of
//! these courses, and the questions of the owner's banks with their history.
//!
//! The database knows the length of a text without reading it, so the sum costs one index range per page. Copies and
//! imports are measured each time, saves of pages only after an owner's courses have grown by [`UNMEASURED`].

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use crate::Kurso;
use kurso_base::error::{Error, Result};
use kurso_base::ids::{CourseId, UserId};
use kurso_base::messages::Message;
use kurso_db::Tx;
use kurso_db::sql;

/// The bytes that an owner's courses may grow by saves on one node before they are measured.
const UNMEASURED: u64 = 16 << 20;

/// When the growth of more owners than this is noted, it is forgotten.
const MAX_NOTED: usize = 10_000;

/// The quota and what was saved since the last measurement.
#[derive(Debug)]
pub struct ContentQuota {
    /// The maximum number of bytes of one owner.
    pub limit: u64,
    grown: Mutex<HashMap<UserId, u64>>,
}

impl Default for ContentQuota {
    fn default() -> Self {
        ContentQuota::new(2 << 30)
    }
}

impl ContentQuota {
    pub fn new(limit: u64) -> Self {
        ContentQuota {
            limit,
            grown: Mutex::default(),
        }
    }

    /// Adds saved bytes. Returns whether the owner's courses have to be measured.
    fn add(&self, owner: UserId, bytes: u64) -> bool {
        let mut grown = self.grown.lock().unwrap_or_else(PoisonError::into_inner);
        if grown.len() >= MAX_NOTED {
            grown.clear();
        }
        let sum = grown.entry(owner).or_default();
        *sum = sum.saturating_add(bytes);
        *sum >= UNMEASURED.min(self.limit)
    }

    fn measured(&self, owner: UserId) {
        let mut grown = self.grown.lock().unwrap_or_else(PoisonError::into_inner);
        grown.remove(&owner);
    }
}

async fn owner_of(tx: &mut Tx, course: CourseId) -> Result<UserId> {
    let owner = sql!("SELECT owner_id FROM courses WHERE id = $1", course);
    let (owner,) = owner.fetch_one::<(UserId,)>(tx).await?;
    Ok(owner)
}

/// Fails with 413 if the content of the courses and banks of this course's owner, as the transaction sees it, is above the quota.
/// Call it after the write.
pub(crate) async fn check(kurso: &Kurso, tx: &mut Tx, course: CourseId) -> Result<()> {
    let owner = owner_of(&mut *tx, course).await?;
    check_owner(kurso, tx, owner).await
}

async fn check_owner(kurso: &Kurso, tx: &mut Tx, owner: UserId) -> Result<()> {
    let (texts, drafts, history, snapshots, announcements, questions, versions) = sql!(
        "SELECT
           (SELECT CAST(COALESCE(SUM(OCTET_LENGTH(t.content) + COALESCE(OCTET_LENGTH(t.quiz), 0)), 0) AS BIGINT)
            FROM courses c JOIN pages p ON p.course_id = c.id JOIN page_contents t ON t.page_id = p.id WHERE c.owner_id = $1),
           (SELECT CAST(COALESCE(SUM(OCTET_LENGTH(d.content) + COALESCE(OCTET_LENGTH(d.quiz), 0)), 0) AS BIGINT)
            FROM courses c JOIN pages p ON p.course_id = c.id JOIN page_drafts d ON d.page_id = p.id WHERE c.owner_id = $1),
           (SELECT CAST(COALESCE(SUM(OCTET_LENGTH(v.content) + COALESCE(OCTET_LENGTH(v.quiz), 0)), 0) AS BIGINT)
            FROM courses c JOIN pages p ON p.course_id = c.id JOIN page_versions v ON v.page_id = p.id WHERE c.owner_id = $1),
           (SELECT CAST(COALESCE(SUM(s.size), 0) AS BIGINT)
            FROM courses c JOIN course_snapshots s ON s.course_id = c.id WHERE c.owner_id = $1),
           (SELECT CAST(COALESCE(SUM(OCTET_LENGTH(a.content)), 0) AS BIGINT)
            FROM courses c JOIN announcements a ON a.course_id = c.id WHERE c.owner_id = $1),
           (SELECT CAST(COALESCE(SUM(OCTET_LENGTH(q.question) + OCTET_LENGTH(q.folded)), 0) AS BIGINT)
            FROM question_banks b JOIN bank_questions q ON q.bank_id = b.id WHERE b.owner_id = $1),
           (SELECT CAST(COALESCE(SUM(OCTET_LENGTH(v.question)), 0) AS BIGINT)
            FROM question_banks b JOIN bank_questions q ON q.bank_id = b.id
            JOIN bank_question_versions v ON v.question_id = q.id WHERE b.owner_id = $1)",
        owner
    )
    .fetch_one::<(i64, i64, i64, i64, i64, i64, i64)>(tx)
    .await?;
    let all = [texts, drafts, history, snapshots, announcements, questions, versions].map(i64::unsigned_abs);
    if all.into_iter().fold(0, u64::saturating_add) > kurso.content.limit {
        return Err(Error::TooLarge(Message::ContentQuotaFull));
    }
    kurso.content.measured(owner);
    Ok(())
}

/// As [`check_save`], for questions of a bank of this owner.
pub(crate) async fn check_bank_save(kurso: &Kurso, tx: &mut Tx, owner: UserId, bytes: usize) -> Result<()> {
    if kurso.content.add(owner, bytes as u64) {
        check_owner(kurso, tx, owner).await?;
    }
    Ok(())
}

/// As [`check`], for the save of one page: measures only now and then.
pub(crate) async fn check_save(
    kurso: &Kurso,
    tx: &mut Tx,
    course: CourseId,
    owner: UserId,
    bytes: usize,
) -> Result<()> {
    if kurso.content.add(owner, bytes as u64) {
        check(kurso, tx, course).await?;
    }
    Ok(())
}
