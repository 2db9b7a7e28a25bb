//! Settings: each is a flag, an environment variable and a line of `kurso.toml` of the same name, listed in docs/operations.md.
//! `sources` merges them by precedence, `values` parses single values, `show` prints the result.

mod show;
mod sources;
mod values;

use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;

use chrono::TimeDelta;
use clap::Args;
use kurso_base::random;
use kurso_core::backup::Schedule;
use kurso_core::files::{FileLimits, FileStore};
use kurso_core::mail::{Destination, Mail, SettingError};
use kurso_core::push::Hosts;

pub use show::{Arguments as ShowArguments, show};
pub use sources::{Loaded, load, unknown_variables};
pub use values::{Limit, LogFormat, Switch, duration};

#[derive(Args, Clone, Debug)]
pub struct Settings {
    /// A settings file in TOML: `address = "0.0.0.0:8000"`. Default: `kurso.toml` in the current folder, if it exists.
    #[arg(long, env = "KURSO_CONFIG", global = true)]
    pub config: Option<PathBuf>,

    /// The address and port that the server listens on.
    #[arg(long, env = "KURSO_ADDRESS", default_value = "127.0.0.1:8000", value_parser = values::address, global = true)]
    pub address: SocketAddr,

    /// The folder of the database, the files and the secret key.
    #[arg(long, env = "KURSO_DATA_DIR", default_value = "./data", global = true)]
    pub data_dir: PathBuf,

    /// `sqlite:PATH` or `postgres://…`. Default: a SQLite file in the data folder.
    #[arg(long, env = "KURSO_DATABASE_URL", hide_env_values = true, global = true)]
    pub database_url: Option<String>,

    /// The maximum number of PostgreSQL connections.
    #[arg(long, env = "KURSO_POOL_SIZE", default_value = "10", value_parser = values::count, global = true)]
    pub pool_size: u32,

    /// How long a statement waits for a connection before the request gets 503.
    #[arg(long, env = "KURSO_POOL_WAIT", default_value = "10s", value_parser = values::duration, global = true)]
    pub pool_wait: Duration,

    /// The maximum run time of a PostgreSQL statement.
    #[arg(long, env = "KURSO_SQL_TIMEOUT", default_value = "30s", value_parser = values::limit, global = true)]
    pub sql_timeout: Limit,

    /// The file store: a folder, or `s3://bucket/prefix` with the usual variables AWS_ACCESS_KEY_ID,
    /// AWS_SECRET_ACCESS_KEY, AWS_REGION, AWS_ENDPOINT_URL, AWS_ALLOW_HTTP. Default: the folder `files` in the data
    /// folder.
    #[arg(long, env = "KURSO_FILES_URL", global = true)]
    pub files_url: Option<String>,

    /// How long an S3 store may send nothing before the request gets 503.
    #[arg(long, env = "KURSO_FILES_TIMEOUT", default_value = "30s", value_parser = values::duration, global = true)]
    pub files_timeout: Duration,

    /// The maximum size of an uploaded file: `200MB`, `1.5GB`.
    #[arg(long, env = "KURSO_MAX_UPLOAD", default_value = "200MB", value_parser = values::size, global = true)]
    pub max_upload: u64,

    /// The maximum total size of one user's files.
    #[arg(long, env = "KURSO_FILES_QUOTA", default_value = "5GB", value_parser = values::size, global = true)]
    pub files_quota: u64,

    /// The maximum total size of the texts, quizzes and page history in one user's courses.
    #[arg(long, env = "KURSO_CONTENT_QUOTA", default_value = "2GB", value_parser = values::size, global = true)]
    pub content_quota: u64,

    /// How long an unused file is kept: `7d`, `24h`, `30m`.
    #[arg(long, env = "KURSO_FILES_GRACE", default_value = "7d", value_parser = values::span, global = true)]
    pub files_grace: TimeDelta,

    /// The folder for scheduled backups; none are made when absent. On several nodes it must be shared: one of them
    /// makes the backup.
    #[arg(long, env = "KURSO_BACKUP_DIR", global = true)]
    pub backup_dir: Option<PathBuf>,

    /// The interval of scheduled backups: `24h`, `1h`.
    #[arg(long, env = "KURSO_BACKUP_EVERY", default_value = "24h", value_parser = values::span, global = true)]
    pub backup_every: TimeDelta,

    /// How many scheduled backups are kept.
    #[arg(long, env = "KURSO_BACKUP_KEEP", default_value = "7", value_parser = clap::value_parser!(u16).range(1..), global = true)]
    pub backup_keep: u16,

