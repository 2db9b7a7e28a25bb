//! Reads a book of mdBook, a folder with `book.toml` and `src/SUMMARY.md`, as a course.

mod code;
mod config;
mod files;
mod host;
mod include;
mod links;
mod page;
mod summary;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use percent_encoding::percent_decode_str;
use serde_json::Value;
use uuid::Uuid;

use super::course::{CourseDraft, LessonDraft, ModuleDraft, PageDraft};
use super::error::ImportError;
use super::folder::{Folder, flattened};
use super::html::{self, Converted, HtmlOptions};
use super::markdown::{self, MarkdownOptions};
use super::report::{Entry, FileTrouble, Note, Report};
use super::Progress;
use crate::content::{self, Lang};
use code::CodeReader;
use config::Config;
use files::Files;
use host::{PageHost, PageLink, waiting_link};
use include::Budget;
use links::PageIndex;
use page::Finished;
use summary::ModuleHeading;

const MAX_PAGES: usize = 50_000;
/// Megabytes of text with all includes; the Rust book has three.
const MAX_TEXT: usize = 64;
const MAX_TITLE: usize = 255;

/// What stays the same while pages are read.
struct Book {
    folder: Folder,
    config: Config,
    /// The folder of the pages, from the book's folder on.
    src: PathBuf,
    index: PageIndex,
}

/// A page of the summary whose file is there.
struct Source {
    /// From the folder of the pages on.
    path: PathBuf,
    real: PathBuf,
    title: String,
    summary_line: usize,
}

/// A page that has been read.
struct Read {
    title: Option<String>,
    /// Its documents, each with the id of the page it becomes and the number of its first heading.
    parts: Vec<(Uuid, Value, usize)>,
    places: HashMap<String, Option<usize>>,
}

/// Lines of the report, kept in the order of the book although links are known only at its end.
#[derive(Default)]
struct Notes(Vec<(usize, usize, Entry)>);

impl Notes {
    fn add(&mut self, page: usize, line: usize, place: String, note: Note) {
        self.0.push((page, line, Entry { place, note }));
    }
}

/// Reads the book in `folder`. Nothing outside the folder is read, and nothing is written or fetched.
pub fn read(folder: &Path, progress: &mut dyn FnMut(Progress<'_>)) -> Result<(CourseDraft, Report), ImportError> {
    let mut report = Report::default();
    let folder = Folder::open(folder)?;
    let config = read_config(&folder, &mut report)?;
    let src = flattened(Path::new(&config.src));
    let summary_path = src.join("SUMMARY.md");
    let summary_name = folder.name_of(&summary_path);
    let text = folder.read_text(&summary_path).map_err(|trouble| match trouble {
        FileTrouble::Missing => ImportError::NoSummary(summary_name.clone()),
        trouble => ImportError::File { path: summary_name.clone(), trouble },
    })?;
    let summary = summary::parse(&text);

    let mut book = Book { folder, config, src, index: PageIndex::default() };
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
        progress(Progress { done: number + 1, total: sources.len(), file: &name });
    }
    if pages.iter().all(Option::is_none) {
        return Err(ImportError::NoPages);
    }
    let PageReader { files, links, mut notes, flags, flagged_blocks, used, counts, .. } = reader;
    report.counts = counts;
    resolve_links(&book, &sources, &mut pages, &links, &mut notes);
    let modules = assemble(&book, plan, &sources, pages, &mut notes);
    notes.0.sort_by_key(|(page, line, _)| (*page, *line));
    for (_, _, entry) in notes.0 {
        report.add(entry.place, entry.note);
    }
    note_flags(&book, &flags, flagged_blocks, &mut report);
    note_unused_pages(&book, &sources, &used, &mut report);
    let title = book.config.title.clone().unwrap_or_else(|| {
        book.folder.root().file_name().map_or_else(|| "mdBook".into(), |name| name.to_string_lossy().into_owned())
    });
    let mut course =
        CourseDraft { title: cut_title(&title).0, description: description(&book.config), modules, files: Vec::new() };
    let used_files: HashSet<String> = course.pages().flat_map(|page| content::files(&page.content)).collect();
    course.files = files.into_used(|key| used_files.contains(key));
    count(&course, &mut report);
    report.close(&summary_name);
    Ok((course, report))
}

