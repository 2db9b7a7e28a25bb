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

/// How long an upload may take: what a slow line needs for a large file.
const UPLOAD: Duration = Duration::from_secs(60 * 60);

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
    let (places, patience) = match is_upload {
        true => (&pressure.uploads, UPLOAD),
        false => (&pressure.requests, pressure.patience),
    };
    let Ok(_place) = places.try_acquire() else {
        pressure.kurso.signals.shed();
        return busy();
    };
    // What is not ready by then is dropped where it stands; what it had not committed is rolled back.
    tokio::time::timeout(patience, next.run(request))
        .await
        .unwrap_or_else(|_| busy())
}

fn busy() -> Response {
    Error::Core(core::Error::Busy).into_response()
}
