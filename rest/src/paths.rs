//! Fallbacks of the router: unknown paths, wrong methods, redirects for missing and superfluous trailing slashes.

use std::net::IpAddr;

use axum::extract::{OriginalUri, Request, State};
use axum::response::{IntoResponse as _, Response};
use http::{HeaderMap, StatusCode, header};
use kurso_base::messages::Message;

use crate::App;
use crate::error::Error;

/// The base path of all calls.
pub const API: &str = "/api/v1";

pub async fn not_found() -> Error {
    Error::Http(StatusCode::NOT_FOUND, Message::NotFound)
}

/// The router adds `Allow` with all methods of the path.
pub async fn method_not_allowed() -> Error {
    Error::Http(StatusCode::METHOD_NOT_ALLOWED, Message::MethodNotAllowed)
}

/// Returns the path without its trailing slash, or with one.
pub fn other_slash(path: &str) -> String {
    path.strip_suffix('/').map_or_else(|| format!("{path}/"), str::to_owned)
}

/// Redirects to the other form of the path with 307, which keeps the method. The query stays. The target is absolute if
/// the request names this server, and otherwise a path: a `Host` header that anybody may have written must not
/// decide where others are sent.
pub async fn redirect(State(app): State<App>, OriginalUri(uri): OriginalUri, request: Request) -> Response {
    let mut location = other_slash(uri.path());
    if let Some(query) = uri.query() {
        location = format!("{location}?{query}");
    }
    if let Some(origin) = origin(&app, &request) {
        location = format!("{origin}{location}");
    }
    (StatusCode::TEMPORARY_REDIRECT, [(header::LOCATION, location)]).into_response()
}

/// Returns the origin of this server that the request names: its public URL, this machine or an address, or what a
/// trusted proxy says.
fn origin(app: &App, request: &Request) -> Option<String> {
    let host = host(request.headers())?;
    if let Some(public) = app.public_origin.as_deref()
        && public
            .split_once("://")
            .is_some_and(|(_, own)| own.eq_ignore_ascii_case(host))
    {
        return Some(public.to_owned());
    }
    let is_from_proxy = app.proxies.are_peer(request.extensions());
    let authority: http::uri::Authority = host.parse().ok()?;
    let name = authority.host().trim_start_matches('[').trim_end_matches(']');
    let is_machine = name == "localhost" || name.parse::<IpAddr>().is_ok();
    if !is_machine && (!is_from_proxy || app.public_origin.is_some()) {
        return None;
    }
    let secure = is_from_proxy
        && request
            .headers()
            .get("x-forwarded-proto")
            .is_some_and(|scheme| scheme.as_bytes().eq_ignore_ascii_case(b"https"));
    let scheme = if secure { "https" } else { "http" };
    Some(format!("{scheme}://{host}"))
}

/// Returns the `Host` header, unless it contains more than a name and a port.
fn host(headers: &HeaderMap) -> Option<&str> {
    let host = headers.get(header::HOST)?.to_str().ok()?;
    let fits = |c: char| c.is_ascii_alphanumeric() || ".-_:[]".contains(c);
    (!host.is_empty() && host.chars().all(fits)).then_some(host)
}
