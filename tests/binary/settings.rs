//! Settings and their sources.

use serde_json::Value;
use tempfile::TempDir;

use crate::{json_of, kurso};

/// A setting of `kurso config --json`: its value and its source.
fn setting(listed: &Value, name: &str) -> (String, String) {
    let text = |value: &Value| value.as_str().unwrap_or("—").to_owned();
    let found = listed.as_array().unwrap().iter().find(|one| one["name"] == name);
    let found = found.unwrap_or_else(|| panic!("{name} is not listed"));
    (text(&found["value"]), text(&found["source"]))
}

#[test]
fn flags_override_the_environment_and_the_environment_the_file() {
    let folder = TempDir::new().unwrap();
    let text = "pool_size = 3\npool_wait = \"3s\"\nmax_requests = 3\ncors_origins = [\"https://a.example\"]\nsecret_key_file = \"key\"\n";
    std::fs::write(folder.path().join("kurso.toml"), text).unwrap();
    std::fs::write(folder.path().join("key"), "a secret key of more than 32 bytes\n").unwrap();
    let mut command = kurso(folder.path(), &["config", "--json", "--pool-size", "1"]);
    command.env("KURSO_POOL_SIZE", "2").env("KURSO_POOL_WAIT", "2s");
    command.env("KURSO_SMTP_URL", "smtp://ann:very-secret@mail.example");
    let output = command.output().unwrap();
    let listed = json_of(&output);
    let is = |name: &str, value: &str, source: &str| {
        assert_eq!(setting(&listed, name), (value.to_owned(), source.to_owned()));
    };
    is("pool_size", "1", "flag");
    is("pool_wait", "2s", "environment KURSO_POOL_WAIT");
    is("max_requests", "3", "file kurso.toml");
    is("cors_origins", "https://a.example", "file kurso.toml");
    is("secret_key", "(hidden)", "file key");
    is(
        "smtp_url",
        "smtp://ann:hidden@mail.example",
        "environment KURSO_SMTP_URL",
    );
    is("sql_timeout", "30s", "default");
    is("public_url", "—", "default");
    let text = String::from_utf8(kurso(folder.path(), &["config"]).output().unwrap().stdout).unwrap();
    assert!(
        text.lines()
            .any(|line| line.starts_with("max_requests") && line.ends_with("file kurso.toml")),
        "{text}"
    );
    assert!(!text.contains("a secret key"), "{text}");
    assert!(!folder.path().join("data").exists(), "the command opens no data");
}

#[test]
fn secrets_can_come_from_files() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("database_url"), "sqlite:from-a-file.db\n").unwrap();
    std::fs::write(at("superuser_password"), "from systemd\n").unwrap();
    std::fs::write(at("short"), "short\n").unwrap();
    std::fs::write(at("empty"), "\n").unwrap();
    let mut command = kurso(folder.path(), &["config", "--json"]);
    command
        .env("KURSO_DATABASE_URL_FILE", at("database_url"))
        .env("CREDENTIALS_DIRECTORY", folder.path());
    let listed = json_of(&command.output().unwrap());
    let (value, source) = setting(&listed, "database_url");
    assert_eq!(
        (value.as_str(), source.starts_with("file ")),
        ("sqlite:from-a-file.db", true)
    );
    assert_eq!(setting(&listed, "superuser_password").0, "(hidden)");

    for (variable, value, said) in [
        (
            "KURSO_SECRET_KEY_FILE",
            "short",
            "KURSO_SECRET_KEY: at least 32 bytes are expected",
        ),
        ("KURSO_SECRET_KEY_FILE", "empty", "KURSO_SECRET_KEY_FILE: "),
        ("KURSO_SMTP_URL_FILE", "nowhere", "KURSO_SMTP_URL_FILE: "),
    ] {
        let output = kurso(folder.path(), &["config"])
            .env(variable, at(value))
            .output()
            .unwrap();
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && error.contains(said), "{variable}: {error}");
        assert!(value == "nowhere" || !error.contains(": short"), "{error}");
    }
    let mut both = kurso(folder.path(), &["config"]);
    both.env("KURSO_DATABASE_URL", "sqlite:x.db")
        .env("KURSO_DATABASE_URL_FILE", at("database_url"));
    let error = String::from_utf8_lossy(&both.output().unwrap().stderr).into_owned();
    assert!(
        error.contains("KURSO_DATABASE_URL and KURSO_DATABASE_URL_FILE: one of them"),
        "{error}"
    );
}

#[test]
fn invalid_settings_are_rejected_by_name() {
    let folder = TempDir::new().unwrap();
    for (variable, value, expected) in [
        (
            "KURSO_ADDRESS",
            "nowhere",
            "KURSO_ADDRESS: an address and a port such as 127.0.0.1:8000 are expected, not \"nowhere\"",
        ),
        (
            "KURSO_MAX_UPLOAD",
            "much",
            "KURSO_MAX_UPLOAD: a size such as 200MB is expected",
        ),
        (
            "KURSO_FILES_GRACE",
            "7",
            "KURSO_FILES_GRACE: a time such as 7d, 24h or 30m is expected",
        ),
        (
            "KURSO_SLOW_QUERY",
            "never",
            "KURSO_SLOW_QUERY: a time such as 30s or 500ms, or off, is expected",
        ),
        ("KURSO_DEMO", "maybe", "KURSO_DEMO: on or off is expected"),
        (
            "KURSO_TRUSTED_PROXIES",
            "10.0.0.1,proxy",
            "KURSO_TRUSTED_PROXIES: addresses such as 10.0.0.1",
        ),
        (
            "KURSO_CORS_ORIGINS",
            "https://a.example/",
            "KURSO_CORS_ORIGINS: origins such as",
        ),
        ("KURSO_LOG_FORMAT", "xml", "KURSO_LOG_FORMAT: text or json is expected"),
        ("KURSO_POOL_SIZE", "0", "KURSO_POOL_SIZE: a whole number from 1"),
        ("KURSO_OTLP_URL", "collector", "KURSO_OTLP_URL: a URL such as"),
        (
            "KURSO_METRICS_TOKEN",
            "secret-7",
            "KURSO_METRICS_TOKEN: at least 16 characters are expected",
        ),
        (
            "KURSO_DATABASE_URL",
            "mysql://a:secret-7@b/c",
            "KURSO_DATABASE_URL: sqlite:PATH or postgres://",
        ),
        ("KURSO_LOG", "kurso=shout", "KURSO_LOG: "),
        (
            "KURSO_CONFIG",
            "/no/such/kurso.toml",
            "KURSO_CONFIG /no/such/kurso.toml: ",
        ),
    ] {
        let output = kurso(folder.path(), &["serve"]).env(variable, value).output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            !output.status.success() && error.contains(expected),
            "{variable}: {error}"
        );
        assert!(!error.contains("secret-7") && !error.contains("panicked"), "{error}");
    }
    std::fs::write(folder.path().join("kurso.toml"), "adress = \"127.0.0.1:0\"\n").unwrap();
    let output = kurso(folder.path(), &["serve"]).output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        error.contains("kurso.toml: unknown setting adress, did you mean address?"),
        "{error}"
    );
}
