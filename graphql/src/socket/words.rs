//! What client and server say to each other, in the words of the protocol `graphql-transport-ws`.

use async_graphql::{Request, Response, ServerError};
use axum::extract::ws::{CloseFrame, Message};
use kurso_core::wire;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Bytes of a message.
pub const LONGEST: usize = 64 << 10;

/// What a client says.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Heard {
    ConnectionInit {
        #[serde(default)]
        payload: Option<Greeting>,
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

/// Who the client is: `token`, or `authorization` as in the header. And its language, where it can set no header.
#[derive(Default, Deserialize)]
pub struct Greeting {
    token: Option<String>,
    #[serde(alias = "Authorization")]
    authorization: Option<String>,
    #[serde(rename = "acceptLanguage", alias = "accept-language")]
    pub accept_language: Option<String>,
}

impl Greeting {
    pub fn token(&self) -> Option<&str> {
        let bearer = || {
            let (scheme, token) = self.authorization.as_deref()?.split_once(' ')?;
            scheme.eq_ignore_ascii_case("bearer").then_some(token)
        };
        let token = self.token.as_deref().or_else(bearer)?.trim();
        (!token.is_empty()).then_some(token)
    }
}

/// What the server says.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Said<'a> {
    ConnectionAck,
    Next {
        id: &'a str,
        payload: &'a Response,
    },
    /// The last word on an operation.
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

impl Said<'_> {
    pub fn text(&self) -> Result<String, End> {
        serde_json::to_string(self).map_err(|error| {
            tracing::error!(%error, "a message of a subscription could not be written");
            End::INTERNAL
        })
    }
}

/// Why a connection ends, as the close frame says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End {
    pub code: u16,
    /// At most 123 bytes.
    pub reason: &'static str,
}

impl End {
    const fn with(code: u16, reason: &'static str) -> Self {
        End { code, reason }
    }
    pub const GOING_AWAY: End = End::with(1001, "The server is shutting down");
    pub const TOO_LONG: End = End::with(1009, "Messages have at most 64 KiB");
    pub const TRY_AGAIN: End = End::with(1013, "Busy: connect again and read anew");
    pub const MISSED: End = End::with(
        1013,
        "Too slow or cut off, events were missed: connect again and read anew",
    );
    pub const RIGHTS: End = End::with(1013, "Your rights have changed: connect again");
    pub const SILENT: End = End::with(3008, "No sign of life");
    pub const BAD_MESSAGE: End = End::with(4400, "Invalid message");
    pub const NOT_GREETED: End = End::with(4401, "Unauthorized");
    pub const NO_TOKEN: End = End::with(4403, "Forbidden: a token is needed");
    pub const BAD_TOKEN: End = End::with(4403, "Forbidden: the token is not good");
    pub const SIGNED_OUT: End = End::with(4403, "Forbidden: the session has ended");
    pub const NO_GREETING: End = End::with(4408, "Connection initialisation timeout");
    pub const SAME_ID: End = End::with(4409, "Subscriber for this id already exists");
    pub const GREETED_TWICE: End = End::with(4429, "Too many initialisation requests");
    pub const INTERNAL: End = End::with(4500, "Internal server error");
}

impl From<End> for Message {
    fn from(end: End) -> Self {
        Message::Close(Some(CloseFrame {
            code: end.code,
            reason: end.reason.into(),
        }))
    }
}

/// What a message of a client says.
pub fn heard(message: &str) -> Result<Heard, End> {
    if message.len() > LONGEST {
        return Err(End::TOO_LONG);
    }
    wire::read_json(message).map_err(|_| End::BAD_MESSAGE)
}
