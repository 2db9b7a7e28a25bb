//! Saves pages and detects conflicting saves.

use serde_json::Value;

use super::quiz::{quiz_text, require_ready};
use super::references::References;
use super::versions::{self, Author, Stored, Text};
use super::{PageRead, read, require_attempts};
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::courses::dates::{DatesChange, LateChange};
use crate::courses::order::{self, Siblings};
use crate::courses::{Scope, begin, find, quota, renew_tree};
use crate::draws;
use kurso_base::error::{Error, FieldError, Result};
use kurso_base::expected_dates::ExpectedDates;
use kurso_base::ids::{LessonId, PageId};
use kurso_base::messages::Message;
use kurso_base::schedule::{Dates, Late, ScheduleTime, TimeZone};
use kurso_base::values::{Change, EditorSession, PageVersion, Percentage, Position, Title};
use kurso_db::Tx;
use kurso_db::events::{self, Event};
use kurso_db::sql;
use kurso_formats::content::Document;
use kurso_formats::quiz::QuizDraft;

/// A change of a page. Fields that are None or `Keep` stay as they are. `position` and `lesson_id` move it within its course.
#[derive(Clone, Debug, Default)]
#[cfg_attr(any(test, feature = "testing"), derive(serde::Deserialize), serde(default))]
pub struct UpdatePage {
    pub title: Change<Title>,
    pub content: Option<Document>,
    /// `Clear` stores a quiz without questions.
    pub quiz: Change<QuizDraft>,
    pub published: Option<bool>,
    /// Without a position the page is appended to the lesson.
    pub lesson_id: Option<LessonId>,
    pub position: Option<Position>,
    /// The version that the editor has read; without it, the change never conflicts.
    pub version: Option<PageVersion>,
    pub available_from: Change<ScheduleTime>,
    pub available_until: Change<ScheduleTime>,
    pub due_at: Change<ScheduleTime>,
    /// Late attempts are for quiz pages only.
    pub late_until: Change<ScheduleTime>,
    pub late_penalty_per_day: Change<Percentage>,
    pub late_penalty_max: Change<Percentage>,
    /// What the editor has read of the dates. The change fails with 409 if others are stored.
    #[cfg_attr(any(test, feature = "testing"), serde(skip))]
    pub expected_dates: Option<ExpectedDates>,
}

/// Why a page was not updated.
#[derive(Debug, thiserror::Error)]
pub enum UpdateError {
    /// The page was changed after it was read; contains the stored page.
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

/// Changes a page. A change of title, content or quiz of a `version` other than the stored one fails with the stored page
/// ([`UpdateError::Conflict`]), unless the same open editor, `session`, wrote the stored one. Fails with 422 for dates out of order.
pub async fn update(
    kurso: &Kurso,
    viewer: &Viewer,
    id: PageId,
    session: Option<EditorSession>,
    update: UpdatePage,
) -> Result<PageRead, UpdateError> {
    let session = session.as_ref().map(EditorSession::as_str);
    let found = find(&kurso.db, viewer, id, Right::Edit).await?;
    let (course, owner) = (found.id, found.owner.id);
    if update.is_empty() {
        return Ok(read(&kurso.db, id).await?);
    }
    let by = Author {
        user: viewer.id(),
        session,
    };
    let now = kurso.clock.now();
    let mut tx = begin(&kurso.db, course, Scope::Content(now)).await?;
    let stored = versions::stored(&mut tx, id).await?;
    if update.is_stale(&stored, by) {
        tx.rollback().await?; // the page in the error is the stored one
        return Err(UpdateError::Conflict(Box::new(stored.page)));
    }

    let page = &stored.page;
    let (dates, late) = update.dates(page, found.dates.zone())?;
    let text = update.text(page)?;
    if update.content.is_some() || !update.quiz.is_keep() {
        let quiz = match &update.quiz {
            Change::Set(quiz) => Some(quiz.as_quiz().to_json()?),
            Change::Keep | Change::Clear => None,
        };
        let references = References::of(update.content.as_ref().map(Document::as_json), quiz.as_ref());
        let earlier = (page.content.as_str(), page.quiz.as_deref());
        references.check(&mut tx, viewer, course, Some(earlier)).await?;
    }
    if let Change::Set(quiz) = &update.quiz {
        draws::require_readable(&mut tx, viewer.id(), quiz.as_quiz(), page.quiz.as_deref()).await?;
    }
    if update.publishes(page)
        && let Some(quiz) = draws::drawing(text.quiz.as_deref())?
    {
        draws::require_fillable(&mut tx, &quiz).await?;
    }
    let rewritten = !text.same_as(page);
    if rewritten {
        versions::write(&mut tx, &stored, &text, by, now).await?;
        let bytes = page.content.len() + page.quiz.as_deref().map_or(0, str::len);
        quota::check_save(kurso, &mut tx, course, owner, bytes).await?;
    }
    let moved = update.move_page(&mut tx, page).await?;
    let published = update.published.unwrap_or(page.published);
    let reshaped = moved || published != page.published || dates != page.dates || late != page.late;
    if reshaped {
        sql!(
            "UPDATE pages SET published = $2, updated_at = $3, available_from = $4, available_until = $5, due_at = $6,
             late_until = $7, late_penalty_per_day = $8, late_penalty_max = $9 WHERE id = $1",
            id,
            published,
            now,
            dates.available_from,
            dates.available_until,
            dates.due_at,
            late.late_until,
            late.late_penalty_per_day,
            late.late_penalty_max
        )
        .execute(&mut tx)
        .await?;
    }
    if reshaped || text.changes_tree(page)? {
        renew_tree(&mut tx, course).await?;
    }
    if !rewritten && !reshaped {
        tx.rollback().await?; // also undoes the time that the lock wrote
        return Ok(stored.page);
    }
    let page = read(&mut tx, id).await?;
    tx.publish(Event::Page {
        page: id,
        what: if rewritten {
            events::Change::Written
        } else {
            events::Change::Arranged
        },
        version: page.version,
        by: viewer.id(),
        session: session.map(str::to_owned),
        at: now,
    });
    tx.commit().await?;
    Ok(page)
}

impl UpdatePage {
    fn rewrites(&self) -> bool {
        !self.title.is_keep() || self.content.is_some() || !self.quiz.is_keep()
    }

