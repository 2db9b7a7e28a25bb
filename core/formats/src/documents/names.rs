//! Finds readable files in a folder and maps folders to modules and lessons.

use std::cmp::Ordering;
use std::collections::HashSet;
use std::path::Path;

use crate::Note;
use crate::course::CourseDraft;
use crate::folder::{Folder, joined};
use crate::html_host;
use crate::native::title_of;
use crate::note::FileTrouble;
use crate::note::Reason;
use crate::report::Report;

/// Nesting of folders.
const MAX_DEPTH: usize = 16;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Markdown,
    Html,
    Docx,
}

impl Kind {
    pub fn of(name: &str) -> Option<Self> {
        let (_, ending) = name.rsplit_once('.')?;
        match ending.to_ascii_lowercase().as_str() {
            "md" | "markdown" => Some(Self::Markdown),
            "html" | "htm" | "xhtml" => Some(Self::Html),
            "docx" => Some(Self::Docx),
            _ => None,
        }
    }
}

/// Whether a file with this name is readable.
pub fn is_text(path: &Path) -> bool {
    path.to_str().is_some_and(|name| Kind::of(name).is_some())
}

/// The title in a file name, without number and extension.
pub fn stem(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    title_of(stem)
}

/// Files that operating systems and Word create.
fn is_system_file(name: &str) -> bool {
    name.starts_with(['.', '~']) || name == "__MACOSX" || name.eq_ignore_ascii_case("thumbs.db")
}

/// The title and the files of a lesson.
pub type Lesson = (Option<String>, Vec<String>);

/// Modules and lessons; those without a title take the title of their first page.
#[derive(Debug, Default)]
pub struct Plan {
    pub title: Option<String>,
    pub modules: Vec<PlannedModule>,
}

#[derive(Debug)]
pub struct PlannedModule {
    pub title: Option<String>,
    pub lessons: Vec<Lesson>,
    /// Documents that no reader takes, for download.
    pub documents: Vec<String>,
}

impl Plan {
    /// A single file: one module with one lesson.
    pub fn single_file(name: &str) -> (Self, Vec<String>) {
        let files = vec![name.to_owned()];
        let plan = Self {
            title: None,
            modules: vec![PlannedModule {
                title: None,
                lessons: vec![(None, files.clone())],
                documents: vec![],
            }],
        };
        (plan, files)
    }
}

/// Files at the top form the first module; each folder is a module, and its files and folders are lessons.
pub fn plan(folder: &Folder, name: &str, report: &mut Report) -> (Plan, Vec<String>) {
    let title = html_host::title(&title_of(name), "…");
    let mut plan = Plan {
        title: Some(title.clone()),
        modules: Vec::new(),
    };
    let mut all = Vec::new();
    let Entries {
        folders,
        files,
        documents,
    } = entries(folder, "", report);
    let single = |files: Vec<String>| {
        files
            .into_iter()
            .map(|file| (None, vec![file]))
            .collect::<Vec<Lesson>>()
    };
    if !files.is_empty() || !documents.is_empty() {
        all.extend(files.iter().cloned());
        plan.modules.push(PlannedModule {
            title: Some(title),
            lessons: single(files),
            documents,
        });
    }
    for module in folders {
        let title = Some(title_of_folder(&module));
        let Entries {
            folders,
            files,
            mut documents,
        } = entries(folder, &module, report);
        all.extend(files.iter().cloned());
        let mut lessons = single(files);
        for lesson in folders {
            let mut inner = Entries::default();
            collect_files(folder, &lesson, 2, report, &mut inner);
            all.extend(inner.files.iter().cloned());
            lessons.push((Some(title_of_folder(&lesson)), inner.files));
            documents.extend(inner.documents);
        }
        plan.modules.push(PlannedModule {
            title,
            lessons,
            documents,
        });
    }
    (plan, all)
}

fn title_of_folder(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    html_host::title(&title_of(name), "…")
}

fn collect_files(folder: &Folder, at: &str, depth: usize, report: &mut Report, found: &mut Entries) {
    if depth > MAX_DEPTH {
        report.add(at, Note::Packed(Reason::File(FileTrouble::Outside)));
        return;
    }
    let Entries {
        folders,
        files,
        documents,
    } = entries(folder, at, report);
    found.files.extend(files);
    found.documents.extend(documents);
    for inner in folders {
        collect_files(folder, &inner, depth + 1, report, found);
    }
}

/// What is in a folder, in natural order.
#[derive(Debug, Default)]
struct Entries {
    folders: Vec<String>,
    /// Readable files.
    files: Vec<String>,
    /// Documents that no reader takes.
    documents: Vec<String>,
}

/// Extensions of documents that learners can use although no reader takes them.
const DOCUMENTS: [&str; 18] = [
    "pdf", "djvu", "doc", "docm", "ppt", "pptx", "pps", "ppsx", "xls", "xlsx", "rtf", "odt", "odp", "ods", "fb2",
    "epub", "ipynb", "csv",
];

