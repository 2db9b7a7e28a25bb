//! Reads pages with their content; creates and deletes pages. [`update`] changes them.

pub mod draft;
mod importance;
pub mod publishing;
mod quiz;
pub(crate) mod references;
mod restored;
mod stored;
mod update;
pub mod versions;

use chrono::{DateTime, Utc};

use super::dates::{DatesChange, LateChange, dates_columns, given, late_columns};
use super::order::{self, Siblings};
use super::tree::PageKind;
use super::{Scope, begin, find};
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::audit::{Act, Entry};
use crate::deletion::{self, TrashKind};
use crate::draws;
use crate::search_index;
pub use importance::Importance;
pub(crate) use importance::differs_from_read;
use kurso_base::error::{Error, Result};
use kurso_base::expected_dates::ExpectedDates;
use kurso_base::ids::{CourseId, LessonId, PageId, UserId};
use kurso_base::messages::Message;
use kurso_base::schedule::{Dates, Late, ScheduleTime};
use kurso_base::values::{Percentage, Position, Title};
use kurso_db::events::{Change, Event};
use kurso_db::sql;
use kurso_db::{Executor, Tx};
use kurso_formats::content::{self, Document};
use kurso_formats::quiz::QuizDraft;
use references::References;
pub(crate) use restored::{DraftText, set_draft};
pub(crate) use update::update_uncommitted;
pub use update::{UpdatePage, update};

/// A page as a lesson lists it.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Summary {
    pub id: PageId,
    pub lesson_id: LessonId,
    /// None if the page is shown by its number.
    pub title: Option<String>,
    pub kind: PageKind,
    pub position: i64,
    pub published: bool,
    #[sqlx(flatten)]
    pub dates: Dates,
    #[sqlx(flatten)]
    pub late: Late,
}

/// A page with its content, as its authors and teachers see it.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct PageRead {
    pub id: PageId,
    pub lesson_id: LessonId,
    pub course_id: CourseId,
    pub title: Option<String>,
    pub kind: PageKind,
    pub position: i64,
    pub published: bool,
    /// The document as JSON text.
    pub content: String,
    /// The quiz as JSON text with its answer keys; quiz pages only.
    pub quiz: Option<String>,
    /// Starts at 1 and grows with each change of title, content or quiz.
    pub version: i64,
    pub updated_at: DateTime<Utc>,
    /// Whether title, content, quiz, version and time are those of its draft, which learners do not see.
    #[sqlx(default)]
    pub is_draft: bool,
    #[sqlx(flatten)]
    pub dates: Dates,
    #[sqlx(flatten)]
    pub late: Late,
}

/// The columns of a [`PageRead`], of `pages p` and `page_contents c`.
macro_rules! page_columns {
    () => {
        concat!(
            "p.id, p.lesson_id, p.course_id, p.title, p.kind, p.position, p.published, c.content, c.quiz, p.version,
             p.updated_at, ",
            $crate::courses::dates::dates_columns!("p"),
            ", ",
            $crate::courses::dates::late_columns!("p")
        )
    };
}
pub(super) use page_columns;

