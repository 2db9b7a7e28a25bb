//! Lessons: read with their pages, made, changed, moved within the course, deleted (contract 4).

use std::collections::HashMap;

use serde_json::Value;

use super::order::{self, Siblings};
use super::page::Summary;
use super::{MAX_TITLE, find_by_lesson, find_by_module, lock_structure};
use crate::access::{Right, Viewer};
use crate::db::On;
use crate::error::{Error, FieldError, Result};
use crate::events::Event;
use crate::ids::{CourseId, LessonId, ModuleId};
use crate::input::Fields;
use crate::messages::Message;
use crate::{Kurso, sql};

/// A lesson with its pages, in order, as authors see them.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Lesson {
    pub id: LessonId,
    pub module_id: ModuleId,
    pub course_id: CourseId,
    pub title: String,
    pub position: i64,
    #[sqlx(skip)]
    pub pages: Vec<Summary>,
}

/// Makes a lesson at `position`, or at the end.
pub async fn create(kurso: &Kurso, viewer: &Viewer, module: ModuleId, body: &Value) -> Result<Lesson> {
    let mut fields = Fields::of(body)?;
    let title = fields.text("title", 1, MAX_TITLE);
    let position = fields.optional_integer("position", 0);
    fields.finish()?;
    let course = find_by_module(&kurso.db, viewer, module, Right::Edit).await?.id;

    let (id, now) = (LessonId::new(), kurso.clock.now());
    let mut tx = kurso.db.begin_in(course).await?;
    lock_structure(&mut tx, course, now).await?;
    let position = order::make_room(&mut tx, course, Siblings::Lessons(module), position)
        .await?
        .ok_or(Error::NotFound(Message::ModuleNotFound))?;
    sql!(
        "INSERT INTO lessons (id, module_id, course_id, title, position, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $6)",
        id,
        module,
        course,
        title,
        position,
        now
    )
    .execute(&mut tx)
    .await?;
    let lesson = read(On::Tx(&mut tx), id).await?;
    tx.commit().await?;
    Ok(lesson)
}

/// A lesson as its authors and teachers see it.
pub async fn get(kurso: &Kurso, viewer: &Viewer, id: LessonId) -> Result<Lesson> {
    find_by_lesson(&kurso.db, viewer, id, Right::ReadAsAuthor).await?;
    read(On::Db(&kurso.db), id).await
}

/// Changes what is given; `position` and `module_id` move the lesson within its course.
pub async fn update(kurso: &Kurso, viewer: &Viewer, id: LessonId, body: &Value) -> Result<Lesson> {
    let mut fields = Fields::of(body)?;
    let title = fields.changed_text("title", 1, MAX_TITLE);
    let module = fields.optional_id::<ModuleId>("module_id");
    let wanted = fields.optional_integer("position", 0);
    fields.finish()?;
    let course = find_by_lesson(&kurso.db, viewer, id, Right::Edit).await?.id;
    if title.is_none() && module.is_none() && wanted.is_none() {
        return read(On::Db(&kurso.db), id).await;
    }

    let now = kurso.clock.now();
    let mut tx = kurso.db.begin_in(course).await?;
    lock_structure(&mut tx, course, now).await?;
    let (from, at) = sql!("SELECT module_id, position FROM lessons WHERE id = $1", id)
        .fetch_optional::<(ModuleId, i64)>(&mut tx)
        .await?
        .ok_or(Error::NotFound(Message::LessonNotFound))?;
    let to = module.unwrap_or(from);
    let position = order::move_child(
        &mut tx,
        course,
        (Siblings::Lessons(from), at),
        Siblings::Lessons(to),
        wanted,
    )
    .await?
    .ok_or_else(|| unknown_module(to))?;
    sql!(
        "UPDATE lessons SET title = COALESCE($2, title), module_id = $3, position = $4, updated_at = $5 WHERE id = $1",
        id,
        title,
        to,
        position,
        now
    )
    .execute(&mut tx)
    .await?;
    let lesson = read(On::Tx(&mut tx), id).await?;
    tx.commit().await?;
    Ok(lesson)
}

/// One of another course is as unknown as one that is not there.
fn unknown_module(module: ModuleId) -> Error {
    let input = Value::String(module.to_string());
    Error::invalid(FieldError::body(
        "value_error",
        "module_id",
        Message::UnknownModule,
        input,
    ))
}

/// Deletes a lesson with everything in it; answers with the module it was in.
pub async fn delete(kurso: &Kurso, viewer: &Viewer, id: LessonId) -> Result<ModuleId> {
    let course = find_by_lesson(&kurso.db, viewer, id, Right::Edit).await?.id;
    let mut tx = kurso.db.begin_in(course).await?;
    lock_structure(&mut tx, course, kurso.clock.now()).await?;
    let (module, position) = sql!("DELETE FROM lessons WHERE id = $1 RETURNING module_id, position", id)
        .fetch_optional::<(ModuleId, i64)>(&mut tx)
        .await?
        .ok_or(Error::NotFound(Message::LessonNotFound))?;
    order::close_gap(&mut tx, Siblings::Lessons(module), position).await?;
    tx.tell(Event::Removed { course });
    tx.commit().await?;
    Ok(module)
}

/// Two statements.
pub(super) async fn read(mut on: On<'_>, id: LessonId) -> Result<Lesson> {
    let mut lesson = sql!(
        "SELECT id, module_id, course_id, title, position FROM lessons WHERE id = $1",
        id
    )
    .fetch_optional::<Lesson>(&mut on)
    .await?
    .ok_or(Error::NotFound(Message::LessonNotFound))?;
    lesson.pages = sql!(
        "SELECT id, lesson_id, title, kind, position, published FROM pages WHERE lesson_id = $1 ORDER BY position, id",
        id
    )
    .fetch_all(&mut on)
    .await?;
    Ok(lesson)
}

/// The lessons of a module, in order. Two statements.
pub(super) async fn read_all(mut on: On<'_>, module: ModuleId) -> Result<Vec<Lesson>> {
    let mut lessons = sql!(
        "SELECT id, module_id, course_id, title, position FROM lessons WHERE module_id = $1 ORDER BY position, id",
        module
    )
    .fetch_all::<Lesson>(&mut on)
    .await?;
    let pages = sql!(
        "SELECT p.id, p.lesson_id, p.title, p.kind, p.position, p.published
         FROM lessons l JOIN pages p ON p.lesson_id = l.id WHERE l.module_id = $1 ORDER BY p.position, p.id",
        module
    )
    .fetch_all::<Summary>(&mut on)
    .await?;
    let mut by_lesson: HashMap<LessonId, Vec<Summary>> = HashMap::new();
    for page in pages {
        by_lesson.entry(page.lesson_id).or_default().push(page);
    }
    for lesson in &mut lessons {
        lesson.pages = by_lesson.remove(&lesson.id).unwrap_or_default();
    }
    Ok(lessons)
}
