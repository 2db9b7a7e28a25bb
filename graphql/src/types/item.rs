use async_graphql::{ID, Object};
use kurso_core::items;

use super::{DateTime, id_of};

pub struct Item(pub items::Item);

/// An item of a user: a title with a text.
#[Object]
impl Item {
    /// Unique ID.
    async fn id(&self) -> ID {
        id_of(self.0.id)
    }
    /// 1 to 255 characters.
    async fn title(&self) -> &str {
        &self.0.title
    }
    /// At most 255 characters; null when there is none.
    async fn description(&self) -> Option<&str> {
        self.0.description.as_deref()
    }
    /// ID of the owner.
    async fn owner_id(&self) -> ID {
        id_of(self.0.owner_id)
    }
    /// Creation time.
    async fn created_at(&self) -> DateTime {
        DateTime(self.0.created_at)
    }
}
