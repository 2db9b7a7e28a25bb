//! Who makes a course.

use async_graphql::{Context, ID, InputObject, Object, Result, SimpleObject};
use kurso_core::courses::team::{self, Heir, NewMember};
use kurso_core::error::Error;
use kurso_core::ids::CourseId;
use kurso_core::messages::Message;
use serde_json::json;
use uuid::Uuid;

use crate::context::{self, kurso, lang, mail_lang, origin, viewer};
use crate::error::wrap;
use crate::types::{Collaborator, CollaboratorRole, Course};

#[derive(Default)]
pub struct TeamMutation;

#[derive(InputObject)]
pub struct LeaveCourseInput {
    course_id: ID,
}

#[derive(SimpleObject)]
pub struct LeaveCoursePayload {
    message: String,
}

#[derive(InputObject)]
pub struct InviteCollaboratorInput {
    course_id: ID,
    email: String,
    role: CollaboratorRole,
}

#[derive(SimpleObject)]
pub struct InviteCollaboratorPayload {
    collaborator: Collaborator,
}

#[derive(InputObject)]
pub struct RemoveCollaboratorInput {
    course_id: ID,
    /// The `id` of a `Collaborator`: the person's, or the invitation's.
    id: ID,
}

#[derive(SimpleObject)]
pub struct RemoveCollaboratorPayload {
    message: String,
}

#[derive(InputObject)]
pub struct AcceptInvitationInput {
    /// Of the link in the mail.
    token: String,
}

/// A link that no longer works or is for another address is an expected outcome: `course` is null and `error` says why in the
/// caller's language.
#[derive(SimpleObject)]
pub struct AcceptInvitationPayload {
    course: Option<Course>,
    error: Option<String>,
}

/// `userId` or `email`; with both, `userId` counts.
#[derive(InputObject)]
pub struct HandOverCourseInput {
    course_id: ID,
    user_id: Option<ID>,
    email: Option<String>,
}

#[derive(SimpleObject)]
pub struct HandOverCoursePayload {
    course: Course,
}

#[Object]
impl TeamMutation {
    /// Gives up the caller's highest role in a course: an editor or a teacher leaves the team, and an enrollment of theirs
    /// stays; a learner goes with all visits and attempts. CONFLICT for the owner, who can hand the course over.
    async fn leave_course(&self, ctx: &Context<'_>, input: LeaveCourseInput) -> Result<LeaveCoursePayload> {
        let viewer = viewer(ctx)?;
        let id: CourseId = context::id(ctx, "course_id", &input.course_id)?;
        let left = team::leave(kurso(ctx), viewer, id).await.map_err(wrap(ctx))?;
        Ok(LeaveCoursePayload {
            message: left.text(lang(ctx)),
        })
    }

    /// Mails an invitation; the role starts when the link in it is accepted by the account of that address. Again, it is a
    /// new invitation, and the earlier link no longer works. Somebody who is in the team already gets the new role at once,
    /// without a mail. The owner only.
    async fn invite_collaborator(
        &self,
        ctx: &Context<'_>,
        input: InviteCollaboratorInput,
    ) -> Result<InviteCollaboratorPayload> {
        let viewer = viewer(ctx)?;
        let id: CourseId = context::id(ctx, "course_id", &input.course_id)?;
        let new = NewMember::from_body(&json!({"email": input.email, "role": input.role.word()})).map_err(wrap(ctx))?;
        let member = team::invite(kurso(ctx), viewer, mail_lang(ctx), id, new)
            .await
            .map_err(wrap(ctx))?;
        Ok(InviteCollaboratorPayload {
            collaborator: Collaborator(member),
        })
    }

    /// Takes an editor or a teacher out of the team, or withdraws an invitation. The owner only.
    async fn remove_collaborator(
        &self,
        ctx: &Context<'_>,
        input: RemoveCollaboratorInput,
    ) -> Result<RemoveCollaboratorPayload> {
        let viewer = viewer(ctx)?;
        let course: CourseId = context::id(ctx, "course_id", &input.course_id)?;
        let member: Uuid = context::id(ctx, "id", &input.id)?;
        team::remove(kurso(ctx), viewer, course, member)
            .await
            .map_err(wrap(ctx))?;
        Ok(RemoveCollaboratorPayload {
            message: Message::MemberRemoved.text(lang(ctx)),
        })
    }

    /// Gives the caller the role of a mailed invitation. Works once, within seven days, for the account of the address it
    /// went to.
    async fn accept_invitation(
        &self,
        ctx: &Context<'_>,
        input: AcceptInvitationInput,
    ) -> Result<AcceptInvitationPayload> {
        match team::accept(kurso(ctx), viewer(ctx)?, &input.token).await {
            Ok(course) => Ok(AcceptInvitationPayload {
                course: Some(Course::from_row(course)),
                error: None,
            }),
            Err(Error::BadRequest(message)) => Ok(AcceptInvitationPayload {
                course: None,
                error: Some(message.text(lang(ctx))),
            }),
            Err(error) => Err(wrap(ctx)(error)),
        }
    }

    /// Makes another person with an active account the owner, who is told by a mail; the old owner stays as an editor, and
    /// the share code and the students stay as they are. The owner, or a superuser.
    async fn hand_over_course(&self, ctx: &Context<'_>, input: HandOverCourseInput) -> Result<HandOverCoursePayload> {
        let viewer = viewer(ctx)?;
        let id: CourseId = context::id(ctx, "course_id", &input.course_id)?;
        let body = json!({"user_id": input.user_id.map(|id| id.0), "email": input.email});
        let heir = Heir::from_body(&body).map_err(wrap(ctx))?;
        let course = team::hand_over(kurso(ctx), viewer, &origin(ctx), mail_lang(ctx), id, heir)
            .await
            .map_err(wrap(ctx))?;
        Ok(HandOverCoursePayload {
            course: Course::from_row(course),
        })
    }
}
