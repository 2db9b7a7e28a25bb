//! Items: a title and a description that belong to a user.

use chrono::{DateTime, Utc};

use crate::Kurso;
use crate::access::Viewer;
use kurso_base::error::{Error, Result};
use kurso_base::ids::{ItemId, UserId};
use kurso_base::messages::Message;
use kurso_base::pagination::{Listed, Page};
use kurso_base::values::{Change, ItemDescription, Title};
use kurso_db::sql;

#[derive(Clone, Debug, PartialEq, sqlx::FromRow)]
pub struct Item {
    pub title: String,
    pub description: Option<String>,
    pub id: ItemId,
    pub owner_id: UserId,
    pub created_at: DateTime<Utc>,
}

/// A new item.
#[derive(Clone, Debug)]
#[cfg_attr(any(test, feature = "testing"), derive(serde::Deserialize))]
pub struct CreateItem {
    pub title: Title,
    pub description: Option<ItemDescription>,
}

/// A change of an item. Fields that are None or `Keep` stay as they are.
#[derive(Clone, Debug, Default)]
#[cfg_attr(any(test, feature = "testing"), derive(serde::Deserialize), serde(default))]
pub struct UpdateItem {
    pub title: Option<Title>,
    pub description: Change<ItemDescription>,
}

/// Lists the items of the viewer, or of everyone for a superuser: newest first, then by id.
pub async fn list(kurso: &Kurso, viewer: &Viewer, page: Page) -> Result<Listed<Item>> {
    let (data, count) = if viewer.user.is_superuser {
        (
            sql!(
                "SELECT title, description, id, owner_id, created_at FROM items
                 ORDER BY created_at DESC, id DESC LIMIT $1 OFFSET $2",
                page.limit,
                page.skip
            ),
            sql!("SELECT COUNT(*) FROM items"),
        )
    } else {
        (
            sql!(
                "SELECT title, description, id, owner_id, created_at FROM items WHERE owner_id = $1
                 ORDER BY created_at DESC, id DESC LIMIT $2 OFFSET $3",
                viewer.id(),
                page.limit,
                page.skip
            ),
            sql!("SELECT COUNT(*) FROM items WHERE owner_id = $1", viewer.id()),
        )
    };
    Ok(Listed {
        data: data.fetch_all(&kurso.db).await?,
        count: count.fetch_one::<(i64,)>(&kurso.db).await?.0,
    })
}

/// Creates an item that belongs to the viewer.
pub async fn create(kurso: &Kurso, viewer: &Viewer, new: CreateItem) -> Result<Item> {
    viewer.require_account()?;
    sql!(
        "INSERT INTO items (id, owner_id, title, description, created_at) VALUES ($1, $2, $3, $4, $5)
         RETURNING title, description, id, owner_id, created_at",
        ItemId::new(),
        viewer.id(),
        new.title.as_str(),
        new.description.map(String::from),
        kurso.clock.now()
    )
    .fetch_one(&kurso.db)
    .await
    .map_err(|error| match error {
        // The account was deleted after the token of this request was checked.
        error if kurso_base::error::is_foreign_key_violation(&error) => Error::NotFound(Message::UserGone),
        error => error.into(),
    })
}

/// Returns an item of the viewer, or any item for a superuser: 404 when it does not exist, 403 when it is another person's.
pub async fn get(kurso: &Kurso, viewer: &Viewer, id: ItemId) -> Result<Item> {
    let item: Item = sql!(
        "SELECT title, description, id, owner_id, created_at FROM items WHERE id = $1",
        id
    )
    .fetch_optional(&kurso.db)
    .await?
    .ok_or(Error::NotFound(Message::ItemNotFound))?;
    if item.owner_id != viewer.id() && !viewer.user.is_superuser {
        return Err(Error::Forbidden(Message::ItemForbidden));
    }
    Ok(item)
}

/// Changes an item; its owner stays the same.
pub async fn update(kurso: &Kurso, viewer: &Viewer, id: ItemId, update: UpdateItem) -> Result<Item> {
    get(kurso, viewer, id).await?;
    sql!(
        "UPDATE items SET title = COALESCE($2, title), description = CASE WHEN $3 THEN $4 ELSE description END
         WHERE id = $1 RETURNING title, description, id, owner_id, created_at",
        id,
        update.title.map(String::from),
        !update.description.is_keep(),
        update.description.value().map(String::from)
    )
    .fetch_optional(&kurso.db)
    .await?
    .ok_or(Error::NotFound(Message::ItemNotFound))
}

/// Deletes an item; the same rights as [`get`].
pub async fn delete(kurso: &Kurso, viewer: &Viewer, id: ItemId) -> Result<()> {
    get(kurso, viewer, id).await?;
    match sql!("DELETE FROM items WHERE id = $1", id).execute(&kurso.db).await? {
        0 => Err(Error::NotFound(Message::ItemNotFound)),
        _ => Ok(()),
    }
}
