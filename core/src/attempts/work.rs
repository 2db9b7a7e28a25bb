//! Drafts of the work for assignments: what learners have written and not yet handed in, saved on the server like the text of a page.

use std::collections::{HashMap, HashSet};

use chrono::{DateTime, Utc};

use super::submit::Stored;
use crate::Kurso;
use crate::access::Viewer;
use crate::courses::tree::PageKind;
use crate::files::{FileUrls, answers};
use crate::learning::{self, LearnerAt};
use kurso_base::error::{Error, Result, is_foreign_key_violation};
use kurso_base::ids::{EnrollmentId, PageId, UserId};
use kurso_base::messages::Message;
use kurso_base::wire;
use kurso_db::{Executor, Tx, sql};
use kurso_formats::quiz::{HandIn, WorkDraft};
use uuid::Uuid;

/// How often a draft is saved when its files change meanwhile.
const TRIES: usize = 5;

/// The stored draft of a learner for an assignment.
#[derive(Clone, Debug, PartialEq)]
pub struct SavedWork {
    /// Names this text; no other text of the learner at this page ever has the same.
    pub version: i64,
    /// The question of the assignment when the draft was saved.
    pub question_id: Uuid,
    /// Its files have addresses that expire.
    pub work: HandIn,
    pub saved_at: DateTime<Utc>,
}

/// Outcome of saving a draft. Each has the stored draft; None if there is none.
#[derive(Clone, Debug, PartialEq)]
pub enum SavedDraft {
    Stored(Option<SavedWork>),
    /// Another version was stored meanwhile: nothing was changed.
    Stale(Option<SavedWork>),
}

#[derive(sqlx::FromRow)]
struct Row {
    page_id: PageId,
    user_id: UserId,
    version: i64,
    answer: Option<String>,
    saved_at: DateTime<Utc>,
}

impl Row {
    /// None for a draft that was handed in or discarded.
    fn read(self, urls: &FileUrls) -> Result<Option<SavedWork>> {
        let Some(text) = self.answer else { return Ok(None) };
        let Kept { question_id, mut work } = from_text(&text)?;
        urls.in_files(&mut work.files);
        Ok(Some(SavedWork {
            version: self.version,
            question_id,
            work,
            saved_at: self.saved_at,
        }))
    }
}

/// A draft as it is stored.
#[derive(serde::Serialize, serde::Deserialize)]
pub(crate) struct Kept {
    question_id: Uuid,
    #[serde(flatten)]
    pub work: HandIn,
}

/// Reads the JSON text of a stored draft.
pub(crate) fn from_text(text: &str) -> Result<Kept> {
    wire::read_stored(text).map_err(Error::internal)
}

/// The viewer's own draft for an assignment; None without one. Fails with 404 for a page that the viewer cannot see or that is no
/// assignment, with 403 without an enrollment, and with [`Error::Locked`].
pub async fn draft(kurso: &Kurso, viewer: &Viewer, page: PageId) -> Result<Option<SavedWork>> {
    require_assignment(kurso, viewer, page).await?;
    find(kurso, &kurso.db, viewer.id(), page).await
}

/// The drafts of users for pages. One statement; at most [`crate::db::LIST_LIMIT`] pairs. Does not check the reader's rights.
pub async fn drafts(kurso: &Kurso, wanted: &[(PageId, UserId)]) -> Result<HashMap<(PageId, UserId), SavedWork>> {
    let rows = sql!(
        "SELECT page_id, user_id, version, answer, saved_at FROM answer_drafts WHERE answer IS NOT NULL AND user_id IN "
    )
    .push_in(wanted.iter().map(|(_, user)| *user).collect::<HashSet<_>>())
    .push(" AND page_id IN ")
    .push_in(wanted.iter().map(|(page, _)| *page).collect::<HashSet<_>>())
    .fetch_all::<Row>(&kurso.db)
    .await?;
    let urls = kurso.file_urls();
    let mut found = HashMap::with_capacity(rows.len());
    for row in rows {
        let of = (row.page_id, row.user_id);
        if wanted.contains(&of) {
            found.extend(row.read(&urls)?.map(|draft| (of, draft)));
        }
    }
    Ok(found)
}

/// Saves the viewer's draft for an assignment; an empty one is discarded. That the page takes no attempts now does not matter: what was
/// written is kept. Fails as [`draft`], and with 422 for a file that the viewer has not uploaded there, and for what is too long.
pub async fn save_draft(kurso: &Kurso, viewer: &Viewer, page: PageId, draft: WorkDraft) -> Result<SavedDraft> {
    let enrollment = require_assignment(kurso, viewer, page).await?;
    for _ in 0..TRIES {
        if let Some(saved) = save(kurso, (viewer.id(), enrollment), page, &draft).await? {
            return Ok(saved);
        }
    }
    Err(Error::Busy)
}

