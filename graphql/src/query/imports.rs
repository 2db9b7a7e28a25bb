//! Courses on their way in.

use async_graphql::{Context, ID, Object, Result};
use kurso_core::ids::JobId;
use kurso_core::imports;

use crate::context::{self, kurso, viewer};
use crate::cost;
use crate::error::wrap;
use crate::lists::{List, list, window_at};
use crate::types::{ImportJob, ImportPreview};

#[derive(Default)]
pub struct ImportsQuery;

#[Object]
impl ImportsQuery {
    /// How an import is. NOT_FOUND for everybody but whoever began it, and superusers.
    async fn import_job(&self, ctx: &Context<'_>, #[graphql(desc = "Which import.")] job_id: ID) -> Result<ImportJob> {
        let viewer = viewer(ctx)?;
        let id: JobId = context::id(ctx, "job_id", &job_id)?;
        let import = imports::get(kurso(ctx), viewer, id).await.map_err(wrap(ctx))?;
        Ok(ImportJob(import))
    }

    /// What was read of an import, and the report. NOT_FOUND as for `importJob`.
    async fn import_preview(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Which import.")] job_id: ID,
    ) -> Result<ImportPreview> {
        let viewer = viewer(ctx)?;
        let id: JobId = context::id(ctx, "job_id", &job_id)?;
        let preview = imports::preview(kurso(ctx), viewer, id).await.map_err(wrap(ctx))?;
        Ok(ImportPreview(preview))
    }

    /// One's own imports, those that ended in the last 30 days too: newest first, then by id.
    #[graphql(complexity = "cost::connection(first, child_complexity)")]
    async fn my_imports(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "How many, at most 1000.", default = 100)] first: Option<i32>,
        #[graphql(desc = "The cursor of the last one seen.")] after: Option<String>,
        #[graphql(
            desc = "How many to leave out at the beginning, for numbered pages; `after` wins over it.",
            default = 0
        )]
        skip: Option<i32>,
    ) -> Result<List<ImportJob>> {
        let viewer = viewer(ctx)?;
        let page = window_at(ctx, first, after, skip)?;
        let found = imports::list(kurso(ctx), viewer, page).await.map_err(wrap(ctx))?;
        let nodes = found.data.into_iter().map(ImportJob).collect();
        Ok(list(page, found.count, nodes))
    }
}
