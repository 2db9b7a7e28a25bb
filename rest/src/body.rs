//! Request bodies: read completely and bounded, with JSON syntax checked before anything else about the request.

use std::sync::Arc;

use axum::body::{Body, to_bytes};
use axum::extract::{FromRequest as _, FromRequestParts, Multipart, Request};
use axum::middleware::{Next, from_fn};
use axum::response::Response;
use axum::routing::MethodRouter;
use bytes::Bytes;
use http::request::Parts;
use http::{HeaderMap, Method, header};
use kurso_base::error::{self as core, FieldError, Loc};
use kurso_base::messages::Message;
use kurso_base::wire;
use serde_json::{Value, json};

use crate::App;
use crate::error::{Error, Result};
use crate::json_error;

/// The largest body of a call, in bytes. Uploads have a limit of their own.
const MAX_SIZE: usize = 4 << 20;

/// The JSON of a request, its syntax checked: Null when the body is empty, the raw text when it was not sent as JSON.
#[derive(Clone)]
pub struct JsonBody(pub Arc<Value>);

/// Reads the [`JsonBody`] of these calls. Its syntax is checked here, before the handler's extractors check the token, the path
/// and the query.
pub fn takes_json(calls: MethodRouter<App>) -> MethodRouter<App> {
    calls.route_layer(from_fn(read_json))
}

async fn read_json(request: Request, next: Next) -> Result<Response> {
    if matches!(*request.method(), Method::GET | Method::HEAD | Method::DELETE) {
        return Ok(next.run(request).await);
    }
    let (mut parts, body) = request.into_parts();
    let bytes = read_body(&parts.headers, body).await?;
    let value = parse(&parts.headers, &bytes)?;
    parts.extensions.insert(JsonBody(Arc::new(value)));
    Ok(next.run(Request::from_parts(parts, Body::empty())).await)
}

impl FromRequestParts<App> for JsonBody {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self> {
        let read = parts.extensions.remove();
        read.ok_or_else(|| core::Error::internal("a call with a body is not marked with `takes_json`").into())
    }
}

/// Reads the whole body, which the admission has received already. Refuses with 413 above the limit, 400 when it is incomplete.
async fn read_body(headers: &HeaderMap, body: Body) -> Result<Bytes> {
    let too_large = || Error::from(core::Error::TooLarge(Message::BodyTooLarge));
    let announced = headers
        .get(header::CONTENT_LENGTH)
        .and_then(|v| v.to_str().ok()?.parse::<usize>().ok());
    if announced.is_some_and(|length| length > MAX_SIZE) {
        return Err(too_large());
    }
    to_bytes(body, MAX_SIZE)
        .await
        .map_err(|error| if is_over_limit(&error) { too_large() } else { broken() })
}

fn is_over_limit(error: &axum::Error) -> bool {
    use std::error::Error as _;
    error
        .source()
        .is_some_and(|source| source.is::<http_body_util::LengthLimitError>())
}

/// 400: the body is not UTF-8, or incomplete.
fn broken() -> Error {
    core::Error::BadRequest(Message::BodyNotUtf8).into()
}

fn parse(headers: &HeaderMap, bytes: &[u8]) -> Result<Value> {
    let text = std::str::from_utf8(bytes).map_err(|_| broken())?;
    if text.is_empty() {
        return Ok(Value::Null);
    }
    if is_json(headers) {
        wire::read_json(text).map_err(|error| syntax_error(text, &error).into())
    } else {
        Ok(Value::String(text.to_owned()))
    }
}

/// `application/json` and `application/…+json`.
fn is_json(headers: &HeaderMap) -> bool {
    let essence = essence(headers);
    essence
        .strip_prefix("application/")
        .is_some_and(|subtype| subtype == "json" || subtype.ends_with("+json"))
}

/// Returns the content type without parameters, in lower case; empty without one.
pub fn essence(headers: &HeaderMap) -> String {
    let value = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let essence = value.and_then(|value| value.split(';').next()).unwrap_or_default();
    essence.trim().to_ascii_lowercase()
}

/// Tells the position and the reason of a syntax error. Where Python accepts the text, as a number that is out of range, the
/// reason comes from serde_json.
fn syntax_error(text: &str, error: &serde_json::Error) -> core::Error {
    let (position, reason) = json_error::locate(text).unwrap_or_else(|| {
        let cause = error.to_string();
        let reason = if cause.starts_with("number out of range") {
            "Number out of range"
        } else if cause.starts_with("recursion limit") {
            "Nested too deeply"
        } else if cause.contains("surrogate") || cause.starts_with("unexpected end of hex escape") {
            "Invalid \\uXXXX escape"
        } else {
            "Expecting value"
        };
        let line = text.split_inclusive('\n').take(error.line().saturating_sub(1));
        let bytes = line.map(str::len).sum::<usize>() + error.column().saturating_sub(1);
        let before = text.as_bytes().get(..bytes).unwrap_or(text.as_bytes());
        (String::from_utf8_lossy(before).chars().count(), reason)
    });
    core::Error::invalid(FieldError {
        kind: "json_invalid",
        loc: vec![Loc::from("body"), Loc::Index(position)],
        message: Message::BadJson,
        input: json!({}),
        ctx: Some(json!({ "error": reason })),
    })
}

/// The fields of a form, urlencoded or multipart. The last field of a name counts, and an empty field counts as missing. A body of
/// another type has no fields.
pub struct Form(Vec<(String, String)>);

impl Form {
    pub async fn read(request: Request) -> Result<Self> {
        match essence(request.headers()).as_str() {
            "application/x-www-form-urlencoded" => {
                let (parts, body) = request.into_parts();
                let bytes = read_body(&parts.headers, body).await?;
                std::str::from_utf8(&bytes).map_err(|_| broken())?;
                Ok(Form(url::form_urlencoded::parse(&bytes).into_owned().collect()))
            }
            "multipart/form-data" => Self::read_multipart(request).await,
            _ => Ok(Form(Vec::new())),
        }
    }

    async fn read_multipart(request: Request) -> Result<Self> {
        let (parts, body) = request.into_parts();
        let bytes = read_body(&parts.headers, body).await?;
        let request = Request::from_parts(parts, Body::from(bytes));
        let mut parts = Multipart::from_request(request, &()).await.map_err(|_| broken())?;
        let mut fields = Vec::new();
        while let Some(part) = parts.next_field().await.map_err(|_| broken())? {
            let name = part.name().unwrap_or_default().to_owned();
            let bytes = part.bytes().await.map_err(|_| broken())?;
            let value = String::from_utf8(bytes.into()).map_err(|_| broken())?;
            fields.push((name, value));
        }
        Ok(Form(fields))
    }

    pub fn get(&self, name: &str) -> Option<&str> {
        let last = self.0.iter().rev().find(|(field, _)| field == name);
        last.map(|(_, value)| value.as_str()).filter(|value| !value.is_empty())
    }
}
