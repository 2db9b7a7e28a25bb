//! Page drafts: changes of title, content and quiz of a published page that learners do not see yet
//! ([decision 110](../../../../docs/decisions/0110-unpublished-changes.md)).
//!
//! A draft is a row beside the page. The published text stays in the rows of the page, so code that serves learners never reads drafts. Only a
//! published page has a draft: [`super::update`] writes the page itself when nothing needs to be hidden.

use std::collections::HashMap;
use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::quiz::max_attempts;
use super::references::{self, References};
use super::stored::{self, Author, Stored, Text, is_by};
use super::{PageRead, UpdateError};
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::courses::tree::Tree;
use crate::courses::{Scope, begin, find, quota};
use crate::search_index;
use kurso_base::error::{Error, Result};
use kurso_base::ids::{CourseId, LessonId, PageId, UserId};
use kurso_base::messages::Message;
use kurso_db::events::{Change, Event};
use kurso_db::{Executor, Tx, sql};

/// A draft without its content and quiz.
#[derive(Clone, Debug, PartialEq, sqlx::FromRow)]
pub struct DraftSummary {
    pub page_id: PageId,
    pub lesson_id: LessonId,
    pub title: Option<String>,
    /// A version of the page's sequence.
    pub version: i64,
    /// The published version from which the draft began, or with which it was merged.
    pub base_version: i64,
    /// The version that learners read.
    pub page_version: i64,
    pub editor_id: Option<UserId>,
    pub editor_full_name: Option<String>,
    /// The times of its first and its last save.
    pub created_at: DateTime<Utc>,
    pub saved_at: DateTime<Utc>,
}

impl DraftSummary {
    /// Whether the published text has changed since.
    pub fn is_behind(&self) -> bool {
        self.base_version != self.page_version
    }
}

/// A draft with its text.
#[derive(Clone, Debug, PartialEq, sqlx::FromRow)]
pub struct PageDraft {
    #[sqlx(flatten)]
    pub summary: DraftSummary,
    /// The document as JSON text.
    pub content: String,
    /// The quiz as JSON text with its answer keys, which may be incomplete; None on content pages.
    pub quiz: Option<String>,
    editor_session: Option<String>,
}

impl PageDraft {
    pub(super) fn was_written_by(&self, by: Author<'_>) -> bool {
        is_by(by, self.summary.editor_id, self.editor_session.as_deref())
    }

    fn text(&self) -> Text {
        Text {
            title: self.summary.title.clone(),
            content: self.content.clone(),
            quiz: self.quiz.clone(),
        }
    }
}

impl PageRead {
    /// The page as its authors edit it: with the text of its draft, if it has one.
    pub(super) fn with_draft(&self, draft: Option<&PageDraft>) -> PageRead {
        let Some(draft) = draft else { return self.clone() };
        PageRead {
            title: draft.summary.title.clone(),
            content: draft.content.clone(),
            quiz: draft.quiz.clone(),
            version: draft.summary.version,
            updated_at: draft.summary.saved_at,
            is_draft: true,
            ..self.clone()
        }
    }
}

macro_rules! summary_columns {
    () => {
        "d.page_id, p.lesson_id, d.title, d.version, d.base_version, p.version AS page_version, d.editor_id,
         u.full_name AS editor_full_name, d.created_at, d.saved_at"
    };
}

/// Returns the draft of a page. Fails with 404 if it has none.
pub async fn get(kurso: &Kurso, viewer: &Viewer, page: PageId) -> Result<PageDraft> {
    find(&kurso.db, viewer, page, Right::ReadDrafts).await?;
    let draft = of_page(&kurso.db, page).await?;
    draft.ok_or(Error::NotFound(Message::PageDraftNotFound))
}

