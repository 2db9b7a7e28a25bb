//! Inviting by e-mail: the role starts when the mailed link is accepted by that address's account.

use chrono::{DateTime, Duration, Utc};
use serde_json::Value;

use super::{Member, MemberState, find, hold};
use crate::access::{CollaboratorRole, Right, Viewer};
use crate::audit::{Act, Entry};
use crate::auth::limits;
use crate::auth::tokens::{Link, LinkPurpose};
use crate::email::Email;
use crate::error::{Error, Result};
use crate::ids::{CourseId, InvitationId, UserId};
use crate::input::Fields;
use crate::mail::letters::{self, Letter, Occasion};
use crate::mail::queue::{self, About};
use crate::messages::{Lang, Message};
use crate::{Kurso, sql, users};

/// How long the link of an invitation works.
pub const OPEN: Duration = Duration::days(7);

const ROLES: &[(&str, CollaboratorRole)] = &[
    ("editor", CollaboratorRole::Editor),
    ("teacher", CollaboratorRole::Teacher),
];

/// Who is to be what.
#[derive(Clone, Debug)]
pub struct NewMember {
    pub email: Email,
    pub role: CollaboratorRole,
}

impl NewMember {
    /// Reads `email` and `role`.
    pub fn from_body(body: &Value) -> Result<Self> {
        let mut fields = Fields::of(body)?;
        let email = fields.email("email");
        let role = fields.word("role", ROLES);
        fields.finish()?;
        match (email, role) {
            (Some(email), Some(role)) => Ok(NewMember { email, role }),
            _ => Err(Error::internal("a checked body lacks a field")),
        }
    }
}

/// Invites somebody by a mail, or again: then the earlier link ends. Somebody who is in the team already gets the new role at
/// once and no mail. 409 for the owner's own address. The owner only; limited.
pub async fn invite(kurso: &Kurso, viewer: &Viewer, lang: Lang, course: CourseId, new: NewMember) -> Result<Member> {
    let course = find(&kurso.db, viewer, course, Right::Share).await?;
    let now = kurso.clock.now();
    let counters = limits::invitations(viewer.id(), &new.email);
    kurso.limits.take(&counters, now)?;

    let mut tx = kurso.db.begin_in(course.id).await?;
    hold(&mut tx, course.id).await?;
    let known = sql!(
        "SELECT u.id, u.full_name, u.email FROM users u WHERE u.email_key = $1",
        new.email.key()
    )
    .fetch_optional::<(UserId, Option<String>, String)>(&mut tx)
    .await?;
    if let Some((user, full_name, email)) = known {
        if user == course.owner.id {
            kurso.limits.give_back(&counters, now);
            return Err(Error::Conflict(Message::OwnerIsInTeam));
        }
        let changed = sql!(
            "UPDATE collaborators SET role = $3 WHERE course_id = $1 AND user_id = $2 RETURNING created_at",
            course.id,
            user,
            new.role
        )
        .fetch_optional(&mut tx)
        .await?;
        if let Some((since,)) = changed {
            let entry = Entry::new(Act::MemberAdded)
                .by(viewer.id())
                .to(user)
                .in_course(course.id);
            entry.detail(new.role.word()).write(&mut tx, now).await?;
            tx.commit().await?;
            kurso.limits.give_back(&counters, now); // no mail
            return Ok(Member {
                state: MemberState::Accepted(user),
                full_name,
                email,
                role: new.role,
                since,
            });
        }
    }
    let (invitation, expires_at) = (InvitationId::new(), now + OPEN);
    sql!(
        "INSERT INTO invitations (id, course_id, email, email_key, role, created_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)
         ON CONFLICT (course_id, email_key) DO UPDATE SET id = excluded.id, email = excluded.email, role = excluded.role,
           created_at = excluded.created_at, expires_at = excluded.expires_at",
        invitation,
        course.id,
        new.email.shown(),
        new.email.key(),
        new.role,
        now,
        expires_at
    )
    .execute(&mut tx)
    .await?;
    let entry = Entry::new(Act::MemberInvited).by(viewer.id()).in_course(course.id);
    entry.detail(new.role.word()).write(&mut tx, now).await?;
    let host = viewer.id();
    queue::add(&mut tx, &About::Invitation { invitation, host }, lang, now).await?;
    tx.commit().await?;
    kurso.mail.wake();
    Ok(Member {
        state: MemberState::Pending { invitation, expires_at },
        full_name: None,
        email: new.email.shown().to_owned(),
        role: new.role,
        since: now,
    })
}

/// The letter; None when the invitation was taken back, accepted or sent anew.
pub(crate) async fn letter(
    kurso: &Kurso,
    lang: Lang,
    invitation: InvitationId,
    host: UserId,
) -> Result<Option<Letter>> {
    let now = kurso.clock.now();
    let found = sql!(
        "SELECT i.email, i.role, i.expires_at, c.title FROM invitations i JOIN courses c ON c.id = i.course_id
         WHERE i.id = $1 AND i.expires_at > $2",
        invitation,
        now
    )
    .fetch_optional::<(String, CollaboratorRole, DateTime<Utc>, String)>(&kurso.db)
    .await?;
    let inviting = users::by_id(&kurso.db, host).await?;
    let (Some((to, role, until, course)), Some(inviting)) = (found, inviting) else {
        return Ok(None);
    };
    let link = Link {
        user: host,
        state: invitation.to_string(),
    };
    let token = kurso.tokens.issue_link(LinkPurpose::Invitation, &link, now, until)?;
    let link = kurso.mail.link("/accept-invitation", &token);
    let occasion = Occasion::Invitation {
        host: inviting.shown_name(),
        course: &course,
        role,
        email: &to,
        link: &link,
    };
    Ok(Some(letters::write(&occasion, lang, &to, now)))
}
