//! Bounded admission queue: FIFO normally, LIFO during overload. A limited number of requests is in progress while the others wait.
//! When the queue overflows, the newest request goes first, so that most are served in time instead of all of them too late, and
//! long waiters are rejected.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::oneshot::{self, Receiver, Sender};
use tokio::time::timeout;

/// How long somebody waits who came with a crowd that is served in the end.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long somebody waits while more come than can be served.
const SHORT: Duration = Duration::from_millis(25);
/// For so long after somebody was turned away, more come than can be served.
const PRESSED: Duration = Duration::from_secs(1);

pub struct Line {
    rules: Rules,
    state: Mutex<State>,
}

#[derive(Clone, Copy)]
struct Rules {
    /// In the line and beyond it.
    most: usize,
    /// Worked on.
    at_once: usize,
    patience: Duration,
}

#[derive(Default)]
struct State {
    inside: usize,
    running: usize,
    /// Empty unless as many are worked on as may be.
    line: VecDeque<Waiting>,
    /// When somebody was last turned away.
    pressed: Option<Instant>,
    /// The number of whoever comes next.
    next: u64,
}

struct Waiting {
    number: u64,
    since: Instant,
    /// Told when it is their turn; dropped when they are turned away.
    turn: Sender<()>,
}

/// What becomes of whoever comes.
enum Stood {
    In,
    Waits(u64, Receiver<()>),
    Away,
}

/// Somebody who is in; goes when it is dropped.
pub struct Place<'a> {
    line: &'a Line,
    is_running: bool,
}

/// Somebody in the line. Whoever is dropped in it, because their client has gone, leaves no trace.
struct Ticket<'a> {
    line: &'a Line,
    number: u64,
    turn: Receiver<()>,
    /// It has become a place, or nothing.
    is_settled: bool,
}

impl Line {
    pub fn new(most: usize, at_once: usize) -> Self {
        Line {
            rules: Rules {
                most,
                at_once: at_once.min(most),
                patience: PATIENCE,
            },
            state: Mutex::default(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// For what costs no work: in at once, or not at all.
    pub fn pass(&self) -> Option<Place<'_>> {
        let is_in = self.state().enter(self.rules, Instant::now());
        // A place that is not taken must not be given back.
        is_in.then(|| Place {
            line: self,
            is_running: false,
        })
    }

    /// Waits for a place. None: come again.
    pub async fn stand(&self) -> Option<Place<'_>> {
        let stood = self.state().stand(self.rules, Instant::now());
        let mut ticket = match stood {
            Stood::In => return Some(self.place()),
            Stood::Away => return None,
            Stood::Waits(number, turn) => Ticket {
                line: self,
                number,
                turn,
                is_settled: false,
            },
        };
        let told = timeout(self.rules.patience, &mut ticket.turn).await;
        ticket.is_settled = told.is_ok();
        match told {
            Ok(turn) => turn.is_ok().then(|| self.place()),
            Err(_) => {
                self.state().pressed = Some(Instant::now());
                None
            }
        }
    }

    fn place(&self) -> Place<'_> {
        Place {
            line: self,
            is_running: true,
        }
    }
}

impl State {
    /// Counts somebody in, in the place of who has waited longest when it is full.
    fn enter(&mut self, rules: Rules, now: Instant) -> bool {
        if self.inside < rules.most {
            self.inside += 1;
            return true;
        }
        self.pressed = Some(now);
        self.line.pop_front().is_some()
    }

    fn stand(&mut self, rules: Rules, now: Instant) -> Stood {
        if !self.enter(rules, now) {
            return Stood::Away;
        }
        if self.running < rules.at_once {
            self.running += 1;
            return Stood::In;
        }
        let (turn, told) = oneshot::channel();
        let number = self.next;
        self.next += 1;
        self.line.push_back(Waiting {
            number,
            since: now,
            turn,
        });
        Stood::Waits(number, told)
    }

