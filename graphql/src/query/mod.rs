//! What can be asked, one file a resource.

mod admin;
mod courses;
mod imports;
mod items;
mod learning;
mod users;

use async_graphql::MergedObject;

/// What can be asked.
#[derive(Default, MergedObject)]
pub struct Query(
    users::UsersQuery,
    items::ItemsQuery,
    courses::CoursesQuery,
    learning::LearningQuery,
    admin::AdminQuery,
    imports::ImportsQuery,
);
