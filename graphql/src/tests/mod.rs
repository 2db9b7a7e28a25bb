//! Tests over the whole schema that need internals of the crate.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod cost;
mod queries;
mod statements;
mod web;
mod world;

use std::path::{Path, PathBuf};

/// The path of a file of the repository.
fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}
