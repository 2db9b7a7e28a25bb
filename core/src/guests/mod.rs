//! Guests: people who start a course without an account, if the course allows it.
//!
//! A guest is an account without an e-mail address and a password of its own. It reads, takes quizzes and keeps notes as any other learner, on the
//! device whose session has its token. [`merge`] moves all of it to the account that the person signs in with. Everything that reaches other people
//! or needs an address fails with 403 ([`Viewer::require_account`]). Guests who stay away for [`KEPT`] are deleted
//! ([decision 127](../../../docs/decisions/0127-guests.md)).

mod enrollment;
mod merge;
mod rows;

use chrono::{DateTime, Duration, Utc};
use serde_json::Value;
use uuid::Uuid;

use crate::Kurso;
use crate::access::{User, Viewer, user_columns};
use crate::auth::limits::{self, Limit};
use crate::auth::{Origin, sessions};
use crate::courses::sharing;
use crate::courses::visibility::has_public_page;
use crate::{learning, schedule, users};
use kurso_base::error::{Error, FieldError, Result};
use kurso_base::ids::{CourseId, UserId};
use kurso_base::messages::{Lang, Message};
use kurso_db::sql;

pub use merge::{Merged, merge};

/// How long a guest is kept after the last request.
pub const KEPT: Duration = Duration::days(30);

/// How long the token of a guest is valid; [`KEPT`] ends most of them earlier.
const LIFETIME: Duration = Duration::days(365);

/// Guests that [`delete_old`] deletes at a time.
const CHUNK: i64 = 100;

/// How a guest comes to a course.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Door {
    /// By its public page.
    Page(CourseId),
    /// By its share code, or that of a group, as it was typed.
    Code(String),
}

/// Who starts which course.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(any(test, feature = "testing"), derive(serde::Deserialize))]
pub struct StartAsGuest {
    #[cfg_attr(any(test, feature = "testing"), serde(default))]
    pub course_id: Option<CourseId>,
    /// As it was typed; ignored beside `course_id`.
    #[cfg_attr(any(test, feature = "testing"), serde(default))]
    pub share_code: Option<String>,
}

impl StartAsGuest {
    /// Fails with 422 if neither is given.
    fn door(self) -> Result<Door> {
        match self {
            StartAsGuest {
                course_id: Some(id), ..
            } => Ok(Door::Page(id)),
            StartAsGuest {
                share_code: Some(code), ..
            } => Ok(Door::Code(code)),
            _ => {
                let missing = FieldError::body("missing", "share_code", Message::FieldRequired, Value::Null);
                Err(Error::invalid(missing))
            }
        }
    }
}

/// A course that people can start as guests.
#[derive(Clone, PartialEq, Eq, Debug, sqlx::FromRow)]
pub struct GuestCourse {
    pub id: CourseId,
    pub title: String,
    /// End of enrollment.
    pub enroll_until: Option<DateTime<Utc>>,
}

/// A guest who has just started.
#[derive(Clone, Debug)]
pub struct Started {
    /// The access token of the guest.
    pub token: String,
    pub course: CourseId,
}

/// The course behind a door. Fails with 404 if there is none, or if it does not allow guests: then nothing of it is revealed.
pub async fn course(kurso: &Kurso, origin: &Origin, door: &Door) -> Result<GuestCourse> {
    let now = kurso.clock.now();
    match door {
        Door::Page(id) => {
            let found = sql!(
                concat!(
                    "SELECT c.id, c.title, c.enroll_until FROM courses c JOIN public_pages g ON g.course_id = c.id
                     WHERE c.id = $1 AND g.allows_guests AND ",
                    has_public_page!()
                ),
                *id
            );
            let found = found.fetch_optional(&kurso.db).await?;
            found.ok_or(Error::NotFound(Message::CourseNotFound))
        }
        Door::Code(typed) => {
            let counters = limits::of_address(Limit::FailuresOfAddress, origin.address);
            kurso.limits.acquire(&counters, now)?;
            let unknown = || Error::NotFound(Message::UnknownShareCode);
            let code = sharing::parse(typed).ok_or_else(unknown)?;
            let found = sql!(
                "SELECT c.id, c.title, c.enroll_until FROM courses c JOIN public_pages g ON g.course_id = c.id
                 WHERE g.allows_guests AND (c.share_code = $1
                   OR EXISTS (SELECT 1 FROM groups s WHERE s.course_id = c.id AND s.share_code = $1))",
                code
            );
            let found = found.fetch_optional(&kurso.db).await?.ok_or_else(unknown)?;
            kurso.limits.refund(&counters, now);
            Ok(found)
        }
    }
}

