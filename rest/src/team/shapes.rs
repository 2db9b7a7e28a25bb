//! Schemas of operations on the team of a course.

use chrono::{DateTime, Utc};
use kurso_base::email::Email;
use kurso_base::ids::UserId;
use kurso_base::values::LinkToken;
use kurso_base::wire;
use kurso_core::access::CollaboratorRole as Role;
use kurso_core::courses::team::{InviteCollaborator, Member, MemberState, NewOwner};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa::openapi::{RefOr, Schema};
use uuid::Uuid;

use crate::fields::{Field, body};
use crate::response::lists;

lists! {
    /// A page of the collaborators of a course, without its owner.
    Collaborators of Collaborator;
}

/// An editor or teacher of a course, or an invitation to become one.
#[derive(Serialize, ToSchema)]
pub struct Collaborator {
    /// ID for `remove_collaborator`: of the user or, before the acceptance, of the invitation.
    pub id: Uuid,
    /// Null until the invitation is accepted.
    #[schema(required)]
    pub user_id: Option<Uuid>,
    #[schema(required)]
    pub full_name: Option<String>,
    pub email: String,
    #[schema(inline)]
    pub role: CollaboratorRole,
    #[schema(inline)]
    pub state: CollaboratorState,
    /// When the role was accepted, or the invitation sent.
    #[serde(serialize_with = "wire::time")]
    pub since: DateTime<Utc>,
    /// Expiry time of the invitation; null once it is accepted.
    #[serde(serialize_with = "wire::optional_time")]
    #[schema(required)]
    pub expires_at: Option<DateTime<Utc>>,
}

/// An invited collaborator.
#[derive(Serialize, ToSchema)]
pub struct Invited {
    #[serde(flatten)]
    pub collaborator: Collaborator,
    /// The link of the invitation, to be passed on by the caller, when the server has no SMTP server; null when it is mailed, and
    /// when the account was in the team already.
    #[schema(required)]
    pub link: Option<String>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum CollaboratorRole {
    Editor,
    Teacher,
    Reviewer,
}

/// `accepted`: a member of the team; `pending`: the invitation is valid; `expired`: its link no longer works.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum CollaboratorState {
    Accepted,
    Pending,
    Expired,
}

impl Field for Role {
    fn schema() -> RefOr<Schema> {
        <CollaboratorRole as utoipa::PartialSchema>::schema()
    }
}

body! {
    CollaboratorInvite -> InviteCollaborator {
        email: Email,
        role: Role,
    }

    AcceptInvitation -> LinkToken {
        /// Token of the mailed link.
        token: LinkToken,
    } => |_fields| token;

    /// The new owner, by one of the two fields. With both, `user_id` is used.
    HandOver -> NewOwner {
        user_id: Option<UserId>,
        email: Option<Email>,
    } => |fields| {
        let owner = NewOwner::of(user_id?, email?);
        if owner.is_none() {
            fields.refuse_missing("user_id");
        }
        owner
    };
}

impl From<Member> for Collaborator {
    fn from(member: Member) -> Self {
        let (user_id, state, expires_at) = match member.state {
            MemberState::Accepted(user) => (Some(user.0), CollaboratorState::Accepted, None),
            MemberState::Pending { expires_at, .. } => (None, CollaboratorState::Pending, Some(expires_at)),
            MemberState::Expired { expires_at, .. } => (None, CollaboratorState::Expired, Some(expires_at)),
        };
        Collaborator {
            id: member.id(),
            user_id,
            full_name: member.full_name,
            email: member.email,
            role: match member.role {
                Role::Editor => CollaboratorRole::Editor,
                Role::Teacher => CollaboratorRole::Teacher,
                Role::Reviewer => CollaboratorRole::Reviewer,
            },
            state,
            since: member.since,
            expires_at,
        }
    }
}
