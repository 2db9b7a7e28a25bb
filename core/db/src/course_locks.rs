//! In-process FIFO lock per course, acquired before a connection is.
//!
//! The row lock of the course also serialises writers, but each of them would wait while it occupies a connection, and
//! many writers of one course would leave none for readers. Writers on other nodes are still excluded by the row lock.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

use sqlx::Error;
use tokio::sync::{Mutex as CourseLock, OwnedMutexGuard};
use tokio::time::timeout;

use super::Result;
use kurso_base::ids::CourseId;

/// How long a caller waits for the lock. It is longer than the wait for a connection, because a waiting caller occupies
/// no connection, and hundreds of changes complete within this time.
const LOCK_TIMEOUT: Duration = Duration::from_secs(30);
/// How long a request waits for the lock during overload, so that writers of one course do not occupy all admission
/// slots.
const OVERLOAD_TIMEOUT: Duration = Duration::from_millis(25);
/// How long an overload is assumed to last after a request was rejected.
const OVERLOAD_WINDOW: Duration = Duration::from_secs(1);

/// The locks of the courses that are being changed.
#[derive(Clone, Debug, Default)]
pub struct CourseLocks {
    locks: Arc<Mutex<HashMap<CourseId, Weak<CourseLock<()>>>>>,
    overloaded_at: Arc<Mutex<Option<Instant>>>,
}

/// Holds the lock of a course until dropped; drop it after the transaction has ended.
#[derive(Debug)]
pub struct CourseLockGuard(#[expect(dead_code, reason = "held for its Drop")] OwnedMutexGuard<()>);

impl CourseLocks {
    /// Acquires the lock for a request. Fails with [`Error::PoolTimedOut`] after the timeout, which is short during
    /// overload. A caller that holds the lock of one course must not acquire another: that could deadlock.
    pub async fn acquire(&self, course: CourseId) -> Result<CourseLockGuard> {
        self.wait(
            course,
            if self.is_overloaded() {
                OVERLOAD_TIMEOUT
            } else {
                LOCK_TIMEOUT
            },
        )
        .await
    }

    /// Acquires the lock for a background job: keeps the full timeout during overload, because a job would have to
    /// start again.
    pub async fn acquire_for_job(&self, course: CourseId) -> Result<CourseLockGuard> {
        self.wait(course, LOCK_TIMEOUT).await
    }

    /// Reports that a request was rejected because of overload.
    pub fn report_overload(&self) {
        *self.overloaded_at.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }

    fn is_overloaded(&self) -> bool {
        let overloaded_at = self.overloaded_at.lock().unwrap_or_else(PoisonError::into_inner);
        overloaded_at.is_some_and(|at| at.elapsed() < OVERLOAD_WINDOW)
    }

    async fn wait(&self, course: CourseId, limit: Duration) -> Result<CourseLockGuard> {
        let held = timeout(limit, self.lock(course).lock_owned()).await;
        held.map(CourseLockGuard).map_err(|_| Error::PoolTimedOut)
    }

    fn lock(&self, course: CourseId) -> Arc<CourseLock<()>> {
        let mut locks = self.locks.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(lock) = locks.get(&course).and_then(Weak::upgrade) {
            return lock;
        }
        locks.retain(|_, lock| lock.strong_count() > 0);
        let lock = Arc::default();
        locks.insert(course, Arc::downgrade(&lock));
        lock
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn locks_are_granted_in_order_and_removed_after_use() {
        let locks = CourseLocks::default();
        let (one, other) = (CourseId::new(), CourseId::new());
        let first = locks.acquire(one).await.unwrap();
        let done = Arc::new(Mutex::new(Vec::new()));
        let mut waiting = Vec::new();
        for n in 0..10 {
            let (locks, done) = (locks.clone(), done.clone());
            waiting.push(tokio::spawn(async move {
                let _guard = locks.acquire(one).await.unwrap();
                done.lock().unwrap().push(n);
            }));
            tokio::task::yield_now().await;
        }
        let unrelated = locks.acquire(other).await.unwrap();
        assert!(done.lock().unwrap().is_empty());
        drop((first, unrelated));
        for one in waiting {
            one.await.unwrap();
        }
        assert_eq!(*done.lock().unwrap(), (0..10).collect::<Vec<_>>());
        let last = locks.acquire(CourseId::new()).await.unwrap();
        assert_eq!(locks.locks.lock().unwrap().len(), 1);
        drop(last);
    }

    #[tokio::test]
    async fn overload_shortens_the_timeout_of_requests_but_not_of_jobs() {
        let locks = CourseLocks::default();
        let course = CourseId::new();
        let first = locks.acquire(course).await.unwrap();
        locks.report_overload();
        let started = Instant::now();
        assert!(locks.acquire(course).await.is_err());
        assert!(started.elapsed() < LOCK_TIMEOUT / 10);
        let job = tokio::spawn({
            let locks = locks.clone();
            async move { locks.acquire_for_job(course).await.is_ok() }
        });
        tokio::time::sleep(4 * OVERLOAD_TIMEOUT).await;
        drop(first);
        assert!(job.await.unwrap());
        // An uncontended lock is acquired immediately, with or without overload.
        drop(locks.acquire(course).await.unwrap());
    }
}
