//! The team of a course: collaborators, invitations, leaving, transfer.

mod shapes;

use axum::Json;
use axum::extract::State;
use kurso_base::ids::CourseId;
use kurso_base::messages::{Lang, Message as Text};
use kurso_base::pagination::Page as Paging;
use kurso_core::access::Viewer;
use kurso_core::auth::Origin;
use kurso_core::courses::team;
use uuid::Uuid;

use crate::KursoState;
use crate::courses::Course;
use crate::error::Result;
use crate::extract::{MailLang, Path, Path2, with_path};
use crate::fields::Command;
use crate::message::Message;
use crate::openapi_parts::{CourseRefusals, HTTPError, PagingParams, SignedInRefusals};
use shapes::{AcceptInvitation, CollaboratorInvite, Collaborators, HandOver, Invited};

/// Leave a course
///
/// Removes the caller's highest role in the course. A collaborator leaves the team and keeps an enrollment. A learner who
/// enrolls again gets the visits and attempts back.
#[utoipa::path(
    post, path = "/api/v1/courses/leave_course/{course_id}", operation_id = "courses-leave_course", tag = "courses",
    responses(
        CourseRefusals,
        (status = 200, description = "Left", body = Message),
        (status = 409, description = "The owner cannot leave; they can transfer the course", body = HTTPError),
    )
)]
pub async fn leave_course(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<CourseId>,
    lang: Lang,
) -> Result<Json<Message>> {
    let left = team::leave(&kurso, &viewer, id).await?;
    Ok(Message::say(left, lang))
}

/// List the collaborators of a course
///
/// Returns editors, teachers and reviewers. Those, the owner and superusers; only the owner and superusers see invitations that are
/// not accepted. Order: accepted ones, then invitations, each by time.
#[utoipa::path(
    get, path = "/api/v1/courses/collaborators/{course_id}", operation_id = "courses-collaborators", tag = "courses",
    params(PagingParams),
    responses(CourseRefusals, (status = 200, description = "The team", body = Collaborators))
)]
pub async fn collaborators(
    State(kurso): KursoState,
    viewer: Viewer,
    path: Result<Path<CourseId>>,
    page: Result<Paging>,
) -> Result<Json<Collaborators>> {
    let (course, page) = with_path(path, page)?;
    Ok(Json(team::list(&kurso, &viewer, course, page).await?.into()))
}

/// Invite a collaborator
///
/// Mails an invitation; the role starts when the account of that address accepts the link. A repeated invitation makes the
/// earlier link invalid. A user who is already in the team gets the new role at once, without a mail. Owner only.
#[utoipa::path(
    post, path = "/api/v1/courses/collaborators/{course_id}",
    operation_id = "courses-invite_collaborator", tag = "courses",
    request_body = CollaboratorInvite,
    responses(
        CourseRefusals,
        (status = 200, description = "The invitation, or the collaborator with the new role", body = Invited),
        (status = 409, description = "The address belongs to the owner", body = HTTPError),
        (status = 429, description = "Too many invitations; `Retry-After` is the wait in seconds", body = HTTPError),
    )
)]
pub async fn invite_collaborator(
    State(kurso): KursoState,
    viewer: Viewer,
    origin: Origin,
    MailLang(lang): MailLang,
    path: Result<Path<CourseId>>,
    invite: Result<Command<CollaboratorInvite>>,
) -> Result<Json<Invited>> {
    let (course, Command(new)) = with_path(path, invite)?;
    let member = team::invite(&kurso, &viewer, &origin, lang, course, new).await?;
    let link = team::unmailed_link(&kurso, &viewer, &member)?;
    Ok(Json(Invited {
        collaborator: member.into(),
        link,
    }))
}

/// Remove a collaborator
///
/// Removes an editor or teacher from the team, or withdraws an invitation. `user_id` is the `id` of a collaborator: the ID of the
/// user or, before the acceptance, of the invitation. Owner only.
#[utoipa::path(
    delete, path = "/api/v1/courses/collaborators/{course_id}/{user_id}",
    operation_id = "courses-remove_collaborator", tag = "courses",
    responses(CourseRefusals, (status = 200, description = "Removed", body = Message))
)]
pub async fn remove_collaborator(
    State(kurso): KursoState,
    viewer: Viewer,
    Path2(course, member): Path2<CourseId, Uuid>,
    lang: Lang,
) -> Result<Json<Message>> {
    team::remove(&kurso, &viewer, course, member).await?;
    Ok(Message::say(Text::MemberRemoved, lang))
}

/// Accept an invitation
///
/// Gives the caller the role of a mailed invitation. The link works once, for seven days, for the account of the address to which
/// it was mailed.
#[utoipa::path(
    post, path = "/api/v1/courses/accept_invitation", operation_id = "courses-accept_invitation", tag = "courses",
    request_body = AcceptInvitation,
    responses(
        SignedInRefusals,
        (status = 200, description = "The course", body = Course),
        (
            status = 400, body = HTTPError,
            description = "The invitation is invalid or belongs to another address, the user is inactive, or the \
                body is not UTF-8",
        ),
    )
)]
pub async fn accept_invitation(
    State(kurso): KursoState,
    viewer: Viewer,
    Command(token): Command<AcceptInvitation>,
) -> Result<Json<Course>> {
    let course = team::accept(&kurso, &viewer, &token).await?;
    Ok(Json(Course::counted_one(&kurso, course).await?))
}

/// Transfer a course to another owner
///
/// The new owner must have an active account and gets a mail. The previous owner becomes an editor; the share code and the
/// students remain. Owner and superusers.
#[utoipa::path(
    post, path = "/api/v1/courses/hand_over/{course_id}", operation_id = "courses-hand_over", tag = "courses",
    request_body = HandOver,
    responses(
        CourseRefusals,
        (status = 200, description = "The course", body = Course),
        (status = 429, description = "Too many unknown accounts; `Retry-After` is the wait in seconds", body = HTTPError),
    )
)]
pub async fn hand_over(
    State(kurso): KursoState,
    origin: Origin,
    viewer: Viewer,
    MailLang(lang): MailLang,
    path: Result<Path<CourseId>>,
    owner: Result<Command<HandOver>>,
) -> Result<Json<Course>> {
    let (course, Command(owner)) = with_path(path, owner)?;
    let course = team::hand_over(&kurso, &viewer, &origin, lang, course, owner).await?;
    Ok(Json(Course::counted_one(&kurso, course).await?))
}
