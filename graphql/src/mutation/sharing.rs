//! Mutations of share codes.

use async_graphql::{Context, ID, InputObject, Object, Result, SimpleObject};
use kurso_base::ids::CourseId;
use kurso_core::courses;

use crate::context::{self, kurso, viewer};
use crate::error::wrap;
use crate::types::Course;

#[derive(Default)]
pub struct SharingMutation;

/// A course to share.
#[derive(InputObject)]
pub struct GenerateShareCodeInput {
    /// ID of the course.
    course_id: ID,
}

/// The share code was replaced.
#[derive(SimpleObject)]
pub struct GenerateShareCodePayload {
    /// The course with its new share code.
    course: Course,
}

#[Object]
impl SharingMutation {
    /// Generates a share code, which replaces the current one immediately. Owner only.
    async fn generate_share_code(
        &self,
        ctx: &Context<'_>,
        input: GenerateShareCodeInput,
    ) -> Result<GenerateShareCodePayload> {
        let viewer = viewer(ctx)?;
        let id: CourseId = context::id(ctx, "course_id", &input.course_id)?;
        let course = courses::generate_share_code(kurso(ctx), viewer, id)
            .await
            .map_err(wrap(ctx))?;
        Ok(GenerateShareCodePayload {
            course: Course::from_row(course),
        })
    }
}
