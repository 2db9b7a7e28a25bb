//! Creates accounts: by signup, by a superuser, or by an operator command.

use super::email_change;
use crate::Kurso;
use crate::access::{User, Viewer, user_columns};
use crate::audit::{Act, Entry};
use crate::auth::Origin;
use crate::auth::limits::Limit;
use crate::mail::queue::{self, PendingMail};
use kurso_base::email::Email;
use kurso_base::error::{Error, Result};
use kurso_base::ids::UserId;
use kurso_base::messages::{Lang, Message};
use kurso_base::values::{FullName, Password};
use kurso_db::sql;

/// A new account.
#[derive(Clone, Debug)]
pub struct CreateUser {
    pub email: Email,
    pub password: Password,
    pub full_name: Option<FullName>,
    pub is_active: bool,
    pub is_superuser: bool,
}

impl CreateUser {
    /// An active account without the rights of a superuser.
    pub fn ordinary(email: Email, password: Password, full_name: Option<FullName>) -> Self {
        CreateUser {
            email,
            password,
            full_name,
            is_active: true,
            is_superuser: false,
        }
    }
}

/// Creates an ordinary account. Needs no token; rate-limited per client address. Fails with 400 when the e-mail address is taken.
pub async fn signup(kurso: &Kurso, origin: &Origin, new: CreateUser) -> Result<User> {
    let now = kurso.clock.now();
    kurso.limits.acquire_of_address(Limit::Signups, origin.address, now)?;
    store(kurso, new, Creator::Owner).await
}

/// Creates an account and mails its address a link to set a password; superusers only. An address that is only reserved
/// for an undone change is given to the new account.
pub async fn add(kurso: &Kurso, viewer: &Viewer, lang: Lang, new: CreateUser) -> Result<User> {
    viewer.require_superuser()?;
    let stored = store(kurso, new, Creator::Superuser(viewer.id(), lang)).await;
    stored.map_err(|error| match error {
        Error::BadRequest(Message::EmailTaken) => Error::BadRequest(Message::EmailTakenInSystem),
        other => other,
    })
}

/// Creates an account without checking rights: for the command line, and for a server in development, which listens on
/// its own machine only. 400 when the e-mail address is taken.
pub async fn create(kurso: &Kurso, new: CreateUser) -> Result<User> {
    store(kurso, new, Creator::Operator).await
}

/// Who creates an account.
enum Creator {
    /// Its future owner, by signup.
    Owner,
    /// A superuser; the new account gets a mail in this language.
    Superuser(UserId, Lang),
    /// The operator of the server.
    Operator,
}

/// Stores an account. A reserved address is taken for a signup only.
async fn store(kurso: &Kurso, new: CreateUser, by: Creator) -> Result<User> {
    let taken = || Error::BadRequest(Message::EmailTaken);
    let now = kurso.clock.now();
    let id = UserId::new();
    let (actor, welcome, by_operator) = match by {
        Creator::Owner => (Some(id), None, false),
        Creator::Superuser(superuser, lang) => (Some(superuser), Some(lang), true),
        Creator::Operator => (None, None, true),
    };
    let hash = kurso.passwords.hash(new.password.into()).await?;
    let mut tx = kurso.db.begin().await?;
    if by_operator {
        email_change::release(&mut tx, &new.email).await?;
    } else if email_change::is_reserved_for_another(&mut tx, &new.email, id, now).await? {
        return Err(taken());
    }
    let user: User = sql!(
        concat!(
            "INSERT INTO users (id, email, email_key, full_name, password_hash, is_active, is_superuser, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING ",
            user_columns!()
        ),
        id,
        new.email.shown(),
        new.email.key(),
        new.full_name.map(String::from),
        hash,
        new.is_active,
        new.is_superuser,
        now
    )
    .fetch_one(&mut tx)
    .await
    .map_err(|error| match error {
        error if kurso_base::error::is_unique_violation(&error) => taken(),
        error => Error::from(error),
    })?;
    let entry = Entry::new(Act::UserCreated).by(actor).to(id);
    let entry = if new.is_superuser {
        entry.detail("superuser")
    } else {
        entry
    };
    entry.write(&mut tx, now).await?;
    if let Some(lang) = welcome {
        queue::enqueue(&mut tx, &PendingMail::NewAccount { user: id }, lang, now).await?;
    }
    tx.commit().await?;
    if welcome.is_some() {
        kurso.mail.wake();
    }
    Ok(user)
}
