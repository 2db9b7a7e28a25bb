//! The limits of a request, and the error of a request above one.

use std::time::Duration;

use async_graphql::{ErrorExtensionValues, ServerError};
use kurso_base::messages::{Lang, Message, RequestLimit};

/// The code of every error of a limit.
const CODE: &str = "LIMIT_EXCEEDED";

/// The highest value allowed of each. docs/graphql.md says what is counted; a test checks that the web app's operations stay
/// far below.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Bytes of a body.
    pub body: u64,
    /// JSON values in a body. The largest page has fewer.
    pub values: u64,
    /// Tokens of a document: names, numbers, strings and punctuators.
    pub tokens: u64,
    /// Bytes of a name: the library compares an unknown name with every name of the type.
    pub name: u64,
    /// Braces and brackets open at once: the parser is recursive. A page's content written into a document needs fewer.
    pub nesting: u64,
    /// Nested selections, a fragment being one: the tree has 4, GraphiQL's introspection 16.
    pub depth: u64,
    /// Fields, with those of a fragment for each of its spreads.
    pub fields: u64,
    /// Aliases, counted like fields.
    pub aliases: u64,
    /// Directives, counted like fields.
    pub directives: u64,
    /// Fields below `__schema` and `__type`, times the lengths of the lists they stand in: 300,000 for the usual introspection query.
    pub introspection: u64,
    /// The sum of the costs of the fields, by the expected lengths of their lists.
    pub cost: u64,
    /// Values of an answer, by the real lengths of its lists; counted during execution.
    pub answer: u64,
    /// From the end of the body to the answer.
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

    /// Refuses the first value that is above its limit.
    pub fn check(&self, found: &[(RequestLimit, u64)], lang: Lang) -> Result<(), ServerError> {
        match found.iter().find(|(limit, found)| *found > self.allowed(*limit)) {
            Some((limit, found)) => Err(self.over(*limit, *found, lang)),
            None => Ok(()),
        }
    }

    /// The error of a value above its limit: `extensions` have the limit, the allowed and the found value.
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

/// An error of the whole request.
pub fn error(message: &Message, code: &str, lang: Lang) -> ServerError {
    let mut error = ServerError::new(message.text(lang), None);
    let mut extensions = ErrorExtensionValues::default();
    extensions.set("code", code);
    error.extensions = Some(extensions);
    error
}
