//! Schemas of calls about the team of a course.

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
    /// The team of a course without its owner.
    Collaborators of Collaborator;
}

/// An editor or a teacher of a course, or somebody invited to be one.
#[derive(Serialize, ToSchema)]
pub struct Collaborator {
    /// What removes the row: the person's id, or the invitation's.
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
    /// When the link of the invitation ends; null once it is accepted.
    #[serde(serialize_with = "wire::optional_time")]
    #[schema(required)]
    pub expires_at: Option<DateTime<Utc>>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum CollaboratorRole {
    Editor,
    Teacher,
}

/// `expired`: the link no longer works; inviting again sends a new one.
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
        /// The token of the link in the mail.
        token: LinkToken,
    } => |_fields| token;

    /// One of the two; with both, `user_id` counts.
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
            },
            state,
            since: member.since,
            expires_at,
        }
    }
}
