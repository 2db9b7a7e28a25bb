//! What one request may ask for, and how a refusal says it.

use std::time::Duration;

use async_graphql::{ErrorExtensionValues, ServerError};
use kurso_core::messages::{Lang, Message, RequestLimit};

/// The code of every refusal by a limit.
const CODE: &str = "LIMIT_EXCEEDED";

/// The most of each that is taken. docs/graphql.md says what is counted and why so many; a test holds the web app's own
/// operations against them.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Bytes of a body.
    pub body: u64,
    /// JSON values in a body. The largest page there may be has fewer.
    pub values: u64,
    /// Tokens of a document, names, numbers and strings whole.
    pub tokens: u64,
    /// Bytes of a name: a misspelt one is compared with every name there is.
    pub name: u64,
    /// Braces and brackets open at once: what the parser follows without running out of stack, and more than a page's
    /// content written into a document needs.
    pub nesting: u64,
    /// Selections in one another, a fragment being one: the tree is 4, GraphiQL's introspection 16.
    pub depth: u64,
    /// Fields, fragments unfolded at every place they are spread.
    pub fields: u64,
    /// Aliases, counted like fields.
    pub aliases: u64,
    /// Directives, counted like fields.
    pub directives: u64,
    /// What is asked about the schema, weighed by the lengths of its lists: the usual introspection query weighs 300,000.
    pub introspection: u64,
    /// The sum of what the fields cost, by the lengths of their lists.
    pub cost: u64,
    /// Values that an answer may hold, by the rows there really are; counted while it is made (cost.rs).
    pub answer: u64,
    /// From the arrived body to the answer.
    pub time: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            body: 4 << 20,
            values: 200_000,
            tokens: 10_000,
            name: 100,
            nesting: 200,
            depth: 24,
            fields: 1_000,
            aliases: 100,
            directives: 50,
            introspection: 600_000,
            cost: 50_000,
            answer: 1_000_000,
            time: Duration::from_secs(10),
        }
    }
}

impl Limits {
    pub fn allowed(&self, limit: RequestLimit) -> u64 {
        match limit {
            RequestLimit::Body => self.body,
            RequestLimit::Values => self.values,
            RequestLimit::Tokens => self.tokens,
            RequestLimit::Name => self.name,
            RequestLimit::Nesting => self.nesting,
            RequestLimit::Depth => self.depth,
            RequestLimit::Fields => self.fields,
            RequestLimit::Aliases => self.aliases,
            RequestLimit::Directives => self.directives,
            RequestLimit::Introspection => self.introspection,
            RequestLimit::Cost => self.cost,
            RequestLimit::Answer => self.answer,
            RequestLimit::Time => u64::try_from(self.time.as_millis()).unwrap_or(u64::MAX),
        }
    }

    /// Refuses the first of the findings that is above its limit.
    pub fn hold(&self, found: &[(RequestLimit, u64)], lang: Lang) -> Result<(), ServerError> {
        match found.iter().find(|(limit, found)| *found > self.allowed(*limit)) {
            Some((limit, found)) => Err(self.over(*limit, *found, lang)),
            None => Ok(()),
        }
    }

    /// The refusal: `extensions` say which limit, how much is allowed and how much was found.
    pub fn over(&self, limit: RequestLimit, found: u64, lang: Lang) -> ServerError {
        let allowed = self.allowed(limit);
        let mut error = error(&Message::OverLimit { limit, found, allowed }, CODE, lang);
        let extensions = error.extensions.get_or_insert_default();
        extensions.set("limit", limit.name());
        extensions.set("allowed", allowed);
        extensions.set("found", found);
        error
    }
}

/// A refusal of the whole request.
pub fn error(message: &Message, code: &str, lang: Lang) -> ServerError {
    let mut error = ServerError::new(message.text(lang), None);
    let mut extensions = ErrorExtensionValues::default();
    extensions.set("code", code);
    error.extensions = Some(extensions);
    error
}
