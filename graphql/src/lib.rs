//! The GraphQL face: types, queries and mutations over the core, and GraphQL over HTTP.

mod absent;
mod context;
mod error;
mod gate;
mod http;
mod input;
mod lists;
mod mutation;
mod query;
mod tree;
mod types;

pub use gate::{Admitted, Gate, Limits, Spent};
pub use http::{Http, router};

use async_graphql::{EmptySubscription, SchemaBuilder};
use mutation::Mutation;
use query::Query;

pub type Schema = async_graphql::Schema<Query, Mutation, EmptySubscription>;

/// The schema; what a request brings (the product, the person, the language) joins it per request.
pub fn schema() -> Schema {
    builder().finish()
}

/// The schema as text, as checked in at `schema.graphql`.
pub fn sdl() -> String {
    schema().sdl()
}

fn builder() -> SchemaBuilder<Query, Mutation, EmptySubscription> {
    // The limits are the gate's, which says more of them than the library does.
    Schema::build(Query::default(), Mutation::default(), EmptySubscription)
}
