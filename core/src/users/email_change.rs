//! Undoing a change of e-mail address: a mail to the old address has a link that restores it for 72 hours. The address is
//! reserved for that time, so that a thief of the account cannot make the restoration impossible. Nobody proved that the
//! address was theirs, so it may have been squatted: a superuser may give it to another account, and a recovery
//! mail to it has the link as well.

use chrono::{DateTime, Duration, Utc};

use super::change;
use crate::Kurso;
use crate::audit::{Act, Entry};
use crate::auth::sessions;
use crate::auth::tokens::{Link, LinkPurpose};
use crate::mail::templates::{self, RenderedMail, Template};
use kurso_base::email::Email;
use kurso_base::error::{Error, Result};
use kurso_base::ids::{EmailChangeId, UserId};
use kurso_base::messages::{Lang, Message};
use kurso_base::values::LinkToken;
use kurso_db::sql;
use kurso_db::{Executor, Tx};

/// How long a change can be undone.
const UNDO_PERIOD: Duration = Duration::hours(72);

/// Whether the address is reserved for another account, which gave it up less than 72 hours ago.
pub(super) async fn is_reserved_for_another(
    on: impl Executor,
    email: &Email,
    user: UserId,
    now: DateTime<Utc>,
) -> kurso_db::Result<bool> {
    let kept = sql!(
        "SELECT id FROM email_changes WHERE old_key = $1 AND user_id <> $2 AND expires_at > $3 LIMIT 1",
        email.key(),
        user,
        now
    )
    .fetch_optional::<(EmailChangeId,)>(on)
    .await?;
    Ok(kept.is_some())
}

/// Reserves the old address of an account for 72 hours. Returns the id that the mail to it refers to.
pub(super) async fn reserve_old(
    tx: &mut Tx,
    user: UserId,
    old_email: &str,
    old_key: &str,
    now: DateTime<Utc>,
) -> kurso_db::Result<EmailChangeId> {
    sql!(
        "DELETE FROM email_changes WHERE user_id = $1 AND expires_at <= $2",
        user,
        now
    )
    .execute(&mut *tx)
    .await?;
    let id = EmailChangeId::new();
    sql!(
        "INSERT INTO email_changes (id, user_id, old_email, old_key, expires_at) VALUES ($1, $2, $3, $4, $5)",
        id,
        user,
        old_email,
        old_key,
        now + UNDO_PERIOD
    )
    .execute(tx)
    .await?;
    Ok(id)
}

/// Removes the reservations of an address: a superuser gives it to another account.
pub(super) async fn release(tx: &mut Tx, email: &Email) -> kurso_db::Result<()> {
    sql!("DELETE FROM email_changes WHERE old_key = $1", email.key())
        .execute(tx)
        .await?;
    Ok(())
}

/// Removes the reservations of an account: once a superuser has set an address, no older change can be undone.
pub(super) async fn remove_reservations(tx: &mut Tx, user: UserId) -> kurso_db::Result<()> {
    sql!("DELETE FROM email_changes WHERE user_id = $1", user)
        .execute(tx)
        .await?;
    Ok(())
}

/// Renders the mail about the latest change that gave up an address; None when none can be undone.
pub(crate) async fn render_latest(kurso: &Kurso, lang: Lang, old_key: &str) -> Result<Option<RenderedMail>> {
    let latest = sql!(
        "SELECT id FROM email_changes WHERE old_key = $1 AND expires_at > $2 ORDER BY id DESC LIMIT 1",
        old_key,
        kurso.clock.now()
    );
    match latest.fetch_optional::<(EmailChangeId,)>(&kurso.db).await? {
        Some((change,)) => render_mail(kurso, lang, change).await,
        None => Ok(None),
    }
}

/// Renders the mail to the old address; None when the change can no longer be undone.
pub(crate) async fn render_mail(kurso: &Kurso, lang: Lang, change: EmailChangeId) -> Result<Option<RenderedMail>> {
    let now = kurso.clock.now();
    let found = sql!(
        "SELECT c.user_id, c.old_email, c.expires_at, u.email FROM email_changes c JOIN users u ON u.id = c.user_id
         WHERE c.id = $1 AND c.expires_at > $2",
        change,
        now
    )
    .fetch_optional::<(UserId, String, DateTime<Utc>, String)>(&kurso.db)
    .await?;
    let Some((user, old_email, until, new_email)) = found else {
        return Ok(None);
    };
    let link = Link {
        user,
        state: change.to_string(),
    };
    let token = kurso
        .tokens
        .issue_link(LinkPurpose::UndoEmailChange, &link, now, until)?;
    let link = kurso.mail.link("/undo-email-change", &token);
    let template = Template::EmailChanged {
        new_email: &new_email,
        link: &link,
    };
    Ok(Some(templates::render(&template, lang, &old_email, now)))
}

/// Restores the address that the token of a mail refers to, and ends every session. Later changes of the address can then no longer
/// be undone, so that whoever made them cannot take the account back. Fails with 400 for an invalid or expired token.
pub async fn undo(kurso: &Kurso, token: &LinkToken) -> Result<()> {
    let bad = || Error::BadRequest(Message::BadLink);
    let now = kurso.clock.now();
    let link = kurso
        .tokens
        .read_link(LinkPurpose::UndoEmailChange, &token.0, now)
        .ok_or_else(bad)?;
    let change: EmailChangeId = link.state.parse().map_err(|_| bad())?;
    let mut tx = kurso.db.begin().await?;
    change::lock(&mut tx, link.user).await?.ok_or_else(bad)?;
    let (old_email, old_key, is_active) = sql!(
        "SELECT c.old_email, c.old_key, u.is_active FROM email_changes c JOIN users u ON u.id = c.user_id
         WHERE c.id = $1 AND c.user_id = $2 AND c.expires_at > $3",
        change,
        link.user,
        now
    )
    .fetch_optional::<(String, String, bool)>(&mut tx)
    .await?
    .ok_or_else(bad)?;
    if !is_active {
        return Err(Error::BadRequest(Message::InactiveUser));
    }
    sql!(
        "UPDATE users SET email = $2, email_key = $3 WHERE id = $1",
        link.user,
        old_email,
        old_key
    )
    .execute(&mut tx)
    .await
    .map_err(|error| match error {
        // Another account got the address before it was reserved, or from an operator.
        error if kurso_base::error::is_unique_violation(&error) => Error::Conflict(Message::EmailOfAnother),
        error => error.into(),
    })?;
    sql!(
        "DELETE FROM email_changes WHERE user_id = $1 AND id >= $2",
        link.user,
        change
    )
    .execute(&mut tx)
    .await?;
    sessions::end_all(&mut tx, link.user, None, now).await?;
    Entry::new(Act::EmailChangeUndone)
        .to(link.user)
        .write(&mut tx, now)
        .await?;
    tx.commit().await?;
    Ok(())
}
