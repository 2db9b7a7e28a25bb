//! Many fields of one answer need the same kind of thing, each of its own parent: a loader reads it for all of them
//! together, so that an answer costs the same statements however many parents it has.

use std::collections::HashMap;
use std::future::Future;
use std::hash::Hash;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use kurso_core::error::{Error, Result};
use kurso_core::messages::Message;
use tokio::sync::{Notify, OnceCell};
use tokio::task::{coop, yield_now};

/// What is found by a key and read with something more, such as a course's row. What was read stays known: a loader lives
/// for one answer.
pub struct Loader<K, W, V> {
    state: Mutex<State<K, W, V>>,
    pulse: Arc<Pulse>,
    waits: bool,
}

/// How an answer is getting on, over all its loaders.
#[derive(Default)]
pub struct Pulse {
    /// Raised whenever a field asks for something or goes on with what it asked for.
    beats: AtomicUsize,
    /// How often what was asked for until then was let go, all at once.
    rounds: AtomicUsize,
    /// Reads that are under way.
    reads: AtomicUsize,
    read: Notify,
}

/// Turns of the scheduler without a beat after which none will come: the executor takes long lists a few at a time.
const QUIET: usize = 6;

struct State<K, W, V> {
    /// What each key was asked for in.
    asked: HashMap<K, Arc<Batch<K, W, V>>>,
    /// What is asked for next goes here.
    open: Option<Arc<Batch<K, W, V>>>,
}

struct Batch<K, W, V> {
    wanted: Mutex<Vec<(K, W)>>,
    /// The rounds there had been when it was opened.
    opened: usize,
    /// Or what hindered it, which it does for all: a database that is not there is not asked again for each of them.
    found: OnceCell<Result<HashMap<K, V>, Hindrance>>,
}

#[derive(Clone)]
enum Hindrance {
    Busy,
    Unavailable(Message),
    /// Said in the log where it happened.
    Failed,
}

impl<K, W, V> Loader<K, W, V> {
    pub fn new(pulse: &Arc<Pulse>) -> Self {
        Loader {
            state: Mutex::new(State {
                asked: HashMap::new(),
                open: None,
            }),
            pulse: pulse.clone(),
            waits: true,
        }
    }

    /// For what only one will ask for: it is read at once.
    pub fn for_one(pulse: &Arc<Pulse>) -> Self {
        Loader {
            waits: false,
            ..Loader::new(pulse)
        }
    }
}

impl Pulse {
    fn beat(&self) {
        self.beats.fetch_add(1, Relaxed);
    }

    /// Until every field of the answer waits for something and nothing is being read: whatever can be asked for has been.
    /// Or until another batch of this round has seen it; then they are read side by side.
    async fn rest(&self, opened: usize) {
        loop {
            let read = self.read.notified();
            if self.rounds.load(Relaxed) > opened {
                return;
            }
            if self.reads.load(Relaxed) > 0 {
                read.await;
                continue;
            }
            let (beats, mut turns) = (self.beats.load(Relaxed), 0);
            while turns < QUIET && self.is_at(beats, opened) {
                yield_now().await;
                turns += 1;
            }
            if turns == QUIET && self.is_at(beats, opened) {
                self.rounds.fetch_add(1, Relaxed);
                return;
            }
        }
    }

    fn is_at(&self, beats: usize, rounds: usize) -> bool {
        self.beats.load(Relaxed) == beats && self.rounds.load(Relaxed) == rounds && self.reads.load(Relaxed) == 0
    }
}

/// One of the reads under way, until it is done or dropped.
struct Reading<'a>(&'a Pulse);

impl<'a> Reading<'a> {
    fn begin(pulse: &'a Pulse) -> Self {
        pulse.reads.fetch_add(1, Relaxed);
        Reading(pulse)
    }
}

impl Drop for Reading<'_> {
    fn drop(&mut self) {
        self.0.reads.fetch_sub(1, Relaxed);
        self.0.read.notify_waiters();
    }
}

