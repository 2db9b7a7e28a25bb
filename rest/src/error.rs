//! Error responses: status, headers and `{"detail": …}` in the client's language.

use std::any::Any;
use std::sync::Arc;

use axum::Json;
use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use kurso_base::error::{self as core, FieldError};
use kurso_base::messages::{Lang, Message};
use kurso_base::wire::time_text;
use serde::ser::{Serialize, SerializeMap as _, Serializer};
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Value, json};

pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a request was refused.
#[derive(Debug)]
pub enum Error {
    Core(core::Error),
    /// What the client read has changed meanwhile: 409 with the JSON of what is stored now, as the field `name` of the body.
    Outdated {
        message: Message,
        name: &'static str,
        stored: Box<RawValue>,
    },
    /// An error of the HTTP request itself.
    Http(StatusCode, Message),
}

impl From<core::Error> for Error {
    fn from(error: core::Error) -> Self {
        Error::Core(error)
    }
}

impl Error {
    pub fn outdated(message: Message, name: &'static str, stored: &impl Serialize) -> Self {
        match to_raw_value(stored) {
            Ok(stored) => Error::Outdated { message, name, stored },
            Err(error) => core::Error::internal(error).into(),
        }
    }

    fn status(&self) -> StatusCode {
        let error = match self {
            Error::Http(status, _) => return *status,
            Error::Outdated { .. } => return StatusCode::CONFLICT,
            Error::Core(error) => error,
        };
        match error {
            core::Error::NotAuthenticated => StatusCode::UNAUTHORIZED,
            core::Error::BadCredentials | core::Error::Forbidden(_) => StatusCode::FORBIDDEN,
            core::Error::NotFound(_) => StatusCode::NOT_FOUND,
            core::Error::BadRequest(_) => StatusCode::BAD_REQUEST,
            core::Error::Conflict(_)
            | core::Error::Stale { .. }
            | core::Error::Locked { .. }
            | core::Error::Closed { .. } => StatusCode::CONFLICT,
            core::Error::Invalid(_) => StatusCode::UNPROCESSABLE_ENTITY,
            core::Error::TooLarge(_) => StatusCode::PAYLOAD_TOO_LARGE,
            core::Error::WrongContentType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            core::Error::RateLimited { .. } => StatusCode::TOO_MANY_REQUESTS,
            core::Error::Busy | core::Error::Unavailable(_) => StatusCode::SERVICE_UNAVAILABLE,
            core::Error::Internal(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    fn body(&self, lang: Lang) -> Response {
        let detail = match self {
            Error::Core(core::Error::Invalid(fields)) => fields.iter().map(|field| field_body(field, lang)).collect(),
            Error::Core(error) => Value::String(error.message().text(lang)),
            Error::Http(_, message) | Error::Outdated { message, .. } => Value::String(message.text(lang)),
        };
        match self {
            Error::Outdated { name, stored, .. } => Json(OutdatedBody { detail, name, stored }).into_response(),
            Error::Core(core::Error::Stale { page, .. }) => {
                Json(json!({ "detail": detail, "page": page })).into_response()
            }
            Error::Core(core::Error::Locked {
                opens_at,
                reasons,
                needs,
                ..
            }) => {
                let opens_at = opens_at.as_ref().map(time_text);
                Json(json!({
                    "detail": detail, "code": "LOCKED", "opens_at": opens_at, "reasons": reasons, "needs": needs,
                }))
                .into_response()
            }
            Error::Core(core::Error::Closed { closed_at, .. }) => {
                let closed_at = closed_at.as_ref().map(time_text);
                Json(json!({ "detail": detail, "code": "CLOSED", "closed_at": closed_at })).into_response()
            }
            Error::Core(core::Error::Conflict(Message::BankTooSmall)) => {
                Json(json!({ "detail": detail, "code": "bank_too_small" })).into_response()
            }
            _ => Json(json!({ "detail": detail })).into_response(),
        }
    }
}

/// `{"detail": …, NAME: …}`.
struct OutdatedBody<'a> {
    detail: Value,
    name: &'static str,
    stored: &'a RawValue,
}

impl Serialize for OutdatedBody<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut body = serializer.serialize_map(Some(2))?;
        body.serialize_entry("detail", &self.detail)?;
        body.serialize_entry(self.name, self.stored)?;
        body.end()
    }
}

