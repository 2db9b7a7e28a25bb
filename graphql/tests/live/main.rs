//! Subscriptions over real WebSockets, on both databases and across nodes.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod activity;
mod imports;
mod nodes;
mod pages;
mod protocol;
mod sessions;
mod slow;
mod support;
