//! Settings: each is an environment variable and a flag of the same name (contract 10); `.env` is read when present.

use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};

use chrono::TimeDelta;
use clap::{Args, ValueEnum};
use kurso_core::copies::Schedule;
use kurso_core::files::{FileStore, Rules};
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

    /// Where files are kept: a folder, or `s3://bucket/prefix` with the usual variables AWS_ACCESS_KEY_ID,
    /// AWS_SECRET_ACCESS_KEY, AWS_REGION, AWS_ENDPOINT_URL, AWS_ALLOW_HTTP. The folder `files` in the data folder when absent.
    #[arg(long, env = "KURSO_FILES_URL", global = true)]
    pub files_url: Option<String>,

    /// The largest file that may be uploaded: `200MB`, `1.5GB`.
    #[arg(long, env = "KURSO_MAX_UPLOAD", default_value = "200MB", value_parser = size, global = true)]
    pub max_upload: u64,

    /// What the files of one person may come to.
    #[arg(long, env = "KURSO_FILES_QUOTA", default_value = "5GB", value_parser = size, global = true)]
    pub files_quota: u64,

    /// How long a file that nothing uses is kept: `7d`, `24h`, `30m`.
    #[arg(long, env = "KURSO_FILES_GRACE", default_value = "7d", value_parser = span, global = true)]
    pub files_grace: TimeDelta,

    /// The folder of the backups that the server makes by itself; none are made when absent. On several nodes, a folder that
    /// all of them see: one of them makes the backup.
    #[arg(long, env = "KURSO_BACKUP_DIR", global = true)]
    pub backup_dir: Option<PathBuf>,

    /// How often: `24h`, `1h`.
    #[arg(long, env = "KURSO_BACKUP_EVERY", default_value = "24h", value_parser = span, global = true)]
    pub backup_every: TimeDelta,

    /// How many of them are kept.
    #[arg(long, env = "KURSO_BACKUP_KEEP", default_value = "7", value_parser = clap::value_parser!(u16).range(1..), global = true)]
    pub backup_keep: u16,

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

    pub fn files(&self) -> Result<FileStore, String> {
        match self.files_url.as_deref() {
            Some(url) => self.files_at(url, "KURSO_FILES_URL"),
            None => FileStore::folder(&self.data_dir.join("files")).map_err(|error| format!("KURSO_DATA_DIR: {error}")),
        }
    }

    /// The store at a folder or `s3://bucket/prefix`, which the setting of this name says.
    pub fn files_at(&self, url: &str, setting: &str) -> Result<FileStore, String> {
        let store = if url.starts_with("s3://") {
            FileStore::s3(url, &aws(), &self.data_dir.join("uploads"))
        } else if url.contains("://") && !url.starts_with("file://") {
            return Err(format!("{setting}: {url} is neither a folder nor s3://bucket/prefix"));
        } else {
            FileStore::folder(Path::new(url.strip_prefix("file://").unwrap_or(url)))
        };
        store.map_err(|error| format!("{setting}: {error}"))
    }

    /// The backups that the server makes by itself.
    pub fn backups(&self) -> Option<Schedule> {
        Some(Schedule {
            folder: self.backup_dir.clone()?,
            every: self.backup_every,
            keep: self.backup_keep.into(),
        })
    }

    pub fn file_rules(&self) -> Rules {
        Rules {
            largest: self.max_upload,
            quota: self.files_quota,
            grace: self.files_grace,
        }
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

/// The variables every client of S3 reads.
fn aws() -> Vec<(String, String)> {
    std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .filter(|(name, _)| name.starts_with("AWS_"))
        .collect()
}

/// `200MB`, `1.5 GB`, `64KB`, `1000`: bytes, each unit 1024 of the one before.
fn size(text: &str) -> Result<u64, String> {
    let text = text.trim();
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = text.get(digits.len()..).unwrap_or_default().to_ascii_uppercase();
    let factor: u32 = match unit.trim_end_matches('B').trim_end_matches('I') {
        "" => 1,
        "K" => 1 << 10,
        "M" => 1 << 20,
        "G" => 1 << 30,
        _ => return Err("a size such as 200MB is expected".to_owned()),
    };
    match digits.trim().parse::<f64>() {
        Ok(number) if number > 0.0 && number < 1e9 => Ok((number * f64::from(factor)) as u64),
        _ => Err("a size such as 200MB is expected".to_owned()),
    }
}

/// `7d`, `24h`, `30m`, `90s`.
fn span(text: &str) -> Result<TimeDelta, String> {
    let text = text.trim();
    let (number, unit) = text.split_at(text.len() - text.chars().next_back().map_or(0, char::len_utf8));
    let number = number.trim().parse::<u32>().ok().filter(|number| *number > 0);
    let span = match (number.map(i64::from), unit) {
        (Some(n), "s") => TimeDelta::try_seconds(n),
        (Some(n), "m") => TimeDelta::try_minutes(n),
        (Some(n), "h") => TimeDelta::try_hours(n),
        (Some(n), "d") => TimeDelta::try_days(n).filter(|span| *span <= TimeDelta::days(36_500)),
        _ => None,
    };
    span.ok_or_else(|| "a time such as 7d, 24h or 30m is expected".to_owned())
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
