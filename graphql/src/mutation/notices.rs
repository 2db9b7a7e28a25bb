//! Marks notices of the caller as read.

use async_graphql::{Context, ID, InputObject, Object, Result, SimpleObject};
use kurso_base::values::Several;
use kurso_core::inbox::{self, MarkAllRead, MarkRead};

use crate::context::{self, kurso, viewer};
use crate::error::wrap;
use crate::input::{command, ids};
use crate::types::int;

#[derive(Default)]
pub struct NoticesMutation;

/// Marks these notices as read.
#[derive(InputObject)]
pub struct MarkNoticesReadInput {
    /// 1 to 100 notices; notices of other users are ignored.
    ids: Vec<ID>,
}

/// Marks all notices up to one as read.
#[derive(InputObject)]
pub struct MarkAllNoticesReadInput {
    /// ID of the newest notice that was shown: what arrived later stays unread.
    before: ID,
}

/// The notices were marked as read.
#[derive(SimpleObject)]
pub struct MarkNoticesReadPayload {
    /// Number of unread notices, at most 100.
    unread: i32,
}

#[Object]
impl NoticesMutation {
    /// Marks notices of the caller as read.
    async fn mark_notices_read(
        &self,
        ctx: &Context<'_>,
        input: MarkNoticesReadInput,
    ) -> Result<MarkNoticesReadPayload> {
        let viewer = viewer(ctx)?;
        let MarkRead { ids: Several(read) } = command!(
            ctx,
            MarkRead {
                ids: required(ids(input.ids))
            }
        );
        let unread = inbox::mark_read(kurso(ctx), viewer, &read).await.map_err(wrap(ctx))?;
        Ok(MarkNoticesReadPayload { unread: int(unread) })
    }

    /// Marks the caller's notices as read up to one.
    async fn mark_all_notices_read(
        &self,
        ctx: &Context<'_>,
        input: MarkAllNoticesReadInput,
    ) -> Result<MarkNoticesReadPayload> {
        let viewer = viewer(ctx)?;
        let before = context::id(ctx, "before", &input.before)?;
        let marked = inbox::mark_all_read(kurso(ctx), viewer, MarkAllRead { before });
        let unread = marked.await.map_err(wrap(ctx))?;
        Ok(MarkNoticesReadPayload { unread: int(unread) })
    }
}
