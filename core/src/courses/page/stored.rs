//! Writes the texts of pages and their history. The caller of every function has locked the course.
//!
//! The saves of a page and of its draft share one sequence of version numbers, and each writes an entry of the history. The history
//! therefore has an entry of the draft's text, and one of the page's text unless the page was saved only once.

use chrono::{DateTime, Duration, Utc};
use serde_json::Value;

use super::PageRead;
use super::page_columns;
use super::quiz::max_attempts;
use super::references::{self, References};
use crate::draws;
use crate::search_index;
use kurso_base::error::{Error, Result};
use kurso_base::ids::{PageId, UserId};
use kurso_base::messages::Message;
use kurso_base::wire;
use kurso_db::Tx;
use kurso_db::sql;

/// The number of newest entries that are kept per page. Older ones are kept while they have the page's text, the draft's, or the one from
/// which the draft began.
const KEPT: i64 = 50;

/// The number of newest texts that learners could read and that are kept as well: the saves of a draft do not push out what learners have
/// read.
const KEPT_PUBLISHED: i64 = 10;

/// The time in which saves of one open editor share an entry.
fn shared_for() -> Duration {
    Duration::minutes(10)
}

/// The parts of a page whose changes raise its version.
#[derive(Clone, Debug)]
pub(super) struct Text {
    pub title: Option<String>,
    pub content: String,
    pub quiz: Option<String>,
}

/// The author of a save: a person and, if known, one of their open editors.
#[derive(Clone, Copy, Debug)]
pub(super) struct Author<'a> {
    pub user: UserId,
    pub session: Option<&'a str>,
}

/// A page, the author of its text, and the numbers of its versions.
#[derive(Debug, sqlx::FromRow)]
pub(super) struct Stored {
    #[sqlx(flatten)]
    pub page: PageRead,
    editor_id: Option<UserId>,
    editor_session: Option<String>,
    /// The version of its draft.
    pub draft_version: Option<i64>,
    /// The newest entry of the history.
    newest_version: Option<i64>,
}

impl Stored {
    pub fn was_written_by(&self, by: Author<'_>) -> bool {
        is_by(by, self.editor_id, self.editor_session.as_deref())
    }

    /// The version that the next save gets: greater than that of any text that the page or its draft has had.
    pub fn next_version(&self) -> i64 {
        self.page.version.max(self.newest_version.unwrap_or(0)) + 1
    }
}

/// Whether two saves come from one open editor. Saves without a session never do.
pub(super) fn is_by(by: Author<'_>, editor: Option<UserId>, session: Option<&str>) -> bool {
    by.session.is_some() && session == by.session && editor == Some(by.user)
}

impl Text {
    /// Whether the page has this text already. Compares documents as values, not as JSON texts.
    pub fn same_as(&self, page: &PageRead) -> bool {
        let same_quiz = match (&self.quiz, &page.quiz) {
            (Some(a), Some(b)) => same_json(a, b),
            (a, b) => a == b,
        };
        self.title == page.title && same_quiz && same_json(&self.content, &page.content)
    }

    /// Whether the text changes what a tree shows of the page.
    pub fn changes_tree(&self, page: &PageRead) -> Result<bool> {
        let limits = (max_attempts(self.quiz.as_deref())?, max_attempts(page.quiz.as_deref())?);
        Ok(self.title != page.title || limits.0 != limits.1)
    }

    fn references(&self) -> References {
        References::of_texts(&self.content, self.quiz.as_deref())
    }
}

fn same_json(a: &str, b: &str) -> bool {
    a == b || matches!((parse(a), parse(b)), (Ok(a), Ok(b)) if a == b)
}

/// Parses a stored text.
fn parse(text: &str) -> Result<Value> {
    wire::read_stored(text).map_err(Error::internal)
}

/// Reads the page and its author.
pub(super) async fn stored(tx: &mut Tx, id: PageId) -> Result<Stored> {
    let stored = sql!(
        concat!(
            "SELECT ",
            page_columns!(),
            ", c.editor_id, c.editor_session, d.version AS draft_version,
             (SELECT MAX(v.version) FROM page_versions v WHERE v.page_id = p.id) AS newest_version
             FROM pages p JOIN page_contents c ON c.page_id = p.id LEFT JOIN page_drafts d ON d.page_id = p.id WHERE p.id = $1"
        ),
        id
    )
    .fetch_optional(tx)
    .await?;
    stored.ok_or(Error::NotFound(Message::PageNotFound))
}

/// Writes `text` as the next version of the page, and returns that. The replaced text stays in the history. `published` says whether
/// learners see the page afterwards.
pub(super) async fn write(
    tx: &mut Tx,
    stored: &Stored,
    text: &Text,
    published: bool,
    by: Author<'_>,
    now: DateTime<Utc>,
) -> Result<i64> {
    let page = &stored.page;
    let version = stored.next_version();
    // A draft may begin from the newest entry, which then stays.
    let share = stored.draft_version.is_none().then_some(page.version);
    let published_at = published.then_some(now);
    let replaced = enter(tx, page, share, (version, text, published_at), by, now).await?;
    put(tx, stored, text, version, (Some(by.user), by.session), now).await?;
    let shown = text.references();
    shown.keep_files(tx, page.id).await?;
    if replaced {
        references::release_files(
            tx,
            page.id,
            &References::of_texts(&page.content, page.quiz.as_deref()),
            &shown,
        )
        .await?;
    }
    forget_oldest(tx, page.id, &shown).await?;
    Ok(version)
}

