//! Learner aliases of ids, and shuffles, both derived from a keyed hash, so that nothing is stored and only the server can
//! compute them.
//!
//! A generated id is a UUID v7 and reveals its creation time, which for items of an ordering is mostly their right order; the
//! common id of a pair would reveal the match. Learners therefore get aliases.

use hmac::Mac as _;
use uuid::{Builder, Uuid};

use kurso_base::error::Result;
use kurso_base::signing::{self, Hasher};

/// The key of all aliases and shuffles, made from the server's secret.
#[derive(Clone)]
pub struct QuizKey(Hasher);

impl std::fmt::Debug for QuizKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("QuizKey(…)")
    }
}

impl QuizKey {
    pub fn new(secret: &[u8]) -> Result<Self> {
        signing::derived(secret, b"kurso quiz").map(QuizKey)
    }

    /// The aliases and shuffles of one reader. `of` is the enrollment, or the page when staff without an enrollment read it.
    pub fn aliases(&self, of: Uuid) -> Aliases<'_> {
        Aliases { key: self, of }
    }
}

/// The aliases and shuffles of one reader.
#[derive(Clone, Copy)]
pub struct Aliases<'a> {
    key: &'a QuizKey,
    of: Uuid,
}

/// What an alias stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    Left,
    Right,
    Item,
}

impl Aliases<'_> {
    /// The alias of an id within a question; it never changes for a learner.
    pub fn alias(&self, question: Uuid, id: Uuid, side: Side) -> Uuid {
        let side = match side {
            Side::Left => b'l',
            Side::Right => b'r',
            Side::Item => b'i',
        };
        let hash = self.hash(side, [question, id], 0);
        let mut half = [0; 16];
        half.copy_from_slice(hash.first_chunk::<16>().unwrap_or(&[0; 16]));
        Builder::from_custom_bytes(half).into_uuid()
    }

    /// Shuffles a list; the order depends on the learner and the attempt.
    pub fn shuffle<T>(&self, list: &mut [T], attempt_no: i64, within: Uuid, id: impl Fn(&T) -> Uuid) {
        list.sort_by_cached_key(|entry| self.hash(b's', [within, id(entry)], attempt_no));
    }

    /// The rank of a bank question among the candidates of a draw. It depends on the reader, the page, the draw and the attempt.
    pub fn rank(&self, page: Uuid, draw: Uuid, question: Uuid, attempt_no: i64) -> [u8; 32] {
        self.hash(b'd', [page, draw, question], attempt_no)
    }

    /// A pseudorandom number for an attempt at a question. Each `place` has its own.
    pub fn draw(&self, question: Uuid, place: u128, attempt_no: i64) -> u128 {
        let hash = self.hash(b'v', [question, Uuid::from_u128(place)], attempt_no);
        u128::from_be_bytes(*hash.first_chunk::<16>().unwrap_or(&[0; 16]))
    }

    /// Every part has a fixed length, and each use a fixed number of ids, so different arguments never hash the same bytes.
    fn hash<const N: usize>(&self, use_for: u8, ids: [Uuid; N], attempt_no: i64) -> [u8; 32] {
        let hasher = self.key.0.clone();
        let hasher = hasher.chain_update([use_for]).chain_update(self.of);
        ids.iter()
            .fold(hasher, |hasher, id| hasher.chain_update(id))
            .chain_update(attempt_no.to_be_bytes())
            .finalize()
            .into_bytes()
            .into()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn aliases_are_stable_and_differ_by_learner_question_item_and_side() {
        let key = QuizKey::new(b"0123456789abcdef0123456789abcdef").unwrap();
        let other = QuizKey::new(b"another key another key another!").unwrap();
        let ids: Vec<Uuid> = (0..3).map(|_| Uuid::now_v7()).collect();
        let mut seen = HashSet::new();
        for key in [&key, &other] {
            for (of, question, item) in [(0, 1, 2), (1, 0, 2), (0, 2, 1), (2, 1, 0)] {
                for side in [Side::Left, Side::Right, Side::Item] {
                    let alias = key.aliases(ids[of]).alias(ids[question], ids[item], side);
                    assert!(seen.insert(alias), "an alias is there twice");
                    assert_eq!(alias, key.aliases(ids[of]).alias(ids[question], ids[item], side));
                    assert_eq!(alias.get_version_num(), 8);
                    assert!(!ids.contains(&alias));
                }
            }
        }
    }

    #[test]
    fn shuffles_are_stable_within_an_attempt() {
        let key = QuizKey::new(b"0123456789abcdef0123456789abcdef").unwrap();
        let aliases = key.aliases(Uuid::now_v7());
        let ids: Vec<Uuid> = (0..20).map(|_| Uuid::now_v7()).collect();
        let shuffled = |attempt_no| {
            let mut list = ids.clone();
            aliases.shuffle(&mut list, attempt_no, Uuid::nil(), |id| *id);
            list
        };
        assert_eq!(shuffled(1), shuffled(1));
        assert_ne!(shuffled(1), shuffled(2));
        assert_ne!(shuffled(1), ids);
        let mut sorted = shuffled(3);
        sorted.sort_unstable();
        assert_eq!(sorted, ids);
    }

    #[test]
    fn shuffles_of_two_items_are_balanced() {
        let key = QuizKey::new(b"0123456789abcdef0123456789abcdef").unwrap();
        let ids = [Uuid::now_v7(), Uuid::now_v7()];
        let kept = (0..1000)
            .filter(|_| {
                let mut list = ids;
                key.aliases(Uuid::now_v7()).shuffle(&mut list, 1, Uuid::nil(), |id| *id);
                list == ids
            })
            .count();
        assert!((400..600).contains(&kept), "{kept}");
    }
}