    /// Somebody who was worked on is so no more.
    fn leave(&mut self, rules: Rules, now: Instant) {
        self.running -= 1;
        self.admit(rules, now);
    }

    /// Gives free places to those in the line.
    fn admit(&mut self, rules: Rules, now: Instant) {
        let is_pressed = self.pressed.is_some_and(|at| now - at < PRESSED);
        let patience = if is_pressed { SHORT } else { rules.patience };
        while self.line.front().is_some_and(|first| now - first.since > patience) {
            self.line.pop_front();
            self.inside -= 1;
            self.pressed = Some(now);
        }
        while self.running < rules.at_once {
            let next = if is_pressed {
                self.line.pop_back()
            } else {
                self.line.pop_front()
            };
            let Some(next) = next else { return };
            // Nobody goes without saying so first.
            if next.turn.send(()).is_ok() {
                self.running += 1;
            }
        }
    }
}

impl Place<'_> {
    /// Waits for something else from now on, and lets others work.
    pub fn step_aside(&mut self) {
        if std::mem::replace(&mut self.is_running, false) {
            self.line.state().leave(self.line.rules, Instant::now());
        }
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        let mut state = self.line.state();
        state.inside -= 1;
        if self.is_running {
            state.leave(self.line.rules, Instant::now());
        }
    }
}

