//! Saves pages and detects conflicting saves.

use chrono::{DateTime, Utc};
use serde_json::Value;

use super::quiz::{quiz_text, require_ready};
use super::references::References;
use super::stored::{self, Author, Stored, Text};
use super::{Importance, PageRead, UpdateError, draft, importance, read, require_attempts};
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::courses::dates::{DatesChange, LateChange};
use crate::courses::order::{self, Siblings};
use crate::courses::{Scope, begin, find, quota, renew_tree, touch};
use crate::draws;
use kurso_base::error::{Error, FieldError, Result};
use kurso_base::expected_dates::ExpectedDates;
use kurso_base::ids::{CourseId, LessonId, PageId};
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
    /// Saves title, content and quiz as the draft of a published page. The page itself is changed while nothing needs to be hidden.
    pub draft: bool,
    /// Of a draft: the version of the page whose text it contains, after a merge. None: the one from which the draft began.
    pub base_version: Option<PageVersion>,
    /// How important the change is to learners who have read the page. Not allowed with `draft`, because the author chooses it when publishing.
    pub importance: Option<Importance>,
}

/// Changes a page, or its draft. A change of title, content or quiz of a `version` other than the stored one fails with the stored page
/// ([`UpdateError::Conflict`]), unless the same open editor, `session`, wrote the stored one. Fails with 422 for dates out of order, and for
/// other fields than these in a draft. A page that is unpublished gets the text of its draft.
pub async fn update(
    kurso: &Kurso,
    viewer: &Viewer,
    id: PageId,
    session: Option<EditorSession>,
    update: UpdatePage,
) -> Result<PageRead, UpdateError> {
    // Boxed: the state of a save is large.
    let (page, tx) = Box::pin(update_uncommitted(kurso, viewer, id, session, update)).await?;
    if let Some(tx) = tx {
        tx.commit().await?;
    }
    Ok(page)
}

/// As [`update`], without the commit, so that the caller can write more in the same transaction. No transaction is returned if nothing changes.
pub(crate) async fn update_uncommitted(
    kurso: &Kurso,
    viewer: &Viewer,
    id: PageId,
    session: Option<EditorSession>,
    update: UpdatePage,
) -> Result<(PageRead, Option<Tx>), UpdateError> {
    let session = session.as_ref().map(EditorSession::as_str);
    update.require_text_in_draft()?;
    let found = find(&kurso.db, viewer, id, Right::Edit).await?;
    let (course, owner) = (found.id, found.owner.id);
    if update.is_empty() {
        let page = read(&kurso.db, id).await?;
        let page = match update.draft {
            true => page.with_draft(draft::of_page(&kurso.db, id).await?.as_ref()),
            false => page,
        };
        return Ok((page, None));
    }
    let by = Author {
        user: viewer.id(),
        session,
    };
    let now = kurso.clock.now();
    let scope = match update.draft {
        true => Scope::Unchanged, // learners see when a course was changed
        false => Scope::Content(now),
    };
    let mut tx = begin(&kurso.db, course, scope).await?;
    let mut stored = stored::stored(&mut tx, id).await?;
    if update.draft && stored.page.published {
        let draft = draft::of_page(&mut tx, id).await?;
        let written_by = match &draft {
            Some(draft) => draft.was_written_by(by),
            None => stored.was_written_by(by),
        };
        let edited = stored.page.with_draft(draft.as_ref());
        if update.is_stale(&edited, written_by) {
            tx.rollback().await?;
            return Err(UpdateError::Conflict(Box::new(edited)));
        }
        let text = update.text(&edited, false)?;
        update.check(&mut tx, viewer, course, &edited).await?;
        let base = update.base_version.map(PageVersion::get);
        return Ok(draft::save(kurso, tx, owner, (stored, draft), (&text, base), by, now).await?);
    }
    if update.draft {
        touch(&mut tx, course, now).await?;
    }
    if update.is_stale(&stored.page, stored.was_written_by(by)) {
        tx.rollback().await?; // the page in the error is the stored one
        return Err(UpdateError::Conflict(Box::new(stored.page)));
    }
    let shown = stored.page.clone();
    let adopted = update.published == Some(false) && adopt_draft(&mut tx, &mut stored, now).await?;

    let page = &stored.page;
    let published = update.published.unwrap_or(page.published);
    let (dates, late) = update.dates(page, found.dates.zone())?;
    let text = update.text(page, published)?;
    update.check(&mut tx, viewer, course, page).await?;
    if update.publishes(page)
        && let Some(quiz) = draws::drawing(text.quiz.as_deref())?
    {
        draws::require_fillable(&mut tx, &quiz).await?;
    }
    let rewritten = !text.same_as(page);
    if rewritten {
        stored::write(&mut tx, &stored, &text, published, by, now).await?;
        draft::follow(&mut tx, &stored, &text, by, now).await?;
        let bytes = page.content.len() + page.quiz.as_deref().map_or(0, str::len);
        quota::check_save(kurso, &mut tx, course, owner, bytes).await?;
    } else if published && !page.published {
        stored::note_publication(&mut tx, page, now).await?;
    }
    let moved = update.move_page(&mut tx, page).await?;
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
    if reshaped || text.changes_tree(&shown)? {
        renew_tree(&mut tx, course).await?;
    }
    if !rewritten && !reshaped {
        tx.rollback().await?; // also undoes the time that the lock wrote
        return Ok((stored.page, None));
    }
    let becomes_published = published && !page.published;
    let page = read(&mut tx, id).await?;
    if published && (rewritten || adopted || becomes_published) {
        let importance = update.importance.unwrap_or_default();
        importance::note(&mut tx, (course, id), page.version, importance, (viewer.id(), now)).await?;
    }
    tx.publish(Event::Page {
        page: id,
        what: if rewritten || adopted {
            events::Change::Written
        } else {
            events::Change::Arranged
        },
        version: page.version,
        by: viewer.id(),
        session: session.map(str::to_owned),
        at: now,
    });
    Ok((page, Some(tx)))
}

