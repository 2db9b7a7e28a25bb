//! What is in a snapshot. The snapshots of a course are a field of the course.

use async_graphql::{Context, ID, Object, Result};
use kurso_base::ids::SnapshotId;
use kurso_core::snapshots;

use crate::context::{self, kurso, viewer};
use crate::error::wrap;
use crate::types::SnapshotContent;

#[derive(Default)]
pub struct SnapshotsQuery;

#[Object]
impl SnapshotsQuery {
    /// What is in a snapshot of a course. Owner and editors.
    async fn course_snapshot(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "ID of the `CourseSnapshot`.")] id: ID,
    ) -> Result<SnapshotContent> {
        let viewer = viewer(ctx)?;
        let id: SnapshotId = context::id(ctx, "id", &id)?;
        let found = snapshots::content(kurso(ctx), viewer, id).await;
        Ok(SnapshotContent(found.map_err(wrap(ctx))?))
    }
}
