//! Random histories of an account and two devices of guests, compared with a simple reference: nothing is lost, nothing counted twice.

use std::collections::BTreeSet;

use kurso_core::access::Viewer;
use kurso_core::auth::Origin;
use kurso_core::guests;
use kurso_core::learning::{self, mark_page_visited};
use kurso_core::testing::{Dice, TestKurso, command};
use kurso_core::{attempts, both, notes};
use serde_json::json;

use super::{FREE, LIMITED, World, require_sound};

/// The attempts that the limited quiz allows.
const LIMIT: usize = 2;
/// The steps of a history before the guests are merged.
const STEPS: usize = 25;

/// The number of histories per database. `KURSO_GUEST_HISTORIES` raises it.
fn histories() -> u64 {
    #[expect(clippy::disallowed_methods, reason = "a switch of the test")]
    let wanted = std::env::var("KURSO_GUEST_HISTORIES").ok();
    wanted.and_then(|number| number.parse().ok()).unwrap_or(12)
}

/// What the reference knows of a person.
#[derive(Clone, Default, Debug, PartialEq)]
struct Known {
    is_enrolled: bool,
    visited: BTreeSet<usize>,
    bookmarks: BTreeSet<usize>,
    notes: usize,
    /// Whether each attempt passed, in order.
    free: Vec<bool>,
    limited: Vec<bool>,
}

impl Known {
    /// Takes over what a guest did; returns the number of attempts beyond the limit.
    fn merge(&mut self, guest: Known) -> i64 {
        let room = match self.is_enrolled {
            true => LIMIT.saturating_sub(self.limited.len()),
            false => LIMIT,
        };
        self.is_enrolled = true;
        self.visited.extend(guest.visited);
        self.bookmarks.extend(guest.bookmarks);
        self.notes += guest.notes;
        self.free.extend(guest.free);
        let surplus = guest.limited.len().saturating_sub(room);
        self.limited.extend(guest.limited.into_iter().take(room));
        i64::try_from(surplus).unwrap()
    }
}

struct Device {
    viewer: Viewer,
    /// None for the account.
    token: Option<String>,
    known: Known,
}

async fn step(kurso: &TestKurso, world: &World, device: &mut Device, dice: &mut Dice) {
    if !device.known.is_enrolled {
        if dice.roll(4) == 0 {
            learning::enroll(kurso, &device.viewer, &Origin::default(), &world.code)
                .await
                .unwrap();
            device.known.is_enrolled = true;
        }
        return;
    }
    let (viewer, known) = (&device.viewer, &mut device.known);
    let page = dice.roll(2);
    match dice.roll(5) {
        0 => {
            mark_page_visited(kurso, viewer, world.pages[page]).await.unwrap();
            known.visited.insert(page);
        }
        1 => {
            let set = command(json!({"is_bookmarked": true}));
            notes::set_bookmark(kurso, viewer, world.pages[page], set)
                .await
                .unwrap();
            known.bookmarks.insert(page);
        }
        2 => {
            let note = command(json!({"color": "blue", "body": "x"}));
            notes::create(kurso, viewer, world.pages[page], note).await.unwrap();
            known.notes += 1;
        }
        3 => {
            let passed = world
                .submit(kurso, viewer, FREE, 3 + dice.roll(2) as i64)
                .await
                .unwrap();
            known.free.push(passed);
            known.visited.insert(FREE);
        }
        _ => {
            let tried = world.submit(kurso, viewer, LIMITED, 3 + dice.roll(2) as i64).await;
            assert_eq!(tried.is_ok(), known.limited.len() < LIMIT, "{tried:?}");
            known.limited.extend(tried.ok());
        }
    }
}

/// What the account has, read as its owner sees it.
async fn read(kurso: &TestKurso, world: &World, account: &Viewer) -> Known {
    let view = world.view(kurso, account).await;
    let enrollment = view.course.enrollment.as_ref().unwrap().id;
    let kept = notes::kept_of(kurso, account.id(), &world.pages, false).await.unwrap();
    let passed = async |quiz: usize| {
        let attempts = attempts::attempts_of(kurso, enrollment, world.pages[quiz])
            .await
            .unwrap();
        let numbers: Vec<i64> = attempts.iter().map(|attempt| attempt.attempt_no).collect();
        assert_eq!(numbers, (1..).take(numbers.len()).collect::<Vec<i64>>());
        attempts.iter().map(|attempt| attempt.passed).collect::<Vec<bool>>()
    };
    let mut notes = 0;
    for page in &world.pages {
        notes += notes::of_page(kurso, account, *page).await.unwrap().len();
    }
    let is_kept = |page: &usize| kept.get(&world.pages[*page]).is_some_and(|kept| kept.is_bookmarked);
    Known {
        is_enrolled: true,
        visited: (0..2).filter(|page| view.marks.is_visited(*page)).collect(),
        bookmarks: (0..2).filter(is_kept).collect(),
        notes,
        free: passed(FREE).await,
        limited: passed(LIMITED).await,
    }
}

both! {
    async fn merging_guests_loses_nothing_and_counts_nothing_twice(kurso: TestKurso) {
        let world = World::of(&kurso).await;
        for seed in 1..=histories() {
            let mut dice = Dice::new(seed * 7919);
            let account = kurso.person(&format!("account{seed}")).await;
            let mut devices = vec![Device { viewer: account, token: None, known: Known::default() }];
            for _ in 0..2 {
                let (viewer, token) = world.guest(&kurso).await;
                let known = Known { is_enrolled: true, ..Known::default() };
                devices.push(Device { viewer, token: Some(token), known });
            }
            let mut steps = 0;
            while steps < STEPS || devices.len() > 1 {
                steps += 1;
                let place = dice.roll(devices.len());
                // Guests are merged at random moments; what is left is merged at the end.
                let merges = place > 0 && (steps >= STEPS || dice.roll(15) == 0);
                if merges {
                    let guest = devices.remove(place);
                    let expected = devices[0].known.merge(guest.known);
                    let token = guest.token.unwrap();
                    let merged = guests::merge(&kurso, &devices[0].viewer, &token).await.unwrap();
                    assert_eq!(merged.uncounted_attempts, expected, "seed {seed}");
                    assert_eq!(guests::merge(&kurso, &devices[0].viewer, &token).await.unwrap(), guests::Merged::default());
                } else {
                    step(&kurso, &world, &mut devices[place], &mut dice).await;
                }
            }
            let mut expected = devices.remove(0);
            expected.known.visited.remove(&FREE);
            let found = read(&kurso, &world, &expected.viewer).await;
            assert_eq!(found, expected.known, "seed {seed}");
        }
        require_sound(&kurso).await;
    }
}
