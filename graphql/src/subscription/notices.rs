//! Subscription to the notices of the caller.

use async_graphql::{Context, Result, Subscription};
use futures_util::stream::BoxStream;
use kurso_core::inbox::NoticesWatch;

use crate::context::{kurso, viewer};
use crate::types::NoticeArrival;

#[derive(Default)]
pub struct NoticesSubscription;

#[Subscription]
impl NoticesSubscription {
    /// Sends the number of the caller's unread notices at once, and whenever a notice arrives or notices are read or withdrawn.
    async fn notices(&self, ctx: &Context<'_>) -> Result<BoxStream<'static, Result<NoticeArrival>>> {
        let viewer = viewer(ctx)?;
        let watch = NoticesWatch::start(kurso(ctx), viewer).await;
        Ok(super::events(ctx, watch, NoticeArrival::from))
    }
}
