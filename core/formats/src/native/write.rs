//! Writes a course as Kurso Markdown files.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

use chrono::NaiveDate;
use kurso_base::schedule::TimeZone;
use serde_json::{Value, json};
use uuid::Uuid;

use super::banks;
use super::fields;
use super::front_matter::Fields;
use super::names::{FileNames, numbered, slug};
use super::{COURSE, FILES, LESSON, MODULE, document, quiz};
use crate::content::{self, FileAddress, Href};
use crate::course::{BankDraft, CourseDraft, FileDraft, PageDraft};
use crate::keys::key_of;

/// The content of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FileContent {
    Text(String),
    /// A copy of this file.
    Copy(PathBuf),
}

/// Files by their path relative to the folder, with forward slashes, in course order.
pub type Layout = Vec<(String, FileContent)>;

/// How dates are written.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum DateForm {
    /// As moments in UTC.
    #[default]
    Moments,
    /// In days from the local day of the course's start, which stays a moment.
    FromStart,
}

/// What dates are counted from; None writes moments, as for a course without a start.
pub fn start_of(course: &CourseDraft, form: DateForm) -> Option<(NaiveDate, TimeZone)> {
    let start = course.dates.starts_at.filter(|_| form == DateForm::FromStart)?;
    let zone = course.dates.zone();
    Some((zone.day_of(start), zone))
}

/// The files of a course. The output is deterministic: it has no timestamps, and keys instead of database ids where
/// possible.
pub fn layout(course: &CourseDraft, form: DateForm) -> Layout {
    let plan = Plan::of(course);
    let mut layout = Layout::new();
    let start = start_of(course, form);
    let fields = || Fields::counted_from(start);
    layout.push((COURSE.into(), FileContent::Text(fields::write_course(course, fields()))));

    let mut places = plan.pages.iter();
    for (module, folder) in course.modules.iter().zip(&plan.modules) {
        let avatar = module.avatar.as_ref().and_then(|key| plan.files.get(key));
        let needs = plan.keys(&module.prerequisites);
        let text = fields::write_module(module, fields(), avatar.map(|(path, _)| path.as_str()), &needs);
        layout.push((format!("{folder}/{MODULE}"), FileContent::Text(text)));
        for (number, lesson) in (1..).zip(&module.lessons) {
            let name = numbered(number, module.lessons.len(), &slug(&lesson.title, "lesson"));
            let text = fields::write_lesson(lesson, fields(), &plan.keys(&lesson.prerequisites));
            layout.push((format!("{folder}/{name}/{LESSON}"), FileContent::Text(text)));
            for page in &lesson.pages {
                if let Some(path) = places.next() {
                    layout.push((path.clone(), FileContent::Text(plan.page(page, path, fields()))));
                }
            }
        }
    }
    for (bank, path) in course.banks.iter().zip(banks::paths(course)) {
        let bank = plan.bank(bank, &path);
        layout.push((path, FileContent::Text(banks::write(&bank))));
    }
    let used = course
        .files
        .iter()
        .filter_map(|file| Some((file, plan.files.get(&file.key)?)));
    layout.extend(used.map(|(file, (path, _))| (path.clone(), FileContent::Copy(file.path.clone()))));
    layout
}

/// Paths of all parts of the course.
struct Plan<'a> {
    /// The folder of each module.
    modules: Vec<String>,
    /// Paths of the pages in order.
    pages: Vec<String>,
    by_id: HashMap<Uuid, String>,
    /// The keys of modules and lessons.
    keys: HashMap<Uuid, String>,
    /// Path and file by file key.
    files: HashMap<String, (String, &'a FileDraft)>,
}

impl<'a> Plan<'a> {
    fn of(course: &'a CourseDraft) -> Self {
        let mut plan = Plan {
            modules: Vec::new(),
            pages: Vec::new(),
            by_id: HashMap::new(),
            keys: HashMap::new(),
            files: HashMap::new(),
        };
        let key = |key: &Option<String>, id| (id, key.clone().unwrap_or_else(|| key_of(id)));
        let modules = course.modules.iter().map(|module| key(&module.key, module.id));
        let lessons = course.lessons().map(|lesson| key(&lesson.key, lesson.id));
        plan.keys.extend(modules.chain(lessons));
        for (number, module) in (1..).zip(&course.modules) {
            let folder = numbered(number, course.modules.len(), &slug(&module.title, "module"));
            for (number, lesson) in (1..).zip(&module.lessons) {
                let name = numbered(number, module.lessons.len(), &slug(&lesson.title, "lesson"));
                for (number, page) in (1..).zip(&lesson.pages) {
                    let fallback = match &page.quiz {
                        Some(quiz) if quiz.is_assignment() => "assignment",
                        Some(_) => "quiz",
                        None => "page",
                    };
                    let page_name = slug(page.title.as_deref().unwrap_or_default(), fallback);
                    let page_name = numbered(number, lesson.pages.len(), &page_name);
                    let path = format!("{folder}/{name}/{page_name}.md");
                    plan.by_id.insert(page.id, path.clone());
                    plan.pages.push(path);
                }
            }
            plan.modules.push(folder);
        }
        let mut names = FileNames::default();
        let mut named = HashSet::new();
        for file in &course.files {
            if named.insert(&file.key) {
                let path = format!("{FILES}/{}", names.free(&file.filename));
                plan.files.insert(file.key.clone(), (path, file));
            }
        }
        plan
    }

