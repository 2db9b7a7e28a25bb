use async_graphql::{ID, Object};
use kurso_core::auth::sessions;

use super::{DateTime, id_of};

pub struct Session {
    pub row: sessions::Session,
    /// Whether it is the session of the request's token.
    pub current: bool,
}

/// A session of the caller.
#[Object]
impl Session {
    /// ID for `endSession`.
    async fn id(&self) -> ID {
        id_of(self.row.id)
    }
    /// User-Agent of the sign-in.
    async fn device(&self) -> &str {
        &self.row.device
    }
    /// Time of the sign-in.
    async fn created_at(&self) -> DateTime {
        DateTime(self.row.created_at)
    }
    /// Time of the last request, to within five minutes.
    async fn last_seen_at(&self) -> DateTime {
        DateTime(self.row.last_seen_at)
    }
    /// Expiry time.
    async fn expires_at(&self) -> DateTime {
        DateTime(self.row.expires_at)
    }
    /// Whether it is the session of the request's token.
    async fn current(&self) -> bool {
        self.current
    }
}
