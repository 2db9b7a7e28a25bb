//! Making accounts: by oneself, by a superuser, by whoever runs the server.

use serde_json::Value;

use super::{User, email_change};
use crate::Kurso;
use crate::access::Viewer;
use crate::audit::{Act, Entry};
use crate::auth::{Origin, limits};
use crate::email::Email;
use crate::error::{Error, Result};
use crate::ids::UserId;
use crate::input::Fields;
use crate::mail::queue::{self, About};
use crate::messages::{Lang, Message};
use crate::sql;

/// What a new account is made of.
#[derive(Clone, Debug)]
pub struct NewUser {
    pub email: Email,
    pub password: String,
    pub full_name: Option<String>,
    pub is_active: bool,
    pub is_superuser: bool,
}

impl NewUser {
    /// Reads the body of a signup: `email`, `password` (8–128 characters), optional `full_name` (≤ 255).
    pub fn from_signup(body: &Value) -> Result<Self> {
        let mut fields = Fields::of(body)?;
        let email = fields.email("email");
        let full_name = fields.optional_text("full_name", 255);
        let password = fields.secret("password", 8, 128);
        fields.finish()?;
        Self::ordinary(email, password, full_name)
    }

    /// Reads what a superuser sends: the fields of a signup and the optional `is_active` (true) and `is_superuser` (false).
    pub fn from_superuser(body: &Value) -> Result<Self> {
        let mut fields = Fields::of(body)?;
        let email = fields.email("email");
        let is_active = fields.flag("is_active").unwrap_or(true);
        let is_superuser = fields.flag("is_superuser").unwrap_or(false);
        let full_name = fields.optional_text("full_name", 255);
        let password = fields.secret("password", 8, 128);
        fields.finish()?;
        Ok(NewUser {
            is_active,
            is_superuser,
            ..Self::ordinary(email, password, full_name)?
        })
    }

    /// Reads the body of the development call: as a signup, the `full_name` required.
    pub fn from_private(body: &Value) -> Result<Self> {
        let mut fields = Fields::of(body)?;
        let email = fields.email("email");
        let full_name = fields.text("full_name", 0, 255);
        let password = fields.secret("password", 8, 128);
        fields.finish()?;
        Self::ordinary(email, password, full_name)
    }

    fn ordinary(email: Option<Email>, password: Option<String>, full_name: Option<String>) -> Result<Self> {
        match (email, password) {
            (Some(email), Some(password)) => Ok(NewUser {
                email,
                password,
                full_name,
                is_active: true,
                is_superuser: false,
            }),
            _ => Err(Error::internal("a checked body lacks a field")),
        }
    }
}

/// Makes an ordinary account; open to all, limited per address.
pub async fn signup(kurso: &Kurso, origin: &Origin, new: NewUser) -> Result<User> {
    let now = kurso.clock.now();
    let counters = limits::signups(origin.address);
    kurso.limits.take(&counters, now)?;
    make(kurso, new, None, None).await
}

/// Makes an account for somebody, who gets a mail with a link to set a password; superusers only.
pub async fn add(kurso: &Kurso, viewer: &Viewer, lang: Lang, new: NewUser) -> Result<User> {
    viewer.require_superuser()?;
    let made = make(kurso, new, Some(viewer.id()), Some(lang)).await;
    made.map_err(|error| match error {
        Error::BadRequest(Message::EmailTaken) => Error::BadRequest(Message::EmailTakenInSystem),
        other => other,
    })
}

/// Makes an account, whoever asks: for whoever runs the server, and for a server in development, which listens on its own
/// machine only. 400 when the e-mail is taken.
pub async fn create(kurso: &Kurso, new: NewUser) -> Result<User> {
    make(kurso, new, None, None).await
}

/// `welcome`: with a mail in this language.
async fn make(kurso: &Kurso, new: NewUser, actor: Option<UserId>, welcome: Option<Lang>) -> Result<User> {
    let taken = || Error::BadRequest(Message::EmailTaken);
    let now = kurso.clock.now();
    let id = UserId::new();
    let hash = kurso.passwords.hash(new.password).await?;
    let mut tx = kurso.db.begin().await?;
    if email_change::is_kept_for_another(&mut tx, &new.email, id, now).await? {
        return Err(taken());
    }
    let user: User = sql!(
        "INSERT INTO users (id, email, email_key, full_name, password_hash, is_active, is_superuser, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
         RETURNING id, email, full_name, is_active, is_superuser, created_at",
        id,
        new.email.shown(),
        new.email.key(),
        new.full_name,
        hash,
        new.is_active,
        new.is_superuser,
        now
    )
    .fetch_one(&mut tx)
    .await
    .map_err(|error| match error {
        error if crate::error::is_unique_violation(&error) => taken(),
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
        queue::add(&mut tx, &About::NewAccount { user: id }, lang, now).await?;
    }
    tx.commit().await?;
    if welcome.is_some() {
        kurso.mail.wake();
    }
    Ok(user)
}