/// Returns the drafts of at most [`kurso_db::LIST_LIMIT`] pages. One statement. The caller has checked that the viewer reads drafts of the pages.
pub async fn of_pages(on: impl Executor, pages: &[PageId]) -> Result<HashMap<PageId, PageDraft>> {
    let drafts = sql!(concat!(
        "SELECT ",
        summary_columns!(),
        ", d.content, d.quiz, d.editor_session
         FROM page_drafts d JOIN pages p ON p.id = d.page_id LEFT JOIN users u ON u.id = d.editor_id WHERE d.page_id IN "
    ));
    let drafts = drafts.push_in(pages.iter().copied()).fetch_all::<PageDraft>(on).await?;
    Ok(drafts.into_iter().map(|draft| (draft.summary.page_id, draft)).collect())
}

pub(super) async fn of_page(on: impl Executor, page: PageId) -> Result<Option<PageDraft>> {
    Ok(of_pages(on, &[page]).await?.remove(&page))
}

/// Returns what is unpublished in a course, in the order of its outline.
pub async fn list(kurso: &Kurso, viewer: &Viewer, course: CourseId) -> Result<Vec<DraftSummary>> {
    let course = find(&kurso.db, viewer, course, Right::ReadDrafts).await?.id;
    let drafts = sql!(
        concat!(
            "SELECT ",
            summary_columns!(),
            " FROM pages p JOIN page_drafts d ON d.page_id = p.id JOIN lessons l ON l.id = p.lesson_id
             JOIN modules m ON m.id = l.module_id LEFT JOIN users u ON u.id = d.editor_id
             WHERE p.course_id = $1 ORDER BY m.position, m.id, l.position, l.id, p.position, p.id"
        ),
        course
    );
    Ok(drafts.fetch_all(&kurso.db).await?)
}

/// Returns the pages of courses that have drafts, in no order. One statement for at most [`kurso_db::LIST_LIMIT`] courses. The caller has checked that
/// the viewer reads drafts of the courses.
pub async fn pages_of(kurso: &Kurso, courses: &[CourseId]) -> Result<HashMap<CourseId, Vec<PageId>>> {
    let rows =
        sql!("SELECT p.course_id, p.id FROM pages p JOIN page_drafts d ON d.page_id = p.id WHERE p.course_id IN ")
            .push_in(courses.iter().copied())
            .fetch_all::<(CourseId, PageId)>(&kurso.db)
            .await?;
    let mut pages: HashMap<CourseId, Vec<PageId>> = HashMap::new();
    for (course, page) in rows {
        pages.entry(course).or_default().push(page);
    }
    Ok(pages)
}

/// The tree of a course with the titles and attempt limits of drafts.
pub(crate) async fn tree_with_drafts(kurso: &Kurso, course: CourseId, tree: &Arc<Tree>) -> Result<Arc<Tree>> {
    let drafts = sql!(
        "SELECT d.page_id, d.title, d.quiz FROM pages p JOIN page_drafts d ON d.page_id = p.id WHERE p.course_id = $1",
        course
    );
    let drafts = drafts
        .fetch_all::<(PageId, Option<String>, Option<String>)>(&kurso.db)
        .await?;
    let mut tree = tree.clone();
    for (page, title, quiz) in drafts {
        if let Some(place) = tree.place(page)
            && let Some(node) = Arc::make_mut(&mut tree).pages.get_mut(place)
        {
            node.title = title;
            node.max_attempts = max_attempts(quiz.as_deref())?;
        }
    }
    Ok(tree)
}

