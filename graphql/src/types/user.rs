use async_graphql::{ID, Object};
use kurso_core::users;

use super::{DateTime, id_of};

/// A person with an account.
pub struct User(pub users::User);

#[Object]
impl User {
    async fn id(&self) -> ID {
        id_of(self.0.id)
    }
    async fn email(&self) -> &str {
        &self.0.email
    }
    /// Surname, first name and patronymic, as the person gave them.
    async fn full_name(&self) -> Option<&str> {
        self.0.full_name.as_deref()
    }
    async fn is_active(&self) -> bool {
        self.0.is_active
    }
    /// Superusers see the administration.
    async fn is_superuser(&self) -> bool {
        self.0.is_superuser
    }
    async fn created_at(&self) -> DateTime {
        DateTime(self.0.created_at)
    }
}
