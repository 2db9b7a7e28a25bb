//! Opening the product on its data: the database, the files, the key, and the superuser of the first start.

use std::sync::Arc;

use kurso_core::Kurso;
use kurso_core::clock::Clock;
use kurso_core::db::Db;
use kurso_core::db::migrate::MigrateError;
use kurso_core::email::Email;
use kurso_core::error::Error;
use kurso_core::messages::Message;
use kurso_core::random;
use kurso_core::users::{self, NewUser, User};

use crate::config::Settings;

/// Opens the database (migrated to this binary) and the files.
pub async fn open(settings: &Settings) -> Result<Arc<Kurso>, String> {
    settings.check()?;
    tokio::fs::create_dir_all(&settings.data_dir)
        .await
        .map_err(|error| format!("KURSO_DATA_DIR {}: {error}", settings.data_dir.display()))?;
    let secret = settings.secret_key()?;
    let db = Db::connect_with(&settings.database_url(), settings.database())
        .await
        .map_err(|error| format!("KURSO_DATABASE_URL: the database cannot be opened: {error}"))?;
    db.migrate().await.map_err(|error| match error {
        MigrateError::VersionMissing(version) => {
            format!("the database is newer than this binary: it knows migration {version}; use a newer kurso")
        }
        error => format!("the database cannot be brought up to date: {error}"),
    })?;
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
