//! A person in responses to the staff of a course.

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// A user, as the staff of a course see them.
#[derive(Serialize, ToSchema)]
pub struct Person {
    pub id: Uuid,
    #[schema(required)]
    pub full_name: Option<String>,
    pub email: String,
}
