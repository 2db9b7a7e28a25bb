//! Scheduled backups of the running server, enabled by `KURSO_BACKUP_DIR`.

use std::sync::Arc;
use std::time::Duration;

use kurso_core::Kurso;
use kurso_core::backup::{self, Schedule};

/// The interval of the check whether a backup is due; shorter when the backup interval is below four minutes.
const MINUTE: Duration = Duration::from_secs(60);

/// Runs forever: makes a backup whenever one is due. A failed backup is logged and retried at the next check.
pub async fn run(kurso: Arc<Kurso>, schedule: Schedule) {
    let every = schedule.every.to_std().unwrap_or(MINUTE);
    let period = (every / 4).clamp(Duration::from_secs(1), MINUTE);
    loop {
        tokio::time::sleep(period).await;
        match backup::if_due(&kurso, &schedule, env!("CARGO_PKG_VERSION")).await {
            Ok(None) => {}
            Ok(Some((path, made))) => {
                let manifest = &made.manifest;
                tracing::info!(file = %path.display(), rows = manifest.rows(), files = manifest.files.count, "a backup was made");
                for warning in &made.warnings {
                    tracing::warn!("{warning}");
                }
            }
            Err(error) => tracing::error!(%error, "the backup failed"),
        }
    }
}
