//! Between the nodes of one PostgreSQL: what happens, what is watched and who has a page open goes over one channel of
//! `NOTIFY`, which each node listens to on a connection of its own. SQLite has one node and needs none of it.
//!
//! A node says what it watches when that grows, and all it has to say every half minute and when somebody asks. A node that
//! has just begun to listen asks, and until the answers have come it takes everything for watched. When the connection is
//! lost events are lost with it: every watch on the node ends then, and whoever watches begins anew and reads the state.

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
use super::elsewhere::Marks;
use super::live::Live;
use super::presence::Editor;
use crate::db::{self, Db};
use crate::ids::PageId;

/// How often a node says all it has to say; it hears itself too, and so knows that it hears.
const BEAT: Duration = Duration::from_secs(30);
/// A connection on which nothing came for so long is dead.
const SILENCE: Duration = Duration::from_secs(75);
/// How long the others have to answer who has just begun to listen.
const SETTLING: Duration = Duration::from_secs(5);
/// Between two tries to listen.
const PAUSE: Duration = Duration::from_secs(1);
/// Words that wait to be said, and notifications that wait to be read.
const QUEUE: usize = 1024;

/// What one node says to the others.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum Word {
    Happened(Event),
    /// All that is watched on this node; the number is for the node itself.
    Watching {
        number: u64,
        marks: String,
    },
    /// Say what you have to say.
    Ask,
    /// Somebody has opened a page in an editor, or has it open still.
    Came {
        page: PageId,
        editor: Editor,
    },
    Left {
        page: PageId,
        id: Uuid,
    },
    /// The node ends, or begins anew: nothing it said holds any more.
    Bye,
}

#[derive(Serialize, Deserialize)]
struct Said<W> {
    node: Uuid,
    word: W,
}

/// What waits to be said to the other nodes.
#[derive(Debug)]
pub(super) struct Outgoing {
    /// While the node listens.
    words: Mutex<Option<mpsc::Sender<Word>>>,
    /// A word was lost: the others have to hear all of it anew.
    is_behind: AtomicBool,
    /// How often it was asked to say what is watched, and up to which of these it has heard itself.
    asked: AtomicU64,
    heard: watch::Sender<u64>,
    wanted: Notify,
}

impl Default for Outgoing {
    fn default() -> Self {
        Outgoing {
            words: Mutex::default(),
            is_behind: AtomicBool::new(false),
            asked: AtomicU64::new(0),
            heard: watch::Sender::new(0),
            wanted: Notify::new(),
        }
    }
}

impl Outgoing {
    /// Never waits.
    pub fn say(&self, word: Word) {
        let words = self.words.lock().unwrap_or_else(PoisonError::into_inner);
        if words.as_ref().is_some_and(|words| words.try_send(word).is_err()) {
            self.is_behind.store(true, Ordering::Relaxed);
        }
    }

    /// Has it said to the others what is watched here; done when they can have heard it.
    pub fn announce(&self) -> impl Future<Output = ()> + use<> {
        let is_open = self.words.lock().unwrap_or_else(PoisonError::into_inner).is_some();
        let number = self.asked.fetch_add(1, Ordering::SeqCst) + 1;
        self.wanted.notify_one();
        let mut heard = self.heard.subscribe();
        async move {
            if is_open {
                // An error would say that the node ends.
                let _ = heard.wait_for(|heard| *heard >= number).await;
            }
        }
    }

    fn open(&self) -> mpsc::Receiver<Word> {
        let (sender, words) = mpsc::channel(QUEUE);
        *self.words.lock().unwrap_or_else(PoisonError::into_inner) = Some(sender);
        words
    }

