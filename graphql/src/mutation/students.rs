//! What staff do with students.

use async_graphql::{Context, ID, InputObject, Object, Result, SimpleObject};
use kurso_base::ids::EnrollmentId;
use kurso_base::messages::Message;
use kurso_core::students;

use crate::context::{self, kurso, say, viewer};
use crate::error::wrap;
use crate::types::{Course, id_of};

#[derive(Default)]
pub struct StudentsMutation;

/// Somebody to take out of a course.
#[derive(InputObject)]
pub struct RemoveStudentInput {
    /// The `id` of a `Student`.
    enrollment_id: ID,
}

/// The student is gone from the course.
#[derive(SimpleObject)]
pub struct RemoveStudentPayload {
    /// Of the `Student` who is gone.
    enrollment_id: ID,
    /// The course without them; null when it was deleted in the same moment.
    course: Option<Course>,
    /// What was done, in the language of the request.
    message: String,
}

#[Object]
impl StudentsMutation {
    /// Takes somebody out of a course, with all visits and attempts; the share code lets the person in again. The owner and
    /// teachers.
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
