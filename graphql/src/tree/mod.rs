//! Fast path for course trees: JSON text written straight from the tree in memory, without the executor.
//!
//! The executor makes a future and a value for every field of every page, which is most of what a tree costs. An operation that
//! consists of one course, one page or one visit, with fields that need no further statement, is compiled once into a [`plan`]
//! and answered from it. All other operations go through the resolvers in `types`. Both give the same bytes: a test
//! compares them for random operations.
//!
//! - [`compiled`]: compiled operations, by the text of their document
//! - [`argument`]: the id that such an operation is given
//! - [`selection`]: the fields of a selection, with fragments inlined
//! - [`plan`]: the fields that the fast path can write
//! - [`scalars`]: those of them that are one value of the course, each in one line
//! - [`write`]: writes a plan
//! - [`template`]: a tree of one version of a course, with gaps for the learner's own values
//! - [`json`]: writes JSON

mod argument;
pub mod compiled;
mod json;
mod plan;
mod scalars;
mod selection;
mod template;
mod write;

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::disallowed_methods)]
mod tests;
