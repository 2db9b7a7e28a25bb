//! Items: a generic resource of the family's clients, a title and a text that belong to a person (rest-facts 6).

use chrono::{DateTime, Utc};
use serde_json::Value;

use crate::Kurso;
use crate::access::Viewer;
use crate::error::{Error, Result};
use crate::ids::{ItemId, UserId};
use crate::input::Fields;
use crate::messages::Message;
use crate::page::{Listed, Page};
use crate::sql;

#[derive(Clone, Debug, PartialEq, sqlx::FromRow)]
pub struct Item {
    pub title: String,
    pub description: Option<String>,
    pub id: ItemId,
    pub owner_id: UserId,
    pub created_at: DateTime<Utc>,
}

#[derive(Clone, Debug)]
pub struct NewItem {
    pub title: String,
    pub description: Option<String>,
}

impl NewItem {
    /// Reads `title` (1–255 characters) and the optional `description` (≤ 255).
    pub fn from_body(body: &Value) -> Result<Self> {
        let mut fields = Fields::of(body)?;
        let title = fields.text("title", 1, 255);
        let description = fields.optional_text("description", 255);
        fields.finish()?;
        let title = title.ok_or_else(|| Error::internal("a checked body lacks a field"))?;
        Ok(NewItem { title, description })
    }
}

/// What to change: None is left as it is.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    pub title: Option<String>,
    /// `Some(None)` clears it.
    pub description: Option<Option<String>>,
}

impl Changes {
    pub fn from_body(body: &Value) -> Result<Self> {
        let mut fields = Fields::of(body)?;
        let changes = Changes {
            title: fields.changed_text("title", 1, 255),
            description: fields.changed_nullable_text("description", 0, 255),
        };
        fields.finish()?;
        Ok(changes)
    }
}

/// One's own items, or everybody's for a superuser: newest first, then by id.
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

/// Makes an item of the viewer's.
pub async fn create(kurso: &Kurso, viewer: &Viewer, new: NewItem) -> Result<Item> {
    sql!(
        "INSERT INTO items (id, owner_id, title, description, created_at) VALUES ($1, $2, $3, $4, $5)
         RETURNING title, description, id, owner_id, created_at",
        ItemId::new(),
        viewer.id(),
        new.title,
        new.description,
        kurso.clock.now()
    )
    .fetch_one(&kurso.db)
    .await
    .map_err(|error| match error {
        // The account was deleted since it was looked up for this call.
        error if crate::error::is_foreign_key_violation(&error) => Error::NotFound(Message::UserGone),
        error => error.into(),
    })
}

/// One's own item, or anybody's for a superuser: 404 when there is none, 403 when it is another's.
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

/// Changes what is given; the owner stays, whoever changes it.
pub async fn update(kurso: &Kurso, viewer: &Viewer, id: ItemId, changes: Changes) -> Result<Item> {
    get(kurso, viewer, id).await?;
    sql!(
        "UPDATE items SET title = COALESCE($2, title), description = CASE WHEN $3 THEN $4 ELSE description END
         WHERE id = $1 RETURNING title, description, id, owner_id, created_at",
        id,
        changes.title,
        changes.description.is_some(),
        changes.description.flatten()
    )
    .fetch_optional(&kurso.db)
    .await?
    .ok_or(Error::NotFound(Message::ItemNotFound))
}

pub async fn delete(kurso: &Kurso, viewer: &Viewer, id: ItemId) -> Result<()> {
    get(kurso, viewer, id).await?;
    match sql!("DELETE FROM items WHERE id = $1", id).execute(&kurso.db).await? {
        0 => Err(Error::NotFound(Message::ItemNotFound)),
        _ => Ok(()),
    }
}
