use async_graphql::{Enum, ID, Object};
use kurso_core::access;
use kurso_core::courses::team::{Member, MemberState};

use super::{DateTime, id_of};

pub struct Collaborator(pub Member);

/// Role of a collaborator in a course.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
pub enum CollaboratorRole {
    /// Edits the content.
    Editor,
    /// Sees students and their progress.
    Teacher,
    /// Reads what editors read and comments; changes nothing and sees no students.
    Reviewer,
}

/// State of an invitation.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
pub enum CollaboratorState {
    /// Accepted: the user has the role.
    Accepted,
    /// The invitation was sent.
    Pending,
    /// The link of the invitation has expired; inviting again sends a new one.
    Expired,
}

/// A collaborator of a course, or an invitation to become one.
#[Object]
impl Collaborator {
    /// ID for `removeCollaborator`: the ID of the user or of the invitation.
    async fn id(&self) -> ID {
        id_of(self.0.id())
    }
    /// Null until the invitation is accepted.
    async fn user_id(&self) -> Option<ID> {
        match self.0.state {
            MemberState::Accepted(user) => Some(id_of(user)),
            _ => None,
        }
    }
    /// Null until the invitation is accepted.
    async fn full_name(&self) -> Option<&str> {
        self.0.full_name.as_deref()
    }
    /// Email address of the account or of the invitation.
    async fn email(&self) -> &str {
        &self.0.email
    }
    /// Current or future role in the course.
    async fn role(&self) -> CollaboratorRole {
        match self.0.role {
            access::CollaboratorRole::Editor => CollaboratorRole::Editor,
            access::CollaboratorRole::Teacher => CollaboratorRole::Teacher,
            access::CollaboratorRole::Reviewer => CollaboratorRole::Reviewer,
        }
    }
    /// State of the invitation.
    async fn state(&self) -> CollaboratorState {
        match self.0.state {
            MemberState::Accepted(_) => CollaboratorState::Accepted,
            MemberState::Pending { .. } => CollaboratorState::Pending,
            MemberState::Expired { .. } => CollaboratorState::Expired,
        }
    }
    /// When the role was accepted or the invitation was sent.
    async fn since(&self) -> DateTime {
        DateTime(self.0.since)
    }
    /// When the link of the invitation expires; null once it is accepted.
    async fn expires_at(&self) -> Option<DateTime> {
        match self.0.state {
            MemberState::Accepted(_) => None,
            MemberState::Pending { expires_at, .. } | MemberState::Expired { expires_at, .. } => {
                Some(DateTime(expires_at))
            }
        }
    }
}

impl From<CollaboratorRole> for access::CollaboratorRole {
    fn from(role: CollaboratorRole) -> Self {
        match role {
            CollaboratorRole::Editor => Self::Editor,
            CollaboratorRole::Teacher => Self::Teacher,
            CollaboratorRole::Reviewer => Self::Reviewer,
        }
    }
}
