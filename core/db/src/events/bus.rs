//! In-memory event bus of one process: subscribers by topic, and delivery to them.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::mpsc;
use uuid::Uuid;

use super::peer_interests::PeerInterests;
use super::presence::Editors;
use super::relay::Outgoing;
use super::{Event, Topic};

/// The length of a subscriber's queue; a subscriber whose queue is full is dropped.
const QUEUE: usize = 1024;

/// How long a new subscription waits for the other nodes to learn of it.
const ANNOUNCE_TIMEOUT: Duration = Duration::from_secs(2);

/// A handle to the event bus of a database; clones share it.
#[derive(Clone, Debug)]
pub struct EventBus(Arc<Hub>);

#[derive(Debug)]
struct Hub {
    /// Identifies this process to other nodes.
    node: Uuid,
    subscribers: Mutex<Subscribers>,
    /// The number of subscribers; without any, an event is dropped without taking the lock.
    count: AtomicUsize,
    peer_interests: PeerInterests,
    editors: Editors,
    outgoing: Outgoing,
}

#[derive(Debug, Default)]
struct Subscribers {
    last: u64,
    queues: HashMap<u64, Queue>,
    topics: HashMap<Topic, Vec<u64>>,
}

#[derive(Debug)]
struct Queue {
    events: mpsc::Sender<Arc<Event>>,
    topics: Box<[Topic]>,
}

/// A subscription; ends when dropped.
#[derive(Debug)]
pub struct Subscriber {
    bus: EventBus,
    id: u64,
    events: mpsc::Receiver<Arc<Event>>,
}

impl Subscriber {
    /// Waits for the next event. None means that later events were lost, because the queue was full or the other nodes
    /// were unreachable.
    pub async fn next(&mut self) -> Option<Arc<Event>> {
        self.events.recv().await
    }
}

impl Drop for Subscriber {
    fn drop(&mut self) {
        self.bus.forget(&[self.id]);
    }
}

impl EventBus {
    /// `shared`: the database may have other nodes.
    pub(crate) fn new(shared: bool) -> Self {
        EventBus(Arc::new(Hub {
            node: Uuid::now_v7(),
            subscribers: Mutex::default(),
            count: AtomicUsize::new(0),
            peer_interests: PeerInterests::new(shared),
            editors: Editors::default(),
            outgoing: Outgoing::default(),
        }))
    }

    /// The number of subscribers in this process.
    pub fn subscribers(&self) -> usize {
        self.0.count.load(Ordering::Relaxed)
    }

    /// Subscribes to topics. Every event committed after this returns is received, from whichever node.
    pub async fn subscribe(&self, topics: &[Topic]) -> Subscriber {
        let (sender, events) = mpsc::channel(QUEUE);
        let id = {
            let mut subscribers = self.lock();
            subscribers.last += 1;
            let id = subscribers.last;
            for topic in topics {
                subscribers.topics.entry(*topic).or_default().push(id);
            }
            let queue = Queue {
                events: sender,
                topics: topics.into(),
            };
            subscribers.queues.insert(id, queue);
            self.0.count.store(subscribers.queues.len(), Ordering::Relaxed);
            id
        };
        let subscriber = Subscriber {
            bus: self.clone(),
            id,
            events,
        };
        if self.0.peer_interests.add_own(topics) {
            let known = self.0.outgoing.announce();
            if tokio::time::timeout(ANNOUNCE_TIMEOUT, known).await.is_err() {
                tracing::warn!("other nodes may not know this node's subscriptions yet");
            }
        }
        subscriber
    }

    /// Whether another node may have subscribers for this event.
    pub(crate) fn peers_are_interested(&self, event: &Event) -> bool {
        self.0.peer_interests.is_interested(event.topic())
    }

    /// Delivers an event to the subscribers of this process. Never blocks; a subscriber with a full queue is dropped.
    pub(crate) fn deliver(&self, event: Event) {
        if self.0.count.load(Ordering::Relaxed) == 0 {
            return;
        }
        let mut slow = Vec::new();
        {
            let subscribers = self.lock();
            let Some(ids) = subscribers.topics.get(&event.topic()) else {
                return;
            };
            let event = Arc::new(event);
            for id in ids {
                let queue = subscribers.queues.get(id);
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
        let mut subscribers = self.lock();
        for id in ids {
            let Some(queue) = subscribers.queues.remove(id) else {
                continue;
            };
            for topic in &queue.topics {
                if let Some(subscribed) = subscribers.topics.get_mut(topic) {
                    subscribed.retain(|other| other != id);
                    if subscribed.is_empty() {
                        subscribers.topics.remove(topic);
                    }
                }
            }
        }
        self.0.count.store(subscribers.queues.len(), Ordering::Relaxed);
    }

    /// Ends all subscriptions, because events may have been lost.
    pub(super) fn end_all(&self) {
        let mut subscribers = self.lock();
        subscribers.queues.clear();
        subscribers.topics.clear();
        self.0.count.store(0, Ordering::Relaxed);
    }

    /// All topics with a subscriber in this process.
    pub(super) fn topics(&self) -> Vec<Topic> {
        self.lock().topics.keys().copied().collect()
    }

    pub(super) fn node(&self) -> Uuid {
        self.0.node
    }

    pub(super) fn peer_interests(&self) -> &PeerInterests {
        &self.0.peer_interests
    }

    pub(super) fn editors(&self) -> &Editors {
        &self.0.editors
    }

    pub(super) fn outgoing(&self) -> &Outgoing {
        &self.0.outgoing
    }

    fn lock(&self) -> MutexGuard<'_, Subscribers> {
        self.0.subscribers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kurso_base::ids::{CourseId, UserId};

    fn removed(course: CourseId) -> Event {
        Event::Removed { course }
    }

    #[tokio::test]
    async fn subscribers_receive_their_topics_once_and_in_order() {
        let bus = EventBus::new(false);
        let (a, b, user) = (CourseId::new(), CourseId::new(), UserId::new());
        let mut both = bus.subscribe(&[Topic::Removed(a), Topic::Person(user)]).await;
        let mut one = bus.subscribe(&[Topic::Removed(b)]).await;
        for event in [removed(a), Event::Person { user }, removed(b), removed(CourseId::new())] {
            bus.deliver(event);
        }
        assert_eq!(*both.next().await.unwrap(), removed(a));
        assert_eq!(*both.next().await.unwrap(), Event::Person { user });
        assert_eq!(*one.next().await.unwrap(), removed(b));
        assert!(both.events.is_empty() && one.events.is_empty());
        drop(both);
        assert_eq!((bus.subscribers(), bus.topics()), (1, vec![Topic::Removed(b)]));
        drop(one);
        assert_eq!((bus.subscribers(), bus.topics()), (0, vec![]));
    }

    #[tokio::test]
    async fn a_slow_subscriber_is_dropped_and_others_are_not() {
        let bus = EventBus::new(false);
        let course = CourseId::new();
        let mut slow = bus.subscribe(&[Topic::Removed(course)]).await;
        let mut quick = bus.subscribe(&[Topic::Removed(course)]).await;
        for _ in 0..2 * QUEUE {
            bus.deliver(removed(course));
            assert!(quick.next().await.is_some());
        }
        assert_eq!(bus.subscribers(), 1);
        for _ in 0..QUEUE {
            assert!(slow.next().await.is_some());
        }
        assert!(slow.next().await.is_none(), "later events were lost");
    }
}
