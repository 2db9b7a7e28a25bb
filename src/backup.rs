//! The commands `kurso backup`, `kurso restore` and `kurso move` copy all data to a file, from a file, and to another database.

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use kurso_core::backup;
use kurso_db::Db;
use serde_json::json;

use crate::config::Settings;
use crate::{print, start};

#[derive(Args)]
pub struct BackupArguments {
    /// The file to write; it must not exist yet
    file: PathBuf,
    /// Print the manifest of the backup as one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
pub struct RestoreArguments {
    /// A file that `kurso backup` wrote
    file: PathBuf,
}

#[derive(Args)]
pub struct MoveArguments {
    /// The target database, `postgres://…`; it must be empty, or the target of an interrupted move
    #[arg(long)]
    to: String,
    /// The target of the files: a folder or `s3://bucket/prefix`. Without it the files are not copied
    #[arg(long)]
    files_to: Option<String>,
    /// Print one JSON object: each table with its row count and hash
    #[arg(long)]
    json: bool,
}

/// A spinner with the current step; hidden when standard error is not a terminal.
fn progress() -> ProgressBar {
    let bar = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} ({elapsed})") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(std::time::Duration::from_millis(200));
    bar
}

pub async fn backup(settings: &Settings, arguments: BackupArguments) -> Result<(), String> {
    let kurso = start::open_for_backup(settings).await?;
    let (started, bar) = (Instant::now(), progress());
    let report = |step: &str| bar.set_message(step.to_owned());
    let made = backup::backup(&kurso, &arguments.file, env!("CARGO_PKG_VERSION"), &report).await;
    bar.finish_and_clear();
    let made = made.map_err(|error| format!("the backup failed: {error}"))?;
    kurso.db.close().await;
    for warning in &made.warnings {
        eprintln!("kurso: warning: {warning}");
    }
    if arguments.json {
        return print(&json!(made.manifest).to_string());
    }
    print(&format!(
        "{}: {} rows in {} tables, {} files with {} bytes, in {} s",
        arguments.file.display(),
        made.manifest.rows(),
        made.manifest.tables.len(),
        made.manifest.files.count,
        made.manifest.files.bytes,
        started.elapsed().as_secs()
    ))
}

pub async fn restore(settings: &Settings, arguments: RestoreArguments) -> Result<(), String> {
    let (db, files) = start::open_empty(settings).await?;
    let bar = progress();
    let report = |step: &str| bar.set_message(step.to_owned());
    let restored = backup::restore(&db, &files, &arguments.file, &report).await;
    bar.finish_and_clear();
    let restored = restored.map_err(|error| format!("nothing was restored: {error}"))?;
    db.close().await;
    for key in &restored.manifest.missing {
        eprintln!("kurso: warning: the bytes of the file {key} are not in the backup");
    }
    print(&format!(
        "Restored the backup of {}: {} rows in {} tables, {} files ({} of them already existed). \
         Sessions stay valid if the secret key is the same.",
        restored.manifest.made_at.format("%Y-%m-%d %H:%M:%S UTC"),
        restored.manifest.rows(),
        restored.manifest.tables.len(),
        restored.manifest.files.count,
        restored.files_existing
    ))
}

pub async fn move_to(settings: &Settings, arguments: MoveArguments) -> Result<(), String> {
    let kurso = start::open_as_it_is(settings).await?;
    let target_files = match &arguments.files_to {
        Some(url) => Some(settings.files_at(url, "--files-to")?),
        None => None,
    };
    let source = settings.database_url();
    if source == arguments.to {
        return Err("--to is the source database".to_owned());
    }
    let target = Db::connect(&arguments.to)
        .await
        .map_err(|error| format!("--to: the database cannot be opened: {error}"))?;
    let bar = progress();
    let report = |step: &str| bar.set_message(step.to_owned());
    let done = async {
        let moved = backup::move_all(&kurso.db, &target, &without_password(&source), &report).await?;
        let files = match &target_files {
            Some(files) => Some(backup::move_files(&kurso.db, &kurso.files, files, &report).await?),
            None => None,
        };
        backup::finish_move(&target).await?;
        Ok::<_, backup::Error>((moved, files))
    }
    .await;
    bar.finish_and_clear();
    let (moved, files) = done.map_err(|error| format!("the move failed: {error}"))?;
    kurso.db.close().await;
    target.close().await;
    if arguments.json {
        let files = files.map(|(count, bytes)| json!({"count": count, "bytes": bytes}));
        let tables: Vec<_> = moved
            .tables
            .iter()
            .map(|(name, rows, sha256)| json!({"name": name, "rows": rows, "sha256": sha256}))
            .collect();
        return print(&json!({"tables": tables, "changed": moved.changed, "files": files}).to_string());
    }
    let rows: u64 = moved.tables.iter().map(|(_, rows, _)| rows).sum();
    let files = match files {
        Some((count, bytes)) => format!("; {count} files with {bytes} bytes"),
        None => String::new(),
    };
    print(&format!(
        "Moved and verified by checksum: {rows} rows in {} tables{files}. \
         Start the server with KURSO_DATABASE_URL{} set to the target; the source is unchanged.",
        moved.tables.len(),
        if target_files.is_some() {
            " and KURSO_FILES_URL"
        } else {
            ""
        }
    ))
}

/// The URL without its password.
fn without_password(url: &str) -> String {
    match url::Url::parse(url) {
        Ok(mut url) if url.has_host() => {
            let _ = url.set_password(None); // an address with a host takes that
            url.to_string()
        }
        _ => url.to_owned(),
    }
}