fn is_document(name: &str) -> bool {
    let extension = name
        .rsplit_once('.')
        .map(|(_, extension)| extension.to_ascii_lowercase());
    extension.is_some_and(|extension| DOCUMENTS.contains(&extension.as_str()))
}

fn entries(folder: &Folder, at: &str, report: &mut Report) -> Entries {
    let listed = folder.list(Path::new(at)).unwrap_or_else(|trouble| {
        let path = at.to_owned();
        report.add(at, Note::Document(crate::note::document::Note::File { path, trouble }));
        vec![]
    });
    let (mut folders, mut files, mut documents) = (Vec::new(), Vec::new(), Vec::new());
    for (name, is_folder) in listed {
        let path = joined(at, &name);
        if is_system_file(&name) {
            continue;
        }
        if is_folder {
            folders.push(path);
        } else if Kind::of(&name).is_some() {
            files.push(path);
        } else if is_document(&name) {
            documents.push(path);
        }
    }
    folders.sort_by(|a, b| natural(a, b));
    files.sort_by(|a, b| comes_first(b).cmp(&comes_first(a)).then_with(|| natural(a, b)));
    documents.sort_by(|a, b| natural(a, b));
    Entries {
        folders,
        files,
        documents,
    }
}

/// Whether the file comes first in its folder.
fn comes_first(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    matches!(
        name.rsplit_once('.').map_or(name.as_str(), |(stem, _)| stem),
        "index" | "readme"
    )
}

/// Compares numbers within names by value: `Лекция 2` before `Лекция 10`.
pub fn natural(a: &str, b: &str) -> Ordering {
    let (mut a_rest, mut b_rest) = (a, b);
    loop {
        let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
        let (a_digits, b_digits) = (digits(a_rest), digits(b_rest));
        if a_digits > 0 && b_digits > 0 {
            let ((a_number, a_after), (b_number, b_after)) = (a_rest.split_at(a_digits), b_rest.split_at(b_digits));
            let (a_short, b_short) = (a_number.trim_start_matches('0'), b_number.trim_start_matches('0'));
            let order = a_short.len().cmp(&b_short.len()).then_with(|| a_short.cmp(b_short));
            if order != Ordering::Equal {
                return order;
            }
            (a_rest, b_rest) = (a_after, b_after);
            continue;
        }
        let (mut a_chars, mut b_chars) = (a_rest.chars(), b_rest.chars());
        match (a_chars.next(), b_chars.next()) {
            (None, None) => return a.cmp(b),
            (None, _) => return Ordering::Less,
            (_, None) => return Ordering::Greater,
            (Some(x), Some(y)) => {
                let order = x.to_lowercase().cmp(y.to_lowercase());
                if order != Ordering::Equal {
                    return order;
                }
            }
        }
        (a_rest, b_rest) = (a_chars.as_str(), b_chars.as_str());
    }
}

/// Whether there is a readable file within `depth` levels of folders.
pub fn has_text(folder: &Folder, at: &str, depth: usize) -> bool {
    let Entries { folders, files, .. } = entries(folder, at, &mut Report::default());
    !files.is_empty()
        || (depth > 0
            && folders
                .iter()
                .take(1000)
                .any(|inner| has_text(folder, inner, depth - 1)))
}

/// The only entry of a folder, if that is a folder.
pub fn only_folder(folder: &Path) -> Option<String> {
    let listed = Folder::open(folder).ok()?.list(Path::new("")).ok()?;
    let mut shown = listed.into_iter().filter(|(name, _)| !is_system_file(name));
    let (name, is_folder) = shown.next()?;
    (is_folder && shown.next().is_none()).then_some(name)
}

/// Reports files that no page uses.
pub fn report_unused(folder: &Folder, course: &CourseDraft, report: &mut Report) {
    let taken: HashSet<String> = course.files.iter().map(|file| folder.name_of(&file.path)).collect();
    let mut folders = vec![(String::new(), 0)];
    let (mut unused, mut seen) = (Vec::new(), 0);
    while let Some((at, depth)) = folders.pop() {
        for (name, is_folder) in folder.list(Path::new(&at)).unwrap_or_default() {
            seen += 1;
            let path = joined(&at, &name);
            if is_system_file(&name) {
                continue;
            }
            if is_folder && depth < MAX_DEPTH {
                folders.push((path, depth + 1));
            } else if !is_folder && Kind::of(&name).is_none() && !taken.contains(&path) {
                unused.push(path);
            }
        }
        if seen > 100_000 {
            break;
        }
    }
    unused.sort();
    for path in unused {
        report.add(path.clone(), Note::ForeignFile(path));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn natural_order_compares_numbers_by_value() {
        let mut names = ["Лекция 10", "лекция 2", "Лекция 1б", "Лекция 1", "a", "02", "1"];
        names.sort_by(|a, b| natural(a, b));
        assert_eq!(
            names,
            ["1", "02", "a", "Лекция 1", "Лекция 1б", "лекция 2", "Лекция 10"]
        );
    }
}
