//! What the calls about the team of a course take and answer.

use chrono::{DateTime, Utc};
use kurso_core::access::CollaboratorRole as Role;
use kurso_core::courses::team::{Member, MemberState};
use kurso_core::wire;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// The team of a course without its owner.
#[derive(Serialize, ToSchema)]
pub struct Collaborators {
    pub data: Vec<Collaborator>,
    /// How many there are in all.
    pub count: i64,
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

#[derive(ToSchema)]
#[expect(dead_code, reason = "the fields are read from the JSON")]
pub struct CollaboratorInvite {
    #[schema(format = "email")]
    email: String,
    #[schema(inline)]
    role: CollaboratorRole,
}

#[derive(ToSchema)]
#[expect(dead_code, reason = "the fields are read from the JSON")]
pub struct AcceptInvitation {
    /// Of the link in the mail.
    token: String,
}

/// One of the two; with both, `user_id` counts.
#[derive(ToSchema)]
#[expect(dead_code, reason = "the fields are read from the JSON")]
pub struct HandOver {
    user_id: Option<Uuid>,
    #[schema(format = "email")]
    email: Option<String>,
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
