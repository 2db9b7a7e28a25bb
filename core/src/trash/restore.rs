//! Restores an entry of the trash.

mod progress;
mod rows;

use uuid::Uuid;

use super::{EntryRow, TrashKind, find};
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::audit::{Act, Entry};
use crate::courses::order::{self, Siblings};
use crate::courses::{self, Course, Scope, prerequisites};
use crate::deletion;
use crate::search_index;
use kurso_base::error::{Error, FieldError, Result};
use kurso_base::ids::{LessonId, ModuleId, PageId, TrashEntryId};
use kurso_base::messages::Message;
use kurso_db::events::Event;
use kurso_db::{Tx, sql};
use rows::{Place, Restoring};

/// Where to restore a page or a lesson. None means where it was.
#[derive(Clone, Copy, Debug, Default)]
#[cfg_attr(any(test, feature = "testing"), derive(serde::Deserialize), serde(default))]
pub struct RestoreFromTrash {
    /// For a page.
    pub lesson_id: Option<LessonId>,
    /// For a lesson.
    pub module_id: Option<ModuleId>,
}

/// Restores a deleted part or course with everything that belonged to it, and returns the course. Fails with 409 if the part above is in
/// the trash or gone and no other is named, and with 422 if the named one is not in the course, or if prerequisites would form a cycle.
pub async fn restore(kurso: &Kurso, viewer: &Viewer, id: TrashEntryId, to: RestoreFromTrash) -> Result<Course> {
    let entry = find(kurso, viewer, id).await?;
    require_fitting(entry.kind, to)?;
    let (course, now) = (entry.course_id, kurso.clock.now());
    let mut tx = match entry.kind {
        TrashKind::Course => kurso.db.begin().await?,
        _ => courses::begin(&kurso.db, course, Scope::Structure(now)).await?,
    };
    // Locks the entry: it is restored once.
    let locked = sql!("UPDATE trash_entries SET expires_at = expires_at WHERE id = $1", id);
    if locked.execute(&mut tx).await? == 0 {
        return Err(Error::NotFound(Message::TrashEntryNotFound));
    }
    let place = place(&mut tx, &entry, to).await?;
    // On the heap, because the future is too large for the stack of a caller.
    Box::pin(put_back(&mut tx, &entry, place.parent, place.position)).await?;
    match entry.kind {
        TrashKind::Course => {
            let renew = "UPDATE courses SET structure_version = structure_version + 1, updated_at = $2 WHERE id = $1";
            sql!(renew, course, now).execute(&mut tx).await?;
        }
        _ => prerequisites::require_no_cycle(&mut tx, course, "prerequisites").await?,
    }
    let log = Entry::new(Act::RestoredFromTrash).by(viewer.id()).in_course(course);
    log.detail(entry.kind.name()).write(&mut tx, now).await?;
    tx.publish(Event::Groups { course });
    tx.commit().await?;
    courses::find(&kurso.db, viewer, course, Right::Read).await
}

/// Puts all rows of an entry back, with the part at this place, and deletes the entry. The caller has made room for the part.
pub(super) async fn put_back(tx: &mut Tx, entry: &EntryRow, parent: Uuid, position: i64) -> Result<()> {
    let mut restoring = Restoring::new(tx, entry, Place { parent, position }).await?;
    restoring.run(tx).await?;
    let pages: Vec<PageId> = restoring.pages.iter().copied().map(PageId).collect();
    deletion::posts::forget_restored(tx, &pages).await?;
    search_index::index_pages(tx, &pages).await?;
    if entry.kind != TrashKind::Course {
        progress::renew(tx, entry.course_id, &restoring.enrollments).await?;
    }
    sql!("DELETE FROM trash_entries WHERE id = $1", entry.id)
        .execute(tx)
        .await?;
    Ok(())
}

fn require_fitting(kind: TrashKind, to: RestoreFromTrash) -> Result<()> {
    let misplaced = [
        ("lesson_id", to.lesson_id.is_some() && kind != TrashKind::Page),
        ("module_id", to.module_id.is_some() && kind != TrashKind::Lesson),
    ];
    for (field, is_misplaced) in misplaced {
        if is_misplaced {
            let message = Message::TrashTargetNotHere;
            let error = FieldError::body("value_error", field, message, serde_json::Value::Null);
            return Err(Error::invalid(error));
        }
    }
    Ok(())
}

/// Makes room for the part among its siblings.
async fn place(tx: &mut Tx, entry: &EntryRow, to: RestoreFromTrash) -> Result<Place> {
    let course = entry.course_id;
    let wanted = to.lesson_id.map(|id| id.0).or(to.module_id.map(|id| id.0));
    let parent = match (entry.kind, wanted) {
        (TrashKind::Course, _) => {
            return Ok(Place {
                parent: course.0,
                position: 0,
            });
        }
        (TrashKind::Module, _) => course.0,
        (_, Some(wanted)) => wanted,
        (_, None) => own_parent(tx, entry).await?,
    };
    let siblings = match entry.kind {
        TrashKind::Page => Siblings::Pages(LessonId(parent)),
        TrashKind::Lesson => Siblings::Lessons(ModuleId(parent)),
        TrashKind::Module | TrashKind::Course => Siblings::Modules(course),
    };
    let position = (entry.parent_id == Some(parent)).then_some(entry.position);
    let position = match order::make_room(tx, course, siblings, position).await {
        Err(Error::NotFound(_)) if wanted.is_some() => return Err(unknown_parent(entry.kind, parent)),
        position => position?,
    };
    Ok(Place { parent, position })
}

/// The error of a named part that the course does not have.
fn unknown_parent(kind: TrashKind, parent: Uuid) -> Error {
    let (field, message) = match kind {
        TrashKind::Page => ("lesson_id", Message::UnknownLesson),
        _ => ("module_id", Message::UnknownModule),
    };
    let input = serde_json::Value::String(parent.to_string());
    Error::invalid(FieldError::body("value_error", field, message, input))
}

/// The part above, if it still exists in the course.
async fn own_parent(tx: &mut Tx, entry: &EntryRow) -> Result<Uuid> {
    let exists = match entry.kind {
        TrashKind::Page => "SELECT id FROM lessons WHERE id = $1 AND course_id = $2",
        _ => "SELECT id FROM modules WHERE id = $1 AND course_id = $2",
    };
    let parent = sql!(exists, entry.parent_id, entry.course_id);
    if let Some((parent,)) = parent.fetch_optional::<(Uuid,)>(&mut *tx).await? {
        return Ok(parent);
    }
    let above = entry.above().into_iter().map(|part| part.id);
    let trashed = sql!("SELECT id FROM trash_entries WHERE course_id = ")
        .push_bind(entry.course_id)
        .push(" AND part_id IN ")
        .push_in(above)
        .fetch_optional::<(TrashEntryId,)>(tx)
        .await?;
    Err(Error::Conflict(match trashed {
        Some(_) => Message::TrashParentInTrash,
        None => Message::TrashParentGone,
    }))
}
