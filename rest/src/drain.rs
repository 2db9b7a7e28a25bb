//! Drains unread request bodies after a response. Most clients read only after sending everything, and would lose the response
//! if the connection were closed while they send.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::{Body, HttpBody};
use axum::extract::Request;
use bytes::Bytes;
use http::header;
use http_body_util::BodyExt as _;

/// How long the rest of a body is read.
const MAX_DRAIN: Duration = Duration::from_secs(30);

/// An extension of requests that turns the draining of their body off, for clients that are too slow.
#[derive(Clone, Default)]
pub struct DrainSwitch(Arc<AtomicBool>);

impl DrainSwitch {
    pub fn turn_off(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    fn is_off(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Returns the request with a body that is read to its end when it is dropped.
pub fn drain_on_drop(mut request: Request) -> Request {
    // A client that expects `100 Continue` has not sent the body yet.
    if request.body().is_end_stream() || request.headers().contains_key(header::EXPECT) {
        return request;
    }
    let switch = DrainSwitch::default();
    request.extensions_mut().insert(switch.clone());
    request.map(|body| {
        Body::new(Drained {
            body: Some(body),
            switch,
        })
    })
}

/// A body that reads its rest when it is dropped.
struct Drained {
    /// None after its end.
    body: Option<Body>,
    switch: DrainSwitch,
}

impl HttpBody for Drained {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<http_body::Frame<Bytes>, axum::Error>>> {
        let Some(body) = &mut self.body else {
            return Poll::Ready(None);
        };
        let frame = ready!(Pin::new(body).poll_frame(context));
        if !matches!(frame, Some(Ok(_))) {
            self.body = None;
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.as_ref().is_none_or(HttpBody::is_end_stream)
    }

    fn size_hint(&self) -> http_body::SizeHint {
        self.body.as_ref().map(HttpBody::size_hint).unwrap_or_default()
    }
}

impl Drop for Drained {
    fn drop(&mut self) {
        let Some(mut body) = self.body.take().filter(|body| !body.is_end_stream()) else {
            return;
        };
        if self.switch.is_off() {
            return;
        }
        // There is no runtime left during the shutdown, and no client to respond to.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(tokio::time::timeout(MAX_DRAIN, async move {
                while matches!(body.frame().await, Some(Ok(_))) {}
            }));
        }
    }
}
