//! The history of a page, newest first: lists and restores versions.
//!
//! A save writes an entry for the new text, and one for the text it replaces if that has none yet; so a page that was saved only
//! once has no entries. Saves from one editor within ten minutes share the newest entry.

use std::collections::{BTreeSet, HashMap, HashSet};

use chrono::{DateTime, Duration, Utc};
use serde_json::Value;

use super::page_columns;
use super::quiz::{max_attempts, require_ready};
use super::references::{self, References};
use super::{PageRead, read};
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::courses::{Scope, begin, find, renew_tree};
use crate::draws;
use crate::search_index::{self, PageText};
use kurso_base::error::{Error, Result};
use kurso_base::ids::{PageId, UserId};
use kurso_base::messages::Message;
use kurso_base::pagination::Listed;
use kurso_base::wire;
use kurso_db::events::{Change, Event};
use kurso_db::sql;
use kurso_db::{LIST_LIMIT, Tx};

/// The maximum number of entries per page.
const KEPT: i64 = 50;

/// The time in which saves of one open editor share an entry.
fn shared_for() -> Duration {
    Duration::minutes(10)
}

/// An entry of the history without its text.
#[derive(Clone, Debug, PartialEq, sqlx::FromRow)]
pub struct Version {
    pub version: i64,
    pub title: Option<String>,
    pub editor_id: Option<UserId>,
    pub editor_full_name: Option<String>,
    /// The times of the first and the last save of the entry.
    pub started_at: DateTime<Utc>,
    pub saved_at: DateTime<Utc>,
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

/// A page and the author of its current text.
#[derive(Debug, sqlx::FromRow)]
pub(super) struct Stored {
    #[sqlx(flatten)]
    pub page: PageRead,
    editor_id: Option<UserId>,
    editor_session: Option<String>,
}

impl Stored {
    pub fn was_written_by(&self, by: Author<'_>) -> bool {
        is_by(by, self.editor_id, self.editor_session.as_deref())
    }
}

/// Whether two saves come from one open editor. Saves without a session never do.
fn is_by(by: Author<'_>, editor: Option<UserId>, session: Option<&str>) -> bool {
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
}

fn same_json(a: &str, b: &str) -> bool {
    a == b || matches!((parse(a), parse(b)), (Ok(a), Ok(b)) if a == b)
}

/// Parses a stored text.
fn parse(text: &str) -> Result<Value> {
    wire::read_stored(text).map_err(Error::internal)
}

/// Reads the page and its author under the course's lock.
pub(super) async fn stored(tx: &mut Tx, id: PageId) -> Result<Stored> {
    let stored = sql!(
        concat!(
            "SELECT ",
            page_columns!(),
            ", c.editor_id, c.editor_session FROM pages p JOIN page_contents c ON c.page_id = p.id WHERE p.id = $1"
        ),
        id
    )
    .fetch_optional(tx)
    .await?;
    stored.ok_or(Error::NotFound(Message::PageNotFound))
}

#[derive(sqlx::FromRow)]
struct Newest {
    editor_id: Option<UserId>,
    editor_session: Option<String>,
    started_at: DateTime<Utc>,
}

/// Writes `text` as the next version of the page; the replaced text stays in the history. The caller has locked the course.
pub(super) async fn write(tx: &mut Tx, stored: &Stored, text: &Text, by: Author<'_>, now: DateTime<Utc>) -> Result<()> {
    let page = &stored.page;
    let version = page.version + 1;
    let newest = sql!(
        "SELECT editor_id, editor_session, started_at FROM page_versions WHERE page_id = $1 AND version = $2",
        page.id,
        page.version
    )
    .fetch_optional::<Newest>(&mut *tx)
    .await?;
    let shared = newest.as_ref().is_some_and(|newest| {
        is_by(by, newest.editor_id, newest.editor_session.as_deref()) && now - newest.started_at < shared_for()
    });
    let mut dropped = Vec::new();
    if shared {
        sql!(
            "UPDATE page_versions SET version = $3, title = $4, content = $5, quiz = $6, saved_at = $7
             WHERE page_id = $1 AND version = $2",
            page.id,
            page.version,
            version,
            &text.title,
            &text.content,
            &text.quiz,
            now
        )
        .execute(&mut *tx)
        .await?;
        dropped.push(References::of_texts(&page.content, page.quiz.as_deref()));
    } else {
        if newest.is_none() {
            keep_first(tx, page.id).await?;
        }
        sql!(
            "INSERT INTO page_versions
             (page_id, version, title, content, quiz, editor_id, editor_session, started_at, saved_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8)",
            page.id,
            version,
            &text.title,
            &text.content,
            &text.quiz,
            by.user,
            by.session,
            now
        )
        .execute(&mut *tx)
        .await?;
        dropped.extend(forget_oldest(tx, page.id).await?);
    }
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
        by.user,
        by.session
    )
    .execute(&mut *tx)
    .await?;
    draws::follow(tx, page.id, page.quiz.as_deref(), text.quiz.as_deref()).await?;
    let indexed = PageText {
        id: page.id,
        course_id: page.course_id,
        version,
        title: text.title.clone(),
        content: text.content.clone(),
        quiz: text.quiz.clone(),
    };
    search_index::index_page(tx, indexed).await?;
    let shown = References::of_texts(&text.content, text.quiz.as_deref());
    shown.keep_files(tx, page.id).await?;
    for dropped in &dropped {
        references::release_files(tx, page.id, dropped, &shown).await?;
    }
    Ok(())
}

