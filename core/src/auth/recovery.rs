//! Password recovery by a link in a mail. A link depends on the account's address and password at that time: a change
//! of either, or its use, invalidates it.

use chrono::{DateTime, Duration, Utc};
use sha2::{Digest as _, Sha256};

use super::tokens::{Link, LinkPurpose, Tokens};
use super::{Origin, limits, passwords, sessions};
use crate::Kurso;
use crate::access::Viewer;
use crate::audit::{Act, Entry};
use crate::mail::Mail;
use crate::mail::queue::{self, PendingMail};
use crate::mail::templates::{self, RenderedMail, Template};
use kurso_base::email::Email;
use kurso_base::error::{Error, Result};
use kurso_base::hex::hex;
use kurso_base::ids::UserId;
use kurso_base::messages::{Lang, Message};
use kurso_base::values::{LinkToken, Password};
use kurso_db::sql;

/// How long a requested link is valid.
const REQUESTED_LIFETIME: Duration = Duration::hours(1);
/// How long the link of a new account is valid; its owner may not expect it.
const WELCOME_LIFETIME: Duration = Duration::hours(72);

/// The account data a link depends on.
#[derive(sqlx::FromRow)]
struct Account {
    id: UserId,
    email: String,
    email_key: String,
    password_hash: String,
    is_active: bool,
}

impl Account {
    /// A digest of the password hash and the address, which changes with either and reveals nothing, because the hash
    /// is salted.
    fn state(&self) -> String {
        let mut digest = Sha256::new();
        for part in [&self.email_key, &self.password_hash] {
            digest.update(part.len().to_be_bytes());
            digest.update(part);
        }
        hex(&digest.finalize())
    }

    /// The address of the page that sets a password.
    fn link(&self, tokens: &Tokens, mail: &Mail, now: DateTime<Utc>, lifetime: Duration) -> Result<String> {
        let link = Link {
            user: self.id,
            state: self.state(),
        };
        let token = tokens.issue_link(LinkPurpose::Recovery, &link, now, now + lifetime)?;
        Ok(mail.link("/reset-password", &token))
    }

    fn recovery_mail(&self, tokens: &Tokens, mail: &Mail, lang: Lang, now: DateTime<Utc>) -> Result<RenderedMail> {
        let link = self.link(tokens, mail, now, REQUESTED_LIFETIME)?;
        let template = Template::Recovery {
            email: &self.email,
            link: &link,
        };
        Ok(templates::render(&template, lang, &self.email, now))
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

/// Queues a mail with a link to the account of an address, if there is one. Neither the answer nor its time reveals
/// whether there is: the account is looked up only when the mail is sent. Rate-limited by the address and by the client network.
pub async fn request(kurso: &Kurso, origin: &Origin, lang: Lang, email: &str) -> Result<()> {
    let Ok(email) = Email::parse(email) else { return Ok(()) };
    let now = kurso.clock.now();
    let counters = limits::recoveries(&email, origin.address);
    kurso.limits.acquire(&counters, now)?;
    let email_key = email.key().to_owned();
    match queue::enqueue(&kurso.db, &PendingMail::Recovery { email_key }, lang, now).await {
        Err(Error::Busy) => tracing::error!("too many pending recovery mails, one was dropped"),
        added => added?,
    }
    kurso.mail.wake();
    Ok(())
}

/// Renders the mail of a requested link; the link's lifetime starts now. None if the address has no account.
pub(crate) async fn render_mail(kurso: &Kurso, lang: Lang, email_key: &str) -> Result<Option<RenderedMail>> {
    let Some(account) = by_email(kurso, email_key).await? else {
        return Ok(None);
    };
    account
        .recovery_mail(&kurso.tokens, &kurso.mail, lang, kurso.clock.now())
        .map(Some)
}

/// The mail that [`request`] would send, with a valid link; superusers only.
pub async fn preview(kurso: &Kurso, viewer: &Viewer, lang: Lang, email: &str) -> Result<RenderedMail> {
    viewer.require_superuser()?;
    let unknown = || Error::NotFound(Message::UsernameUnknown);
    let email = Email::parse(email).map_err(|_| unknown())?;
    let account = by_email(kurso, email.key()).await?.ok_or_else(unknown)?;
    account.recovery_mail(&kurso.tokens, &kurso.mail, lang, kurso.clock.now())
}

/// Renders the mail for an account created by a superuser, with a link to set a password.
pub(crate) async fn welcome(kurso: &Kurso, lang: Lang, id: UserId) -> Result<Option<RenderedMail>> {
    let now = kurso.clock.now();
    let Some(account) = by_id(kurso, id).await? else {
        return Ok(None); // deleted since
    };
    let link = account.link(&kurso.tokens, &kurso.mail, now, WELCOME_LIFETIME)?;
    let template = Template::NewAccount {
        email: &account.email,
        link: &link,
    };
    Ok(Some(templates::render(&template, lang, &account.email, now)))
}

/// A new password, and the token of the link that allows it.
#[derive(Clone, Debug)]
#[cfg_attr(any(test, feature = "testing"), derive(serde::Deserialize))]
pub struct ResetPassword {
    pub token: LinkToken,
    pub new_password: Password,
}

/// Sets a password by a link: every session ends, and the link with them.
pub async fn reset(kurso: &Kurso, reset: ResetPassword) -> Result<()> {
    let bad = || Error::BadRequest(Message::BadLink);
    let now = kurso.clock.now();
    let link = kurso
        .tokens
        .read_link(LinkPurpose::Recovery, &reset.token.0, now)
        .ok_or_else(bad)?;
    let account = by_id(kurso, link.user).await?.ok_or_else(bad)?;
    if account.state() != link.state {
        return Err(bad());
    }
    if !account.is_active {
        return Err(Error::BadRequest(Message::InactiveUser));
    }
    let hash = kurso.passwords.hash(reset.new_password.into()).await?;
    let mut tx = kurso.db.begin().await?;
    // A second concurrent use of the link finds another hash.
    if !passwords::replace_hash(&mut tx, account.id, &account.password_hash, &hash).await? {
        return Err(bad());
    }
    let (key,) = sql!("SELECT email_key FROM users WHERE id = $1", account.id)
        .fetch_one::<(String,)>(&mut tx)
        .await?;
    if key != account.email_key {
        return Err(bad()); // the address was changed since, which invalidates links
    }
    sessions::end_all(&mut tx, account.id, None, now).await?;
    Entry::new(Act::PasswordReset)
        .to(account.id)
        .write(&mut tx, now)
        .await?;
    tx.commit().await?;
    Ok(())
}