#[derive(sqlx::FromRow)]
struct Newest {
    editor_id: Option<UserId>,
    editor_session: Option<String>,
    started_at: DateTime<Utc>,
    published_at: Option<DateTime<Utc>>,
    /// Whether it is the text that some learner has read.
    was_read: bool,
}

/// Writes the entry of a text: its version, the text, and since when learners read it. It replaces the entry of the version `share` if that
/// comes from the same open editor, not long ago, no learner has read it, and learners could read either both or neither. Returns whether it
/// did.
pub(super) async fn enter(
    tx: &mut Tx,
    page: &PageRead,
    share: Option<i64>,
    (version, text, published_at): (i64, &Text, Option<DateTime<Utc>>),
    by: Author<'_>,
    now: DateTime<Utc>,
) -> Result<bool> {
    let newest = sql!(
        "SELECT editor_id, editor_session, started_at, published_at,
         EXISTS (SELECT 1 FROM visits WHERE page_id = $1 AND read_version = $2) AS was_read
         FROM page_versions WHERE page_id = $1 AND version = $2",
        page.id,
        share.unwrap_or(page.version)
    )
    .fetch_optional::<Newest>(&mut *tx)
    .await?;
    let shared = newest.as_ref().is_some_and(|newest| {
        share.is_some()
            && is_by(by, newest.editor_id, newest.editor_session.as_deref())
            && now - newest.started_at < shared_for()
            && !newest.was_read
            && (published_at.is_some() || newest.published_at.is_none())
    });
    if shared {
        sql!(
            "UPDATE page_versions SET version = $3, title = $4, content = $5, quiz = $6, saved_at = $7, published_at = $8
             WHERE page_id = $1 AND version = $2",
            page.id,
            share,
            version,
            &text.title,
            &text.content,
            &text.quiz,
            now,
            published_at
        )
        .execute(&mut *tx)
        .await?;
        return Ok(true);
    }
    if newest.is_none() {
        keep_first(tx, page.id).await?;
    }
    sql!(
        "INSERT INTO page_versions
         (page_id, version, title, content, quiz, editor_id, editor_session, started_at, saved_at, published_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9)",
        page.id,
        version,
        &text.title,
        &text.content,
        &text.quiz,
        by.user,
        by.session,
        now,
        published_at
    )
    .execute(tx)
    .await?;
    Ok(false)
}

/// The entry of a page that was saved only once, with the date of the page.
async fn keep_first(tx: &mut Tx, page: PageId) -> Result<()> {
    sql!(
        "INSERT INTO page_versions
         (page_id, version, title, content, quiz, editor_id, editor_session, started_at, saved_at, published_at)
         SELECT p.id, p.version, p.title, c.content, c.quiz, c.editor_id, c.editor_session, p.created_at, p.created_at,
         CASE WHEN p.published THEN p.created_at END
         FROM pages p JOIN page_contents c ON c.page_id = p.id WHERE p.id = $1
         ON CONFLICT (page_id, version) DO NOTHING",
        page
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Notes in the history that learners read the text of a page from now on.
pub(super) async fn note_publication(tx: &mut Tx, page: &PageRead, now: DateTime<Utc>) -> Result<()> {
    sql!(
        "UPDATE page_versions SET published_at = $3 WHERE page_id = $1 AND version = $2 AND published_at IS NULL",
        page.id,
        page.version,
        now
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Makes `text`, which the history has as `version`, the text of the page. The editor is None if the account is deleted.
pub(super) async fn put(
    tx: &mut Tx,
    stored: &Stored,
    text: &Text,
    version: i64,
    (editor, session): (Option<UserId>, Option<&str>),
    now: DateTime<Utc>,
) -> Result<()> {
    let page = &stored.page;
    sql!(
        "UPDATE pages SET title = $2, version = $3, updated_at = $4, max_attempts = $5, quiz_version = coalesce($6, quiz_version)
         WHERE id = $1",
        page.id,
        &text.title,
        version,
        now,
        max_attempts(text.quiz.as_deref())?,
        (page.quiz != text.quiz).then_some(version)
    )
    .execute(&mut *tx)
    .await?;
    sql!(
        "UPDATE page_contents SET content = $2, quiz = $3, editor_id = $4, editor_session = $5 WHERE page_id = $1",
        page.id,
        &text.content,
        &text.quiz,
        editor,
        session
    )
    .execute(&mut *tx)
    .await?;
    draws::follow(tx, page.id, page.quiz.as_deref(), text.quiz.as_deref()).await?;
    search_index::mark_pending(tx, page.id, false).await
}

/// Deletes the entries before the newest ones that nothing needs, and releases their files unless the text that is `shown` has them.
pub(super) async fn forget_oldest(tx: &mut Tx, page: PageId, shown: &References) -> Result<()> {
    let gone = sql!(
        "DELETE FROM page_versions WHERE page_id = $1 AND version <= (
           SELECT version FROM page_versions WHERE page_id = $1 ORDER BY version DESC LIMIT 1 OFFSET $2)
         AND version NOT IN (SELECT version FROM pages WHERE id = $1
           UNION ALL SELECT version FROM page_drafts WHERE page_id = $1
           UNION ALL SELECT base_version FROM page_drafts WHERE page_id = $1)
         AND version NOT IN (SELECT version FROM page_versions WHERE page_id = $1 AND published_at IS NOT NULL
           ORDER BY version DESC LIMIT $3)
         RETURNING content, quiz",
        page,
        KEPT,
        KEPT_PUBLISHED
    )
    .fetch_all::<(String, Option<String>)>(&mut *tx)
    .await?;
    for (content, quiz) in gone {
        let dropped = References::of_texts(&content, quiz.as_deref());
        references::release_files(tx, page, &dropped, shown).await?;
    }
    Ok(())
}
