//! Consistency checks of calendar feeds: their owners, addresses and revisions.

use futures_util::TryStreamExt as _;
use uuid::Uuid;

use super::{Report, Rule};
use kurso_base::error::Result;
use kurso_db::{Snapshot, sql};

#[derive(sqlx::FromRow)]
struct Feed {
    user_id: Uuid,
    is_owned: bool,
    token_hash: Option<String>,
    lang: String,
    is_read: bool,
    revision: i64,
    fingerprint: String,
}

impl Feed {
    /// What is wrong with the row.
    fn problems(&self) -> impl Iterator<Item = &'static str> {
        let is_known_lang = matches!(self.lang.as_str(), "ru" | "en");
        // A feed that nobody has read yet has no revision.
        let is_revision = match self.revision {
            0 => self.fingerprint.is_empty(),
            revision => revision > 0 && is_sha256(&self.fingerprint),
        };
        [
            (!self.is_owned, "its owner does not exist"),
            (
                self.token_hash.as_deref().is_some_and(|hash| !is_sha256(hash)),
                "the hash of its address is none",
            ),
            (!is_known_lang, "its language is unknown"),
            (
                self.is_read && self.token_hash.is_none(),
                "it was read but has no address",
            ),
            (
                !is_revision,
                "its revision and the hash of its events do not go together",
            ),
        ]
        .into_iter()
        .filter_map(|(is_wrong, problem)| is_wrong.then_some(problem))
    }
}

/// SHA-256 in hexadecimal, as feeds store it.
fn is_sha256(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

pub async fn check(on: &mut Snapshot, report: &mut Report) -> Result<()> {
    let mut rows = on.records::<Feed>(sql!(
        "SELECT f.user_id, u.id IS NOT NULL AS is_owned, f.token_hash, f.lang, f.last_read_at IS NOT NULL AS is_read, f.revision, f.fingerprint
         FROM calendar_feeds f LEFT JOIN users u ON u.id = f.user_id"
    ))?;
    report.checked(Rule::Feeds, 0);
    while let Some(feed) = rows.try_next().await? {
        report.checked(Rule::Feeds, 1);
        for problem in feed.problems() {
            report.found(
                Rule::Feeds,
                format!("calendar_feeds {}", feed.user_id),
                problem.to_owned(),
                None,
            );
        }
    }
    Ok(())
}