impl Drop for Ticket<'_> {
    fn drop(&mut self) {
        if self.is_settled {
            return;
        }
        let mut state = self.line.state();
        let before = state.line.len();
        state.line.retain(|waiting| waiting.number != self.number);
        if state.line.len() < before {
            state.inside -= 1;
        } else if self.turn.try_recv().is_ok() {
            // Their turn had come.
            state.inside -= 1;
            state.leave(self.line.rules, Instant::now());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    const RULES: Rules = Rules {
        most: 512,
        at_once: 32,
        patience: PATIENCE,
    };
    /// So many milliseconds a request is worked on: a thousand are served in a second.
    const WORK: u64 = 32;

    /// A server whose time is counted in milliseconds.
    struct Day {
        state: State,
        began: Instant,
        /// When they came, and what tells them of their turn.
        waiting: Vec<(u64, Receiver<()>)>,
        /// When they are done.
        working: Vec<u64>,
        /// How long those waited who were let in.
        waits: Vec<u64>,
        away: usize,
    }

    impl Day {
        fn new() -> Self {
            Day {
                state: State::default(),
                began: Instant::now(),
                waiting: Vec::new(),
                working: Vec::new(),
                waits: Vec::new(),
                away: 0,
            }
        }

        /// One millisecond, in which so many come.
        fn pass(&mut self, now: u64, come: usize) {
            let at = self.began + Duration::from_millis(now);
            let before = self.working.len();
            self.working.retain(|&until| until > now);
            for _ in self.working.len()..before {
                self.state.inside -= 1;
                self.state.leave(RULES, at);
            }
            for _ in 0..come {
                match self.state.stand(RULES, at) {
                    Stood::In => {
                        self.waits.push(0);
                        self.working.push(now + WORK);
                    }
                    Stood::Waits(_, turn) => self.waiting.push((now, turn)),
                    Stood::Away => self.away += 1,
                }
            }
            let waiting = std::mem::take(&mut self.waiting);
            for (came, mut turn) in waiting {
                match turn.try_recv() {
                    Ok(()) => {
                        self.waits.push(now - came);
                        self.working.push(now + WORK);
                    }
                    Err(oneshot::error::TryRecvError::Empty) => self.waiting.push((came, turn)),
                    Err(oneshot::error::TryRecvError::Closed) => self.away += 1,
                }
            }
        }

        fn p99(&mut self) -> u64 {
            self.waits.sort_unstable();
            self.waits[self.waits.len() * 99 / 100]
        }
    }

    #[test]
    fn a_crowd_that_is_soon_served_is_served_whole() {
        let mut day = Day::new();
        day.pass(0, 500);
        for now in 1..600 {
            day.pass(now, 0);
        }
        assert_eq!((day.waits.len(), day.away, day.state.inside), (500, 0, 0));
    }

    #[test]
    fn when_ten_times_as_many_come_who_is_served_did_not_wait_and_the_rest_are_told_soon() {
        let mut day = Day::new();
        for now in 0..10_000 {
            day.pass(now, 10);
            let oldest = day.waiting.first().map_or(0, |(came, _)| now - came);
            assert!(now < 100 || oldest <= 60, "{oldest} at {now}");
        }
        // As many as can be: nobody of those who work is idle.
        assert!((9_900..10_100).contains(&day.waits.len()), "{}", day.waits.len());
        let p99 = day.p99();
        assert!(p99 <= 20, "{p99}");
        // It is over at once: of a half of what can be served nobody waits.
        day.waits.clear();
        for now in 10_000..12_000 {
            day.pass(now, usize::from(now % 2 == 0));
        }
        day.waits.drain(..100);
        assert!(
            day.waits.len() > 850 && day.p99() == 0,
            "{} {}",
            day.waits.len(),
            day.p99()
        );
    }

    #[test]
    fn a_little_too_much_turns_away_a_little() {
        let mut day = Day::new();
        let come = |now: u64| if now.is_multiple_of(5) { 2 } else { 1 };
        // Until the line is full, nobody is.
        for now in 0..5_000 {
            day.pass(now, come(now));
        }
        (day.waits, day.away) = (Vec::new(), 0);
        for now in 5_000..25_000 {
            day.pass(now, come(now));
        }
        assert!((19_500..20_500).contains(&day.waits.len()), "{}", day.waits.len());
        assert!((2_000..4_500).contains(&day.away), "{}", day.away);
        let p99 = day.p99();
        assert!(p99 <= 60, "{p99}");
    }

    #[test]
    fn those_who_wait_for_their_answer_before_they_ask_again_are_all_served_in_order() {
        let mut day = Day::new();
        day.pass(0, 200);
        for now in 1..20_000 {
            // Whoever is done asks again.
            let done = day.working.iter().filter(|&&until| until <= now).count();
            day.pass(now, done);
        }
        // 32 in 32 ms, and 168 in front of everybody.
        let longest = day.waits.iter().max();
        assert!(longest.is_some_and(|&wait| wait <= 200), "{longest:?}");
        assert_eq!(day.away, 0);
    }

    #[tokio::test]
    async fn nobody_waits_for_ever_and_who_waits_for_something_else_steps_aside() {
        let mut line = Line::new(3, 1);
        line.rules.patience = Duration::from_millis(50);
        let mut first = line.stand().await.unwrap();
        let came = Instant::now();
        assert!(line.stand().await.is_none());
        assert!(came.elapsed() >= line.rules.patience);
        first.step_aside();
        drop(line.stand().await.unwrap());
        // The first is still in.
        let (one, other) = (line.pass().unwrap(), line.pass().unwrap());
        assert!(line.pass().is_none() && line.stand().await.is_none());
        drop((first, one, other));
        assert!(is_empty(&line));
    }

    fn is_empty(line: &Line) -> bool {
        let state = line.state();
        (state.inside, state.running, state.line.len()) == (0, 0, 0)
    }

    #[tokio::test]
    async fn whoever_goes_while_they_wait_leaves_no_trace() {
        let line = Arc::new(Line::new(8, 1));
        let first = line.stand().await.unwrap();
        let waiting: Vec<_> = (0..3)
            .map(|_| {
                let line = line.clone();
                tokio::spawn(async move { line.stand().await.is_some() })
            })
            .collect();
        while line.state().line.len() < 3 {
            tokio::task::yield_now().await;
        }
        waiting[0].abort();
        while line.state().line.len() > 2 {
            tokio::task::yield_now().await;
        }
        // The turn of the next comes, and they go before they hear of it.
        drop(first);
        waiting[1].abort();
        for one in waiting {
            let _ = one.await; // two were aborted
        }
        assert!(is_empty(&line));
    }
}
