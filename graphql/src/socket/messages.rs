//! The messages and close codes of the protocol `graphql-transport-ws`.

use async_graphql::{Request, Response, ServerError};
use axum::extract::ws::{CloseFrame, Message};
use kurso_base::wire;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The maximum length of a client's message, in bytes.
pub const MAX_LENGTH: usize = 64 << 10;

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ClientMessage {
    ConnectionInit {
        #[serde(default)]
        payload: Option<InitPayload>,
    },
    Subscribe {
        id: String,
        payload: Box<Request>,
    },
    Complete {
        id: String,
    },
    Ping {
        #[serde(default)]
        payload: Option<Value>,
    },
    Pong {},
}

/// The client's token, as `token` or as `authorization` in the form of the header, and its language: a browser cannot set
/// headers of a WebSocket.
#[derive(Default, Deserialize)]
pub struct InitPayload {
    token: Option<String>,
    #[serde(alias = "Authorization")]
    authorization: Option<String>,
    #[serde(rename = "acceptLanguage", alias = "accept-language")]
    pub accept_language: Option<String>,
}

impl InitPayload {
    pub fn token(&self) -> Option<&str> {
        let bearer = || {
            let (scheme, token) = self.authorization.as_deref()?.split_once(' ')?;
            scheme.eq_ignore_ascii_case("bearer").then_some(token)
        };
        let token = self.token.as_deref().or_else(bearer)?.trim();
        (!token.is_empty()).then_some(token)
    }
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ServerMessage<'a> {
    ConnectionAck,
    Next {
        id: &'a str,
        payload: &'a Response,
    },
    /// Ends the operation.
    Error {
        id: &'a str,
        payload: &'a [ServerError],
    },
    Complete {
        id: &'a str,
    },
    Pong {
        #[serde(skip_serializing_if = "Option::is_none")]
        payload: Option<Value>,
    },
}

impl ServerMessage<'_> {
    pub fn to_json(&self) -> Result<String, Close> {
        serde_json::to_string(self).map_err(|error| {
            tracing::error!(%error, "serializing a message of a subscription failed");
            Close::INTERNAL
        })
    }
}

/// The code and reason of a close frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Close {
    pub code: u16,
    /// At most 123 bytes.
    pub reason: &'static str,
}

impl Close {
    const fn with(code: u16, reason: &'static str) -> Self {
        Close { code, reason }
    }
    pub const GOING_AWAY: Close = Close::with(1001, "The server is shutting down");
    pub const TOO_LONG: Close = Close::with(1009, "Messages have at most 64 KiB");
    pub const TRY_AGAIN: Close = Close::with(1013, "Busy: connect again and read anew");
    pub const MISSED: Close = Close::with(
        1013,
        "Too slow or cut off, events were missed: connect again and read anew",
    );
    pub const RIGHTS: Close = Close::with(1013, "Your rights have changed: connect again");
    pub const SILENT: Close = Close::with(3008, "No sign of life");
    pub const BAD_MESSAGE: Close = Close::with(4400, "Invalid message");
    pub const NOT_INITIALISED: Close = Close::with(4401, "Unauthorized");
    pub const NO_TOKEN: Close = Close::with(4403, "Forbidden: a token is needed");
    pub const BAD_TOKEN: Close = Close::with(4403, "Forbidden: the token is not good");
    pub const SESSION_ENDED: Close = Close::with(4403, "Forbidden: the session has ended");
    pub const INIT_TIMEOUT: Close = Close::with(4408, "Connection initialisation timeout");
    pub const DUPLICATE_ID: Close = Close::with(4409, "Subscriber for this id already exists");
    pub const INITIALISED_TWICE: Close = Close::with(4429, "Too many initialisation requests");
    pub const INTERNAL: Close = Close::with(4500, "Internal server error");
}

impl From<Close> for Message {
    fn from(close: Close) -> Self {
        Message::Close(Some(CloseFrame {
            code: close.code,
            reason: close.reason.into(),
        }))
    }
}

/// Parses a client's message.
pub fn parse(message: &str) -> Result<ClientMessage, Close> {
    if message.len() > MAX_LENGTH {
        return Err(Close::TOO_LONG);
    }
    wire::read_json(message).map_err(|_| Close::BAD_MESSAGE)
}
