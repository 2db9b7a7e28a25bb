//! Bounded admission queue: FIFO normally, LIFO during overload. A limited number of requests is in progress while the others wait.
//! When the queue overflows, the newest request goes first, so that most are served in time instead of all of them too late, and
//! long waiters are rejected.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::oneshot::{self, Receiver, Sender};
use tokio::time::timeout;

/// The longest wait of a request.
const MAX_WAIT: Duration = Duration::from_secs(10);
/// The longest wait of a request during overload.
const MAX_WAIT_IN_OVERLOAD: Duration = Duration::from_millis(25);
/// How long the overload lasts after a rejection.
const OVERLOAD: Duration = Duration::from_secs(1);

pub struct AdmissionQueue {
    limits: Limits,
    state: Mutex<State>,
}

#[derive(Clone, Copy)]
struct Limits {
    /// Admitted and waiting requests together.
    total: usize,
    /// Requests in progress.
    concurrency: usize,
    max_wait: Duration,
}

#[derive(Default)]
struct State {
    /// Admitted and waiting requests together.
    total: usize,
    /// Permits that occupy a core.
    in_progress: usize,
    /// The oldest is first. Empty unless `in_progress` is at its limit.
    waiters: VecDeque<Waiter>,
    last_rejection: Option<Instant>,
    next_number: u64,
}

struct Waiter {
    number: u64,
    since: Instant,
    /// Sends when the request is admitted; dropped when it is rejected.
    admit: Sender<()>,
}

/// What the queue does with a new request.
enum Entered {
    Admitted,
    Waits(u64, Receiver<()>),
    Rejected,
}

/// An admitted request, until it is dropped.
pub struct Permit<'a> {
    queue: &'a AdmissionQueue,
    uses_core: bool,
}

/// A request in the queue. It removes itself when its future is dropped, because the client has disconnected.
struct Waiting<'a> {
    queue: &'a AdmissionQueue,
    number: u64,
    admitted: Receiver<()>,
    /// It was admitted or rejected, so that nothing is left to remove.
    is_settled: bool,
}

impl AdmissionQueue {
    /// `total`: the most requests, waiting ones included; `concurrency`: the most in progress.
    pub fn new(total: usize, concurrency: usize) -> Self {
        AdmissionQueue {
            limits: Limits {
                total,
                concurrency: concurrency.min(total),
                max_wait: MAX_WAIT,
            },
            state: Mutex::default(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Admits a request that needs no core at once; None rejects it.
    pub fn bypass(&self) -> Option<Permit<'_>> {
        let is_admitted = self.state().enter(self.limits, Instant::now());
        // Not `then_some`: dropping a permit that was never given would release one.
        is_admitted.then(|| Permit {
            queue: self,
            uses_core: false,
        })
    }

    /// Waits until the request is admitted; None rejects it.
    pub async fn acquire(&self) -> Option<Permit<'_>> {
        let entered = self.state().queue(self.limits, Instant::now());
        let mut waiting = match entered {
            Entered::Admitted => return Some(self.permit()),
            Entered::Rejected => return None,
            Entered::Waits(number, admitted) => Waiting {
                queue: self,
                number,
                admitted,
                is_settled: false,
            },
        };
        let settled = timeout(self.limits.max_wait, &mut waiting.admitted).await;
        waiting.is_settled = settled.is_ok();
        match settled {
            Ok(admitted) => admitted.is_ok().then(|| self.permit()),
            Err(_) => {
                self.state().last_rejection = Some(Instant::now());
                None
            }
        }
    }

    fn permit(&self) -> Permit<'_> {
        Permit {
            queue: self,
            uses_core: true,
        }
    }
}

impl State {
    /// Counts a request. When the queue is full, it evicts the oldest waiter; false when there is none to evict.
    fn enter(&mut self, limits: Limits, now: Instant) -> bool {
        if self.total < limits.total {
            self.total += 1;
            return true;
        }
        self.last_rejection = Some(now);
        self.waiters.pop_front().is_some()
    }

    fn queue(&mut self, limits: Limits, now: Instant) -> Entered {
        if !self.enter(limits, now) {
            return Entered::Rejected;
        }
        if self.in_progress < limits.concurrency {
            self.in_progress += 1;
            return Entered::Admitted;
        }
        let (admit, admitted) = oneshot::channel();
        let number = self.next_number;
        self.next_number += 1;
        self.waiters.push_back(Waiter {
            number,
            since: now,
            admit,
        });
        Entered::Waits(number, admitted)
    }

