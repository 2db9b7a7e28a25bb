//! Under pressure: no more requests at once than the server can answer in good time, and none that takes for ever. Who comes
//! beyond them is told to come again, which costs next to nothing, so that those who are in are served as on any other day.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::Request;
use axum::response::{IntoResponse as _, Response};
use http::header;
use kurso_core::Kurso;
use kurso_core::error as core;
use tokio::sync::Semaphore;

use crate::Options;
use crate::error::Error;

/// Who is in.
pub struct Pressure {
    kurso: Arc<Kurso>,
    requests: Semaphore,
    /// Counted apart: they wait for their clients most of the time.
    uploads: Semaphore,
    patience: Duration,
}

impl Pressure {
    pub fn new(kurso: Arc<Kurso>, options: &Options) -> Self {
        Pressure {
            kurso,
            requests: Semaphore::new(options.max_requests),
            uploads: Semaphore::new(options.max_requests),
            patience: options.request_timeout,
        }
    }
}

pub async fn handle<F>(pressure: &Pressure, request: Request, next: impl FnOnce(Request) -> F) -> Response
where
    F: Future<Output = Response>,
{
    let kind = request.headers().get(header::CONTENT_TYPE);
    let is_upload = kind.is_some_and(|kind| kind.as_bytes().starts_with(b"multipart/"));
    let places = if is_upload {
        &pressure.uploads
    } else {
        &pressure.requests
    };
    let Ok(_place) = places.try_acquire() else {
        pressure.kurso.signals.shed();
        return busy();
    };
    if is_upload {
        return next(request).await; // the reader of forms holds it to a pace
    }
    // What is not ready by then is dropped where it stands; what it had not committed is rolled back.
    let answered = tokio::time::timeout(pressure.patience, next(request)).await;
    answered.unwrap_or_else(|_| busy())
}

fn busy() -> Response {
    Error::Core(core::Error::Busy).into_response()
}
