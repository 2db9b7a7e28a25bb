//! Items.

use async_graphql::{Context, ID, Object, Result};
use kurso_core::ids::ItemId;
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
    /// One's own items, or everybody's for a superuser: newest first, then by id.
    #[graphql(complexity = "cost::connection(first, child_complexity)")]
    async fn items(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "How many, at most 1000.", default = 100)] first: Option<i32>,
        #[graphql(desc = "The cursor of the last one seen.")] after: Option<String>,
        #[graphql(
            desc = "How many to leave out at the beginning, for numbered pages; `after` wins over it.",
            default = 0
        )]
        skip: Option<i32>,
    ) -> Result<List<Item>> {
        let viewer = viewer(ctx)?;
        let page = window_at(ctx, first, after, skip)?;
        let found = items::list(kurso(ctx), viewer, page).await.map_err(wrap(ctx))?;
        Ok(list(page, found.count, found.data.into_iter().map(Item).collect()))
    }

    /// One's own item, or anybody's for a superuser; FORBIDDEN when it is another's.
    async fn item(&self, ctx: &Context<'_>, #[graphql(desc = "Of the item.")] id: ID) -> Result<Item> {
        let viewer = viewer(ctx)?;
        let id: ItemId = context::id(ctx, "id", &id)?;
        let item = items::get(kurso(ctx), viewer, id).await.map_err(wrap(ctx))?;
        Ok(Item(item))
    }
}
