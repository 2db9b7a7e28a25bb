//! What is watched on other nodes, as they say: so that an event nobody there watches is not sent.
//!
//! A node says what it watches as a set of marks, one for each topic by its id, and says all of it each time: whatever was
//! lost on the way is made good by the next word. Two topics may share a mark; then an event is sent for nothing.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::time::Duration;

use tokio::time::Instant;
use uuid::Uuid;

use super::Topic;

/// Bytes of a set of marks. As hexadecimal digits it fits into a notification, which has at most 8,000 bytes.
const BYTES: usize = 1024;

/// A node that was not heard for so long is gone.
const GONE_AFTER: Duration = Duration::from_secs(90);

/// A mark for each topic that is watched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Marks(Box<[u8]>);

#[derive(Debug)]
pub(super) struct Elsewhere(RwLock<State>);

#[derive(Debug)]
struct State {
    /// May there be other nodes?
    is_shared: bool,
    /// Have they had the time to say what they watch? Until then everything may be watched.
    is_settled: bool,
    others: HashMap<Uuid, Other>,
    /// What this node has said, or is about to say.
    own: Marks,
}

#[derive(Debug)]
struct Other {
    marks: Marks,
    heard: Instant,
}

impl Marks {
    fn none() -> Self {
        Marks(vec![0; BYTES].into())
    }

    pub fn of(topics: &[Topic]) -> Self {
        let mut marks = Self::none();
        for topic in topics {
            marks.set(*topic);
        }
        marks
    }

    /// False when it was set already.
    fn set(&mut self, topic: Topic) -> bool {
        let (place, bit) = place(topic);
        let Some(byte) = self.0.get_mut(place) else {
            return false;
        };
        let is_new = *byte & bit == 0;
        *byte |= bit;
        is_new
    }

    fn has(&self, topic: Topic) -> bool {
        let (place, bit) = place(topic);
        self.0.get(place).is_some_and(|byte| byte & bit != 0)
    }

    pub fn to_text(&self) -> String {
        use std::fmt::Write as _;
        let mut text = String::with_capacity(2 * BYTES);
        for byte in &self.0 {
            // Writing to a String cannot fail.
            let _ = write!(text, "{byte:02x}");
        }
        text
    }

    /// None for what is no set of marks of this size.
    pub fn from_text(text: &str) -> Option<Self> {
        let byte = |digits: &[u8]| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok();
        let bytes: Option<Vec<u8>> = text.as_bytes().chunks(2).map(byte).collect();
        bytes
            .filter(|bytes| bytes.len() == BYTES)
            .map(|bytes| Marks(bytes.into()))
    }
}

/// The last bits of an id are random.
fn place(topic: Topic) -> (usize, u8) {
    let id = match topic {
        Topic::Course(id) | Topic::Removed(id) => id.0,
        Topic::Page(id) | Topic::Editors(id) => id.0,
        Topic::Person(id) => id.0,
        Topic::Job(id) => id.0,
    };
    let [.., high, low] = *id.as_bytes();
    let place = usize::from(u16::from_be_bytes([high, low])) % (BYTES * 8);
    (place / 8, 1 << (place % 8))
}

impl Elsewhere {
    pub fn new(is_shared: bool) -> Self {
        Elsewhere(RwLock::new(State {
            is_shared,
            is_settled: false,
            others: HashMap::new(),
            own: Marks::none(),
        }))
    }

    pub fn wants(&self, topic: Topic) -> bool {
        let state = self.read();
        let is_said = || state.others.values().any(|other| other.marks.has(topic));
        state.is_shared && !matches!(topic, Topic::Editors(_)) && (!state.is_settled || is_said())
    }

    /// Notes what is watched on this node; true when the others are to be told.
    pub fn watch(&self, topics: &[Topic]) -> bool {
        let mut state = self.write();
        let mut is_new = false;
        for topic in topics {
            is_new |= state.own.set(*topic);
        }
        state.is_shared && is_new
    }

    /// What this node says of itself. `topics` is everything that is watched now.
    pub fn own(&self, topics: impl FnOnce() -> Vec<Topic>) -> String {
        let mut state = self.write();
        state.own = Marks::of(&topics());
        state.own.to_text()
    }

    /// Another node says what it watches.
    pub fn heard(&self, node: Uuid, marks: Marks) {
        let heard = Instant::now();
        self.write().others.insert(node, Other { marks, heard });
    }

    /// From now on a node that has said nothing is not there.
    pub fn settle(&self) {
        self.write().is_settled = true;
    }

    /// Nothing is known any more.
    pub fn unsettle(&self) {
        let mut state = self.write();
        state.is_settled = false;
        state.others.clear();
    }

    pub fn forget(&self, node: Uuid) {
        self.write().others.remove(&node);
    }

    /// Forgets the nodes that were not heard for long.
    pub fn forget_silent(&self) {
        self.write()
            .others
            .retain(|_, other| other.heard.elapsed() <= GONE_AFTER);
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
    use crate::ids::{CourseId, PageId};

    #[test]
    fn marks_survive_the_way_and_fit_into_a_notification() {
        let topics = [Topic::Course(CourseId::new()), Topic::Page(PageId::new())];
        let marks = Marks::of(&topics);
        let text = marks.to_text();
        assert!(text.len() < 7_000);
        let read = Marks::from_text(&text).unwrap();
        assert_eq!(read, marks);
        assert!(topics.iter().all(|topic| read.has(*topic)));
        for bad in ["", "zz", &text[2..], &format!("{text}00"), "é"] {
            assert_eq!(Marks::from_text(bad), None);
        }
    }

    #[test]
    fn nothing_is_wanted_alone_everything_of_the_unknown_and_what_was_said_of_the_known() {
        let (watched, other) = (CourseId(Uuid::from_u128(1)), CourseId(Uuid::from_u128(2)));
        let wants = |elsewhere: &Elsewhere| [watched, other].map(|id| elsewhere.wants(Topic::Course(id)));
        assert_eq!(wants(&Elsewhere::new(false)), [false, false]);
        let elsewhere = Elsewhere::new(true);
        assert_eq!(wants(&elsewhere), [true, true]);
        elsewhere.settle();
        assert_eq!(wants(&elsewhere), [false, false]);
        elsewhere.heard(Uuid::from_u128(9), Marks::of(&[Topic::Course(watched)]));
        assert_eq!(wants(&elsewhere), [true, false]);
        elsewhere.heard(Uuid::from_u128(9), Marks::none());
        assert_eq!(wants(&elsewhere), [false, false], "a node says all of it each time");
        elsewhere.unsettle();
        assert_eq!(wants(&elsewhere), [true, true]);
    }
}
