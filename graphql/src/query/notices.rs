//! The query for the notices of the caller.

use async_graphql::{Context, Object, Result};
use kurso_core::inbox::{self, MAX_LISTED, Wanted};

use crate::context::{kurso, viewer};
use crate::cost;
use crate::error::wrap;
use crate::lists;
use crate::types::NoticeList;

/// The default number of notices.
const LISTED: usize = 30;

#[derive(Default)]
pub struct NoticesQuery;

#[Object]
impl NoticesQuery {
    /// The notices of the caller, newest first. They are kept for 90 days.
    #[graphql(complexity = "cost::list(lists::size(first, LISTED, MAX_LISTED), child_complexity)")]
    async fn notices(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Rows, at most 100.", default = 30)] first: Option<i32>,
        #[graphql(desc = "The `next` of the notices already read.")] after: Option<String>,
        #[graphql(desc = "Only unread notices.", default = false)] unread_only: bool,
    ) -> Result<NoticeList> {
        let viewer = viewer(ctx)?;
        let wanted = Wanted {
            first: lists::size(first, LISTED, MAX_LISTED),
            after: lists::read_cursor(ctx, after)?,
            skip: 0,
            unread_only,
        };
        let found = inbox::list(kurso(ctx), viewer, wanted).await.map_err(wrap(ctx))?;
        Ok(NoticeList(found))
    }
}