/// Why a page was not updated.
#[derive(Debug, thiserror::Error)]
pub enum UpdateError {
    /// The page was changed after it was read; contains the stored page, with the text of its draft for a save of that.
    #[error("conflict: the page has changed")]
    Conflict(Box<PageRead>),
    #[error(transparent)]
    Refused(#[from] Error),
}

impl From<sqlx::Error> for UpdateError {
    fn from(error: sqlx::Error) -> Self {
        UpdateError::Refused(error.into())
    }
}

/// A new page. Without a position it is appended to its lesson.
#[derive(Clone, Debug)]
#[cfg_attr(any(test, feature = "testing"), derive(serde::Deserialize), serde(default))]
pub struct CreatePage {
    /// None if the page is shown by its number.
    pub title: Option<Title>,
    /// The kind never changes.
    pub kind: PageKind,
    /// None means one empty paragraph.
    pub content: Option<Document>,
    /// Quiz pages only.
    pub quiz: Option<QuizDraft>,
    pub position: Option<Position>,
    pub published: bool,
    pub available_from: Option<ScheduleTime>,
    pub available_until: Option<ScheduleTime>,
    pub due_at: Option<ScheduleTime>,
    /// Late attempts are for quiz pages only.
    pub late_until: Option<ScheduleTime>,
    pub late_penalty_per_day: Option<Percentage>,
    pub late_penalty_max: Option<Percentage>,
}

impl Default for CreatePage {
    /// An empty content page that is published.
    fn default() -> Self {
        CreatePage {
            title: None,
            kind: PageKind::Content,
            content: None,
            quiz: None,
            position: None,
            published: true,
            available_from: None,
            available_until: None,
            due_at: None,
            late_until: None,
            late_penalty_per_day: None,
            late_penalty_max: None,
        }
    }
}

/// Creates a page. Fails with 422 if the quiz or the late policy does not fit the page, or its dates are out of order.
pub async fn create(kurso: &Kurso, viewer: &Viewer, lesson: LessonId, new: CreatePage) -> Result<PageRead> {
    let CreatePage { kind, published, .. } = new;
    let quiz_text = quiz::quiz_text(kind, published, new.quiz.as_ref())?;
    let content = new.content.as_ref().map(Document::as_json);
    let quiz_json = new.quiz.as_ref().map(|quiz| quiz.as_quiz().to_json()).transpose()?;
    let references = References::of(content, quiz_json.as_ref());
    let late = LateChange {
        expected: ExpectedDates::default(),
        late_until: given(new.late_until),
        late_penalty_per_day: given(new.late_penalty_per_day),
        late_penalty_max: given(new.late_penalty_max),
    };
    require_attempts(kind, &late)?;
    let course = find(&kurso.db, viewer, lesson, Right::Edit).await?;
    let dates = DatesChange {
        expected: ExpectedDates::default(),
        available_from: given(new.available_from),
        available_until: given(new.available_until),
        due_at: given(new.due_at),
    };
    let dates = dates.apply(Dates::default(), course.dates.zone())?;
    let late = late.apply(Late::default(), &dates, course.dates.zone())?;
    let course = course.id;

    let (id, now) = (PageId::new(), kurso.clock.now());
    let mut tx = begin(&kurso.db, course, Scope::Structure(now)).await?;
    references.check(&mut tx, viewer, course, None).await?;
    if let Some(quiz) = new.quiz.as_ref().map(QuizDraft::as_quiz) {
        draws::require_readable(&mut tx, viewer.id(), quiz, None).await?;
        if published {
            draws::require_fillable(&mut tx, quiz).await?;
        }
    }
    let position = order::make_room(
        &mut tx,
        course,
        Siblings::Pages(lesson),
        new.position.map(Position::get),
    )
    .await?;
    sql!(
        concat!(
            "INSERT INTO pages (id, lesson_id, course_id, title, kind, position, published, version, created_at, updated_at,
             max_attempts, ",
            dates_columns!(),
            ", ",
            late_columns!(),
            ") VALUES ($1, $2, $3, $4, $5, $6, $7, 1, $8, $8, $9, $10, $11, $12, $13, $14, $15)"
        ),
        id,
        lesson,
        course,
        new.title.as_ref().map(Title::as_str),
        kind,
        position,
        published,
        now,
        quiz::max_attempts(quiz_text.as_deref())?,
        dates.available_from,
        dates.available_until,
        dates.due_at,
        late.late_until,
        late.late_penalty_per_day,
        late.late_penalty_max
    )
    .execute(&mut tx)
    .await?;
    let text = content.map_or_else(|| content::EMPTY.to_owned(), ToString::to_string);
    sql!(
        "INSERT INTO page_contents (page_id, content, quiz, editor_id) VALUES ($1, $2, $3, $4)",
        id,
        text,
        quiz_text,
        viewer.id()
    )
    .execute(&mut tx)
    .await?;
    references.keep_files(&mut tx, id).await?;
    draws::record(&mut tx, id, new.quiz.as_ref().map(QuizDraft::as_quiz)).await?;
    search_index::index_pages(&mut tx, &[id]).await?;
    let page = read(&mut tx, id).await?;
    tx.commit().await?;
    Ok(page)
}

/// Returns a page with its content and, for a quiz, the answer keys.
pub async fn get(kurso: &Kurso, viewer: &Viewer, id: PageId) -> Result<PageRead> {
    find(&kurso.db, viewer, id, Right::ReadAsAuthor).await?;
    read(&kurso.db, id).await
}

/// Moves a page with its history, visits and attempts to the trash. Returns its lesson.
pub async fn delete(kurso: &Kurso, viewer: &Viewer, id: PageId) -> Result<LessonId> {
    let course = find(&kurso.db, viewer, id, Right::Edit).await?.id;
    let now = kurso.clock.now();
    let mut tx = begin(&kurso.db, course, Scope::Structure(now)).await?;
    let not_found = || Error::NotFound(Message::PageNotFound);
    let (version,) = sql!("SELECT version FROM pages WHERE id = $1", id)
        .fetch_optional::<(i64,)>(&mut tx)
        .await?
        .ok_or_else(not_found)?;
    let deleted = deletion::put(&mut tx, id, viewer.id(), now)
        .await?
        .ok_or_else(not_found)?;
    let lesson = LessonId(deleted.parent);
    order::close_gap(&mut tx, Siblings::Pages(lesson), deleted.position).await?;
    let entry = Entry::new(Act::PartDeleted).by(viewer.id()).in_course(course).about(id);
    entry.detail(TrashKind::Page.name()).write(&mut tx, now).await?;
    tx.publish(Event::Page {
        page: id,
        what: Change::Deleted,
        version,
        by: viewer.id(),
        session: None,
        at: now,
    });
    tx.commit().await?;
    Ok(lesson)
}

/// Writes the next version of a page, as a save does, and returns the version. The previous text goes to the history. The caller has
/// locked the course, and every file that the page refers to has its row.
pub(crate) async fn rewrite(
    tx: &mut Tx,
    id: PageId,
    title: Option<String>,
    content: String,
    quiz: Option<String>,
    by: UserId,
    now: DateTime<Utc>,
) -> Result<i64> {
    let stored = stored::stored(tx, id).await?;
    let text = stored::Text { title, content, quiz };
    let author = stored::Author {
        user: by,
        session: None,
    };
    let version = stored::write(tx, &stored, &text, stored.page.published, author, now).await?;
    draft::follow(tx, &stored, &text, author, now).await?;
    Ok(version)
}

/// Fails with 422 for a late policy of a page that takes no attempts.
fn require_attempts(kind: PageKind, late: &LateChange) -> Result<()> {
    match late.misplaced() {
        Some(error) if !kind.takes_attempts() => Err(error),
        _ => Ok(()),
    }
}

/// Reads the stored page.
pub(super) async fn read(on: impl Executor, id: PageId) -> Result<PageRead> {
    let page = sql!(
        concat!(
            "SELECT ",
            page_columns!(),
            " FROM pages p JOIN page_contents c ON c.page_id = p.id WHERE p.id = $1"
        ),
        id
    )
    .fetch_optional(on)
    .await?;
    page.ok_or(Error::NotFound(Message::PageNotFound))
}
