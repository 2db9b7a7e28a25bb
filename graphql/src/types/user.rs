use async_graphql::{ID, Object};
use kurso_core::access;

use super::{DateTime, id_of};

pub struct User(pub access::User);

/// A user account.
#[Object]
impl User {
    /// Unique ID.
    async fn id(&self) -> ID {
        id_of(self.0.id)
    }
    /// Email address for sign-in.
    async fn email(&self) -> &str {
        &self.0.email
    }
    /// Surname, first name and patronymic, as the user gave them.
    async fn full_name(&self) -> Option<&str> {
        self.0.full_name.as_deref()
    }
    /// Whether the user may sign in.
    async fn is_active(&self) -> bool {
        self.0.is_active
    }
    /// Whether the user is a superuser, with access to the administration.
    async fn is_superuser(&self) -> bool {
        self.0.is_superuser
    }
    /// Whether the user is a guest, who has no account of their own: email address and name are made up.
    async fn is_guest(&self) -> bool {
        self.0.is_guest
    }
    /// Creation time.
    async fn created_at(&self) -> DateTime {
        DateTime(self.0.created_at)
    }
}
