//! What can be asked, one file a resource.

mod courses;
mod learning;
mod users;

use async_graphql::MergedObject;

#[derive(Default, MergedObject)]
pub struct Query(users::UsersQuery, courses::CoursesQuery, learning::LearningQuery);
