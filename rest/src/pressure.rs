//! Under pressure: no more requests at once than the server can answer in good time, and none that takes for ever. Who comes
//! beyond them is told to come again, which costs next to nothing, so that those who are in are served as on any other day.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use http::header;
use kurso_core::Kurso;
use kurso_core::error as core;
use tokio::sync::Semaphore;

use crate::Options;
use crate::error::Error;

/// Who is in.
#[derive(Clone)]
pub struct Pressure {
    kurso: Arc<Kurso>,
    requests: Arc<Semaphore>,
    /// Counted apart: they wait for their clients most of the time.
    uploads: Arc<Semaphore>,
    patience: Duration,
}

impl Pressure {
    pub fn new(kurso: Arc<Kurso>, options: &Options) -> Self {
        Pressure {
            kurso,
            requests: Arc::new(Semaphore::new(options.max_requests)),
            uploads: Arc::new(Semaphore::new(options.max_requests)),
            patience: options.request_timeout,
        }
    }
}

pub async fn handle(State(pressure): State<Pressure>, request: Request, next: Next) -> Response {
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
        return next.run(request).await; // the reader of forms holds it to a pace
    }
    // What is not ready by then is dropped where it stands; what it had not committed is rolled back.
    let answered = tokio::time::timeout(pressure.patience, next.run(request)).await;
    answered.unwrap_or_else(|_| busy())
}

fn busy() -> Response {
    Error::Core(core::Error::Busy).into_response()
}
