//! Relays events, subscriptions and editor presence between the nodes of a PostgreSQL database, over one `NOTIFY`
//! channel. Each node listens on a dedicated connection. SQLite has one node and no relay.
//!
//! A node reports its topics when the set grows, every 30 seconds, and on request. A node that starts listening
//! requests reports and treats every topic as subscribed until they have arrived. When its connection is lost, events
//! may be lost too, so all subscriptions of the node end, and its clients subscribe again and reload.

use std::future::Future;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use sqlx::postgres::PgListener;
use tokio::sync::{Notify, mpsc, watch};
use tokio::task::JoinHandle;
use tokio::time::{MissedTickBehavior, interval, sleep, timeout};
use uuid::Uuid;

use super::Event;
use super::bus::EventBus;
use super::peer_interests::TopicSet;
use super::presence::Editor;
use crate::{Db, Result};
use kurso_base::ids::{PageId, UserId};

/// How often a node reports its whole state. It receives its own reports too, which proves that the connection works.
const REPORT_INTERVAL: Duration = Duration::from_secs(30);
/// A connection that received nothing for this long is dead.
const LISTEN_TIMEOUT: Duration = Duration::from_secs(75);
/// How long the other nodes have to answer a node that starts listening.
const REPORT_TIMEOUT: Duration = Duration::from_secs(5);
/// The pause between two attempts to listen.
const RETRY_DELAY: Duration = Duration::from_secs(1);
/// Capacity of the queues of outgoing messages and of received notifications.
const QUEUE_LENGTH: usize = 1024;

/// A message from one node to the others.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum Message {
    Event(Event),
    /// All topics the node subscribes to. Only the sender itself uses the number.
    Interests {
        number: u64,
        topics: String,
    },
    /// Requests a report from every node.
    RequestReport,
    /// A page is open in an editor.
    EditorOpened {
        page: PageId,
        editor: Editor,
    },
    EditorClosed {
        page: PageId,
        id: Uuid,
    },
    /// The cursor of an editor is in another block.
    EditorMoved {
        page: PageId,
        user: UserId,
        session: String,
        block: Option<i64>,
    },
    /// The node stops or restarts; all its earlier messages are void.
    Reset,
}

#[derive(Serialize, Deserialize)]
struct Envelope<W> {
    node: Uuid,
    message: W,
}

/// Messages to the other nodes.
#[derive(Debug)]
pub(super) struct Outgoing {
    /// None while the node is not listening.
    messages: Mutex<Option<mpsc::Sender<Message>>>,
    /// A message was dropped; the next report must replace everything.
    has_dropped: AtomicBool,
    /// The number of requested announcements, and the highest one this node has received back.
    requested: AtomicU64,
    received: watch::Sender<u64>,
    report_wanted: Notify,
}

impl Default for Outgoing {
    fn default() -> Self {
        Outgoing {
            messages: Mutex::default(),
            has_dropped: AtomicBool::new(false),
            requested: AtomicU64::new(0),
            received: watch::Sender::new(0),
            report_wanted: Notify::new(),
        }
    }
}

impl Outgoing {
    /// Queues a message. Never blocks; a message that does not fit is dropped and the next report replaces everything.
    pub fn send(&self, message: Message) {
        let messages = self.messages.lock().unwrap_or_else(PoisonError::into_inner);
        if messages
            .as_ref()
            .is_some_and(|messages| messages.try_send(message).is_err())
        {
            self.has_dropped.store(true, Ordering::Relaxed);
        }
    }

    /// Reports this node's topics to the others; completes when the report was received back, so that the others can
    /// have it.
    pub fn announce(&self) -> impl Future<Output = ()> + use<> {
        let is_open = self.messages.lock().unwrap_or_else(PoisonError::into_inner).is_some();
        let number = self.requested.fetch_add(1, Ordering::SeqCst) + 1;
        self.report_wanted.notify_one();
        let mut received = self.received.subscribe();
        async move {
            if is_open {
                // Fails only when the node stops.
                let _ = received.wait_for(|received| *received >= number).await;
            }
        }
    }

    fn open(&self) -> mpsc::Receiver<Message> {
        let (sender, messages) = mpsc::channel(QUEUE_LENGTH);
        *self.messages.lock().unwrap_or_else(PoisonError::into_inner) = Some(sender);
        messages
    }

