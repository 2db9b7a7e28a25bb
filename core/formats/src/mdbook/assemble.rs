//! Assembles the pages of a book as a course.

use std::collections::HashSet;
use std::fs;
use std::path::PathBuf;

use super::config::Config;
use super::pages::{Notes, Read};
use super::quizzes;
use super::summary::ModuleHeading;
use super::{Book, Plan, Source};
use crate::content;
use crate::course::numbered;
use crate::course::{CourseDraft, LessonDraft, ModuleDraft, PageDraft};
use crate::files::Files;
use crate::note::Note;
use crate::note::Reason;
use crate::report::Report;
use kurso_base::messages::Lang;

const MAX_TITLE: usize = 255;

pub fn course(
    book: &Book,
    plan: Plan,
    sources: &[Source],
    pages: Vec<Option<Read>>,
    files: Files,
    notes: &mut Notes,
) -> CourseDraft {
    let folder_name = || {
        book.folder
            .root()
            .file_name()
            .map(|name| name.to_string_lossy().into_owned())
    };
    let title = book
        .config
        .title
        .clone()
        .or_else(folder_name)
        .unwrap_or_else(|| "mdBook".into());
    let mut course = CourseDraft::new(cut_title(&title).0, modules(book, plan, sources, pages, notes));
    course.description = description(&book.config);
    course.take_files(files);
    course
}

fn modules(
    book: &Book,
    plan: Plan,
    sources: &[Source],
    mut pages: Vec<Option<Read>>,
    notes: &mut Notes,
) -> Vec<ModuleDraft> {
    let mut modules = Vec::new();
    for (heading, lessons) in plan {
        let lessons = lessons.into_iter().filter_map(|(title, numbers)| {
            let mut drafts = Vec::new();
            for number in numbers {
                let (Some(source), Some(page)) = (sources.get(number), pages.get_mut(number).and_then(Option::take))
                else {
                    continue;
                };
                drafts.extend(page_drafts(book, number, source, page, notes));
            }
            let title = cut_title(&title).0;
            (!drafts.is_empty()).then(|| LessonDraft::new(title, drafts))
        });
        let lessons: Vec<_> = lessons.collect();
        let title = cut_title(&module_title(book, heading)).0;
        if !lessons.is_empty() {
            modules.push(ModuleDraft::new(title, lessons));
        }
    }
    modules
}

fn page_drafts(book: &Book, number: usize, source: &Source, page: Read, notes: &mut Notes) -> Vec<PageDraft> {
    let name = book.name_of(&source.path);
    if let Some(heading) = page.title.as_ref().filter(|heading| **heading != source.title) {
        let at = format!(
            "{}:{}",
            book.folder.name_of(&book.src.join("SUMMARY.md")),
            source.summary_line
        );
        notes.add(
            number,
            0,
            at,
            Note::TitleDiffers {
                summary: source.title.clone(),
                heading: heading.clone(),
            },
        );
    }
    let (title, was_cut) = cut_title(page.title.as_ref().unwrap_or(&source.title));
    if was_cut {
        notes.add(number, 0, name.clone(), Note::TitleCut(title.clone()));
    }
    let parts = page.parts.len();
    let several = page.quizzes.len() > 1;
    let quizzes: Vec<PageDraft> = (1..)
        .zip(page.quizzes)
        .map(|(number, (source, quiz))| {
            let of = if several {
                numbered(&title, number)
            } else {
                title.clone()
            };
            quizzes::page(&quizzes::quiz_title(book.config.language, &of), &source, quiz)
        })
        .collect();
    let drafts = page.parts.into_iter().enumerate().map(|(at, part)| {
        let mut content = part.content;
        if let Err(error) = content::validate(&content.read()) {
            let why = Reason::of_document(error);
            notes.add(number, 0, name.clone(), Note::PageRefused(why));
            content = content::empty().into();
        }
        let title = if parts == 1 {
            title.clone()
        } else {
            numbered(&title, at + 1)
        };
        PageDraft {
            id: part.id,
            ..PageDraft::new(Some(title), content, &name)
        }
    });
    drafts.chain(quizzes).collect()
}

fn module_title(book: &Book, heading: ModuleHeading) -> String {
    let (about, more) = match book.config.language {
        Lang::Ru => ("О книге", "Дополнения"),
        Lang::En => ("About the book", "Appendices"),
    };
    match heading {
        ModuleHeading::Title(title) => title,
        ModuleHeading::Prefix => about.into(),
        ModuleHeading::Suffix => more.into(),
        ModuleHeading::Chapters => match (&book.config.title, book.config.language) {
            (Some(title), _) => title.clone(),
            (None, Lang::Ru) => "Главы".into(),
            (None, Lang::En) => "Chapters".into(),
        },
    }
}

/// The cleaned title within the length limit, and whether it was cut.
fn cut_title(title: &str) -> (String, bool) {
    let cut: String = title
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .take(MAX_TITLE)
        .collect();
    let lost = title.chars().nth(MAX_TITLE).is_some();
    (cut.trim().to_owned(), lost)
}

/// The description of the book and its authors.
fn description(config: &Config) -> Option<String> {
    let authors = config.authors.join(", ");
    let authors = match (authors.is_empty(), config.language) {
        (true, _) => None,
        (false, Lang::Ru) => Some(format!("Авторы: {authors}")),
        (false, Lang::En) => Some(format!("Authors: {authors}")),
    };
    let parts: Vec<_> = config.description.clone().into_iter().chain(authors).collect();
    (!parts.is_empty()).then(|| parts.join("\n\n"))
}

/// Reports Markdown files that are neither pages nor included in one.
pub fn report_unused_pages(book: &Book, sources: &[Source], included: &HashSet<PathBuf>, report: &mut Report) {
    let pages: HashSet<&PathBuf> = sources.iter().map(|source| &source.real).collect();
    let Ok(src) = book.folder.find_folder(&book.src) else {
        return;
    };
    let summary = src.join("SUMMARY.md");
    let mut unused = Vec::new();
    let mut folders = vec![(src, 0)];
    let mut seen = 0;
    while let Some((folder, depth)) = folders.pop() {
        let Ok(entries) = fs::read_dir(folder) else { continue };
        for entry in entries.filter_map(Result::ok) {
            seen += 1;
            let Ok(kind) = entry.file_type() else { continue };
            let path = entry.path();
            if kind.is_dir() && depth < 16 {
                folders.push((path, depth + 1));
            } else if kind.is_file()
                && path.extension().is_some_and(|ext| ext.eq_ignore_ascii_case("md"))
                && path != summary
                && !pages.contains(&path)
                && !included.contains(&path)
            {
                unused.push(book.folder.name_of(&path));
            }
        }
        if seen > 100_000 {
            break;
        }
    }
    unused.sort();
    for name in unused {
        report.add(name.clone(), Note::NotInSummary(name));
    }
}
