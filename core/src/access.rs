//! Access control: the table of rights by role.
//!
//! | right          | owner | editor | teacher | reviewer | admin | learner |
//! |----------------|-------|--------|---------|----------|-------|---------|
//! | Read           |   ✓   |   ✓    |    ✓    |    ✓     |   ✓   |    ✓    |  as a learner sees it; staff as a preview; notes, bookmarks, ticks of one's own
//! | ReadAsAuthor   |   ✓   |   ✓    |    ✓    |    ✓     |   ✓   |         |
//! | ReadDrafts     |   ✓   |   ✓    |         |    ✓     |       |         |  unpublished changes of published pages
//! | Comment        |   ✓   |   ✓    |    ✓    |    ✓     |       |         |  read and write author comments, suggest changes
//! | Edit           |   ✓   |   ✓    |         |          |       |         |  content, uploads, duplicates, the design of certificates
//! | SeeStudents    |   ✓   |   ✓    |    ✓    |          |   ✓   |         |  and the course as they see it, and their certificates
//! | ManageProgress |   ✓   |   ✓    |    ✓    |          |       |         |  reset attempts, derive all progress again
//! | ManageStudents |   ✓   |        |    ✓    |          |       |         |  remove them; their groups, the codes of groups, overrides; announcements, nudges; revoke certificates (superusers may too)
//! | SeeGroupCodes  |   ✓   |   ✓    |    ✓    |          |       |         |
//! | SeeShareCode   |   ✓   |   ✓    |         |          |       |         |
//! | Share          |   ✓   |        |         |          |       |         |  make share codes, manage collaborators, set who sees the public page
//! | SeeInvitations |   ✓   |        |         |          |   ✓   |         |  pending invitations; all staff see the members
//! | DeleteOrTransfer | ✓   |        |         |          |   ✓   |         |  delete the course, transfer its ownership
//! | Discuss        |   ✓   |   ✓    |    ✓    |          |       |    ✓    |  questions under pages; learners where they may read the page
//! | ModerateDiscussions | ✓ |       |    ✓    |          |       |         |  hide, pin, move; who is anonymous; settings
//!
//! Students belong to the teachers and content to the editors: an editor removes no students, and a teacher edits no
//! content. A reviewer reads what editors read and comments, changes nothing and sees no students. Everyone may leave a course
//! except its owner: `courses::team::leave`.
//!
//! Notes, bookmarks and ticks have no right: they are read and changed by their owner alone, who keeps the notes after leaving the course.
//!
//! A certificate has no right: its holder reads and reissues it, chooses what its public page shows, and keeps it after leaving the course.
//!
//! Learning (visits, attempts, own progress) needs an enrollment, whatever the role: `Course::enrollment`. A person
//! without any relation to the course gets 404, so that its existence is not revealed; one with a role but without the
//! right gets 403.

use chrono::{DateTime, Utc};
use serde::Serialize;

use kurso_base::error::{Error, Result};
use kurso_base::ids::{SessionId, UserId};
use kurso_base::messages::Message;

/// An account, without the password hash. The fields are in the order of the REST response.
#[derive(Clone, Debug, PartialEq, Serialize, sqlx::FromRow)]
pub struct User {
    pub email: String,
    pub is_active: bool,
    pub is_superuser: bool,
    pub full_name: Option<String>,
    pub id: UserId,
    #[serde(serialize_with = "kurso_base::wire::time")]
    pub created_at: DateTime<Utc>,
    /// Whether the person has no account of their own ([`crate::guests`]).
    #[serde(skip)]
    pub is_guest: bool,
}

/// The columns of a [`User`], optionally with the alias of the table `users`: `user_columns!("u")`.
macro_rules! user_columns {
    () => {
        "id, email, full_name, is_active, is_superuser, created_at, is_guest"
    };
    ($users:literal) => {
        concat!(
            $users,
            ".id, ",
            $users,
            ".email, ",
            $users,
            ".full_name, ",
            $users,
            ".is_active, ",
            $users,
            ".is_superuser, ",
            $users,
            ".created_at, ",
            $users,
            ".is_guest"
        )
    };
}
pub(crate) use user_columns;

impl User {
    /// The full name, or the e-mail address of an account without one.
    pub fn shown_name(&self) -> &str {
        shown_name(self.full_name.as_deref(), &self.email)
    }
}

