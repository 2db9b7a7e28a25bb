//! The tree of a course, written straight from the arena.
//!
//! The general executor makes a future and a value for every field of every page, which is most of what a tree costs. Here a
//! selection of plain fields is read once into a [`plan`] and written as JSON text; any other selection goes the general way.
//! Both ways give the same bytes, which a test of made-up operations compares.
//!
//! - [`selected`]: what stands in a selection, in a document and in the executor alike
//! - [`plan`]: the fields of a selection that can be written
//! - [`write`]: what each of them says
//! - [`template`]: the tree of one version of a course, written once, with gaps for what is the learner's own
//! - [`whole`]: operations that are nothing but one course or one visited page, answered without the executor
//! - [`argument`]: the id that these are given
//! - [`json`]: the words of JSON

mod argument;
pub mod json;
pub mod plan;
pub mod selected;
mod template;
pub mod whole;
pub mod write;

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::disallowed_methods)]
mod tests;
