//! Automatic persisted queries as in Apollo's clients: a client sends the SHA-256 of a document instead of the document, and both
//! once when the server does not have it. The documents are in a bounded cache in memory.
//! The library's extension neither bounds the memory nor gives its error a code.

use std::sync::Arc;

use async_graphql::{Request, ServerError, Value};
use kurso_base::messages::{Lang, Message};
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use sha2::{Digest as _, Sha256};

use super::limits;

/// Bytes of all documents in the cache.
const CAPACITY: u64 = 8 << 20;
/// Bytes of a document. A longer one is not cached.
const MAX_DOCUMENT: usize = 64 << 10;

pub type Hash = [u8; 32];

pub struct PersistedQueries(Cache<Hash, Arc<str>, ByLength>);

impl PersistedQueries {
    pub fn new() -> Self {
        PersistedQueries(Cache::with_weighter(1_000, CAPACITY, ByLength))
    }

    /// Gives the request the document of its hash. For a request with both, returns the hash, so that the document can be
    /// inserted once it is admitted.
    pub fn resolve(&self, request: &mut Request, lang: Lang) -> Result<Option<Hash>, ServerError> {
        let Some(sent) = sent(request) else { return Ok(None) };
        let bad = |message| limits::error(&message, "BAD_USER_INPUT", lang);
        let hash = hash_of(sent).ok_or_else(|| bad(Message::BadPersistedQuery))?;
        if request.query.is_empty() {
            let Some(document) = self.0.get(&hash) else {
                let message = Message::PersistedQueryNotFound;
                return Err(limits::error(&message, "PERSISTED_QUERY_NOT_FOUND", lang));
            };
            request.query = document.as_ref().to_owned();
            return Ok(None);
        }
        if *Sha256::digest(&request.query) != hash {
            return Err(bad(Message::WrongQueryHash));
        }
        Ok(Some(hash))
    }

    pub fn insert(&self, hash: Hash, document: &str) {
        if document.len() <= MAX_DOCUMENT {
            self.0.insert(hash, document.into());
        }
    }
}

/// The extension `persistedQuery`.
pub fn sent(request: &Request) -> Option<&Value> {
    let sent = request.extensions.get("persistedQuery")?;
    (*sent != Value::Null).then_some(sent)
}

/// The hash in `{version: 1, sha256Hash: "…"}`.
fn hash_of(sent: &Value) -> Option<Hash> {
    let Value::Object(sent) = sent else { return None };
    let (Value::Number(version), Value::String(text)) = (sent.get("version")?, sent.get("sha256Hash")?) else {
        return None;
    };
    if version.as_u64() != Some(1) || text.len() != 64 {
        return None;
    }
    let mut hash = Hash::default();
    for (byte, pair) in hash.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
        *byte = u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()?;
    }
    Some(hash)
}

#[derive(Clone)]
struct ByLength;

impl Weighter<Hash, Arc<str>> for ByLength {
    fn weight(&self, _: &Hash, document: &Arc<str>) -> u64 {
        document.len() as u64 + 128
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_bounded() {
        let persisted = PersistedQueries::new();
        for i in 0..10_000u32 {
            let document = format!("{{ a{i} }} # {}", "x".repeat(10_000));
            persisted.insert(Sha256::digest(&document).into(), &document);
        }
        assert!(persisted.0.weight() <= CAPACITY, "{}", persisted.0.weight());
        assert!(persisted.0.len() > 100);
        persisted.insert(Hash::default(), &"x".repeat(MAX_DOCUMENT + 1));
        assert!(persisted.0.get(&Hash::default()).is_none());
    }
}