/// The full name, or the e-mail address if there is none.
pub(crate) fn shown_name<'a>(full_name: Option<&'a str>, email: &'a str) -> &'a str {
    full_name.filter(|name| !name.is_empty()).unwrap_or(email)
}

/// The authenticated person of a request. Rights are read from the database for each request, never from the token.
#[derive(Clone, Debug)]
pub struct Viewer {
    pub user: User,
    pub session: SessionId,
}

impl Viewer {
    pub fn id(&self) -> UserId {
        self.user.id
    }

    /// Fails with 403 unless the viewer is a superuser.
    pub fn require_superuser(&self) -> Result<()> {
        if self.user.is_superuser {
            Ok(())
        } else {
            Err(Error::Forbidden(Message::NotEnoughPrivileges))
        }
    }

    /// Fails with 403 for a guest: what reaches other people, makes something that stays, or needs an address takes an account.
    pub fn require_account(&self) -> Result<()> {
        match self.user.is_guest {
            true => Err(Error::Forbidden(Message::AccountNeeded)),
            false => Ok(()),
        }
    }
}

/// The highest role of a person in a course. `Admin` is a superuser without any other role.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    Owner,
    Editor,
    Teacher,
    Reviewer,
    Admin,
    Learner,
}

/// The role of a collaborator.
#[derive(Clone, Copy, PartialEq, Eq, Debug, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum CollaboratorRole {
    Editor,
    Teacher,
    Reviewer,
}

impl CollaboratorRole {
    /// The name as stored.
    pub fn name(self) -> &'static str {
        match self {
            CollaboratorRole::Editor => "editor",
            CollaboratorRole::Teacher => "teacher",
            CollaboratorRole::Reviewer => "reviewer",
        }
    }
}

kurso_base::values::choices! {
    CollaboratorRole: "editor" => CollaboratorRole::Editor, "teacher" => CollaboratorRole::Teacher,
        "reviewer" => CollaboratorRole::Reviewer;
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Right {
    Read,
    ReadAsAuthor,
    ReadDrafts,
    Comment,
    Edit,
    SeeStudents,
    ManageProgress,
    ManageStudents,
    SeeGroupCodes,
    SeeShareCode,
    Share,
    SeeInvitations,
    DeleteOrTransfer,
    Discuss,
    ModerateDiscussions,
}

impl Role {
    /// Whether the role has the right, by the table above.
    pub fn may(self, right: Right) -> bool {
        use Role::*;
        match right {
            Right::Read => true,
            Right::ReadAsAuthor => matches!(self, Owner | Editor | Teacher | Reviewer | Admin),
            Right::ReadDrafts => matches!(self, Owner | Editor | Reviewer),
            Right::Comment => matches!(self, Owner | Editor | Teacher | Reviewer),
            Right::SeeStudents => matches!(self, Owner | Editor | Teacher | Admin),
            Right::ManageProgress | Right::SeeGroupCodes => matches!(self, Owner | Editor | Teacher),
            Right::Edit | Right::SeeShareCode => matches!(self, Owner | Editor),
            Right::ManageStudents | Right::ModerateDiscussions => matches!(self, Owner | Teacher),
            Right::Discuss => matches!(self, Owner | Editor | Teacher | Learner),
            Right::Share => matches!(self, Owner),
            Right::SeeInvitations | Right::DeleteOrTransfer => matches!(self, Owner | Admin),
        }
    }

    /// All roles except learners.
    pub fn is_staff(self) -> bool {
        self.may(Right::ReadAsAuthor)
    }
}

/// The role of `viewer` in a course; None without a relation to it.
pub fn role_of(viewer: &Viewer, owner: UserId, collaborator: Option<CollaboratorRole>, enrolled: bool) -> Option<Role> {
    if owner == viewer.id() {
        return Some(Role::Owner);
    }
    match collaborator {
        Some(CollaboratorRole::Editor) => Some(Role::Editor),
        Some(CollaboratorRole::Teacher) => Some(Role::Teacher),
        Some(CollaboratorRole::Reviewer) => Some(Role::Reviewer),
        None if enrolled => Some(Role::Learner),
        None if viewer.user.is_superuser => Some(Role::Admin),
        None => None,
    }
}

/// Fails with 403 unless `role` has the right.
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
