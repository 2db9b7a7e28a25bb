//! Subscriptions over real WebSockets, on both databases and across nodes.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod activity;
mod discussions;
mod imports;
mod locked;
mod nodes;
mod notices;
mod pages;
mod protocol;
#[path = "../schema_walk/mod.rs"]
mod schema_walk;
mod sessions;
mod slow;
mod support;
