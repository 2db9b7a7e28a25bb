//! Mutations of a course's team.

use async_graphql::{Context, ID, InputObject, Object, Result, SimpleObject};
use kurso_base::error::Error;
use kurso_base::ids::CourseId;
use kurso_base::messages::Message;
use kurso_base::values::{LinkToken, Problem};
use kurso_core::courses::team::{self, InviteCollaborator, NewOwner};
use uuid::Uuid;

use crate::context::{self, kurso, origin, viewer};
use crate::error::wrap;
use crate::input::{Fields, command};
use crate::language::{mail_lang, say};
use crate::types::{Collaborator, CollaboratorRole, Course, id_of};

#[derive(Default)]
pub struct TeamMutation;

/// A course to leave.
#[derive(InputObject)]
pub struct LeaveCourseInput {
    /// ID of the course.
    course_id: ID,
}

/// The caller has left the course.
#[derive(SimpleObject)]
pub struct LeaveCoursePayload {
    /// ID of the course.
    course_id: ID,
    /// The result in words, in the language of the request.
    message: String,
}

/// An invitation to the team of a course.
#[derive(InputObject)]
pub struct InviteCollaboratorInput {
    /// ID of the course.
    course_id: ID,
    /// Email address, with or without an account.
    email: String,
    /// The role that the invitation gives.
    role: CollaboratorRole,
}

/// The invitation is queued as a mail.
#[derive(SimpleObject)]
pub struct InviteCollaboratorPayload {
    /// The link of the invitation, to be passed on by the caller, when the server has no SMTP server; null when it is mailed, and
    /// when the account was in the team already.
    link: Option<String>,
    /// The invitation; or the collaborator with the new role, when the account was in the team already.
    collaborator: Collaborator,
    /// The course with its team; null when it was deleted at the same time.
    course: Option<Course>,
}

/// A collaborator to remove from a team.
#[derive(InputObject)]
pub struct RemoveCollaboratorInput {
    /// ID of the course.
    course_id: ID,
    /// The `id` of a `Collaborator`: the person's, or the invitation's.
    id: ID,
}

/// The collaborator was removed.
#[derive(SimpleObject)]
pub struct RemoveCollaboratorPayload {
    /// The removed `Collaborator`.
    collaborator_id: ID,
    /// The course with its team; null when it was deleted at the same time.
    course: Option<Course>,
    /// The result in words, in the language of the request.
    message: String,
}

/// A mailed invitation to a team.
#[derive(InputObject)]
pub struct AcceptInvitationInput {
    /// Token of the mailed link.
    token: String,
}

/// An invalid link, or one for another address, is an expected outcome: `course` is null and `error` has the reason.
#[derive(SimpleObject)]
pub struct AcceptInvitationPayload {
    /// The course the caller now has a role in.
    course: Option<Course>,
    /// Why the invitation was not accepted, in the language of the request.
    error: Option<String>,
}

/// The new owner, by `userId` or `email`; with both, `userId` is used.
#[derive(InputObject)]
pub struct HandOverCourseInput {
    /// ID of the course.
    course_id: ID,
    /// ID of the new owner.
    user_id: Option<ID>,
    /// Email address of the new owner.
    email: Option<String>,
}

/// The course has a new owner.
#[derive(SimpleObject)]
pub struct HandOverCoursePayload {
    /// The course, as its old owner sees it now.
    course: Course,
}

#[Object]
impl TeamMutation {
    /// Removes the caller's highest role in a course. An editor or teacher leaves the team and keeps an enrollment. A learner
    /// who enrolls again gets the visits and attempts back. CONFLICT for the owner, who can transfer the course.
    async fn leave_course(&self, ctx: &Context<'_>, input: LeaveCourseInput) -> Result<LeaveCoursePayload> {
        let viewer = viewer(ctx)?;
        let id: CourseId = context::id(ctx, "course_id", &input.course_id)?;
        let left = team::leave(kurso(ctx), viewer, id).await.map_err(wrap(ctx))?;
        Ok(LeaveCoursePayload {
            course_id: id_of(id),
            message: say(ctx, left),
        })
    }

    /// Mails an invitation; the role starts when the account of that address accepts the link in it. A new invitation to the
    /// same address replaces the earlier one, whose link stops working. An account that is in the team already gets the new
    /// role at once, without a mail. Owner only.
    async fn invite_collaborator(
        &self,
        ctx: &Context<'_>,
        input: InviteCollaboratorInput,
    ) -> Result<InviteCollaboratorPayload> {
        let viewer = viewer(ctx)?;
        let id: CourseId = context::id(ctx, "course_id", &input.course_id)?;
        let new = command!(
            ctx,
            InviteCollaborator {
                email: required(input.email),
                role: known(input.role.into()),
            }
        );
        let member = team::invite(kurso(ctx), viewer, &origin(ctx), mail_lang(ctx), id, new)
            .await
            .map_err(wrap(ctx))?;
        Ok(InviteCollaboratorPayload {
            link: team::unmailed_link(kurso(ctx), viewer, &member).map_err(wrap(ctx))?,
            collaborator: Collaborator(member),
            course: Course::load_left(ctx, id).await?,
        })
    }

    /// Removes an editor or a teacher from the team, or withdraws an invitation. Owner only.
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
            collaborator_id: id_of(member),
            course: Course::load_left(ctx, course).await?,
            message: say(ctx, Message::MemberRemoved),
        })
    }

    /// Gives the caller the role of a mailed invitation. The link works once, for seven days, for the account of the address
    /// to which it was mailed.
    async fn accept_invitation(
        &self,
        ctx: &Context<'_>,
        input: AcceptInvitationInput,
    ) -> Result<AcceptInvitationPayload> {
        match team::accept(kurso(ctx), viewer(ctx)?, &LinkToken(input.token)).await {
            Ok(course) => Ok(AcceptInvitationPayload {
                course: Some(Course::from_row(course)),
                error: None,
            }),
            Err(Error::BadRequest(message)) => Ok(AcceptInvitationPayload {
                course: None,
                error: Some(say(ctx, message)),
            }),
            Err(error) => Err(wrap(ctx)(error)),
        }
    }

    /// Makes another active account the owner and sends it a mail; the old owner becomes an editor, and the share code and the
    /// students remain. Owner and superusers.
    async fn hand_over_course(&self, ctx: &Context<'_>, input: HandOverCourseInput) -> Result<HandOverCoursePayload> {
        let viewer = viewer(ctx)?;
        let id: CourseId = context::id(ctx, "course_id", &input.course_id)?;
        let mut fields = Fields::default();
        let user = fields.optional("user_id", input.user_id);
        let email = fields.optional("email", input.email);
        let owner = user.zip(email).and_then(|(user, email)| {
            let owner = NewOwner::of(user, email);
            if owner.is_none() {
                fields.refuse("user_id", Problem::missing());
            }
            owner
        });
        let owner = fields.finish(owner).map_err(wrap(ctx))?;
        let course = team::hand_over(kurso(ctx), viewer, &origin(ctx), mail_lang(ctx), id, owner)
            .await
            .map_err(wrap(ctx))?;
        Ok(HandOverCoursePayload {
            course: Course::from_row(course),
        })
    }
}
