//! A course on its way in.

use async_graphql::{Context, ID, Result, Subscription};
use futures_util::stream::BoxStream;
use kurso_core::ids::JobId;
use kurso_core::imports::ImportWatch;

use super::seen;
use crate::context::{self, kurso, viewer};
use crate::error::wrap;
use crate::types::ImportJob;

#[derive(Default)]
pub struct ImportsSubscription;

#[Subscription]
impl ImportsSubscription {
    /// How an import is: now, and each time that changes, until it has ended. NOT_FOUND for everybody but whoever began it,
    /// and superusers; the rights are looked at again for each event.
    async fn import_progress(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Which import.")] job_id: ID,
    ) -> Result<BoxStream<'static, Result<ImportJob>>> {
        let viewer = viewer(ctx)?;
        let id: JobId = context::id(ctx, "job_id", &job_id)?;
        let watch = ImportWatch::start(kurso(ctx), viewer, id).await.map_err(wrap(ctx))?;
        Ok(seen(ctx, watch, ImportJob))
    }
}