/// The entry of a page that was saved only once, with the date of the page.
async fn keep_first(tx: &mut Tx, page: PageId) -> Result<()> {
    sql!(
        "INSERT INTO page_versions
         (page_id, version, title, content, quiz, editor_id, editor_session, started_at, saved_at)
         SELECT p.id, p.version, p.title, c.content, c.quiz, c.editor_id, c.editor_session, p.created_at, p.created_at
         FROM pages p JOIN page_contents c ON c.page_id = p.id WHERE p.id = $1",
        page
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Deletes the entries before the last 50. Returns what they referred to.
async fn forget_oldest(tx: &mut Tx, page: PageId) -> Result<Vec<References>> {
    let gone = sql!(
        "DELETE FROM page_versions WHERE page_id = $1 AND version <= (
           SELECT version FROM page_versions WHERE page_id = $1 ORDER BY version DESC LIMIT 1 OFFSET $2)
         RETURNING content, quiz",
        page,
        KEPT
    )
    .fetch_all::<(String, Option<String>)>(tx)
    .await?;
    Ok(gone
        .iter()
        .map(|(content, quiz)| References::of_texts(content, quiz.as_deref()))
        .collect())
}

/// Returns the history of a page, newest first; the first entry is the current text.
pub async fn list(kurso: &Kurso, viewer: &Viewer, page: PageId) -> Result<Listed<Version>> {
    find(&kurso.db, viewer, page, Right::ReadAsAuthor).await?;
    let data = of_pages(kurso, &[page]).await?.remove(&page).unwrap_or_default();
    let count = i64::try_from(data.len()).unwrap_or(i64::MAX);
    Ok(Listed { data, count })
}

#[derive(sqlx::FromRow)]
struct VersionRow {
    page_id: PageId,
    #[sqlx(flatten)]
    version: Version,
}

/// Returns the histories of at most [`kurso_db::LIST_LIMIT`] pages, each newest first. Two statements. The caller has checked that the
/// viewer reads the course as an author.
pub async fn of_pages(kurso: &Kurso, pages: &[PageId]) -> Result<HashMap<PageId, Vec<Version>>> {
    let mut rows = sql!(
        "SELECT v.page_id, v.version, v.title, v.editor_id, u.full_name AS editor_full_name, v.started_at, v.saved_at
         FROM page_versions v LEFT JOIN users u ON u.id = v.editor_id WHERE v.page_id IN "
    )
    .push_in(pages.iter().copied())
    .push(" ORDER BY v.page_id, v.version DESC")
    .fetch_all::<VersionRow>(&kurso.db)
    .await?;
    let saved_again: HashSet<PageId> = rows.iter().map(|row| row.page_id).collect();
    let once: Vec<PageId> = pages
        .iter()
        .copied()
        .filter(|page| !saved_again.contains(page))
        .collect();
    if !once.is_empty() {
        // A page that was saved only once has no entry.
        let written = sql!(
            "SELECT p.id AS page_id, p.version, p.title, c.editor_id, u.full_name AS editor_full_name,
             p.created_at AS started_at, p.created_at AS saved_at FROM pages p JOIN page_contents c ON c.page_id = p.id
             LEFT JOIN users u ON u.id = c.editor_id WHERE p.id IN "
        );
        rows.extend(written.push_in(once).fetch_all::<VersionRow>(&kurso.db).await?);
    }
    let mut histories: HashMap<PageId, Vec<Version>> = HashMap::with_capacity(pages.len());
    for row in rows {
        histories.entry(row.page_id).or_default().push(row.version);
    }
    Ok(histories)
}

/// The text of a page in one version.
#[derive(Clone, Debug, PartialEq, sqlx::FromRow)]
pub struct VersionText {
    pub title: Option<String>,
    /// The document as JSON text.
    pub content: String,
    /// The quiz as JSON text, answers included; quiz pages only.
    pub quiz: Option<String>,
}

/// Returns the text of a page in one version. Fails with 404 if the history does not contain it.
pub async fn get(kurso: &Kurso, viewer: &Viewer, page: PageId, version: i64) -> Result<VersionText> {
    find(&kurso.db, viewer, page, Right::ReadAsAuthor).await?;
    let text = sql!(
        "SELECT title, content, quiz FROM page_versions WHERE page_id = $1 AND version = $2
         UNION ALL SELECT p.title, c.content, c.quiz FROM pages p JOIN page_contents c ON c.page_id = p.id
         WHERE p.id = $1 AND p.version = $2",
        page,
        version
    )
    .fetch_optional(&kurso.db)
    .await?;
    text.ok_or(Error::NotFound(Message::VersionNotFound))
}

#[derive(sqlx::FromRow)]
struct TextRow {
    page_id: PageId,
    version: i64,
    #[sqlx(flatten)]
    text: VersionText,
}

/// Returns the texts of pages in one version each, without those that the history does not contain. One statement per
/// [`kurso_db::LIST_LIMIT`] pages. The caller has checked that the viewer reads the course as an author.
pub async fn texts_of(kurso: &Kurso, wanted: &[(PageId, i64)]) -> Result<HashMap<(PageId, i64), VersionText>> {
    let mut found = HashMap::with_capacity(wanted.len());
    for wanted in wanted.chunks(LIST_LIMIT) {
        let rows = sql!("SELECT page_id, version, title, content, quiz FROM page_versions WHERE version IN ")
            .push_in(wanted.iter().map(|(_, version)| *version).collect::<BTreeSet<_>>())
            .push(" AND page_id IN ")
            .push_in(wanted.iter().map(|(page, _)| *page))
            .push(
                " UNION ALL SELECT p.id, p.version, p.title, c.content, c.quiz
             FROM pages p JOIN page_contents c ON c.page_id = p.id WHERE p.id IN ",
            )
            .push_in(wanted.iter().map(|(page, _)| *page))
            .fetch_all::<TextRow>(&kurso.db)
            .await?;
        found.extend(rows.into_iter().map(|row| ((row.page_id, row.version), row.text)));
    }
    Ok(found)
}

/// Restores the text of `version` as a new version; the history stays complete. Fails with 404 if the history does not contain that
/// version.
pub async fn restore(kurso: &Kurso, viewer: &Viewer, page: PageId, version: i64) -> Result<PageRead> {
    let course = find(&kurso.db, viewer, page, Right::Edit).await?.id;
    let now = kurso.clock.now();
    let mut tx = begin(&kurso.db, course, Scope::Content(now)).await?;
    let stored = stored(&mut tx, page).await?;
    if version == stored.page.version {
        tx.rollback().await?;
        return Ok(stored.page);
    }
    let (title, content, quiz) = sql!(
        "SELECT title, content, quiz FROM page_versions WHERE page_id = $1 AND version = $2",
        page,
        version
    )
    .fetch_optional::<(Option<String>, String, Option<String>)>(&mut tx)
    .await?
    .ok_or(Error::NotFound(Message::VersionNotFound))?;
    let drawing = draws::drawing(quiz.as_deref())?;
    if let Some(quiz) = &drawing {
        draws::require_readable(&mut tx, viewer.id(), quiz, stored.page.quiz.as_deref()).await?;
    }
    // A quiz that was saved while the page was unpublished may be incomplete.
    if stored.page.published {
        require_ready(stored.page.kind, quiz.as_deref())?;
        if let Some(quiz) = &drawing {
            draws::require_fillable(&mut tx, quiz).await?;
        }
    }

    let text = Text { title, content, quiz };
    if text.same_as(&stored.page) {
        tx.rollback().await?;
        return Ok(stored.page);
    }
    let by = Author {
        user: viewer.id(),
        session: None,
    };
    write(&mut tx, &stored, &text, by, now).await?;
    if text.changes_tree(&stored.page)? {
        renew_tree(&mut tx, course).await?;
    }
    let page = read(&mut tx, page).await?;
    tx.publish(Event::Page {
        page: page.id,
        what: Change::Restored,
        version: page.version,
        by: viewer.id(),
        session: None,
        at: now,
    });
    tx.commit().await?;
    Ok(page)
}
