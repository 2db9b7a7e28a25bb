//! Reads Markdown, HTML and DOCX files, single or in a folder (docs/import.md).

mod addresses;
mod assemble;
mod attachments;
mod docx;
mod footnotes;
mod names;
mod outline;
mod pages;
mod text;
mod word;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use uuid::Uuid;

use self::addresses::resolve_link;
use self::names::{Kind, plan};
use self::outline::{Cut, Start};
use super::course::numbered;
use super::course::{CourseDraft, PageDraft};
use super::error::ImportError;
use super::files::Files;
use super::folder::Folder;
use super::html::Converted;
use super::html_host::{self, TextHost};
use super::links::{PendingLinks, Places};
use super::note::Reason;
use super::page::{self, Finished};
use super::report::Report;
use super::unpack::Budget;
use super::{Progress, Watcher, language};
use crate::content;
use crate::headings::Headings;
use crate::note::document::Note;
use kurso_base::messages::Lang;

pub use names::{Plan, PlannedModule, is_text};

const MAX_PAGES: usize = 50_000;
/// Nodes of all files, which are in memory at the same time.
const MAX_NODES: usize = 2_000_000;

/// Whether the folder, or its folders down to three levels, contain readable files.
pub fn is_documents(folder: &Path) -> bool {
    Folder::open(folder).is_ok_and(|folder| names::has_text(&folder, "", 3))
}

/// The folder in which the texts of an archive begin: its only folder, or else its root.
fn text_root(folder: &Path) -> PathBuf {
    names::only_folder(folder).map_or_else(|| folder.to_owned(), |inner| folder.join(inner))
}

/// Where DOCX files are unpacked, and how much. Their images stay there.
pub struct Scratch<'a> {
    pub folder: &'a Path,
    pub budget: &'a mut Budget,
}

/// Reads the file or folder at `root`; `source` is the same, or the archive that was unpacked there. `headings` applies to a single
/// file.
pub fn read(
    source: &Path,
    root: &Path,
    scratch: Scratch<'_>,
    headings: Option<&Headings>,
    progress: &mut Watcher<'_>,
) -> Result<(CourseDraft, Report), ImportError> {
    if source == root || !source.is_file() {
        return read_path(root, None, scratch, headings, progress);
    }
    let start = text_root(root);
    // The folder of an unpacked archive has a meaningless name.
    let name = source.file_stem().filter(|_| start == root);
    let name = name.map(|name| name.to_string_lossy().into_owned());
    read_path(&start, name.as_deref(), scratch, headings, progress)
}

/// `name` overrides the file name of `path`.
fn read_path(
    path: &Path,
    name: Option<&str>,
    scratch: Scratch<'_>,
    headings: Option<&Headings>,
    progress: &mut Watcher<'_>,
) -> Result<(CourseDraft, Report), ImportError> {
    let single = path.is_file();
    let parent = path.parent().filter(|parent| *parent != Path::new(""));
    let folder = if single {
        Folder::open(parent.unwrap_or(Path::new(".")))?
    } else {
        Folder::open(path)?
    };
    let own = path.file_name().unwrap_or_default().to_string_lossy();
    let name = name.map_or_else(|| own.into_owned(), str::to_owned);
    let mut report = Report::default();
    let (plan, files) = if single {
        Plan::single_file(&name)
    } else {
        plan(&folder, &name, &mut report)
    };
    let sources = Sources {
        folder: &folder,
        plan,
        files,
        titles: None,
        // A folder has modules and lessons of its own.
        headings: headings.filter(|_| single),
    };
    let (course, mut report) = read_sources(sources, single, scratch, report, progress)?;
    report.close(&name);
    Ok((course, report))
}

/// The texts of a course in their order.
pub struct Sources<'a> {
    pub folder: &'a Folder,
    pub plan: Plan,
    /// All files of the plan.
    pub files: Vec<String>,
    /// For a book: titles from its contents by file. The files are HTML.
    pub titles: Option<HashMap<String, String>>,
    /// What the headings of a single file begin.
    pub headings: Option<&'a Headings>,
}

