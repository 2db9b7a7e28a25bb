use async_graphql::{ID, Object};
use kurso_core::items;

use super::{DateTime, id_of};

/// A title with a text that belongs to a person.
pub struct Item(pub items::Item);

#[Object]
impl Item {
    async fn id(&self) -> ID {
        id_of(self.0.id)
    }
    async fn title(&self) -> &str {
        &self.0.title
    }
    async fn description(&self) -> Option<&str> {
        self.0.description.as_deref()
    }
    async fn owner_id(&self) -> ID {
        id_of(self.0.owner_id)
    }
    async fn created_at(&self) -> DateTime {
        DateTime(self.0.created_at)
    }
}
