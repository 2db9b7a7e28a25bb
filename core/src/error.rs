//! The one error of the product. Faces turn it into a status or a code; nothing internal leaves with it.

use serde_json::Value;

use crate::courses::page::PageRead;
use crate::messages::Message;

mod causes;

pub(crate) use causes::{message_of, of_io};

pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a call was refused or failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No token where one is needed. REST: 401.
    #[error("not authenticated")]
    NotAuthenticated,
    /// A token that is malformed, expired, forged or whose session has ended. REST: 403.
    #[error("bad credentials")]
    BadCredentials,
    /// Known, but not allowed. REST: 403.
    #[error("forbidden: {0}")]
    Forbidden(Message),
    /// Not there, or not to be shown. REST: 404.
    #[error("not found: {0}")]
    NotFound(Message),
    /// A refusal of its own kind. REST: 400.
    #[error("bad request: {0}")]
    BadRequest(Message),
    #[error("conflict: {0}")]
    Conflict(Message),
    /// The page has changed since the caller read it; `page` is the page as it is now, as the caller may see it, by
    /// its wire names. REST: 409 with `page` beside `detail`.
    #[error("stale: {message}")]
    Stale { message: Message, page: Box<Value> },
    /// A save of a page that somebody else has changed since it was read. REST: 409 with the page as it is stored.
    #[error("conflict: the page has changed")]
    PageConflict(Box<PageRead>),
    /// Fields that do not fit, all at once. REST: 422.
    #[error("invalid input: {0:?}")]
    Invalid(Vec<FieldError>),
    #[error("too large")]
    TooLarge(Message),
    #[error("unsupported content type")]
    WrongContentType,
    /// Try again after so many seconds. REST: 429.
    #[error("rate limited")]
    RateLimited { retry_after: u64 },
    /// A pool or a queue is full. REST: 503 with `Retry-After`.
    #[error("busy")]
    Busy,
    /// What the server stands on fails: its disk, its database, its store of files. It is logged where it is found, and may be
    /// better in a while; the message says what it is. REST: 503 with `Retry-After`.
    #[error("unavailable: {0}")]
    Unavailable(Message),
    /// A bug or a broken disk: logged where it is answered, shown as a bare 500.
    #[error("internal: {0}")]
    Internal(Box<dyn std::error::Error + Send + Sync>),
}

/// One field that does not fit.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldError {
    /// The stable name of the rule: `missing`, `string_too_short`, …
    pub kind: &'static str,
    /// Where: `["body", "email"]`.
    pub loc: Vec<Loc>,
    pub message: Message,
    /// What was sent; null for secrets.
    pub input: Value,
    /// The rule's numbers, when it has some.
    pub ctx: Option<Value>,
}

/// A step on the way to a field.
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

    /// An error somewhere inside the body: `content.content[3].attrs.src` is
    /// `["body", "content", "content", 3, "attrs", "src"]`.
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

impl Error {
    pub fn invalid(error: FieldError) -> Self {
        Error::Invalid(vec![error])
    }

    pub fn internal(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Error::Internal(error.into())
    }

    /// May the same call succeed later, without anybody changing what is asked?
    pub fn may_pass(&self) -> bool {
        matches!(
            self,
            Error::Busy | Error::Unavailable(_) | Error::RateLimited { .. } | Error::Internal(_)
        )
    }

    /// The text for people. For [`Error::Invalid`] it is the first field's.
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
            Error::Stale { message, .. } => message.clone(),
            Error::PageConflict(_) => Message::PageChanged,
            Error::WrongContentType => Message::WrongContentType,
            Error::Invalid(fields) => fields.first().map_or(Message::BadJson, |f| f.message.clone()),
            Error::RateLimited { .. } => Message::TooManyRequests,
            Error::Busy => Message::Busy,
            Error::Internal(_) => Message::InternalError,
        }
    }
}

impl From<sqlx::Error> for Error {
    fn from(error: sqlx::Error) -> Self {
        causes::of_database(error)
    }
}

/// Did the statement break a UNIQUE rule? SQLite names no constraint, so the call site knows which one it can be.
pub fn is_unique_violation(error: &sqlx::Error) -> bool {
    error.as_database_error().is_some_and(|e| e.is_unique_violation())
}

/// Did the statement name a row that is gone, or take away one that is still named?
pub fn is_foreign_key_violation(error: &sqlx::Error) -> bool {
    error.as_database_error().is_some_and(|e| e.is_foreign_key_violation())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_into_the_body_becomes_steps() {
        let error = FieldError::inside("x", "content.content[3].marks[0].attrs.href", Message::NotFound);
        let loc = serde_json::to_value(error.loc).unwrap();
        let steps = serde_json::json!(["body", "content", "content", 3, "marks", 0, "attrs", "href"]);
        assert_eq!(loc, steps);
        assert_eq!(FieldError::inside("x", "content", Message::NotFound).loc.len(), 2);
    }
}
