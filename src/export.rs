//! `kurso export COURSE_ID --format F --out PATH`: a course leaves whole, in a form that others read.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use kurso_core::audit::{Act, Entry};
use kurso_core::exchange::{self, Report};
use kurso_core::ids::CourseId;
use kurso_core::messages::Lang;

use crate::config::Settings;
use crate::{print, start};

#[derive(Args)]
pub struct Arguments {
    /// The course, as its address names it
    course_id: CourseId,
    #[arg(long, default_value = "markdown")]
    format: Format,
    /// Where to write it
    #[arg(long)]
    out: PathBuf,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Kurso Markdown: a folder, or a zip when the name ends in .zip
    Markdown,
    /// The questions of all quizzes, one file
    Gift,
    /// IMS Common Cartridge 1.3, which Canvas takes for its own: one file
    Imscc,
}

pub async fn run(settings: &Settings, arguments: Arguments) -> Result<(), String> {
    let kurso = start::open(settings).await?;
    let scratch = tempfile::tempdir().map_err(|error| error.to_string())?;
    let draft = exchange::load(&kurso, arguments.course_id, scratch.path())
        .await
        .map_err(|error| error.message().to_string())?;
    let entry = Entry::new(Act::CourseExported).in_course(arguments.course_id);
    let written = entry.write(&kurso.db, kurso.clock.now()).await;
    kurso.db.close().await;
    written.map_err(|error| error.to_string())?;
    let text = format!(
        "{}: {} modules, {} pages, {} files: {}",
        draft.title,
        draft.modules.len(),
        draft.pages().count(),
        draft.files.len(),
        arguments.out.display()
    );
    let written = tokio::task::spawn_blocking(move || match arguments.format {
        Format::Markdown => exchange::export(&draft, &arguments.out).map(|()| Report::default()),
        Format::Gift => exchange::export_gift(&draft, &arguments.out),
        Format::Imscc => exchange::export_cartridge(&draft, &arguments.out),
    });
    let report = written
        .await
        .map_err(|error| error.to_string())?
        .map_err(|error| error.to_string())?;
    let lines: Vec<String> = report
        .entries
        .iter()
        .map(|entry| format!("  {}", entry.to_line(Lang::En)))
        .collect();
    print(&format!("{text}\n{}", lines.join("\n")))
}
