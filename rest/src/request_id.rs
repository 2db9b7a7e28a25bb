//! A name for every request, in the log and in the answer: whoever reports a failure can say which one.

use axum::extract::{MatchedPath, Request};
use axum::middleware::Next;
use axum::response::Response;
use http::{HeaderName, HeaderValue};
use tracing::Instrument as _;
use uuid::Uuid;

pub const HEADER: HeaderName = HeaderName::from_static("x-request-id");

pub async fn handle(request: Request, next: Next) -> Response {
    let id = Uuid::now_v7().to_string();
    // The route, not the path: the address of a file is the right to read it and has no place in a log.
    let route = request
        .extensions()
        .get::<MatchedPath>()
        .map_or("", MatchedPath::as_str);
    let span = tracing::info_span!("request", %id, method = %request.method(), route);
    let mut response = next.run(request).instrument(span.clone()).await;
    span.in_scope(|| tracing::debug!(status = response.status().as_u16(), "answered"));
    if let Ok(id) = HeaderValue::try_from(id) {
        response.headers_mut().insert(HEADER, id);
    }
    response
}
