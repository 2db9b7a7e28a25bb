//! Stable keys of modules, lessons and pages: what tells in a folder that a text is the one a course has, wherever it was
//! moved and whatever it says now. A course that came from a folder keeps the keys of it; others have theirs made of ids.

use sha2::{Digest as _, Sha256};
use uuid::Uuid;

/// Characters of the longest key.
const LONGEST: usize = 64;

const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";

/// Twelve letters and digits, always the same for an id.
pub fn key_of(id: Uuid) -> String {
    let hash = Sha256::digest(id.as_bytes());
    hash.iter()
        .take(12)
        .map(|byte| char::from(LETTERS.get(usize::from(byte % 32)).copied().unwrap_or(b'a')))
        .collect()
}

pub fn is_key(key: &str) -> bool {
    (1..=LONGEST).contains(&key.len())
        && key
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-' || b == b'_')
}
