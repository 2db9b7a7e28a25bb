//! Stops mails about notices by the token of such a mail, without signing in.
//!
//! A token names the person, a digest of the address that the mail went to, and what the mail was about. It does nothing but stop
//! mails, so that it may be valid for long and used again.

use std::net::IpAddr;

use chrono::{DateTime, Duration, Utc};
use sha2::{Digest as _, Sha256};

use super::preferences::{choices_of, reschedule, store};
use crate::Kurso;
use crate::auth::limits;
use crate::auth::tokens::{Link, LinkPurpose, Tokens};
use crate::notices::choices::{Choice, Told, resolve};
use crate::notices::{Kind, NoticeMail};
use kurso_base::error::{Error, Result};
use kurso_base::hex::hex;
use kurso_base::ids::{CourseId, UserId};
use kurso_base::messages::Message;
use kurso_base::values::LinkToken;
use kurso_db::sql;

/// How long a token is valid.
const LIFETIME: Duration = Duration::days(180);

/// What a mail was about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Scope {
    pub kinds: Vec<Kind>,
    /// The course, if it was about one only.
    pub course: Option<CourseId>,
}

/// What somebody with a token may stop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Subscription {
    /// The address with most of it hidden: `i***@example.com`.
    pub email: String,
    /// The kinds that the mail was about.
    pub kinds: Vec<Kind>,
    /// The course that the mail was about, and its title; None if it was about several, or is gone.
    pub course: Option<(CourseId, String)>,
}

/// What to stop: mails about a kind, or, without one, all mails about notices; in one course or, without one, in all.
#[derive(Clone, Debug)]
pub struct UnsubscribeNotices {
    pub token: LinkToken,
    pub kind: Option<Kind>,
    pub course_id: Option<CourseId>,
}

/// Identifies an address without showing it. Addresses are compared by their key.
fn digest(email_key: &str) -> String {
    let mut digits = hex(&Sha256::digest(email_key));
    digits.truncate(32);
    digits
}

impl Scope {
    /// The kinds as the bits of a number, and the course.
    fn text(&self) -> String {
        let bits = Kind::ALL.iter().zip(0_u32..);
        let kinds: u32 = bits
            .filter(|(kind, _)| self.kinds.contains(kind))
            .map(|(_, bit)| 1_u32 << bit)
            .sum();
        let course = self.course.map(|course| course.0.simple().to_string());
        format!("{kinds:x} {}", course.unwrap_or_default())
    }

    fn parse(text: &str) -> Option<Self> {
        let (kinds, course) = text.split_once(' ')?;
        let kinds = u32::from_str_radix(kinds, 16).ok()?;
        let course = match course {
            "" => None,
            id => Some(id.parse().ok()?),
        };
        let bits = Kind::ALL.into_iter().zip(0_u32..);
        Some(Scope {
            kinds: bits
                .filter(|(_, bit)| kinds & (1_u32 << *bit) != 0)
                .map(|(kind, _)| kind)
                .collect(),
            course,
        })
    }
}

/// Makes the token of a mail to a person.
pub(super) fn token(
    tokens: &Tokens,
    user: UserId,
    email_key: &str,
    scope: &Scope,
    now: DateTime<Utc>,
) -> Result<String> {
    let link = Link {
        user,
        state: format!("{} {}", digest(email_key), scope.text()),
    };
    tokens.issue_link(LinkPurpose::NoticeMails, &link, now, now + LIFETIME)
}

/// The token of a mail of these kinds to a person.
#[cfg(any(test, feature = "testing"))]
pub async fn token_of(kurso: &Kurso, user: UserId, kinds: &[Kind], course: Option<CourseId>) -> Result<String> {
    let account = sql!("SELECT email_key FROM users WHERE id = $1", user);
    let (email_key,) = account.fetch_one::<(String,)>(&kurso.db).await?;
    let scope = Scope {
        kinds: kinds.to_vec(),
        course,
    };
    token(&kurso.tokens, user, &email_key, &scope, kurso.clock.now())
}

/// The person whose token it is.
struct Holder {
    user: UserId,
    email: String,
    scope: Scope,
}

