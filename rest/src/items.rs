//! Operations on items.

use axum::Json;
use axum::extract::State;
use chrono::{DateTime, Utc};
use kurso_base::ids::ItemId;
use kurso_base::messages::{Lang, Message as Text};
use kurso_base::pagination::Page;
use kurso_base::values::{Change, ItemDescription, Title};
use kurso_base::wire;
use kurso_core::access::Viewer;
use kurso_core::items::{self, CreateItem, UpdateItem};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::KursoState;
use crate::error::Result;
use crate::extract::{Path, with_path};
use crate::fields::{Command, Given, body};
use crate::message::Message;
use crate::openapi_parts::{HTTPError, ItemRefusals, PagingParams, SignedInRefusals};
use crate::response::{from_fields, lists};

/// An item: a title with an optional text, owned by a user.
#[derive(Serialize, ToSchema)]
pub struct ItemPublic {
    pub title: String,
    #[schema(required)]
    pub description: Option<String>,
    pub id: Uuid,
    pub owner_id: Uuid,
    #[serde(serialize_with = "wire::time")]
    pub created_at: DateTime<Utc>,
}

from_fields! {
    ItemPublic from items::Item { title, description, id, owner_id, created_at }
}

lists! {
    /// A page of a list of items.
    ItemsPublic of ItemPublic;
}

body! {
    ItemCreate -> CreateItem {
        title: Title,
        description: Option<ItemDescription>,
    }

    /// Fields that are absent keep their values.
    ItemUpdate -> UpdateItem {
        title: Given<Title>,
        /// Null clears it.
        description: Change<ItemDescription>,
    }
}

/// List items
///
/// The caller's items; for a superuser the items of all users. Order: newest first, then by ID.
#[utoipa::path(
    get, path = "/api/v1/items/", operation_id = "items-read_items", tag = "items",
    params(PagingParams),
    responses(SignedInRefusals, (status = 200, description = "Items", body = ItemsPublic))
)]
pub async fn list(State(kurso): KursoState, viewer: Viewer, page: Page) -> Result<Json<ItemsPublic>> {
    Ok(Json(items::list(&kurso, &viewer, page).await?.into()))
}

/// Create an item
///
/// The new item belongs to the caller.
#[utoipa::path(
    post, path = "/api/v1/items/", operation_id = "items-create_item", tag = "items",
    request_body = ItemCreate,
    responses(
        SignedInRefusals,
        (status = 200, description = "The new item", body = ItemPublic),
        (status = 400, description = "The user is inactive, or the body is not UTF-8", body = HTTPError),
    )
)]
pub async fn create(
    State(kurso): KursoState,
    viewer: Viewer,
    Command(new): Command<ItemCreate>,
) -> Result<Json<ItemPublic>> {
    Ok(Json(items::create(&kurso, &viewer, new).await?.into()))
}

/// Get an item
///
/// Owner and superusers.
#[utoipa::path(
    get, path = "/api/v1/items/{id}", operation_id = "items-read_item", tag = "items",
    responses(ItemRefusals, (status = 200, description = "The item", body = ItemPublic))
)]
pub async fn read(State(kurso): KursoState, viewer: Viewer, Path(id): Path<ItemId>) -> Result<Json<ItemPublic>> {
    Ok(Json(items::get(&kurso, &viewer, id).await?.into()))
}

/// Update an item
///
/// Changes the fields that are present in the body; the owner remains the same. Owner and superusers.
#[utoipa::path(
    put, path = "/api/v1/items/{id}", operation_id = "items-update_item", tag = "items",
    request_body = ItemUpdate,
    responses(
        ItemRefusals,
        (status = 200, description = "The item", body = ItemPublic),
        (status = 400, description = "The user is inactive, or the body is not UTF-8", body = HTTPError),
    )
)]
pub async fn update(
    State(kurso): KursoState,
    viewer: Viewer,
    id: Result<Path<ItemId>>,
    update: Result<Command<ItemUpdate>>,
) -> Result<Json<ItemPublic>> {
    let (id, Command(update)) = with_path(id, update)?;
    Ok(Json(items::update(&kurso, &viewer, id, update).await?.into()))
}

/// Delete an item
///
/// Owner and superusers.
#[utoipa::path(
    delete, path = "/api/v1/items/{id}", operation_id = "items-delete_item", tag = "items",
    responses(ItemRefusals, (status = 200, description = "Deleted", body = Message))
)]
pub async fn delete(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<ItemId>,
    lang: Lang,
) -> Result<Json<Message>> {
    items::delete(&kurso, &viewer, id).await?;
    Ok(Message::say(Text::ItemDeleted, lang))
}
