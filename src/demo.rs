//! The embedded demo course, which the first start imports.

use std::process::Stdio;

use rust_embed::RustEmbed;
use serde_json::Value;
use tokio::process::Command;

use crate::config::Settings;

#[derive(RustEmbed)]
#[folder = "demo"]
#[include = "book.toml"]
#[include = "src/*"]
struct Demo;

/// Imports the demo course for the account with the e-mail address `owner`. Returns the share code.
///
/// Runs `kurso import` as a child process, because the server would keep the memory of the import for its whole lifetime.
pub async fn import(settings: &Settings, owner: &str) -> Result<String, String> {
    let text = |error: std::io::Error| error.to_string();
    let folder = tempfile::tempdir().map_err(text)?;
    for name in Demo::iter() {
        let Some(file) = Demo::get(&name) else { continue };
        let path = folder.path().join(name.as_ref());
        if let Some(parent) = path.parent() {
            tokio::fs::create_dir_all(parent).await.map_err(text)?;
        }
        tokio::fs::write(&path, &file.data).await.map_err(text)?;
    }
    let mut command = Command::new(std::env::current_exe().map_err(text)?);
    command
        .arg("import")
        .arg(folder.path())
        .args(["--owner", owner, "--json"]);
    command
        .env("KURSO_DATA_DIR", &settings.data_dir)
        .env("KURSO_DATABASE_URL", settings.database_url())
        .env_remove("KURSO_DATABASE_URL_FILE");
    if let Some(config) = &settings.config {
        command.env("KURSO_CONFIG", config);
    }
    if let Some(key) = &settings.secret_key {
        command.env("KURSO_SECRET_KEY", key).env_remove("KURSO_SECRET_KEY_FILE");
    }
    let output = command
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output()
        .await
        .map_err(text)?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).trim().to_owned());
    }
    let report: Value = serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())?;
    let code = report.get("share_code").and_then(Value::as_str);
    Ok(code.unwrap_or_default().to_owned())
}
