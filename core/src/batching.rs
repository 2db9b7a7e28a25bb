//! Coalesces concurrent requests into batches: requests that arrive while a batch runs are answered by the
//! next one. There is no timer; a single request runs immediately.

use std::collections::VecDeque;
use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

/// Answers requests `K` with `V`, several at a time.
#[derive(Debug)]
pub struct Batcher<K, V> {
    queue: Arc<Mutex<Queue<K, V>>>,
    max_batch: usize,
    max_workers: usize,
}

#[derive(Debug)]
struct Queue<K, V> {
    waiting: VecDeque<(K, oneshot::Sender<V>)>,
    /// Batch workers running.
    workers: usize,
}

impl<K: Send + 'static, V: Send + 'static> Batcher<K, V> {
    /// `max_batch`: requests per batch; `max_workers`: batches that run at the same time.
    pub fn new(max_batch: usize, max_workers: usize) -> Self {
        Batcher {
            queue: Arc::new(Mutex::new(Queue {
                waiting: VecDeque::new(),
                workers: 0,
            })),
            max_batch,
            max_workers,
        }
    }

    /// Queues a request and returns its answer. `act` receives up to `max_batch` requests in order of arrival and
    /// returns their answers in the same order; it completes even if the caller is dropped. None if `act` failed or
    /// returned too few answers: the caller then runs the request alone to get the error.
    pub async fn submit<A, F>(&self, request: K, act: A) -> Option<V>
    where
        A: Fn(Vec<K>) -> F + Send + 'static,
        F: Future<Output = Vec<V>> + Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        let starts_worker = {
            let mut queue = lock(&self.queue);
            queue.waiting.push_back((request, reply));
            let starts_worker = queue.workers < self.max_workers;
            queue.workers += usize::from(starts_worker);
            starts_worker
        };
        if starts_worker {
            let worker = Worker {
                queue: self.queue.clone(),
                is_done: false,
            };
            tokio::spawn(serve(worker, self.max_batch, act));
        }
        answer.await.ok()
    }
}

async fn serve<K, V, A, F>(mut worker: Worker<K, V>, max_batch: usize, act: A)
where
    A: Fn(Vec<K>) -> F,
    F: Future<Output = Vec<V>>,
{
    while let Some((requests, reply)) = worker.next(max_batch) {
        for (reply, answer) in reply.into_iter().zip(act(requests).await) {
            let _ = reply.send(answer); // the caller may have been dropped
        }
    }
}

/// A worker that runs batches until the queue is empty. If it is dropped early, waiting requests get None.
struct Worker<K, V> {
    queue: Arc<Mutex<Queue<K, V>>>,
    is_done: bool,
}

impl<K, V> Worker<K, V> {
    fn next(&mut self, max_batch: usize) -> Option<(Vec<K>, Vec<oneshot::Sender<V>>)> {
        let mut queue = lock(&self.queue);
        let count = max_batch.min(queue.waiting.len());
        if count == 0 {
            // Decided under the lock: a request queued from now on starts a new worker.
            queue.workers -= 1;
            self.is_done = true;
            return None;
        }
        Some(queue.waiting.drain(..count).unzip())
    }
}

impl<K, V> Drop for Worker<K, V> {
    fn drop(&mut self) {
        if !self.is_done {
            let mut queue = lock(&self.queue);
            queue.workers -= 1;
            queue.waiting.clear();
        }
    }
}

fn lock<K, V>(queue: &Mutex<Queue<K, V>>) -> MutexGuard<'_, Queue<K, V>> {
    queue.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[tokio::test]
    async fn concurrent_requests_are_batched_in_order() {
        let batcher = Arc::new(Batcher::<u32, (u32, usize)>::new(3, 1));
        let workers = Arc::new(AtomicUsize::new(0));
        let mut pending = tokio::task::JoinSet::new();
        for request in 0..8 {
            let (batcher, workers) = (batcher.clone(), workers.clone());
            pending.spawn(async move {
                let act = move |requests: Vec<u32>| {
                    let worker = workers.fetch_add(1, Ordering::Relaxed);
                    async move {
                        tokio::task::yield_now().await;
                        assert!(requests.len() <= 3 && requests.is_sorted());
                        requests.into_iter().map(|request| (request * 10, worker)).collect()
                    }
                };
                (request, batcher.submit(request, act).await)
            });
        }
        let answers = pending.join_all().await;
        for (request, answer) in &answers {
            assert_eq!(answer.map(|(answer, _)| answer), Some(request * 10));
        }
        assert!(
            workers.load(Ordering::Relaxed) < 8,
            "at least one batch has several requests"
        );
    }

    #[tokio::test]
    async fn cancelled_and_failed_requests_do_not_block_others() {
        let batcher = Arc::new(Batcher::<u32, u32>::new(3, 1));
        let cancelled = tokio::spawn({
            let batcher = batcher.clone();
            async move {
                batcher
                    .submit(1, |requests| async {
                        tokio::task::yield_now().await;
                        requests
                    })
                    .await
            }
        });
        tokio::task::yield_now().await;
        cancelled.abort();
        assert_eq!(batcher.submit(2, |requests| async { requests }).await, Some(2));
        // A batch without answers, and one that panics.
        assert_eq!(batcher.submit(3, |_| async { vec![] }).await, None);
        let broken = batcher.submit(4, |requests: Vec<u32>| async move {
            requests.get(7..).map(<[u32]>::to_vec).into_iter().next().unwrap()
        });
        assert_eq!(broken.await, None);
        assert_eq!(batcher.submit(5, |requests| async { requests }).await, Some(5));
    }
}
