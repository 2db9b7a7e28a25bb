//! `kurso search rebuild`: builds the full-text index again. May run while the server is running.

use clap::Subcommand;
use kurso_core::search_index;
use serde_json::json;

use crate::config::Settings;
use crate::{print, start};

#[derive(Subcommand)]
pub enum Command {
    /// Build the full-text index again; searches find only what is indexed already
    Rebuild {
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
}

pub async fn run(settings: &Settings, command: Command) -> Result<(), String> {
    let kurso = start::open(settings).await?;
    let Command::Rebuild { json } = command;
    let indexed = search_index::rebuild(&kurso.db)
        .await
        .map_err(|error| format!("the index could not be built: {error}"))?;
    kurso.db.close().await;
    print(&if json {
        json!({ "indexed": indexed }).to_string()
    } else {
        format!("{indexed} pages and bank questions are indexed.")
    })
}
