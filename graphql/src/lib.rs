//! The GraphQL API: types, queries, mutations and subscriptions over the core, by HTTP and WebSocket.

// The merged mutations are nested futures, one in another.
#![recursion_limit = "256"]

mod absent;
mod admission;
mod batching;
mod context;
mod cost;
mod error;
mod http;
mod input;
mod language;
mod lists;
mod mutation;
mod query;
mod server;
mod socket;
mod subscription;
#[cfg(test)]
mod tests;
mod tree;
mod types;

pub use admission::{AdmissionChecks, Admitted, Limits, Measured};
pub use http::router;
pub use server::{Http, SocketConfig, Sockets};

use async_graphql::SchemaBuilder;
use mutation::Mutation;
use query::Query;
use subscription::Subscription;

pub type Schema = async_graphql::Schema<Query, Mutation, Subscription>;

/// The schema. The core, the caller and the languages are data of each request.
pub fn schema() -> Schema {
    builder().finish()
}

/// The schema definition, as in `schema.graphql`.
pub fn sdl() -> String {
    schema().sdl()
}

fn builder() -> SchemaBuilder<Query, Mutation, Subscription> {
    // The admission checks apply the limits: their errors tell the measured values.
    Schema::build(Query::default(), Mutation::default(), Subscription::default())
}
