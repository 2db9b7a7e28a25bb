//! Changing accounts: one's own, anybody's for a superuser, passwords.

use serde_json::Value;

use super::{User, email_change};
use crate::Kurso;
use crate::access::Viewer;
use crate::audit::{Act, Entry};
use crate::auth::passwords::Verdict;
use crate::auth::{limits, sessions};
use crate::db::{self, Tx};
use crate::email::Email;
use crate::error::{Error, Result};
use crate::events::Event;
use crate::ids::UserId;
use crate::input::Fields;
use crate::mail::queue::{self, About};
use crate::messages::{Lang, Message};
use crate::sql;

/// What to change: None is left as it is.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    pub email: Option<Email>,
    pub is_active: Option<bool>,
    pub is_superuser: Option<bool>,
    /// `Some(None)` clears it.
    pub full_name: Option<Option<String>>,
    pub password: Option<String>,
}

impl Changes {
    /// Reads what a person may change of themselves: `full_name`, `email`.
    pub fn from_me(body: &Value) -> Result<Self> {
        let mut fields = Fields::of(body)?;
        let full_name = fields.changed_nullable_text("full_name", 0, 255);
        let email = fields.changed_email("email");
        fields.finish()?;
        Ok(Changes {
            email,
            full_name,
            ..Changes::default()
        })
    }

    /// Reads what a superuser may change of anybody.
    pub fn from_superuser(body: &Value) -> Result<Self> {
        let mut fields = Fields::of(body)?;
        let changes = Changes {
            email: fields.changed_email("email"),
            is_active: fields.flag("is_active"),
            is_superuser: fields.flag("is_superuser"),
            full_name: fields.changed_nullable_text("full_name", 0, 255),
            password: fields.changed_secret("password", 8, 128),
        };
        fields.finish()?;
        Ok(changes)
    }
}

/// Changes one's own account. The address that is given up gets a mail with a link that undoes the change.
pub async fn update_me(kurso: &Kurso, viewer: &Viewer, lang: Lang, changes: Changes) -> Result<User> {
    apply(kurso, viewer, lang, viewer.id(), changes, Message::UserGone).await
}

/// Changes anybody's account; superusers only. A new password ends that person's sessions (one's own session in use
/// stays), and so does deactivation, which spares none.
pub async fn update(kurso: &Kurso, viewer: &Viewer, lang: Lang, id: UserId, changes: Changes) -> Result<User> {
    viewer.require_superuser()?;
    apply(kurso, viewer, lang, id, changes, Message::UserIdUnknown).await
}

async fn apply(
    kurso: &Kurso,
    viewer: &Viewer,
    lang: Lang,
    id: UserId,
    changes: Changes,
    missing: Message,
) -> Result<User> {
    let rights = rights(&changes);
    let hash = match changes.password {
        Some(password) => Some(kurso.passwords.hash(password).await?),
        None => None,
    };
    let now = kurso.clock.now();
    let own = id == viewer.id();
    let mut tx = kurso.db.begin().await?;
    let (old_email, old_key) = lock(&mut tx, id).await?.ok_or(Error::NotFound(missing))?;
    let moved = changes.email.as_ref().filter(|email| email.key() != old_key);
    if own && moved.is_some() {
        // Taken addresses count too: this is no way to find out who has an account.
        kurso.limits.take(&limits::email_changes(id), now)?;
    }
    if let Some(email) = moved
        && email_change::is_kept_for_another(&mut tx, email, id, now).await?
    {
        return Err(Error::Conflict(Message::EmailOfAnother));
    }
    let user: User = sql!(
        "UPDATE users SET email = COALESCE($2, email), email_key = COALESCE($3, email_key),
           is_active = COALESCE($4, is_active), is_superuser = COALESCE($5, is_superuser),
           full_name = CASE WHEN $6 THEN $7 ELSE full_name END, password_hash = COALESCE($8, password_hash)
         WHERE id = $1
         RETURNING id, email, full_name, is_active, is_superuser, created_at",
        id,
        changes.email.as_ref().map(Email::shown),
        changes.email.as_ref().map(Email::key),
        changes.is_active,
        changes.is_superuser,
        changes.full_name.is_some(),
        changes.full_name.flatten(),
        &hash
    )
    .fetch_one(&mut tx)
    .await
    .map_err(|error| match error {
        error if crate::error::is_unique_violation(&error) => Error::Conflict(Message::EmailOfAnother),
        error => error.into(),
    })?;
    let is_told = moved.is_some() && own;
    if moved.is_some() {
        if own {
            let change = email_change::keep_old(&mut tx, id, &old_email, &old_key, now).await?;
            queue::add(&mut tx, &About::EmailChanged { change }, lang, now).await?;
        } else {
            email_change::forget(&mut tx, id).await?;
        }
    }
    if changes.is_active == Some(false) {
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
    if changes.is_superuser.is_some() {
        tx.tell(Event::Person { user: id });
    }
    tx.commit().await?;
    if is_told {
        kurso.mail.wake();
    }
    Ok(user)
}

/// What is said of an account's rights.
fn rights(changes: &Changes) -> Vec<&'static str> {
    let active = changes.is_active.map(|is| if is { "active" } else { "inactive" });
    let superuser = changes
        .is_superuser
        .map(|is| if is { "superuser" } else { "no superuser" });
    active.into_iter().chain(superuser).collect()
}

