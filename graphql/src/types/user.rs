use async_graphql::{ID, Object};
use kurso_core::users;

use super::{DateTime, id_of};

pub struct User(pub users::User);

/// A person with an account.
#[Object]
impl User {
    /// A UUID, unlike that of any other.
    async fn id(&self) -> ID {
        id_of(self.0.id)
    }
    /// What they sign in with.
    async fn email(&self) -> &str {
        &self.0.email
    }
    /// Surname, first name and patronymic, as the person gave them.
    async fn full_name(&self) -> Option<&str> {
        self.0.full_name.as_deref()
    }
    /// May they sign in?
    async fn is_active(&self) -> bool {
        self.0.is_active
    }
    /// Superusers see the administration.
    async fn is_superuser(&self) -> bool {
        self.0.is_superuser
    }
    /// When the account was made.
    async fn created_at(&self) -> DateTime {
        DateTime(self.0.created_at)
    }
}
