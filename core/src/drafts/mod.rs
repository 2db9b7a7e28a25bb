//! Course drafts and the database: a draft becomes a new course or changes a course in place, and a course becomes a draft.
//! The readers and writers of course files are in `kurso-formats`.

mod changes;
mod load;
mod needs;
mod rows;
pub mod store;
mod update;

pub use changes::{Change, PageChange, compare};
pub use load::load;
pub use update::{ForJob, update, update_as};
