//! Opens the database, the file store and the secret key for a command, and creates the superuser of the first start.

use std::sync::Arc;

use kurso_base::clock::Clock;
use kurso_base::email::Email;
use kurso_base::error::Error;
use kurso_base::messages::Message;
use kurso_base::random;
use kurso_base::values::Password;
use kurso_core::Kurso;
use kurso_core::access::User;
use kurso_core::files::FileStore;
use kurso_core::users::{self, CreateUser};
use kurso_db::migrate::MigrateError;
use kurso_db::{Db, Version};

use crate::config::Settings;

/// Opens the database and the file store. Migrates the database to this binary's version.
pub async fn open(settings: &Settings) -> Result<Arc<Kurso>, String> {
    settings.check()?;
    let db = connect(settings).await?;
    db.migrate().await.map_err(|error| match error {
        MigrateError::VersionMissing(version) => newer(version),
        error => format!("the database cannot be migrated: {error}"),
    })?;
    if db.has_unfinished_move().await.map_err(|error| error.to_string())? {
        return Err(
            "this database is the target of an unfinished `kurso move`: run the move again, or use an empty database"
                .to_owned(),
        );
    }
    product(settings, db).await
}

/// Opens the database without migrating it. An error when its version is not this binary's.
pub async fn open_as_it_is(settings: &Settings) -> Result<Arc<Kurso>, String> {
    let db = connect(settings).await?;
    match db.version().await.map_err(|error| error.to_string())? {
        Version::Current(_) => product(settings, db).await,
        Version::None => Err("the database is empty: start the server on it once".to_owned()),
        Version::Older(_) => Err("the database is older than this binary: start the server on it once".to_owned()),
        Version::Newer(version) => Err(newer(version)),
    }
}

/// Opens the database at any version, so that a new binary can make a backup before it migrates.
pub async fn open_for_backup(settings: &Settings) -> Result<Arc<Kurso>, String> {
    product(settings, connect(settings).await?).await
}

/// A database that may have no tables yet, and the file store, for a restore.
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
        tracing::warn!(%error, "the file store does not respond");
    }
    let mail = settings.mail()?;
    let kurso = Kurso::new(db, files, mail, Clock::System, &secret, settings.rate_limit.is_on())
        .map_err(|error| error.to_string())?
        .with_file_limits(settings.file_limits())
        .with_content_quota(settings.content_quota)
        .with_push_hosts(settings.push_hosts()?);
    Ok(Arc::new(kurso))
}

/// Creates the superuser on an empty database, prints it to standard output and returns it; None when there are accounts already.
pub async fn first_superuser(kurso: &Kurso, settings: &Settings) -> Result<Option<User>, String> {
    let empty = users::is_empty(&kurso.db)
        .await
        .map_err(|error| format!("the database cannot be read: {error}"))?;
    if !empty {
        return Ok(None);
    }
    let email = Email::parse(&settings.superuser_email)
        .map_err(|problem| format!("KURSO_SUPERUSER_EMAIL: {}", Message::BadEmail(problem)))?;
    let made_up = settings.superuser_password.is_none();
    let password = settings.superuser_password.clone().unwrap_or_else(made_up_password);
    let new = CreateUser {
        is_superuser: true,
        ..CreateUser::ordinary(email, read_password("KURSO_SUPERUSER_PASSWORD", &password)?, None)
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
        Err(error) => Err(format!("the superuser could not be created: {error}")),
    }
}

/// A password from the setting or option `name`; the error names it.
pub fn read_password(name: &str, text: &str) -> Result<Password, String> {
    Password::parse(text).map_err(|_| {
        let (min, max) = (Password::MIN, Password::MAX);
        format!("{name}: {min} to {max} characters are expected")
    })
}

/// Generates a password of 80 random bits.
pub fn made_up_password() -> String {
    random::key().chars().take(20).collect()
}