    fn close(&self) {
        *self.words.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

/// The texts that tell the other nodes of these events; none for what nobody there watches.
pub(crate) fn texts(live: &Live, events: &[Event]) -> Vec<String> {
    let wanted = events.iter().filter(|event| live.is_wanted_elsewhere(event));
    wanted
        .filter_map(|event| text(live.node(), &Word::Happened(event.clone())))
        .collect()
}

fn text(node: Uuid, word: &Word) -> Option<String> {
    serde_json::to_string(&Said { node, word })
        .inspect_err(|error| tracing::error!(%error, "a word to the other nodes could not be written"))
        .ok()
}

/// Hears and tells the other nodes, for as long as the database is open. Ends at once on SQLite.
pub async fn relay(db: Db) {
    loop {
        match listen(&db).await {
            Ok(()) | Err(sqlx::Error::PoolClosed) => return,
            Err(error) => tracing::warn!(%error, "the other nodes cannot be heard"),
        }
        sleep(PAUSE).await;
    }
}

/// Tells the other nodes that this one ends.
pub async fn farewell(db: &Db) {
    let node = db.live().node();
    let words: Vec<_> = text(node, &Word::Bye).into_iter().collect();
    if let Err(error) = db.notify(words).await {
        tracing::debug!(%error, "the other nodes were not told of the end");
    }
}

/// Ok on a database without other nodes; else until the connection is lost.
async fn listen(db: &Db) -> db::Result<()> {
    let Some(listener) = db.listener().await? else {
        return Ok(());
    };
    let words = db.live().outgoing().open();
    let node = Node { db, live: db.live() };
    let ended = node.run(Ear::of(listener), words).await;
    node.live.outgoing().close();
    node.live.elsewhere().unsettle();
    let own = node.live.node();
    node.live.editors().keep(|node| node == own);
    node.live.end_all();
    ended
}

/// Reads notifications in a task of its own, so that none is lost while something else is done.
struct Ear {
    heard: mpsc::Receiver<db::Result<String>>,
    task: JoinHandle<()>,
}

impl Drop for Ear {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Ear {
    fn of(mut listener: PgListener) -> Self {
        let (sender, heard) = mpsc::channel(QUEUE);
        let task = tokio::spawn(async move {
            loop {
                let next = match timeout(SILENCE, listener.try_recv()).await {
                    Ok(Ok(Some(notification))) => Ok(notification.payload().to_owned()),
                    Ok(Ok(None)) => Err(lost("the connection was lost")),
                    Ok(Err(error)) => Err(error),
                    Err(_) => Err(lost("nothing was heard for too long")),
                };
                let is_end = next.is_err();
                if sender.send(next).await.is_err() || is_end {
                    return;
                }
            }
        });
        Ear { heard, task }
    }
}

fn lost(why: &'static str) -> sqlx::Error {
    sqlx::Error::Io(std::io::Error::new(std::io::ErrorKind::ConnectionAborted, why))
}

struct Node<'a> {
    db: &'a Db,
    live: &'a Live,
}

impl Node<'_> {
    async fn run(&self, mut ear: Ear, mut words: mpsc::Receiver<Word>) -> db::Result<()> {
        let live = self.live;
        let mut beat = interval(BEAT);
        beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let settling = sleep(SETTLING);
        tokio::pin!(settling);
        let mut is_settled = false;
        self.say(&[Word::Bye, Word::Ask]).await?;
        loop {
            tokio::select! {
                heard = ear.heard.recv() => match heard {
                    Some(Ok(text)) => self.hear(&text).await?,
                    Some(Err(error)) => return Err(error),
                    None => return Err(lost("nobody listens any more")),
                },
                Some(word) = words.recv() => self.say(&[word]).await?,
                () = live.outgoing().wanted.notified() => {
                    let watching = self.watching();
                    self.say(&[watching]).await?;
                }
                () = &mut settling, if !is_settled => {
                    is_settled = true;
                    live.elsewhere().settle();
                }
                _ = beat.tick() => {
                    let is_behind = live.outgoing().is_behind.swap(false, Ordering::Relaxed);
                    self.say_all(is_behind).await?;
                    live.elsewhere().forget_silent();
                    self.forget_editors(|node| node == live.node() || live.elsewhere().has(node));
                }
            }
        }
    }

    async fn say(&self, words: &[Word]) -> db::Result<()> {
        let texts: Vec<String> = words.iter().filter_map(|word| text(self.live.node(), word)).collect();
        self.db.notify(texts).await
    }

    /// `anew`: what was said before does not hold.
    async fn say_all(&self, anew: bool) -> db::Result<()> {
        let mut words = if anew { vec![Word::Bye] } else { vec![] };
        words.push(self.watching());
        let editors = self.live.editors().of(self.live.node()).into_iter();
        words.extend(editors.map(|(page, editor)| Word::Came { page, editor }));
        self.say(&words).await
    }

    fn watching(&self) -> Word {
        let number = self.live.outgoing().asked.load(Ordering::SeqCst);
        let marks = self.live.elsewhere().own(|| self.live.topics());
        Word::Watching { number, marks }
    }

    async fn hear(&self, text: &str) -> db::Result<()> {
        let Ok(Said { node, word }) = serde_json::from_str::<Said<Word>>(text) else {
            tracing::debug!("another node says what this one does not understand");
            return Ok(());
        };
        let live = self.live;
        if node == live.node() {
            if let Word::Watching { number, .. } = word {
                live.outgoing().heard.send_if_modified(|heard| {
                    let is_more = number > *heard;
                    *heard = number.max(*heard);
                    is_more
                });
            }
            return Ok(());
        }
        match word {
            Word::Happened(event) => live.deliver(event),
            Word::Watching { marks, .. } => {
                if let Some(marks) = Marks::from_text(&marks) {
                    live.elsewhere().heard(node, marks);
                }
            }
            Word::Ask => self.say_all(false).await?,
            Word::Came { page, editor } => {
                if live.editors().insert(page, node, editor) {
                    live.deliver(Event::Editors { page });
                }
            }
            Word::Left { page, id } => {
                live.editors().remove(page, id);
                live.deliver(Event::Editors { page });
            }
            Word::Bye => {
                live.elsewhere().forget(node);
                self.forget_editors(|other| other != node);
            }
        }
        Ok(())
    }

    fn forget_editors(&self, stays: impl Fn(Uuid) -> bool) {
        for page in self.live.editors().keep(stays) {
            self.live.deliver(Event::Editors { page });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::events::{Change, Topic};
    use crate::ids::UserId;

    /// PostgreSQL refuses a notification of 8,000 bytes.
    #[test]
    fn every_word_fits_into_a_notification() {
        let worst = "\u{1}".repeat(128);
        let (page, node) = (PageId::new(), Uuid::now_v7());
        let at = chrono::DateTime::from_timestamp_micros(1_795_255_200_000_001).unwrap();
        let topics: Vec<_> = (0..5_000).map(|_| Topic::Page(PageId::new())).collect();
        let words = [
            Word::Happened(Event::Page {
                page,
                what: Change::Arranged,
                version: i64::MAX,
                by: UserId::new(),
                session: Some(worst.clone()),
                at,
            }),
            Word::Watching {
                number: u64::MAX,
                marks: Marks::of(&topics).to_text(),
            },
            Word::Came {
                page,
                editor: Editor {
                    id: node,
                    user: UserId::new(),
                    session: Some(worst),
                    since: at,
                },
            },
        ];
        for word in words {
            let text = text(node, &word).unwrap();
            assert!(text.len() < 7_900, "{} bytes", text.len());
            let read: Said<Word> = serde_json::from_str(&text).unwrap();
            assert_eq!((read.node, read.word), (node, word));
        }
    }
}