impl<K: Copy + Eq + Hash, W: Clone, V: Clone> Loader<K, W, V> {
    /// The value of `key`, read together with all that others ask for before they can go on no further; None when `read` does
    /// not find it. `read` gets each key once.
    pub async fn load<F, Fut>(&self, key: K, with: W, read: F) -> Result<Option<V>>
    where
        F: FnOnce(Vec<(K, W)>) -> Fut,
        Fut: Future<Output = Result<HashMap<K, V>>>,
    {
        let batch = self.ask(key, with);
        if batch.found.get().is_none() {
            let found = batch.found.get_or_init(async || {
                if self.waits {
                    self.pulse.rest(batch.opened).await;
                }
                let _reading = Reading::begin(&self.pulse);
                read(self.close(&batch)).await.map_err(|error| match error {
                    Error::Busy => Hindrance::Busy,
                    Error::Unavailable(message) => Hindrance::Unavailable(message),
                    error => {
                        tracing::error!(%error, "what an answer needs could not be read");
                        Hindrance::Failed
                    }
                })
            });
            // Tokio would make some of many wait for another turn, and they would come too late for what is read next.
            coop::unconstrained(found).await;
            self.pulse.beat();
        }
        match batch.found.get() {
            Some(Ok(found)) => Ok(found.get(&key).cloned()),
            Some(Err(Hindrance::Busy)) => Err(Error::Busy),
            Some(Err(Hindrance::Unavailable(message))) => Err(Error::Unavailable(message.clone())),
            _ => Err(Error::internal("a batch could not be read")),
        }
    }

    /// Need not be read any more.
    pub fn know(&self, key: K, value: V) {
        let batch = Batch {
            wanted: Mutex::default(),
            opened: 0,
            found: OnceCell::new_with(Some(Ok(HashMap::from([(key, value)])))),
        };
        lock(&self.state).asked.insert(key, Arc::new(batch));
    }

    fn ask(&self, key: K, with: W) -> Arc<Batch<K, W, V>> {
        let mut state = lock(&self.state);
        if let Some(batch) = state.asked.get(&key) {
            return batch.clone();
        }
        let open = state.open.get_or_insert_with(|| {
            Arc::new(Batch {
                wanted: Mutex::default(),
                opened: self.pulse.rounds.load(Relaxed),
                found: OnceCell::new(),
            })
        });
        let batch = open.clone();
        self.pulse.beat();
        lock(&batch.wanted).push((key, with));
        state.asked.insert(key, batch.clone());
        batch
    }

    /// What is asked for from now on goes elsewhere.
    fn close(&self, batch: &Arc<Batch<K, W, V>>) -> Vec<(K, W)> {
        let mut state = lock(&self.state);
        if state.open.as_ref().is_some_and(|open| Arc::ptr_eq(open, batch)) {
            state.open = None;
        }
        lock(&batch.wanted).clone()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use futures_util::future::join_all;

    #[tokio::test]
    async fn all_that_is_asked_for_at_once_is_read_at_once() {
        let (loader, reads) = (Loader::<usize, (), usize>::new(&Arc::default()), AtomicUsize::new(0));
        let load = async |key: usize| {
            let read = async |wanted: Vec<(usize, ())>| {
                reads.fetch_add(1, Relaxed);
                yield_now().await;
                Ok(wanted
                    .into_iter()
                    .filter(|(key, ())| key % 2 == 0)
                    .map(|(key, ())| (key, key * 10))
                    .collect())
            };
            loader.load(key, (), read).await.unwrap()
        };
        // More than Tokio lets one task do in a turn; and what is read next is read together too.
        let found = join_all((0..1000).map(async |key| (load(key).await, load(key + 1000).await))).await;
        assert_eq!((found[4], found[5]), ((Some(40), Some(10040)), (None, None)));
        assert_eq!(reads.load(Relaxed), 2);
        loader.know(1, 7);
        assert_eq!((load(1).await, load(2).await), (Some(7), Some(20)));
        assert_eq!(reads.load(Relaxed), 2);
    }

    #[tokio::test]
    async fn what_hinders_one_hinders_all_and_once() {
        let (loader, reads) = (Loader::<usize, (), usize>::new(&Arc::default()), AtomicUsize::new(0));
        let load = async |key: usize| {
            let read = async |_| {
                reads.fetch_add(1, Relaxed);
                Err(Error::Busy)
            };
            loader.load(key, (), read).await
        };
        let found = join_all((0..9).map(load)).await;
        assert!(found.iter().all(|found| matches!(found, Err(Error::Busy))));
        assert_eq!(reads.load(Relaxed), 1);
    }
}
