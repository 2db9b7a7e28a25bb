//! `kurso import PATH --owner EMAIL`: a folder becomes a course, and a report says what did not come over as it was.

use std::io::IsTerminal as _;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use kurso_core::email::Email;
use kurso_core::exchange::{Outcome, Report, mdbook, store};
use kurso_core::messages::{Lang, Message};
use kurso_core::users;
use serde_json::json;

use crate::config::Settings;
use crate::{print, start};

#[derive(Args)]
pub struct Arguments {
    /// The folder to import
    path: PathBuf,
    /// The e-mail of the account that will own the course
    #[arg(long)]
    owner: String,
    /// Detected when absent
    #[arg(long)]
    format: Option<Format>,
    /// Answer with one JSON object on standard output
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A folder with a book.toml and src/SUMMARY.md
    Mdbook,
}

/// Atomic: a failed import leaves nothing.
pub async fn run(settings: &Settings, arguments: Arguments) -> Result<(), String> {
    let Format::Mdbook = arguments.format.unwrap_or(Format::Mdbook);
    let kurso = start::open(settings).await?;
    let email = Email::parse(&arguments.owner).map_err(|problem| format!("--owner: {}", Message::BadEmail(problem)))?;
    let owner = users::by_email(&kurso.db, &email)
        .await
        .map_err(|error| error.to_string())?
        .ok_or_else(|| format!("--owner: there is no account {}", arguments.owner))?;

    let bar = if std::io::stderr().is_terminal() {
        bar()
    } else {
        ProgressBar::hidden()
    };
    let (reading, path) = (bar.clone(), arguments.path.clone());
    let read = tokio::task::spawn_blocking(move || {
        mdbook::read(&path, &mut |progress| {
            reading.set_length(u64::try_from(progress.total).unwrap_or_default());
            reading.set_position(u64::try_from(progress.done).unwrap_or_default());
            reading.set_message(progress.file.to_owned());
        })
    })
    .await
    .map_err(|error| error.to_string())?;
    let (draft, report) = read.map_err(|error| error.text(Lang::En))?;
    bar.set_message("writing");
    let title = draft.title.clone();
    let stored = store::store(&kurso, owner.id, draft)
        .await
        .map_err(|error| error.to_string())?;
    bar.finish_and_clear();
    kurso.db.close().await;

    if arguments.json {
        let counts = report.counts;
        return print(
            &json!({
                "course_id": stored.course_id,
                "share_code": stored.share_code,
                "counts": {
                    "modules": counts.modules,
                    "lessons": counts.lessons,
                    "pages": counts.pages,
                    "questions": counts.questions,
                    "files": counts.files,
                },
                "report": report.to_json(Lang::En),
            })
            .to_string(),
        );
    }
    print(&summary(&title, &report, &stored))
}

fn bar() -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {wide_msg}");
    ProgressBar::new(0).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

fn summary(title: &str, report: &Report, stored: &store::Stored) -> String {
    let counts = report.counts;
    let mut text = format!(
        "{title}: {} modules, {} lessons, {} pages, {} files ({} code blocks, {} tables, {} includes)\n",
        counts.modules, counts.lessons, counts.pages, counts.files, counts.code_blocks, counts.tables, counts.includes
    );
    for (outcome, heading) in [
        (Outcome::NotCarried, "Not carried over"),
        (Outcome::Changed, "Carried over in another form"),
        (Outcome::Carried, "Worth knowing"),
    ] {
        let lines: Vec<String> = report
            .of(outcome)
            .map(|entry| format!("  {}", entry.to_line(Lang::En)))
            .collect();
        if !lines.is_empty() {
            text.push_str(&format!("\n{heading} ({}):\n{}\n", lines.len(), lines.join("\n")));
        }
    }
    text.push_str(&format!(
        "\nCourse {}\nShare code {}",
        stored.course_id, stored.share_code
    ));
    text
}
