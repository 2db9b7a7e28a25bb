//! Takes, names, deletes and restores snapshots of courses.

use async_graphql::{Context, ID, InputObject, Object, Result, SimpleObject};
use kurso_base::ids::{CourseId, SnapshotId};
use kurso_base::messages::Message;
use kurso_core::snapshots::{self, NameSnapshot};

use crate::context::{self, kurso, viewer};
use crate::error::wrap;
use crate::input::command;
use crate::language::say;
use crate::types::{Course, CourseSnapshot, id_of};

#[derive(Default)]
pub struct SnapshotsMutation;

/// A snapshot to take.
#[derive(InputObject)]
pub struct TakeSnapshotInput {
    /// ID of the course.
    course_id: ID,
    /// 1 to 120 characters.
    name: String,
}

/// A new name of a snapshot.
#[derive(InputObject)]
pub struct RenameSnapshotInput {
    /// ID of the `CourseSnapshot`.
    snapshot_id: ID,
    /// 1 to 120 characters.
    name: String,
}

/// The snapshot was taken or named.
#[derive(SimpleObject)]
pub struct SnapshotPayload {
    /// The snapshot.
    snapshot: CourseSnapshot,
}

/// A snapshot to delete.
#[derive(InputObject)]
pub struct DeleteSnapshotInput {
    /// ID of the `CourseSnapshot`.
    snapshot_id: ID,
}

/// The snapshot was deleted.
#[derive(SimpleObject)]
pub struct DeleteSnapshotPayload {
    /// ID of the deleted snapshot.
    snapshot_id: ID,
    /// The result in words, in the language of the request.
    message: String,
}

/// A snapshot to restore.
#[derive(InputObject)]
pub struct RestoreSnapshotInput {
    /// ID of the `CourseSnapshot`.
    snapshot_id: ID,
    /// `digest` of the changes that were shown.
    digest: String,
}

/// The course was restored.
#[derive(SimpleObject)]
pub struct RestoreSnapshotPayload {
    /// The course as it is now.
    course: Course,
    /// A snapshot of the course as it was before. Restoring that undoes this.
    before: CourseSnapshot,
    /// IDs of pages that are unpublished, other than in the snapshot, because question banks have too few questions for their quizzes now.
    unpublished_page_ids: Vec<ID>,
}

#[Object]
impl SnapshotsMutation {
    /// Takes a snapshot of a course. CONFLICT when the course has 50 with a name. Owner and editors.
    async fn take_snapshot(&self, ctx: &Context<'_>, input: TakeSnapshotInput) -> Result<SnapshotPayload> {
        let viewer = viewer(ctx)?;
        let course: CourseId = context::id(ctx, "course_id", &input.course_id)?;
        let name = command!(
            ctx,
            NameSnapshot {
                name: required(input.name)
            }
        );
        let taken = snapshots::take(kurso(ctx), viewer, course, name).await;
        let taken = taken.map_err(wrap(ctx))?;
        Ok(SnapshotPayload {
            snapshot: (&taken).into(),
        })
    }

    /// Renames a snapshot. A named automatic snapshot no longer expires; CONFLICT when the course has 50 with a name.
    /// Owner and editors.
    async fn rename_snapshot(&self, ctx: &Context<'_>, input: RenameSnapshotInput) -> Result<SnapshotPayload> {
        let viewer = viewer(ctx)?;
        let id: SnapshotId = context::id(ctx, "snapshot_id", &input.snapshot_id)?;
        let name = command!(
            ctx,
            NameSnapshot {
                name: required(input.name)
            }
        );
        let renamed = snapshots::rename(kurso(ctx), viewer, id, name).await;
        let renamed = renamed.map_err(wrap(ctx))?;
        Ok(SnapshotPayload {
            snapshot: (&renamed).into(),
        })
    }

    /// Deletes a snapshot for good. Owner and editors.
    async fn delete_snapshot(&self, ctx: &Context<'_>, input: DeleteSnapshotInput) -> Result<DeleteSnapshotPayload> {
        let viewer = viewer(ctx)?;
        let id: SnapshotId = context::id(ctx, "snapshot_id", &input.snapshot_id)?;
        snapshots::delete(kurso(ctx), viewer, id).await.map_err(wrap(ctx))?;
        Ok(DeleteSnapshotPayload {
            snapshot_id: id_of(id),
            message: say(ctx, Message::SnapshotDeleted),
        })
    }

    /// Makes a course equal to its snapshot. What was deleted since returns from the trash with visits, attempts and grades, or without them if
    /// it is not there any more; what was created since goes to the trash. CONFLICT if the course has changed since the changes were shown.
    /// Owner and editors.
    async fn restore_snapshot(&self, ctx: &Context<'_>, input: RestoreSnapshotInput) -> Result<RestoreSnapshotPayload> {
        let viewer = viewer(ctx)?;
        let id: SnapshotId = context::id(ctx, "snapshot_id", &input.snapshot_id)?;
        let restored = Box::pin(snapshots::restore(kurso(ctx), viewer, id, &input.digest)).await;
        let restored = restored.map_err(wrap(ctx))?;
        Ok(RestoreSnapshotPayload {
            before: (&restored.before).into(),
            unpublished_page_ids: restored.unpublished.into_iter().map(id_of).collect(),
            course: Course::from_row(restored.course),
        })
    }
}
