//! The iCalendar feed of a person: a secret address that calendar programs read without signing in (decision 85).

use std::net::IpAddr;

use chrono::{DateTime, Duration, Utc};
use sha2::{Digest as _, Sha256};

use super::ics::{self, Stamp};
use super::{all, events};
use crate::Kurso;
use crate::access::{User, Viewer, user_columns};
use crate::audit::{Act, Entry};
use crate::auth::limits::Limit;
use kurso_base::error::{Error, Result};
use kurso_base::hex::hex;
use kurso_base::ids::SessionId;
use kurso_base::messages::{Lang, Message};
use kurso_base::random;
use kurso_db::sql;

/// The most events of a feed: those nearest to now.
const MAX_EVENTS: usize = 2_000;

/// How often the last use of an address is stored.
const LAST_READ_INTERVAL: Duration = Duration::hours(1);

/// The address of a person's feed, without its secret.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Feed {
    pub is_active: bool,
    /// When the address was made; None without one.
    pub created_at: Option<DateTime<Utc>>,
    /// When a program last read it, accurate to an hour; None without an address, and for one that nobody has read.
    pub last_read_at: Option<DateTime<Utc>>,
}

/// What a calendar program gets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Published {
    pub etag: String,
    /// The iCalendar object; None if the program has this revision already.
    pub text: Option<String>,
}

/// The state of the viewer's feed. One statement.
pub async fn get(kurso: &Kurso, viewer: &Viewer) -> Result<Feed> {
    let found = sql!(
        "SELECT created_at, last_read_at FROM calendar_feeds WHERE user_id = $1 AND token_hash IS NOT NULL",
        viewer.id()
    )
    .fetch_optional::<(DateTime<Utc>, Option<DateTime<Utc>>)>(&kurso.db)
    .await?;
    Ok(found.map_or(Feed::default(), |(created_at, last_read_at)| Feed {
        is_active: true,
        created_at: Some(created_at),
        last_read_at,
    }))
}

/// Makes a new address of the viewer's feed, whose texts are in `lang`. An earlier address stops working. Returns the address, which
/// cannot be read again: only a hash of its secret is stored.
pub async fn create(kurso: &Kurso, viewer: &Viewer, lang: Lang) -> Result<(Feed, String)> {
    viewer.require_account()?;
    let (token, now) = (random::secret(), kurso.clock.now());
    let mut tx = kurso.db.begin().await?;
    sql!(
        "INSERT INTO calendar_feeds (user_id, token_hash, lang, created_at, changed_at) VALUES ($1, $2, $3, $4, $4)
         ON CONFLICT (user_id) DO UPDATE SET token_hash = excluded.token_hash, lang = excluded.lang,
           created_at = excluded.created_at, last_read_at = NULL",
        viewer.id(),
        hash_of(token.as_bytes()),
        lang,
        now
    )
    .execute(&mut tx)
    .await?;
    let entry = Entry::new(Act::CalendarFeedCreated).by(viewer.id()).to(viewer.id());
    entry.write(&mut tx, now).await?;
    tx.commit().await?;
    let feed = Feed {
        is_active: true,
        created_at: Some(now),
        last_read_at: None,
    };
    Ok((feed, kurso.mail.page(&format!("/api/v1/calendar/{token}/kurso.ics"))))
}

/// Revokes the address of the viewer's feed. Fails with 404 if there is none.
pub async fn revoke(kurso: &Kurso, viewer: &Viewer) -> Result<()> {
    let now = kurso.clock.now();
    let mut tx = kurso.db.begin().await?;
    let revoked = sql!(
        "UPDATE calendar_feeds SET token_hash = NULL, last_read_at = NULL WHERE user_id = $1 AND token_hash IS NOT NULL",
        viewer.id()
    )
    .execute(&mut tx)
    .await?;
    if revoked == 0 {
        tx.rollback().await?;
        return Err(Error::NotFound(Message::CalendarFeedNotFound));
    }
    let entry = Entry::new(Act::CalendarFeedRevoked).by(viewer.id()).to(viewer.id());
    entry.write(&mut tx, now).await?;
    tx.commit().await?;
    Ok(())
}

