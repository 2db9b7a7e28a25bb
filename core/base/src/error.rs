//! The error type of all core functions. The APIs convert it to a status or a code and never expose internal details.

use chrono::{DateTime, Utc};
use serde_json::Value;

use crate::messages::Message;

mod causes;
#[cfg(feature = "sqlx")]
mod database;

pub use causes::{message_of, of_io};
#[cfg(feature = "sqlx")]
pub use database::{is_foreign_key_violation, is_unique_violation};

pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a call failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A token is required but missing. REST: 401.
    #[error("not authenticated")]
    NotAuthenticated,
    /// The token is malformed, expired or forged, or its session has ended. REST: 403.
    #[error("bad credentials")]
    BadCredentials,
    /// The person is known but not allowed. REST: 403.
    #[error("forbidden: {0}")]
    Forbidden(Message),
    /// The object does not exist or must not be revealed. REST: 404.
    #[error("not found: {0}")]
    NotFound(Message),
    /// Another kind of invalid request. REST: 400.
    #[error("bad request: {0}")]
    BadRequest(Message),
    #[error("conflict: {0}")]
    Conflict(Message),
    /// The page has changed since the caller read it. `page` is the current page as the caller may see it, with its
    /// wire names. REST: 409 with `page` beside `detail`.
    #[error("stale: {message}")]
    Stale { message: Message, page: Box<Value> },
    /// The page is locked for the learner. `reasons` are the names in both APIs. REST: 409 with `code` LOCKED, `opens_at`, `reasons`
    /// and `needs` beside `detail`.
    #[error("locked: {reasons:?}")]
    Locked {
        message: Message,
        /// None if time does not open the page.
        opens_at: Option<DateTime<Utc>>,
        reasons: Vec<&'static str>,
        /// The titles of what must be completed first.
        needs: Vec<String>,
    },
    /// The time for the action is over. REST: 409 with `code` CLOSED and `closed_at` beside `detail`.
    #[error("closed: {message}")]
    Closed {
        message: Message,
        closed_at: Option<DateTime<Utc>>,
    },
    /// Invalid fields, all at once. REST: 422.
    #[error("invalid input: {0:?}")]
    Invalid(Vec<FieldError>),
    #[error("too large")]
    TooLarge(Message),
    #[error("unsupported content type")]
    WrongContentType,
    /// Retry after this many seconds. REST: 429.
    #[error("rate limited")]
    RateLimited { retry_after: u64 },
    /// A pool or a queue is full. REST: 503 with `Retry-After`.
    #[error("busy")]
    Busy,
    /// A dependency fails: the disk, the database or the file store. Logged where it occurs; may be temporary. The
    /// message names the dependency. REST: 503 with `Retry-After`.
    #[error("unavailable: {0}")]
    Unavailable(Message),
    /// A bug or a broken disk. Logged where the response is made; shown as a plain 500.
    #[error("internal: {0}")]
    Internal(Box<dyn std::error::Error + Send + Sync>),
}

/// An invalid field.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldError {
    /// The stable name of the rule: `missing`, `string_too_short`, …
    pub kind: &'static str,
    /// The location: `["body", "email"]`.
    pub loc: Vec<Loc>,
    pub message: Message,
    /// The input; null for secrets.
    pub input: Value,
    /// The limits of the rule, if it has any.
    pub ctx: Option<Value>,
}

/// A step of a location.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(untagged)]
pub enum Loc {
    Name(String),
    Index(usize),
}

impl From<&str> for Loc {
    fn from(name: &str) -> Self {
        Loc::Name(name.to_owned())
    }
}

impl From<usize> for Loc {
    fn from(index: usize) -> Self {
        Loc::Index(index)
    }
}

impl FieldError {
    /// An error at `["body", field]`.
    pub fn body(kind: &'static str, field: &str, message: Message, input: Value) -> Self {
        FieldError {
            kind,
            loc: vec!["body".into(), field.into()],
            message,
            input,
            ctx: None,
        }
    }

    /// An error inside the body: `content.content[3].attrs.src` becomes `["body", "content", "content", 3, "attrs",
    /// "src"]`.
    pub fn inside(kind: &'static str, path: &str, message: Message) -> Self {
        let mut loc = vec![Loc::from("body")];
        for step in path.split(['.', '[']) {
            let index = step.strip_suffix(']').and_then(|index| index.parse().ok());
            loc.push(index.map_or_else(|| step.into(), Loc::Index));
        }
        FieldError {
            kind,
            loc,
            message,
            input: Value::Null,
            ctx: None,
        }
    }
}

/// Fails with 422 if any errors were collected.
pub fn require_no_errors(errors: Vec<FieldError>) -> Result<()> {
    if errors.is_empty() {
        Ok(())
    } else {
        Err(Error::Invalid(errors))
    }
}

impl Error {
    pub fn invalid(error: FieldError) -> Self {
        Error::Invalid(vec![error])
    }

    pub fn internal(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Error::Internal(error.into())
    }

    /// Whether the same call may succeed later without a change.
    pub fn is_temporary(&self) -> bool {
        matches!(
            self,
            Error::Busy | Error::Unavailable(_) | Error::RateLimited { .. } | Error::Internal(_)
        )
    }

    /// The text for people; for [`Error::Invalid`] that of the first field.
    pub fn message(&self) -> Message {
        match self {
            Error::NotAuthenticated => Message::NotAuthenticated,
            Error::BadCredentials => Message::BadCredentials,
            Error::Forbidden(m)
            | Error::NotFound(m)
            | Error::BadRequest(m)
            | Error::Conflict(m)
            | Error::Unavailable(m)
            | Error::TooLarge(m) => m.clone(),
            Error::Stale { message, .. } | Error::Locked { message, .. } | Error::Closed { message, .. } => {
                message.clone()
            }
            Error::WrongContentType => Message::WrongContentType,
            Error::Invalid(fields) => fields.first().map_or(Message::BadJson, |f| f.message.clone()),
            Error::RateLimited { .. } => Message::TooManyRequests,
            Error::Busy => Message::Busy,
            Error::Internal(_) => Message::InternalError,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_in_the_body_becomes_location_steps() {
        let error = FieldError::inside("x", "content.content[3].marks[0].attrs.href", Message::NotFound);
        let loc = serde_json::to_value(error.loc).unwrap();
        let steps = serde_json::json!(["body", "content", "content", 3, "marks", 0, "attrs", "href"]);
        assert_eq!(loc, steps);
        assert_eq!(FieldError::inside("x", "content", Message::NotFound).loc.len(), 2);
    }
}
