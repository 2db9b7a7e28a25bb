//! Setting a password by a link in a mail (contract 8, rest-facts 0 and 7). A link is bound to the account, its address and
//! its password as they are: a change of either ends it, and so does its use.

use chrono::{DateTime, Duration, Utc};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::tokens::{Link, LinkPurpose, Tokens};
use super::{limits, sessions};
use crate::Kurso;
use crate::access::Viewer;
use crate::audit::{Act, Entry};
use crate::email::Email;
use crate::error::{Error, Result};
use crate::ids::UserId;
use crate::input::Fields;
use crate::mail::Mail;
use crate::mail::letters::{self, Letter, Occasion};
use crate::mail::queue::{self, About};
use crate::messages::{Lang, Message};
use crate::{sql, users};

/// How long a link is good that a person asked for.
const ASKED_FOR: Duration = Duration::hours(1);
/// How long the link is good that comes with a new account: its person may not be waiting for it.
const WELCOME: Duration = Duration::hours(72);

/// What a link depends on.
#[derive(sqlx::FromRow)]
struct Account {
    id: UserId,
    email: String,
    email_key: String,
    password_hash: String,
    is_active: bool,
}

impl Account {
    /// Tells nothing about the hash, whose salt is random, and is another after every change.
    fn state(&self) -> String {
        let mut digest = Sha256::new();
        for part in [&self.email_key, &self.password_hash] {
            digest.update(part.len().to_be_bytes());
            digest.update(part);
        }
        digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The address of the screen that sets a password.
    fn link(&self, tokens: &Tokens, mail: &Mail, now: DateTime<Utc>, lifetime: Duration) -> Result<String> {
        let link = Link {
            user: self.id,
            state: self.state(),
        };
        let token = tokens.issue_link(LinkPurpose::Recovery, &link, now, now + lifetime)?;
        Ok(mail.link("/reset-password", &token))
    }

    fn recovery_letter(&self, tokens: &Tokens, mail: &Mail, lang: Lang, now: DateTime<Utc>) -> Result<Letter> {
        let link = self.link(tokens, mail, now, ASKED_FOR)?;
        let occasion = Occasion::Recovery {
            email: &self.email,
            link: &link,
        };
        Ok(letters::write(&occasion, lang, &self.email, now))
    }
}

async fn by_email(kurso: &Kurso, email_key: &str) -> Result<Option<Account>> {
    let account = sql!(
        "SELECT id, email, email_key, password_hash, is_active FROM users WHERE email_key = $1",
        email_key
    );
    Ok(account.fetch_optional(&kurso.db).await?)
}

async fn by_id(kurso: &Kurso, id: UserId) -> Result<Option<Account>> {
    let account = sql!(
        "SELECT id, email, email_key, password_hash, is_active FROM users WHERE id = $1",
        id
    );
    Ok(account.fetch_optional(&kurso.db).await?)
}

/// Sends a link to the account of an address, if there is one. Whether there is shows nowhere, not in the time either: the
/// account is looked for when the letter is written, after the answer.
pub async fn ask(kurso: &Kurso, lang: Lang, email: &str) -> Result<()> {
    let Ok(email) = Email::parse(email) else { return Ok(()) };
    let now = kurso.clock.now();
    let counters = limits::recoveries(&email);
    kurso.limits.take(&counters, now)?;
    let email_key = email.key().to_owned();
    match queue::add(&kurso.db, &About::Recovery { email_key }, lang, now).await {
        Err(Error::Busy) => tracing::error!("too many recovery mails wait, one more was dropped"),
        added => added?,
    }
    kurso.mail.wake();
    Ok(())
}

/// The letter with a link that somebody asked for, good from now on.
pub(crate) async fn letter(kurso: &Kurso, lang: Lang, email_key: &str) -> Result<Option<Letter>> {
    let Some(account) = by_email(kurso, email_key).await? else {
        return Ok(None);
    };
    account
        .recovery_letter(&kurso.tokens, &kurso.mail, lang, kurso.clock.now())
        .map(Some)
}

/// The letter that [`ask`] would send, its link good; superusers only.
pub async fn preview(kurso: &Kurso, viewer: &Viewer, lang: Lang, email: &str) -> Result<Letter> {
    viewer.require_superuser()?;
    let unknown = || Error::NotFound(Message::UsernameUnknown);
    let email = Email::parse(email).map_err(|_| unknown())?;
    let account = by_email(kurso, email.key()).await?.ok_or_else(unknown)?;
    account.recovery_letter(&kurso.tokens, &kurso.mail, lang, kurso.clock.now())
}

/// The letter of a new account that somebody else made, with a link to set a password.
pub(crate) async fn welcome(kurso: &Kurso, lang: Lang, id: UserId) -> Result<Option<Letter>> {
    let now = kurso.clock.now();
    let Some(account) = by_id(kurso, id).await? else {
        return Ok(None); // deleted by now
    };
    let link = account.link(&kurso.tokens, &kurso.mail, now, WELCOME)?;
    let occasion = Occasion::NewAccount {
        email: &account.email,
        link: &link,
    };
    Ok(Some(letters::write(&occasion, lang, &account.email, now)))
}

/// A new password and the token of the link that allows it.
pub struct Reset {
    pub token: String,
    pub new_password: String,
}

impl Reset {
    /// Reads `token` and `new_password` (8–128 characters).
    pub fn from_body(body: &Value) -> Result<Self> {
        let mut fields = Fields::of(body)?;
        let token = fields.secret("token", 0, usize::MAX);
        let new_password = fields.secret("new_password", 8, 128);
        fields.finish()?;
        match (token, new_password) {
            (Some(token), Some(new_password)) => Ok(Reset { token, new_password }),
            _ => Err(Error::internal("a checked body lacks a field")),
        }
    }
}

/// Sets a password by a link: every session ends, and the link with them.
pub async fn reset(kurso: &Kurso, reset: Reset) -> Result<()> {
    let bad = || Error::BadRequest(Message::BadLink);
    let now = kurso.clock.now();
    let link = kurso
        .tokens
        .read_link(LinkPurpose::Recovery, &reset.token, now)
        .ok_or_else(bad)?;
    let account = by_id(kurso, link.user).await?.ok_or_else(bad)?;
    if account.state() != link.state {
        return Err(bad());
    }
    if !account.is_active {
        return Err(Error::BadRequest(Message::InactiveUser));
    }
    let hash = kurso.passwords.hash(reset.new_password).await?;
    let mut tx = kurso.db.begin().await?;
    // Of two uses of one link at once the second finds another hash.
    if !users::replace_hash(&mut tx, account.id, &account.password_hash, &hash).await? {
        return Err(bad());
    }
    let (key,) = sql!("SELECT email_key FROM users WHERE id = $1", account.id)
        .fetch_one::<(String,)>(&mut tx)
        .await?;
    if key != account.email_key {
        return Err(bad()); // the address was changed in between, which ends open links
    }
    sessions::end_all(&mut tx, account.id, None, now).await?;
    Entry::new(Act::PasswordReset)
        .to(account.id)
        .write(&mut tx, now)
        .await?;
    tx.commit().await?;
    Ok(())
}