/// Tries to save a draft; None if one of its files was deleted after it was read.
async fn save(
    kurso: &Kurso,
    (user, enrollment): (UserId, EnrollmentId),
    page: PageId,
    draft: &WorkDraft,
) -> Result<Option<SavedDraft>> {
    let now = kurso.clock.now();
    let files = answers::uploaded(&kurso.db, user, page, &draft.file_ids()).await?;
    let work = draft.work(&files)?;
    let kept = work.as_ref().map_or_else(Vec::new, |work| work.files.clone());
    let quiz = Stored::find(&kurso.db, page).await?.quiz()?;
    let question = quiz.questions.first().ok_or(Error::NotFound(Message::NoAssignment))?;
    let kept_work = work.map(|work| Kept {
        question_id: question.id,
        work,
    });
    let text = kept_work.as_ref().map(serde_json::to_string).transpose();
    let text = text.map_err(Error::internal)?;
    let mut tx = kurso.db.begin().await?;
    // A submission or a reset at the same time would overlook files that this transaction has just marked.
    learning::lock_only(&mut tx, enrollment).await?;
    // This also locks the page, before the files as a submission does.
    let made = sql!(
        "INSERT INTO answer_drafts (page_id, user_id, version, saved_at) VALUES ($1, $2, 0, $3) ON CONFLICT (page_id, user_id) DO NOTHING",
        page,
        user,
        now
    );
    match made.execute(&mut tx).await {
        Err(error) if is_foreign_key_violation(&error) => return Err(Error::NotFound(Message::PageNotFound)), // deleted meanwhile
        made => made?,
    };
    if !answers::keep_drafted(&mut tx, (user, page), &kept).await? {
        tx.rollback().await?;
        return Ok(None);
    }
    // Without a draft, clients name version 0. The stored number goes on, so that an old draft is never taken for a new one.
    let saved = sql!(
        "UPDATE answer_drafts SET version = version + 1, answer = $4, saved_at = $5
         WHERE page_id = $1 AND user_id = $2 AND CASE WHEN answer IS NULL THEN 0 ELSE version END = $3",
        page,
        user,
        draft.version,
        &text,
        now
    );
    if saved.execute(&mut tx).await? == 0 {
        tx.rollback().await?; // the files of the stored draft stay marked
        let row = row(&kurso.db, user, page).await?;
        // Sent again, because the response to the first was lost.
        let is_same = row.as_ref().is_some_and(|row| row.answer == text);
        let stored = row.map_or(Ok(None), |row| row.read(&kurso.file_urls()))?;
        return Ok(Some(match is_same {
            true => SavedDraft::Stored(stored),
            false => SavedDraft::Stale(stored),
        }));
    }
    let stored = find(kurso, &mut tx, user, page).await?;
    tx.commit().await?;
    Ok(Some(SavedDraft::Stored(stored)))
}

/// Discards the draft of a learner who hands in. The caller has locked the enrollment. Two statements.
pub(super) async fn discard(tx: &mut Tx, user: UserId, page: PageId) -> Result<()> {
    answers::keep_drafted(tx, (user, page), &[]).await?;
    sql!(
        "UPDATE answer_drafts SET version = version + 1, answer = NULL WHERE page_id = $1 AND user_id = $2 AND answer IS NOT NULL",
        page,
        user
    )
    .execute(tx)
    .await?;
    Ok(())
}

async fn find(kurso: &Kurso, on: impl Executor, user: UserId, page: PageId) -> Result<Option<SavedWork>> {
    let found = row(on, user, page).await?;
    found.map_or(Ok(None), |row| row.read(&kurso.file_urls()))
}

async fn row(on: impl Executor, user: UserId, page: PageId) -> Result<Option<Row>> {
    let found = sql!(
        "SELECT page_id, user_id, version, answer, saved_at FROM answer_drafts WHERE page_id = $1 AND user_id = $2",
        page,
        user
    );
    Ok(found.fetch_optional::<Row>(on).await?)
}

/// Returns the viewer's enrollment.
async fn require_assignment(kurso: &Kurso, viewer: &Viewer, page: PageId) -> Result<EnrollmentId> {
    let at = LearnerAt::load(kurso, viewer, page).await?;
    match at.view.page(at.place).kind {
        PageKind::Assignment => Ok(at.enrollment),
        PageKind::Content | PageKind::Quiz => Err(Error::NotFound(Message::NoAssignment)),
    }
}
