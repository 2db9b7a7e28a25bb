//! Changes accounts and passwords.

use super::email_change;
use crate::Kurso;
use crate::access::{User, Viewer, user_columns};
use crate::audit::{Act, Entry};
use crate::auth::passwords::{self, Verdict};
use crate::auth::{limits, sessions};
use crate::mail::queue::{self, PendingMail};
use kurso_base::email::Email;
use kurso_base::error::{Error, Result};
use kurso_base::ids::UserId;
use kurso_base::messages::{Lang, Message};
use kurso_base::values::{Change, FullName, Password};
use kurso_db::Tx;
use kurso_db::events::Event;
use kurso_db::sql;

/// A change of an account. Fields that are None or `Keep` stay as they are.
#[derive(Clone, Debug, Default)]
#[cfg_attr(any(test, feature = "testing"), derive(serde::Deserialize), serde(default))]
pub struct UpdateUser {
    pub email: Option<Email>,
    pub is_active: Option<bool>,
    pub is_superuser: Option<bool>,
    pub full_name: Change<FullName>,
    pub password: Option<Password>,
}

/// A change of the viewer's own account. Fields that are None or `Keep` stay as they are.
#[derive(Clone, Debug, Default)]
#[cfg_attr(any(test, feature = "testing"), derive(serde::Deserialize), serde(default))]
pub struct UpdateMe {
    pub full_name: Change<FullName>,
    pub email: Option<Email>,
}

/// Changes the viewer's own account. The old address gets a mail with a link that undoes a change of the address.
pub async fn update_me(kurso: &Kurso, viewer: &Viewer, lang: Lang, update: UpdateMe) -> Result<User> {
    viewer.require_account()?;
    let update = UpdateUser {
        full_name: update.full_name,
        email: update.email,
        ..UpdateUser::default()
    };
    apply(kurso, viewer, lang, viewer.id(), update, Message::UserGone).await
}

/// Changes any account; superusers only. A new password ends the sessions of the account, except the one that makes the
/// request. Deactivation ends them all.
pub async fn update(kurso: &Kurso, viewer: &Viewer, lang: Lang, id: UserId, update: UpdateUser) -> Result<User> {
    viewer.require_superuser()?;
    apply(kurso, viewer, lang, id, update, Message::UserIdUnknown).await
}

async fn apply(
    kurso: &Kurso,
    viewer: &Viewer,
    lang: Lang,
    id: UserId,
    update: UpdateUser,
    missing: Message,
) -> Result<User> {
    let rights = rights(&update);
    let hash = match update.password {
        Some(password) => Some(kurso.passwords.hash(password.into()).await?),
        None => None,
    };
    let now = kurso.clock.now();
    let own = id == viewer.id();
    let mut tx = kurso.db.begin().await?;
    let found = if own {
        lock(&mut tx, id).await?
    } else {
        lock_with_superuser(&mut tx, id, viewer.id()).await?
    };
    let (old_email, old_key) = found.ok_or(Error::NotFound(missing))?;
    let moved = update.email.as_ref().filter(|email| email.key() != old_key);
    if own && moved.is_some() {
        // Taken addresses count too, or this would tell which addresses have accounts.
        kurso.limits.acquire(&limits::email_changes(id), now)?;
    }
    if let Some(email) = moved
        && own
        && email_change::is_reserved_for_another(&mut tx, email, id, now).await?
    {
        return Err(Error::Conflict(Message::EmailOfAnother));
    }
    if let Some(email) = moved.filter(|_| !own) {
        email_change::release(&mut tx, email).await?;
    }
    let user: User = sql!(
        concat!(
            "UPDATE users SET email = COALESCE($2, email), email_key = COALESCE($3, email_key),
           is_active = COALESCE($4, is_active), is_superuser = COALESCE($5, is_superuser),
           full_name = CASE WHEN $6 THEN $7 ELSE full_name END, password_hash = COALESCE($8, password_hash)
             WHERE id = $1 RETURNING ",
            user_columns!()
        ),
        id,
        update.email.as_ref().map(Email::shown),
        update.email.as_ref().map(Email::key),
        update.is_active,
        update.is_superuser,
        !update.full_name.is_keep(),
        update.full_name.value().map(String::from),
        &hash
    )
    .fetch_one(&mut tx)
    .await
    .map_err(|error| match error {
        error if kurso_base::error::is_unique_violation(&error) => Error::Conflict(Message::EmailOfAnother),
        error => error.into(),
    })?;
    let mailed = moved.is_some() && own;
    if moved.is_some() {
        if own {
            let change = email_change::reserve_old(&mut tx, id, &old_email, &old_key, now).await?;
            queue::enqueue(&mut tx, &PendingMail::EmailChanged { change }, lang, now).await?;
        } else {
            email_change::remove_reservations(&mut tx, id).await?;
        }
    }
    if update.is_active == Some(false) {
        sessions::end_all(&mut tx, id, None, now).await?;
    } else if hash.is_some() {
        sessions::end_all(&mut tx, id, own.then_some(viewer.session), now).await?;
    }
    let done = [
        (moved.is_some(), Entry::new(Act::EmailChanged)),
        (hash.is_some(), Entry::new(Act::PasswordChanged)),
        (
            !rights.is_empty(),
            Entry::new(Act::UserChanged).detail(rights.join(", ")),
        ),
    ];
    for (_, entry) in done.into_iter().filter(|(is_done, _)| *is_done) {
        entry.by(viewer.id()).to(id).write(&mut tx, now).await?;
    }
    if update.is_superuser.is_some() {
        tx.publish(Event::Person { user: id });
    }
    tx.commit().await?;
    if mailed {
        kurso.mail.wake();
    }
    Ok(user)
}