/// Reads the texts; `single` means that they are one file, in whose folder lie files that do not belong to it. Does not close
/// the report.
pub fn read_sources(
    sources: Sources<'_>,
    single: bool,
    scratch: Scratch<'_>,
    report: Report,
    progress: &mut Watcher<'_>,
) -> Result<(CourseDraft, Report), ImportError> {
    let Sources {
        folder,
        plan,
        files,
        titles,
        headings,
    } = sources;
    let is_book = titles.is_some();
    if files.is_empty() {
        return Err(ImportError::NoPages);
    }
    if files.len() > MAX_PAGES {
        return Err(ImportError::TooManyPages(MAX_PAGES));
    }
    let mut reader = Reader {
        folder,
        files: Files::in_scratch(scratch.folder),
        scratch,
        titles,
        headings,
        report,
        pending: PendingLinks::default(),
        known: files.iter().cloned().collect(),
        pages: HashMap::new(),
        places: HashMap::new(),
        nodes: 0,
    };
    let mut read: HashMap<String, Text> = HashMap::new();
    let mut made = 0;
    let total = files.len();
    for (number, file) in (1..).zip(files) {
        // The parts of a file are not steps of their own.
        let mut watcher = |_: Progress<'_>| {
            progress(Progress {
                done: number - 1,
                total,
                file: &file,
            })
        };
        let text = reader.file(&file, &mut watcher)?;
        Progress {
            done: number,
            total,
            file: &file,
        }
        .tell(progress)?;
        made += text.pages.len();
        read.insert(file, text);
        if made > MAX_PAGES {
            return Err(ImportError::TooManyPages(MAX_PAGES));
        }
    }
    let mut course = plan.into_course(&mut read, &mut reader);
    if course.pages().next().is_none() {
        // For a single file, its own problem is the error.
        let error = reader.report.entries.iter().find_map(word::trouble_of);
        return Err(error.filter(|_| single).unwrap_or(ImportError::NoPages));
    }
    let Reader {
        files,
        pending,
        pages,
        places,
        mut report,
        ..
    } = reader;
    pending.resolve_links(&mut course, &pages, &places, &mut report);
    course.take_files(files);
    if !single && !is_book {
        names::report_unused(folder, &course, &mut report);
    }
    course.count(&mut report.counts);
    folder.report_encodings(&mut report);
    Ok((course, report))
}

/// The pages read from one file.
#[derive(Default)]
struct Text {
    title: String,
    pages: Vec<PageDraft>,
    /// What begins with which page, if headings were chosen for that.
    starts: Vec<Start>,
}

struct Reader<'a> {
    folder: &'a Folder,
    scratch: Scratch<'a>,
    titles: Option<HashMap<String, String>>,
    /// What the headings of a single file begin.
    headings: Option<&'a Headings>,
    report: Report,
    files: Files,
    pending: PendingLinks,
    /// Paths of all files that become pages.
    known: std::collections::HashSet<String>,
    pages: HashMap<String, Uuid>,
    places: HashMap<Uuid, Places>,
    nodes: usize,
}

