//! People: signup and the superuser of the first start (contract 8, rest-facts 5).

use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::Value;

use crate::Kurso;
use crate::auth::{Origin, limits};
use crate::db::{self, Executor};
use crate::email::Email;
use crate::error::{Error, Result};
use crate::ids::UserId;
use crate::input::Fields;
use crate::messages::Message;
use crate::sql;

/// A person, without the password hash. The fields' order is the wire's.
#[derive(Clone, Debug, PartialEq, Serialize, sqlx::FromRow)]
pub struct User {
    pub email: String,
    pub is_active: bool,
    pub is_superuser: bool,
    pub full_name: Option<String>,
    pub id: UserId,
    #[serde(serialize_with = "crate::wire::time")]
    pub created_at: DateTime<Utc>,
}

/// What a new account is made of.
#[derive(Clone, Debug)]
pub struct NewUser {
    pub email: Email,
    pub password: String,
    pub full_name: Option<String>,
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
        match (email, password) {
            (Some(email), Some(password)) => Ok(NewUser {
                email,
                password,
                full_name,
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
    kurso.limits.check(&counters, now)?;
    kurso.limits.count(&counters, now);
    create(kurso, new).await
}

/// Makes an account; 400 when the e-mail is taken.
pub async fn create(kurso: &Kurso, new: NewUser) -> Result<User> {
    let hash = kurso.passwords.hash(new.password).await?;
    sql!(
        "INSERT INTO users (id, email, email_key, full_name, password_hash, is_active, is_superuser, created_at)
         VALUES ($1, $2, $3, $4, $5, TRUE, $6, $7)
         RETURNING id, email, full_name, is_active, is_superuser, created_at",
        UserId::new(),
        new.email.shown(),
        new.email.key(),
        new.full_name,
        hash,
        new.is_superuser,
        kurso.clock.now()
    )
    .fetch_one(&kurso.db)
    .await
    .map_err(|error| match error {
        error if crate::error::is_unique_violation(&error) => Error::BadRequest(Message::EmailTaken),
        error => error.into(),
    })
}

/// The account of an e-mail address.
pub async fn by_email(on: impl Executor, email: &Email) -> db::Result<Option<User>> {
    sql!(
        "SELECT id, email, full_name, is_active, is_superuser, created_at FROM users WHERE email_key = $1",
        email.key()
    )
    .fetch_optional(on)
    .await
}

/// Is there nobody yet? Then the first start makes the superuser and the demo course.
pub async fn nobody_yet(on: impl Executor) -> db::Result<bool> {
    Ok(sql!("SELECT id FROM users LIMIT 1")
        .fetch_optional::<(UserId,)>(on)
        .await?
        .is_none())
}