    fn is_empty(&self) -> bool {
        !self.rewrites()
            && self.published.is_none()
            && self.lesson_id.is_none()
            && self.position.is_none()
            && self.dates_change().is_keep()
            && self.late_change().is_keep()
    }

    fn dates_change(&self) -> DatesChange {
        DatesChange {
            expected: self.expected_dates.unwrap_or_default(),
            available_from: self.available_from,
            available_until: self.available_until,
            due_at: self.due_at,
        }
    }

    fn late_change(&self) -> LateChange {
        LateChange {
            expected: self.expected_dates.unwrap_or_default(),
            late_until: self.late_until,
            late_penalty_per_day: self.late_penalty_per_day,
            late_penalty_max: self.late_penalty_max,
        }
    }

    /// The new dates and late policy of the page. Fails with 422 if they are out of order, or a page without a quiz gets a policy.
    fn dates(&self, page: &PageRead, zone: TimeZone) -> Result<(Dates, Late)> {
        let (dates, late) = (self.dates_change(), self.late_change());
        require_attempts(page.kind, &late)?;
        if dates.is_keep() && late.is_keep() {
            return Ok((page.dates, page.late));
        }
        let dates = dates.apply(page.dates, zone)?;
        let late = late.apply(page.late, &dates, zone)?;
        Ok((dates, late))
    }

    /// Only changes of the text conflict, not moves and publishing.
    fn is_stale(&self, stored: &Stored, by: Author<'_>) -> bool {
        self.rewrites()
            && self.version.is_some_and(|version| version.get() != stored.page.version)
            && !stored.was_written_by(by)
    }

    /// Whether the page becomes published, or its quiz changes while it is published.
    fn publishes(&self, page: &PageRead) -> bool {
        let published = self.published.unwrap_or(page.published);
        published && (!page.published || !self.quiz.is_keep())
    }

    /// The new text of the page. Fails with 422 if the quiz does not fit, or is incomplete although the page is published.
    fn text(&self, page: &PageRead) -> Result<Text> {
        let published = self.published.unwrap_or(page.published);
        let quiz = match &self.quiz {
            Change::Keep => {
                if published && !page.published {
                    require_ready(page.kind, page.quiz.as_deref())?;
                }
                page.quiz.clone()
            }
            Change::Clear => quiz_text(page.kind, published, None)?,
            Change::Set(quiz) => quiz_text(page.kind, published, Some(quiz))?,
        };
        let content = self.content.as_ref().map(Document::as_json);
        Ok(Text {
            title: match &self.title {
                Change::Keep => page.title.clone(),
                Change::Clear => None,
                Change::Set(title) => Some(title.as_str().to_owned()),
            },
            content: content.map_or_else(|| page.content.clone(), Value::to_string),
            quiz,
        })
    }

    /// Moves the page. Returns false if it stays where it is.
    async fn move_page(&self, tx: &mut Tx, page: &PageRead) -> Result<bool> {
        let (from, to) = (page.lesson_id, self.lesson_id.unwrap_or(page.lesson_id));
        if from == to && self.position.is_none() {
            return Ok(false);
        }
        let siblings = (Siblings::Pages(from), page.position);
        let position = order::move_child(
            tx,
            page.course_id,
            siblings,
            Siblings::Pages(to),
            self.position.map(Position::get),
        )
        .await?
        .ok_or_else(|| unknown_lesson(to))?;
        if from == to && position == page.position {
            return Ok(false);
        }
        sql!(
            "UPDATE pages SET lesson_id = $2, position = $3 WHERE id = $1",
            page.id,
            to,
            position
        )
        .execute(tx)
        .await?;
        Ok(true)
    }
}

/// The 422 for a lesson that does not exist or belongs to another course; the two are indistinguishable.
fn unknown_lesson(lesson: LessonId) -> Error {
    let input = Value::String(lesson.to_string());
    Error::invalid(FieldError::body(
        "value_error",
        "lesson_id",
        Message::UnknownLesson,
        input,
    ))
}
