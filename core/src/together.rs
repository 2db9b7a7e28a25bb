//! What many requests want in the same moment is done in one go: who comes while others are being served waits until that is
//! done, and is served with all who came meanwhile. No timer: somebody alone waits for nobody.

use std::collections::VecDeque;
use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

/// Wishes `K` that are answered with `V`.
#[derive(Debug)]
pub struct Together<K, V> {
    queue: Arc<Mutex<Queue<K, V>>>,
    most: usize,
    rounds: usize,
}

#[derive(Debug)]
struct Queue<K, V> {
    waiting: VecDeque<(K, oneshot::Sender<V>)>,
    /// Who go round.
    rounds: usize,
}

impl<K: Send + 'static, V: Send + 'static> Together<K, V> {
    /// At most so many in one go, and so many goes at once.
    pub fn new(most: usize, rounds: usize) -> Self {
        Together {
            queue: Arc::new(Mutex::new(Queue {
                waiting: VecDeque::new(),
                rounds: 0,
            })),
            most,
            rounds,
        }
    }

    /// Has `act` answer this wish with others: it is given up to so many, in the order they came, and answers each. What it does
    /// goes on when whoever asked has gone. None when it had no answer: then one asks alone, and learns why.
    pub async fn ask<A, F>(&self, wish: K, act: A) -> Option<V>
    where
        A: Fn(Vec<K>) -> F + Send + 'static,
        F: Future<Output = Vec<V>> + Send + 'static,
    {
        let (tell, answer) = oneshot::channel();
        let goes_round = {
            let mut queue = lock(&self.queue);
            queue.waiting.push_back((wish, tell));
            let goes_round = queue.rounds < self.rounds;
            queue.rounds += usize::from(goes_round);
            goes_round
        };
        if goes_round {
            let round = Round {
                queue: self.queue.clone(),
                is_over: false,
            };
            tokio::spawn(serve(round, self.most, act));
        }
        answer.await.ok()
    }
}

async fn serve<K, V, A, F>(mut round: Round<K, V>, most: usize, act: A)
where
    A: Fn(Vec<K>) -> F,
    F: Future<Output = Vec<V>>,
{
    while let Some((wishes, tell)) = round.next(most) {
        for (tell, answer) in tell.into_iter().zip(act(wishes).await) {
            let _ = tell.send(answer); // whoever asked may have gone
        }
    }
}

/// Whoever goes round, until nobody waits. Should that end in the middle, those who wait hear that there is no answer.
struct Round<K, V> {
    queue: Arc<Mutex<Queue<K, V>>>,
    is_over: bool,
}

impl<K, V> Round<K, V> {
    fn next(&mut self, most: usize) -> Option<(Vec<K>, Vec<oneshot::Sender<V>>)> {
        let mut queue = lock(&self.queue);
        let count = most.min(queue.waiting.len());
        if count == 0 {
            // Under the same lock: whoever comes now goes round.
            queue.rounds -= 1;
            self.is_over = true;
            return None;
        }
        Some(queue.waiting.drain(..count).unzip())
    }
}

impl<K, V> Drop for Round<K, V> {
    fn drop(&mut self) {
        if !self.is_over {
            let mut queue = lock(&self.queue);
            queue.rounds -= 1;
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
    async fn who_comes_meanwhile_is_served_in_one_go_and_in_order() {
        let together = Arc::new(Together::<u32, (u32, usize)>::new(3, 1));
        let rounds = Arc::new(AtomicUsize::new(0));
        let mut asked = tokio::task::JoinSet::new();
        for wish in 0..8 {
            let (together, rounds) = (together.clone(), rounds.clone());
            asked.spawn(async move {
                let act = move |wishes: Vec<u32>| {
                    let round = rounds.fetch_add(1, Ordering::Relaxed);
                    async move {
                        tokio::task::yield_now().await;
                        assert!(wishes.len() <= 3 && wishes.is_sorted());
                        wishes.into_iter().map(|wish| (wish * 10, round)).collect()
                    }
                };
                (wish, together.ask(wish, act).await)
            });
        }
        let answers = asked.join_all().await;
        for (wish, answer) in &answers {
            assert_eq!(answer.map(|(answer, _)| answer), Some(wish * 10));
        }
        assert!(rounds.load(Ordering::Relaxed) < 8, "some were served together");
    }

    #[tokio::test]
    async fn one_who_goes_and_one_who_fails_keep_nobody_waiting() {
        let together = Arc::new(Together::<u32, u32>::new(3, 1));
        let gone = tokio::spawn({
            let together = together.clone();
            async move {
                together
                    .ask(1, |wishes| async {
                        tokio::task::yield_now().await;
                        wishes
                    })
                    .await
            }
        });
        tokio::task::yield_now().await;
        gone.abort();
        assert_eq!(together.ask(2, |wishes| async { wishes }).await, Some(2));
        // A round without answers, and one that breaks off.
        assert_eq!(together.ask(3, |_| async { vec![] }).await, None);
        let broken = together.ask(4, |wishes: Vec<u32>| async move {
            wishes.get(7..).map(<[u32]>::to_vec).into_iter().next().unwrap()
        });
        assert_eq!(broken.await, None);
        assert_eq!(together.ask(5, |wishes| async { wishes }).await, Some(5));
    }
}
