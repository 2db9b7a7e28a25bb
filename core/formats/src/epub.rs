//! Reads EPUB books: the texts of the spine in their order, titled and grouped by the table of contents.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use crate::cartridge::cleaned;
use crate::content;
use crate::course::CourseDraft;
use crate::documents::{self, Plan, PlannedModule, Scratch, Sources};
use crate::error::ImportError;
use crate::folder::Folder;
use crate::html_host::{path_of, title as clean_title};
use crate::note::document::Note;
use crate::note::{self, FileTrouble};
use crate::report::Report;
use crate::unsupported::Unsupported;
use crate::xml::{self, Element, XmlTrouble};
use crate::{Watcher, html};
use kurso_base::text::one_line;

pub const CONTAINER: &str = "META-INF/container.xml";
const ENCRYPTION: &str = "META-INF/encryption.xml";
const MAX_DESCRIPTION: usize = 10_000;
/// Nesting of the table of contents.
const MAX_DEPTH: usize = 16;

/// Reads the unpacked book in `root`; `source` is the file that the caller named.
pub fn read(
    source: &Path,
    root: &Path,
    scratch: Scratch<'_>,
    progress: &mut Watcher<'_>,
) -> Result<(CourseDraft, Report), ImportError> {
    let folder = Folder::open(root)?;
    let mut report = Report::default();
    let package = Package::read(&folder)?;
    if is_locked(&folder, &package) {
        return Err(ImportError::Unsupported {
            path: source.display().to_string(),
            what: Unsupported::LockedBook,
        });
    }
    let stem = source.file_stem().unwrap_or_default().to_string_lossy();
    let title = clean_title(package.title.as_deref().unwrap_or(&stem), "EPUB");
    let entries = package.contents(&folder, &mut report);
    let mut titles = HashMap::new();
    for entry in &entries {
        entry.collect_titles(&mut titles);
    }
    let (plan, files) = plan(&package, &entries, &titles, &title, &mut report);
    let name = package.path.clone();
    let sources = Sources {
        folder: &folder,
        plan,
        files,
        titles: Some(titles),
        headings: None,
    };
    let (mut course, mut report) = documents::read_sources(sources, false, scratch, report, progress)?;
    course.title = title;
    course.description = package.description.clone();
    if !package.metadata.is_empty() {
        let names = package.metadata.join(", ");
        report.add(&name, note::Note::Document(Note::BookMetadata(names)));
    }
    let taken: HashSet<String> = course.files.iter().map(|file| folder.name_of(&file.path)).collect();
    for item in &package.items {
        if item.is_media() && !taken.contains(&item.path) {
            report.add(&item.path, note::Note::ForeignFile(item.path.clone()));
        }
    }
    report.close(&name);
    Ok((course, report))
}

/// A file of the book.
struct Item {
    path: String,
    media_type: String,
    properties: String,
}

impl Item {
    fn is_text(&self) -> bool {
        matches!(
            self.media_type.as_str(),
            "application/xhtml+xml" | "text/html" | "text/x-oeb1-document"
        )
    }

    /// Whether learners could see or hear it; fonts, styles and scripts they could not.
    fn is_media(&self) -> bool {
        ["image/", "audio/", "video/", "application/pdf"]
            .iter()
            .any(|kind| self.media_type.starts_with(kind))
    }

    fn is_contents(&self) -> bool {
        self.properties.split_whitespace().any(|property| property == "nav")
    }
}

/// The package document.
struct Package {
    path: String,
    title: Option<String>,
    description: Option<String>,
    /// Names of metadata that a course has no place for.
    metadata: Vec<String>,
    items: Vec<Item>,
    /// Indexes of items in reading order.
    spine: Vec<usize>,
    /// The table of contents of EPUB 2.
    ncx: Option<usize>,
    /// Spine entries without a file.
    lost: Vec<String>,
}

