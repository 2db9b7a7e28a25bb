//! Who may do what: the whole table of rights (contract 3).
//!
//! | right          | owner | editor | teacher | admin | learner |
//! |----------------|-------|--------|---------|-------|---------|
//! | Read           |   ✓   |   ✓    |    ✓    |   ✓   |    ✓    |  as a learner sees it; staff as a preview
//! | ReadAsAuthor   |   ✓   |   ✓    |    ✓    |   ✓   |         |
//! | Edit           |   ✓   |   ✓    |         |       |         |  content, uploads, duplicates
//! | SeeStudents    |   ✓   |   ✓    |    ✓    |   ✓   |         |
//! | TendProgress   |   ✓   |   ✓    |    ✓    |       |         |  reset attempts, derive all progress anew
//! | ManageStudents |   ✓   |        |    ✓    |       |         |  remove them
//! | SeeShareCode   |   ✓   |   ✓    |         |       |         |
//! | Share          |   ✓   |        |         |       |         |  make share codes, manage collaborators
//! | SeeInvitations |   ✓   |        |         |   ✓   |         |  who is invited to the team; who is in it, all staff
//! | DisposeOf      |   ✓   |        |         |   ✓   |         |  delete, hand over
//!
//! Students are the teachers' and the content is the editors', so an editor removes nobody and a teacher writes nothing.
//! Leaving is everybody's own affair, except that a course is never without its owner: `courses::team::leave`.
//!
//! Learning itself (visits, attempts, own progress) needs an enrollment, whatever the role: `Course::enrollment`.
//! Someone with no relation gets 404, so that existence is not shown; someone related but without the right 403.

use crate::error::{Error, Result};
use crate::ids::{SessionId, UserId};
use crate::messages::Message;
use crate::users::User;

/// The person behind a request: rights are read anew each time, never from the token.
#[derive(Clone, Debug)]
pub struct Viewer {
    pub user: User,
    pub session: SessionId,
}

impl Viewer {
    pub fn id(&self) -> UserId {
        self.user.id
    }

    /// 403 unless a superuser.
    pub fn require_superuser(&self) -> Result<()> {
        if self.user.is_superuser {
            Ok(())
        } else {
            Err(Error::Forbidden(Message::NotEnoughPrivileges))
        }
    }
}

/// The highest role of a person in a course. `Admin` is a superuser with no other role.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    Owner,
    Editor,
    Teacher,
    Admin,
    Learner,
}

/// The role a collaborator was given.
#[derive(Clone, Copy, PartialEq, Eq, Debug, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum CollaboratorRole {
    Editor,
    Teacher,
}

impl CollaboratorRole {
    /// As it is stored.
    pub fn word(self) -> &'static str {
        match self {
            CollaboratorRole::Editor => "editor",
            CollaboratorRole::Teacher => "teacher",
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Right {
    Read,
    ReadAsAuthor,
    Edit,
    SeeStudents,
    TendProgress,
    ManageStudents,
    SeeShareCode,
    Share,
    SeeInvitations,
    DisposeOf,
}

impl Role {
    /// The table above.
    pub fn may(self, right: Right) -> bool {
        use Role::*;
        match right {
            Right::Read => true,
            Right::ReadAsAuthor | Right::SeeStudents => matches!(self, Owner | Editor | Teacher | Admin),
            Right::TendProgress => matches!(self, Owner | Editor | Teacher),
            Right::Edit | Right::SeeShareCode => matches!(self, Owner | Editor),
            Right::ManageStudents => matches!(self, Owner | Teacher),
            Right::Share => matches!(self, Owner),
            Right::SeeInvitations | Right::DisposeOf => matches!(self, Owner | Admin),
        }
    }

    /// Everyone but learners.
    pub fn is_staff(self) -> bool {
        self.may(Right::ReadAsAuthor)
    }
}

/// The role that `viewer` has by these facts; None: no relation.
pub fn role_of(viewer: &Viewer, owner: UserId, collaborator: Option<CollaboratorRole>, enrolled: bool) -> Option<Role> {
    if owner == viewer.id() {
        return Some(Role::Owner);
    }
    match collaborator {
        Some(CollaboratorRole::Editor) => Some(Role::Editor),
        Some(CollaboratorRole::Teacher) => Some(Role::Teacher),
        None if enrolled => Some(Role::Learner),
        None if viewer.user.is_superuser => Some(Role::Admin),
        None => None,
    }
}

/// 403 unless `role` has the right.
pub fn require(role: Role, right: Right) -> Result<()> {
    if role.may(right) {
        return Ok(());
    }
    Err(Error::Forbidden(if right == Right::Share {
        Message::OwnerOnly
    } else {
        Message::CourseForbidden
    }))
}
