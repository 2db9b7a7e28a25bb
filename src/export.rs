//! `kurso export COURSE_ID --format F --out PATH`: writes a course, or its results, to a file or folder.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use kurso_base::error::Error;
use kurso_base::ids::CourseId;
use kurso_base::messages::Lang;
use kurso_core::Kurso;
use kurso_core::drafts::{self, Stored};
use kurso_core::exports::{self, How, Write};
use kurso_core::students::Results;
use kurso_formats::{DateForm, HtmlExport, Reason};

use crate::config::Settings;
use crate::language::{self, Language};
use crate::{print, start};

#[derive(Args)]
pub struct Arguments {
    /// The ID of the course, as in its URL
    course_id: CourseId,
    #[arg(long, default_value = "markdown")]
    format: Format,
    /// The file or folder to write
    #[arg(long)]
    out: PathBuf,
    /// Omit the answers of quizzes; HTML only
    #[arg(long)]
    no_answers: bool,
    /// Write dates in days from the start of the course; Kurso Markdown only
    #[arg(long)]
    relative_dates: bool,
    /// Write unpublished changes of pages in place of what learners see; not for CSV
    #[arg(long)]
    drafts: bool,
    /// The language of the CSV headings (default: en) and of messages (default: the locale)
    #[arg(long)]
    lang: Option<Language>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Kurso Markdown: a folder, or a zip when the name ends in .zip
    Markdown,
    /// The questions of all quizzes as one GIFT file
    Gift,
    /// IMS Common Cartridge 1.3, one file; Canvas imports it, too
    Imscc,
    /// The published pages as one HTML file that works offline
    Html,
    /// The results: one row per learner
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
    let lang = language::chosen(arguments.lang);
    let kurso = start::open(settings).await?;
    match exports::Format::from(arguments.format).write() {
        Some(write) => course(&kurso, arguments, write, lang).await,
        None => {
            let written = results(&kurso, &arguments, lang).await;
            kurso.db.close().await;
            print(&written?)
        }
    }
}

async fn course(kurso: &Kurso, arguments: Arguments, write: Write, lang: Lang) -> Result<(), String> {
    let scratch = tempfile::tempdir().map_err(|error| error.to_string())?;
    let stored = Stored {
        course: arguments.course_id,
        drafts: arguments.drafts,
    };
    let draft = drafts::load(kurso, stored, None, scratch.path())
        .await
        .map_err(|error| error.message().text(lang))?;
    let entry = exports::entry(arguments.course_id, arguments.format.into());
    let written = entry.write(&kurso.db, kurso.clock.now()).await;
    kurso.db.close().await;
    written.map_err(|error| error.to_string())?;
    let [modules, pages, files] = [draft.modules.len(), draft.pages().count(), draft.files.len()];
    let (title, out) = (&draft.title, arguments.out.display());
    let text = match lang {
        Lang::En => format!("{title}: {modules} modules, {pages} pages, {files} files: {out}"),
        Lang::Ru => format!("{title}: модулей {modules}, страниц {pages}, файлов {files}: {out}"),
    };
    let options = How {
        html: HtmlExport {
            answers: !arguments.no_answers,
        },
        dates: match arguments.relative_dates {
            true => DateForm::FromStart,
            false => DateForm::Moments,
        },
    };
    let written = tokio::task::spawn_blocking(move || write(&draft, options, &arguments.out));
    let report = written
        .await
        .map_err(|error| error.to_string())?
        .map_err(|error| error.text(lang))?;
    let lines: Vec<String> = report
        .entries
        .iter()
        .map(|entry| format!("  {}", entry.to_line(lang)))
        .collect();
    print(&format!("{text}\n{}", lines.join("\n")))
}

/// Streams the results to a `.csv.part` file and renames it when it is complete. Returns the summary to print.
async fn results(kurso: &Kurso, arguments: &Arguments, lang: Lang) -> Result<String, String> {
    let message = |error: Error| error.message().text(lang);
    let out = &arguments.out;
    let failed = |error: std::io::Error| format!("{}: {}", out.display(), Reason::of_writing(&error).text(lang));
    let headings = arguments.lang.map_or(Lang::En, Lang::from);
    let results = Results::as_owner(kurso, arguments.course_id, headings)
        .await
        .map_err(message)?;
    let (learners, title) = (results.left(), results.title().to_owned());
    let entry = exports::entry(arguments.course_id, arguments.format.into());
    let written = entry.write(&kurso.db, kurso.clock.now()).await;
    written.map_err(|error| error.to_string())?;
    let partial = out.with_extension("csv.part");
    let file = tokio::fs::File::create(&partial).await.map_err(failed)?;
    exports::write_results(kurso, results, file).await.map_err(message)?;
    tokio::fs::rename(&partial, out).await.map_err(failed)?;
    let out = out.display();
    Ok(match lang {
        Lang::En => format!("{title}: {learners} learners: {out}"),
        Lang::Ru => format!("{title}: учеников {learners}: {out}"),
    })
}
