//! Modules: read with what is in them, made, changed, moved, deleted (contract 4).

use serde_json::Value;

use super::lesson::{self, Lesson};
use super::order::{self, Siblings};
use super::{MAX_DESCRIPTION, MAX_TITLE, find, find_by_module, lock_structure};
use crate::access::{Right, Viewer};
use crate::db::On;
use crate::error::{Error, Result};
use crate::events::Event;
use crate::ids::{CourseId, ModuleId};
use crate::input::Fields;
use crate::messages::Message;
use crate::{Kurso, files, sql};

/// A module with its lessons and their pages, in order, as authors see them.
#[derive(Clone, Debug)]
pub struct Module {
    pub id: ModuleId,
    pub course_id: CourseId,
    pub title: String,
    pub description: Option<String>,
    pub position: i64,
    pub avatar_url: Option<String>,
    pub lessons: Vec<Lesson>,
}

#[derive(sqlx::FromRow)]
struct ModuleRow {
    id: ModuleId,
    course_id: CourseId,
    title: String,
    description: Option<String>,
    position: i64,
    avatar_key: Option<String>,
    avatar_name: Option<String>,
}

/// Makes a module at `position`, or at the end.
pub async fn create(kurso: &Kurso, viewer: &Viewer, course: CourseId, body: &Value) -> Result<Module> {
    let mut fields = Fields::of(body)?;
    let title = fields.text("title", 1, MAX_TITLE);
    let description = fields.optional_text("description", MAX_DESCRIPTION);
    let position = fields.optional_integer("position", 0);
    fields.finish()?;
    find(&kurso.db, viewer, course, Right::Edit).await?;

    let (id, now) = (ModuleId::new(), kurso.clock.now());
    let mut tx = kurso.db.begin_in(course).await?;
    lock_structure(&mut tx, course, now).await?;
    let position = order::make_room(&mut tx, course, Siblings::Modules(course), position)
        .await?
        .ok_or(Error::NotFound(Message::CourseNotFound))?;
    sql!(
        "INSERT INTO modules (id, course_id, title, description, position, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $6)",
        id,
        course,
        title,
        description,
        position,
        now
    )
    .execute(&mut tx)
    .await?;
    let module = read(On::Tx(&mut tx), id).await?;
    tx.commit().await?;
    Ok(module)
}

/// A module as its authors and teachers see it.
pub async fn get(kurso: &Kurso, viewer: &Viewer, id: ModuleId) -> Result<Module> {
    find_by_module(&kurso.db, viewer, id, Right::ReadAsAuthor).await?;
    read(On::Db(&kurso.db), id).await
}

/// Characters of an address that is sent back as it was read.
const MAX_ADDRESS: usize = 1000;

/// Changes what is given; `position` moves the module among its siblings, `avatar_url: null` takes its picture away. Another
/// `avatar_url` is what the caller read, and changes nothing.
pub async fn update(kurso: &Kurso, viewer: &Viewer, id: ModuleId, body: &Value) -> Result<Module> {
    let mut fields = Fields::of(body)?;
    let title = fields.changed_text("title", 1, MAX_TITLE);
    let description = fields.changed_nullable_text("description", 0, MAX_DESCRIPTION);
    let wanted = fields.optional_integer("position", 0);
    let without_avatar = fields.changed_nullable_text("avatar_url", 0, MAX_ADDRESS) == Some(None);
    fields.finish()?;
    let course = find_by_module(&kurso.db, viewer, id, Right::Edit).await?.id;
    if title.is_none() && description.is_none() && wanted.is_none() && !without_avatar {
        return read(On::Db(&kurso.db), id).await;
    }

    let now = kurso.clock.now();
    let mut tx = kurso.db.begin_in(course).await?;
    lock_structure(&mut tx, course, now).await?;
    let (at,) = sql!("SELECT position FROM modules WHERE id = $1", id)
        .fetch_optional::<(i64,)>(&mut tx)
        .await?
        .ok_or(Error::NotFound(Message::ModuleNotFound))?;
    let siblings = Siblings::Modules(course);
    let position = order::move_child(&mut tx, course, (siblings, at), siblings, wanted)
        .await?
        .ok_or(Error::NotFound(Message::CourseNotFound))?;
    sql!(
        "UPDATE modules SET title = COALESCE($2, title), position = $5, updated_at = $6,
         description = CASE WHEN $3 THEN $4 ELSE description END,
         avatar_file_id = CASE WHEN $7 THEN NULL ELSE avatar_file_id END WHERE id = $1",
        id,
        title,
        description.is_some(),
        description.flatten(),
        position,
        now,
        without_avatar
    )
    .execute(&mut tx)
    .await?;
    let module = read(On::Tx(&mut tx), id).await?;
    tx.commit().await?;
    Ok(module)
}

/// Deletes a module with everything in it; answers with the course it was in.
pub async fn delete(kurso: &Kurso, viewer: &Viewer, id: ModuleId) -> Result<CourseId> {
    let course = find_by_module(&kurso.db, viewer, id, Right::Edit).await?.id;
    let mut tx = kurso.db.begin_in(course).await?;
    lock_structure(&mut tx, course, kurso.clock.now()).await?;
    let (position,) = sql!("DELETE FROM modules WHERE id = $1 RETURNING position", id)
        .fetch_optional::<(i64,)>(&mut tx)
        .await?
        .ok_or(Error::NotFound(Message::ModuleNotFound))?;
    order::close_gap(&mut tx, Siblings::Modules(course), position).await?;
    tx.tell(Event::Removed { course });
    tx.commit().await?;
    Ok(course)
}

/// Three statements.
pub(super) async fn read(mut on: On<'_>, id: ModuleId) -> Result<Module> {
    let row = sql!(
        "SELECT m.id, m.course_id, m.title, m.description, m.position, f.key AS avatar_key, f.filename AS avatar_name
         FROM modules m LEFT JOIN files f ON f.id = m.avatar_file_id WHERE m.id = $1",
        id
    )
    .fetch_optional::<ModuleRow>(&mut on)
    .await?
    .ok_or(Error::NotFound(Message::ModuleNotFound))?;
    Ok(Module {
        id,
        course_id: row.course_id,
        title: row.title,
        description: row.description,
        position: row.position,
        avatar_url: files::url_of(row.avatar_key, row.avatar_name),
        lessons: lesson::read_all(on, row.id).await?,
    })
}
