//! Notices: what happened to whom, and how people are told of it.

pub mod choices;
mod kind;
pub(crate) mod schedule;

pub use kind::Kind;
pub use schedule::{Hours, NoticeMail};