impl Book {
    /// A page as a report names it.
    fn name_of(&self, path: &Path) -> String {
        self.folder.name_of(&self.src.join(path))
    }
}

fn read_config(folder: &Folder, report: &mut Report) -> Result<Config, ImportError> {
    match folder.read_text(Path::new("book.toml")) {
        Ok(text) => Config::read(&text, report),
        Err(FileTrouble::Missing) => Ok(Config::absent()),
        Err(trouble) => Err(ImportError::File { path: "book.toml".into(), trouble }),
    }
}

/// Modules, lessons and the numbers of their pages.
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
                let target = percent_decode_str(target).decode_utf8_lossy().into_owned();
                let path = flattened(Path::new(&target));
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
                sources.push(Source { path, real, title: page.title, summary_line: page.line });
            }
            lessons.push((lesson.title, numbers));
        }
        plan.push((module.heading, lessons));
    }
    Ok(plan)
}

/// Reads one page after the other and collects what they share.
struct PageReader<'a> {
    book: &'a Book,
    budget: Budget,
    text_read: usize,
    files: Files,
    links: Vec<PageLink>,
    notes: Notes,
    flags: BTreeMap<String, usize>,
    flagged_blocks: usize,
    /// Real paths of what was included.
    used: HashSet<PathBuf>,
    counts: super::report::Counts,
}

impl<'a> PageReader<'a> {
    fn new(book: &'a Book) -> Self {
        Self {
            book,
            budget: Budget::new(),
            text_read: 0,
            files: Files::default(),
            links: Vec::new(),
            notes: Notes::default(),
            flags: BTreeMap::new(),
            flagged_blocks: 0,
            used: HashSet::new(),
            counts: super::report::Counts::default(),
        }
    }

    /// The page, or none when its file is no text.
    fn page(&mut self, number: usize, source: &Source, name: &str) -> Result<Option<Read>, ImportError> {
        let text = match self.book.folder.read_text(&source.real) {
            Ok(text) => text,
            Err(trouble) => {
                self.notes.add(number, 0, name.to_owned(), Note::Chapter { path: name.to_owned(), trouble });
                return Ok(None);
            }
        };
        let expanded = include::expand(&self.book.folder, &source.real, &text, &mut self.budget);
        self.text_read += expanded.text.len();
        if self.text_read > MAX_TEXT * 1024 * 1024 {
            return Err(ImportError::TooLarge { megabytes: MAX_TEXT });
        }
        self.counts.includes += expanded.includes;
        let converted = self.convert(number, source, name, &expanded);
        for (file, line, note) in expanded.notes {
            self.notes.add(number, line, format!("{file}:{line}"), note);
        }
        self.used.extend(expanded.used);
        self.counts.comments += converted.comments;
        let Finished { title, parts, places, notes } = page::finish(converted);
        for note in notes {
            self.notes.add(number, 0, name.to_owned(), note);
        }
        let mut headings = 0;
        let parts = parts.into_iter().map(|document| {
            let first = headings;
            headings += content::heading_anchors(&document).len();
            (Uuid::now_v7(), document, first)
        });
        Ok(Some(Read { title, parts: parts.collect(), places }))
    }

