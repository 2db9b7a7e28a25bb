//! Which files of a folder are texts, and what the folders they lie in are.

use std::cmp::Ordering;
use std::collections::HashSet;
use std::path::Path;

use crate::exchange::Note;
use crate::exchange::course::CourseDraft;
use crate::exchange::folder::Folder;
use crate::exchange::hosting;
use crate::exchange::native::title_of;
use crate::exchange::note::FileTrouble;
use crate::exchange::reason::Reason;
use crate::exchange::report::Report;

/// Folders inside each other.
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

/// Whether a file of this name becomes pages.
pub fn is_text(path: &Path) -> bool {
    path.to_str().is_some_and(|name| Kind::of(name).is_some())
}

/// The name of a file without what is before and after it.
pub fn stem(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    title_of(stem)
}

/// What systems and Word leave beside files.
fn is_left_over(name: &str) -> bool {
    name.starts_with(['.', '~']) || name == "__MACOSX" || name.eq_ignore_ascii_case("thumbs.db")
}

/// A title and files.
pub type Lesson = (Option<String>, Vec<String>);

/// Modules and lessons, whose titles are those of their first page where they have none of their own.
#[derive(Debug, Default)]
pub struct Plan {
    pub title: Option<String>,
    pub modules: Vec<(Option<String>, Vec<Lesson>)>,
}

impl Plan {
    /// One file: one module with one lesson.
    pub fn of_one(name: &str) -> (Self, Vec<String>) {
        let files = vec![name.to_owned()];
        let plan = Self {
            title: None,
            modules: vec![(None, vec![(None, files.clone())])],
        };
        (plan, files)
    }
}

/// Files of the folder itself are lessons of a first module; each folder is a module, its files and folders are its lessons.
pub fn plan(folder: &Folder, name: &str, report: &mut Report) -> (Plan, Vec<String>) {
    let title = hosting::title(&title_of(name), "…");
    let mut plan = Plan {
        title: Some(title.clone()),
        modules: Vec::new(),
    };
    let mut all = Vec::new();
    let (folders, files) = entries(folder, "", report);
    let single = |files: Vec<String>| {
        files
            .into_iter()
            .map(|file| (None, vec![file]))
            .collect::<Vec<Lesson>>()
    };
    if !files.is_empty() {
        all.extend(files.iter().cloned());
        plan.modules.push((Some(title), single(files)));
    }
    for module in folders {
        let (folders, files) = entries(folder, &module, report);
        all.extend(files.iter().cloned());
        let mut lessons = single(files);
        for lesson in folders {
            let mut files = Vec::new();
            deep(folder, &lesson, 2, report, &mut files);
            all.extend(files.iter().cloned());
            lessons.push((Some(titled(&lesson)), files));
        }
        plan.modules.push((Some(titled(&module)), lessons));
    }
    (plan, all)
}

fn titled(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    hosting::title(&title_of(name), "…")
}

fn deep(folder: &Folder, at: &str, depth: usize, report: &mut Report, found: &mut Vec<String>) {
    if depth > MAX_DEPTH {
        report.add(at, Note::Packed(Reason::File(FileTrouble::Outside)));
        return;
    }
    let (folders, files) = entries(folder, at, report);
    found.extend(files);
    for inner in folders {
        deep(folder, &inner, depth + 1, report, found);
    }
}

/// Folders and texts in a folder, in natural order.
fn entries(folder: &Folder, at: &str, report: &mut Report) -> (Vec<String>, Vec<String>) {
    let listed = folder.list(Path::new(at)).unwrap_or_else(|trouble| {
        let path = at.to_owned();
        report.add(at, Note::Document(super::note::Note::File { path, trouble }));
        vec![]
    });
    let (mut folders, mut files) = (Vec::new(), Vec::new());
    for (name, is_folder) in listed {
        let path = match at.is_empty() {
            true => name.clone(),
            false => format!("{at}/{name}"),
        };
        if is_left_over(&name) {
            continue;
        }
        if is_folder {
            folders.push(path);
        } else if Kind::of(&name).is_some() {
            files.push(path);
        }
    }
    folders.sort_by(|a, b| natural(a, b));
    files.sort_by(|a, b| is_first(b).cmp(&is_first(a)).then_with(|| natural(a, b)));
    (folders, files)
}

/// What a folder begins with, whatever its name sorts as.
fn is_first(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    matches!(
        name.rsplit_once('.').map_or(name.as_str(), |(stem, _)| stem),
        "index" | "readme"
    )
}

/// Numbers by what they are worth wherever they stand: `Лекция 2` before `Лекция 10`.
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

/// Whether there is a text in the folder, so many folders deep.
pub fn any(folder: &Folder, at: &str, depth: usize) -> bool {
    let (folders, files) = entries(folder, at, &mut Report::default());
    !files.is_empty() || (depth > 0 && folders.iter().take(1000).any(|inner| any(folder, inner, depth - 1)))
}

/// The only thing in a folder, when that is a folder itself.
pub fn only(folder: &Path) -> Option<String> {
    let listed = Folder::open(folder).ok()?.list(Path::new("")).ok()?;
    let mut shown = listed.into_iter().filter(|(name, _)| !is_left_over(name));
    let (name, is_folder) = shown.next()?;
    (is_folder && shown.next().is_none()).then_some(name)
}

/// Names the files no page shows.
pub fn tell_unused(folder: &Folder, course: &CourseDraft, report: &mut Report) {
    let taken: HashSet<String> = course.files.iter().map(|file| folder.name_of(&file.path)).collect();
    let mut folders = vec![(String::new(), 0)];
    let (mut unused, mut seen) = (Vec::new(), 0);
    while let Some((at, depth)) = folders.pop() {
        for (name, is_folder) in folder.list(Path::new(&at)).unwrap_or_default() {
            seen += 1;
            let path = match at.is_empty() {
                true => name.clone(),
                false => format!("{at}/{name}"),
            };
            if is_left_over(&name) {
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
    fn files_are_in_the_order_people_number_them_in() {
        let mut names = ["Лекция 10", "лекция 2", "Лекция 1б", "Лекция 1", "a", "02", "1"];
        names.sort_by(|a, b| natural(a, b));
        assert_eq!(
            names,
            ["1", "02", "a", "Лекция 1", "Лекция 1б", "лекция 2", "Лекция 10"]
        );
    }
}