impl Package {
    fn read(folder: &Folder) -> Result<Self, ImportError> {
        let container = element(folder, CONTAINER)?;
        let path = descendant(&container, "rootfile", &|rootfile| {
            rootfile.attr_text("full-path").is_some()
        })
        .and_then(|rootfile| rootfile.attr_text("full-path"))
        .and_then(|path| path_of(Path::new(""), path))
        .map(|path| path.to_string_lossy().into_owned())
        .ok_or_else(|| refused(CONTAINER, FileTrouble::Missing))?;
        let package = element(folder, &path)?;
        let base = Path::new(&path).parent().unwrap_or(Path::new("")).to_owned();
        let mut items = Vec::new();
        let mut by_id = HashMap::new();
        for item in package.child("manifest").into_iter().flat_map(Element::elements) {
            let resolved = item.attr_text("href").and_then(|href| path_of(&base, href));
            let (Some(id), Some(path)) = (item.attr_text("id"), resolved) else {
                continue;
            };
            by_id.insert(id.to_owned(), items.len());
            items.push(Item {
                path: path.to_string_lossy().into_owned(),
                media_type: item.attr_text("media-type").unwrap_or_default().to_ascii_lowercase(),
                properties: item.attr_text("properties").unwrap_or_default().to_owned(),
            });
        }
        let spine = package.child("spine");
        let (mut order, mut lost) = (Vec::new(), Vec::new());
        for reference in spine.into_iter().flat_map(Element::elements) {
            let id = reference.attr_text("idref").unwrap_or_default();
            match by_id.get(id) {
                Some(index) => order.push(*index),
                None => lost.push(id.to_owned()),
            }
        }
        let ncx = spine
            .and_then(|spine| by_id.get(spine.attr_text("toc")?).copied())
            .or_else(|| {
                items
                    .iter()
                    .position(|item| item.media_type == "application/x-dtbncx+xml")
            });
        let metadata = package.child("metadata");
        let said = |name: &str| {
            let text = one_line(&metadata?.child(name)?.text());
            (!text.is_empty()).then_some(text)
        };
        let description = said("description").map(|text| {
            let (document, _) = html::convert_fragment(&text);
            content::text(&document).chars().take(MAX_DESCRIPTION).collect()
        });
        let unused = [
            "creator",
            "contributor",
            "publisher",
            "date",
            "rights",
            "subject",
            "identifier",
            "language",
        ];
        Ok(Self {
            title: said("title"),
            description,
            metadata: unused
                .into_iter()
                .filter(|name| said(name).is_some())
                .map(str::to_owned)
                .collect(),
            path,
            items,
            spine: order,
            ncx,
            lost,
        })
    }

    /// The table of contents; empty, with a note, if it cannot be read.
    fn contents(&self, folder: &Folder, report: &mut Report) -> Vec<Entry> {
        let nav = self.items.iter().find(|item| item.is_contents());
        let ncx = self.ncx.and_then(|index| self.items.get(index));
        for (item, is_nav) in [(nav, true), (ncx, false)] {
            let Some(item) = item else { continue };
            let base = Path::new(&item.path).parent().unwrap_or(Path::new(""));
            let entries = match element(folder, &item.path) {
                Ok(root) if is_nav => nav_entries(&root, base),
                Ok(root) => root
                    .child("navMap")
                    .map(|map| ncx_entries(map, base, 0))
                    .unwrap_or_default(),
                Err(ImportError::Xml { path, trouble }) => {
                    report.add(&item.path, note::Note::Document(Note::Part { path, trouble }));
                    continue;
                }
                Err(_) => continue,
            };
            if !entries.is_empty() {
                return entries;
            }
        }
        vec![]
    }
}

/// An entry of the table of contents.
struct Entry {
    title: String,
    /// The file, without the place in it.
    file: Option<String>,
    children: Vec<Entry>,
}

impl Entry {
    /// The first title of each file.
    fn collect_titles(&self, titles: &mut HashMap<String, String>) {
        if let Some(file) = &self.file {
            titles.entry(file.clone()).or_insert_with(|| self.title.clone());
        }
        self.children.iter().for_each(|child| child.collect_titles(titles));
    }

    fn first_file(&self) -> Option<&str> {
        self.file
            .as_deref()
            .or_else(|| self.children.iter().find_map(Entry::first_file))
    }

    /// Whether it groups other files.
    fn is_part(&self) -> bool {
        self.children.iter().any(|child| {
            child
                .first_file()
                .is_some_and(|file| Some(file) != self.file.as_deref())
        })
    }
}

fn refused(path: &str, trouble: FileTrouble) -> ImportError {
    ImportError::File {
        path: path.to_owned(),
        trouble,
    }
}

fn element(folder: &Folder, path: &str) -> Result<Element, ImportError> {
    let text = folder
        .read_text(Path::new(path))
        .map_err(|trouble| refused(path, trouble))?;
    xml::read(&cleaned(&text)).map_err(|trouble: XmlTrouble| ImportError::Xml {
        path: path.to_owned(),
        trouble,
    })
}

/// The first descendant of this name for which `matches` holds. XML that was read has a limited depth.
fn descendant<'e>(element: &'e Element, name: &str, matches: &dyn Fn(&Element) -> bool) -> Option<&'e Element> {
    if element.is(name) && matches(element) {
        return Some(element);
    }
    element.elements().find_map(|child| descendant(child, name, matches))
}

fn file_of(base: &Path, href: &str) -> Option<String> {
    path_of(base, href).map(|path| path.to_string_lossy().into_owned())
}

