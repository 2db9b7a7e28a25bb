//! Unsubscribes from notice mails by the token of such a mail, without signing in.
//!
//! A token names the person, a digest of the address that the mail was sent to, and the kinds and course of the mail. It can only unsubscribe,
//! so it may be valid for long and used repeatedly.

use std::net::IpAddr;

use chrono::{DateTime, Duration, Utc};
use sha2::{Digest as _, Sha256};

use super::preferences::{choices_of, reschedule, store};
use crate::Kurso;
use crate::auth::limits::Limit;
use crate::auth::tokens::{Link, LinkPurpose, Tokens};
use crate::notices::choices::{Choice, resolve};
use crate::notices::{Kind, NoticeMail};
use kurso_base::error::{Error, Result};
use kurso_base::hex::hex;
use kurso_base::ids::{CourseId, UserId};
use kurso_base::messages::Message;
use kurso_base::values::LinkToken;
use kurso_db::sql;

/// How long a token is valid.
const LIFETIME: Duration = Duration::days(180);

/// The kinds and the course of a mail.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Scope {
    pub kinds: Vec<Kind>,
    /// The course, if the mail was about only one.
    pub course: Option<CourseId>,
}

/// What the holder of a token can unsubscribe from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Subscription {
    /// The masked address: `i***@example.com`.
    pub email: String,
    /// The kinds that the mail was about.
    pub kinds: Vec<Kind>,
    /// The course of the mail, and its title; None if the mail was about several, or if the course was deleted.
    pub course: Option<(CourseId, String)>,
}

/// What to unsubscribe from: mails of one kind, or of all kinds; for one course, or for all courses.
#[derive(Clone, Debug)]
pub struct UnsubscribeNotices {
    pub token: LinkToken,
    pub kind: Option<Kind>,
    pub course_id: Option<CourseId>,
}

/// Identifies an address without revealing it.
fn digest(email_key: &str) -> String {
    let mut digits = hex(&Sha256::digest(email_key));
    digits.truncate(32);
    digits
}

impl Scope {
    /// Encodes the kinds as the bits of a number, followed by the course.
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

/// Returns the token of a mail about these kinds, for tests.
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

/// The person to whom a token belongs.
struct Holder {
    user: UserId,
    email: String,
    scope: Scope,
}

/// Verifies a token. Fails with 404, with the same message for every reason, and with 429 after too many invalid tokens from one client address.
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
    // Valid tokens are not rate limited: mailbox providers unsubscribe many people from one address.
    kurso
        .limits
        .acquire_of_address(Limit::UnknownNoticeLinks, address, now)?;
    Err(Error::NotFound(Message::NoticeLinkGone))
}

/// Returns what the holder of a token can unsubscribe from. Fails with 404 for an invalid token. Two statements.
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

/// The URL of the unsubscribe page of the web app. The token need not be valid.
pub fn page(kurso: &Kurso, token: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    // Tokens consist of these characters. Any other could change the target of the URL.
    let token: String = token.chars().filter(|c| is_plain(*c)).collect();
    kurso.mail.page(&format!("/unsubscribe/{token}"))
}

/// Masks an address except for its first character and its domain.
fn masked(email: &str) -> String {
    let (local, domain) = email.rsplit_once('@').unwrap_or((email, ""));
    let first: String = local.chars().take(1).collect();
    format!("{first}***@{domain}")
}

/// Unsubscribes from mails. The notices stay in the list, and pending mails are not sent. Fails with 404 for an invalid token, and for a course
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
            return Ok(()); // a deleted course sends nothing
        }
    }
    let choices = choices_of(&mut tx, holder.user).await?;
    // Pushes stay as they are: the link is about mails.
    let off = |course: Option<CourseId>, kind: Kind| Choice {
        course,
        kind,
        in_app: resolve(kind, course, &choices).in_app,
        mail: NoticeMail::Off,
        push: None,
    };
    let stopped: Vec<Choice> = kinds.iter().map(|kind| off(what.course_id, *kind)).collect();
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
    fn a_scope_round_trips() {
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
    fn addresses_are_masked() {
        assert_eq!(masked("ivan@example.com"), "i***@example.com");
        assert_eq!(masked("яна@почта.рф"), "я***@почта.рф");
        assert_eq!(masked("a@b@example.com"), "a***@example.com");
    }
}
