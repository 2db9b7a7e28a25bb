//! The demo course inside the binary: what a new installation shows first.

use kurso_core::Kurso;
use kurso_core::exchange::{mdbook, store};
use kurso_core::ids::UserId;
use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "demo"]
#[include = "book.toml"]
#[include = "src/*"]
struct Demo;

/// Imports it as a course of `owner`; answers with the share code.
pub async fn import(kurso: &Kurso, owner: UserId) -> Result<String, String> {
    let text = |error: std::io::Error| error.to_string();
    // The importer reads folders, as everyone's books are; this one is unpacked for it.
    let folder = tempfile::tempdir().map_err(text)?;
    for name in Demo::iter() {
        let Some(file) = Demo::get(&name) else { continue };
        let path = folder.path().join(name.as_ref());
        if let Some(parent) = path.parent() {
            tokio::fs::create_dir_all(parent).await.map_err(text)?;
        }
        tokio::fs::write(&path, &file.data).await.map_err(text)?;
    }
    let book = folder.path().to_owned();
    let read = tokio::task::spawn_blocking(move || mdbook::read(&book, &mut |_| {})).await;
    let (draft, report) = read
        .map_err(|error| error.to_string())?
        .map_err(|error| error.to_string())?;
    for entry in &report.entries {
        tracing::debug!(
            place = entry.place,
            "demo course: {}",
            entry.to_line(kurso_core::messages::Lang::En)
        );
    }
    let stored = store::store(kurso, owner, draft)
        .await
        .map_err(|error| error.to_string())?;
    Ok(stored.share_code)
}
