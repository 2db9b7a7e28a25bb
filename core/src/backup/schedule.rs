//! Scheduled backups: one node makes them for all, and only the newest are kept.

use std::path::{Path, PathBuf};
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};

use super::{BackupResult, Result, backup};
use crate::Kurso;
use kurso_db::lease::{TaskLease, Terms};

/// The lease of the node that makes a backup.
const LEASE: Terms = Terms {
    length: TimeDelta::minutes(5),
    max_ahead: TimeDelta::minutes(10),
};

/// How often the node renews its lease while it makes a backup.
const RENEW_INTERVAL: Duration = Duration::from_secs(60);

/// When and where backups are made, and how many are kept.
#[derive(Clone, Debug)]
pub struct Schedule {
    /// Created if missing.
    pub folder: PathBuf,
    pub every: TimeDelta,
    /// At least 1.
    pub keep: usize,
}

/// Makes a backup if one is due and no other node is making it. Returns its path and result.
pub async fn if_due(kurso: &Kurso, schedule: &Schedule, made_by: &str) -> Result<Option<(PathBuf, BackupResult)>> {
    let now = kurso.clock.now();
    let Some(lease) = TaskLease::acquire(&kurso.db, "backup", LEASE, now, now - schedule.every).await? else {
        return Ok(None);
    };
    let made = make(kurso, schedule, made_by, &lease, now).await;
    lease.release(&kurso.db, now, made.is_ok()).await?;
    made.map(Some)
}

async fn make(
    kurso: &Kurso,
    schedule: &Schedule,
    made_by: &str,
    lease: &TaskLease,
    now: DateTime<Utc>,
) -> Result<(PathBuf, BackupResult)> {
    tokio::fs::create_dir_all(&schedule.folder).await?;
    let path = schedule
        .folder
        .join(now.format("kurso-%Y-%m-%dT%H-%M-%SZ.zip").to_string());
    let silent = |_: &str| {};
    let mut beat = tokio::time::interval(RENEW_INTERVAL);
    let made = {
        let mut work = Box::pin(backup(kurso, &path, made_by, &silent));
        loop {
            tokio::select! {
                made = &mut work => break made?,
                _ = beat.tick() => {
                    if !lease.renew(&kurso.db, kurso.clock.now()).await.unwrap_or(true) {
                        tracing::warn!("another node is making a backup as well");
                    }
                }
            }
        }
    };
    let (folder, keep, newest) = (schedule.folder.clone(), schedule.keep, path.clone());
    tokio::task::spawn_blocking(move || delete_old(&folder, keep, &newest))
        .await
        .map_err(std::io::Error::other)??;
    Ok((path, made))
}

/// Deletes all but the newest backups, and incomplete ones of nodes that died. `newest` is the one just made.
fn delete_old(folder: &Path, keep: usize, newest: &Path) -> std::io::Result<()> {
    let mut whole = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !name.starts_with("kurso-") {
            continue;
        }
        if name.ends_with("Z.zip") {
            whole.push(path);
        } else if name.ends_with("Z.zip.partial") {
            std::fs::remove_file(path)?;
        }
    }
    // Sorted by name, which is by time. Names in the future come from a wrong clock and are deleted first.
    whole.sort_by_key(|path| (path.as_path() <= newest, path.clone()));
    let old = whole.len().saturating_sub(keep.max(1));
    whole.iter().take(old).try_for_each(std::fs::remove_file)
}
