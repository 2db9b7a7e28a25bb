//! The status of this node that administrators see.

use std::sync::atomic::{AtomicU64, Ordering};

use chrono::{DateTime, Utc};
use kurso_base::error::Result;

use super::{memory, saturating};
use crate::Kurso;
use crate::access::Viewer;

/// Totals of this node since its start.
#[derive(Clone, Debug, PartialEq)]
pub struct Status {
    pub version: &'static str,
    /// `sqlite` or `postgres`.
    pub database: &'static str,
    pub started_at: DateTime<Utc>,
    pub requests: i64,
    /// Responses with status 500 and above.
    pub faults: i64,
    /// Requests being handled, including this one.
    pub running: i64,
    /// Mean duration in milliseconds.
    pub request_millis: f64,
    pub statements: i64,
    /// Mean duration in milliseconds.
    pub statement_millis: f64,
    /// Database connections: open, in use, and callers waiting for one.
    pub connections: i64,
    pub connections_in_use: i64,
    pub waiting: i64,
    /// Running subscriptions.
    pub subscriptions: i64,
    pub logins: i64,
    pub logins_failed: i64,
    pub uploads: i64,
    pub mails_sent: i64,
    pub mails_failed: i64,
    /// Resident memory in bytes; None where the system does not report it.
    pub memory: Option<i64>,
}

/// The status of this node, for superusers only.
pub fn status(kurso: &Kurso, viewer: &Viewer) -> Result<Status> {
    viewer.require_superuser()?;
    let metrics = &kurso.metrics;
    let read = |count: &AtomicU64| saturating(count.load(Ordering::Relaxed));
    let pools = kurso.db.pools();
    let sum = |of: fn(&kurso_db::PoolState) -> usize| saturating(pools.iter().map(of).sum::<usize>() as u64);
    Ok(Status {
        version: env!("CARGO_PKG_VERSION"),
        database: kurso.db.name(),
        started_at: metrics.started_at,
        requests: read(&metrics.response_count),
        faults: read(&metrics.faults),
        running: metrics.in_flight.load(Ordering::Relaxed),
        request_millis: metrics.time.mean(),
        statements: saturating(kurso.db.statements()),
        statement_millis: metrics.sql.mean(),
        connections: sum(|pool| pool.open),
        connections_in_use: sum(|pool| pool.in_use),
        waiting: sum(|pool| pool.waiting),
        subscriptions: metrics.subscriptions.get(),
        logins: read(&metrics.logged_in),
        logins_failed: read(&metrics.login_failed),
        uploads: read(&metrics.files),
        mails_sent: saturating(metrics.mail.sent.get()),
        mails_failed: saturating(metrics.mail.failed.get()),
        memory: memory().map(saturating),
    })
}