/// Saves `text` as the draft of a published page, in place of the draft it has. The caller commits the returned transaction; None if nothing changes. `base` is the version of the page whose text it
/// contains; None: the one from which the draft began. A draft that equals the published text is deleted instead. Returns the page as its authors edit it. Fails with 413 when the quota of the course's `owner` is full.
pub(super) async fn save(
    kurso: &Kurso,
    mut tx: Tx,
    owner: UserId,
    (stored, draft): (Stored, Option<PageDraft>),
    (text, base): (&Text, Option<i64>),
    by: Author<'_>,
    now: DateTime<Utc>,
) -> Result<(PageRead, Option<Tx>)> {
    let page = &stored.page;
    let edited = page.with_draft(draft.as_ref());
    let first = draft.as_ref().map_or(page.version, |draft| draft.summary.base_version);
    let base = base.unwrap_or(first).clamp(first, page.version);
    if text.same_as(&edited) && base == first {
        tx.rollback().await?;
        return Ok((edited, None));
    }
    let (what, version) = match text.same_as(page) {
        true => {
            delete(&mut tx, page.id).await?;
            (Change::DraftDiscarded, page.version)
        }
        false => {
            let version = write(&mut tx, &stored, draft.as_ref(), (text, base), by, now).await?;
            let bytes = text.content.len() + text.quiz.as_deref().map_or(0, str::len);
            quota::check_save(kurso, &mut tx, page.course_id, owner, bytes).await?;
            (Change::DraftSaved, version)
        }
    };
    let saved = of_page(&mut tx, page.id).await?;
    let edited = page.with_draft(saved.as_ref());
    tell(&mut tx, page.id, what, version, by, now);
    Ok((edited, Some(tx)))
}

pub(super) async fn write(
    tx: &mut Tx,
    stored: &Stored,
    draft: Option<&PageDraft>,
    (text, base): (&Text, i64),
    by: Author<'_>,
    now: DateTime<Utc>,
) -> Result<i64> {
    let page = &stored.page;
    let version = stored.next_version();
    let share = draft.map(|draft| draft.summary.version);
    let replaced = stored::enter(tx, page, share, (version, text, None), by, now).await?;
    sql!(
        "INSERT INTO page_drafts
         (page_id, title, content, quiz, version, base_version, editor_id, editor_session, created_at, saved_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)
         ON CONFLICT (page_id) DO UPDATE SET title = excluded.title, content = excluded.content, quiz = excluded.quiz,
         version = excluded.version, base_version = excluded.base_version, editor_id = excluded.editor_id, editor_session = excluded.editor_session,
         saved_at = excluded.saved_at",
        page.id,
        &text.title,
        &text.content,
        &text.quiz,
        version,
        base,
        by.user,
        by.session,
        now
    )
    .execute(&mut *tx)
    .await?;
    search_index::mark_pending(tx, page.id, true).await?;
    // The history and the page's own text keep their files as well.
    let shown = References::of_texts(&text.content, text.quiz.as_deref());
    shown.keep_files(tx, page.id).await?;
    let published = References::of_texts(&page.content, page.quiz.as_deref());
    if let Some(draft) = draft.filter(|_| replaced) {
        let earlier = References::of_texts(&draft.content, draft.quiz.as_deref());
        references::release_files(tx, page.id, &earlier, &published).await?;
    }
    stored::forget_oldest(tx, page.id, &published).await?;
    Ok(version)
}

/// Lets the draft follow a direct save that gave the page `text`. A draft with the same text is deleted: then there is nothing to publish. When only
/// the title was changed, as in the outline, a draft that had the earlier title gets the new one, or publishing would bring the earlier one back.
pub(super) async fn follow(
    tx: &mut Tx,
    stored: &Stored,
    text: &Text,
    by: Author<'_>,
    now: DateTime<Utc>,
) -> Result<()> {
    if stored.draft_version.is_none() {
        return Ok(());
    }
    let page = &stored.page;
    let Some(draft) = of_page(&mut *tx, page.id).await? else {
        return Ok(());
    };
    if text.same_as(&page.with_draft(Some(&draft))) {
        return delete(tx, page.id).await;
    }
    let renamed = Text {
        title: text.title.clone(),
        ..draft.text()
    };
    let only_title = text.content == page.content && text.quiz == page.quiz;
    if !only_title || draft.summary.title != page.title {
        return Ok(());
    }
    let saved = stored::stored(tx, page.id).await?;
    if renamed.same_as(&saved.page) {
        return delete(tx, page.id).await;
    }
    let base = match draft.summary.base_version == page.version {
        true => saved.page.version,
        false => draft.summary.base_version,
    };
    let version = write(tx, &saved, Some(&draft), (&renamed, base), by, now).await?;
    tell(tx, page.id, Change::DraftSaved, version, by, now);
    Ok(())
}

