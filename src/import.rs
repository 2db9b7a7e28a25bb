//! `kurso import PATH --owner EMAIL`: imports a folder or a file as a course and reports what was changed or left out.

use std::io::IsTerminal as _;
use std::ops::ControlFlow;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use kurso_base::email::Email;
use kurso_base::error::Error;
use kurso_base::ids::{CourseId, SessionId};
use kurso_base::messages::{Lang, Message};
use kurso_base::schedule::ScheduleTime;
use kurso_core::access::Viewer;
use kurso_core::drafts::store::{self, Visibility};
use kurso_core::users;
use kurso_core::{drafts, imports};
use kurso_formats::{Headings, ImportError, Options, Outcome, Progress, Report, mdbook};
use serde_json::json;

use crate::config::Settings;
use crate::language::{self, Language};
use crate::{print, start};

mod preview;

#[derive(Args)]
pub struct Arguments {
    /// The folder or file to import
    path: PathBuf,
    /// The e-mail address of the account that will own the course
    #[arg(long)]
    owner: String,
    /// Update this course of the owner in place: items with matching keys keep their visits and attempts
    #[arg(long, value_name = "COURSE_ID")]
    update: Option<CourseId>,
    /// Show what an update would change in the course and for its learners, and write nothing
    #[arg(long, requires = "update")]
    preview: bool,
    /// Append the modules to this course of the owner
    #[arg(long, value_name = "COURSE_ID", conflicts_with_all = ["update", "draft"])]
    into: Option<CourseId>,
    /// Leave all pages unpublished and make no share code
    #[arg(long, conflicts_with = "update")]
    draft: bool,
    /// The format of the course; detected when absent
    #[arg(long)]
    format: Option<Format>,
    /// What headings of a document begin, from level 1 on, for example lesson,page or module,lesson,page; none skips a level
    #[arg(long, value_name = "PARTS", value_parser = headings)]
    headings: Option<Headings>,
    /// When the course starts, for example 2026-09-01: all dates move by as many days as its start
    #[arg(long, value_name = "DATE", value_parser = starts_at)]
    starts_at: Option<ScheduleTime>,
    /// A folder of mdbook-quiz quizzes that belong to the book
    #[arg(long, value_name = "FOLDER")]
    quizzes: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// The language of the report and of errors (default: the locale)
    #[arg(long)]
    lang: Option<Language>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A folder with a book.toml and src/SUMMARY.md
    Mdbook,
    /// Kurso Markdown: a folder or a zip with a course.toml
    Markdown,
    /// A folder of mdbook-quiz quizzes
    MdbookQuiz,
    /// A GIFT file of questions, .gift or .txt
    Gift,
    /// A text file of questions in Aiken
    Aiken,
    /// A book in EPUB
    Epub,
    /// IMS Common Cartridge or Canvas: .imscc, a zip or a folder with an imsmanifest.xml
    #[value(name = "imscc")]
    Cartridge,
    /// An Open edX course: a folder or a .tar.gz with a course.xml
    Olx,
    /// A .md, .html or .docx file, or a folder or zip of them
    Documents,
}

impl From<Format> for kurso_formats::Format {
    fn from(format: Format) -> Self {
        match format {
            Format::Mdbook => Self::Mdbook,
            Format::Markdown => Self::Markdown,
            Format::MdbookQuiz => Self::MdbookQuiz,
            Format::Gift => Self::Gift,
            Format::Aiken => Self::Aiken,
            Format::Epub => Self::Epub,
            Format::Cartridge => Self::Cartridge,
            Format::Olx => Self::Olx,
            Format::Documents => Self::Documents,
        }
    }
}