    /// Frees a core and admits the next waiters.
    fn release_core(&mut self, limits: Limits, now: Instant) {
        self.in_progress -= 1;
        self.admit(limits, now);
    }

    /// Rejects those who have waited too long, and admits others while there is room.
    fn admit(&mut self, limits: Limits, now: Instant) {
        let is_overloaded = self.last_rejection.is_some_and(|at| now - at < OVERLOAD);
        let max_wait = if is_overloaded {
            MAX_WAIT_IN_OVERLOAD
        } else {
            limits.max_wait
        };
        while self.waiters.front().is_some_and(|oldest| now - oldest.since > max_wait) {
            self.waiters.pop_front();
            self.total -= 1;
            self.last_rejection = Some(now);
        }
        while self.in_progress < limits.concurrency {
            let next = if is_overloaded {
                self.waiters.pop_back()
            } else {
                self.waiters.pop_front()
            };
            let Some(next) = next else { return };
            // Sending fails only when the waiter has just removed itself.
            if next.admit.send(()).is_ok() {
                self.in_progress += 1;
            }
        }
    }
}

impl Permit<'_> {
    /// Lets another request use the core, because this one waits for something else. It still counts in the total.
    pub fn yield_core(&mut self) {
        if std::mem::replace(&mut self.uses_core, false) {
            self.queue.state().release_core(self.queue.limits, Instant::now());
        }
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        let mut state = self.queue.state();
        state.total -= 1;
        if self.uses_core {
            state.release_core(self.queue.limits, Instant::now());
        }
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        if self.is_settled {
            return;
        }
        let mut state = self.queue.state();
        let before = state.waiters.len();
        state.waiters.retain(|waiter| waiter.number != self.number);
        if state.waiters.len() < before {
            state.total -= 1;
        } else if self.admitted.try_recv().is_ok() {
            // It was admitted, but its future is dropped before it received the permit.
            state.total -= 1;
            state.release_core(self.queue.limits, Instant::now());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    const LIMITS: Limits = Limits {
        total: 512,
        concurrency: 32,
        max_wait: MAX_WAIT,
    };
    /// How long a request takes, in milliseconds: a thousand are served in a second.
    const WORK: u64 = 32;

    /// A server in simulated time, in milliseconds.
    struct Simulation {
        state: State,
        start: Instant,
        /// When each waiting request arrived, and the channel that admits it.
        waiting: Vec<(u64, Receiver<()>)>,
        /// When each request in progress ends.
        ends: Vec<u64>,
        /// How long each admitted request has waited.
        waits: Vec<u64>,
        rejected: usize,
    }

    impl Simulation {
        fn new() -> Self {
            Simulation {
                state: State::default(),
                start: Instant::now(),
                waiting: Vec::new(),
                ends: Vec::new(),
                waits: Vec::new(),
                rejected: 0,
            }
        }

        /// Simulates the millisecond `now`, in which `arrivals` requests arrive.
        fn step(&mut self, now: u64, arrivals: usize) {
            let at = self.start + Duration::from_millis(now);
            let before = self.ends.len();
            self.ends.retain(|&end| end > now);
            for _ in self.ends.len()..before {
                self.state.total -= 1;
                self.state.release_core(LIMITS, at);
            }
            for _ in 0..arrivals {
                match self.state.queue(LIMITS, at) {
                    Entered::Admitted => {
                        self.waits.push(0);
                        self.ends.push(now + WORK);
                    }
                    Entered::Waits(_, admitted) => self.waiting.push((now, admitted)),
                    Entered::Rejected => self.rejected += 1,
                }
            }
            for (arrival, mut admitted) in std::mem::take(&mut self.waiting) {
                match admitted.try_recv() {
                    Ok(()) => {
                        self.waits.push(now - arrival);
                        self.ends.push(now + WORK);
                    }
                    Err(oneshot::error::TryRecvError::Empty) => self.waiting.push((arrival, admitted)),
                    Err(oneshot::error::TryRecvError::Closed) => self.rejected += 1,
                }
            }
        }

        fn p99(&mut self) -> u64 {
            self.waits.sort_unstable();
            self.waits[self.waits.len() * 99 / 100]
        }
    }

    #[test]
    fn a_burst_within_the_limit_is_served_completely() {
        let mut server = Simulation::new();
        server.step(0, 500);
        for now in 1..600 {
            server.step(now, 0);
        }
        assert_eq!((server.waits.len(), server.rejected, server.state.total), (500, 0, 0));
    }

    #[test]
    fn tenfold_overload_sheds_the_excess_and_bounds_the_wait() {
        let mut server = Simulation::new();
        for now in 0..10_000 {
            server.step(now, 10);
            let oldest = server.waiting.first().map_or(0, |(arrival, _)| now - arrival);
            assert!(now < 100 || oldest <= 60, "{oldest} at {now}");
        }
        // The server works at its full capacity.
        assert!((9_900..10_100).contains(&server.waits.len()), "{}", server.waits.len());
        let p99 = server.p99();
        assert!(p99 <= 20, "{p99}");
        // It recovers at once: at half of the capacity nothing waits.
        server.waits.clear();
        for now in 10_000..12_000 {
            server.step(now, usize::from(now % 2 == 0));
        }
        server.waits.drain(..100);
        let (served, p99) = (server.waits.len(), server.p99());
        assert!(served > 850 && p99 == 0, "{served} {p99}");
    }

    #[test]
    fn a_small_excess_causes_few_rejections() {
        let mut server = Simulation::new();
        let arrivals = |now: u64| if now.is_multiple_of(5) { 2 } else { 1 };
        // Nothing is rejected until the queue is full.
        for now in 0..5_000 {
            server.step(now, arrivals(now));
        }
        (server.waits, server.rejected) = (Vec::new(), 0);
        for now in 5_000..25_000 {
            server.step(now, arrivals(now));
        }
        assert!((19_500..20_500).contains(&server.waits.len()), "{}", server.waits.len());
        assert!((2_000..4_500).contains(&server.rejected), "{}", server.rejected);
        let p99 = server.p99();
        assert!(p99 <= 60, "{p99}");
    }

    #[test]
    fn clients_that_wait_for_each_response_are_served_in_order() {
        let mut server = Simulation::new();
        server.step(0, 200);
        for now in 1..20_000 {
            // Each client sends its next request when it has its response.
            let responses = server.ends.iter().filter(|&&end| end <= now).count();
            server.step(now, responses);
        }
        // 32 requests end in 32 ms, and 168 are ahead of each.
        let longest = server.waits.iter().max();
        assert!(longest.is_some_and(|&wait| wait <= 200), "{longest:?}");
        assert_eq!(server.rejected, 0);
    }

    #[tokio::test]
    async fn waiting_is_bounded_and_a_slow_request_yields_its_core() {
        let mut queue = AdmissionQueue::new(3, 1);
        queue.limits.max_wait = Duration::from_millis(50);
        let mut first = queue.acquire().await.unwrap();
        let arrival = Instant::now();
        assert!(queue.acquire().await.is_none());
        assert!(arrival.elapsed() >= queue.limits.max_wait);
        first.yield_core();
        drop(queue.acquire().await.unwrap());
        // The first still counts in the total.
        let (second, third) = (queue.bypass().unwrap(), queue.bypass().unwrap());
        assert!(queue.bypass().is_none() && queue.acquire().await.is_none());
        drop((first, second, third));
        assert!(is_empty(&queue));
    }

    fn is_empty(queue: &AdmissionQueue) -> bool {
        let state = queue.state();
        (state.total, state.in_progress, state.waiters.len()) == (0, 0, 0)
    }

    #[tokio::test]
    async fn a_cancelled_waiter_removes_itself() {
        let queue = Arc::new(AdmissionQueue::new(8, 1));
        let first = queue.acquire().await.unwrap();
        let waiting: Vec<_> = (0..3)
            .map(|_| {
                let queue = queue.clone();
                tokio::spawn(async move { queue.acquire().await.is_some() })
            })
            .collect();
        while queue.state().waiters.len() < 3 {
            tokio::task::yield_now().await;
        }
        waiting[0].abort();
        while queue.state().waiters.len() > 2 {
            tokio::task::yield_now().await;
        }
        // The next is admitted, and cancelled before it receives its permit.
        drop(first);
        waiting[1].abort();
        for task in waiting {
            let _ = task.await; // two were aborted
        }
        assert!(is_empty(&queue));
    }
}
