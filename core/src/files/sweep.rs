//! What nobody uses goes: files that no page, version, attempt or avatar names, and bytes without a row (contract 7).
//!
//! Every step may run on several nodes at once: a row is deleted by one of them, and deleting bytes that are gone is fine.
//! Should a node stop between the row and the bytes, [`strays`] finds them.

use chrono::{DateTime, Duration, Utc};
use futures_util::StreamExt as _;

use crate::error::{Error, Result, is_foreign_key_violation};
use crate::ids::FileId;
use crate::{Kurso, sql};

/// Files of one statement.
const AT_ONCE: i64 = 500;

/// How old bytes without a row must be to go. Uploads and imports write the bytes first.
fn stray_age() -> Duration {
    Duration::days(1)
}

/// A file that is in use. Copies of courses share files, and a page keeps those of its history and of its attempts.
macro_rules! in_use {
    () => {
        "(EXISTS (SELECT 1 FROM page_files s WHERE s.file_id = files.id)
          OR EXISTS (SELECT 1 FROM modules m WHERE m.avatar_file_id = files.id)
          OR EXISTS (SELECT 1 FROM jobs j WHERE j.file_id = files.id))"
    };
}

/// Marks what has fallen out of use, unmarks what is used again, and removes what has been out of use for the grace
/// period; answers with how many files that were.
pub async fn unused(kurso: &Kurso) -> Result<u64> {
    let now = kurso.clock.now();
    sql!(concat!(
        "UPDATE files SET unused_since = NULL WHERE unused_since IS NOT NULL AND ",
        in_use!()
    ))
    .execute(&kurso.db)
    .await?;
    mark(kurso, now).await?;

    let until = now - kurso.uploads.rules.grace;
    let mut removed = 0;
    loop {
        let gone = sql!(
            concat!(
                "DELETE FROM files WHERE id IN (SELECT id FROM files WHERE unused_since <= $1 AND NOT ",
                in_use!(),
                " ORDER BY unused_since, id LIMIT $2) AND unused_since <= $1 RETURNING key"
            ),
            until,
            AT_ONCE
        )
        .fetch_all::<(String,)>(&kurso.db)
        .await;
        let gone = match gone {
            Ok(gone) => gone,
            // One of them came into use at this very moment; the next time there is another choice.
            Err(error) if is_foreign_key_violation(&error) => return Ok(removed),
            Err(error) => return Err(error.into()),
        };
        if gone.is_empty() {
            return Ok(removed);
        }
        for (key,) in gone {
            remove_bytes(kurso, &key).await;
            removed += 1;
        }
    }
}

/// Removes a file that nothing uses, without the grace period: for what was uploaded to be worked on. Fine when it is gone.
pub(crate) async fn now(kurso: &Kurso, file: FileId) -> Result<()> {
    let gone = sql!(
        concat!("DELETE FROM files WHERE id = $1 AND NOT ", in_use!(), " RETURNING key"),
        file
    )
    .fetch_optional::<(String,)>(&kurso.db)
    .await;
    match gone {
        Ok(Some((key,))) => remove_bytes(kurso, &key).await,
        Ok(None) => {}
        // It came into use at this very moment.
        Err(error) if is_foreign_key_violation(&error) => {}
        Err(error) => return Err(error.into()),
    }
    Ok(())
}

/// Reads first: on SQLite a statement that writes holds up every other writer.
async fn mark(kurso: &Kurso, now: DateTime<Utc>) -> Result<()> {
    loop {
        let found = sql!(
            concat!(
                "SELECT id FROM files WHERE unused_since IS NULL AND NOT ",
                in_use!(),
                " ORDER BY id LIMIT $1"
            ),
            AT_ONCE
        )
        .fetch_all::<(uuid::Uuid,)>(&kurso.db)
        .await?;
        if found.is_empty() {
            return Ok(());
        }
        sql!("UPDATE files SET unused_since = ")
            .push_bind(now)
            .push(" WHERE id IN ")
            .push_in(found.into_iter().map(|(id,)| id))
            .execute(&kurso.db)
            .await?;
    }
}

/// Removes bytes without a row and what interrupted uploads left; answers with how many that were. Asks for all that is
/// stored, which is for once a day.
pub async fn strays(kurso: &Kurso) -> Result<u64> {
    let before = kurso.clock.now() - stray_age();
    let mut removed = kurso.files.remove_partial(before).await?;
    let mut stored = kurso
        .files
        .list()
        .ready_chunks(usize::try_from(AT_ONCE).map_err(Error::internal)?);
    while let Some(chunk) = stored.next().await {
        let mut old = Vec::new();
        for found in chunk {
            let (key, at) = found?;
            if at < before {
                old.push(key);
            }
        }
        if old.is_empty() {
            continue;
        }
        let known = sql!("SELECT key FROM files WHERE key IN ")
            .push_in(old.iter().map(String::as_str))
            .fetch_all::<(String,)>(&kurso.db)
            .await?;
        old.retain(|key| !known.iter().any(|(known,)| known == key));
        for key in old {
            remove_bytes(kurso, &key).await;
            removed += 1;
        }
    }
    Ok(removed)
}

async fn remove_bytes(kurso: &Kurso, key: &str) {
    if let Err(error) = kurso.files.delete(key).await {
        tracing::warn!(key, %error, "the bytes of a file could not be removed; they are tried again as strays");
    }
}
