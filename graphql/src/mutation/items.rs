//! Items: one's own, or anybody's for a superuser.

use async_graphql::{Context, ID, InputObject, MaybeUndefined, Object, Result, SimpleObject};
use kurso_core::ids::ItemId;
use kurso_core::items::{self, Changes, NewItem};
use kurso_core::messages::Message;

use crate::context::{self, kurso, say, viewer};
use crate::error::wrap;
use crate::input::Body;
use crate::types::Item;

#[derive(Default)]
pub struct ItemsMutation;

/// A new item.
#[derive(InputObject)]
pub struct CreateItemInput {
    /// 1 to 255 characters.
    title: String,
    /// At most 255 characters.
    description: MaybeUndefined<String>,
}

/// The item was made.
#[derive(SimpleObject)]
pub struct CreateItemPayload {
    /// The new item.
    item: Item,
}

/// What is left out stays as it is.
#[derive(InputObject)]
pub struct UpdateItemInput {
    /// Which item.
    item_id: ID,
    /// 1 to 255 characters; may not be null.
    title: MaybeUndefined<String>,
    /// At most 255 characters; null clears it.
    description: MaybeUndefined<String>,
}

/// The item was changed.
#[derive(SimpleObject)]
pub struct UpdateItemPayload {
    /// The item as it is now.
    item: Item,
}

/// An item to delete.
#[derive(InputObject)]
pub struct DeleteItemInput {
    /// Which item.
    item_id: ID,
}

/// The item was deleted.
#[derive(SimpleObject)]
pub struct DeleteItemPayload {
    /// Of what is gone.
    item_id: ID,
    /// What was done, in the language of the request.
    message: String,
}

#[Object]
impl ItemsMutation {
    /// Makes an item of the caller's.
    async fn create_item(&self, ctx: &Context<'_>, input: CreateItemInput) -> Result<CreateItemPayload> {
        let viewer = viewer(ctx)?;
        let body = Body::default()
            .with("title", input.title)
            .given("description", input.description);
        let new = NewItem::from_body(&body.json()).map_err(wrap(ctx))?;
        let item = items::create(kurso(ctx), viewer, new).await.map_err(wrap(ctx))?;
        Ok(CreateItemPayload { item: Item(item) })
    }

    /// Changes what is given; the owner stays, whoever changes it.
    async fn update_item(&self, ctx: &Context<'_>, input: UpdateItemInput) -> Result<UpdateItemPayload> {
        let viewer = viewer(ctx)?;
        let id: ItemId = context::id(ctx, "item_id", &input.item_id)?;
        let body = Body::default()
            .given("title", input.title)
            .given("description", input.description);
        let changes = Changes::from_body(&body.json()).map_err(wrap(ctx))?;
        let item = items::update(kurso(ctx), viewer, id, changes)
            .await
            .map_err(wrap(ctx))?;
        Ok(UpdateItemPayload { item: Item(item) })
    }

    /// Deletes an item.
    async fn delete_item(&self, ctx: &Context<'_>, input: DeleteItemInput) -> Result<DeleteItemPayload> {
        let viewer = viewer(ctx)?;
        let id: ItemId = context::id(ctx, "item_id", &input.item_id)?;
        items::delete(kurso(ctx), viewer, id).await.map_err(wrap(ctx))?;
        Ok(DeleteItemPayload {
            item_id: ID(id.to_string()),
            message: say(ctx, Message::ItemDeleted),
        })
    }
}
