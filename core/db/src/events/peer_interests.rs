//! Topics that other nodes subscribe to, so that an event no other node needs is not sent.
//!
//! A node reports its topics as a set of bits, one per topic, derived from the topic's id. Each report contains the
//! whole set, so a lost report is corrected by the next one. Two topics may share a bit; an event may then be sent
//! unnecessarily.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::time::Duration;

use tokio::time::Instant;
use uuid::Uuid;

use super::Topic;
use kurso_base::hex::hex;

/// Size of a topic set in bytes. In hexadecimal digits it fits into a notification, which is limited to 8,000 bytes.
const SET_BYTES: usize = 1024;

/// A node that has not reported for this long counts as stopped.
const EXPIRES_AFTER: Duration = Duration::from_secs(90);

/// A Bloom-filter-like set of topics.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TopicSet(Box<[u8]>);

#[derive(Debug)]
pub(super) struct PeerInterests(RwLock<State>);

#[derive(Debug)]
struct State {
    /// Whether there may be other nodes.
    is_shared: bool,
    /// Whether the other nodes have had time to report. Until then every topic counts as subscribed.
    has_all_reports: bool,
    others: HashMap<Uuid, Other>,
    /// The topics this node has reported, or is about to report.
    own: TopicSet,
}

#[derive(Debug)]
struct Other {
    topic_set: TopicSet,
    reported_at: Instant,
}

impl TopicSet {
    fn none() -> Self {
        TopicSet(vec![0; SET_BYTES].into())
    }

    pub fn of(topics: &[Topic]) -> Self {
        let mut topic_set = Self::none();
        for topic in topics {
            topic_set.set(*topic);
        }
        topic_set
    }

    /// Returns false if the bit was set already.
    fn set(&mut self, topic: Topic) -> bool {
        let (byte, bit) = bit_of(topic);
        let Some(byte) = self.0.get_mut(byte) else {
            return false;
        };
        let is_new = *byte & bit == 0;
        *byte |= bit;
        is_new
    }

    fn has(&self, topic: Topic) -> bool {
        let (byte, bit) = bit_of(topic);
        self.0.get(byte).is_some_and(|byte| byte & bit != 0)
    }

    pub fn to_text(&self) -> String {
        hex(&self.0)
    }

    /// Parses hexadecimal digits; None if they are not a set of this size.
    pub fn from_text(text: &str) -> Option<Self> {
        let byte = |digits: &[u8]| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok();
        let bytes: Option<Vec<u8>> = text.as_bytes().chunks(2).map(byte).collect();
        bytes
            .filter(|bytes| bytes.len() == SET_BYTES)
            .map(|bytes| TopicSet(bytes.into()))
    }
}

/// Maps a topic to a bit by the last bits of its id, which are random.
fn bit_of(topic: Topic) -> (usize, u8) {
    let id = match topic {
        Topic::Course(id) | Topic::Groups(id) | Topic::Grades(id) | Topic::Removed(id) | Topic::Discussions(id) => id.0,
        Topic::Page(id) | Topic::Editors(id) => id.0,
        Topic::Person(id) | Topic::Notices(id) => id.0,
        Topic::Job(id) => id.0,
    };
    let [.., high, low] = *id.as_bytes();
    let bit = usize::from(u16::from_be_bytes([high, low])) % (SET_BYTES * 8);
    (bit / 8, 1 << (bit % 8))
}

impl PeerInterests {
    pub fn new(is_shared: bool) -> Self {
        PeerInterests(RwLock::new(State {
            is_shared,
            has_all_reports: false,
            others: HashMap::new(),
            own: TopicSet::none(),
        }))
    }

    pub fn is_interested(&self, topic: Topic) -> bool {
        let state = self.read();
        let is_reported = || state.others.values().any(|other| other.topic_set.has(topic));
        state.is_shared && !matches!(topic, Topic::Editors(_)) && (!state.has_all_reports || is_reported())
    }

    /// Adds topics of this node. Returns true if other nodes need a new report.
    pub fn add_own(&self, topics: &[Topic]) -> bool {
        let mut state = self.write();
        let mut is_new = false;
        for topic in topics {
            is_new |= state.own.set(*topic);
        }
        state.is_shared && is_new
    }

    /// The report of this node. `topics` must return all topics currently subscribed to.
    pub fn own_report(&self, topics: impl FnOnce() -> Vec<Topic>) -> String {
        let mut state = self.write();
        state.own = TopicSet::of(&topics());
        state.own.to_text()
    }

    /// Records the report of another node.
    pub fn record_report(&self, node: Uuid, topic_set: TopicSet) {
        let reported_at = Instant::now();
        self.write().others.insert(node, Other { topic_set, reported_at });
    }

    /// From now on, a node without a report counts as absent.
    pub fn mark_reports_complete(&self) {
        self.write().has_all_reports = true;
    }

    /// Forgets all reports, after the connection was lost.
    pub fn forget_reports(&self) {
        let mut state = self.write();
        state.has_all_reports = false;
        state.others.clear();
    }

    pub fn forget(&self, node: Uuid) {
        self.write().others.remove(&node);
    }

    /// Forgets nodes that have not reported for long.
    pub fn forget_expired(&self) {
        self.write()
            .others
            .retain(|_, other| other.reported_at.elapsed() <= EXPIRES_AFTER);
    }

    pub fn has(&self, node: Uuid) -> bool {
        self.read().others.contains_key(&node)
    }

    fn read(&self) -> RwLockReadGuard<'_, State> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, State> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kurso_base::ids::{CourseId, PageId};

    #[test]
    fn topic_sets_round_trip_and_fit_into_a_notification() {
        let topics = [Topic::Course(CourseId::new()), Topic::Page(PageId::new())];
        let topic_set = TopicSet::of(&topics);
        let text = topic_set.to_text();
        assert!(text.len() < 7_000);
        let read = TopicSet::from_text(&text).unwrap();
        assert_eq!(read, topic_set);
        assert!(topics.iter().all(|topic| read.has(*topic)));
        for bad in ["", "zz", &text[2..], &format!("{text}00"), "é"] {
            assert_eq!(TopicSet::from_text(bad), None);
        }
    }

    #[test]
    fn interest_defaults_to_all_until_peers_report() {
        let (watched, other) = (CourseId(Uuid::from_u128(1)), CourseId(Uuid::from_u128(2)));
        let is_interested =
            |interests: &PeerInterests| [watched, other].map(|id| interests.is_interested(Topic::Course(id)));
        assert_eq!(is_interested(&PeerInterests::new(false)), [false, false]);
        let interests = PeerInterests::new(true);
        assert_eq!(is_interested(&interests), [true, true]);
        interests.mark_reports_complete();
        assert_eq!(is_interested(&interests), [false, false]);
        interests.record_report(Uuid::from_u128(9), TopicSet::of(&[Topic::Course(watched)]));
        assert_eq!(is_interested(&interests), [true, false]);
        interests.record_report(Uuid::from_u128(9), TopicSet::none());
        assert_eq!(
            is_interested(&interests),
            [false, false],
            "a report replaces the previous one"
        );
        interests.forget_reports();
        assert_eq!(is_interested(&interests), [true, true]);
    }
}
