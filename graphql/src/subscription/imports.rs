//! Subscription to the progress of an import.

use async_graphql::{Context, ID, Result, Subscription};
use futures_util::stream::BoxStream;
use kurso_base::ids::JobId;
use kurso_core::imports::ImportWatch;

use crate::context::{self, kurso, viewer};
use crate::error::wrap;
use crate::types::ImportJob;

#[derive(Default)]
pub struct ImportsSubscription;

#[Subscription]
impl ImportsSubscription {
    /// The state of an import: now, and after each change until it ends. NOT_FOUND for all but the user who started it
    /// and superusers; the rights are checked again for each event.
    async fn import_progress(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "ID of the import.")] job_id: ID,
    ) -> Result<BoxStream<'static, Result<ImportJob>>> {
        let viewer = viewer(ctx)?;
        let id: JobId = context::id(ctx, "job_id", &job_id)?;
        let watch = ImportWatch::start(kurso(ctx), viewer, id).await.map_err(wrap(ctx))?;
        Ok(super::events(ctx, watch, ImportJob))
    }
}
