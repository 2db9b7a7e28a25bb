//! Tests that look at the whole schema, and need what is inside the face for it.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod cost;
mod queries;
mod statements;
mod world;

use std::path::{Path, PathBuf};

/// A file of the project.
fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}
