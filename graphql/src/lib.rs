//! The GraphQL face: types, queries and mutations over the core, and GraphQL over HTTP.

mod absent;
mod context;
mod depth;
mod error;
mod http;
mod input;
mod lists;
mod mutation;
mod query;
mod tree;
mod types;

pub use http::{Http, router};

use async_graphql::{EmptySubscription, SchemaBuilder};
use mutation::Mutation;
use query::Query;

pub type Schema = async_graphql::Schema<Query, Mutation, EmptySubscription>;

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

fn builder() -> SchemaBuilder<Query, Mutation, EmptySubscription> {
    Schema::build(Query::default(), Mutation::default(), EmptySubscription)
        .limit_depth(MAX_DEPTH)
        .limit_complexity(MAX_COMPLEXITY)
        .limit_directives(MAX_DIRECTIVES)
}
