//! Reads an mdBook, a folder with `book.toml` and `src/SUMMARY.md`, as a course.

mod assemble;
pub(super) mod code;
mod config;
mod cross_links;
mod host;
mod include;
pub(super) mod links;
mod pages;
pub mod quizzes;
mod summary;

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::course::CourseDraft;
use super::error::ImportError;
use super::folder::{Folder, normalize_path};
use super::note::{FileTrouble, Note};
use super::report::Report;
use super::{Progress, Watcher};
use crate::content::decoded;
use config::Config;
use links::PageIndex;
use pages::PageReader;
use summary::ModuleHeading;

const MAX_PAGES: usize = 50_000;

/// State that is constant while pages are read.
struct Book {
    folder: Folder,
    config: Config,
    /// The source folder, relative to the book.
    src: PathBuf,
    index: PageIndex,
}

/// A page of the summary whose file exists.
struct Source {
    /// Path in the source folder.
    path: PathBuf,
    real: PathBuf,
    title: String,
    summary_line: usize,
}

/// Reads the book in `folder`. Reads nothing outside the folder and has no side effects.
pub fn read(folder: &Path, progress: &mut Watcher<'_>) -> Result<(CourseDraft, Report), ImportError> {
    let mut report = Report::default();
    let folder = Folder::open(folder)?;
    let config = read_config(&folder, &mut report)?;
    let src = normalize_path(Path::new(&config.src));
    let summary_path = src.join("SUMMARY.md");
    let summary_name = folder.name_of(&summary_path);
    let text = folder.read_text(&summary_path).map_err(|trouble| match trouble {
        FileTrouble::Missing => ImportError::NoSummary(summary_name.clone()),
        trouble => ImportError::File {
            path: summary_name.clone(),
            trouble,
        },
    })?;
    let summary = summary::parse(&text);

    let mut book = Book {
        folder,
        config,
        src,
        index: PageIndex::default(),
    };
    let mut summary_notes: Vec<(usize, Note)> = summary.notes;
    let mut sources = Vec::new();
    let plan = find_pages(&mut book, summary.modules, &mut sources, &mut summary_notes)?;
    summary_notes.sort_by_key(|(line, _)| *line);
    for (line, note) in summary_notes {
        report.add(format!("{summary_name}:{line}"), note);
    }
    if sources.is_empty() {
        return Err(ImportError::NoPages);
    }

    let mut reader = PageReader::new(&book);
    let mut pages = Vec::with_capacity(sources.len());
    for (number, source) in sources.iter().enumerate() {
        let name = book.name_of(&source.path);
        pages.push(reader.page(number, source, &name)?);
        Progress {
            done: number + 1,
            total: sources.len(),
            file: &name,
        }
        .tell(progress)?;
    }
    if pages.iter().all(Option::is_none) {
        return Err(ImportError::NoPages);
    }
    let PageReader {
        files,
        links,
        mut notes,
        code,
        included,
        counts,
        ..
    } = reader;
    report.counts = counts;
    cross_links::resolve(&book, &sources, &mut pages, &links, &mut notes);
    let course = assemble::course(&book, plan, &sources, pages, files, &mut notes);
    for entry in notes.in_order() {
        report.add(entry.place, entry.note);
    }
    code.report_flags(&book.folder.name_of(&book.src), &mut report);
    assemble::report_unused_pages(&book, &sources, &included, &mut report);
    course.count(&mut report.counts);
    book.folder.report_encodings(&mut report);
    report.close(&summary_name);
    Ok((course, report))
}

impl Book {
    /// The name of a page in reports.
    fn name_of(&self, path: &Path) -> String {
        self.folder.name_of(&self.src.join(path))
    }
}

fn read_config(folder: &Folder, report: &mut Report) -> Result<Config, ImportError> {
    match folder.read_text(Path::new("book.toml")) {
        Ok(text) => Config::read(&text, report),
        Err(FileTrouble::Missing) => Ok(Config::absent()),
        Err(trouble) => Err(ImportError::File {
            path: "book.toml".into(),
            trouble,
        }),
    }
}

/// Modules and lessons with the indexes of their pages.
type Plan = Vec<(ModuleHeading, Vec<(String, Vec<usize>)>)>;

fn find_pages(
    book: &mut Book,
    modules: Vec<summary::Module>,
    sources: &mut Vec<Source>,
    notes: &mut Vec<(usize, Note)>,
) -> Result<Plan, ImportError> {
    let mut taken = HashSet::new();
    let mut plan = Plan::new();
    for module in modules {
        let mut lessons = Vec::new();
        for lesson in module.lessons {
            let mut numbers = Vec::new();
            for page in lesson.pages {
                let target = page.target.split(['#', '?']).next().unwrap_or_default();
                let target = decoded(target);
                let path = normalize_path(Path::new(&target));
                let real = match book.folder.find(&book.src.join(&path)) {
                    Ok(real) => real,
                    Err(trouble) => {
                        notes.push((page.line, Note::Chapter { path: target, trouble }));
                        continue;
                    }
                };
                if !taken.insert(real.clone()) {
                    notes.push((page.line, Note::ChapterTwice(target)));
                    continue;
                }
                if sources.len() >= MAX_PAGES {
                    return Err(ImportError::TooManyPages(MAX_PAGES));
                }
                book.index.add(&path, sources.len());
                numbers.push(sources.len());
                sources.push(Source {
                    path,
                    real,
                    title: page.title,
                    summary_line: page.line,
                });
            }
            lessons.push((lesson.title, numbers));
        }
        plan.push((module.heading, lessons));
    }
    Ok(plan)
}
