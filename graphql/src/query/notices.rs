//! The query for the notices of the caller.

use async_graphql::{Context, Object, Result};
use kurso_base::error::{Error, FieldError};
use kurso_base::messages::Message;
use kurso_core::inbox::{self, MAX_LISTED, Wanted};

use crate::context::{kurso, viewer};
use crate::cost;
use crate::error::wrap;
use crate::types::NoticeList;

/// The default number of notices.
const LISTED: usize = 30;

#[derive(Default)]
pub struct NoticesQuery;

#[Object]
impl NoticesQuery {
    /// The notices of the caller, newest first. They are kept for 90 days.
    #[graphql(complexity = "cost::list(size(first), child_complexity)")]
    async fn notices(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Rows, at most 100.", default = 30)] first: Option<i32>,
        #[graphql(desc = "The `next` of the notices already read.")] after: Option<String>,
        #[graphql(desc = "Only unread notices.", default = false)] unread_only: bool,
    ) -> Result<NoticeList> {
        let viewer = viewer(ctx)?;
        let bad_cursor = |cursor: String| {
            let error = FieldError::body("value_error", "after", Message::BadCursor, cursor.into());
            wrap(ctx)(Error::invalid(error))
        };
        let after = after.map(|cursor| cursor.parse().map_err(|_| bad_cursor(cursor)));
        let wanted = Wanted {
            first: size(first),
            after: after.transpose()?,
            skip: 0,
            unread_only,
        };
        let found = inbox::list(kurso(ctx), viewer, wanted).await.map_err(wrap(ctx))?;
        Ok(NoticeList(found))
    }
}

fn size(first: Option<i32>) -> usize {
    let first = first.map_or(LISTED, |first| usize::try_from(first).unwrap_or_default());
    first.min(MAX_LISTED)
}
