//! What every request passes before anything of it is executed, whichever way it came: the document of a persisted query is put
//! in its place, the document is measured and parsed, its cost added up, each held against its limit. Nothing here takes
//! more memory than the limits allow, whatever is sent.

mod known;
mod limits;
mod persisted;
mod prices;
mod shape;
mod tokens;
pub(crate) mod values;

use std::sync::Arc;

use async_graphql::indexmap::IndexMap;
use async_graphql::parser::types::ExecutableDocument;
use async_graphql::{Name, Request, ServerError, Value, Variables};
use kurso_core::messages::{Lang, Message, RequestLimit};

use known::{Document, Known};
pub use limits::Limits;
pub(crate) use limits::error;
use persisted::Persisted;
use prices::Prices;
use shape::{Shape, Shapeless};
use tokens::Tokens;

/// One for a server: it remembers documents.
pub struct Gate {
    limits: Limits,
    prices: Prices,
    persisted: Persisted,
    known: Known,
}

/// A request that may be executed: its document is parsed, and within every limit.
pub struct Admitted {
    /// The document of a persisted query is in its place.
    pub request: Request,
    document: Arc<Document>,
    cost: Option<u64>,
}

impl Default for Gate {
    fn default() -> Self {
        Gate::new(Limits::default())
    }
}

impl Gate {
    pub fn new(limits: Limits) -> Self {
        Gate {
            limits,
            prices: Prices::new(),
            persisted: Persisted::new(),
            known: Known::new(),
        }
    }

    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Whether there is a document at all, or the hash of one.
    pub fn is_request(request: &Request) -> bool {
        !request.query.trim().is_empty() || persisted::sent(request).is_some()
    }

    /// Admits a request or says why not, in an error whose `extensions` have the code and, for a limit, its name, what is
    /// allowed and what was found.
    pub fn admit(&self, mut request: Request, lang: Lang) -> Result<Admitted, ServerError> {
        let hash = self.persisted.complete(&mut request, lang)?;
        let document = self.document(&request.query, lang)?;
        let cost = self.cost(&document, request.operation_name.as_deref(), &request.variables);
        if let Some(cost) = cost {
            self.limits.hold(&[(RequestLimit::Cost, cost)], lang)?;
        }
        if let Some(hash) = hash {
            self.persisted.keep(hash, &request.query);
        }
        Ok(Admitted {
            request,
            document,
            cost,
        })
    }

    /// The document of a text, within every limit but that on its cost.
    fn document(&self, text: &str, lang: Lang) -> Result<Arc<Document>, ServerError> {
        if let Some(document) = self.known.get(text) {
            return Ok(document);
        }
        let tokens = Tokens::of(text);
        self.limits.hold(&of_tokens(tokens), lang)?;
        let parsed = async_graphql::parser::parse_query(text).map_err(|error| {
            let mut error = ServerError::from(error);
            error.extensions.get_or_insert_default().set("code", "BAD_USER_INPUT");
            error
        })?;
        let shape = Shape::of(&parsed).map_err(|shapeless| match shapeless {
            Shapeless::Cycle(name) => error(&Message::FragmentCycle(name), "BAD_USER_INPUT", lang),
            Shapeless::Deep(levels) => self.limits.over(RequestLimit::Depth, levels, lang),
        })?;
        self.limits.hold(&of_shape(shape), lang)?;
        let fixed_cost = match prices::is_fixed(&parsed) {
            true => self.prices.of(&parsed, None, &Variables::default()),
            false => None,
        };
        let document = Arc::new(Document {
            parsed,
            tokens,
            shape,
            fixed_cost,
        });
        self.known.keep(text, &document);
        Ok(document)
    }

    fn cost(&self, document: &Document, operation: Option<&str>, variables: &Variables) -> Option<u64> {
        let counted = || self.prices.of(&document.parsed, operation, variables);
        document.fixed_cost.or_else(counted)
    }
}

impl Admitted {
    pub fn document(&self) -> &ExecutableDocument {
        &self.document.parsed
    }

    /// For the schema, which need not parse the document again.
    pub fn into_request(mut self) -> Request {
        self.request.set_parsed_query(self.document.parsed.clone());
        self.request
    }

    /// What the request comes to by each limit.
    pub fn spent(&self) -> Spent {
        let cost = self.cost.map(|cost| (RequestLimit::Cost, cost));
        let found = of_shape(self.document.shape)
            .into_iter()
            .chain(of_tokens(self.document.tokens));
        Spent(cost.into_iter().chain(found).collect())
    }
}

/// What a request comes to, by limit.
pub struct Spent(Vec<(RequestLimit, u64)>);

impl Spent {
    pub fn add(&mut self, limit: RequestLimit, found: u64) {
        self.0.push((limit, found));
    }

    /// Each limit by its name, with what was found and what is allowed.
    pub fn all(&self, limits: &Limits) -> impl Iterator<Item = (&'static str, u64, u64)> {
        let entry = move |(limit, found): &(RequestLimit, u64)| (limit.name(), *found, limits.allowed(*limit));
        self.0.iter().map(entry)
    }

    /// For `extensions.cost`: `{"COST": {"found": 12, "allowed": 50000}, …}`.
    pub fn value(&self, limits: &Limits) -> Value {
        let entry = |(limit, found, allowed): (&str, u64, u64)| {
            let pair = [("found", found), ("allowed", allowed)];
            let pair = pair.map(|(name, n)| (Name::new(name), Value::Number(n.into())));
            (Name::new(limit), Value::Object(IndexMap::from_iter(pair)))
        };
        Value::Object(self.all(limits).map(entry).collect())
    }
}

fn of_tokens(tokens: Tokens) -> [(RequestLimit, u64); 3] {
    [
        (RequestLimit::Tokens, tokens.count),
        (RequestLimit::Name, tokens.longest_name),
        (RequestLimit::Nesting, tokens.nesting),
    ]
}

fn of_shape(shape: Shape) -> [(RequestLimit, u64); 5] {
    [
        (RequestLimit::Depth, shape.depth),
        (RequestLimit::Fields, shape.fields),
        (RequestLimit::Aliases, shape.aliases),
        (RequestLimit::Directives, shape.directives),
        (RequestLimit::Introspection, shape.introspection),
    ]
}