fn field_body(field: &FieldError, lang: Lang) -> Value {
    let mut body = json!({
        "type": field.kind,
        "loc": field.loc,
        "msg": field.message.text(lang),
        "input": field.input,
    });
    if let (Some(map), Some(ctx)) = (body.as_object_mut(), &field.ctx) {
        map.insert("ctx".to_owned(), ctx.clone());
    }
    body
}

/// An extension of the response. [`write_texts`], which knows the language of the client, turns it into the body.
#[derive(Clone)]
struct Refusal(Arc<Error>);

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        if let Error::Core(core::Error::Internal(error)) = &self {
            tracing::error!(%error, "a request failed");
        }
        let mut response = self.status().into_response();
        let headers = response.headers_mut();
        match &self {
            Error::Core(core::Error::NotAuthenticated) => {
                headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            }
            Error::Core(core::Error::RateLimited { retry_after }) => {
                headers.insert(header::RETRY_AFTER, HeaderValue::from(*retry_after));
            }
            Error::Core(core::Error::Busy) => {
                headers.insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
            }
            Error::Core(core::Error::Unavailable(_)) => {
                headers.insert(header::RETRY_AFTER, HeaderValue::from_static("5"));
            }
            _ => {}
        }
        response.extensions_mut().insert(Refusal(Arc::new(self)));
        response
    }
}

/// Returns the language of the response: that of `Accept-Language`, or English.
pub fn lang(headers: &HeaderMap) -> Lang {
    headers
        .get(header::ACCEPT_LANGUAGE)
        .and_then(|value| value.to_str().ok())
        .map_or(Lang::default(), Lang::from_accept_language)
}

/// Writes the body of every refusal, in the language of the request.
pub async fn write_texts<F>(request: Request, next: impl FnOnce(Request) -> F) -> Response
where
    F: Future<Output = Response>,
{
    let lang = lang(request.headers());
    let mut response = next(request).await;
    let Some(Refusal(error)) = response.extensions_mut().remove() else {
        return response;
    };
    let (parts, body) = error.body(lang).into_parts();
    response.headers_mut().remove(header::CONTENT_LENGTH);
    response.headers_mut().extend(parts.headers);
    *response.body_mut() = body;
    response
}

/// Turns a panic into a 500. Its message appears in the log only.
pub fn panicked(panic: Box<dyn Any + Send>) -> Response {
    let text = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("no text");
    Error::Core(core::Error::internal(format!("panic: {text}"))).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_error_has_its_status_and_headers() {
        let text = || Message::NotFound;
        let limited = core::Error::RateLimited { retry_after: 7 };
        let unavailable = core::Error::Unavailable(Message::NoRoom);
        for (error, status, header) in [
            (core::Error::NotAuthenticated, 401, "www-authenticate: Bearer"),
            (core::Error::BadCredentials, 403, ""),
            (core::Error::Forbidden(text()), 403, ""),
            (core::Error::NotFound(text()), 404, ""),
            (core::Error::BadRequest(text()), 400, ""),
            (core::Error::Conflict(text()), 409, ""),
            (core::Error::Invalid(vec![]), 422, ""),
            (core::Error::TooLarge(text()), 413, ""),
            (core::Error::WrongContentType, 415, ""),
            (limited, 429, "retry-after: 7"),
            (core::Error::Busy, 503, "retry-after: 1"),
            (unavailable, 503, "retry-after: 5"),
            (core::Error::internal("a secret"), 500, ""),
        ] {
            let name = format!("{error:?}");
            let mut response = Error::from(error).into_response();
            assert_eq!(response.status(), status, "{name}");
            response.headers_mut().remove(header::CONTENT_LENGTH);
            let headers = response.headers().iter();
            let headers: Vec<_> = headers
                .map(|(name, value)| format!("{name}: {}", value.to_str().unwrap()))
                .collect();
            assert_eq!(headers.join(", "), header, "{name}");
        }
    }
}