impl Reader<'_> {
    fn note(&mut self, place: &str, note: Note) {
        self.report.add(place, super::Note::Document(note));
    }

    /// Reads the pages of one file; none, with a note, if it cannot be read.
    fn file(&mut self, path: &str, progress: &mut Watcher<'_>) -> Result<Text, ImportError> {
        let stem = names::stem(path);
        let book_title = self.titles.as_ref().map(|titles| titles.get(path).cloned());
        let kind = Kind::of(path).filter(|_| book_title.is_none());
        let (text, title, lang) = match kind {
            Some(Kind::Docx) => {
                let Some((converted, title, lang)) = self.docx(path, progress)? else {
                    return Ok(Text::default());
                };
                (converted, title, lang)
            }
            kind => {
                let text = match self.folder.read_text(Path::new(path)) {
                    Ok(text) => text,
                    Err(trouble) => {
                        let file = path.to_owned();
                        self.note(path, Note::File { path: file, trouble });
                        return Ok(Text::default());
                    }
                };
                let lang = language::guess(&text);
                let source = match kind {
                    Some(Kind::Html) => text::of_html(&text),
                    None => text::of_html(&text),
                    _ => text::of_markdown(&text, footnotes_title(lang)),
                };
                if !source.settings.is_empty() {
                    self.note(path, Note::FrontMatter(source.settings.join(", ")));
                }
                if source.footnotes > 0 {
                    self.report.add(path, super::Note::Footnotes(source.footnotes));
                }
                if source.flattened {
                    self.report.add(path, super::Note::Flattened);
                }
                let folder = Path::new(path).parent().unwrap_or(Path::new("")).to_owned();
                let converted = self.convert(&source.html, path, lang, None, &folder);
                // The title of an HTML file of a book is often that of the book.
                (converted, book_title.unwrap_or(source.title), lang)
            }
        };
        self.nodes += text.nodes;
        if self.nodes > MAX_NODES {
            return Err(ImportError::TooLarge);
        }
        Ok(self.finish(text, title, path, &stem, lang))
    }

    /// Converts the HTML of the file at `path`. Media are resolved relative to `base`, within `inside` for files that
    /// are unpacked there.
    fn convert(&mut self, html: &str, path: &str, lang: Lang, inside: Option<&Folder>, base: &Path) -> Converted {
        let known = &self.known;
        let own = inside.is_some();
        let resolve = |href: &str| resolve_link(href, path, base, own, known);
        let mut host = TextHost {
            folder: inside.unwrap_or(self.folder),
            files: &mut self.files,
            pending: &mut self.pending,
            resolve: &resolve,
            place: path,
            notes: Vec::new(),
        };
        let converted = html_host::convert(html, lang, &mut host);
        for (line, note) in host.notes {
            self.report.add(html_host::place(path, line), note);
        }
        converted
    }

    /// Splits the text into pages and indexes them for links.
    fn finish(&mut self, text: Converted, title: Option<String>, path: &str, stem: &str, lang: Lang) -> Text {
        let untitled = match lang {
            Lang::Ru => "Без названия",
            Lang::En => "Untitled",
        };
        let name = html_host::title(title.as_deref().unwrap_or(stem), untitled);
        let chapters = pages::chapters(&text);
        let parts: Vec<Cut> = match self.headings {
            Some(headings) => outline::cut(text, headings),
            None => pages::cut(text).into_iter().map(Cut::of).collect(),
        };
        let several = parts.len();
        if several > 1 {
            self.note(path, Note::Split(several));
        }
        let mut pages: Vec<PageDraft> = Vec::new();
        let mut starts = Vec::new();
        for Cut {
            text: part,
            starts: begun,
        } in parts
        {
            let page = pages.len();
            starts.extend(begun.into_iter().map(|(part, title)| Start { page, part, title }));
            self.report.counts.comments += part.comments;
            // With a title for the whole file, headings are not used as page titles.
            let Finished {
                title: heading,
                parts,
                places,
                notes,
            } = if title.is_some() && several == 1 {
                page::finish_with_title(part, &name)
            } else {
                page::finish(part)
            };
            for note in notes {
                self.report.add(path, note);
            }
            let titled = heading.map_or_else(|| name.clone(), |heading| html_host::title(&heading, &name));
            let first = Uuid::now_v7();
            self.pages.entry(path.to_owned()).or_insert(first);
            for place in places.keys() {
                self.pages.entry(format!("{path}#{place}")).or_insert(first);
            }
            self.places.insert(first, places);
            for (number, mut document) in parts.into_iter().enumerate() {
                if let Err(error) = content::validate(&document) {
                    let why = Reason::of_document(error);
                    self.report.add(path, super::Note::PageRefused(why));
                    document = content::empty();
                }
                let title = match number {
                    0 => titled.clone(),
                    number => numbered(&titled, number + 1),
                };
                pages.push(PageDraft {
                    id: if number == 0 { first } else { Uuid::now_v7() },
                    ..PageDraft::new(Some(title), document, path)
                });
            }
        }
        // A single top-level heading is the title of the file.
        let own = pages
            .first()
            .and_then(|page| page.title.clone())
            .filter(|_| title.is_none() && chapters < 2 && self.headings.is_none());
        Text {
            title: own.unwrap_or(name),
            pages,
            starts,
        }
    }
}

fn footnotes_title(lang: Lang) -> &'static str {
    match lang {
        Lang::Ru => "Примечания",
        Lang::En => "Notes",
    }
}