/// Makes a guest and enrolls them in a course. Needs no token; rate-limited per client address. Fails as [`course`] does, and with
/// [`Error::Closed`] after the end of enrollment. `lang` is the language of the guest's name.
pub async fn start(kurso: &Kurso, origin: &Origin, start: StartAsGuest, lang: Lang) -> Result<Started> {
    let door = start.door()?;
    let now = kurso.clock.now();
    let found = course(kurso, origin, &door).await?;
    schedule::require_enrollment(found.enroll_until, now)?;
    kurso.limits.acquire_of_address(Limit::Guests, origin.address, now)?;
    let (viewer, token) = create(kurso, origin, lang, now).await?;
    let enrolled = match &door {
        Door::Page(id) => learning::join_course(kurso, &viewer, *id).await,
        Door::Code(code) => learning::enroll(kurso, &viewer, origin, code).await,
    };
    match enrolled {
        Ok(course) => Ok(Started {
            token,
            course: course.id,
        }),
        Err(error) => {
            // The course was closed meanwhile. A guest who stays would be deleted later.
            if let Err(error) = users::delete_me(kurso, &viewer).await {
                tracing::warn!(%error, "a guest without a course could not be deleted");
            }
            Err(error)
        }
    }
}

/// Stores a guest with a session.
async fn create(kurso: &Kurso, origin: &Origin, lang: Lang, now: DateTime<Utc>) -> Result<(Viewer, String)> {
    let id = UserId::new();
    let number = kurso_base::random::bits() % 90_000 + 10_000;
    let mut tx = kurso.db.begin().await?;
    let user: User = sql!(
        concat!(
            "INSERT INTO users (id, email, email_key, full_name, password_hash, is_active, is_superuser, is_guest, created_at)
             VALUES ($1, $2, $3, $4, '', TRUE, FALSE, TRUE, $5) RETURNING ",
            user_columns!()
        ),
        id,
        address(id),
        key(id),
        Message::GuestName(number).text(lang),
        now
    )
    .fetch_one(&mut tx)
    .await?;
    let session = sessions::insert(&mut tx, id, origin, now, LIFETIME).await?;
    tx.commit().await?;
    let token = kurso.tokens.issue_for(LIFETIME, id, session, now)?;
    Ok((Viewer { user, session }, token))
}

/// A placeholder for clients that expect an address. Mails to `.example` reach nobody (RFC 2606).
fn address(id: UserId) -> String {
    let digits = Uuid::from(id).simple().to_string();
    let end = digits.get(20..).unwrap_or_default();
    format!("guest-{end}@guest.example")
}

/// The key by which addresses are compared. No typed address equals it, because it has no `@`: guests are not found by an address, and neither sign in nor
/// recover a password.
fn key(id: UserId) -> String {
    format!("guest:{id}")
}

/// Deletes the guests whose last request was [`KEPT`] ago. Returns their number. Several nodes may run it at the same time.
pub async fn delete_old(kurso: &Kurso) -> Result<u64> {
    let until = kurso.clock.now() - KEPT;
    let (mut deleted, mut last) = (0, UserId(Uuid::nil()));
    loop {
        let gone = sql!(
            "SELECT u.id FROM users u WHERE u.is_guest AND u.created_at <= $1 AND u.id > $2
             AND NOT EXISTS (SELECT 1 FROM sessions s WHERE s.user_id = u.id AND s.last_seen_at > $1) ORDER BY u.id LIMIT $3",
            until,
            last,
            CHUNK
        );
        let gone = gone.fetch_all::<(UserId,)>(&kurso.db).await?;
        let Some((end,)) = gone.last() else { return Ok(deleted) };
        last = *end;
        for (id,) in gone {
            match users::delete_guest(kurso, id).await {
                Ok(()) => deleted += 1,
                Err(Error::NotFound(_)) => {} // another node was faster
                // One that cannot be deleted must not keep the others.
                Err(error) => tracing::warn!(%error, guest = %id, "a guest could not be deleted"),
            }
        }
    }
}