    /// The public URL of the web app, used for links in mails. Default: the address of KURSO_ADDRESS.
    #[arg(long, env = "KURSO_PUBLIC_URL", global = true)]
    pub public_url: Option<String>,

    /// The mail server: `smtp://user:password@host:port`, with `?tls=required` for STARTTLS; `smtps://…` for TLS.
    /// Without one, mails are written to the folder `outbox` in the data folder.
    #[arg(long, env = "KURSO_SMTP_URL", hide_env_values = true, global = true)]
    pub smtp_url: Option<String>,

    /// The sender of mails: `school@example.com` or `School <school@example.com>`.
    #[arg(long, env = "KURSO_MAIL_FROM", default_value = "kurso@localhost", global = true)]
    pub mail_from: String,

    /// Hosts of the push services of browsers, separated by commas; empty: no pushes. Browsers choose the service, so
    /// only add hosts that the server may send requests to.
    #[arg(
        long,
        env = "KURSO_PUSH_HOSTS",
        default_value = "fcm.googleapis.com,*.push.services.mozilla.com,*.notify.windows.com,web.push.apple.com",
        value_delimiter = ',',
        value_parser = values::push_host,
        global = true
    )]
    pub push_hosts: Vec<String>,

    /// The e-mail address of the superuser that the first start creates.
    #[arg(
        long,
        env = "KURSO_SUPERUSER_EMAIL",
        default_value = "admin@example.com",
        global = true
    )]
    pub superuser_email: String,

    /// The password of that superuser. Generated and printed once when absent.
    #[arg(long, env = "KURSO_SUPERUSER_PASSWORD", hide_env_values = true, global = true)]
    pub superuser_password: Option<String>,

    /// The key that signs tokens; at least 32 bytes. Generated and stored in the data folder when absent.
    #[arg(long, env = "KURSO_SECRET_KEY", hide_env_values = true, global = true)]
    pub secret_key: Option<String>,

    /// Whether an empty database gets the demo course.
    #[arg(long, env = "KURSO_DEMO", default_value = "on", value_parser = values::switch, global = true)]
    pub demo: Switch,

    /// Limits on failed logins, failed enrollments, signups, recovery mails, and changes of password and e-mail
    /// address.
    #[arg(long, env = "KURSO_RATE_LIMIT", default_value = "on", value_parser = values::switch, global = true)]
    pub rate_limit: Switch,

    /// Origins of other web apps that may call the API, separated by commas; empty for none.
    #[arg(
        long,
        env = "KURSO_CORS_ORIGINS",
        default_value = "http://localhost:5173",
        value_delimiter = ',',
        value_parser = values::origin,
        global = true
    )]
    pub cors_origins: Vec<String>,

    /// Addresses of proxies whose X-Forwarded-For is trusted, separated by commas.
    #[arg(long, env = "KURSO_TRUSTED_PROXIES", value_delimiter = ',', value_parser = values::ip, global = true)]
    pub trusted_proxies: Vec<IpAddr>,

    /// The maximum number of concurrent requests; excess requests get 503. Uploads have a separate limit of the same
    /// size.
    #[arg(long, env = "KURSO_MAX_REQUESTS", default_value = "512", value_parser = values::count, global = true)]
    pub max_requests: u32,

    /// The maximum number of client connections; further ones wait until one is closed.
    #[arg(long, env = "KURSO_MAX_CONNECTIONS", default_value = "10000", value_parser = values::count, global = true)]
    pub max_connections: u32,

    /// The maximum time for the headers of a request, and for an idle connection.
    #[arg(long, env = "KURSO_HEADER_TIMEOUT", default_value = "60s", value_parser = values::duration, global = true)]
    pub header_timeout: Duration,

    /// How long a client may accept no byte of a response before its connection is closed.
    #[arg(long, env = "KURSO_WRITE_TIMEOUT", default_value = "30s", value_parser = values::duration, global = true)]
    pub write_timeout: Duration,

    /// The maximum time for a response; uploads have a minimum rate instead.
    #[arg(long, env = "KURSO_REQUEST_TIMEOUT", default_value = "90s", value_parser = values::duration, global = true)]
    pub request_timeout: Duration,

    /// How long the server keeps serving after SIGTERM while /readyz returns 503, so that a load balancer removes it
    /// first.
    #[arg(long, env = "KURSO_DRAIN", default_value = "off", value_parser = values::limit, global = true)]
    pub drain: Limit,

    /// How long a shutdown waits for requests in progress before it closes their connections.
    #[arg(long, env = "KURSO_STOP_TIMEOUT", default_value = "30s", value_parser = values::duration, global = true)]
    pub stop_timeout: Duration,

    /// The token that opens /metrics to other machines: `Authorization: Bearer …`; at least 16 characters.
    #[arg(long, env = "KURSO_METRICS_TOKEN", hide_env_values = true, global = true)]
    pub metrics_token: Option<String>,

    /// How long audit log entries are kept; `off` keeps them forever.
    #[arg(long, env = "KURSO_AUDIT_KEEP", default_value = "365d", value_parser = values::limit, global = true)]
    pub audit_keep: Limit,

    /// Development mode; refuses to listen beyond the local machine.
    #[arg(long, env = "KURSO_DEV", default_value = "0", value_parser = values::switch, global = true)]
    pub dev: Switch,

    /// The log filter: `warn`, `info`, `kurso_core=debug,info`, …
    #[arg(long, env = "KURSO_LOG", default_value = "info", global = true)]
    pub log: String,

    /// The log format: `text` or `json`.
    #[arg(long, env = "KURSO_LOG_FORMAT", default_value = "text", value_parser = values::log_format, global = true)]
    pub log_format: LogFormat,

    /// Whether every request is logged.
    #[arg(long, env = "KURSO_ACCESS_LOG", default_value = "off", value_parser = values::switch, global = true)]
    pub access_log: Switch,

    /// A statement that takes longer is logged, without its values.
    #[arg(long, env = "KURSO_SLOW_QUERY", default_value = "1s", value_parser = values::limit, global = true)]
    pub slow_query: Limit,

    /// A request that takes longer is logged.
    #[arg(long, env = "KURSO_SLOW_REQUEST", default_value = "5s", value_parser = values::limit, global = true)]
    pub slow_request: Limit,

    /// The collector for traces, by OTLP over HTTP: `http://collector:4318`; no traces when absent.
    #[arg(long, env = "KURSO_OTLP_URL", value_parser = values::collector, global = true)]
    pub otlp_url: Option<String>,
}

