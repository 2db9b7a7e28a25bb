//! Creates, changes and deletes notes.

use kurso_base::error::{Error, Result};
use kurso_base::ids::{CourseId, NoteId, PageId, UserId};
use kurso_base::messages::Message;
use kurso_base::values::{BlockIndex, NoteQuote, NoteText, NoteVersion, PageVersion, TextOffset};
use kurso_base::wire;
use kurso_db::{Executor, Tx, sql};
use kurso_formats::content::quote::{QuotableTexts, Quote};
use serde_json::Value;

use super::page::{self, Row, note_columns};
use super::{MAX_IN_COURSE, MAX_ON_PAGE, Note, NoteColor};
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::comments::start::{read_text, refused};
use crate::courses::{self, Scope};
use crate::learning::view::CourseView;

/// A new note or highlight.
#[derive(Clone, Debug)]
#[cfg_attr(any(test, feature = "testing"), derive(serde::Deserialize))]
pub struct CreateNote {
    pub color: NoteColor,
    /// Empty: only a highlight.
    pub body: NoteText,
    /// The version of the text in which `block` is an index.
    pub version: Option<PageVersion>,
    /// The block of the words; None: the note is about the whole page.
    pub block: Option<BlockIndex>,
    /// The words.
    pub quote: Option<NoteQuote>,
    /// Where they begin in the text of the block; None: the block has them once.
    pub start: Option<TextOffset>,
}

/// A change of a note. What is None stays as it is.
#[derive(Clone, Debug)]
#[cfg_attr(any(test, feature = "testing"), derive(serde::Deserialize))]
pub struct UpdateNote {
    /// The version that was read.
    pub version: NoteVersion,
    #[cfg_attr(any(test, feature = "testing"), serde(default))]
    pub color: Option<NoteColor>,
    #[cfg_attr(any(test, feature = "testing"), serde(default))]
    pub body: Option<NoteText>,
}

/// Notes or highlights words of a page that the viewer may read, or the page. Fails with 409 if the page or the course has as many notes of the
/// viewer as it can, or the history has the version no longer; with 422 for words that the block does not have there.
pub async fn create(kurso: &Kurso, viewer: &Viewer, page: PageId, new: CreateNote) -> Result<Note> {
    let (view, place) = CourseView::load_by_page(kurso, viewer, page, Right::Read).await?;
    view.require_readable(place)?;
    let course = view.course;
    // The words are found before anything is locked, because the text may be megabytes long.
    let quote = match (new.block, new.version, &new.quote) {
        (None, ..) => None,
        (Some(_), None, _) => return Err(refused("version", Message::BlockNeedsVersion)),
        (Some(_), _, None) => return Err(refused("quote", Message::FieldRequired)),
        (Some(block), Some(version), Some(quote)) => {
            let mut tx = kurso.db.begin().await?;
            let content = read_text(&mut tx, viewer, &course, page, version).await?;
            tx.rollback().await?;
            let found = select(content, block, new.start, quote.as_str()).await?;
            let found = found.ok_or_else(|| refused("quote", Message::NoSuchWords))?;
            Some((version.get(), found))
        }
    };
    if quote.is_none() && new.body.as_str().trim().is_empty() {
        return Err(refused("body", Message::NoteEmpty));
    }
    let mut tx = courses::begin(&kurso.db, course.id, Scope::Unchanged).await?;
    require_room(&mut tx, viewer.id(), page, course.id).await?;
    let id = NoteId::new();
    let now = kurso.clock.now();
    let number = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
    let (text_version, quote) = quote.unzip();
    sql!(
        "INSERT INTO notes (id, user_id, page_id, color, body, created_at, updated_at, text_version, block, start_at, exact, prefix, suffix)
         VALUES ($1, $2, $3, $4, $5, $6, $6, $7, $8, $9, $10, $11, $12)",
        id,
        viewer.id(),
        page,
        new.color,
        new.body.as_str(),
        now,
        text_version,
        quote.as_ref().map(|quote| number(quote.block)),
        quote.as_ref().map(|quote| number(quote.start)),
        quote.as_ref().map(|quote| quote.exact.clone()),
        quote.as_ref().map(|quote| quote.prefix.clone()),
        quote.as_ref().map(|quote| quote.suffix.clone())
    )
    .execute(&mut tx)
    .await?;
    tx.commit().await?;
    one(kurso, viewer, id, |_| true).await
}

