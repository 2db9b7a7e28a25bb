//! Readiness of this node: checks the database, its migrations and the file store, each within two seconds.

use std::future::Future;
use std::time::Duration;

use crate::Kurso;
use kurso_db::Version;

const TIMEOUT: Duration = Duration::from_secs(2);

/// The state of a dependency.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    Good,
    /// It answered with an error, which is logged.
    Failed,
    /// It did not answer in time.
    Silent,
}

impl State {
    /// The name for the readiness endpoint, which does not reveal the cause.
    pub fn name(self) -> &'static str {
        match self {
            State::Good => "ok",
            State::Failed => "failed",
            State::Silent => "no answer in 2 s",
        }
    }
}

/// The readiness of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Health {
    pub database: State,
    /// Whether the tables have this binary's version.
    pub migrations: State,
    pub files: State,
}

impl Health {
    pub fn is_good(self) -> bool {
        [self.database, self.migrations, self.files]
            .iter()
            .all(|state| *state == State::Good)
    }
}

/// Checks all dependencies concurrently.
pub async fn check(kurso: &Kurso) -> Health {
    let database = async {
        match kurso.db.is_read_only().await {
            Ok(false) => Ok(()),
            // The address leads to a standby; reconnecting may reach the primary.
            Ok(true) => Err("the database takes nothing in".to_owned()),
            Err(error) => Err(error.to_string()),
        }
    };
    let migrations = async {
        match kurso.db.version().await {
            // The tables are newer during a rolling upgrade; this node serves until it is replaced.
            Ok(Version::Current(_) | Version::Newer(_)) => Ok(()),
            Ok(Version::None | Version::Older(_)) => Err("the tables are older than this binary".to_owned()),
            Err(error) => Err(error.to_string()),
        }
    };
    let files = async { kurso.files.check().await.map_err(|error| error.to_string()) };
    let (database, migrations, files) = tokio::join!(
        state("database", database),
        state("migrations", migrations),
        state("files", files)
    );
    Health {
        database,
        migrations,
        files,
    }
}

async fn state(what: &str, asked: impl Future<Output = Result<(), String>>) -> State {
    match tokio::time::timeout(TIMEOUT, asked).await {
        Ok(Ok(())) => State::Good,
        Ok(Err(error)) => {
            tracing::warn!(what, error, "not ready");
            State::Failed
        }
        Err(_) => {
            tracing::warn!(what, "not ready: no answer in time");
            State::Silent
        }
    }
}