    fn convert(&mut self, number: usize, source: &Source, name: &str, expanded: &include::Expanded) -> Converted {
        let config = &self.book.config;
        let (footnotes_title, details) = match config.language {
            Lang::Ru => ("Примечания", "Подробнее"),
            Lang::En => ("Notes", "Details"),
        };
        let mut code = CodeReader {
            language: config.language,
            hidden_lines: &config.hidden_lines,
            flags: std::mem::take(&mut self.flags),
            flagged_blocks: 0,
        };
        let mut options = MarkdownOptions {
            smart_punctuation: config.smart_punctuation,
            dollar_math: config.dollar_math,
            html_as_text: false,
            footnotes_title,
        };
        let html_options = HtmlOptions { tex_math: config.tex_math, details };
        let line_of = |offset| expanded.line_of(offset);
        let links_before = self.links.len();
        let mut host = PageHost {
            book: self.book,
            files: &mut self.files,
            links: &mut self.links,
            page: number,
            path: &source.path,
            notes: Vec::new(),
        };
        let mut rendered = markdown::render(&expanded.text, options, &line_of, &mut |info, text| code.read(info, text));
        let mut converted = html::convert(&rendered.html, html_options, &mut host);
        if converted.is_err() {
            // The flags have been counted.
            let mut silent = CodeReader { flags: BTreeMap::new(), ..code };
            options.html_as_text = true;
            host.notes = vec![(1, Note::HtmlAsText)];
            host.links.truncate(links_before);
            rendered = markdown::render(&expanded.text, options, &line_of, &mut |info, text| silent.read(info, text));
            converted = html::convert(&rendered.html, html_options, &mut host);
            code = CodeReader { flags: code.flags, ..silent };
        }
        let mut notes = host.notes;
        if rendered.footnotes > 0 {
            notes.push((0, Note::Footnotes(rendered.footnotes)));
        }
        if rendered.flattened {
            notes.push((0, Note::Flattened));
        }
        for (line, note) in notes {
            let place = if line == 0 { name.to_owned() } else { format!("{name}:{line}") };
            self.notes.add(number, line, place, note);
        }
        self.flags = code.flags;
        self.flagged_blocks += code.flagged_blocks;
        converted.unwrap_or_default()
    }
}

/// Gives links to pages their addresses, now that all pages have been read.
fn resolve_links(book: &Book, sources: &[Source], pages: &mut [Option<Read>], links: &[PageLink], notes: &mut Notes) {
    let anchors: Vec<Vec<Vec<Option<String>>>> = pages
        .iter()
        .map(|page| page.iter().flat_map(|page| &page.parts).map(|part| content::heading_anchors(&part.1)).collect())
        .collect();
    let mut addresses = Vec::with_capacity(links.len());
    for link in links {
        let Some(Some(target)) = pages.get(link.to) else {
            addresses.push(None);
            continue;
        };
        let place = link.fragment.as_ref().map(|fragment| target.places.get(&fragment.to_lowercase()).copied());
        if place == Some(None)
            && let Some(source) = sources.get(link.from)
        {
            let at = format!("{}:{}", book.name_of(&source.path), link.line);
            notes.add(link.from, link.line, at, Note::LinkAnchor(link.href.clone()));
        }
        let heading = place.flatten().flatten();
        // The part that has the heading, or the first.
        let part = target.parts.iter().rposition(|part| part.2 <= heading.unwrap_or(0)).unwrap_or(0);
        let anchor = heading.and_then(|heading| {
            let first = target.parts.get(part)?.2;
            anchors.get(link.to)?.get(part)?.get(heading - first)?.as_deref()
        });
        addresses.push(target.parts.get(part).map(|(id, _, _)| match anchor {
            Some(anchor) if link.from == link.to && target.parts.len() == 1 => format!("#{anchor}"),
            Some(anchor) => format!("page:{id}#{anchor}"),
            None => format!("page:{id}"),
        }));
    }
    for page in pages.iter_mut().flatten() {
        for (_, document, _) in &mut page.parts {
            content::map_addresses(document, |address| addresses.get(waiting_link(address)?)?.clone());
            unlink(document);
        }
    }
}

/// Takes away links to pages that could not be read; the report names the pages.
fn unlink(node: &mut Value) {
    let waits = |mark: &Value| mark.pointer("/attrs/href").and_then(Value::as_str).is_some_and(|href| waiting_link(href).is_some());
    if let Some(object) = node.as_object_mut()
        && let Some(marks) = object.get_mut("marks").and_then(Value::as_array_mut)
    {
        marks.retain(|mark| !waits(mark));
        if marks.is_empty() {
            object.remove("marks");
        }
    }
    if let Some(children) = node.get_mut("content").and_then(Value::as_array_mut) {
        children.iter_mut().for_each(unlink);
    }
}

