//! Backups that the server makes by itself, one node for all, of which the newest are kept.

use std::path::{Path, PathBuf};
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

use super::{Made, Result, backup, lease};
use crate::Kurso;

const LEASE: &str = "backup";

/// How often the node that makes a backup says that it still does.
const BEAT: Duration = Duration::from_secs(60);

/// When and where, and how many are kept.
#[derive(Clone, Debug)]
pub struct Schedule {
    /// Made when absent.
    pub folder: PathBuf,
    pub every: TimeDelta,
    /// At least 1.
    pub keep: usize,
}

/// Makes a backup if it is time for one and no other node is at it; answers with what was made, and where.
pub async fn if_due(kurso: &Kurso, schedule: &Schedule, made_by: &str) -> Result<Option<(PathBuf, Made)>> {
    let (node, now) = (Uuid::now_v7(), kurso.clock.now());
    if !lease::take(&kurso.db, LEASE, node, now, now - schedule.every).await? {
        return Ok(None);
    }
    let made = make(kurso, schedule, made_by, node, now).await;
    lease::give_back(&kurso.db, LEASE, node, now, made.is_ok()).await?;
    made.map(Some)
}

async fn make(
    kurso: &Kurso,
    schedule: &Schedule,
    made_by: &str,
    node: Uuid,
    now: DateTime<Utc>,
) -> Result<(PathBuf, Made)> {
    tokio::fs::create_dir_all(&schedule.folder).await?;
    let path = schedule
        .folder
        .join(now.format("kurso-%Y-%m-%dT%H-%M-%SZ.zip").to_string());
    let silent = |_: &str| {};
    let mut beat = tokio::time::interval(BEAT);
    let made = {
        let mut work = Box::pin(backup(kurso, &path, made_by, &silent));
        loop {
            tokio::select! {
                made = &mut work => break made?,
                _ = beat.tick() => {
                    if !lease::keep(&kurso.db, LEASE, node, kurso.clock.now()).await.unwrap_or(true) {
                        tracing::warn!("another node has begun a backup, too");
                    }
                }
            }
        }
    };
    let (folder, keep, newest) = (schedule.folder.clone(), schedule.keep, path.clone());
    tokio::task::spawn_blocking(move || forget_old(&folder, keep, &newest))
        .await
        .map_err(std::io::Error::other)??;
    Ok((path, made))
}

/// Removes all but the newest, and what a node left that died at its work. `newest`: the one that was just made.
fn forget_old(folder: &Path, keep: usize, newest: &Path) -> std::io::Result<()> {
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
    // Their names are in the order of their times. Those of a time to come are of a clock that was wrong, and go first.
    whole.sort_by_key(|path| (path.as_path() <= newest, path.clone()));
    let old = whole.len().saturating_sub(keep.max(1));
    whole.iter().take(old).try_for_each(std::fs::remove_file)
}
