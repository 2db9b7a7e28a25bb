//! Admission checks: measures every request, by HTTP or WebSocket, and refuses one above a limit before it is executed.
//!
//! The checks resolve a persisted query, measure and parse the document and add up its cost. Their own memory stays within the
//! limits for any input.

mod documents;
mod field_costs;
pub(crate) mod json_values;
mod limits;
mod persisted;
mod shape;
mod tokens;

use std::sync::Arc;

use async_graphql::indexmap::IndexMap;
use async_graphql::parser::types::ExecutableDocument;
use async_graphql::{Name, Request, ServerError, Value, Variables};
use kurso_base::messages::{Lang, Message, RequestLimit};

use documents::{Document, DocumentCache};
use field_costs::FieldCosts;
pub use limits::Limits;
pub(crate) use limits::error;
use persisted::PersistedQueries;
use shape::{Shape, ShapeError};
use tokens::Tokens;

/// The admission checks of a server, with its caches of documents.
pub struct AdmissionChecks {
    limits: Limits,
    field_costs: FieldCosts,
    persisted: PersistedQueries,
    documents: DocumentCache,
}

/// A request within every limit, with its parsed document.
pub struct Admitted {
    /// With the document of a persisted query.
    pub request: Request,
    document: Arc<Document>,
    cost: Option<u64>,
}

impl Default for AdmissionChecks {
    fn default() -> Self {
        AdmissionChecks::new(Limits::default())
    }
}

impl AdmissionChecks {
    pub fn new(limits: Limits) -> Self {
        AdmissionChecks {
            limits,
            field_costs: FieldCosts::new(),
            persisted: PersistedQueries::new(),
            documents: DocumentCache::new(),
        }
    }

    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Whether the request has a document or the hash of one.
    pub fn is_request(request: &Request) -> bool {
        !request.query.trim().is_empty() || persisted::sent(request).is_some()
    }

    /// Admits a request. The `extensions` of an error have its code and, for a limit, its name, the allowed and the found
    /// value.
    pub fn admit(&self, mut request: Request, lang: Lang) -> Result<Admitted, ServerError> {
        let hash = self.persisted.resolve(&mut request, lang)?;
        let document = self.document(&request.query, lang)?;
        let cost = self.cost(&document, request.operation_name.as_deref(), &request.variables);
        if let Some(cost) = cost {
            self.limits.check(&[(RequestLimit::Cost, cost)], lang)?;
        }
        if let Some(hash) = hash {
            self.persisted.insert(hash, &request.query);
        }
        Ok(Admitted {
            request,
            document,
            cost,
        })
    }

    /// Parses a document and checks it against all limits except the cost.
    fn document(&self, text: &str, lang: Lang) -> Result<Arc<Document>, ServerError> {
        if let Some(document) = self.documents.get(text) {
            return Ok(document);
        }
        let tokens = Tokens::of(text);
        self.limits.check(&of_tokens(tokens), lang)?;
        let parsed = async_graphql::parser::parse_query(text).map_err(|error| {
            let mut error = ServerError::from(error);
            error.extensions.get_or_insert_default().set("code", "BAD_USER_INPUT");
            error
        })?;
        let shape = Shape::of(&parsed).map_err(|unmeasured| match unmeasured {
            ShapeError::Cycle(name) => error(&Message::FragmentCycle(name), "BAD_USER_INPUT", lang),
            ShapeError::Deep(levels) => self.limits.over(RequestLimit::Depth, levels, lang),
        })?;
        self.limits.check(&of_shape(shape), lang)?;
        let fixed_cost = match field_costs::is_fixed(&parsed) {
            true => self.field_costs.of(&parsed, None, &Variables::default()),
            false => None,
        };
        let document = Arc::new(Document {
            parsed,
            tokens,
            shape,
            fixed_cost,
        });
        self.documents.insert(text, &document);
        Ok(document)
    }

    fn cost(&self, document: &Document, operation: Option<&str>, variables: &Variables) -> Option<u64> {
        let counted = || self.field_costs.of(&document.parsed, operation, variables);
        document.fixed_cost.or_else(counted)
    }
}

impl Admitted {
    pub fn document(&self) -> &ExecutableDocument {
        &self.document.parsed
    }

    /// The request with its parsed document, so that the schema does not parse it again.
    pub fn into_request(mut self) -> Request {
        self.request.set_parsed_query(self.document.parsed.clone());
        self.request
    }

    /// The values of the request, by limit.
    pub fn measured(&self) -> Measured {
        let cost = self.cost.map(|cost| (RequestLimit::Cost, cost));
        let found = of_shape(self.document.shape)
            .into_iter()
            .chain(of_tokens(self.document.tokens));
        Measured(cost.into_iter().chain(found).collect())
    }
}

/// The measured values of a request, by limit.
pub struct Measured(Vec<(RequestLimit, u64)>);

impl Measured {
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