/// Verifies a token. Fails with 404, in the same words for every reason, and with 429 after too many of these from one client address.
/// One statement.
async fn holder(kurso: &Kurso, address: Option<IpAddr>, token: &str) -> Result<Holder> {
    let now = kurso.clock.now();
    if let Some(link) = kurso.tokens.read_link(LinkPurpose::NoticeMails, token, now) {
        let account = sql!(
            "SELECT email, email_key FROM users WHERE id = $1 AND is_active",
            link.user
        );
        let account = account.fetch_optional::<(String, String)>(&kurso.db).await?;
        if let Some((email, email_key)) = account
            && let Some((of, scope)) = link.state.split_once(' ')
            && of == digest(&email_key)
            && let Some(scope) = Scope::parse(scope)
        {
            return Ok(Holder {
                user: link.user,
                email,
                scope,
            });
        }
    }
    // A good token is never refused: the providers of mailboxes unsubscribe for many people from one address.
    kurso.limits.acquire(&limits::unknown_notice_links(address), now)?;
    Err(Error::NotFound(Message::NoticeLinkGone))
}

/// What somebody with a token may stop. Changes nothing. Fails with 404 for a token that is not good. Two statements.
pub async fn get(kurso: &Kurso, address: Option<IpAddr>, token: &str) -> Result<Subscription> {
    let holder = holder(kurso, address, token).await?;
    let course = match holder.scope.course {
        None => None,
        Some(course) => {
            let found = sql!("SELECT id, title FROM courses WHERE id = $1", course);
            found.fetch_optional::<(CourseId, String)>(&kurso.db).await?
        }
    };
    Ok(Subscription {
        email: masked(&holder.email),
        kinds: holder.scope.kinds,
        course,
    })
}

/// The page of the web app on which a person stops mails by this token, which need not be good.
pub fn page(kurso: &Kurso, token: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    // Other characters are in no token, and might be an address of their own.
    let token: String = token.chars().filter(|c| is_plain(*c)).collect();
    kurso.mail.page(&format!("/unsubscribe/{token}"))
}

/// The address with its first character and its domain.
fn masked(email: &str) -> String {
    let (local, domain) = email.rsplit_once('@').unwrap_or((email, ""));
    let first: String = local.chars().take(1).collect();
    format!("{first}***@{domain}")
}

/// Stops mails; the notices stay in the list. Mails that wait are not sent. Fails with 404 for a token that is not good, and for a course
/// that the mail was not about.
pub async fn unsubscribe(kurso: &Kurso, address: Option<IpAddr>, what: &UnsubscribeNotices) -> Result<()> {
    let holder = holder(kurso, address, &what.token.0).await?;
    if what.course_id.is_some() && what.course_id != holder.scope.course {
        return Err(Error::NotFound(Message::CourseNotFound));
    }
    let kinds = what.kind.map_or(Kind::ALL.to_vec(), |kind| vec![kind]);
    let mut tx = kurso.db.begin().await?;
    if let Some(course) = what.course_id {
        let found = sql!("SELECT id FROM courses WHERE id = $1", course);
        if found.fetch_optional::<(CourseId,)>(&mut tx).await?.is_none() {
            tx.rollback().await?;
            return Ok(()); // nothing more comes from it
        }
    }
    let choices = choices_of(&mut tx, holder.user).await?;
    let off = |course: Option<CourseId>, kind: Kind| {
        let told = Told {
            mail: NoticeMail::Off,
            ..resolve(kind, course, &choices)
        };
        (kind, told)
    };
    let stopped: Vec<(Kind, Told)> = kinds.iter().map(|kind| off(what.course_id, *kind)).collect();
    store(&mut tx, holder.user, what.course_id, &stopped).await?;
    if what.course_id.is_none() {
        let is_mailed = |choice: &&Choice| choice.course.is_some() && kinds.contains(&choice.kind);
        if choices.iter().any(|choice| is_mailed(&choice)) {
            sql!(
                "UPDATE notice_choices SET mail = 'off' WHERE course_id IS NOT NULL AND user_id = $1 AND kind IN ",
                holder.user
            )
            .push_in(kinds.iter().copied())
            .execute(&mut tx)
            .await?;
        }
    }
    reschedule(&mut tx, holder.user, kurso.clock.now()).await?;
    tx.commit().await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scope_is_read_as_it_is_written() {
        for course in [None, Some(CourseId::new())] {
            for kinds in [vec![], vec![Kind::Graded, Kind::CourseCompleted], Kind::ALL.to_vec()] {
                let scope = Scope { kinds, course };
                assert_eq!(Scope::parse(&scope.text()), Some(scope));
            }
        }
        for text in ["", "3", "x ", "3 x", "fffffffff "] {
            assert_eq!(Scope::parse(text), None, "{text}");
        }
    }

    #[test]
    fn most_of_an_address_is_hidden() {
        assert_eq!(masked("ivan@example.com"), "i***@example.com");
        assert_eq!(masked("яна@почта.рф"), "я***@почта.рф");
        assert_eq!(masked("a@b@example.com"), "a***@example.com");
    }
}
