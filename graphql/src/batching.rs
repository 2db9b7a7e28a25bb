//! Runs the batches of the data loaders when the executor has no other work left.
//!
//! A [`DataLoader`](async_graphql::dataloader::DataLoader) starts a batch after a delay, in a task of its own. The executor polls
//! a long list two items at a time and yields in between, so a short delay splits a batch, and a long one is added to the
//! latency of each level of a query. Here a batch starts when the executor is idle, in the request's own task: it is dropped
//! together with the request.

use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Wake, Waker};

use async_graphql::{Executor, Request, Response};
use futures_util::future::{BoxFuture, poll_fn};
use futures_util::stream::{FuturesUnordered, StreamExt as _};
use futures_util::task::AtomicWaker;

/// The batches of one request that have not started. The request's data holds it, and loaders use it as their spawner.
#[derive(Clone, Default)]
pub struct Batches(Arc<Mutex<Vec<BoxFuture<'static, ()>>>>);

/// Executes a request and the batches of its loaders.
pub async fn execute(executor: &impl Executor, request: Request) -> Response {
    let batches = Batches::default();
    batches.drive(executor.execute(request.data(batches.clone()))).await
}

impl Batches {
    pub fn add(&self, batch: BoxFuture<'static, ()>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(batch);
    }

    /// Runs `work`. Whenever it is idle, runs all batches added so far, side by side; batches that are added meanwhile wait for
    /// these.
    pub async fn drive<T>(&self, work: impl Future<Output = T>) -> T {
        let wakes = Arc::new(Wakes::default());
        let waker = Waker::from(wakes.clone());
        let mut running = FuturesUnordered::new();
        let mut work = pin!(work);
        poll_fn(|cx| {
            loop {
                wakes.task.register(cx.waker());
                wakes.happened.store(false, Relaxed);
                if let Poll::Ready(done) = work.as_mut().poll(&mut Context::from_waker(&waker)) {
                    return Poll::Ready(done);
                }
                // It yielded and is polled again: it may still add to the batches.
                if wakes.happened.load(Relaxed) {
                    return Poll::Pending;
                }
                if running.is_empty() {
                    running.extend(std::mem::take(
                        &mut *self.0.lock().unwrap_or_else(PoisonError::into_inner),
                    ));
                }
                match running.poll_next_unpin(cx) {
                    Poll::Ready(Some(())) => {}
                    Poll::Ready(None) | Poll::Pending => return Poll::Pending,
                }
            }
        })
        .await
    }
}

/// Notes whether the executor was woken since it was last polled.
#[derive(Default)]
struct Wakes {
    happened: AtomicBool,
    task: AtomicWaker,
}

impl Wake for Wakes {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.happened.store(true, Relaxed);
        self.task.wake();
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::collections::HashMap;
    use std::sync::atomic::AtomicUsize;
    use std::time::Duration;

    use async_graphql::dataloader::{DataLoader, HashMapCache, Loader};
    use futures_util::future::join_all;
    use tokio::task::yield_now;

    use super::*;

    #[derive(Clone, Default)]
    struct Tens(Arc<AtomicUsize>);

    impl Loader<usize> for Tens {
        type Value = usize;
        type Error = &'static str;

        async fn load(&self, keys: &[usize]) -> Result<HashMap<usize, usize>, &'static str> {
            self.0.fetch_add(1, Relaxed);
            yield_now().await;
            if keys.contains(&13) {
                return Err("13");
            }
            Ok(keys.iter().map(|key| (*key, key * 10)).collect())
        }
    }

    #[tokio::test]
    async fn keys_asked_for_in_long_lists_are_loaded_in_one_batch() {
        let (batches, loads) = (Batches::default(), Tens::default());
        let spawner = batches.clone();
        let loader = DataLoader::with_cache(loads.clone(), move |batch| spawner.add(batch), HashMapCache::default())
            .delay(Duration::ZERO)
            .max_batch_size(usize::MAX);
        // More than the executor or Tokio polls without a yield, and two levels of keys.
        let nested = join_all((0..100).map(|outer| {
            let loader = &loader;
            join_all((0..100).map(move |inner| async move {
                let key = 1_000 + outer * 100 + inner;
                let first = loader.load_one(key).await.unwrap();
                (first, loader.load_one(key + 100_000).await.unwrap())
            }))
        }));
        let found = batches.drive(nested).await;
        assert_eq!(found[4][2], (Some(14_020), Some(1_014_020)));
        assert_eq!(loads.0.load(Relaxed), 2);
        let failed = batches.drive(join_all((10..20).map(|key| loader.load_one(key)))).await;
        assert!(failed.iter().all(|found| *found == Err("13")));
        assert_eq!(loads.0.load(Relaxed), 3);
    }
}
