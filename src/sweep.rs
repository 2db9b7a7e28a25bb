//! The files nobody uses, and entries of the audit log whose time is over, are looked for while the server runs. Several servers on one database may do so at once.

use std::sync::Arc;
use std::time::Duration;

use chrono::TimeDelta;
use kurso_core::files::sweep;
use kurso_core::{Kurso, audit, jobs};

const HOUR: Duration = Duration::from_secs(60 * 60);

/// Bytes without a row are looked for at every so many rounds of an hour.
const ROUNDS_OF_STRAYS: u64 = 24;

/// Sweeps once an hour, more often where the grace period is short. A round that fails is logged; the next one tries again.
pub async fn forever(kurso: Arc<Kurso>, audit_keep: Option<Duration>) {
    let grace = kurso.uploads.rules.grace.to_std().unwrap_or(HOUR);
    let period = (grace / 10).clamp(Duration::from_secs(1), HOUR);
    let rounds_of_strays = u64::try_from(HOUR.as_millis() / period.as_millis().max(1)).unwrap_or(1) * ROUNDS_OF_STRAYS;
    let mut round = 0_u64;
    loop {
        // A start has better things to do.
        tokio::time::sleep(period.min(Duration::from_secs(if round == 0 { 60 } else { 3600 }))).await;
        report("old jobs", jobs::sweep(&kurso).await);
        report("files out of use", sweep::unused(&kurso).await);
        if let Some(keep) = audit_keep.and_then(|keep| TimeDelta::from_std(keep).ok()) {
            report("entries of the audit log", audit::forget(&kurso, keep).await);
        }
        if round.is_multiple_of(rounds_of_strays) {
            report("stray files", sweep::strays(&kurso).await);
        }
        round += 1;
    }
}

fn report(what: &str, done: kurso_core::error::Result<u64>) {
    match done {
        Ok(0) => {}
        Ok(removed) => tracing::info!(removed, "{what} were removed"),
        Err(error) => tracing::warn!(%error, "{what} could not be removed"),
    }
}