/// The changed rights of an account, in the words of the audit log.
fn rights(update: &UpdateUser) -> Vec<&'static str> {
    let active = update.is_active.map(|is| if is { "active" } else { "inactive" });
    let superuser = update
        .is_superuser
        .map(|is| if is { "superuser" } else { "no superuser" });
    active.into_iter().chain(superuser).collect()
}

/// Locks the account until the transaction ends. Returns its e-mail address and the key that addresses are compared by;
/// None when the account does not exist.
pub(super) async fn lock(tx: &mut Tx, id: UserId) -> kurso_db::Result<Option<(String, String)>> {
    sql!(
        "UPDATE users SET email_key = email_key WHERE id = $1 RETURNING email, email_key",
        id
    )
    .fetch_optional(tx)
    .await
}

/// As [`lock`], for a change by a superuser, whose account is locked too: of two superusers who take each other's rank
/// at once, one comes too late. Fails with 403 if the superuser is none any more.
pub(super) async fn lock_with_superuser(tx: &mut Tx, id: UserId, actor: UserId) -> Result<Option<(String, String)>> {
    let mut found = None;
    // In one order everywhere, or two such changes could wait for each other.
    for locked in [id.min(actor), id.max(actor)] {
        let account = lock(&mut *tx, locked).await?;
        if locked == id {
            found = account;
        }
    }
    let guest = sql!("SELECT 1 FROM users WHERE id = $1 AND is_guest", id);
    if guest.fetch_optional::<(i32,)>(&mut *tx).await?.is_some() {
        found = None; // a superuser manages accounts
    }
    let rank = sql!("SELECT is_superuser AND is_active FROM users WHERE id = $1", actor);
    match rank.fetch_optional::<(bool,)>(tx).await? {
        Some((true,)) => Ok(found),
        _ => Err(Error::Forbidden(Message::NotEnoughPrivileges)),
    }
}

/// A change of the viewer's own password.
#[derive(Clone, Debug)]
#[cfg_attr(any(test, feature = "testing"), derive(serde::Deserialize))]
pub struct ChangePassword {
    pub current_password: Password,
    pub new_password: Password,
}

/// Changes the viewer's own password; all other sessions end.
pub async fn change_password(kurso: &Kurso, viewer: &Viewer, change: ChangePassword) -> Result<()> {
    viewer.require_account()?;
    let now = kurso.clock.now();
    let counters = limits::password_changes(viewer.id());
    kurso.limits.acquire(&counters, now)?;
    let (stored,) = sql!("SELECT password_hash FROM users WHERE id = $1", viewer.id())
        .fetch_optional::<(String,)>(&kurso.db)
        .await?
        .ok_or(Error::NotFound(Message::UserGone))?;
    let verdict = kurso
        .passwords
        .verify(change.current_password.clone().into(), Some(stored.clone()))
        .await?;
    if verdict == Verdict::Wrong {
        return Err(Error::BadRequest(Message::WrongPassword));
    }
    if change.current_password == change.new_password {
        return Err(Error::BadRequest(Message::SamePassword));
    }
    let hash = kurso.passwords.hash(change.new_password.into()).await?;
    let mut tx = kurso.db.begin().await?;
    if !passwords::replace_hash(&mut tx, viewer.id(), &stored, &hash).await? {
        return Err(Error::BadRequest(Message::WrongPassword)); // another request changed it meanwhile
    }
    sessions::end_all(&mut tx, viewer.id(), Some(viewer.session), now).await?;
    let entry = Entry::new(Act::PasswordChanged).by(viewer.id()).to(viewer.id());
    entry.write(&mut tx, now).await?;
    tx.commit().await?;
    Ok(())
}

/// Sets a password without the old one, for the operator of the server; every session ends.
pub async fn set_password(kurso: &Kurso, id: UserId, password: Password) -> Result<()> {
    let hash = kurso.passwords.hash(password.into()).await?;
    let now = kurso.clock.now();
    let mut tx = kurso.db.begin().await?;
    let changed = sql!("UPDATE users SET password_hash = $2 WHERE id = $1", id, hash)
        .execute(&mut tx)
        .await?;
    if changed == 0 {
        return Err(Error::NotFound(Message::UserGone));
    }
    sessions::end_all(&mut tx, id, None, now).await?;
    Entry::new(Act::PasswordChanged).to(id).write(&mut tx, now).await?;
    tx.commit().await?;
    Ok(())
}
