//! The layer around all responses of the server, from the outside in: draining unread bodies, request ids, response headers, CORS,
//! error texts, load shedding, and panics.
//!
//! It is one tower layer because each layer clones the inner services per request and boxes their futures: as ten layers they
//! took a fifth of the time of a small tree.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::Response;
use http::{HeaderMap, HeaderName, HeaderValue, header};
use kurso_core::Kurso;
use tower::ServiceBuilder;
use tower_http::catch_panic::CatchPanicLayer;

use crate::cors::{self, Cors};
use crate::pressure::{self, Pressure};
use crate::request_id::{self, Told};
use crate::{Options, error, linger};

/// What every answer says to browsers, unless it says something of its own: the web app and files have another policy. What
/// asks the person for the camera and the like is of no use here; nobody else's page may show ours or hold on to its window.
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

const A_YEAR: HeaderValue = HeaderValue::from_static("max-age=31536000");

struct Around {
    told: Told,
    cors: Cors,
    pressure: Pressure,
    https: bool,
}

/// Puts all of a server's routes into it; refusals have no words without.
pub fn around(router: Router, kurso: &Arc<Kurso>, options: &Options) -> Router {
    let around = Arc::new(Around {
        told: Told::new(kurso.clone(), options),
        cors: Cors::new(options),
        pressure: Pressure::new(kurso.clone(), options),
        https: options.https,
    });
    router.layer(
        ServiceBuilder::new()
            .layer(from_fn_with_state(around, handle))
            .layer(CatchPanicLayer::custom(error::panicked)),
    )
}

async fn handle(State(around): State<Arc<Around>>, request: Request, next: Next) -> Response {
    let Around {
        told,
        cors,
        pressure,
        https,
    } = &*around;
    let refused = |request| pressure::handle(pressure, request, |request| next.run(request));
    let said = |request| error::in_words(request, refused);
    let shared = |request| cors::handle(cors, request, said);
    let answered = |request| async {
        let mut response = shared(request).await;
        add_headers(response.headers_mut(), *https);
        response
    };
    request_id::handle(told, linger::lingering(request), answered).await
}

pub(crate) fn add_headers(headers: &mut HeaderMap, https: bool) {
    for (name, value) in HEADERS {
        headers.entry(name).or_insert(value);
    }
    if https {
        headers.entry(header::STRICT_TRANSPORT_SECURITY).or_insert(A_YEAR);
    }
}
