//! Can this node serve? What it needs is asked for a sign of life, each within two seconds.

use std::future::Future;
use std::time::Duration;

use crate::Kurso;
use crate::db::Version;

const PATIENCE: Duration = Duration::from_secs(2);

/// How something is that a node needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    Good,
    /// It answered with a refusal; the log says which.
    Failed,
    /// It did not answer in time.
    Silent,
}

impl State {
    /// For watchers; of the cause nothing is told.
    pub fn word(self) -> &'static str {
        match self {
            State::Good => "ok",
            State::Failed => "failed",
            State::Silent => "no answer in 2 s",
        }
    }
}

/// How a node is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Health {
    pub database: State,
    /// Whether the tables are those of this binary.
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

/// Asks all of them at once.
pub async fn check(kurso: &Kurso) -> Health {
    let database = async {
        match kurso.db.is_read_only().await {
            Ok(false) => Ok(()),
            // The address leads to a standby: others may have found the one that writes.
            Ok(true) => Err("the database takes nothing in".to_owned()),
            Err(error) => Err(error.to_string()),
        }
    };
    let migrations = async {
        match kurso.db.version().await {
            // Newer: a rolling upgrade has begun, and until it is done this node serves.
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
    match tokio::time::timeout(PATIENCE, asked).await {
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