async fn select(content: String, block: BlockIndex, start: Option<TextOffset>, exact: &str) -> Result<Option<Quote>> {
    let exact = exact.to_owned();
    // The text may be megabytes long.
    let selecting = tokio::task::spawn_blocking(move || {
        let document: Value = wire::read_stored(&content).map_err(Error::internal)?;
        let start = start.map(|start| usize::try_from(start.get()).unwrap_or(usize::MAX));
        let block = usize::try_from(block.get()).unwrap_or(usize::MAX);
        Ok(QuotableTexts::of(&document).select(block, start, &exact))
    });
    selecting.await.map_err(Error::internal)?
}

/// Fails with 409 if the page or the course has as many notes of the person as it can. The caller has locked the course.
async fn require_room(tx: &mut Tx, user: UserId, page: PageId, course: CourseId) -> Result<()> {
    let counts = sql!(
        "SELECT COUNT(*), COUNT(CASE WHEN n.page_id = $2 THEN 1 END) FROM notes n JOIN pages p ON p.id = n.page_id
         WHERE n.user_id = $1 AND p.course_id = $3",
        user,
        page,
        course
    );
    let (whole, on_page) = counts.fetch_one::<(i64, i64)>(tx).await?;
    if on_page >= MAX_ON_PAGE {
        return Err(Error::Conflict(Message::TooManyNotesOnPage(MAX_ON_PAGE)));
    }
    match whole < MAX_IN_COURSE {
        true => Ok(()),
        false => Err(Error::Conflict(Message::TooManyNotes(MAX_IN_COURSE))),
    }
}

/// Changes a note of the viewer, also where the viewer may no longer read the page. Fails with 404 for notes of others, and with 409 if it has changed
/// since.
pub async fn update(kurso: &Kurso, viewer: &Viewer, id: NoteId, to: UpdateNote) -> Result<Note> {
    let stored = find(&kurso.db, viewer, id).await?;
    let body = to.body.as_ref().map(NoteText::as_str);
    if stored.exact.is_none() && body.is_some_and(|body| body.trim().is_empty()) {
        return Err(refused("body", Message::NoteEmpty));
    }
    let changed = sql!(
        "UPDATE notes SET color = COALESCE($4, color), body = COALESCE($5, body), updated_at = $6, version = version + 1
         WHERE id = $1 AND user_id = $2 AND version = $3",
        id,
        viewer.id(),
        to.version.get(),
        to.color,
        body,
        kurso.clock.now()
    );
    if changed.execute(&kurso.db).await? == 0 {
        find(&kurso.db, viewer, id).await?;
        return Err(Error::Conflict(Message::NoteChanged));
    }
    let is_readable = readable_in(kurso, viewer, stored.page_id).await?;
    one(kurso, viewer, id, |_| is_readable).await
}

/// Deletes a note of the viewer. Fails with 404 for notes of others. Returns its page.
pub async fn delete(kurso: &Kurso, viewer: &Viewer, id: NoteId) -> Result<PageId> {
    let stored = find(&kurso.db, viewer, id).await?;
    let deleted = sql!("DELETE FROM notes WHERE id = $1 AND user_id = $2", id, viewer.id());
    match deleted.execute(&kurso.db).await? {
        0 => Err(Error::NotFound(Message::NoteNotFound)),
        _ => Ok(stored.page_id),
    }
}

/// Whether the viewer may read the page now.
async fn readable_in(kurso: &Kurso, viewer: &Viewer, page: PageId) -> Result<bool> {
    match CourseView::load_by_page(kurso, viewer, page, Right::Read).await {
        Ok((view, place)) => Ok(view.require_readable(place).is_ok()),
        Err(Error::NotFound(_)) => Ok(false),
        Err(error) => Err(error),
    }
}

async fn find(on: impl Executor, viewer: &Viewer, id: NoteId) -> Result<Row> {
    let row = sql!(
        concat!("SELECT ", note_columns!(), " WHERE n.id = $1 AND n.user_id = $2"),
        id,
        viewer.id()
    );
    let row = row.fetch_optional::<Row>(on).await?;
    row.ok_or(Error::NotFound(Message::NoteNotFound))
}

async fn one(kurso: &Kurso, viewer: &Viewer, id: NoteId, is_readable: impl Fn(PageId) -> bool) -> Result<Note> {
    let row = find(&kurso.db, viewer, id).await?;
    let found = page::resolved(kurso, vec![row], false, is_readable).await?.pop();
    found.ok_or(Error::NotFound(Message::NoteNotFound))
}
