//! Connections whose statement was cancelled: the client of the request disconnected, or its time was up.
//!
//! Dropping the future of a statement does not stop it on the server. A connection may return to the pool only when its
//! server is idle again; otherwise the next statement would wait for the cancelled one, and the server would seem to
//! be unresponsive.

use std::pin::pin;
use std::time::Duration;

use deadpool::managed::Object;
use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _, Error, PgConnection};
use tokio::runtime::Handle;
use tokio::sync::Mutex;
use tokio::time::timeout;

use super::{PooledConnection, Server};
use crate::Result;

/// Most cancelled statements end within this time; the server need not be told.
const GRACE: Duration = Duration::from_millis(5);

/// How long the server may take to receive a cancellation, and then to stop the statement.
const STEP: Duration = Duration::from_secs(1);

/// How often a cancellation is sent. The server ignores one that arrives between two messages of a statement.
const CANCELLATIONS: usize = 3;

/// A server process. The start time distinguishes it from a later one with the same number.
#[derive(Clone, Debug)]
pub struct ServerProcess {
    pub id: i32,
    /// Seconds since 1970, as the server writes them.
    pub started: String,
}

/// Tells PostgreSQL to stop statements, over a connection of its own that opens when it is first needed.
pub struct Canceller {
    options: PgConnectOptions,
    connection: Mutex<Option<PgConnection>>,
}

impl Canceller {
    pub fn new(options: &PgConnectOptions) -> Self {
        Canceller {
            options: options.clone().application_name("kurso cancel"),
            connection: Mutex::default(),
        }
    }

    /// Stops what the process is doing. Returns only when the process cannot receive the cancellation any later;
    /// otherwise it could stop the next statement of the same connection.
    async fn cancel(&self, process: &ServerProcess) -> Result<()> {
        let mut held = self.connection.lock().await;
        // Taken out, so that a failure or a timeout closes it.
        let mut connection = match held.take() {
            Some(connection) => connection,
            None => self.options.connect().await?,
        };
        sqlx::query(
            "SELECT pg_cancel_backend(pid) FROM pg_stat_activity
             WHERE pid = $1 AND extract(epoch FROM backend_start)::text = $2",
        )
        .bind(process.id)
        .bind(&process.started)
        .execute(&mut connection)
        .await?;
        *held = Some(connection);
        Ok(())
    }

    pub async fn close(&self) {
        if let Some(connection) = self.connection.lock().await.take() {
            crate::pool::close_connection(connection).await;
        }
    }
}

/// Waits until the server is idle, and stops its statement if that takes long. Returns whether the connection is
/// usable.
pub async fn stop(connection: &mut PgConnection, process: Option<&ServerProcess>, canceller: &Canceller) -> bool {
    let mut idle = pin!(wait_until_idle(connection));
    if let Ok(is_usable) = timeout(GRACE, &mut idle).await {
        return is_usable;
    }
    let Some(process) = process else { return false };
    for _ in 0..CANCELLATIONS {
        match timeout(STEP, canceller.cancel(process)).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => {
                tracing::debug!(%error, "a cancelled statement could not be stopped");
                return false;
            }
            Err(_) => return false,
        }
        if let Ok(is_usable) = timeout(STEP, &mut idle).await {
            return is_usable;
        }
    }
    false
}

/// Reads the remaining responses. Returns false if the connection is broken.
async fn wait_until_idle(connection: &mut PgConnection) -> bool {
    // A ping fails with the error of the statement before it, of which there is at most one for each message.
    for _ in 0..4 {
        match connection.ping().await {
            Ok(()) => return true,
            Err(Error::Database(_)) => {}
            Err(_) => return false,
        }
    }
    false
}

/// A connection with a statement that may be running. If it is dropped before [`Running::finish`], the statement is stopped in the
/// background, and only then does the connection return to the pool.
pub struct Running<DB: Server>(Option<PooledConnection<DB>>);

impl<DB: Server> Running<DB> {
    pub fn new(connection: PooledConnection<DB>) -> Self {
        Running(Some(connection))
    }

    pub fn connection(&mut self) -> Result<&mut DB::Connection> {
        let connection = self.0.as_deref_mut().ok_or(Error::PoolClosed)?;
        Ok(&mut connection.inner)
    }

    /// Passes on the result of the statement; discards the connection if the statement found it broken.
    pub fn finish<T>(mut self, done: Result<T>) -> Result<T> {
        match self.0.take() {
            Some(connection) => crate::pool::release(connection, done),
            None => done,
        }
    }
}

impl<DB: Server> Drop for Running<DB> {
    fn drop(&mut self) {
        let Some(mut connection) = self.0.take() else { return };
        if !DB::HAS_SERVER {
            return; // SQLite's thread notices that nobody reads the rows
        }
        let Ok(runtime) = Handle::try_current() else {
            drop(Object::take(connection));
            return;
        };
        runtime.spawn(async move {
            if !DB::stop(&mut connection).await {
                drop(Object::take(connection)); // closed alone: this says nothing about the other connections
            }
        });
    }
}
