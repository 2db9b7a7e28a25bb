use async_graphql::{Enum, ID, Object};
use kurso_core::access;
use kurso_core::courses::team::{Member, MemberState};

use super::{DateTime, id_of};

pub struct Collaborator(pub Member);

/// What a collaborator is in a course.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
pub enum CollaboratorRole {
    /// Edits the content.
    Editor,
    /// Sees students and their progress.
    Teacher,
}

/// How far an invitation has come.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
pub enum CollaboratorState {
    /// The person has the role.
    Accepted,
    /// The invitation is in the mail.
    Pending,
    /// The link of the invitation no longer works; inviting again sends a new one.
    Expired,
}

/// An editor or a teacher of a course, or somebody invited to be one.
#[Object]
impl Collaborator {
    /// What `removeCollaborator` takes: the person's id, or the invitation's.
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
    /// Of the account, or the one the invitation went to.
    async fn email(&self) -> &str {
        &self.0.email
    }
    /// What the person is in the course, or will be.
    async fn role(&self) -> CollaboratorRole {
        match self.0.role {
            access::CollaboratorRole::Editor => CollaboratorRole::Editor,
            access::CollaboratorRole::Teacher => CollaboratorRole::Teacher,
        }
    }
    /// Has the invitation been accepted?
    async fn state(&self) -> CollaboratorState {
        match self.0.state {
            MemberState::Accepted(_) => CollaboratorState::Accepted,
            MemberState::Pending { .. } => CollaboratorState::Pending,
            MemberState::Expired { .. } => CollaboratorState::Expired,
        }
    }
    /// When the role was accepted, or the invitation sent.
    async fn since(&self) -> DateTime {
        DateTime(self.0.since)
    }
    /// When the link of the invitation ends; null once it is accepted.
    async fn expires_at(&self) -> Option<DateTime> {
        match self.0.state {
            MemberState::Accepted(_) => None,
            MemberState::Pending { expires_at, .. } | MemberState::Expired { expires_at, .. } => {
                Some(DateTime(expires_at))
            }
        }
    }
}

impl CollaboratorRole {
    /// As bodies name it.
    pub fn word(self) -> &'static str {
        match self {
            CollaboratorRole::Editor => "editor",
            CollaboratorRole::Teacher => "teacher",
        }
    }
}
