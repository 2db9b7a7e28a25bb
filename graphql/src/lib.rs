//! The GraphQL face: types, queries, mutations and subscriptions over the core, and GraphQL over HTTP and WebSocket.

mod absent;
mod context;
mod cost;
mod error;
mod gate;
mod http;
mod input;
mod lists;
mod loader;
mod mutation;
mod query;
mod single;
mod socket;
mod subscription;
#[cfg(test)]
mod tests;
mod tree;
mod types;

pub use gate::{Admitted, Gate, Limits, Spent};
pub use http::{Http, router};
pub use socket::{Rules, Sockets};

use async_graphql::SchemaBuilder;
use mutation::Mutation;
use query::Query;
use subscription::Subscription;

pub type Schema = async_graphql::Schema<Query, Mutation, Subscription>;

/// The schema; what a request brings (the product, the person, the language) joins it per request.
pub fn schema() -> Schema {
    builder().finish()
}

/// The schema as text, as checked in at `schema.graphql`.
pub fn sdl() -> String {
    schema().sdl()
}

fn builder() -> SchemaBuilder<Query, Mutation, Subscription> {
    // The limits are the gate's, which says more of them than the library does.
    Schema::build(Query::default(), Mutation::default(), Subscription::default())
}
