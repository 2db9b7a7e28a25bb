//! The GraphQL face: types, queries, mutations and subscriptions over the core, and GraphQL over HTTP and WebSocket.

mod absent;
mod context;
mod depth;
mod error;
mod http;
mod input;
mod lists;
mod mutation;
mod query;
mod single;
mod socket;
mod subscription;
mod tree;
mod types;

pub use http::{Http, router};
pub use socket::{Rules, Sockets};

use async_graphql::SchemaBuilder;
use mutation::Mutation;
use query::Query;
use subscription::Subscription;

pub type Schema = async_graphql::Schema<Query, Mutation, Subscription>;

/// How deep a query may nest: the tree is 4, GraphiQL's introspection 13.
const MAX_DEPTH: usize = 16;
/// How many fields a query may name, fragments unfolded.
const MAX_COMPLEXITY: usize = 500;
const MAX_DIRECTIVES: usize = 20;

/// The schema; what a request brings (the product, the person, the language) joins it per request.
pub fn schema() -> Schema {
    builder().finish()
}

/// The schema as text, as checked in at `schema.graphql`.
pub fn sdl() -> String {
    schema().sdl()
}

fn builder() -> SchemaBuilder<Query, Mutation, Subscription> {
    Schema::build(Query::default(), Mutation::default(), Subscription::default())
        .limit_depth(MAX_DEPTH)
        .limit_complexity(MAX_COMPLEXITY)
        .limit_directives(MAX_DIRECTIVES)
}