fn assemble(book: &Book, plan: Plan, sources: &[Source], mut pages: Vec<Option<Read>>, notes: &mut Notes) -> Vec<ModuleDraft> {
    let mut modules = Vec::new();
    for (heading, lessons) in plan {
        let lessons = lessons.into_iter().filter_map(|(title, numbers)| {
            let mut drafts = Vec::new();
            for number in numbers {
                let (Some(source), Some(page)) = (sources.get(number), pages.get_mut(number).and_then(Option::take)) else {
                    continue;
                };
                drafts.extend(page_drafts(book, number, source, page, notes));
            }
            let title = cut_title(&title).0;
            (!drafts.is_empty()).then_some(LessonDraft { title, pages: drafts })
        });
        let lessons: Vec<_> = lessons.collect();
        let title = cut_title(&module_title(book, heading)).0;
        if !lessons.is_empty() {
            modules.push(ModuleDraft { title, description: None, lessons });
        }
    }
    modules
}

fn page_drafts(book: &Book, number: usize, source: &Source, page: Read, notes: &mut Notes) -> Vec<PageDraft> {
    let name = book.name_of(&source.path);
    if let Some(heading) = page.title.as_ref().filter(|heading| **heading != source.title) {
        let at = format!("{}:{}", book.folder.name_of(&book.src.join("SUMMARY.md")), source.summary_line);
        notes.add(number, 0, at, Note::TitleDiffers { summary: source.title.clone(), heading: heading.clone() });
    }
    let (title, was_cut) = cut_title(page.title.as_ref().unwrap_or(&source.title));
    if was_cut {
        notes.add(number, 0, name.clone(), Note::TitleCut(title.clone()));
    }
    let parts = page.parts.len();
    let drafts = page.parts.into_iter().enumerate().map(|(part, (id, mut content, _))| {
        if let Err(error) = content::validate(&content) {
            let why = format!("{}: {}", error.path, error.problem.text(book.config.language));
            notes.add(number, 0, name.clone(), Note::PageRefused(why));
            content = content::empty();
        }
        let title = if parts == 1 { title.clone() } else { numbered(&title, part + 1) };
        PageDraft { id, title: Some(title), content, source: name.clone() }
    });
    drafts.collect()
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

/// At most as long as a title may be, and whether something was lost.
fn cut_title(title: &str) -> (String, bool) {
    let cut: String = title.chars().map(|c| if c.is_control() { ' ' } else { c }).take(MAX_TITLE).collect();
    let lost = title.chars().nth(MAX_TITLE).is_some();
    (cut.trim().to_owned(), lost)
}

fn numbered(title: &str, part: usize) -> String {
    let number = format!(" ({part})");
    let kept: String = title.chars().take(MAX_TITLE - number.chars().count()).collect();
    kept + &number
}

/// What the book says of itself, and who wrote it.
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

fn note_flags(book: &Book, flags: &BTreeMap<String, usize>, blocks: usize, report: &mut Report) {
    if !flags.is_empty() {
        let flags = flags.iter().map(|(flag, count)| format!("{flag} ({count})")).collect::<Vec<_>>().join(", ");
        report.add(book.folder.name_of(&book.src), Note::FenceFlags { flags, blocks });
    }
}

/// Markdown files that are neither pages nor part of one.
fn note_unused_pages(book: &Book, sources: &[Source], included: &HashSet<PathBuf>, report: &mut Report) {
    let pages: HashSet<&PathBuf> = sources.iter().map(|source| &source.real).collect();
    let Ok(src) = book.folder.find_folder(&book.src) else { return };
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

fn count(course: &CourseDraft, report: &mut Report) {
    let counts = &mut report.counts;
    counts.modules = course.modules.len();
    counts.lessons = course.lessons().count();
    counts.pages = course.pages().count();
    counts.files = course.files.len();
    for page in course.pages() {
        count_blocks(&page.content, counts);
    }
}

fn count_blocks(node: &Value, counts: &mut super::report::Counts) {
    match node.get("type").and_then(Value::as_str) {
        Some("codeBlock") => counts.code_blocks += 1,
        Some("image") => counts.images += 1,
        Some("table") => counts.tables += 1,
        Some("blockquote") => counts.quotes += 1,
        _ => {}
    }
    for child in node.get("content").and_then(Value::as_array).into_iter().flatten() {
        count_blocks(child, counts);
    }
}
