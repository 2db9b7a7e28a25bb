//! The gradebook of a course: learners by graded pages, and the grade of the course. A grade is derived from what happened and never stored;
//! settings and the decisions of teachers are stored ([decision 88](../../../docs/decisions/0088-grades-are-derived.md)).
//!
//! Graded are the published quizzes of a course. Whatever else is graded later is a page as well, so that an item is named by its page.

mod categories;
mod cells;
pub mod csv;
mod decisions;
pub mod grading;
mod items;
mod ledger;
mod own;
pub mod scheme;
mod settings;
mod table;
mod totals;

pub use categories::{
    CreateCategory, MAX_CATEGORIES, UpdateCategory, create_category, delete_category, update_category,
};
pub use cells::{Cell, Cells, DecisionKind, Final, Graded, Source};
pub use decisions::{CellRead, Decide, Decided, Decision, MAX_CHANGES, decide, read_cell};
pub use items::{SetItems, set_items};
pub use ledger::Learner;
pub use own::{OwnGrade, OwnGrades, own};
pub use scheme::Scheme;
pub(crate) use settings::is_blind;
pub use settings::{Category, Item, Setup, UpdateSettings, setup, update_settings};
pub use table::{Gradebook, Order, Query, Row, SortKey, gradebook};
pub(crate) use totals::Totals;