/// Makes other changes of the account wait for this transaction; answers with its e-mail address and what that is
/// compared by, as they stand. None: there is no such account.
pub(super) async fn lock(tx: &mut Tx, id: UserId) -> db::Result<Option<(String, String)>> {
    sql!(
        "UPDATE users SET email_key = email_key WHERE id = $1 RETURNING email, email_key",
        id
    )
    .fetch_optional(tx)
    .await
}

/// A person's own change of password.
pub struct PasswordChange {
    pub current: String,
    pub new: String,
}

impl PasswordChange {
    /// Reads `current_password` and `new_password`, each of 8–128 characters.
    pub fn from_body(body: &Value) -> Result<Self> {
        let mut fields = Fields::of(body)?;
        let current = fields.secret("current_password", 8, 128);
        let new = fields.secret("new_password", 8, 128);
        fields.finish()?;
        match (current, new) {
            (Some(current), Some(new)) => Ok(PasswordChange { current, new }),
            _ => Err(Error::internal("a checked body lacks a field")),
        }
    }
}

/// Changes one's own password: all other sessions end.
pub async fn change_password(kurso: &Kurso, viewer: &Viewer, change: PasswordChange) -> Result<()> {
    let now = kurso.clock.now();
    let counters = limits::password_changes(viewer.id());
    kurso.limits.take(&counters, now)?;
    let (stored,) = sql!("SELECT password_hash FROM users WHERE id = $1", viewer.id())
        .fetch_optional::<(String,)>(&kurso.db)
        .await?
        .ok_or(Error::NotFound(Message::UserGone))?;
    let verdict = kurso
        .passwords
        .verify(change.current.clone(), Some(stored.clone()))
        .await?;
    if verdict == Verdict::Wrong {
        return Err(Error::BadRequest(Message::WrongPassword));
    }
    if change.current == change.new {
        return Err(Error::BadRequest(Message::SamePassword));
    }
    let hash = kurso.passwords.hash(change.new).await?;
    let mut tx = kurso.db.begin().await?;
    if !replace_hash(&mut tx, viewer.id(), &stored, &hash).await? {
        return Err(Error::BadRequest(Message::WrongPassword)); // it was changed in between
    }
    sessions::end_all(&mut tx, viewer.id(), Some(viewer.session), now).await?;
    let entry = Entry::new(Act::PasswordChanged).by(viewer.id()).to(viewer.id());
    entry.write(&mut tx, now).await?;
    tx.commit().await?;
    Ok(())
}

/// Puts a hash in the place of the one a decision was made upon; false when the person has another by now, or is inactive.
/// Other changes of the account wait for this transaction.
pub(crate) async fn replace_hash(tx: &mut Tx, id: UserId, old: &str, new: &str) -> db::Result<bool> {
    let changed = sql!(
        "UPDATE users SET password_hash = $3 WHERE id = $1 AND password_hash = $2 AND is_active",
        id,
        old,
        new
    )
    .execute(tx)
    .await?;
    Ok(changed == 1)
}

/// Sets a password without knowing the old one, for whoever runs the server; every session ends.
pub async fn set_password(kurso: &Kurso, id: UserId, password: String) -> Result<()> {
    let hash = kurso.passwords.hash(password).await?;
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
