//! Cache of measured and parsed documents, by their text: an app sends the same few.

use std::sync::Arc;

use async_graphql::parser::types::ExecutableDocument;
use quick_cache::Weighter;
use quick_cache::sync::Cache;

use super::shape::Shape;
use super::tokens::Tokens;

/// Estimated bytes of all documents in the cache.
const CAPACITY: u64 = 16 << 20;
/// Bytes of a text. A longer one is not cached.
const MAX_TEXT: usize = 16 << 10;

pub struct Document {
    pub parsed: ExecutableDocument,
    pub tokens: Tokens,
    pub shape: Shape,
    /// None when it depends on the variables or on the name of the operation.
    pub fixed_cost: Option<u64>,
}

pub struct DocumentCache(Cache<Arc<str>, Arc<Document>, ByTokens>);

impl DocumentCache {
    pub fn new() -> Self {
        DocumentCache(Cache::with_weighter(1_000, CAPACITY, ByTokens))
    }

    pub fn get(&self, text: &str) -> Option<Arc<Document>> {
        self.0.get(text)
    }

    pub fn insert(&self, text: &str, document: &Arc<Document>) {
        if text.len() <= MAX_TEXT {
            self.0.insert(text.into(), document.clone());
        }
    }
}

#[derive(Clone)]
struct ByTokens;

impl Weighter<Arc<str>, Arc<Document>> for ByTokens {
    /// A parsed field with a name of two letters takes about 250 bytes.
    fn weight(&self, text: &Arc<str>, document: &Arc<Document>) -> u64 {
        document
            .tokens
            .count
            .saturating_mul(256)
            .saturating_add(2 * text.len() as u64 + 512)
    }
}