/// Runs the import and prints the report. Atomic: a failed import stores nothing.
pub async fn run(settings: &Settings, arguments: Arguments) -> Result<(), String> {
    let lang = language::chosen(arguments.lang);
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
    let scratch = tempfile::tempdir().map_err(|error| error.to_string())?;
    let (reading, path) = (bar.clone(), arguments.path.clone());
    let unpacked = scratch.path().to_owned();
    let options = Options {
        format: arguments.format.map(Into::into),
        headings: arguments.headings.clone(),
        starts_at: arguments.starts_at,
    };
    let quizzes = arguments.quizzes.clone();
    let read = tokio::task::spawn_blocking(move || {
        let mut tell = |progress: Progress<'_>| {
            reading.set_length(u64::try_from(progress.total).unwrap_or_default());
            reading.set_position(u64::try_from(progress.done).unwrap_or_default());
            reading.set_message(progress.file.to_owned());
            ControlFlow::Continue(())
        };
        let (mut course, mut report) = kurso_formats::read_with(&path, &options, &unpacked, &mut tell)?;
        if let Some(quizzes) = quizzes {
            mdbook::quizzes::add(&mut course, &quizzes, &mut report, &mut tell)?;
        }
        Ok::<_, ImportError>((course, report))
    })
    .await
    .map_err(|error| error.to_string())?;
    let (mut draft, mut report) = read.map_err(|error| error.text(lang))?;
    let message = |error: Error| match error {
        Error::Internal(cause) => cause.to_string(),
        refusal => refusal.message().text(lang),
    };
    let viewer = |user| Viewer {
        user,
        session: SessionId::new(),
    };
    if let Some(course) = arguments.update.filter(|_| arguments.preview) {
        store::validate(&mut draft, &mut report).map_err(message)?;
        let changes = imports::preview_update(&kurso, &viewer(owner), course, &mut draft, scratch.path()).await;
        bar.finish_and_clear();
        kurso.db.close().await;
        let changes = changes.map_err(message)?;
        return print(&match arguments.json {
            true => preview::to_json(course, &changes, &report, lang).to_string(),
            false => preview::summary(&draft.title, &changes, &report, lang),
        });
    }
    bar.set_message("writing");
    let title = draft.title.clone();
    let (course_id, share_code) = match (arguments.update, arguments.into) {
        (None, Some(course)) => {
            let done = store::append(&kurso, &viewer(owner), course, draft, &mut report, None).await;
            done.map_err(message)?;
            (course, None)
        }
        (None, None) => {
            let visibility = Visibility::of(arguments.draft);
            let stored = store::store_visible(&kurso, owner.id, draft, visibility, &mut report)
                .await
                .map_err(message)?;
            (stored.course_id, stored.share_code)
        }
        (Some(course), _) => {
            let viewer = viewer(owner);
            let done = drafts::update(&kurso, &viewer, course, draft, &mut report, scratch.path()).await;
            (course, done.map_err(message)?)
        }
    };
    bar.finish_and_clear();
    kurso.db.close().await;

    if arguments.json {
        let counts = report.counts;
        return print(
            &json!({
                "course_id": course_id,
                "share_code": share_code,
                "counts": {
                    "modules": counts.modules,
                    "lessons": counts.lessons,
                    "pages": counts.pages,
                    "questions": counts.questions,
                    "files": counts.files,
                },
                "report": report.to_json(lang),
            })
            .to_string(),
        );
    }
    print(&summary(&title, &report, course_id, share_code.as_deref(), lang))
}

fn starts_at(text: &str) -> Result<ScheduleTime, String> {
    ScheduleTime::parse(text).map_err(|problem| problem.message.text(Lang::En))
}

fn headings(text: &str) -> Result<Headings, String> {
    let message = "expected module, lesson, page and none, separated by commas, the larger parts first";
    Headings::parse(text).ok_or_else(|| message.to_owned())
}

fn bar() -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {wide_msg}");
    ProgressBar::new(0).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

fn summary(title: &str, report: &Report, course: CourseId, share_code: Option<&str>, lang: Lang) -> String {
    let counts = report.counts;
    let [modules, lessons, pages, questions, files] = [
        counts.modules,
        counts.lessons,
        counts.pages,
        counts.questions,
        counts.files,
    ];
    let [code, tables, includes] = [counts.code_blocks, counts.tables, counts.includes];
    let mut text = match lang {
        Lang::En => format!(
            "{title}: {modules} modules, {lessons} lessons, {pages} pages, {questions} questions, {files} files \
             ({code} code blocks, {tables} tables, {includes} includes)\n"
        ),
        Lang::Ru => format!(
            "{title}: модулей {modules}, уроков {lessons}, страниц {pages}, вопросов {questions}, файлов {files} \
             (блоков кода {code}, таблиц {tables}, вставок {includes})\n"
        ),
    };
    text.push_str(&outcomes(report, lang));
    let (course_word, code_word) = match lang {
        Lang::En => ("Course", "Share code"),
        Lang::Ru => ("Курс", "Код курса"),
    };
    let code = share_code.unwrap_or("—");
    text.push_str(&format!("\n{course_word} {course}\n{code_word} {code}"));
    text
}

/// The report of the reader: a paragraph per outcome.
fn outcomes(report: &Report, lang: Lang) -> String {
    let mut text = String::new();
    for outcome in [Outcome::NotCarried, Outcome::Changed, Outcome::Carried] {
        let heading = match (outcome, lang) {
            (Outcome::NotCarried, Lang::En) => "Not carried over",
            (Outcome::NotCarried, Lang::Ru) => "Не перенесено",
            (Outcome::Changed, Lang::En) => "Carried over in another form",
            (Outcome::Changed, Lang::Ru) => "Перенесено в другом виде",
            (Outcome::Carried, Lang::En) => "Worth knowing",
            (Outcome::Carried, Lang::Ru) => "Полезно знать",
        };
        let lines: Vec<String> = report
            .of(outcome)
            .map(|entry| format!("  {}", entry.to_line(lang)))
            .collect();
        if !lines.is_empty() {
            text.push_str(&format!("\n{heading} ({}):\n{}\n", lines.len(), lines.join("\n")));
        }
    }
    text
}
