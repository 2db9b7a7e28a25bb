//! Queries for items.

use async_graphql::{Context, ID, Object, Result};
use kurso_base::ids::ItemId;
use kurso_core::items;

use crate::context::{self, kurso, viewer};
use crate::cost;
use crate::error::wrap;
use crate::lists::{List, list, window_at};
use crate::types::Item;

#[derive(Default)]
pub struct ItemsQuery;

#[Object]
impl ItemsQuery {
    /// The caller's items, or all items for a superuser: newest first, then by ID.
    #[graphql(complexity = "cost::connection(first, child_complexity)")]
    async fn items(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Rows, at most 1000.", default = 100)] first: Option<i32>,
        #[graphql(desc = "Cursor of the last row already read.")] after: Option<String>,
        #[graphql(
            desc = "Rows to skip from the start, for numbered pages; ignored when `after` is given.",
            default = 0
        )]
        skip: Option<i32>,
    ) -> Result<List<Item>> {
        let viewer = viewer(ctx)?;
        let page = window_at(ctx, first, after, skip)?;
        let found = items::list(kurso(ctx), viewer, page).await.map_err(wrap(ctx))?;
        Ok(list(page, found.count, found.data.into_iter().map(Item).collect()))
    }

    /// An item of the caller, or any item for a superuser; FORBIDDEN for items of others.
    async fn item(&self, ctx: &Context<'_>, #[graphql(desc = "ID of the item.")] id: ID) -> Result<Item> {
        let viewer = viewer(ctx)?;
        let id: ItemId = context::id(ctx, "id", &id)?;
        let item = items::get(kurso(ctx), viewer, id).await.map_err(wrap(ctx))?;
        Ok(Item(item))
    }
}
