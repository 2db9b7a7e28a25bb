//! Documents that were measured and parsed before: an app asks the same few all day.

use std::sync::Arc;

use async_graphql::parser::types::ExecutableDocument;
use quick_cache::Weighter;
use quick_cache::sync::Cache;

use super::shape::Shape;
use super::tokens::Tokens;

/// Bytes that all of them may take, as far as they can be told.
const CAPACITY: u64 = 16 << 20;
/// A longer text is parsed every time.
const LONGEST: usize = 16 << 10;

pub struct Document {
    pub parsed: ExecutableDocument,
    pub tokens: Tokens,
    pub shape: Shape,
    /// None: it depends on the variables or on the operation that is asked for.
    pub fixed_cost: Option<u64>,
}

/// By their text.
pub struct Known(Cache<Arc<str>, Arc<Document>, ByTokens>);

impl Known {
    pub fn new() -> Self {
        Known(Cache::with_weighter(1_000, CAPACITY, ByTokens))
    }

    pub fn get(&self, text: &str) -> Option<Arc<Document>> {
        self.0.get(text)
    }

    pub fn keep(&self, text: &str, document: &Arc<Document>) {
        if text.len() <= LONGEST {
            self.0.insert(text.into(), document.clone());
        }
    }
}

#[derive(Clone)]
struct ByTokens;

impl Weighter<Arc<str>, Arc<Document>> for ByTokens {
    /// A field of two letters comes to some 250 bytes once it is parsed.
    fn weight(&self, text: &Arc<str>, document: &Arc<Document>) -> u64 {
        document
            .tokens
            .count
            .saturating_mul(256)
            .saturating_add(2 * text.len() as u64 + 512)
    }
}
