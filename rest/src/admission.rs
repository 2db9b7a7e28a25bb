//! Load shedding: bounds the number of concurrent requests and the time of each. Excess requests get 503 with Retry-After, which
//! is cheap, so that admitted requests are served in normal time (decision 61).

mod bodies;
mod queue;
mod uploads;

use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::extract::{MatchedPath, Request};
use axum::response::{IntoResponse as _, Response};
use bodies::ArrivingBodies;
use http::Method;
use kurso_base::error as core;
use kurso_core::Kurso;
use queue::AdmissionQueue;
use tokio::time::{Instant, sleep_until, timeout};

use crate::Options;
use crate::error::Error;
use uploads::UploadSlots;

/// A request that runs longer waits for something else, such as password hashing, a store or its client, and needs no core.
const QUICK: Duration = Duration::from_millis(500);
/// The number of requests in progress for each core: enough to keep it busy while others wait for the database.
const REQUESTS_PER_CORE: usize = 16;
/// The least number of requests in progress on any machine: SQLite commits concurrent writers together.
const MIN_REQUESTS: usize = 32;
/// Rejections per second for each core: a thirtieth of its time. Further ones wait, which costs nothing, and a client that
/// waits for its rejection sends nothing else on that connection.
const REJECTIONS_PER_CORE: u32 = 1_000;
/// The calls that stream a file. Other calls have their whole body in memory when they begin.
const UPLOAD_ROUTES: [&str; 7] = [
    "/api/v1/courses/upload_file",
    "/api/v1/courses/upload_module_avatar/{module_id}",
    "/api/v1/courses/upload_cover/{course_id}",
    "/api/v1/courses/upload_certificate_picture/{course_id}",
    "/api/v1/courses/upload_answer_file/{page_id}/{question_id}",
    "/api/v1/courses/import",
    "/api/v1/banks/import_questions/{bank_id}",
];
/// The longest time that a rejection waits.
const MAX_REJECTION_DELAY: Duration = Duration::from_secs(10);

/// Admits requests or rejects them.
pub struct Admission {
    kurso: Arc<Kurso>,
    bodies: ArrivingBodies,
    queue: AdmissionQueue,
    /// Uploads have a limit of their own, because they wait for their clients most of the time.
    uploads: UploadSlots,
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
            bodies: ArrivingBodies::new(options.max_requests),
            queue: AdmissionQueue::new(options.max_requests, concurrency),
            uploads: UploadSlots::new(options.max_requests),
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

/// Runs the request of a client when it is admitted. Returns 503 when it is rejected, or not finished within the request timeout,
/// and 408 when its body arrives too slowly.
pub async fn handle<F>(
    admission: &Admission,
    client: Option<IpAddr>,
    request: Request,
    next: impl FnOnce(Request) -> F,
) -> Response
where
    F: Future<Output = Response>,
{
    if is_upload(&request) {
        let Some(_slot) = admission.uploads.acquire(bodies::network(client)) else {
            return admission.reject().await;
        };
        return next(request).await; // `upload` requires a minimum speed instead of a timeout
    }
    let request = match admission.bodies.receive(request, client).await {
        Ok(request) => request,
        Err(response) => return response,
    };
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

fn is_upload(request: &Request) -> bool {
    let route = request.extensions().get::<MatchedPath>();
    request.method() == Method::POST && route.is_some_and(|route| UPLOAD_ROUTES.contains(&route.as_str()))
}

/// Files come from a store that may hang, and passwords have a queue of their own: neither needs a core now.
fn bypasses_queue(path: &str) -> bool {
    path.contains("/files/") || path.starts_with("/api/v1/login")
}

fn busy() -> Response {
    Error::Core(core::Error::Busy).into_response()
}
