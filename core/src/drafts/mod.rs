//! Course drafts and the database: a draft becomes a new course or changes a course in place, and a course becomes a draft.
//! The readers and writers of course files are in `kurso-formats`.

pub(crate) mod banks;
mod changes;
mod date_changes;
mod earlier;
mod load;
mod needs;
mod rows;
pub mod store;
mod update;

pub use changes::{Change, PageChange};
pub(crate) use changes::{Comparison, compare};
pub use date_changes::{DateChange, DateField, DatedPart};
pub(crate) use earlier::restore;
pub use load::{Stored, load, load_without_bytes};
pub use update::{ForJob, update, update_as};
