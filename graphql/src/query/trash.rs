//! Deleted courses. What was deleted from a course is a field of the course.

use async_graphql::{Context, Object, Result};
use kurso_core::trash;

use crate::context::{kurso, viewer};
use crate::cost;
use crate::error::wrap;
use crate::types::TrashEntry;

#[derive(Default)]
pub struct TrashQuery;

#[Object]
impl TrashQuery {
    /// The caller's own courses in the trash, last deleted first, at most 500; for superusers those of all owners.
    #[graphql(complexity = "cost::list(cost::TRASH, child_complexity)")]
    async fn deleted_courses(&self, ctx: &Context<'_>) -> Result<Vec<TrashEntry>> {
        let found = trash::deleted_courses(kurso(ctx), viewer(ctx)?)
            .await
            .map_err(wrap(ctx))?;
        cost::spend(ctx, found.len())?;
        Ok(found.iter().map(TrashEntry::from).collect())
    }
}
