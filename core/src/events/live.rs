//! Who watches what in this process, and handing events to them.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::mpsc;
use uuid::Uuid;

use super::elsewhere::Elsewhere;
use super::presence::Editors;
use super::relay::Outgoing;
use super::{Event, Topic};

/// Events that wait for one who watches and does not keep up; who has more is dropped.
const QUEUE: usize = 1024;

/// How long a new watch waits until the other nodes know of it.
const PATIENCE: Duration = Duration::from_secs(2);

/// Cheap to clone; one a database.
#[derive(Clone, Debug)]
pub struct Live(Arc<Hub>);

#[derive(Debug)]
struct Hub {
    /// Of this process, as other nodes know it.
    node: Uuid,
    watchers: Mutex<Watchers>,
    /// How many there are: with none, an event is dropped without the lock.
    count: AtomicUsize,
    elsewhere: Elsewhere,
    editors: Editors,
    outgoing: Outgoing,
}

#[derive(Debug, Default)]
struct Watchers {
    last: u64,
    queues: HashMap<u64, Queue>,
    topics: HashMap<Topic, Vec<u64>>,
}

#[derive(Debug)]
struct Queue {
    events: mpsc::Sender<Arc<Event>>,
    topics: Box<[Topic]>,
}

/// One who watches; no more once dropped.
#[derive(Debug)]
pub struct Subscriber {
    live: Live,
    id: u64,
    events: mpsc::Receiver<Arc<Event>>,
}

impl Subscriber {
    /// The next event; waits for it. None: what came after the last one was missed, because it was not taken fast enough
    /// or because the other nodes were out of reach.
    pub async fn next(&mut self) -> Option<Arc<Event>> {
        self.events.recv().await
    }
}

impl Drop for Subscriber {
    fn drop(&mut self) {
        self.live.forget(&[self.id]);
    }
}

impl Live {
    /// `shared`: the database may have other nodes.
    pub(crate) fn new(shared: bool) -> Self {
        Live(Arc::new(Hub {
            node: Uuid::now_v7(),
            watchers: Mutex::default(),
            count: AtomicUsize::new(0),
            elsewhere: Elsewhere::new(shared),
            editors: Editors::default(),
            outgoing: Outgoing::default(),
        }))
    }

    /// How many watch in this process.
    pub fn watchers(&self) -> usize {
        self.0.count.load(Ordering::Relaxed)
    }

    /// Watches topics from now on: what is committed after this has returned is seen, whichever node it comes from.
    pub async fn subscribe(&self, topics: &[Topic]) -> Subscriber {
        let (sender, events) = mpsc::channel(QUEUE);
        let id = {
            let mut watchers = self.lock();
            watchers.last += 1;
            let id = watchers.last;
            for topic in topics {
                watchers.topics.entry(*topic).or_default().push(id);
            }
            let queue = Queue {
                events: sender,
                topics: topics.into(),
            };
            watchers.queues.insert(id, queue);
            self.0.count.store(watchers.queues.len(), Ordering::Relaxed);
            id
        };
        let subscriber = Subscriber {
            live: self.clone(),
            id,
            events,
        };
        if self.0.elsewhere.watch(topics) {
            let known = self.0.outgoing.announce();
            if tokio::time::timeout(PATIENCE, known).await.is_err() {
                tracing::warn!("other nodes may not know yet what is watched on this one");
            }
        }
        subscriber
    }

    /// Does anybody on another node watch this, as far as is known?
    pub(crate) fn is_wanted_elsewhere(&self, event: &Event) -> bool {
        self.0.elsewhere.wants(event.topic())
    }

    /// Hands an event to those who watch it in this process. Never waits: who does not keep up is dropped.
    pub(crate) fn deliver(&self, event: Event) {
        if self.0.count.load(Ordering::Relaxed) == 0 {
            return;
        }
        let mut slow = Vec::new();
        {
            let watchers = self.lock();
            let Some(ids) = watchers.topics.get(&event.topic()) else {
                return;
            };
            let event = Arc::new(event);
            for id in ids {
                let queue = watchers.queues.get(id);
                if queue.is_some_and(|queue| queue.events.try_send(event.clone()).is_err()) {
                    slow.push(*id);
                }
            }
        }
        self.forget(&slow);
    }

    fn forget(&self, ids: &[u64]) {
        if ids.is_empty() {
            return;
        }
        let mut watchers = self.lock();
        for id in ids {
            let Some(queue) = watchers.queues.remove(id) else {
                continue;
            };
            for topic in &queue.topics {
                if let Some(watching) = watchers.topics.get_mut(topic) {
                    watching.retain(|other| other != id);
                    if watching.is_empty() {
                        watchers.topics.remove(topic);
                    }
                }
            }
        }
        self.0.count.store(watchers.queues.len(), Ordering::Relaxed);
    }

    /// Everybody's watch ends: they may have missed something.
    pub(super) fn end_all(&self) {
        let mut watchers = self.lock();
        watchers.queues.clear();
        watchers.topics.clear();
        self.0.count.store(0, Ordering::Relaxed);
    }

    /// Every topic that is watched in this process.
    pub(super) fn topics(&self) -> Vec<Topic> {
        self.lock().topics.keys().copied().collect()
    }

    pub(super) fn node(&self) -> Uuid {
        self.0.node
    }

    pub(super) fn elsewhere(&self) -> &Elsewhere {
        &self.0.elsewhere
    }

    pub(super) fn editors(&self) -> &Editors {
        &self.0.editors
    }

    pub(super) fn outgoing(&self) -> &Outgoing {
        &self.0.outgoing
    }

    fn lock(&self) -> MutexGuard<'_, Watchers> {
        self.0.watchers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::{CourseId, UserId};

    fn removed(course: CourseId) -> Event {
        Event::Removed { course }
    }

    #[tokio::test]
    async fn each_hears_of_their_own_topics_once_and_in_order() {
        let live = Live::new(false);
        let (a, b, user) = (CourseId::new(), CourseId::new(), UserId::new());
        let mut both = live.subscribe(&[Topic::Removed(a), Topic::Person(user)]).await;
        let mut one = live.subscribe(&[Topic::Removed(b)]).await;
        for event in [removed(a), Event::Person { user }, removed(b), removed(CourseId::new())] {
            live.deliver(event);
        }
        assert_eq!(*both.next().await.unwrap(), removed(a));
        assert_eq!(*both.next().await.unwrap(), Event::Person { user });
        assert_eq!(*one.next().await.unwrap(), removed(b));
        assert!(both.events.is_empty() && one.events.is_empty());
        drop(both);
        assert_eq!((live.watchers(), live.topics()), (1, vec![Topic::Removed(b)]));
        drop(one);
        assert_eq!((live.watchers(), live.topics()), (0, vec![]));
    }

    #[tokio::test]
    async fn who_does_not_keep_up_is_dropped_and_the_rest_is_not() {
        let live = Live::new(false);
        let course = CourseId::new();
        let mut slow = live.subscribe(&[Topic::Removed(course)]).await;
        let mut quick = live.subscribe(&[Topic::Removed(course)]).await;
        for _ in 0..2 * QUEUE {
            live.deliver(removed(course));
            assert!(quick.next().await.is_some());
        }
        assert_eq!(live.watchers(), 1);
        for _ in 0..QUEUE {
            assert!(slow.next().await.is_some());
        }
        assert!(slow.next().await.is_none(), "what came after that was missed");
    }
}