    fn close(&self) {
        *self.messages.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

/// The notifications for these events, without events that no other node subscribes to.
pub(crate) fn texts(bus: &EventBus, events: &[Event]) -> Vec<String> {
    let relevant = events.iter().filter(|event| bus.peers_are_interested(event));
    relevant
        .filter_map(|event| text(bus.node(), &Message::Event(event.clone())))
        .collect()
}

fn text(node: Uuid, message: &Message) -> Option<String> {
    serde_json::to_string(&Envelope { node, message })
        .inspect_err(|error| tracing::error!(%error, "a message to the other nodes could not be serialised"))
        .ok()
}

/// Exchanges messages with the other nodes until the database is closed. Returns immediately on SQLite.
pub async fn relay(db: Db) {
    loop {
        match listen(&db).await {
            Ok(()) | Err(sqlx::Error::PoolClosed) => return,
            Err(error) => tracing::warn!(%error, "listening for other nodes failed"),
        }
        sleep(RETRY_DELAY).await;
    }
}

/// Tells the other nodes that this one stops.
pub async fn announce_stop(db: &Db) {
    let node = db.event_bus().node();
    let messages: Vec<_> = text(node, &Message::Reset).into_iter().collect();
    if let Err(error) = db.notify(messages).await {
        tracing::debug!(%error, "the other nodes were not notified of the stop");
    }
}

/// Runs until the connection is lost. Returns Ok on a database without other nodes.
async fn listen(db: &Db) -> Result<()> {
    let Some(listener) = db.listener().await? else {
        return Ok(());
    };
    let messages = db.event_bus().outgoing().open();
    let node = Node {
        db,
        bus: db.event_bus(),
    };
    let ended = node.run(Listener::of(listener), messages).await;
    node.bus.outgoing().close();
    node.bus.peer_interests().forget_reports();
    let own = node.bus.node();
    node.bus.editors().retain_nodes(|node| node == own);
    node.bus.end_all();
    ended
}

/// Reads notifications in a separate task, so that none is lost while a message is handled.
struct Listener {
    received: mpsc::Receiver<Result<String>>,
    task: JoinHandle<()>,
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Listener {
    fn of(mut listener: PgListener) -> Self {
        let (sender, received) = mpsc::channel(QUEUE_LENGTH);
        let task = tokio::spawn(async move {
            loop {
                let next = match timeout(LISTEN_TIMEOUT, listener.try_recv()).await {
                    Ok(Ok(Some(notification))) => Ok(notification.payload().to_owned()),
                    Ok(Ok(None)) => Err(lost("the connection was lost")),
                    Ok(Err(error)) => Err(error),
                    Err(_) => Err(lost("no notification was received for too long")),
                };
                let is_end = next.is_err();
                if sender.send(next).await.is_err() || is_end {
                    return;
                }
            }
        });
        Listener { received, task }
    }
}

fn lost(why: &'static str) -> sqlx::Error {
    sqlx::Error::Io(std::io::Error::new(std::io::ErrorKind::ConnectionAborted, why))
}

struct Node<'a> {
    db: &'a Db,
    bus: &'a EventBus,
}

impl Node<'_> {
    async fn run(&self, mut listener: Listener, mut messages: mpsc::Receiver<Message>) -> Result<()> {
        let bus = self.bus;
        let mut report_timer = interval(REPORT_INTERVAL);
        report_timer.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let report_deadline = sleep(REPORT_TIMEOUT);
        tokio::pin!(report_deadline);
        let mut has_all_reports = false;
        self.send(&[Message::Reset, Message::RequestReport]).await?;
        loop {
            tokio::select! {
                received = listener.received.recv() => match received {
                    Some(Ok(text)) => self.handle(&text).await?,
                    Some(Err(error)) => return Err(error),
                    None => return Err(lost("the listener has stopped")),
                },
                Some(message) = messages.recv() => self.send(&[message]).await?,
                () = bus.outgoing().report_wanted.notified() => {
                    let own_interests = self.own_interests();
                    self.send(&[own_interests]).await?;
                }
                () = &mut report_deadline, if !has_all_reports => {
                    has_all_reports = true;
                    bus.peer_interests().mark_reports_complete();
                }
                _ = report_timer.tick() => {
                    let has_dropped = bus.outgoing().has_dropped.swap(false, Ordering::Relaxed);
                    self.send_report(has_dropped).await?;
                    bus.peer_interests().forget_expired();
                    self.forget_editors(|node| node == bus.node() || bus.peer_interests().has(node));
                }
            }
        }
    }

    async fn send(&self, messages: &[Message]) -> Result<()> {
        let texts: Vec<String> = messages
            .iter()
            .filter_map(|message| text(self.bus.node(), message))
            .collect();
        self.db.notify(texts).await
    }

    /// Sends the whole state. `reset` first voids what was sent before.
    async fn send_report(&self, reset: bool) -> Result<()> {
        let mut messages = if reset { vec![Message::Reset] } else { vec![] };
        messages.push(self.own_interests());
        let editors = self.bus.editors().of(self.bus.node()).into_iter();
        messages.extend(editors.map(|(page, editor)| Message::EditorOpened { page, editor }));
        self.send(&messages).await
    }

    fn own_interests(&self) -> Message {
        let number = self.bus.outgoing().requested.load(Ordering::SeqCst);
        let topics = self.bus.peer_interests().own_report(|| self.bus.topics());
        Message::Interests { number, topics }
    }

    async fn handle(&self, text: &str) -> Result<()> {
        let Ok(Envelope { node, message }) = serde_json::from_str::<Envelope<Message>>(text) else {
            tracing::debug!("a message of another node was not understood");
            return Ok(());
        };
        let bus = self.bus;
        if node == bus.node() {
            if let Message::Interests { number, .. } = message {
                bus.outgoing().received.send_if_modified(|received| {
                    let is_more = number > *received;
                    *received = number.max(*received);
                    is_more
                });
            }
            return Ok(());
        }
        match message {
            Message::Event(event) => bus.deliver(event),
            Message::Interests { topics, .. } => {
                if let Some(topics) = TopicSet::from_text(&topics) {
                    bus.peer_interests().record_report(node, topics);
                }
            }
            Message::RequestReport => self.send_report(false).await?,
            Message::EditorOpened { page, editor } => {
                if bus.editors().insert(page, node, editor) {
                    bus.deliver(Event::Editors { page });
                }
            }
            Message::EditorClosed { page, id } => {
                bus.editors().remove(page, id);
                bus.deliver(Event::Editors { page });
            }
            Message::EditorMoved {
                page,
                user,
                session,
                block,
            } => bus.moved(page, user, &session, block),
            Message::Reset => {
                bus.peer_interests().forget(node);
                self.forget_editors(|other| other != node);
            }
        }
        Ok(())
    }

    fn forget_editors(&self, is_kept: impl Fn(Uuid) -> bool) {
        for page in self.bus.editors().retain_nodes(is_kept) {
            self.bus.deliver(Event::Editors { page });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::events::{Change, Topic};

    /// PostgreSQL rejects notifications of 8,000 bytes or more.
    #[test]
    fn every_message_fits_into_a_notification() {
        let worst = "\u{1}".repeat(128);
        let (page, node) = (PageId::new(), Uuid::now_v7());
        let at = chrono::DateTime::from_timestamp_micros(1_795_255_200_000_001).unwrap();
        let topics: Vec<_> = (0..5_000).map(|_| Topic::Page(PageId::new())).collect();
        let messages = [
            Message::Event(Event::Page {
                page,
                what: Change::Arranged,
                version: i64::MAX,
                by: UserId::new(),
                session: Some(worst.clone()),
                at,
            }),
            Message::Interests {
                number: u64::MAX,
                topics: TopicSet::of(&topics).to_text(),
            },
            Message::EditorOpened {
                page,
                editor: Editor {
                    id: node,
                    user: UserId::new(),
                    session: Some(worst.clone()),
                    since: at,
                    block: Some(i64::MAX),
                },
            },
            Message::EditorMoved {
                page,
                user: UserId::new(),
                session: worst,
                block: Some(i64::MAX),
            },
        ];
        for message in messages {
            let text = text(node, &message).unwrap();
            assert!(text.len() < 7_900, "{} bytes", text.len());
            let read: Envelope<Message> = serde_json::from_str(&text).unwrap();
            assert_eq!((read.node, read.message), (node, message));
        }
    }
}
