//! Invitations by e-mail: the role starts when the account of the address accepts the mailed link.

use chrono::{DateTime, Duration, Utc};

use super::{Member, MemberState, Scope, begin, find};
use crate::access::{CollaboratorRole, Right, Viewer};
use crate::audit::{Act, Entry};
use crate::auth::tokens::{Link, LinkPurpose};
use crate::auth::{Origin, limits};
use crate::mail::queue::{self, PendingMail};
use crate::mail::templates::{self, RenderedMail, Template};
use crate::notices::{self, Kind, Notice, Receiver};
use crate::{Kurso, users};
use kurso_base::email::Email;
use kurso_base::error::{Error, Result};
use kurso_base::ids::{CourseId, InvitationId, UserId};
use kurso_base::messages::{Lang, Message};
use kurso_db::sql;

/// How long the link of an invitation is valid.
pub const OPEN: Duration = Duration::days(7);

/// An invitation to a team.
#[derive(Clone, Debug)]
pub struct InviteCollaborator {
    pub email: Email,
    pub role: CollaboratorRole,
}

/// Mails an invitation; it invalidates an earlier one to the same address. An account that is in the team already gets the new role
/// at once, without a mail. Fails with 409 for the owner's address. Owner only; rate-limited by sender, by recipient, and more
/// strictly for accounts younger than a day.
pub async fn invite(
    kurso: &Kurso,
    viewer: &Viewer,
    origin: &Origin,
    lang: Lang,
    course: CourseId,
    new: InviteCollaborator,
) -> Result<Member> {
    let course = find(&kurso.db, viewer, course, Right::Share).await?;
    let now = kurso.clock.now();
    let counters = limits::team_mails(&viewer.user, origin.address, new.email.key(), now);
    kurso.limits.acquire(&counters, now)?;

    let mut tx = begin(&kurso.db, course.id, Scope::Unchanged).await?;
    let known = sql!(
        "SELECT u.id, u.full_name, u.email FROM users u WHERE u.email_key = $1",
        new.email.key()
    )
    .fetch_optional::<(UserId, Option<String>, String)>(&mut tx)
    .await?;
    let user = known.as_ref().map(|(user, ..)| *user);
    if let Some((user, full_name, email)) = known {
        if user == course.owner.id {
            kurso.limits.refund(&counters, now);
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
            entry.detail(new.role.name()).write(&mut tx, now).await?;
            tx.commit().await?;
            kurso.limits.refund(&counters, now); // no mail is sent
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
    entry.detail(new.role.name()).write(&mut tx, now).await?;
    let host = viewer.id();
    queue::enqueue(&mut tx, &PendingMail::Invitation { invitation, host }, lang, now).await?;
    let notice = Notice::in_course(Kind::Invited, course.id, host, now);
    let invited = user.map(|user| Receiver::new(user, course.id));
    notices::record(&mut tx, notice, invited.into_iter().collect()).await?;
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

/// The link of an invitation that [`invite`] returned, for `viewer` to pass on, when the server sends no mail. None when it is mailed,
/// and for a member who accepted.
pub fn unmailed_link(kurso: &Kurso, viewer: &Viewer, member: &Member) -> Result<Option<String>> {
    match member.state {
        MemberState::Pending { invitation, expires_at } if !kurso.mail.is_sent() => {
            link_of(kurso, viewer.id(), invitation, expires_at).map(Some)
        }
        _ => Ok(None),
    }
}

fn link_of(kurso: &Kurso, host: UserId, invitation: InvitationId, until: DateTime<Utc>) -> Result<String> {
    let link = Link {
        user: host,
        state: invitation.to_string(),
    };
    let now = kurso.clock.now();
    let token = kurso.tokens.issue_link(LinkPurpose::Invitation, &link, now, until)?;
    Ok(kurso.mail.link("/accept-invitation", &token))
}

/// Renders the mail; None if the invitation was withdrawn, accepted or renewed.
pub(crate) async fn render_mail(
    kurso: &Kurso,
    lang: Lang,
    invitation: InvitationId,
    host: UserId,
) -> Result<Option<RenderedMail>> {
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
    let link = link_of(kurso, host, invitation, until)?;
    let template = Template::Invitation {
        host: inviting.shown_name(),
        course: &course,
        role,
        email: &to,
        link: &link,
    };
    Ok(Some(templates::render(&template, lang, &to, now)))
}
