//! Mutations of items.

use async_graphql::{Context, ID, InputObject, MaybeUndefined, Object, Result, SimpleObject};
use kurso_base::ids::ItemId;
use kurso_base::messages::Message;
use kurso_core::items::{self, CreateItem, UpdateItem};

use crate::context::{self, kurso, viewer};
use crate::error::wrap;
use crate::input::command;
use crate::language::say;
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

/// The item was created.
#[derive(SimpleObject)]
pub struct CreateItemPayload {
    /// The new item.
    item: Item,
}

/// Absent fields keep their values.
#[derive(InputObject)]
pub struct UpdateItemInput {
    /// ID of the item.
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
    /// ID of the item.
    item_id: ID,
}

/// The item was deleted.
#[derive(SimpleObject)]
pub struct DeleteItemPayload {
    /// The deleted item.
    item_id: ID,
    /// The result in words, in the language of the request.
    message: String,
}

#[Object]
impl ItemsMutation {
    /// Creates an item that belongs to the caller.
    async fn create_item(&self, ctx: &Context<'_>, input: CreateItemInput) -> Result<CreateItemPayload> {
        let viewer = viewer(ctx)?;
        let new = command!(
            ctx,
            CreateItem {
                title: required(input.title),
                description: optional(input.description.take()),
            }
        );
        let item = items::create(kurso(ctx), viewer, new).await.map_err(wrap(ctx))?;
        Ok(CreateItemPayload { item: Item(item) })
    }

    /// Changes the fields that are present; the owner stays the same.
    async fn update_item(&self, ctx: &Context<'_>, input: UpdateItemInput) -> Result<UpdateItemPayload> {
        let viewer = viewer(ctx)?;
        let id: ItemId = context::id(ctx, "item_id", &input.item_id)?;
        let update = command!(
            ctx,
            UpdateItem {
                title: given(input.title),
                description: change(input.description),
            }
        );
        let item = items::update(kurso(ctx), viewer, id, update).await.map_err(wrap(ctx))?;
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
