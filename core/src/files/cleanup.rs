//! Cleanup job for files: deletes files that no page, announcement, bank question, version, attempt, draft, post, avatar, cover, certificate, job or trash entry refers to, and
//! stored bytes without a row.
//!
//! Every step may run on several nodes at the same time: a row is deleted once, and deleting missing bytes succeeds. If
//! a node dies between deleting a row and its bytes, [`delete_strays`] finds them later.

use chrono::{DateTime, Duration, Utc};
use futures_util::StreamExt as _;

use crate::Kurso;
use kurso_base::error::{Error, Result, is_foreign_key_violation};
use kurso_base::ids::FileId;
use kurso_db::sql;

/// Files per statement.
const CHUNK: i64 = 500;

/// The minimum age of bytes without a row, because uploads and imports store the bytes first.
fn stray_age() -> Duration {
    Duration::days(1)
}

/// Whether a file is referenced. Copied courses share files, and pages keep the files of their versions and attempts.
macro_rules! in_use {
    () => {
        "(EXISTS (SELECT 1 FROM page_files s WHERE s.file_id = files.id)
          OR EXISTS (SELECT 1 FROM bank_files b WHERE b.file_id = files.id)
          OR EXISTS (SELECT 1 FROM announcement_files o WHERE o.file_id = files.id)
          OR EXISTS (SELECT 1 FROM modules m WHERE m.avatar_file_id = files.id)
          OR EXISTS (SELECT 1 FROM public_pages v WHERE v.cover_file_id = files.id)
          OR EXISTS (SELECT 1 FROM certificate_designs v WHERE v.logo_file_id = files.id)
          OR EXISTS (SELECT 1 FROM certificate_designs v WHERE v.signature_file_id = files.id)
          OR EXISTS (SELECT 1 FROM certificates v WHERE v.logo_file_id = files.id)
          OR EXISTS (SELECT 1 FROM certificates v WHERE v.signature_file_id = files.id)
          OR EXISTS (SELECT 1 FROM answer_files a WHERE a.file_id = files.id AND (a.submitted_at IS NOT NULL OR a.is_drafted))
          OR EXISTS (SELECT 1 FROM trash_files t WHERE t.file_id = files.id)
          OR EXISTS (SELECT 1 FROM snapshot_files n WHERE n.file_id = files.id)
          OR EXISTS (SELECT 1 FROM discussion_files q WHERE q.file_id = files.id)
          OR EXISTS (SELECT 1 FROM jobs j WHERE j.file_id = files.id))"
    };
}
pub(crate) use in_use;

/// Marks files that are no longer referenced, unmarks those that are again, and deletes those unreferenced for the
/// grace period. Returns the number of deleted files.
pub async fn delete_unused(kurso: &Kurso) -> Result<u64> {
    let now = kurso.clock.now();
    sql!(concat!(
        "UPDATE files SET unused_since = NULL WHERE unused_since IS NOT NULL AND ",
        in_use!()
    ))
    .execute(&kurso.db)
    .await?;
    mark_unused(kurso, now).await?;

    let marked_before = now - kurso.uploads.limits.grace;
    let mut removed = 0;
    loop {
        let deleted = sql!(
            concat!(
                "DELETE FROM files WHERE id IN (SELECT id FROM files WHERE unused_since <= $1 AND NOT ",
                in_use!(),
                " ORDER BY unused_since, id LIMIT $2) AND unused_since <= $1 RETURNING key"
            ),
            marked_before,
            CHUNK
        )
        .fetch_all::<(String,)>(&kurso.db)
        .await;
        let deleted = match deleted {
            Ok(deleted) => deleted,
            // A file has just been referenced; the next run selects again.
            Err(error) if is_foreign_key_violation(&error) => return Ok(removed),
            Err(error) => return Err(error.into()),
        };
        if deleted.is_empty() {
            return Ok(removed);
        }
        for (key,) in deleted {
            remove_bytes(kurso, &key).await;
            removed += 1;
        }
    }
}

/// Deletes an unreferenced file without a grace period, for files uploaded only to be processed. Succeeds if it is
/// gone.
pub(crate) async fn delete_if_unused(kurso: &Kurso, file: FileId) -> Result<()> {
    let deleted = sql!(
        concat!("DELETE FROM files WHERE id = $1 AND NOT ", in_use!(), " RETURNING key"),
        file
    )
    .fetch_optional::<(String,)>(&kurso.db)
    .await;
    match deleted {
        Ok(Some((key,))) => remove_bytes(kurso, &key).await,
        Ok(None) => {}
        // The file has just been referenced.
        Err(error) if is_foreign_key_violation(&error) => {}
        Err(error) => return Err(error.into()),
    }
    Ok(())
}

/// Selects before updating, because on SQLite a writing statement blocks all other writers.
async fn mark_unused(kurso: &Kurso, now: DateTime<Utc>) -> Result<()> {
    loop {
        let found = sql!(
            concat!(
                "SELECT id FROM files WHERE unused_since IS NULL AND NOT ",
                in_use!(),
                " ORDER BY id LIMIT $1"
            ),
            CHUNK
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

/// Deletes old bytes without a row, and incomplete uploads. Returns their number. Lists the whole store, so it runs
/// once a day.
pub async fn delete_strays(kurso: &Kurso) -> Result<u64> {
    let before = kurso.clock.now() - stray_age();
    let mut removed = kurso.files.remove_partial(before).await?;
    let mut stored = kurso
        .files
        .list()
        .ready_chunks(usize::try_from(CHUNK).map_err(Error::internal)?);
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
        tracing::warn!(key, %error, "the bytes of a file could not be deleted; the daily cleanup will retry");
    }
}
