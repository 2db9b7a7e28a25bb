//! Drains unread request bodies after a response. Most clients read only after sending everything, and would lose the response
//! if the connection were closed while they send.

use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::{Body, HttpBody};
use axum::extract::Request;
use bytes::Bytes;
use http::header;
use http_body_util::BodyExt as _;

/// How long the rest of a body is read.
const MAX_DRAIN: Duration = Duration::from_secs(30);

/// Returns the request with a body that is read to its end when it is dropped.
pub fn drain_on_drop(request: Request) -> Request {
    // A client that expects `100 Continue` has not sent the body yet.
    if request.body().is_end_stream() || request.headers().contains_key(header::EXPECT) {
        return request;
    }
    request.map(|body| Body::new(Drained(Some(body))))
}

/// A body that reads its rest when it is dropped; None after its end.
struct Drained(Option<Body>);

impl HttpBody for Drained {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<http_body::Frame<Bytes>, axum::Error>>> {
        let Some(body) = &mut self.0 else {
            return Poll::Ready(None);
        };
        let frame = ready!(Pin::new(body).poll_frame(context));
        if !matches!(frame, Some(Ok(_))) {
            self.0 = None;
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.0.as_ref().is_none_or(HttpBody::is_end_stream)
    }

    fn size_hint(&self) -> http_body::SizeHint {
        self.0.as_ref().map(HttpBody::size_hint).unwrap_or_default()
    }
}

impl Drop for Drained {
    fn drop(&mut self) {
        let Some(mut body) = self.0.take().filter(|body| !body.is_end_stream()) else {
            return;
        };
        // There is no runtime left during the shutdown, and no client to respond to.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(tokio::time::timeout(MAX_DRAIN, async move {
                while matches!(body.frame().await, Some(Ok(_))) {}
            }));
        }
    }
}
