//! Settings: each is an environment variable and a flag of the same name (contract 10); `.env` is read when present.

use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use kurso_core::mail::{Destination, Mail, SettingError};
use kurso_core::random;

#[derive(Args, Clone, Debug)]
pub struct Settings {
    /// Where the server listens.
    #[arg(long, env = "KURSO_ADDRESS", default_value = "127.0.0.1:8000", global = true)]
    pub address: SocketAddr,

    /// The folder of the database, the files and the secret key.
    #[arg(long, env = "KURSO_DATA_DIR", default_value = "./data", global = true)]
    pub data_dir: PathBuf,

    /// `sqlite:PATH` or `postgres://…`; a SQLite file in the data folder when absent.
    #[arg(long, env = "KURSO_DATABASE_URL", global = true)]
    pub database_url: Option<String>,

    /// Where people find the web app, as links in mails begin; the address of KURSO_ADDRESS when absent.
    #[arg(long, env = "KURSO_PUBLIC_URL", global = true)]
    pub public_url: Option<String>,

    /// The mail server: `smtp://user:password@host:port`, with `?tls=required` over STARTTLS; `smtps://…` over TLS. Without
    /// one, mails are written to the folder `outbox` in the data folder.
    #[arg(long, env = "KURSO_SMTP_URL", hide_env_values = true, global = true)]
    pub smtp_url: Option<String>,

    /// The sender of mails: `school@example.com` or `School <school@example.com>`.
    #[arg(long, env = "KURSO_MAIL_FROM", default_value = "kurso@localhost", global = true)]
    pub mail_from: String,

    /// The superuser of the first start.
    #[arg(
        long,
        env = "KURSO_SUPERUSER_EMAIL",
        default_value = "admin@example.com",
        global = true
    )]
    pub superuser_email: String,

    /// Made up and printed once when absent.
    #[arg(long, env = "KURSO_SUPERUSER_PASSWORD", hide_env_values = true, global = true)]
    pub superuser_password: Option<String>,

    /// Signs the tokens; at least 32 bytes. Made and kept in the data folder when absent.
    #[arg(long, env = "KURSO_SECRET_KEY", hide_env_values = true, global = true)]
    pub secret_key: Option<String>,

    /// The demo course on an empty database.
    #[arg(long, env = "KURSO_DEMO", default_value = "on", global = true)]
    pub demo: Switch,

    /// Limits on failed logins, failed enrolls, signups, recovery mails and changes of password.
    #[arg(long, env = "KURSO_RATE_LIMIT", default_value = "on", global = true)]
    pub rate_limit: Switch,

    /// Origins of other web apps that may call, separated by commas.
    #[arg(
        long,
        env = "KURSO_CORS_ORIGINS",
        default_value = "http://localhost:5173",
        value_delimiter = ',',
        global = true
    )]
    pub cors_origins: Vec<String>,

    /// Addresses of proxies whose X-Forwarded-For is believed, separated by commas.
    #[arg(long, env = "KURSO_TRUSTED_PROXIES", value_delimiter = ',', global = true)]
    pub trusted_proxies: Vec<IpAddr>,

    /// Development conveniences; refuses to listen beyond this machine.
    #[arg(long, env = "KURSO_DEV", default_value = "0", global = true)]
    pub dev: Flag,

    /// What is logged: `warn`, `info`, `kurso_core=debug,info`, …
    #[arg(long, env = "KURSO_LOG", default_value = "info", global = true)]
    pub log: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Switch {
    On,
    Off,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Flag {
    #[value(name = "0")]
    Off,
    #[value(name = "1")]
    On,
}

impl Switch {
    pub fn is_on(self) -> bool {
        self == Switch::On
    }
}

impl Settings {
    pub fn database_url(&self) -> String {
        match &self.database_url {
            Some(url) => url.clone(),
            None => format!("sqlite:{}", self.data_dir.join("kurso.db").display()),
        }
    }

    pub fn files_dir(&self) -> PathBuf {
        self.data_dir.join("files")
    }

    pub fn public_url(&self) -> String {
        match &self.public_url {
            Some(url) => url.clone(),
            None => format!("http://{}", self.address),
        }
    }

    pub fn mail(&self) -> Result<Mail, String> {
        let (destination, setting) = match &self.smtp_url {
            Some(url) => (Destination::Smtp(url.clone()), "KURSO_SMTP_URL"),
            None => (Destination::Outbox(self.data_dir.join("outbox")), "KURSO_DATA_DIR"),
        };
        Mail::new(destination, &self.mail_from, &self.public_url()).map_err(|error| match error {
            SettingError::From(_) => format!("KURSO_MAIL_FROM: {error}"),
            SettingError::Smtp(_) | SettingError::Outbox(_) => format!("{setting}: {error}"),
        })
    }

    /// The setting, or the key kept in the data folder, which is made at the first start.
    pub fn secret_key(&self) -> Result<Vec<u8>, String> {
        if let Some(key) = &self.secret_key {
            if key.len() < 32 {
                return Err("KURSO_SECRET_KEY: at least 32 bytes are expected".to_owned());
            }
            return Ok(key.clone().into_bytes());
        }
        let path = self.data_dir.join("secret.key");
        kept_key(&path).map_err(|error| format!("{}: {error}", path.display()))
    }

    /// Wrong combinations, named before anything starts.
    pub fn check(&self) -> Result<(), String> {
        if self.dev == Flag::On && !self.address.ip().is_loopback() {
            return Err(format!(
                "KURSO_DEV=1 listens on this machine only, not on {}",
                self.address
            ));
        }
        let public_url = self.public_url();
        let is_web = url::Url::parse(&public_url).is_ok_and(|url| matches!(url.scheme(), "http" | "https"));
        if !is_web {
            return Err(format!("KURSO_PUBLIC_URL: {public_url} is no address of a web site"));
        }
        Ok(())
    }
}

fn kept_key(path: &Path) -> std::io::Result<Vec<u8>> {
    use std::io::Write as _;
    match std::fs::read(path) {
        Ok(key) if key.len() >= 32 => return Ok(key),
        Ok(_) => return Err(std::io::Error::other("a key of at least 32 bytes is expected")),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    let key = random::secret();
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    match options.open(path) {
        Ok(mut file) => {
            file.write_all(key.as_bytes())?;
            file.sync_all()?;
            Ok(key.into_bytes())
        }
        // Another start made it in between.
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => std::fs::read(path),
        Err(error) => Err(error),
    }
}
