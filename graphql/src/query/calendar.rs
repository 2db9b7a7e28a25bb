//! Queries for the calendar of the caller.

use async_graphql::{Context, Object, Result};
use kurso_core::calendar::{self, Span, feed};

use crate::context::{kurso, viewer};
use crate::cost;
use crate::error::wrap;
use crate::lists::{List, list, window};
use crate::types::{CalendarEvent, CalendarFeed, DateTime, Upcoming};

#[derive(Default)]
pub struct CalendarQuery;

#[Object]
impl CalendarQuery {
    /// Dates of the courses that the caller learns or teaches, by time: when the courses start and end, and when their parts open, are due
    /// and close, as far as this differs from what is above them. Learners see no drafts.
    #[graphql(complexity = "cost::connection(first, child_complexity)")]
    async fn calendar(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "From this time, inclusive.")] from: Option<DateTime>,
        #[graphql(desc = "Before this time.")] until: Option<DateTime>,
        #[graphql(desc = "Rows, at most 1000.", default = 100)] first: Option<i32>,
        #[graphql(desc = "Cursor of the last row already read.")] after: Option<String>,
    ) -> Result<List<CalendarEvent>> {
        let viewer = viewer(ctx)?;
        let page = window(ctx, first, after)?;
        let span = Span {
            from: from.map(|DateTime(at)| at),
            until: until.map(|DateTime(at)| at),
        };
        let found = calendar::list(kurso(ctx), viewer, span, page)
            .await
            .map_err(wrap(ctx))?;
        let events = found.data.into_iter().map(CalendarEvent::from);
        Ok(list(page, found.count, events.collect()))
    }

    /// What is due next in the courses that the caller learns, and what is overdue.
    #[graphql(complexity = "cost::list(upcoming_size(first), child_complexity)")]
    async fn upcoming(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Rows of each list, at most 100.", default = 5)] first: Option<i32>,
    ) -> Result<Upcoming> {
        let viewer = viewer(ctx)?;
        let found = calendar::upcoming(kurso(ctx), viewer, upcoming_size(first)).await;
        let found: Upcoming = found.map_err(wrap(ctx))?.into();
        cost::spend(ctx, found.rows())?;
        Ok(found)
    }

    /// The state of the caller's iCalendar feed.
    async fn calendar_feed(&self, ctx: &Context<'_>) -> Result<CalendarFeed> {
        let viewer = viewer(ctx)?;
        let found = feed::get(kurso(ctx), viewer).await.map_err(wrap(ctx))?;
        Ok(found.into())
    }
}

fn upcoming_size(first: Option<i32>) -> usize {
    calendar::upcoming_size(first.map(|first| u64::try_from(first).unwrap_or_default()))
}
