//! Subscriptions over WebSocket at `/graphql`, by the protocol `graphql-transport-ws`. Queries and mutations use HTTP.
//!
//! `GraphQLWebSocket` of `async-graphql-axum` is not used: it neither has the protocol's close codes and `error` messages nor
//! pings, and it cannot be closed when the session or the server ends (docs/decisions/0066-graphql-libraries.md).

mod connection;
mod messages;
mod operation;

use axum::extract::FromRequestParts as _;
use axum::extract::ws::WebSocketUpgrade;
use axum::response::{IntoResponse as _, Response};
use http::request::Parts;
use http::{HeaderMap, StatusCode, header};
use kurso_base::messages::{Lang, Message};
use kurso_core::auth::Origin;
use serde_json::json;

use crate::language::MailLang;
use crate::server::{Http, header_text};
use connection::{Client, Connection};

/// The only subprotocol.
const PROTOCOL: &str = "graphql-transport-ws";

/// Bytes of a message that are read: a longer message than [`messages::MAX_LENGTH`] gets a close code, a longer one than this
/// does not.
const MAX_READ: usize = 4 * messages::MAX_LENGTH;
/// Bytes of answers buffered for a slow client.
const MAX_WRITE_BUFFER: usize = 1 << 20;
/// Bytes of the read buffer of each connection: most messages are short.
const READ_BUFFER: usize = 1 << 10;

/// Whether a request asks for the upgrade to a WebSocket.
pub fn is_upgrade(headers: &HeaderMap) -> bool {
    header_text(headers, header::UPGRADE).eq_ignore_ascii_case("websocket")
}

/// Upgrades a request to a WebSocket, or refuses it.
pub async fn open(http: Http, mut parts: Parts) -> Response {
    let accepted = header_text(&parts.headers, header::ACCEPT_LANGUAGE);
    let (lang, mail_lang) = (Lang::from_accept_language(accepted), MailLang(Lang::of_mail(accepted)));
    if !is_allowed_origin(&parts.headers, &http.sockets.config().origins) {
        return refused(StatusCode::FORBIDDEN, "FORBIDDEN", &Message::ForeignOrigin.text(lang));
    }
    let origin = Origin {
        address: (http.address)(&parts.extensions, &parts.headers),
        device: header_text(&parts.headers, header::USER_AGENT).to_owned(),
    };
    let upgrade = WebSocketUpgrade::from_request_parts(&mut parts, &()).await;
    let upgrade = upgrade.map(|upgrade| upgrade.protocols([PROTOCOL]));
    let Some(upgrade) = upgrade.ok().filter(|upgrade| upgrade.selected_protocol().is_some()) else {
        let message = Message::BadUpgrade.text(lang);
        return refused(StatusCode::BAD_REQUEST, "BAD_USER_INPUT", &message);
    };
    let client = Client {
        lang,
        mail_lang,
        origin,
    };
    let closing = http.sockets.enter();
    upgrade
        .max_message_size(MAX_READ)
        .max_frame_size(MAX_READ)
        .read_buffer_size(READ_BUFFER)
        .write_buffer_size(0)
        .max_write_buffer_size(MAX_WRITE_BUFFER)
        .on_upgrade(move |socket| Connection::new(http, client, socket).run(closing))
}

/// Scripts of any site can open a WebSocket, so the server checks their origin. Only browsers send `Origin`.
fn is_allowed_origin(headers: &HeaderMap, allowed: &[String]) -> bool {
    if !headers.contains_key(header::ORIGIN) {
        return true;
    }
    let origin = header_text(headers, header::ORIGIN);
    let is = |allowed: &String| allowed.trim().trim_end_matches('/').eq_ignore_ascii_case(origin);
    if allowed.iter().any(is) {
        return true;
    }
    // The server's own origin as the browser knows it; a proxy keeps `Host`.
    let (Some((scheme, site)), host) = (origin.split_once("://"), header_text(headers, header::HOST)) else {
        return false;
    };
    let default = if scheme == "https" { ":443" } else { ":80" };
    let plain = |site: &str| site.strip_suffix(default).unwrap_or(site).to_ascii_lowercase();
    matches!(scheme, "http" | "https") && !host.is_empty() && plain(site) == plain(host)
}

fn refused(status: StatusCode, code: &str, message: &str) -> Response {
    let body = json!({"errors": [{"message": message, "extensions": {"code": code}}]});
    (status, axum::Json(body)).into_response()
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    #[test]
    fn only_own_and_configured_origins_are_allowed() {
        let allowed = ["http://localhost:5173".to_owned(), "https://Kurso.example/".to_owned()];
        let is_allowed = |origin: Option<&'static str>, host: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, HeaderValue::from_static(host));
            if let Some(origin) = origin {
                headers.insert(header::ORIGIN, HeaderValue::from_static(origin));
            }
            is_allowed_origin(&headers, &allowed)
        };
        for (origin, host) in [
            (None, "127.0.0.1:8000"),
            (Some("http://127.0.0.1:8000"), "127.0.0.1:8000"),
            (Some("https://school.example"), "school.example"),
            (Some("https://school.example"), "school.example:443"),
            (Some("http://localhost:5173"), "127.0.0.1:8000"),
            (Some("https://kurso.example"), "10.0.0.1:8000"),
        ] {
            assert!(is_allowed(origin, host), "{origin:?} at {host}");
        }
        for (origin, host) in [
            ("https://evil.example", "school.example"),
            ("https://school.example.evil.example", "school.example"),
            ("http://127.0.0.1:9000", "127.0.0.1:8000"),
            ("http://localhost:51730", "127.0.0.1:8000"),
            ("null", "null"),
            ("file://school.example", "school.example"),
            ("https://", ""),
            ("", "school.example"),
        ] {
            assert!(!is_allowed(Some(origin), host), "{origin} at {host}");
        }
    }
}
