//! `kurso export COURSE_ID --format F --out PATH`: a course leaves whole, in a form that others read.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use kurso_core::Kurso;
use kurso_core::audit::{Act, Entry};
use kurso_core::error::Error;
use kurso_core::exchange::{self, HtmlExport, Results};
use kurso_core::exports::{self, Write};
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
    /// Of HTML: leave the answers of quizzes out
    #[arg(long)]
    no_answers: bool,
    /// Of CSV: the language of the headings
    #[arg(long, default_value = "en")]
    lang: Language,
}

#[derive(Clone, Copy, ValueEnum)]
enum Language {
    En,
    Ru,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Kurso Markdown: a folder, or a zip when the name ends in .zip
    Markdown,
    /// The questions of all quizzes, one file
    Gift,
    /// IMS Common Cartridge 1.3, which Canvas takes for its own: one file
    Imscc,
    /// The published pages as one file of HTML that works offline
    Html,
    /// The results: a row for each learner
    Csv,
}

impl From<Format> for exports::Format {
    fn from(format: Format) -> Self {
        match format {
            Format::Markdown => Self::Markdown,
            Format::Gift => Self::Gift,
            Format::Imscc => Self::Cartridge,
            Format::Html => Self::Html,
            Format::Csv => Self::Csv,
        }
    }
}

pub async fn run(settings: &Settings, arguments: Arguments) -> Result<(), String> {
    let kurso = start::open(settings).await?;
    match exports::Format::from(arguments.format).write() {
        Some(write) => course(&kurso, arguments, write).await,
        None => {
            let written = results(&kurso, &arguments).await;
            kurso.db.close().await;
            print(&written?)
        }
    }
}

async fn course(kurso: &Kurso, arguments: Arguments, write: Write) -> Result<(), String> {
    let scratch = tempfile::tempdir().map_err(|error| error.to_string())?;
    let draft = exchange::load(kurso, arguments.course_id, scratch.path())
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
    let options = HtmlExport {
        answers: !arguments.no_answers,
    };
    let written = tokio::task::spawn_blocking(move || write(&draft, options, &arguments.out));
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

/// Writes the results part by part, into a file of its own until all of them are there.
async fn results(kurso: &Kurso, arguments: &Arguments) -> Result<String, String> {
    let said = |error: Error| match error {
        Error::Internal(cause) => cause.to_string(),
        refusal => refusal.message().to_string(),
    };
    let out = &arguments.out;
    let failed = |error: std::io::Error| format!("{}: {error}", out.display());
    let lang = match arguments.lang {
        Language::En => Lang::En,
        Language::Ru => Lang::Ru,
    };
    let results = Results::as_owner(kurso, arguments.course_id, lang)
        .await
        .map_err(said)?;
    let (learners, title) = (results.left(), results.title().to_owned());
    let beside = out.with_extension("csv.part");
    let file = tokio::fs::File::create(&beside).await.map_err(failed)?;
    exports::write_results(kurso, results, file).await.map_err(said)?;
    tokio::fs::rename(&beside, out).await.map_err(failed)?;
    Ok(format!("{title}: {learners} learners: {}", out.display()))
}