/// The contents of EPUB 3, an XHTML list.
fn nav_entries(root: &Element, base: &Path) -> Vec<Entry> {
    let is_toc = |nav: &Element| {
        nav.attr("type")
            .is_some_and(|kind| kind.split_whitespace().any(|kind| kind == "toc"))
    };
    let nav = descendant(root, "nav", &is_toc).or_else(|| descendant(root, "nav", &|_| true));
    let list = nav.and_then(|nav| descendant(nav, "ol", &|_| true));
    list.map(|list| list_entries(list, base, 0)).unwrap_or_default()
}

fn list_entries(list: &Element, base: &Path, depth: usize) -> Vec<Entry> {
    let items = list.elements().filter(|item| item.is("li") && depth < MAX_DEPTH);
    items
        .filter_map(|item| {
            let label = item.elements().find(|child| !child.is("ol"))?;
            let link = descendant(label, "a", &|_| true);
            Some(Entry {
                title: one_line(&label.text()),
                file: link.and_then(|link| file_of(base, link.attr("href")?)),
                children: item
                    .child("ol")
                    .map(|inner| list_entries(inner, base, depth + 1))
                    .unwrap_or_default(),
            })
        })
        .collect()
}

/// The contents of EPUB 2.
fn ncx_entries(parent: &Element, base: &Path, depth: usize) -> Vec<Entry> {
    let points = parent
        .elements()
        .filter(|point| point.is("navPoint") && depth < MAX_DEPTH);
    points
        .map(|point| Entry {
            title: point
                .child("navLabel")
                .map(|label| one_line(&label.text()))
                .unwrap_or_default(),
            file: point
                .child("content")
                .and_then(|content| file_of(base, content.attr("src")?)),
            children: ncx_entries(point, base, depth + 1),
        })
        .collect()
}

/// Each text of the spine is a lesson. Each part of the contents is a module, if there are parts.
fn plan(
    package: &Package,
    entries: &[Entry],
    titles: &HashMap<String, String>,
    title: &str,
    report: &mut Report,
) -> (Plan, Vec<String>) {
    let has_parts = entries.iter().any(Entry::is_part);
    let mut starts: HashMap<&str, &Entry> = HashMap::new();
    let mut after_part = false;
    for entry in entries.iter().filter(|_| has_parts) {
        // Texts before the first part, such as a preface, share a module.
        if (entry.is_part() || after_part)
            && let Some(file) = entry.first_file()
        {
            starts.entry(file).or_insert(entry);
            after_part = true;
        }
    }
    let mut modules: Vec<PlannedModule> = Vec::new();
    let (mut files, mut seen) = (Vec::new(), HashSet::new());
    for id in &package.lost {
        let path = id.clone();
        let trouble = FileTrouble::Missing;
        report.add(&package.path, note::Note::Document(Note::File { path, trouble }));
    }
    for item in package.spine.iter().filter_map(|index| package.items.get(*index)) {
        if !seen.insert(&item.path) {
            continue;
        }
        if item.is_contents() {
            report.add(&item.path, note::Note::Document(Note::Contents));
            continue;
        }
        if !item.is_text() {
            let (path, trouble) = (item.path.clone(), FileTrouble::NotText);
            report.add(&item.path, note::Note::Document(Note::File { path, trouble }));
            continue;
        }
        let part = starts.get(item.path.as_str());
        if part.is_some() || modules.is_empty() {
            let title = part.map_or(title, |part| part.title.as_str());
            modules.push(PlannedModule {
                title: Some(clean_title(title, "…")),
                lessons: vec![],
                documents: vec![],
            });
        }
        let lesson = titles.get(&item.path).map(|title| clean_title(title, "…"));
        if let Some(module) = modules.last_mut() {
            module.lessons.push((lesson, vec![item.path.clone()]));
        }
        files.push(item.path.clone());
    }
    let plan = Plan {
        title: Some(title.to_owned()),
        modules,
    };
    (plan, files)
}

/// Whether texts of the book are encrypted; fonts often are, in books for everybody.
fn is_locked(folder: &Folder, package: &Package) -> bool {
    let Ok(encryption) = element(folder, ENCRYPTION) else {
        return false;
    };
    let texts: HashSet<&str> = package
        .items
        .iter()
        .filter(|item| item.is_text())
        .map(|item| item.path.as_str())
        .collect();
    let is_text = |reference: &Element| {
        let path = reference.attr("URI").and_then(|uri| path_of(Path::new(""), uri));
        path.is_some_and(|path| texts.contains(&*path.to_string_lossy()))
    };
    descendant(&encryption, "CipherReference", &is_text).is_some()
}