impl Settings {
    pub fn database_url(&self) -> String {
        match &self.database_url {
            Some(url) => url.clone(),
            None => format!("sqlite:{}", self.data_dir.join("kurso.db").display()),
        }
    }

    /// Pool size and timeouts of the database.
    pub fn database(&self) -> kurso_db::Options {
        kurso_db::Options {
            size: self.pool_size as usize,
            wait: self.pool_wait,
            statement: self.sql_timeout.0,
            slow: self.slow_query.0,
        }
    }

    /// The allowed CORS origins. An empty string in the setting means no origin and is omitted.
    pub fn cors_origins(&self) -> Vec<String> {
        self.cors_origins
            .iter()
            .filter(|origin| !origin.is_empty())
            .cloned()
            .collect()
    }

    pub fn files(&self) -> Result<FileStore, String> {
        match self.files_url.as_deref() {
            Some(url) => self.files_at(url, "KURSO_FILES_URL"),
            None => FileStore::folder(&self.data_dir.join("files")).map_err(|error| format!("KURSO_DATA_DIR: {error}")),
        }
    }

    /// The file store at a folder or `s3://bucket/prefix`. Errors begin with `setting`, the name of the setting that holds the URL.
    pub fn files_at(&self, url: &str, setting: &str) -> Result<FileStore, String> {
        let store = if url.starts_with("s3://") {
            FileStore::s3_with_timeout(self.files_timeout, url, &aws(), &self.data_dir.join("uploads"))
        } else if url.contains("://") && !url.starts_with("file://") {
            return Err(format!("{setting}: {url} is neither a folder nor s3://bucket/prefix"));
        } else {
            FileStore::folder(Path::new(url.strip_prefix("file://").unwrap_or(url)))
        };
        store.map_err(|error| format!("{setting}: {error}"))
    }

    /// The schedule of backups; None when they are off.
    pub fn backups(&self) -> Option<Schedule> {
        Some(Schedule {
            folder: self.backup_dir.clone()?,
            every: self.backup_every,
            keep: self.backup_keep.into(),
        })
    }

