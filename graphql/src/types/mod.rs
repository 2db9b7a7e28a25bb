//! The objects of the schema, one a file. Their doc comments are the schema's descriptions.

mod collaborator;
mod course;
mod enrollment;
mod lesson;
mod module;
mod page;
mod progress;
mod scalars;
mod student;
mod student_progress;
mod user;
mod written;

pub use collaborator::{Collaborator, CollaboratorRole};
pub use course::{Course, Courses};
pub use enrollment::Enrollment;
pub use lesson::Lesson;
pub use module::Module;
pub use page::Page;
pub use progress::Progress;
pub use scalars::{DateTime, Document};
pub use student::{Student, StudentSort};
pub use student_progress::StudentProgress;
pub use user::User;
pub use written::{MayWrite, Modules};

use async_graphql::ID;

/// A count as GraphQL's Int.
pub(crate) fn int(n: impl TryInto<i32>) -> i32 {
    n.try_into().unwrap_or(i32::MAX)
}

pub(crate) fn id_of(id: impl std::fmt::Display) -> ID {
    ID(id.to_string())
}
