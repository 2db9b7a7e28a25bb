//! Transactions of either database, which publish their events when they commit.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::events::{self, Event, EventBus};
use crate::metrics::SqlMetrics;
use crate::pool::with_timeout;
use crate::postgres_transaction::Transaction;
use crate::writer::Write;
use crate::{Db, Executor, NOTIFY, Result, Rows, Sql};

/// A transaction; dropping it rolls it back. On SQLite it holds the write lock from its start.
pub struct Tx {
    inner: Inner,
    statements: Arc<AtomicU64>,
    metrics: Arc<SqlMetrics>,
    bus: EventBus,
    /// Published after the commit.
    events: Vec<Event>,
}

pub(crate) enum Inner {
    Sqlite(Write),
    Postgres(Transaction),
}

impl Tx {
    pub(crate) fn new(db: &Db, inner: Inner) -> Self {
        Tx {
            inner,
            statements: db.statements.clone(),
            metrics: db.metrics.clone(),
            bus: db.bus.clone(),
            events: vec![],
        }
    }

    pub(crate) fn is_sqlite(&self) -> bool {
        matches!(self.inner, Inner::Sqlite(_))
    }

    /// Lets a query lock the rows that it selects until the transaction ends. SQLite's transactions write one after another and need no lock.
    pub fn for_update<'q>(&self, sql: Sql<'q>) -> Sql<'q> {
        if self.is_sqlite() { sql } else { sql.push(" FOR UPDATE") }
    }

    /// Publishes the event after the commit; a rollback discards it.
    pub fn publish(&mut self, event: Event) {
        self.events.push(event);
    }

    pub async fn commit(self) -> Result<()> {
        match self.inner {
            Inner::Sqlite(tx) => self.metrics.timed("COMMIT", tx.commit()).await?,
            Inner::Postgres(mut tx) => {
                let texts = events::texts(&self.bus, &self.events);
                if !texts.is_empty() {
                    self.statements.fetch_add(1, Ordering::Relaxed);
                    let limit = tx.response_timeout();
                    let sent = with_timeout(limit, sqlx::query(NOTIFY).bind(texts).execute(tx.connection()?)).await;
                    tx.checked(sent)?;
                }
                self.metrics.timed("COMMIT", tx.commit()).await?;
            }
        }
        for event in self.events {
            self.bus.deliver(event);
        }
        Ok(())
    }

    /// Rolls back, and returns once everything the transaction read is durable: on SQLite it may have read rows of a
    /// transaction that is not on disk yet. Use it when the answer depends on what was read; a dropped transaction
    /// gives no such guarantee.
    pub async fn rollback(self) -> Result<()> {
        match self.inner {
            Inner::Sqlite(tx) => self.metrics.timed("ROLLBACK", tx.rollback()).await,
            Inner::Postgres(tx) => self.metrics.timed("ROLLBACK", tx.rollback()).await,
        }
    }
}

impl Executor for &mut Tx {
    async fn rows(self, sql: Sql<'_>) -> Result<Rows> {
        self.statements.fetch_add(1, Ordering::Relaxed);
        let name = sql.name();
        Ok(match &mut self.inner {
            Inner::Sqlite(tx) => {
                let work = sql.query(|a, to| a.sqlite(to))?.fetch_all(tx.connection()?);
                let done = self.metrics.timed(&name, work).await;
                Rows::Sqlite(tx.checked(done)?)
            }
            Inner::Postgres(tx) => {
                let limit = tx.response_timeout();
                let work = sql.query(|a, to| a.postgres(to))?.fetch_all(tx.connection()?);
                let done = with_timeout(limit, self.metrics.timed(&name, work)).await;
                Rows::Postgres(tx.checked(done)?)
            }
        })
    }

    async fn execute(self, sql: Sql<'_>) -> Result<u64> {
        self.statements.fetch_add(1, Ordering::Relaxed);
        let name = sql.name();
        match &mut self.inner {
            Inner::Sqlite(tx) => {
                let work = sql.query(|a, to| a.sqlite(to))?.execute(tx.connection()?);
                let done = self.metrics.timed(&name, work).await;
                Ok(tx.checked(done)?.rows_affected())
            }
            Inner::Postgres(tx) => {
                let limit = tx.response_timeout();
                let work = sql.query(|a, to| a.postgres(to))?.execute(tx.connection()?);
                let done = with_timeout(limit, self.metrics.timed(&name, work)).await;
                Ok(tx.checked(done)?.rows_affected())
            }
        }
    }
}

/// Either `&Db` or `&mut Tx`, for functions that run several statements on one of them.
pub enum DbOrTx<'a> {
    Db(&'a Db),
    Tx(&'a mut Tx),
}

impl Executor for &mut DbOrTx<'_> {
    async fn rows(self, sql: Sql<'_>) -> Result<Rows> {
        match self {
            DbOrTx::Db(db) => db.rows(sql).await,
            DbOrTx::Tx(tx) => tx.rows(sql).await,
        }
    }

    async fn execute(self, sql: Sql<'_>) -> Result<u64> {
        match self {
            DbOrTx::Db(db) => db.execute(sql).await,
            DbOrTx::Tx(tx) => tx.execute(sql).await,
        }
    }
}
