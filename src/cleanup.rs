//! Cleanup job of the server: deletes expired background jobs, what is in the trash for too long, expired snapshots, what undoing old regradings needed, old notices, guests who stayed away, unused files, old audit log entries and stray bytes. Several nodes
//! on one database may run it at the same time.

use std::sync::Arc;
use std::time::Duration;

use chrono::TimeDelta;
use kurso_core::files::cleanup as files;
use kurso_core::{Kurso, audit, guests, jobs, notices, push, regrades, snapshots, trash};

const HOUR: Duration = Duration::from_secs(60 * 60);

/// The interval of the search for stored bytes that have no row in the database, in hours.
const STRAY_SEARCH_HOURS: u64 = 24;

/// Runs forever: every hour, or every tenth of the grace period when that is shorter. Failures are logged and retried in the next
/// round. `audit_keep`: how long audit log entries are kept; None keeps them forever.
pub async fn run(kurso: Arc<Kurso>, audit_keep: Option<Duration>) {
    let grace = kurso.uploads.limits.grace.to_std().unwrap_or(HOUR);
    let period = (grace / 10).clamp(Duration::from_secs(1), HOUR);
    let stray_search_rounds =
        u64::try_from(HOUR.as_millis() / period.as_millis().max(1)).unwrap_or(1) * STRAY_SEARCH_HOURS;
    let mut round = 0_u64;
    loop {
        // The first round waits up to a minute, so that it does not slow the start down.
        tokio::time::sleep(period.min(Duration::from_secs(if round == 0 { 60 } else { 3600 }))).await;
        report("expired jobs", jobs::cleanup(&kurso).await);
        report("expired parts of the trash", trash::delete_expired(&kurso).await);
        report("expired snapshots of courses", snapshots::delete_expired(&kurso).await);
        report("regradings that cannot be undone", regrades::delete_old(&kurso).await);
        report("guests who stayed away", guests::delete_old(&kurso).await);
        report("old notices", notices::delete_old(&kurso).await);
        report("unused devices", push::devices::delete_old(&kurso).await);
        report("unused files", files::delete_unused(&kurso).await);
        if let Some(keep) = audit_keep.and_then(|keep| TimeDelta::from_std(keep).ok()) {
            report("old audit log entries", audit::delete_old(&kurso, keep).await);
        }
        if round.is_multiple_of(stray_search_rounds) {
            report("stray files", files::delete_strays(&kurso).await);
        }
        round += 1;
    }
}

fn report(what: &str, done: kurso_base::error::Result<u64>) {
    match done {
        Ok(0) => {}
        Ok(removed) => tracing::info!(removed, "{what} were deleted"),
        Err(error) => tracing::warn!(%error, "{what} could not be deleted"),
    }
}
