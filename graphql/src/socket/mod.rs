//! Subscriptions over WebSocket at `/graphql`, by the protocol `graphql-transport-ws`. Queries and mutations go over HTTP.
//!
//! The library brings a WebSocket of its own; ours answers with the protocol's close codes, says what is wrong with an
//! operation in an `error` message, checks the session again and again, and bounds what a client can make it hold.

mod connection;
mod words;

use std::sync::Arc;
use std::time::Duration;

use axum::extract::FromRequestParts as _;
use axum::extract::ws::WebSocketUpgrade;
use axum::response::{IntoResponse as _, Response};
use http::request::Parts;
use http::{HeaderMap, StatusCode, header};
use kurso_core::auth::Origin;
use kurso_core::messages::{Lang, Message};
use serde_json::json;
use tokio::sync::watch;

use crate::context::MailLang;
use crate::http::{Http, text};
use connection::{Connection, Face};

/// The one subprotocol.
const PROTOCOL: &str = "graphql-transport-ws";

/// Bytes of a message that is read; one above [`words::LONGEST`] is refused with words, one above this with none.
const READ_AT_MOST: usize = 4 * words::LONGEST;
/// Bytes of answers that wait in the connection for the client to take them.
const WRITE_AT_MOST: usize = 1 << 20;
/// Bytes read at once: most messages are short, and every open connection holds this.
const READ_BUFFER: usize = 1 << 10;

/// How sockets are to be; the default is for servers, tests are in a hurry.
#[derive(Clone, Debug)]
pub struct Rules {
    /// Other sites whose scripts may connect, such as `http://localhost:5173`: exact origins. The server's own may.
    pub origins: Vec<String>,
    /// How long a client may take to say who it is.
    pub greeting: Duration,
    /// How often a client must give a sign of life; it is asked for one in time.
    pub beat: Duration,
    /// How often the session is looked at, besides at each event and when it changes.
    pub check: Duration,
    /// How long a client may take to take one answer.
    pub patience: Duration,
    /// Subscriptions at once on one connection.
    pub subscriptions: usize,
}

impl Default for Rules {
    fn default() -> Self {
        Rules {
            origins: vec![],
            greeting: Duration::from_secs(10),
            // Proxies cut what is silent for a minute.
            beat: Duration::from_secs(25),
            check: Duration::from_secs(60),
            patience: Duration::from_secs(10),
            subscriptions: 20,
        }
    }
}

/// The open sockets of a server.
#[derive(Clone, Debug)]
pub struct Sockets {
    rules: Arc<Rules>,
    /// Each connection holds a receiver.
    closing: watch::Sender<bool>,
}

impl Default for Sockets {
    fn default() -> Self {
        Sockets::new(Rules::default())
    }
}

impl Sockets {
    pub fn new(rules: Rules) -> Self {
        let rules = Arc::new(rules);
        let closing = watch::Sender::new(false);
        Sockets { rules, closing }
    }

    /// How many there are.
    pub fn open(&self) -> usize {
        self.closing.receiver_count()
    }

    /// Has every client told that the server ends.
    pub fn begin_to_close(&self) {
        self.closing.send_replace(true);
    }

    /// The same; done when all are gone.
    pub async fn close(&self) {
        self.begin_to_close();
        self.closing.closed().await;
    }
}

/// Does this request ask for a WebSocket?
pub fn is_asked(headers: &HeaderMap) -> bool {
    text(headers, header::UPGRADE).eq_ignore_ascii_case("websocket")
}

/// The WebSocket that a GET asks for, or why it gets none.
pub async fn open(http: Http, mut parts: Parts) -> Response {
    let accepted = text(&parts.headers, header::ACCEPT_LANGUAGE);
    let (lang, mail_lang) = (Lang::from_accept_language(accepted), MailLang(Lang::of_mail(accepted)));
    let rules = &http.sockets.rules;
    if !is_welcome(&parts.headers, &rules.origins) {
        return refused(StatusCode::FORBIDDEN, "FORBIDDEN", &Message::ForeignOrigin.text(lang));
    }
    let origin = Origin {
        address: (http.address)(&parts.extensions, &parts.headers),
        device: text(&parts.headers, header::USER_AGENT).to_owned(),
    };
    let upgrade = match WebSocketUpgrade::from_request_parts(&mut parts, &()).await {
        Ok(upgrade) => upgrade.protocols([PROTOCOL]),
        Err(_) => {
            return refused(
                StatusCode::BAD_REQUEST,
                "BAD_USER_INPUT",
                &Message::BadUpgrade.text(lang),
            );
        }
    };
    if upgrade.selected_protocol().is_none() {
        return refused(
            StatusCode::BAD_REQUEST,
            "BAD_USER_INPUT",
            &Message::BadUpgrade.text(lang),
        );
    }
    let face = Face {
        lang,
        mail_lang,
        origin,
    };
    let closing = http.sockets.closing.subscribe();
    upgrade
        .max_message_size(READ_AT_MOST)
        .max_frame_size(READ_AT_MOST)
        .read_buffer_size(READ_BUFFER)
        .write_buffer_size(0)
        .max_write_buffer_size(WRITE_AT_MOST)
        .on_upgrade(move |socket| Connection::new(http, face, socket).run(closing))
}

/// Any site's scripts can open a WebSocket, so the server looks where they are from; who has no `Origin` is no browser.
fn is_welcome(headers: &HeaderMap, allowed: &[String]) -> bool {
    if !headers.contains_key(header::ORIGIN) {
        return true;
    }
    let origin = text(headers, header::ORIGIN);
    let is = |allowed: &String| allowed.trim().trim_end_matches('/').eq_ignore_ascii_case(origin);
    if allowed.iter().any(is) {
        return true;
    }
    // What the browser calls this server; behind a proxy it is the proxy that the `Host` names.
    let (Some((scheme, site)), host) = (origin.split_once("://"), text(headers, header::HOST)) else {
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
    fn only_the_own_site_and_named_ones_are_welcome() {
        let allowed = ["http://localhost:5173".to_owned(), "https://Kurso.example/".to_owned()];
        let welcome = |origin: Option<&'static str>, host: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, HeaderValue::from_static(host));
            if let Some(origin) = origin {
                headers.insert(header::ORIGIN, HeaderValue::from_static(origin));
            }
            is_welcome(&headers, &allowed)
        };
        for (origin, host) in [
            (None, "127.0.0.1:8000"),
            (Some("http://127.0.0.1:8000"), "127.0.0.1:8000"),
            (Some("https://school.example"), "school.example"),
            (Some("https://school.example"), "school.example:443"),
            (Some("http://localhost:5173"), "127.0.0.1:8000"),
            (Some("https://kurso.example"), "10.0.0.1:8000"),
        ] {
            assert!(welcome(origin, host), "{origin:?} at {host}");
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
            assert!(!welcome(Some(origin), host), "{origin} at {host}");
        }
    }
}
