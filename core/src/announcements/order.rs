//! The order of a list of announcements, and its cursors. Pure.

use std::cmp::Reverse;
use std::fmt;
use std::str::FromStr;

use kurso_base::ids::AnnouncementId;

use super::State;

/// The sort key of an announcement: scheduled ones first, by their time; then pinned ones, then all others, newest first. It is also the cursor of
/// the following part, so it works even if the announcement has been deleted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    section: Section,
    /// In microseconds; negated in sections with the newest first.
    time: i64,
    id: Reverse<AnnouncementId>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Section {
    Scheduled,
    Pinned,
    Other,
}

impl Place {
    pub fn of(id: AnnouncementId, state: State, is_pinned: bool) -> Self {
        let (section, time) = match (state, is_pinned) {
            (State::Scheduled(at), _) => (Section::Scheduled, at.timestamp_micros()),
            (State::Published(at), true) => (Section::Pinned, -at.timestamp_micros()),
            (State::Published(at), false) => (Section::Other, -at.timestamp_micros()),
        };
        Place {
            section,
            time,
            id: Reverse(id),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let section = match self.section {
            Section::Scheduled => 's',
            Section::Pinned => 'p',
            Section::Other => 'o',
        };
        write!(f, "{section}.{}.{}", self.time, self.id.0)
    }
}

impl FromStr for Place {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let read = || {
            let (section, rest) = text.split_once('.')?;
            let (time, id) = rest.split_once('.')?;
            let section = match section {
                "s" => Section::Scheduled,
                "p" => Section::Pinned,
                "o" => Section::Other,
                _ => return None,
            };
            Some(Place {
                section,
                time: time.parse().ok()?,
                id: Reverse(id.parse().ok()?),
            })
        };
        read().ok_or(())
    }
}

#[cfg(test)]
mod tests {
    use chrono::{DateTime, TimeZone as _, Utc};
    use proptest::prelude::*;
    use uuid::Uuid;

    use super::*;

    fn at(seconds: i64) -> DateTime<Utc> {
        Utc.timestamp_opt(1_700_000_000 + seconds, 0).unwrap()
    }

    fn place(id: u128, is_published: bool, seconds: i64, is_pinned: bool) -> Place {
        let time = at(seconds);
        let state = if is_published {
            State::Published(time)
        } else {
            State::Scheduled(time)
        };
        Place::of(AnnouncementId(Uuid::from_u128(id)), state, is_pinned)
    }

    #[test]
    fn scheduled_ones_precede_pinned_ones_and_the_newest_precede_older_ones() {
        let listed = [
            place(1, false, 10, false),
            place(2, false, 20, true),
            place(4, true, 9, true),
            place(3, true, 5, true),
            place(9, true, 9, false),
            place(8, true, 9, false),
            place(7, true, 1, false),
        ];
        let mut sorted = listed;
        sorted.reverse();
        sorted.sort_unstable();
        assert_eq!(sorted, listed);
    }

    proptest! {
        #[test]
        fn a_cursor_leads_back_to_its_place(id: u128, is_published: bool, seconds in 0..1_000_000_i64, is_pinned: bool) {
            let place = place(id, is_published, seconds, is_pinned);
            prop_assert_eq!(place.to_string().parse::<Place>().ok(), Some(place));
        }

        #[test]
        fn pages_have_each_announcement_once(
            all in proptest::collection::vec((any::<u128>(), any::<bool>(), 0..5_i64, any::<bool>()), 0..20), size in 1..5_usize
        ) {
            let mut all: Vec<Place> = all.into_iter().map(|(id, published, at, pinned)| place(id, published, at, pinned)).collect();
            all.sort_unstable();
            all.dedup();
            let (mut seen, mut after): (Vec<Place>, Option<Place>) = (vec![], None);
            loop {
                let page: Vec<Place> = all.iter().copied().filter(|place| Some(*place) > after).take(size).collect();
                let Some(last) = page.last() else { break };
                after = last.to_string().parse().ok();
                seen.extend(page);
            }
            prop_assert_eq!(seen, all);
        }

        #[test]
        fn any_text_is_read_or_refused(text in "\\PC{0,60}") {
            let _ = text.parse::<Place>();
        }
    }
}
