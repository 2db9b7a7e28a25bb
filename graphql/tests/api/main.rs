//! The GraphQL face over real HTTP, with personas, on both databases; and its schema, beside the other face's document.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod accounts;
mod authoring;
mod avatars;
mod http;
mod items;
mod limits;
mod parity;
mod persisted;
mod rights;
mod schema;
mod support;
