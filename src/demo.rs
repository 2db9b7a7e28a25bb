//! The embedded demo course, which the first start imports.

use std::path::Path;
use std::process::Stdio;

use rust_embed::RustEmbed;
use serde_json::Value;
use tokio::process::Command;

use crate::config::Settings;

#[derive(RustEmbed)]
#[folder = "demo"]
#[include = "book.toml"]
#[include = "src/*"]
#[include = "quiz/*"]
struct Demo;

/// Imports the demo course for the account with the e-mail address `owner`: a book, and a module with a quiz, which a book
/// cannot have. Returns the share code.
///
/// Runs `kurso import` as a child process, because the server would keep the memory of the import for its whole lifetime.
pub async fn import(settings: &Settings, owner: &str) -> Result<String, String> {
    let text = |error: std::io::Error| error.to_string();
    let folder = tempfile::tempdir().map_err(text)?;
    for name in Demo::iter() {
        let Some(file) = Demo::get(&name) else { continue };
        let place = if name.starts_with("quiz/") { "" } else { "book" };
        let path = folder.path().join(place).join(name.as_ref());
        if let Some(parent) = path.parent() {
            tokio::fs::create_dir_all(parent).await.map_err(text)?;
        }
        tokio::fs::write(&path, &file.data).await.map_err(text)?;
    }
    let report = run(settings, owner, &folder.path().join("book"), &[]).await?;
    let field = |name: &str| report.get(name).and_then(Value::as_str).unwrap_or_default();
    run(
        settings,
        owner,
        &folder.path().join("quiz"),
        &["--into", field("course_id")],
    )
    .await?;
    Ok(field("share_code").to_owned())
}

/// Runs `kurso import` and returns its report.
async fn run(settings: &Settings, owner: &str, folder: &Path, more: &[&str]) -> Result<Value, String> {
    let text = |error: std::io::Error| error.to_string();
    let mut command = Command::new(std::env::current_exe().map_err(text)?);
    command
        .arg("import")
        .arg(folder)
        .args(["--owner", owner, "--json"])
        .args(more);
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
    serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())
}
