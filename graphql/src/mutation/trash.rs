//! Restores from the trash.

use async_graphql::{Context, ID, InputObject, MaybeUndefined, Object, Result, SimpleObject};
use kurso_base::ids::TrashEntryId;
use kurso_core::trash::{self, RestoreFromTrash};

use crate::context::{self, kurso, viewer};
use crate::error::wrap;
use crate::input::command;
use crate::types::Course;

#[derive(Default)]
pub struct TrashMutation;

/// An entry of the trash to restore.
#[derive(InputObject)]
pub struct RestoreFromTrashInput {
    /// ID of the `TrashEntry`.
    entry_id: ID,
    /// A lesson of the course, for a page; by default the one in which it was.
    lesson_id: MaybeUndefined<ID>,
    /// A module of the course, for a lesson; by default the one in which it was.
    module_id: MaybeUndefined<ID>,
}

/// The entry was restored.
#[derive(SimpleObject)]
pub struct RestoreFromTrashPayload {
    /// The course with what was restored, or the restored course.
    course: Course,
    /// ID of the entry, which does not exist any more.
    entry_id: ID,
}

/// An entry of the trash to delete.
#[derive(InputObject)]
pub struct DeleteForeverInput {
    /// ID of the `TrashEntry`.
    entry_id: ID,
}

/// The entry was deleted.
#[derive(SimpleObject)]
pub struct DeleteForeverPayload {
    /// ID of the deleted entry.
    entry_id: ID,
}

#[Object]
impl TrashMutation {
    /// Restores a deleted page, lesson, module or course with visits, attempts, grades and everything else that belonged to it: a part to its
    /// place, or to the end of the given lesson or module. CONFLICT if what contained it is in the trash or gone and no other is given. Parts:
    /// owner and editors; a course: its owner and superusers.
    async fn restore_from_trash(
        &self,
        ctx: &Context<'_>,
        input: RestoreFromTrashInput,
    ) -> Result<RestoreFromTrashPayload> {
        let viewer = viewer(ctx)?;
        let id: TrashEntryId = context::id(ctx, "entry_id", &input.entry_id)?;
        let to = command!(
            ctx,
            RestoreFromTrash {
                lesson_id: optional(input.lesson_id.take()),
                module_id: optional(input.module_id.take()),
            }
        );
        let course = Box::pin(trash::restore(kurso(ctx), viewer, id, to))
            .await
            .map_err(wrap(ctx))?;
        Ok(RestoreFromTrashPayload {
            course: Course::from_row(course),
            entry_id: input.entry_id,
        })
    }

    /// Deletes an entry of the trash at once and for good. Parts: owner and editors; a course: its owner and superusers.
    async fn delete_forever(&self, ctx: &Context<'_>, input: DeleteForeverInput) -> Result<DeleteForeverPayload> {
        let viewer = viewer(ctx)?;
        let id: TrashEntryId = context::id(ctx, "entry_id", &input.entry_id)?;
        trash::delete_forever(kurso(ctx), viewer, id).await.map_err(wrap(ctx))?;
        Ok(DeleteForeverPayload {
            entry_id: input.entry_id,
        })
    }
}