    /// The keys of modules and lessons.
    fn keys(&self, ids: &[Uuid]) -> Vec<&str> {
        let keys = ids.iter().filter_map(|id| self.keys.get(id));
        keys.map(String::as_str).collect()
    }

    fn page(&self, page: &PageDraft, path: &str, mut fields: Fields) -> String {
        fields.text("title", page.title.as_deref());
        fields.text("key", Some(&page.key.clone().unwrap_or_else(|| key_of(page.id))));
        if let Some(quiz) = &page.quiz {
            fields.kind(quiz);
        }
        if !page.published {
            fields.raw("published", false);
        }
        fields.dates(&page.dates);
        fields.late(&page.late);
        if let Some(quiz) = &page.quiz {
            fields.quiz(quiz);
        }
        let mut text = fields.into_front_matter();
        let mut add = |part: &str| {
            if !part.is_empty() {
                text.push('\n');
                text.push_str(part.trim_end_matches('\n'));
                text.push('\n');
            }
        };
        let mut content = page.content.read();
        self.localize(&mut content, path);
        add(&document::write(&content));
        if let Some(quiz) = &page.quiz {
            let mut quiz = quiz.clone();
            for document in quiz.documents_mut() {
                self.localize(document, path);
            }
            add(&quiz::write(&quiz));
        }
        text
    }

    /// The bank with addresses relative to its file.
    fn bank(&self, bank: &BankDraft, path: &str) -> BankDraft {
        let mut bank = bank.clone();
        for tagged in &mut bank.questions {
            for document in tagged.question.documents_mut() {
                self.localize(document, path);
            }
        }
        bank
    }

    /// Replaces addresses by relative paths and removes attributes that the file itself provides.
    fn localize(&self, document: &mut Value, page: &str) {
        self.omit_known_attrs(document);
        content::map_addresses(document, |address| match Href::parse(address)? {
            Href::File(file) => Some(relative(page, &self.files.get(file.key)?.0)),
            Href::Page { page: id, anchor } => {
                let path = relative(page, self.by_id.get(&id)?);
                Some(match anchor {
                    Some(anchor) => format!("{path}#{anchor}"),
                    None => path,
                })
            }
            _ => None,
        });
    }

    fn omit_known_attrs(&self, node: &mut Value) {
        let file = node
            .pointer("/attrs/src")
            .and_then(Value::as_str)
            .and_then(FileAddress::parse)
            .and_then(|address| self.files.get(address.key));
        if let Some((_, file)) = file {
            omit_known(node, file);
        }
        for child in node
            .get_mut("content")
            .and_then(Value::as_array_mut)
            .into_iter()
            .flatten()
        {
            self.omit_known_attrs(child);
        }
    }
}

/// Removes attributes that equal those of the file. A 0 marks an attribute that is missing although the file has it.
fn omit_known(node: &mut Value, file: &FileDraft) {
    let kind = node.get("type").and_then(Value::as_str).unwrap_or_default().to_owned();
    let Some(attrs) = node.get_mut("attrs").and_then(Value::as_object_mut) else {
        return;
    };
    for (name, known) in known_attrs(&kind, file) {
        let said = attrs.get(name).filter(|value| !value.is_null());
        match said {
            Some(said) if *said == known => drop(attrs.remove(name)),
            Some(_) => {}
            None if known.is_null() => {}
            None => drop(attrs.insert(name.to_owned(), json!(0))),
        }
    }
}

/// Attributes of a node that are derived from its file; null if unknown.
pub fn known_attrs(kind: &str, file: &FileDraft) -> Vec<(&'static str, Value)> {
    match kind {
        "image" => vec![
            ("naturalWidth", json!(file.width)),
            ("naturalHeight", json!(file.height)),
        ],
        "attachment" => vec![
            ("filename", json!(file.filename)),
            ("size", json!(file.size)),
            ("contentType", json!(file.content_type)),
        ],
        _ => vec![],
    }
}

/// The path of `to` relative to the folder of `from`.
fn relative(from: &str, to: &str) -> String {
    let from: Vec<&str> = from.split('/').collect();
    let to: Vec<&str> = to.split('/').collect();
    let folders = from.len().saturating_sub(1);
    let shared = from.iter().take(folders).zip(&to).take_while(|(a, b)| a == b).count();
    let up = std::iter::repeat_n("..", folders.saturating_sub(shared));
    up.chain(to.into_iter().skip(shared)).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::relative;

    #[test]
    fn relative_paths_are_computed() {
        assert_eq!(relative("a/b/c.md", "a/b/d.md"), "d.md");
        assert_eq!(relative("a/b/c.md", "a/x/d.md"), "../x/d.md");
        assert_eq!(relative("a/b/c.md", "files/d.png"), "../../files/d.png");
        assert_eq!(relative("c.md", "files/d.png"), "files/d.png");
    }
}
