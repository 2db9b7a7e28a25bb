//! The REST face over real HTTP, on both databases, as different people meet it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod authoring;
mod bad_input;
mod courses;
mod files;
mod http;
mod items;
mod learning;
mod login;
mod me;
mod openapi;
mod people;
mod recovery;
mod sessions;
mod support;
mod uploads;
mod users;
