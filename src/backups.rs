//! Backups while the server runs, when a folder for them is set.

use std::sync::Arc;
use std::time::Duration;

use kurso_core::Kurso;
use kurso_core::copies::{self, Schedule};

/// How often it is looked whether it is time; more often where backups are.
const MINUTE: Duration = Duration::from_secs(60);

/// Makes a backup whenever it is time for one. One that fails is logged and tried again.
pub async fn forever(kurso: Arc<Kurso>, schedule: Schedule) {
    let every = schedule.every.to_std().unwrap_or(MINUTE);
    let period = (every / 4).clamp(Duration::from_secs(1), MINUTE);
    loop {
        tokio::time::sleep(period).await;
        match copies::if_due(&kurso, &schedule, env!("CARGO_PKG_VERSION")).await {
            Ok(None) => {}
            Ok(Some((path, made))) => {
                let manifest = &made.manifest;
                tracing::info!(file = %path.display(), rows = manifest.rows(), files = manifest.files.count, "a backup was made");
                for warning in &made.warnings {
                    tracing::warn!("{warning}");
                }
            }
            Err(error) => tracing::error!(%error, "the backup could not be made"),
        }
    }
}