    pub fn file_limits(&self) -> FileLimits {
        FileLimits {
            max_size: self.max_upload,
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

    /// The allowed push services.
    pub fn push_hosts(&self) -> Result<Hosts, String> {
        let hosts = Hosts::parse(self.push_hosts.iter().map(String::as_str));
        hosts.map_err(|error| format!("KURSO_PUSH_HOSTS: {error}"))
    }

    /// The configured key, or the one in the data folder, generated at the first start. An error when it has fewer than 32 bytes.
    pub fn secret_key(&self) -> Result<Vec<u8>, String> {
        if let Some(key) = &self.secret_key {
            if key.len() < 32 {
                return Err("KURSO_SECRET_KEY: at least 32 bytes are expected".to_owned());
            }
            return Ok(key.clone().into_bytes());
        }
        let path = self.data_dir.join("secret.key");
        load_or_create_key(&path).map_err(|error| format!("{}: {error}", path.display()))
    }

    /// Checks values and combinations that clap cannot check by itself. The error names the setting.
    pub fn check(&self) -> Result<(), String> {
        if self.dev.is_on() && !self.address.ip().is_loopback() {
            return Err(format!(
                "KURSO_DEV=1 listens on this machine only, not on {}",
                self.address
            ));
        }
        let public_url = self.public_url();
        if !values::is_web(&public_url) {
            return Err(format!("KURSO_PUBLIC_URL: {public_url} is not an http or https URL"));
        }
        if self.metrics_token.as_ref().is_some_and(|token| token.len() < 16) {
            return Err("KURSO_METRICS_TOKEN: at least 16 characters are expected".to_owned());
        }
        if self.secret_key.as_ref().is_some_and(|key| key.len() < 32) {
            return Err("KURSO_SECRET_KEY: at least 32 bytes are expected".to_owned());
        }
        let known = ["sqlite:", "postgres://", "postgresql://"];
        if self
            .database_url
            .as_ref()
            .is_some_and(|url| !known.iter().any(|start| url.starts_with(start)))
        {
            return Err("KURSO_DATABASE_URL: sqlite:PATH or postgres://… is expected".to_owned());
        }
        tracing_subscriber::EnvFilter::builder()
            .parse(&self.log)
            .map(drop)
            .map_err(|error| format!("KURSO_LOG: `info`, `kurso_core=debug,info` or the like is expected: {error}"))
    }
}

/// The `AWS_*` environment variables, which S3 clients read.
fn aws() -> Vec<(String, String)> {
    std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .filter(|(name, _)| name.starts_with("AWS_"))
        .collect()
}

/// The key in the file, which the first start creates. Several processes may start at once: the file appears with its whole content, so all
/// of them use the same key.
fn load_or_create_key(path: &Path) -> std::io::Result<Vec<u8>> {
    use std::io::{Error, ErrorKind, Write as _};
    if let Some(key) = stored_key(path)? {
        return Ok(key);
    }
    let key = random::secret();
    // Only its owner can read it.
    let mut file = tempfile::NamedTempFile::new_in(path.parent().unwrap_or(Path::new(".")))?;
    file.write_all(key.as_bytes())?;
    file.as_file().sync_all()?;
    match file.persist_noclobber(path) {
        Ok(_) => Ok(key.into_bytes()),
        // Another process has created it in the meantime.
        Err(refused) if refused.error.kind() == ErrorKind::AlreadyExists => {
            stored_key(path)?.ok_or_else(|| Error::from(ErrorKind::NotFound))
        }
        Err(refused) => Err(refused.error),
    }
}

/// None if there is no file.
fn stored_key(path: &Path) -> std::io::Result<Option<Vec<u8>>> {
    match std::fs::read(path) {
        Ok(key) if key.len() >= 32 => Ok(Some(key)),
        Ok(_) => Err(std::io::Error::other("a key of at least 32 bytes is expected")),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processes_that_start_at_once_use_one_key() {
        for _ in 0..50 {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("secret.key");
            let keys = std::thread::scope(|scope| {
                let starts: Vec<_> = (0..8).map(|_| scope.spawn(|| load_or_create_key(&path))).collect();
                let keys = starts.into_iter().map(|start| start.join().unwrap().unwrap());
                keys.collect::<std::collections::HashSet<_>>()
            });
            assert_eq!(keys.len(), 1);
            assert_eq!(
                std::fs::read_dir(folder.path()).unwrap().count(),
                1,
                "no temporary file is left"
            );
        }
    }

    #[test]
    fn a_key_that_is_too_short_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("secret.key");
        std::fs::write(&path, "short").unwrap();
        assert!(load_or_create_key(&path).is_err());
    }
}
