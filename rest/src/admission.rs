//! Load shedding: bounds the number of concurrent requests and the time of each. Excess requests get 503 with Retry-After, which
//! is cheap, so that admitted requests are served in normal time (decision 61).

mod queue;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::extract::Request;
use axum::response::{IntoResponse as _, Response};
use http::header;
use kurso_base::error as core;
use kurso_core::Kurso;
use queue::AdmissionQueue;
use tokio::sync::Semaphore;
use tokio::time::{Instant, sleep_until, timeout};

use crate::Options;
use crate::error::Error;

/// A request that runs longer waits for something else, such as password hashing, a store or its client, and needs no core.
const QUICK: Duration = Duration::from_millis(500);
/// The number of requests in progress for each core: enough to keep it busy while others wait for the database.
const REQUESTS_PER_CORE: usize = 16;
/// The least number of requests in progress on any machine: SQLite commits concurrent writers together.
const MIN_REQUESTS: usize = 32;
/// Rejections per second for each core: a thirtieth of its time. Further ones wait, which costs nothing, and a client that
/// waits for its rejection sends nothing else on that connection.
const REJECTIONS_PER_CORE: u32 = 1_000;
/// The longest time that a rejection waits.
const MAX_REJECTION_DELAY: Duration = Duration::from_secs(10);

/// Admits requests or rejects them.
pub struct Admission {
    kurso: Arc<Kurso>,
    queue: AdmissionQueue,
    /// Uploads have a limit of their own, because they wait for their clients most of the time.
    uploads: Semaphore,
    request_timeout: Duration,
    /// The time between two rejections.
    rejection_interval: Duration,
    next_rejection: Mutex<Instant>,
}

impl Admission {
    pub fn new(kurso: Arc<Kurso>, options: &Options) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let concurrency = (REQUESTS_PER_CORE * cores).max(MIN_REQUESTS);
        Admission {
            kurso,
            queue: AdmissionQueue::new(options.max_requests, concurrency),
            uploads: Semaphore::new(options.max_requests),
            request_timeout: options.request_timeout,
            rejection_interval: Duration::from_secs(1) / (REJECTIONS_PER_CORE * u32::try_from(cores).unwrap_or(1)),
            next_rejection: Mutex::new(Instant::now()),
        }
    }

    async fn reject(&self) -> Response {
        self.kurso.metrics.shed();
        self.kurso.db.report_overload();
        sleep_until(self.rejection_time()).await;
        busy()
    }

    /// Returns when this rejection may be sent, and reserves the interval after it.
    fn rejection_time(&self) -> Instant {
        let now = Instant::now();
        let mut next = self.next_rejection.lock().unwrap_or_else(PoisonError::into_inner);
        let time = (*next).clamp(now, now + MAX_REJECTION_DELAY);
        *next = time + self.rejection_interval;
        time
    }
}

/// Runs the request when it is admitted. Returns 503 when it is rejected, or not finished within the request timeout.
pub async fn handle<F>(admission: &Admission, request: Request, next: impl FnOnce(Request) -> F) -> Response
where
    F: Future<Output = Response>,
{
    let kind = request.headers().get(header::CONTENT_TYPE);
    if kind.is_some_and(|kind| kind.as_bytes().starts_with(b"multipart/")) {
        let Ok(_permit) = admission.uploads.try_acquire() else {
            return admission.reject().await;
        };
        return next(request).await; // `upload` requires a minimum speed instead of a timeout
    }
    let permit = if bypasses_queue(request.uri().path()) {
        admission.queue.bypass()
    } else {
        admission.queue.acquire().await
    };
    let Some(mut permit) = permit else {
        return admission.reject().await;
    };
    let mut response = std::pin::pin!(next(request));
    if let Ok(response) = timeout(QUICK.min(admission.request_timeout), &mut response).await {
        return response;
    }
    permit.yield_core();
    // A handler that is not finished by then is dropped, and its open transaction is rolled back.
    let left = admission.request_timeout.saturating_sub(QUICK);
    timeout(left, response).await.unwrap_or_else(|_| busy())
}

/// Files come from a store that may hang, and passwords have a queue of their own: neither needs a core now.
fn bypasses_queue(path: &str) -> bool {
    path.contains("/files/") || path.starts_with("/api/v1/login")
}

fn busy() -> Response {
    Error::Core(core::Error::Busy).into_response()
}
