//! Creates, changes and deletes courses.

use super::{Course, Scope, begin, find};
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::audit::{Act, Entry};
use kurso_base::error::Result;
use kurso_base::ids::CourseId;
use kurso_base::values::{Change, Description, Title};
use kurso_db::events::Event;
use kurso_db::sql;

/// A new course.
#[derive(Clone, Debug)]
#[cfg_attr(any(test, feature = "testing"), derive(serde::Deserialize))]
pub struct CreateCourse {
    pub title: Title,
    pub description: Option<Description>,
}

/// A change of a course. Fields that are None or `Keep` stay as they are.
#[derive(Clone, Debug, Default)]
#[cfg_attr(any(test, feature = "testing"), derive(serde::Deserialize), serde(default))]
pub struct UpdateCourse {
    pub title: Option<Title>,
    pub description: Change<Description>,
}

/// Creates an empty course that belongs to the viewer; every signed-in person may.
pub async fn create(kurso: &Kurso, viewer: &Viewer, new: CreateCourse) -> Result<Course> {
    let id = CourseId::new();
    sql!(
        "INSERT INTO courses (id, owner_id, title, description, structure_version, created_at, updated_at)
         VALUES ($1, $2, $3, $4, 1, $5, $5)",
        id,
        viewer.id(),
        new.title.as_str(),
        new.description.map(String::from),
        kurso.clock.now()
    )
    .execute(&kurso.db)
    .await?;
    find(&kurso.db, viewer, id, Right::Edit).await
}

/// Changes a course. Needs the right to edit it.
pub async fn update(kurso: &Kurso, viewer: &Viewer, id: CourseId, update: UpdateCourse) -> Result<Course> {
    let mut course = find(&kurso.db, viewer, id, Right::Edit).await?;
    if update.title.is_some() || !update.description.is_keep() {
        let mut tx = begin(&kurso.db, id, Scope::Content(kurso.clock.now())).await?;
        sql!(
            "UPDATE courses SET title = COALESCE($2, title), description = CASE WHEN $3 THEN $4 ELSE description END
             WHERE id = $1",
            id,
            update.title.map(String::from),
            !update.description.is_keep(),
            update.description.value().map(String::from)
        )
        .execute(&mut tx)
        .await?;
        course = find(&mut tx, viewer, id, Right::Edit).await?;
        tx.commit().await?;
    }
    Ok(course)
}

/// Deletes a course with everything in it, including the progress of its learners. Needs the right to
/// delete it.
pub async fn delete(kurso: &Kurso, viewer: &Viewer, id: CourseId) -> Result<()> {
    find(&kurso.db, viewer, id, Right::DeleteOrTransfer).await?;
    let now = kurso.clock.now();
    let mut tx = begin(&kurso.db, id, Scope::Structure(now)).await?;
    // Enrollments before pages, in the order in which a visit locks them: the other order could deadlock.
    let removed = sql!("DELETE FROM enrollments WHERE course_id = $1", id)
        .execute(&mut tx)
        .await?;
    sql!("DELETE FROM courses WHERE id = $1", id).execute(&mut tx).await?;
    let entry = Entry::new(Act::CourseDeleted).by(viewer.id()).in_course(id);
    entry.detail(removed).write(&mut tx, now).await?;
    tx.publish(Event::Removed { course: id });
    tx.commit().await?;
    Ok(())
}
