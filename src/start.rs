//! Opening the product on its data: the database, the files, the key, and the superuser of the first start.

use std::sync::Arc;

use kurso_core::Kurso;
use kurso_core::clock::Clock;
use kurso_core::db::migrate::MigrateError;
use kurso_core::db::{Db, Version};
use kurso_core::email::Email;
use kurso_core::error::Error;
use kurso_core::files::FileStore;
use kurso_core::messages::Message;
use kurso_core::random;
use kurso_core::users::{self, NewUser, User};

use crate::config::Settings;

/// Opens the database (migrated to this binary) and the files.
pub async fn open(settings: &Settings) -> Result<Arc<Kurso>, String> {
    settings.check()?;
    let db = connect(settings).await?;
    db.migrate().await.map_err(|error| match error {
        MigrateError::VersionMissing(version) => newer(version),
        error => format!("the database cannot be brought up to date: {error}"),
    })?;
    if db.is_half_moved().await.map_err(|error| error.to_string())? {
        return Err(
            "a move has begun to fill this database and did not come to its end: run `kurso move` to it again, or give \
             an empty one"
                .to_owned(),
        );
    }
    product(settings, db).await
}

/// Opens the database without changing it; it must be of this binary.
pub async fn open_as_it_is(settings: &Settings) -> Result<Arc<Kurso>, String> {
    let db = connect(settings).await?;
    match db.version().await.map_err(|error| error.to_string())? {
        Version::Current(_) => product(settings, db).await,
        Version::None => Err("the database is empty: no server was ever started on it".to_owned()),
        Version::Older(_) => Err("the database is older than this binary: start the server on it once".to_owned()),
        Version::Newer(version) => Err(newer(version)),
    }
}

/// The same, of whatever version: who brings a new binary makes a backup with it first.
pub async fn open_for_backup(settings: &Settings) -> Result<Arc<Kurso>, String> {
    product(settings, connect(settings).await?).await
}

/// A database that may have no tables yet, and where its files go.
pub async fn open_empty(settings: &Settings) -> Result<(Db, FileStore), String> {
    Ok((connect(settings).await?, settings.files()?))
}

fn newer(version: i64) -> String {
    format!("the database is newer than this binary: it knows migration {version}; use a newer kurso")
}

async fn connect(settings: &Settings) -> Result<Db, String> {
    tokio::fs::create_dir_all(&settings.data_dir)
        .await
        .map_err(|error| format!("KURSO_DATA_DIR {}: {error}", settings.data_dir.display()))?;
    Db::connect_with(&settings.database_url(), settings.database())
        .await
        .map_err(|error| format!("KURSO_DATABASE_URL: the database cannot be opened: {error}"))
}

async fn product(settings: &Settings, db: Db) -> Result<Arc<Kurso>, String> {
    let secret = settings.secret_key()?;
    let files = settings.files()?;
    if let Err(error) = files.check().await {
        tracing::warn!(%error, "the store of the files does not answer");
    }
    let mail = settings.mail()?;
    let kurso = Kurso::new(db, files, mail, Clock::System, &secret, settings.rate_limit.is_on())
        .map_err(|error| error.to_string())?
        .with_file_rules(settings.file_rules());
    Ok(Arc::new(kurso))
}

/// On an empty database makes the superuser and says so on standard output; answers with them.
pub async fn first_superuser(kurso: &Kurso, settings: &Settings) -> Result<Option<User>, String> {
    let empty = users::nobody_yet(&kurso.db)
        .await
        .map_err(|error| format!("the database cannot be read: {error}"))?;
    if !empty {
        return Ok(None);
    }
    let email = Email::parse(&settings.superuser_email)
        .map_err(|problem| format!("KURSO_SUPERUSER_EMAIL: {}", Message::BadEmail(problem)))?;
    let (password, made_up) = match &settings.superuser_password {
        Some(password) if fits(password) => (password.clone(), false),
        Some(_) => return Err("KURSO_SUPERUSER_PASSWORD: 8 to 128 characters are expected".to_owned()),
        None => (made_up_password(), true),
    };
    let new = NewUser {
        email,
        password: password.clone(),
        full_name: None,
        is_active: true,
        is_superuser: true,
    };
    match users::create(kurso, new).await {
        Ok(user) => {
            if made_up {
                println!(
                    "The superuser is {} with the password {password} (shown this once).",
                    user.email
                );
            } else {
                println!("The superuser is {} with the password from the settings.", user.email);
            }
            Ok(Some(user))
        }
        // Another node started on the same empty database and was first.
        Err(Error::BadRequest(Message::EmailTaken)) => Ok(None),
        Err(error) => Err(format!("the superuser could not be made: {error}")),
    }
}

/// Is it as long as a password must be?
pub fn fits(password: &str) -> bool {
    (8..=128).contains(&password.chars().count())
}

/// 80 random bits.
pub fn made_up_password() -> String {
    random::key().chars().take(20).collect()
}
