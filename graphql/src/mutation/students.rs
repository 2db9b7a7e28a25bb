//! Mutations of students by staff.

use async_graphql::{Context, ID, InputObject, Object, Result, SimpleObject};
use kurso_base::ids::EnrollmentId;
use kurso_base::messages::Message;
use kurso_core::students;

use crate::context::{self, kurso, viewer};
use crate::error::wrap;
use crate::language::say;
use crate::types::{Course, id_of};

#[derive(Default)]
pub struct StudentsMutation;

/// A student to remove from a course.
#[derive(InputObject)]
pub struct RemoveStudentInput {
    /// ID of the enrollment: the `id` of a `Student`.
    enrollment_id: ID,
}

/// The student was removed.
#[derive(SimpleObject)]
pub struct RemoveStudentPayload {
    /// ID of the removed `Student`.
    enrollment_id: ID,
    /// The course without the student; null when it was deleted at the same time.
    course: Option<Course>,
    /// The result in words, in the language of the request.
    message: String,
}

#[Object]
impl StudentsMutation {
    /// Removes a student from a course. A student who enrolls again with the share code gets the visits and attempts back.
    /// Owner and teachers.
    async fn remove_student(&self, ctx: &Context<'_>, input: RemoveStudentInput) -> Result<RemoveStudentPayload> {
        let viewer = viewer(ctx)?;
        let id: EnrollmentId = context::id(ctx, "enrollment_id", &input.enrollment_id)?;
        let course = students::remove(kurso(ctx), viewer, id).await.map_err(wrap(ctx))?;
        Ok(RemoveStudentPayload {
            enrollment_id: id_of(id),
            course: Course::load_left(ctx, course).await?,
            message: say(ctx, Message::StudentRemoved),
        })
    }
}
