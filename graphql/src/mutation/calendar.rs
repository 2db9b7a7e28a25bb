//! The address of the caller's iCalendar feed.

use async_graphql::{Context, Object, Result, SimpleObject};
use kurso_base::messages::Message;
use kurso_core::calendar::feed;

use crate::context::{kurso, viewer};
use crate::error::wrap;
use crate::language::{mail_lang, say};
use crate::types::CalendarFeed;

#[derive(Default)]
pub struct CalendarMutation;

/// A new address of the feed.
#[derive(SimpleObject)]
pub struct CreateCalendarFeedPayload {
    /// The secret address, for calendar programs. It cannot be read again.
    url: String,
    /// The feed as it is now.
    calendar_feed: CalendarFeed,
}

/// The address was revoked.
#[derive(SimpleObject)]
pub struct RevokeCalendarFeedPayload {
    /// The feed as it is now.
    calendar_feed: CalendarFeed,
    /// The result in words, in the language of the request.
    message: String,
}

#[Object]
impl CalendarMutation {
    /// Makes a secret address of the caller's iCalendar feed, which replaces the current one. Texts of the feed are in the language of this
    /// request.
    async fn create_calendar_feed(&self, ctx: &Context<'_>) -> Result<CreateCalendarFeedPayload> {
        let viewer = viewer(ctx)?;
        let made = feed::create(kurso(ctx), viewer, mail_lang(ctx)).await;
        let (feed, url) = made.map_err(wrap(ctx))?;
        Ok(CreateCalendarFeedPayload {
            url,
            calendar_feed: feed.into(),
        })
    }

    /// Revokes the address of the caller's iCalendar feed; NOT_FOUND when there is none.
    async fn revoke_calendar_feed(&self, ctx: &Context<'_>) -> Result<RevokeCalendarFeedPayload> {
        let viewer = viewer(ctx)?;
        feed::revoke(kurso(ctx), viewer).await.map_err(wrap(ctx))?;
        Ok(RevokeCalendarFeedPayload {
            calendar_feed: feed::Feed::default().into(),
            message: say(ctx, Message::CalendarFeedRevoked),
        })
    }
}
