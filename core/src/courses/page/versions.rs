//! The history of a page, newest first: lists and restores versions.
//!
//! A save of the page or of its draft writes an entry for the new text, and one for the text it replaces if that has none yet; so a page that
//! was saved only once has no entries. Saves from one editor within ten minutes share the newest entry.

use std::collections::{BTreeSet, HashMap, HashSet};

use chrono::{DateTime, Utc};

use super::quiz::require_ready;
use super::stored::{Author, Text, stored, write};
use super::{PageRead, draft, read};
use crate::Kurso;
use crate::access::{Right, Role, Viewer};
use crate::courses::{Scope, begin, find, renew_tree, touch};
use crate::draws;
use kurso_base::error::{Error, Result};
use kurso_base::ids::{PageId, UserId};
use kurso_base::messages::Message;
use kurso_base::pagination::Listed;
use kurso_db::LIST_LIMIT;
use kurso_db::events::{Change, Event};
use kurso_db::sql;

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
    /// When learners could first read it; None for a text that they never could.
    pub published_at: Option<DateTime<Utc>>,
    /// Whether it is a text of a published page that learners never saw.
    is_unseen: bool,
}

impl Version {
    /// Whether a member of the staff may read it. Texts of a published page that learners never saw are for those who read drafts.
    pub fn is_visible_to(&self, role: Role) -> bool {
        !self.is_unseen || role.may(Right::ReadDrafts)
    }
}

/// The condition on `page_versions v` and `pages p` that a text is one of a published page that learners never saw.
macro_rules! unseen {
    () => {
        "(p.published AND v.published_at IS NULL AND v.version <> p.version) AS is_unseen"
    };
}

/// Returns the history of a page, newest first, without what the viewer may not read. It has the texts of the page and of its drafts.
pub async fn list(kurso: &Kurso, viewer: &Viewer, page: PageId) -> Result<Listed<Version>> {
    let role = find(&kurso.db, viewer, page, Right::ReadAsAuthor).await?.role;
    let mut data = of_pages(kurso, &[page]).await?.remove(&page).unwrap_or_default();
    data.retain(|version| version.is_visible_to(role));
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
/// viewer reads the course as an author, and shows only what [`Version::is_visible_to`] their role.
pub async fn of_pages(kurso: &Kurso, pages: &[PageId]) -> Result<HashMap<PageId, Vec<Version>>> {
    let mut rows = sql!(concat!(
        "SELECT v.page_id, v.version, v.title, v.editor_id, u.full_name AS editor_full_name, v.started_at, v.saved_at,
         COALESCE(v.published_at, CASE WHEN p.published AND v.version = p.version THEN v.saved_at END) AS published_at, ",
        unseen!(),
        " FROM page_versions v JOIN pages p ON p.id = v.page_id LEFT JOIN users u ON u.id = v.editor_id WHERE v.page_id IN "
    ))
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
             p.created_at AS started_at, p.created_at AS saved_at, CASE WHEN p.published THEN p.created_at END AS published_at,
             FALSE AS is_unseen FROM pages p JOIN page_contents c ON c.page_id = p.id
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
    is_unseen: bool,
}

impl VersionText {
    /// As [`Version::is_visible_to`].
    pub fn is_visible_to(&self, role: Role) -> bool {
        !self.is_unseen || role.may(Right::ReadDrafts)
    }
}

/// Returns the text of a page in one version. Fails with 404 if the history does not contain it, or the viewer may not read it.
pub async fn get(kurso: &Kurso, viewer: &Viewer, page: PageId, version: i64) -> Result<VersionText> {
    let role = find(&kurso.db, viewer, page, Right::ReadAsAuthor).await?.role;
    let text = texts_of(kurso, &[(page, version)]).await?.remove(&(page, version));
    let text = text.filter(|text| text.is_visible_to(role));
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
/// [`kurso_db::LIST_LIMIT`] pages. The caller has checked that the viewer reads the course as an author, and shows only
/// what [`VersionText::is_visible_to`] their role.
pub async fn texts_of(kurso: &Kurso, wanted: &[(PageId, i64)]) -> Result<HashMap<(PageId, i64), VersionText>> {
    let mut found = HashMap::with_capacity(wanted.len());
    for wanted in wanted.chunks(LIST_LIMIT) {
        let texts = sql!(concat!(
            "SELECT v.page_id, v.version, v.title, v.content, v.quiz, ",
            unseen!(),
            " FROM page_versions v JOIN pages p ON p.id = v.page_id WHERE v.version IN "
        ));
        let rows = texts
            .push_in(wanted.iter().map(|(_, version)| *version).collect::<BTreeSet<_>>())
            .push(" AND v.page_id IN ")
            .push_in(wanted.iter().map(|(page, _)| *page))
            .push(
                " UNION ALL SELECT p.id, p.version, p.title, c.content, c.quiz, FALSE
             FROM pages p JOIN page_contents c ON c.page_id = p.id WHERE p.id IN ",
            )
            .push_in(wanted.iter().map(|(page, _)| *page))
            .fetch_all::<TextRow>(&kurso.db)
            .await?;
        found.extend(rows.into_iter().map(|row| ((row.page_id, row.version), row.text)));
    }
    Ok(found)
}

/// Restores the text of `version` as a new version; the history stays complete. `into_draft` makes it the draft of a published page. Fails
/// with 404 if the history does not contain that version.
pub async fn restore(kurso: &Kurso, viewer: &Viewer, page: PageId, version: i64, into_draft: bool) -> Result<PageRead> {
    let found = find(&kurso.db, viewer, page, Right::Edit).await?;
    let now = kurso.clock.now();
    let mut tx = begin(&kurso.db, found.id, Scope::Unchanged).await?;
    let stored = stored(&mut tx, page).await?;
    let into_draft = into_draft && stored.page.published;
    let draft = match into_draft {
        true => draft::of_page(&mut tx, page).await?,
        false => None,
    };
    let edited = stored.page.with_draft(draft.as_ref());
    if version == edited.version {
        tx.rollback().await?;
        return Ok(edited);
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
        draws::require_readable(&mut tx, viewer.id(), quiz, edited.quiz.as_deref()).await?;
    }
    // A quiz that was saved while the page was unpublished, or as a draft, may be incomplete.
    if stored.page.published && !into_draft {
        require_ready(stored.page.kind, quiz.as_deref())?;
        if let Some(quiz) = &drawing {
            draws::require_fillable(&mut tx, quiz).await?;
        }
    }

    let text = Text { title, content, quiz };
    let by = Author {
        user: viewer.id(),
        session: None,
    };
    if into_draft {
        let (page, tx) = draft::save(kurso, tx, found.owner.id, (stored, draft), (&text, None), by, now).await?;
        if let Some(tx) = tx {
            tx.commit().await?;
        }
        return Ok(page);
    }
    if text.same_as(&stored.page) {
        tx.rollback().await?;
        return Ok(stored.page);
    }
    touch(&mut tx, found.id, now).await?;
    write(&mut tx, &stored, &text, stored.page.published, by, now).await?;
    draft::follow(&mut tx, &stored, &text, by, now).await?;
    if text.changes_tree(&stored.page)? {
        renew_tree(&mut tx, found.id).await?;
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