pub(super) async fn delete(tx: &mut Tx, page: PageId) -> Result<()> {
    sql!("DELETE FROM page_drafts WHERE page_id = $1", page)
        .execute(&mut *tx)
        .await?;
    search_index::mark_pending(tx, page, true).await
}

pub(super) fn tell(tx: &mut Tx, page: PageId, what: Change, version: i64, by: Author<'_>, now: DateTime<Utc>) {
    tx.publish(Event::Page {
        page,
        what,
        version,
        by: by.user,
        session: by.session.map(str::to_owned),
        at: now,
    });
}

/// Makes the draft the text of its page. `published` says whether learners see the page afterwards. Returns the version of the page, and
/// whether its tree has changed.
pub(super) async fn adopt(
    tx: &mut Tx,
    stored: &Stored,
    draft: &PageDraft,
    published: bool,
    now: DateTime<Utc>,
) -> Result<(i64, bool)> {
    let (page, text) = (&stored.page, draft.text());
    delete(tx, page.id).await?;
    if text.same_as(page) {
        return Ok((page.version, false));
    }
    // A draft that is behind has a lower number than the page, or a newer text of the page would have the higher one.
    let version = match draft.summary.version > page.version {
        true => draft.summary.version,
        false => stored.next_version(),
    };
    // Without its session, no later save replaces the entry, which learners have read.
    sql!(
        "UPDATE page_versions SET version = $3, published_at = $4, editor_session = NULL WHERE page_id = $1 AND version = $2",
        page.id,
        draft.summary.version,
        version,
        published.then_some(now)
    )
    .execute(&mut *tx)
    .await?;
    let editor = (draft.summary.editor_id, draft.editor_session.as_deref());
    stored::put(tx, stored, &text, version, editor, now).await?;
    let shown = References::of_texts(&text.content, text.quiz.as_deref());
    stored::forget_oldest(tx, page.id, &shown).await?;
    Ok((version, text.changes_tree(page)?))
}

/// Ends the draft of a page that an import has unpublished: it becomes the text of the page, unless the import brings a text, and stays in
/// the history. The caller has locked the course.
pub(crate) async fn settle(tx: &mut Tx, page: PageId, has_new_text: bool, now: DateTime<Utc>) -> Result<()> {
    let Some(draft) = of_page(&mut *tx, page).await? else {
        return Ok(());
    };
    if has_new_text {
        return delete(tx, page).await;
    }
    let stored = stored::stored(tx, page).await?;
    adopt(tx, &stored, &draft, false, now).await?;
    Ok(())
}

/// Discards the draft of a page if it has this version, and returns the page. Its texts stay in the history. Fails with the page as its
/// authors edit it if the draft has another version, and with 404 if it has none.
pub async fn discard(kurso: &Kurso, viewer: &Viewer, page: PageId, version: i64) -> Result<PageRead, UpdateError> {
    let course = find(&kurso.db, viewer, page, Right::Edit).await?.id;
    let now = kurso.clock.now();
    let mut tx = begin(&kurso.db, course, Scope::Unchanged).await?;
    let stored = stored::stored(&mut tx, page).await?;
    let Some(draft) = of_page(&mut tx, page).await? else {
        return Err(Error::NotFound(Message::PageDraftNotFound).into());
    };
    if draft.summary.version != version {
        tx.rollback().await?;
        return Err(UpdateError::Conflict(Box::new(stored.page.with_draft(Some(&draft)))));
    }
    delete(&mut tx, page).await?;
    let by = Author {
        user: viewer.id(),
        session: None,
    };
    tell(&mut tx, page, Change::DraftDiscarded, stored.page.version, by, now);
    tx.commit().await?;
    Ok(stored.page)
}