#[derive(sqlx::FromRow)]
struct Row {
    #[sqlx(flatten)]
    user: User,
    lang: Lang,
    last_read_at: Option<DateTime<Utc>>,
    #[sqlx(flatten)]
    revision: Revision,
}

#[derive(sqlx::FromRow)]
struct Revision {
    revision: i64,
    fingerprint: String,
    changed_at: DateTime<Utc>,
}

/// Reads a feed by the secret of its address; `is_known` says whether the program has the revision with an ETag. Fails with 404 for an
/// address that does not exist, was revoked or belongs to a deactivated account, and with 429 after too many of these from one
/// client address. At most eight statements, and one more when something has changed.
pub async fn read(
    kurso: &Kurso,
    address: Option<IpAddr>,
    token: &str,
    is_known: impl Fn(&str) -> bool,
) -> Result<Published> {
    let now = kurso.clock.now();
    let row = sql!(
        concat!(
            "SELECT ",
            user_columns!("u"),
            ", f.lang, f.last_read_at, f.revision, f.fingerprint, f.changed_at
             FROM calendar_feeds f JOIN users u ON u.id = f.user_id WHERE f.token_hash = $1"
        ),
        hash_of(token.as_bytes())
    )
    .fetch_optional::<Row>(&kurso.db)
    .await?;
    let Some(row) = row.filter(|row| row.user.is_active) else {
        // A working address is never refused: a calendar service reads those of many people from one client address.
        kurso.limits.acquire_of_address(Limit::UnknownFeeds, address, now)?;
        return Err(Error::NotFound(Message::CalendarFeedNotFound));
    };
    let viewer = Viewer {
        user: row.user,
        session: SessionId::new(),
    };
    let events = events::nearest(all(kurso, &viewer, |_| true).await?, now, MAX_EVENTS);
    let text = |stamp| ics::write(&events, row.lang, stamp, |path| kurso.mail.page(path));
    let unstamped = text(Stamp {
        sequence: 0,
        at: DateTime::UNIX_EPOCH,
    });
    let revision = current(kurso, &viewer, row.revision, hash_of(unstamped.as_bytes()), now).await?;
    if row
        .last_read_at
        .is_none_or(|read| (now - read).abs() >= LAST_READ_INTERVAL)
    {
        sql!(
            "UPDATE calendar_feeds SET last_read_at = $2 WHERE user_id = $1 AND token_hash IS NOT NULL",
            viewer.id(),
            now
        )
        .execute(&kurso.db)
        .await?;
    }
    let etag = format!("\"{}-{:.16}\"", revision.revision, revision.fingerprint);
    let stamp = Stamp {
        sequence: revision.revision,
        at: revision.changed_at,
    };
    Ok(Published {
        text: (!is_known(&etag)).then(|| text(stamp)),
        etag,
    })
}

/// The revision with these events: the stored one, or a new one if they have changed for whatever reason.
async fn current(
    kurso: &Kurso,
    viewer: &Viewer,
    stored: Revision,
    fingerprint: String,
    now: DateTime<Utc>,
) -> Result<Revision> {
    if stored.fingerprint == fingerprint {
        return Ok(stored);
    }
    // A request at the same moment may have stored the same events, which then keep their revision.
    let (revision, changed_at) = sql!(
        "UPDATE calendar_feeds SET revision = revision + CASE WHEN fingerprint = $2 THEN 0 ELSE 1 END,
           changed_at = CASE WHEN fingerprint = $2 THEN changed_at ELSE $3 END, fingerprint = $2
         WHERE user_id = $1 RETURNING revision, changed_at",
        viewer.id(),
        &fingerprint,
        now
    )
    .fetch_optional::<(i64, DateTime<Utc>)>(&kurso.db)
    .await?
    .ok_or(Error::NotFound(Message::CalendarFeedNotFound))?;
    Ok(Revision {
        revision,
        fingerprint,
        changed_at,
    })
}

/// SHA-256 in hexadecimal.
fn hash_of(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}
