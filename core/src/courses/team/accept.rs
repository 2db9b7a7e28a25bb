//! Accepts invitations to a team.

use super::{Course, Scope, begin, find};
use crate::Kurso;
use crate::access::{CollaboratorRole, Right, Viewer};
use crate::audit::{Act, Entry};
use crate::auth::tokens::LinkPurpose;
use crate::notices::{self, Kind};
use kurso_base::error::{Error, Result};
use kurso_base::ids::{CourseId, InvitationId, UserId};
use kurso_base::messages::Message;
use kurso_base::values::LinkToken;
use kurso_db::sql;

/// Gives the viewer the role of a mailed invitation, once. Fails with 400 if the invitation was used, renewed or withdrawn, has
/// expired, or was sent to the address of another account: a 403 would sign people out of the web app.
pub async fn accept(kurso: &Kurso, viewer: &Viewer, token: &LinkToken) -> Result<Course> {
    viewer.require_account()?;
    let gone = || Error::BadRequest(Message::InvitationGone);
    let now = kurso.clock.now();
    let link = kurso.tokens.read_link(LinkPurpose::Invitation, &token.0, now);
    let invitation: InvitationId = link.and_then(|link| link.state.parse().ok()).ok_or_else(gone)?;
    let (course,) = sql!("SELECT course_id FROM invitations WHERE id = $1", invitation)
        .fetch_optional::<(CourseId,)>(&kurso.db)
        .await?
        .ok_or_else(gone)?;

    let mut tx = begin(&kurso.db, course, Scope::Unchanged)
        .await
        .map_err(|error| match error {
            Error::NotFound(_) => gone(),
            other => other,
        })?;
    // Read under the lock: of two concurrent acceptances the second finds nothing.
    let (role, key, owner) = sql!(
        "SELECT i.role, i.email_key, c.owner_id FROM invitations i JOIN courses c ON c.id = i.course_id
         WHERE i.id = $1 AND i.expires_at > $2",
        invitation,
        now
    )
    .fetch_optional::<(CollaboratorRole, String, UserId)>(&mut tx)
    .await?
    .ok_or_else(gone)?;
    // The current address, which may have changed since the token of this request was checked.
    let own = sql!("SELECT email_key FROM users WHERE id = $1", viewer.id())
        .fetch_optional::<(String,)>(&mut tx)
        .await?;
    if own.is_none_or(|(own,)| own != key) {
        return Err(Error::BadRequest(Message::InvitationOfAnother));
    }
    sql!("DELETE FROM invitations WHERE id = $1", invitation)
        .execute(&mut tx)
        .await?;
    notices::withdraw_from(&mut tx, viewer.id(), (course, None), &[Kind::Invited]).await?;
    if owner != viewer.id() {
        sql!(
            "INSERT INTO collaborators (course_id, user_id, role, created_at) VALUES ($1, $2, $3, $4)
             ON CONFLICT (course_id, user_id) DO UPDATE SET role = excluded.role",
            course,
            viewer.id(),
            role,
            now
        )
        .execute(&mut tx)
        .await?;
    }
    let entry = Entry::new(Act::MemberAdded)
        .by(viewer.id())
        .to(viewer.id())
        .in_course(course);
    entry.detail(role.name()).write(&mut tx, now).await?;
    let course = find(&mut tx, viewer, course, Right::ReadAsAuthor).await?;
    tx.commit().await?;
    Ok(course)
}
