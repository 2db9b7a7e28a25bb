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

/// How long.
const LINGER: Duration = Duration::from_secs(30);

/// The request with a body that is taken to its end.
pub fn lingering(request: Request) -> Request {
    // Who waits for a word before sending has not sent anything.
    if request.body().is_end_stream() || request.headers().contains_key(header::EXPECT) {
        return request;
    }
    request.map(|body| Body::new(Lingering(Some(body))))
}

/// A body that is read to its end even when nobody wants it any more; `None` when the end has come.
struct Lingering(Option<Body>);

impl HttpBody for Lingering {
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

impl Drop for Lingering {
    fn drop(&mut self) {
        let Some(mut body) = self.0.take().filter(|body| !body.is_end_stream()) else {
            return;
        };
        // While a runtime shuts down there is nobody left to answer.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(tokio::time::timeout(LINGER, async move {
                while matches!(body.frame().await, Some(Ok(_))) {}
            }));
        }
    }
}
