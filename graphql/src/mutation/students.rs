//! What staff do with students.

use async_graphql::{Context, ID, InputObject, Object, Result, SimpleObject};
use kurso_core::ids::EnrollmentId;
use kurso_core::learning::students;
use kurso_core::messages::Message;

use crate::context::{self, kurso, lang, viewer};
use crate::error::wrap;

#[derive(Default)]
pub struct StudentsMutation;

#[derive(InputObject)]
pub struct RemoveStudentInput {
    enrollment_id: ID,
}

#[derive(SimpleObject)]
pub struct RemoveStudentPayload {
    message: String,
}

#[Object]
impl StudentsMutation {
    /// Takes somebody out of a course, with all visits and attempts; the share code lets the person in again. The owner and
    /// teachers.
    async fn remove_student(&self, ctx: &Context<'_>, input: RemoveStudentInput) -> Result<RemoveStudentPayload> {
        let viewer = viewer(ctx)?;
        let id: EnrollmentId = context::id(ctx, "enrollment_id", &input.enrollment_id)?;
        students::remove(kurso(ctx), viewer, id).await.map_err(wrap(ctx))?;
        Ok(RemoveStudentPayload {
            message: Message::StudentRemoved.text(lang(ctx)),
        })
    }
}
