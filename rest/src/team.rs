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
use shapes::{AcceptInvitation, Collaborator, CollaboratorInvite, Collaborators, HandOver};

/// Leave Course
///
/// Gives up the caller's highest role in a course: an editor or a teacher leaves the team, and an enrollment of theirs stays;
/// a learner goes with all visits and attempts.
#[utoipa::path(
    post, path = "/api/v1/courses/leave_course/{course_id}", operation_id = "courses-leave_course", tag = "courses",
    responses(
        CourseRefusals,
        (status = 200, description = "Left", body = Message),
        (status = 409, description = "The owner cannot leave, but can hand the course over", body = HTTPError),
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

/// Collaborators
///
/// The editors and teachers of a course. Owner, editors, teachers and superusers; invitations that are not accepted yet are
/// shown to the owner and superusers only. Order: who accepted, then invitations, each as they came.
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

/// Invite Collaborator
///
/// Mails an invitation; the role starts when the link in it is accepted by the account of that address. Again, it is a new
/// invitation, and the earlier link no longer works. Somebody who is in the team already gets the new role at once, without a
/// mail. The owner only.
#[utoipa::path(
    post, path = "/api/v1/courses/collaborators/{course_id}",
    operation_id = "courses-invite_collaborator", tag = "courses",
    request_body = CollaboratorInvite,
    responses(
        CourseRefusals,
        (status = 200, description = "The invitation, or the person with the new role", body = Collaborator),
        (status = 409, description = "The address is the owner's", body = HTTPError),
        (status = 429, description = "Too many invitations; `Retry-After` says when", body = HTTPError),
    )
)]
pub async fn invite_collaborator(
    State(kurso): KursoState,
    viewer: Viewer,
    MailLang(lang): MailLang,
    path: Result<Path<CourseId>>,
    invite: Result<Command<CollaboratorInvite>>,
) -> Result<Json<Collaborator>> {
    let (course, Command(new)) = with_path(path, invite)?;
    let member = team::invite(&kurso, &viewer, lang, course, new).await?;
    Ok(Json(member.into()))
}

/// Remove Collaborator
///
/// Takes an editor or a teacher out of the team, or withdraws an invitation: `user_id` is the `id` of a row of the list, which
/// is the person's id or, before the acceptance, the invitation's. The owner only.
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

/// Accept Invitation
///
/// Gives the caller the role of a mailed invitation. Works once, within seven days, for the account of the address it went to.
#[utoipa::path(
    post, path = "/api/v1/courses/accept_invitation", operation_id = "courses-accept_invitation", tag = "courses",
    request_body = AcceptInvitation,
    responses(
        SignedInRefusals,
        (status = 200, description = "The course", body = Course),
        (
            status = 400, body = HTTPError,
            description = "The invitation is no longer valid or for another address, the user is inactive, or the \
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

/// Hand Over
///
/// Makes another person with an active account the owner, who is told by a mail; the old owner stays as an editor, and the
/// share code and the students stay as they are. The owner, or a superuser.
#[utoipa::path(
    post, path = "/api/v1/courses/hand_over/{course_id}", operation_id = "courses-hand_over", tag = "courses",
    request_body = HandOver,
    responses(
        CourseRefusals,
        (status = 200, description = "The course", body = Course),
        (status = 429, description = "Too many unknown accounts; `Retry-After` says when", body = HTTPError),
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
