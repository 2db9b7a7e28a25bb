//! Who changes a course waits for their turn here, first come, first served, and takes a connection only then. The course's
//! row would let them through one by one as well, but each with a connection in hand: a crowd of writers in one course
//! would keep everybody else from reading. Other nodes are kept out by the row, as before.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

use sqlx::Error;
use tokio::sync::{Mutex as Queue, OwnedMutexGuard};
use tokio::time::timeout;

use super::Result;
use crate::ids::CourseId;

/// How long somebody waits before they are told that the server is busy. Longer than for a connection: it costs nobody
/// anything, and hundreds of changes go by.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long a request waits while more come than can be served: writers in one course would fill all places in front of
/// everybody who reads.
const SHORT: Duration = Duration::from_millis(25);
/// For so long after a request was turned away, more come than can be served.
const PRESSED: Duration = Duration::from_secs(1);

/// The queues before the courses that are being changed.
#[derive(Clone, Debug, Default)]
pub struct Turns {
    queues: Arc<Mutex<HashMap<CourseId, Weak<Queue<()>>>>>,
    pressed: Arc<Mutex<Option<Instant>>>,
}

/// Ends when it is dropped, which is to be after the transaction has ended.
#[derive(Debug)]
pub struct Turn(#[expect(dead_code, reason = "held, never looked at")] OwnedMutexGuard<()>);

impl Turns {
    /// For a request. [`Error::PoolTimedOut`] when too many came before. Nobody may wait for a second turn while holding one.
    pub async fn take(&self, course: CourseId) -> Result<Turn> {
        self.wait(course, if self.is_pressed() { SHORT } else { PATIENCE })
            .await
    }

    /// The same for work that nobody stands in line for, and that would have to begin anew.
    pub async fn take_patiently(&self, course: CourseId) -> Result<Turn> {
        self.wait(course, PATIENCE).await
    }

    /// A request was turned away: more come than can be served.
    pub fn press(&self) {
        *self.pressed.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }

    fn is_pressed(&self) -> bool {
        let pressed = self.pressed.lock().unwrap_or_else(PoisonError::into_inner);
        pressed.is_some_and(|at| at.elapsed() < PRESSED)
    }

    async fn wait(&self, course: CourseId, patience: Duration) -> Result<Turn> {
        let held = timeout(patience, self.queue(course).lock_owned()).await;
        held.map(Turn).map_err(|_| Error::PoolTimedOut)
    }

    fn queue(&self, course: CourseId) -> Arc<Queue<()>> {
        let mut queues = self.queues.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(queue) = queues.get(&course).and_then(Weak::upgrade) {
            return queue;
        }
        queues.retain(|_, queue| queue.strong_count() > 0);
        let queue = Arc::default();
        queues.insert(course, Arc::downgrade(&queue));
        queue
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn turns_come_in_order_and_leave_nothing_behind() {
        let turns = Turns::default();
        let (one, other) = (CourseId::new(), CourseId::new());
        let first = turns.take(one).await.unwrap();
        let done = Arc::new(Mutex::new(Vec::new()));
        let mut waiting = Vec::new();
        for n in 0..10 {
            let (turns, done) = (turns.clone(), done.clone());
            waiting.push(tokio::spawn(async move {
                let _turn = turns.take(one).await.unwrap();
                done.lock().unwrap().push(n);
            }));
            tokio::task::yield_now().await;
        }
        let elsewhere = turns.take(other).await.unwrap();
        assert!(done.lock().unwrap().is_empty());
        drop((first, elsewhere));
        for one in waiting {
            one.await.unwrap();
        }
        assert_eq!(*done.lock().unwrap(), (0..10).collect::<Vec<_>>());
        let last = turns.take(CourseId::new()).await.unwrap();
        assert_eq!(turns.queues.lock().unwrap().len(), 1);
        drop(last);
    }

    #[tokio::test]
    async fn while_the_server_is_pressed_requests_wait_a_moment_only() {
        let turns = Turns::default();
        let course = CourseId::new();
        let first = turns.take(course).await.unwrap();
        turns.press();
        let came = Instant::now();
        assert!(turns.take(course).await.is_err());
        assert!(came.elapsed() < PATIENCE / 10);
        let job = tokio::spawn({
            let turns = turns.clone();
            async move { turns.take_patiently(course).await.is_ok() }
        });
        tokio::time::sleep(4 * SHORT).await;
        drop(first);
        assert!(job.await.unwrap());
        // A free course is had at once, pressed or not.
        drop(turns.take(course).await.unwrap());
    }
}
