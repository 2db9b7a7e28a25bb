//! The team of a course besides its owner: editors, teachers, reviewers and open invitations.

mod accept;
pub(crate) mod hand_over;
pub(crate) mod invite;
mod leave;

use chrono::{DateTime, Utc};
use uuid::Uuid;

pub use accept::accept;
pub use hand_over::{NewOwner, hand_over};
pub use invite::{InviteCollaborator, invite, unmailed_link};
pub use leave::leave;

use super::{Course, Scope, begin, find};
use crate::Kurso;
use crate::access::{CollaboratorRole, Right, Viewer};
use crate::audit::{Act, Entry};
use crate::notices::{self, Kind};
use kurso_base::error::{Error, Result};
use kurso_base::ids::{CourseId, InvitationId, UserId};
use kurso_base::messages::Message;
use kurso_base::pagination::{Listed, Page};
use kurso_db::events::Event;
use kurso_db::sql;
use kurso_db::{Db, Executor};

/// The owner and the teachers of a course. One statement.
pub(crate) async fn owner_and_teachers(on: impl Executor, course: CourseId) -> Result<Vec<UserId>> {
    let people = sql!(
        "SELECT owner_id FROM courses WHERE id = $1
         UNION SELECT user_id FROM collaborators WHERE course_id = $1 AND role = 'teacher'",
        course
    );
    let people = people.fetch_all::<(UserId,)>(on).await?;
    Ok(people.into_iter().map(|(user,)| user).collect())
}

/// A collaborator of a course, or an open invitation to become one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    pub state: MemberState,
    /// None until the invitation is accepted, so that it does not show whether the address has an account.
    pub full_name: Option<String>,
    pub email: String,
    pub role: CollaboratorRole,
    /// When the role was accepted or the invitation sent.
    pub since: DateTime<Utc>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemberState {
    Accepted(UserId),
    Pending {
        invitation: InvitationId,
        expires_at: DateTime<Utc>,
    },
    /// Whether the link has expired; inviting again sends a new one.
    Expired {
        invitation: InvitationId,
        expires_at: DateTime<Utc>,
    },
}

impl Member {
    /// The id that removes the member: that of the person or of the invitation.
    pub fn id(&self) -> Uuid {
        match self.state {
            MemberState::Accepted(user) => user.0,
            MemberState::Pending { invitation, .. } | MemberState::Expired { invitation, .. } => invitation.0,
        }
    }
}

#[derive(sqlx::FromRow)]
struct Row {
    course_id: CourseId,
    /// The id of the person or of the invitation.
    id: Uuid,
    full_name: Option<String>,
    email: String,
    role: CollaboratorRole,
    since: DateTime<Utc>,
    /// Invitations only.
    expires_at: Option<DateTime<Utc>>,
}

impl Row {
    fn member(self, now: DateTime<Utc>) -> Member {
        let invitation = InvitationId(self.id);
        Member {
            state: match self.expires_at {
                None => MemberState::Accepted(UserId(self.id)),
                Some(expires_at) if expires_at > now => MemberState::Pending { invitation, expires_at },
                Some(expires_at) => MemberState::Expired { invitation, expires_at },
            },
            full_name: self.full_name,
            email: self.email,
            role: self.role,
            since: self.since,
        }
    }
}

/// Returns the team of a course without its owner: members, then invitations, each oldest first. Staff only, 403 for learners. Those
/// who may manage the team, and admins, also get the invitations.
pub async fn list(kurso: &Kurso, viewer: &Viewer, course: CourseId, page: Page) -> Result<Listed<Member>> {
    let course = find(&kurso.db, viewer, course, Right::ReadAsAuthor).await?;
    let teams = of_all(&kurso.db, &[course], kurso.clock.now()).await?;
    let team = teams.into_iter().next().unwrap_or_default();
    let size = |number: i64| usize::try_from(number).unwrap_or(usize::MAX);
    Ok(Listed {
        count: i64::try_from(team.len()).unwrap_or(i64::MAX),
        data: team.into_iter().skip(size(page.skip)).take(size(page.limit)).collect(),
    })
}

/// Returns the teams of the courses in the order given, each as the viewer may see it; empty for learners. One statement.
pub async fn of_all(db: &Db, courses: &[Course], now: DateTime<Utc>) -> Result<Vec<Vec<Member>>> {
    let seen = |right: fn(&Course) -> bool| courses.iter().filter(move |c| right(c)).map(|c| c.id);
    let rows = sql!(
        "SELECT k.course_id, u.id, u.full_name, u.email, k.role, k.created_at AS since, NULL AS expires_at, 0 AS kind
         FROM collaborators k JOIN users u ON u.id = k.user_id WHERE k.course_id IN "
    )
    .push_in(seen(|course| course.role.may(Right::ReadAsAuthor)))
    .push(
        " UNION ALL
         SELECT course_id, id, NULL, email, role, created_at, expires_at, 1 FROM invitations WHERE course_id IN ",
    )
    .push_in(seen(|course| course.role.may(Right::SeeInvitations)))
    .push(" ORDER BY kind, since, id")
    .fetch_all::<Row>(db)
    .await?;
    let mut teams: Vec<Vec<Member>> = courses.iter().map(|_| vec![]).collect();
    for row in rows {
        let place = courses.iter().position(|course| course.id == row.course_id);
        if let Some(team) = place.and_then(|place| teams.get_mut(place)) {
            team.push(row.member(now));
        }
    }
    Ok(teams)
}

/// Removes a collaborator from the team, or withdraws an invitation. `member` is [`Member::id`]. Owner only.
pub async fn remove(kurso: &Kurso, viewer: &Viewer, course: CourseId, member: Uuid) -> Result<()> {
    find(&kurso.db, viewer, course, Right::Share).await?;
    let mut tx = begin(&kurso.db, course, Scope::Unchanged).await?;
    let removed = sql!(
        "DELETE FROM collaborators WHERE course_id = $1 AND user_id = $2",
        course,
        member
    )
    .execute(&mut tx)
    .await?;
    let withdrawn = sql!(
        "DELETE FROM invitations WHERE course_id = $1 AND id = $2 RETURNING email_key",
        course,
        member
    )
    .fetch_optional::<(String,)>(&mut tx)
    .await?;
    if removed == 0 && withdrawn.is_none() {
        return Err(Error::NotFound(Message::MemberNotFound));
    }
    if let Some((key,)) = withdrawn {
        let about = sql!(
            "DELETE FROM notices WHERE kind = $1 AND subject = $2 AND user_id IN (SELECT id FROM users WHERE email_key = $3)",
            Kind::Invited,
            course,
            key
        );
        notices::withdrawn(&mut tx, about).await?;
    }
    let entry = Entry::new(Act::MemberRemoved).by(viewer.id()).in_course(course);
    let entry = if removed > 0 {
        entry.to(UserId(member))
    } else {
        entry.detail("invitation")
    };
    entry.write(&mut tx, kurso.clock.now()).await?;
    if removed > 0 {
        tx.publish(Event::Person { user: UserId(member) });
    }
    tx.commit().await?;
    Ok(())
}
