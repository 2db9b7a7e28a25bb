//! Load shedding: bounds the number of concurrent requests and the time of each. Excess requests get 503 with Retry-After, which
//! is cheap, so that accepted requests are served in normal time (decision 61).

mod line;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::extract::Request;
use axum::response::{IntoResponse as _, Response};
use http::header;
use kurso_base::error as core;
use kurso_core::Kurso;
use line::Line;
use tokio::sync::Semaphore;
use tokio::time::{Instant, sleep_until, timeout};

use crate::Options;
use crate::error::Error;

/// Who is not answered by then waits for something else, a password, a store or a client, and keeps nobody from a core.
const QUICK: Duration = Duration::from_millis(500);
/// Requests that are worked on at once, for each core: enough to keep it busy while others wait for the database.
const OF_CORE: usize = 16;
/// And so many on any machine: SQLite commits together who writes at the same time.
const LEAST: usize = 32;
/// Refusals in a second, for each core: a thirtieth of it. The others wait for theirs, which costs nothing; and whose client
/// waits for it sends nothing else on that connection.
const REFUSALS: u32 = 1_000;
/// Nobody waits longer for a refusal.
const LONGEST: Duration = Duration::from_secs(10);

/// Who is in.
pub struct Pressure {
    kurso: Arc<Kurso>,
    line: Line,
    /// Counted apart: they wait for their clients most of the time.
    uploads: Semaphore,
    patience: Duration,
    /// From one refusal to the next, and when the next is due.
    pace: Duration,
    refusal: Mutex<Instant>,
}

impl Pressure {
    pub fn new(kurso: Arc<Kurso>, options: &Options) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let at_once = (OF_CORE * cores).max(LEAST);
        Pressure {
            kurso,
            line: Line::new(options.max_requests, at_once),
            uploads: Semaphore::new(options.max_requests),
            patience: options.request_timeout,
            pace: Duration::from_secs(1) / (REFUSALS * u32::try_from(cores).unwrap_or(1)),
            refusal: Mutex::new(Instant::now()),
        }
    }

    async fn refuse(&self) -> Response {
        self.kurso.metrics.shed();
        self.kurso.db.report_overload();
        sleep_until(self.turn()).await;
        busy()
    }

    /// When to answer with a refusal, one after the other.
    fn turn(&self) -> Instant {
        let now = Instant::now();
        let mut next = self.refusal.lock().unwrap_or_else(PoisonError::into_inner);
        let turn = (*next).clamp(now, now + LONGEST);
        *next = turn + self.pace;
        turn
    }
}

pub async fn handle<F>(pressure: &Pressure, request: Request, next: impl FnOnce(Request) -> F) -> Response
where
    F: Future<Output = Response>,
{
    let kind = request.headers().get(header::CONTENT_TYPE);
    if kind.is_some_and(|kind| kind.as_bytes().starts_with(b"multipart/")) {
        let Ok(_place) = pressure.uploads.try_acquire() else {
            return pressure.refuse().await;
        };
        return next(request).await; // the reader of forms holds it to a pace
    }
    let place = if waits_elsewhere(request.uri().path()) {
        pressure.line.pass()
    } else {
        pressure.line.stand().await
    };
    let Some(mut place) = place else {
        return pressure.refuse().await;
    };
    let mut answer = std::pin::pin!(next(request));
    if let Ok(answer) = timeout(QUICK.min(pressure.patience), &mut answer).await {
        return answer;
    }
    place.step_aside();
    // What is not ready by then is dropped where it stands; what it had not committed is rolled back.
    let left = pressure.patience.saturating_sub(QUICK);
    timeout(left, answer).await.unwrap_or_else(|_| busy())
}

/// The bytes of a file come from a store that may hang, and passwords have a line of their own: neither is a core's work now.
fn waits_elsewhere(path: &str) -> bool {
    path.contains("/files/") || path.starts_with("/api/v1/login")
}

fn busy() -> Response {
    Error::Core(core::Error::Busy).into_response()
}
