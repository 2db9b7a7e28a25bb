//! Queries of notice preferences.

use async_graphql::{Context, Object, Result};
use kurso_core::notice_mails::{preferences, unsubscribe};

use crate::context::{kurso, origin, viewer};
use crate::cost;
use crate::error::wrap;
use crate::types::{NoticePreferences, NoticeSubscription};

#[derive(Default)]
pub struct NoticePreferencesQuery;

#[Object]
impl NoticePreferencesQuery {
    /// The notice preferences of the caller.
    async fn notice_preferences(&self, ctx: &Context<'_>) -> Result<NoticePreferences> {
        let viewer = viewer(ctx)?;
        let found = preferences::get(kurso(ctx), viewer).await.map_err(wrap(ctx))?;
        let found = NoticePreferences::from(found);
        cost::spend(ctx, found.rows())?;
        Ok(found)
    }

    /// What the link in a notice mail can unsubscribe from. Needs no session: the token of the link identifies the user. NOT_FOUND for an invalid or
    /// expired link.
    async fn notice_subscription(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Token of the link.")] token: String,
    ) -> Result<NoticeSubscription> {
        let found = unsubscribe::get(kurso(ctx), origin(ctx).address, &token).await;
        Ok(found.map_err(wrap(ctx))?.into())
    }
}
