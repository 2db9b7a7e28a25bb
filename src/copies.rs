//! `kurso backup`, `kurso restore`, `kurso move`: everything into one file, out of it, and to another database.

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use kurso_core::copies;
use kurso_core::db::Db;
use serde_json::json;

use crate::config::Settings;
use crate::{print, start};

#[derive(Args)]
pub struct BackupArguments {
    /// The file to write; it may not be there yet
    file: PathBuf,
    /// Answer with the manifest of the backup, one JSON object on standard output
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
    /// The database to move to, `postgres://…`; it must be empty, or half filled by an earlier run
    #[arg(long)]
    to: String,
    /// Where to copy the files to: a folder or `s3://bucket/prefix`. They stay where they are when absent
    #[arg(long)]
    files_to: Option<String>,
    /// Answer with one JSON object on standard output: each table with its rows and their hash
    #[arg(long)]
    json: bool,
}

/// A line that says what is being worked on; none where nobody looks.
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
    let told = |what: &str| bar.set_message(what.to_owned());
    let made = copies::backup(&kurso, &arguments.file, env!("CARGO_PKG_VERSION"), &told).await;
    bar.finish_and_clear();
    let made = made.map_err(|error| format!("no backup was made: {error}"))?;
    kurso.db.close().await;
    for warning in &made.warnings {
        eprintln!("kurso: warning: {warning}");
    }
    if arguments.json {
        return print(&json!(made.manifest).to_string());
    }
    print(&format!(
        "{}: {} rows of {} tables, {} files of {} bytes, in {} s",
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
    let told = |what: &str| bar.set_message(what.to_owned());
    let restored = copies::restore(&db, &files, &arguments.file, &told).await;
    bar.finish_and_clear();
    let restored = restored.map_err(|error| format!("nothing was restored: {error}"))?;
    db.close().await;
    for key in &restored.manifest.missing {
        eprintln!("kurso: warning: the bytes of the file {key} are not in the backup");
    }
    print(&format!(
        "Restored what was there on {}: {} rows of {} tables, {} files ({} of them were there already). \
         Sessions hold where the secret key is the same.",
        restored.manifest.made_at.format("%Y-%m-%d %H:%M:%S UTC"),
        restored.manifest.rows(),
        restored.manifest.tables.len(),
        restored.manifest.files.count,
        restored.files_there
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
        return Err("--to names the database that is to be moved".to_owned());
    }
    let target = Db::connect(&arguments.to)
        .await
        .map_err(|error| format!("--to: the database cannot be opened: {error}"))?;
    let bar = progress();
    let told = |what: &str| bar.set_message(what.to_owned());
    let done = async {
        let moved = copies::move_all(&kurso.db, &target, &without_password(&source), &told).await?;
        let files = match &target_files {
            Some(files) => Some(copies::move_files(&kurso.db, &kurso.files, files, &told).await?),
            None => None,
        };
        copies::finish_move(&target).await?;
        Ok::<_, copies::Error>((moved, files))
    }
    .await;
    bar.finish_and_clear();
    let (moved, files) = done.map_err(|error| format!("the move is not done: {error}"))?;
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
        Some((count, bytes)) => format!("; {count} files of {bytes} bytes"),
        None => String::new(),
    };
    print(&format!(
        "Moved and verified: {rows} rows of {} tables, each the same by its checksum{files}. \
         Start the server with KURSO_DATABASE_URL{} set to the new place; the old one was not touched.",
        moved.tables.len(),
        if target_files.is_some() {
            " and KURSO_FILES_URL"
        } else {
            ""
        }
    ))
}

/// An address as it may be shown.
fn without_password(url: &str) -> String {
    match url::Url::parse(url) {
        Ok(mut url) if url.has_host() => {
            let _ = url.set_password(None); // an address with a host takes that
            url.to_string()
        }
        _ => url.to_owned(),
    }
}
