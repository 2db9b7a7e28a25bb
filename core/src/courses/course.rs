//! Making, changing and deleting a course itself (contract 4).

use serde_json::Value;

use super::{MAX_DESCRIPTION, MAX_TITLE, find, lock_structure};
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::audit::{Act, Entry};
use crate::error::{Error, Result};
use crate::events::Event;
use crate::ids::CourseId;
use crate::input::Fields;
use crate::learning::view::CourseView;
use crate::messages::Message;
use crate::sql;

/// Makes an empty course of the viewer: any signed-in person may.
pub async fn create(kurso: &Kurso, viewer: &Viewer, body: &Value) -> Result<CourseView> {
    let mut fields = Fields::of(body)?;
    let title = fields.text("title", 1, MAX_TITLE);
    let description = fields.optional_text("description", MAX_DESCRIPTION);
    fields.finish()?;
    let id = CourseId::new();
    sql!(
        "INSERT INTO courses (id, owner_id, title, description, structure_version, created_at, updated_at)
         VALUES ($1, $2, $3, $4, 1, $5, $5)",
        id,
        viewer.id(),
        title,
        description,
        kurso.clock.now()
    )
    .execute(&kurso.db)
    .await?;
    CourseView::load(kurso, viewer, id, Right::Edit).await
}

/// Changes what is given of the title and the description.
pub async fn update(kurso: &Kurso, viewer: &Viewer, id: CourseId, body: &Value) -> Result<CourseView> {
    let mut fields = Fields::of(body)?;
    let title = fields.changed_text("title", 1, MAX_TITLE);
    let description = fields.changed_nullable_text("description", 0, MAX_DESCRIPTION);
    fields.finish()?;
    let mut course = find(&kurso.db, viewer, id, Right::Edit).await?;
    if title.is_some() || description.is_some() {
        // In a transaction, though it is one statement: it may wait for another change of the course, and whoever goes
        // away meanwhile takes it along.
        let mut tx = kurso.db.begin_in(id).await?;
        let changed = sql!(
            "UPDATE courses SET title = COALESCE($2, title), updated_at = $5,
             description = CASE WHEN $3 THEN $4 ELSE description END WHERE id = $1",
            id,
            title,
            description.is_some(),
            description.flatten(),
            kurso.clock.now()
        )
        .execute(&mut tx)
        .await?;
        if changed == 0 {
            return Err(Error::NotFound(Message::CourseNotFound));
        }
        course = find(&mut tx, viewer, id, Right::Edit).await?;
        tx.commit().await?;
    }
    CourseView::of(kurso, course).await
}

/// Deletes a course with everything in it, its learners' progress too: the owner or an admin.
pub async fn delete(kurso: &Kurso, viewer: &Viewer, id: CourseId) -> Result<()> {
    find(&kurso.db, viewer, id, Right::DisposeOf).await?;
    let mut tx = kurso.db.begin_in(id).await?;
    let now = kurso.clock.now();
    lock_structure(&mut tx, id, now).await?;
    // Enrollments before pages, as a visit locks them: two that take them in turn would wait for each other for ever.
    let removed = sql!("DELETE FROM enrollments WHERE course_id = $1", id)
        .execute(&mut tx)
        .await?;
    sql!("DELETE FROM courses WHERE id = $1", id).execute(&mut tx).await?;
    let entry = Entry::new(Act::CourseDeleted).by(viewer.id()).in_course(id);
    entry.detail(removed).write(&mut tx, now).await?;
    tx.tell(Event::Removed { course: id });
    tx.commit().await?;
    Ok(())
}
