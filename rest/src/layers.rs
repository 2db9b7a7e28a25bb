//! The layers around all responses of the server, from the outside in: accepted encodings, compression, draining unread bodies, request
//! ids, response headers, CORS, error texts, load shedding, and panics.
//!
//! All but the first two and the last are one tower layer because each layer clones the inner services per request and boxes their
//! futures: as ten layers they took a fifth of the time of a small tree.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::Response;
use http::{Extensions, HeaderMap, HeaderName, HeaderValue, StatusCode, Version, header};
use kurso_core::Kurso;
use tower::ServiceBuilder;
use tower_http::CompressionLevel;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{Predicate, SizeAbove};

use crate::admission::{self, Admission};
use crate::cors::{self, Cors};
use crate::request_id::{self, RequestLog};
use crate::{Options, Proxies, drain, error};

/// Default security headers of every response. The web app and files set a policy of their own. No page needs the camera and the
/// like; pages of other sites may neither frame ours nor keep a reference to its window.
const HEADERS: [(HeaderName, HeaderValue); 5] = [
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (header::REFERRER_POLICY, HeaderValue::from_static("same-origin")),
    (
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"),
    ),
    (
        HeaderName::from_static("permissions-policy"),
        HeaderValue::from_static("camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()"),
    ),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        HeaderValue::from_static("same-origin"),
    ),
];

/// Shorter responses fit into one packet with their headers.
const COMPRESSED_FROM_BYTES: u64 = 1024;

const ONE_YEAR: HeaderValue = HeaderValue::from_static("max-age=31536000");

struct Layers {
    log: RequestLog,
    cors: Cors,
    admission: Admission,
    proxies: Proxies,
    https: bool,
}

/// Puts the layers around all routes of a server. Without them the body of a refusal is empty.
pub fn with_layers(router: Router, kurso: &Arc<Kurso>, options: &Options) -> Router {
    let layers = Arc::new(Layers {
        log: RequestLog::new(kurso.clone(), options),
        cors: Cors::new(options),
        admission: Admission::new(kurso.clone(), options),
        proxies: Proxies::new(options),
        https: options.https,
    });
    router.layer(
        ServiceBuilder::new()
            .map_request(accept_plain)
            .layer(
                CompressionLayer::new()
                    .quality(CompressionLevel::Fastest)
                    .compress_when(SizeAbove::new(COMPRESSED_FROM_BYTES).and(is_compressed)),
            )
            .layer(from_fn_with_state(layers, handle))
            .layer(CatchPanicLayer::custom(error::panicked)),
    )
}

/// Makes an uncompressed response acceptable to clients that refuse it and accept no supported encoding. The compression layer would
/// respond with 406 after the request has made its change.
fn accept_plain(mut request: Request) -> Request {
    let given = request.headers().get_all(header::ACCEPT_ENCODING).iter();
    let texts: Vec<&str> = given.filter_map(|value| value.to_str().ok()).collect();
    if texts.iter().any(|text| text.contains("=0"))
        && let Ok(value) = HeaderValue::from_str(&format!("identity;q=0.001, {}", texts.join(", ")))
    {
        request.headers_mut().insert(header::ACCEPT_ENCODING, value);
    }
    request
}

/// An extension of responses that are compressed though they are no JSON.
#[derive(Clone, Copy)]
pub struct Compressible;

/// Files and packages are compressed already, and the web app has compressed variants of its own.
fn is_compressed(_: StatusCode, _: Version, headers: &HeaderMap, extensions: &Extensions) -> bool {
    if extensions.get::<Compressible>().is_some() {
        return true;
    }
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let essence = kind.and_then(|kind| kind.split(';').next()).unwrap_or_default().trim();
    essence == "application/json" || essence.ends_with("+json")
}

async fn handle(State(layers): State<Arc<Layers>>, request: Request, next: Next) -> Response {
    let Layers {
        log,
        cors,
        admission,
        proxies,
        https,
    } = &*layers;
    let client = proxies.address(request.extensions(), request.headers());
    let admitted = |request| admission::handle(admission, client, request, |request| next.run(request));
    let with_text = |request| error::write_texts(request, admitted);
    let with_cors = |request| cors::handle(cors, request, with_text);
    let with_headers = |request| async {
        let mut response = with_cors(request).await;
        add_headers(response.headers_mut(), *https);
        response
    };
    request_id::handle(log, drain::drain_on_drop(request), with_headers).await
}

/// Adds the security headers that the response does not set itself; with `https` also HSTS.
pub(crate) fn add_headers(headers: &mut HeaderMap, https: bool) {
    for (name, value) in HEADERS {
        headers.entry(name).or_insert(value);
    }
    if https {
        headers.entry(header::STRICT_TRANSPORT_SECURITY).or_insert(ONE_YEAR);
    }
}
