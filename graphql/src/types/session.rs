use async_graphql::{ID, Object};
use kurso_core::auth::sessions;

use super::{DateTime, id_of};

pub struct Session {
    pub row: sessions::Session,
    /// Is it the one of the token in use?
    pub current: bool,
}

/// A place where the caller is signed in.
#[Object]
impl Session {
    /// What `endSession` takes.
    async fn id(&self) -> ID {
        id_of(self.row.id)
    }
    /// The User-Agent of the sign-in.
    async fn device(&self) -> &str {
        &self.row.device
    }
    /// When the person signed in.
    async fn created_at(&self) -> DateTime {
        DateTime(self.row.created_at)
    }
    /// To within five minutes.
    async fn last_seen_at(&self) -> DateTime {
        DateTime(self.row.last_seen_at)
    }
    /// When it ends by itself.
    async fn expires_at(&self) -> DateTime {
        DateTime(self.row.expires_at)
    }
    /// Is it the one of the token in use?
    async fn current(&self) -> bool {
        self.current
    }
}
