//! Stable keys of modules, lessons and pages, which identify them across exports and imports regardless of position
//! and content. Courses imported with keys keep them; for others, keys are derived from ids.

use sha2::{Digest as _, Sha256};
use uuid::Uuid;

/// Characters of a key.
const MAX_KEY_CHARS: usize = 64;

const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";

/// Twelve letters and digits derived from the id.
pub fn key_of(id: Uuid) -> String {
    let hash = Sha256::digest(id.as_bytes());
    hash.iter()
        .take(12)
        .map(|byte| char::from(LETTERS.get(usize::from(byte % 32)).copied().unwrap_or(b'a')))
        .collect()
}

pub fn is_key(key: &str) -> bool {
    (1..=MAX_KEY_CHARS).contains(&key.len())
        && key
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-' || b == b'_')
}
