//! Reads a GIFT file as a course with a quiz page per category.

use std::collections::HashMap;
use std::path::Path;

use serde_json::Value;

use super::parse::{Item, items, tags};
use super::question::{BuiltItem, QuestionBuilder};
use crate::blocks::doc;
use crate::content;
use crate::course::{CourseDraft, LessonDraft, MAX_FILE_QUESTIONS, ModuleDraft, PageDraft};
use crate::error::ImportError;
use crate::folder::Folder;
use crate::note::Note;
use crate::note::Reason;
use crate::quiz::{MAX_QUESTIONS, Quiz};
use crate::report::Report;
use crate::{Progress, Watcher};

const MAX_TITLE: usize = 255;
/// Questions between two checks for cancellation.
const STEP: usize = 50;

/// Whether the file has an extension of GIFT files.
pub fn is_gift(path: &Path) -> bool {
    let extension = path.extension().map(|extension| extension.to_ascii_lowercase());
    extension.is_some_and(|extension| extension == "gift" || extension == "txt")
}

/// Reads the file at `path`.
pub fn read(path: &Path, progress: &mut Watcher<'_>) -> Result<(CourseDraft, Report), ImportError> {
    let folder = Folder::open(
        path.parent()
            .filter(|parent| *parent != Path::new(""))
            .unwrap_or(Path::new(".")),
    )?;
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let text = folder
        .read_text(Path::new(&name))
        .map_err(|trouble| ImportError::File {
            path: name.clone(),
            trouble,
        })?;
    let title = Path::new(&name)
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let (course, mut report) = course(&text, &name, &title, progress)?;
    folder.report_encodings(&mut report);
    report.close(&name);
    Ok((course, report))
}

/// A page under construction.
struct Page {
    title: String,
    blocks: Vec<Value>,
    quiz: Quiz,
}

pub fn course(
    text: &str,
    name: &str,
    title: &str,
    progress: &mut Watcher<'_>,
) -> Result<(CourseDraft, Report), ImportError> {
    let mut report = Report::default();
    let (items, rejected) = items(text);
    for line in rejected {
        report.add(format!("{name}:{line}"), Note::QuestionUnclear);
    }
    let mut pages: Vec<Page> = Vec::new();
    let (mut current, mut titles) = (None, 0);
    let mut maker = QuestionBuilder { notes: vec![] };
    // The last page of each title.
    let mut last: HashMap<String, usize> = HashMap::new();
    let total = items.len();
    let questions = items.iter().filter(|item| matches!(item, Item::Question(_)));
    if questions.count() > MAX_FILE_QUESTIONS {
        return Err(ImportError::TooManyQuestions(MAX_FILE_QUESTIONS));
    }
    for (done, item) in items.into_iter().enumerate() {
        if done % STEP == 0 {
            let file = name;
            Progress { done, total, file }.tell(progress)?;
        }
        let raw = match item {
            Item::Category(name) => {
                let page = page(category(&name));
                let known = last.entry(page.title.clone()).or_insert_with(|| {
                    pages.push(page);
                    pages.len() - 1
                });
                current = Some(*known);
                continue;
            }
            Item::Question(raw) => raw,
        };
        // Start another page at the limit of questions per quiz.
        let full = |at: &usize| {
            pages
                .get(*at)
                .is_none_or(|page| page.quiz.questions.len() >= MAX_QUESTIONS)
        };
        if current.as_ref().is_none_or(full) {
            let title = current
                .and_then(|at| pages.get(at))
                .map_or_else(|| title.to_owned(), |page| page.title.clone());
            current = Some(pages.len());
            last.insert(title.clone(), pages.len());
            pages.push(page(title));
        }
        let Some(page) = current.and_then(|at| pages.get_mut(at)) else {
            continue;
        };
        titles += usize::from(!raw.title.is_empty());
        let place = format!("{name}:{}", raw.line);
        match maker.build(&raw) {
            BuiltItem::Question(question) => match question.check() {
                Ok(()) => page.quiz.questions.push(*question),
                Err(problem) => report.add(&place, Note::QuestionRefused(problem.into())),
            },
            BuiltItem::Text(text) => {
                if let Some(Value::Array(blocks)) = text.get("content") {
                    page.blocks.extend(blocks.iter().cloned());
                }
            }
        }
        for (line, note) in maker.notes.drain(..) {
            report.add(format!("{name}:{line}"), note);
        }
    }
    pages.retain(|page| !page.quiz.questions.is_empty() || !page.blocks.is_empty());
    if pages.is_empty() {
        return Err(ImportError::NoPages);
    }
    let tags = tags(text);
    if tags > 0 {
        report.add(name, Note::QuestionTags(tags));
    }
    if titles > 0 {
        report.add(name, Note::QuestionTitles(titles));
    }
    let drafts: Vec<PageDraft> = pages.into_iter().map(|page| draft(page, name, &mut report)).collect();
    let title: String = title.chars().take(MAX_TITLE).collect();
    let title = if title.is_empty() { "GIFT".to_owned() } else { title };
    let lesson = LessonDraft::new(&title, drafts);
    let course = CourseDraft::new(&title, vec![ModuleDraft::new(&title, vec![lesson])]);
    course.count(&mut report.counts);
    Ok((course, report))
}

fn page(title: String) -> Page {
    Page {
        title: title.chars().take(MAX_TITLE).collect(),
        blocks: Vec::new(),
        quiz: Quiz::default(),
    }
}

/// Converts `$course$/top/History/Rome` to `History / Rome`.
fn category(name: &str) -> String {
    // Slashes within names are doubled.
    let name = name.replace("//", "\u{0}");
    let parts = name.split('/').map(|part| part.replace('\u{0}', "/").trim().to_owned());
    let parts: Vec<String> = parts
        .filter(|part| !part.is_empty() && part != "top" && !(part.starts_with('$') && part.ends_with('$')))
        .collect();
    if parts.is_empty() {
        "GIFT".to_owned()
    } else {
        parts.join(" / ")
    }
}

fn draft(page: Page, name: &str, report: &mut Report) -> PageDraft {
    let mut content = doc(page.blocks);
    if let Err(error) = content::validate(&content) {
        report.add(name, Note::PageRefused(Reason::of_block(error)));
        content = content::empty();
    }
    PageDraft {
        // A page without questions has no quiz.
        quiz: (!page.quiz.questions.is_empty()).then_some(page.quiz),
        ..PageDraft::new(Some(page.title), content, name)
    }
}
