//! Saving a page: what an open editor sends, and when it is too late (contract 4).

use serde_json::{Value, json};

use super::quiz::{quiz_text, require_ready};
use super::references::References;
use super::versions::{self, Author, Stored, Text};
use super::{PageRead, read, refuse_bad_content};
use crate::access::{Right, Viewer};
use crate::courses::order::{self, Siblings};
use crate::courses::{MAX_TITLE, find_by_page, lock};
use crate::db::Tx;
use crate::error::{Error, FieldError, Loc, Result};
use crate::events::{self, Event};
use crate::ids::{LessonId, PageId};
use crate::input::Fields;
use crate::messages::Message;
use crate::{Kurso, sql};

/// What is to become different; None: stays as it is.
struct Change<'a> {
    title: Option<Option<String>>,
    content: Option<&'a Value>,
    quiz: Option<&'a Value>,
    published: Option<bool>,
    lesson: Option<LessonId>,
    position: Option<i64>,
    /// The version the editor has read.
    version: Option<i64>,
}

/// Changes what is given; `position` and `lesson_id` move the page within its course. A change of title, content or quiz
/// that names a `version` other than the stored one is refused with the stored page ([`Error::PageConflict`]), unless the
/// stored one was written by the same open editor, `user_session_id`.
pub async fn update(
    kurso: &Kurso,
    viewer: &Viewer,
    id: PageId,
    user_session_id: Option<&str>,
    body: &Value,
) -> Result<PageRead> {
    let change = Change::read(user_session_id, body)?;
    let course = find_by_page(&kurso.db, viewer, id, Right::Edit).await?.id;
    if change.is_empty() {
        return read(&kurso.db, id).await;
    }
    let by = Author {
        user: viewer.id(),
        session: user_session_id,
    };
    let now = kurso.clock.now();
    let mut tx = kurso.db.begin_in(course).await?;
    lock(&mut tx, course, now).await?;
    let stored = versions::stored(&mut tx, id).await?;
    if change.is_stale(&stored, by) {
        tx.undo().await?; // what is shown as stored is
        return Err(Error::PageConflict(Box::new(stored.page)));
    }

    let page = &stored.page;
    let text = change.text(page)?;
    if change.content.is_some() || change.quiz.is_some() {
        let references = References::of(change.content, change.quiz);
        let earlier = (page.content.as_str(), page.quiz.as_deref());
        references.check(&mut tx, viewer, course, Some(earlier)).await?;
    }
    let rewritten = !text.same_as(page);
    if rewritten {
        versions::write(&mut tx, &stored, &text, by, now).await?;
    }
    let moved = change.go(&mut tx, page).await?;
    let published = change.published.unwrap_or(page.published);
    let reshaped = moved || published != page.published;
    if reshaped {
        sql!(
            "UPDATE pages SET published = $2, updated_at = $3 WHERE id = $1",
            id,
            published,
            now
        )
        .execute(&mut tx)
        .await?;
    }
    if reshaped || text.changes_tree(page)? {
        // What the tree shows has changed; what was read of it before is no longer to be found in the cache.
        sql!(
            "UPDATE courses SET structure_version = structure_version + 1 WHERE id = $1",
            course
        )
        .execute(&mut tx)
        .await?;
    }
    if !rewritten && !reshaped {
        tx.undo().await?; // the lock's mark; what the page says already is there for good
        return Ok(stored.page);
    }
    let page = read(&mut tx, id).await?;
    tx.tell(Event::Page {
        page: id,
        what: if rewritten {
            events::Change::Written
        } else {
            events::Change::Arranged
        },
        version: page.version,
        by: viewer.id(),
        session: user_session_id.map(str::to_owned),
        at: now,
    });
    tx.commit().await?;
    Ok(page)
}

impl<'a> Change<'a> {
    fn read(session: Option<&str>, body: &'a Value) -> Result<Self> {
        let mut fields = Fields::of(body)?;
        if let Some(error) = session.and_then(bad_session) {
            fields.refuse(error);
        }
        let change = Change {
            title: fields.changed_nullable_text("title", 1, MAX_TITLE),
            content: fields.value("content"),
            quiz: fields.value("quiz"),
            published: fields.flag("published"),
            lesson: fields.optional_id("lesson_id"),
            position: fields.optional_integer("position", 0),
            version: fields.optional_integer("version", 1),
        };
        refuse_bad_content(&mut fields, change.content);
        fields.finish()?;
        Ok(change)
    }

    fn rewrites(&self) -> bool {
        self.title.is_some() || self.content.is_some() || self.quiz.is_some()
    }

    fn is_empty(&self) -> bool {
        !self.rewrites() && self.published.is_none() && self.lesson.is_none() && self.position.is_none()
    }

    /// Moving and publishing do not look at the version.
    fn is_stale(&self, stored: &Stored, by: Author<'_>) -> bool {
        self.rewrites()
            && self.version.is_some_and(|version| version != stored.page.version)
            && !stored.was_written_by(by)
    }

    /// What the page will say. 422 when the quiz does not fit, or is not ready for learners.
    fn text(&self, page: &PageRead) -> Result<Text> {
        let published = self.published.unwrap_or(page.published);
        let quiz = if self.quiz.is_some() {
            quiz_text(page.kind, published, self.quiz)?
        } else {
            if published && !page.published {
                require_ready(page.kind, page.quiz.as_deref())?;
            }
            page.quiz.clone()
        };
        Ok(Text {
            title: self.title.clone().unwrap_or_else(|| page.title.clone()),
            content: self.content.map_or_else(|| page.content.clone(), Value::to_string),
            quiz,
        })
    }

    /// Moves the page; false when it stays where it is.
    async fn go(&self, tx: &mut Tx, page: &PageRead) -> Result<bool> {
        let (from, to) = (page.lesson_id, self.lesson.unwrap_or(page.lesson_id));
        if from == to && self.position.is_none() {
            return Ok(false);
        }
        let siblings = (Siblings::Pages(from), page.position);
        let position = order::move_child(tx, page.course_id, siblings, Siblings::Pages(to), self.position)
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

/// One of another course is as unknown as one that is not there.
fn unknown_lesson(lesson: LessonId) -> Error {
    let input = Value::String(lesson.to_string());
    Error::invalid(FieldError::body(
        "value_error",
        "lesson_id",
        Message::UnknownLesson,
        input,
    ))
}

/// Characters of a `user_session_id`.
const MAX_SESSION: usize = 128;

/// 422 for what cannot name an open editor.
pub fn check_session(session: Option<&str>) -> Result<()> {
    session
        .and_then(bad_session)
        .map_or(Ok(()), |error| Err(Error::invalid(error)))
}

fn bad_session(session: &str) -> Option<FieldError> {
    let (kind, message, ctx) = match session.chars().count() {
        0 => ("string_too_short", Message::TooShort(1), Some(json!({"min_length": 1}))),
        1..=MAX_SESSION if session.contains('\0') => ("value_error", Message::ZeroByte, None),
        1..=MAX_SESSION => return None,
        _ => (
            "string_too_long",
            Message::TooLong(MAX_SESSION),
            Some(json!({"max_length": MAX_SESSION})),
        ),
    };
    Some(FieldError {
        kind,
        loc: vec![Loc::from("query"), Loc::from("user_session_id")],
        message,
        input: Value::String(session.to_owned()),
        ctx,
    })
}
