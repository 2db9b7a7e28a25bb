//! Reads a GIFT file as a course with a quiz page per category.

use std::collections::HashMap;
use std::path::Path;

use serde_json::Value;

use super::parse::{Item, Raw, items, tags};
use super::question::{BuiltItem, QuestionBuilder};
use crate::blocks::doc;
use crate::content;
use crate::course::{CourseDraft, LessonDraft, MAX_FILE_QUESTIONS, ModuleDraft, PageDraft};
use crate::error::ImportError;
use crate::folder::Folder;
use crate::note::Note;
use crate::note::Reason;
use crate::quiz::{MAX_QUESTIONS, Question, Quiz};
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
        match built(&raw, |line| format!("{name}:{line}"), &mut report) {
            Some(BuiltItem::Question(question)) => page.quiz.questions.push(*question),
            Some(BuiltItem::Text(text)) => {
                if let Some(Value::Array(blocks)) = text.get("content") {
                    page.blocks.extend(blocks.iter().cloned());
                }
            }
            None => {}
        }
    }
    pages.retain(|page| !page.quiz.questions.is_empty() || !page.blocks.is_empty());
    if pages.is_empty() {
        return Err(ImportError::NoPages);
    }
    report_identifiers(name, tags(text), titles, &mut report);
    let drafts: Vec<PageDraft> = pages.into_iter().map(|page| draft(page, name, &mut report)).collect();
    let title: String = title.chars().take(MAX_TITLE).collect();
    let title = if title.is_empty() { "GIFT".to_owned() } else { title };
    let lesson = LessonDraft::new(&title, drafts);
    let course = CourseDraft::new(&title, vec![ModuleDraft::new(&title, vec![lesson])]);
    course.count(&mut report.counts);
    Ok((course, report))
}

/// Reads the questions of a pasted text. Categories and texts between questions are dropped. The report gives line numbers as places.
pub fn questions(text: &str) -> (Vec<Question>, Report) {
    let mut report = Report::default();
    let (items, rejected) = items(text);
    for line in rejected {
        report.add(line.to_string(), Note::QuestionUnclear);
    }
    let (mut questions, mut titles) = (Vec::new(), 0);
    for item in items {
        let Item::Question(raw) = item else { continue };
        titles += usize::from(!raw.title.is_empty());
        match built(&raw, |line| line.to_string(), &mut report) {
            Some(BuiltItem::Question(question)) => questions.push(*question),
            Some(BuiltItem::Text(_)) => report.add(raw.line.to_string(), Note::QuestionUnclear),
            None => {}
        }
    }
    report_identifiers("", tags(text), titles, &mut report);
    (questions, report)
}

/// Reports how many tags and titles of questions are left out.
fn report_identifiers(place: &str, tags: usize, titles: usize, report: &mut Report) {
    if tags > 0 {
        report.add(place, Note::QuestionTags(tags));
    }
    if titles > 0 {
        report.add(place, Note::QuestionTitles(titles));
    }
}

/// Converts a question and reports what changes. None for one that is not valid.
fn built(raw: &Raw, place: impl Fn(usize) -> String, report: &mut Report) -> Option<BuiltItem> {
    let mut builder = QuestionBuilder { notes: vec![] };
    let item = match builder.build(raw) {
        BuiltItem::Question(question) => match question.check() {
            Ok(()) => Some(BuiltItem::Question(question)),
            Err(problem) => {
                report.add(place(raw.line), Note::QuestionRefused(problem.into()));
                None
            }
        },
        text => Some(text),
    };
    for (line, note) in builder.notes {
        report.add(place(line), note);
    }
    item
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