/// Makes the draft of a page that is to be unpublished its text: then nothing needs to be hidden. False without a draft.
async fn adopt_draft(tx: &mut Tx, stored: &mut Stored, now: DateTime<Utc>) -> Result<bool> {
    let page = stored.page.id;
    let Some(draft) = draft::of_page(&mut *tx, page).await? else {
        return Ok(false);
    };
    draft::adopt(tx, stored, &draft, false, now).await?;
    *stored = stored::stored(tx, page).await?;
    Ok(true)
}

impl UpdatePage {
    fn rewrites(&self) -> bool {
        !self.title.is_keep() || self.content.is_some() || !self.quiz.is_keep()
    }

    fn is_empty(&self) -> bool {
        !self.rewrites() && !self.arranges()
    }

    /// Whether it has fields that are not of a draft.
    fn arranges(&self) -> bool {
        self.published.is_some()
            || self.lesson_id.is_some()
            || self.position.is_some()
            || !self.dates_change().is_keep()
            || !self.late_change().is_keep()
    }

    fn require_text_in_draft(&self) -> Result<()> {
        match self.draft && (self.arranges() || self.importance.is_some()) {
            true => Err(Error::invalid(FieldError::body(
                "value_error",
                "draft",
                Message::DraftHasOnlyText,
                Value::Bool(true),
            ))),
            false => Ok(()),
        }
    }

    /// Fails with 422 for files and pages that the text may not refer to, and for draws from banks that the viewer may not read. `edited` is
    /// what the text replaces: its links may stay although their pages were deleted.
    async fn check(&self, tx: &mut Tx, viewer: &Viewer, course: CourseId, edited: &PageRead) -> Result<()> {
        let earlier = (edited.content.as_str(), edited.quiz.as_deref());
        if self.content.is_some() || !self.quiz.is_keep() {
            let quiz = match &self.quiz {
                Change::Set(quiz) => Some(quiz.as_quiz().to_json()?),
                Change::Keep | Change::Clear => None,
            };
            let references = References::of(self.content.as_ref().map(Document::as_json), quiz.as_ref());
            references.check(tx, viewer, course, Some(earlier)).await?;
        }
        if let Change::Set(quiz) = &self.quiz {
            draws::require_readable(tx, viewer.id(), quiz.as_quiz(), earlier.1).await?;
        }
        Ok(())
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
    fn is_stale(&self, page: &PageRead, is_of_same_editor: bool) -> bool {
        self.rewrites() && self.version.is_some_and(|version| version.get() != page.version) && !is_of_same_editor
    }

    /// Whether the page becomes published, or its quiz changes while it is published.
    fn publishes(&self, page: &PageRead) -> bool {
        let published = self.published.unwrap_or(page.published);
        published && (!page.published || !self.quiz.is_keep())
    }

    /// The new text of the page. Fails with 422 if the quiz does not fit, or is incomplete although learners see it (`published`).
    fn text(&self, page: &PageRead, published: bool) -> Result<Text> {
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
