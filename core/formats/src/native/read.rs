//! Reads a folder of Kurso Markdown as a course.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use kurso_base::schedule::{ScheduleTime, TimeZone};
use uuid::Uuid;

use super::addresses::Addresses;
use super::fields;
use super::front_matter::{self, Base, FrontMatter};
use super::names::{by_number, title_of};
use super::prerequisites::Needs;
use super::{BANKS, COURSE, FILES, LESSON, MODULE};
use crate::content;
use crate::course::{CourseDraft, LessonDraft, MAX_TEXT, ModuleDraft, PageDraft, UnreadDates};
use crate::error::ImportError;
use crate::files::Files;
use crate::folder::{Folder, joined};
use crate::keys::is_key;
use crate::note::document::Note as DocumentNote;
use crate::note::{FileTrouble, Note};
use crate::report::Report;
use crate::{Progress, Watcher};

const MAX_PAGES: usize = 50_000;
/// Bytes of the text of all pages.
const MAX_TITLE: usize = 255;

/// Reads the course in `folder`. Reads nothing outside the folder and has no side effects. `start` is that of a course without one.
pub fn read(
    folder: &Path,
    start: Option<ScheduleTime>,
    progress: &mut Watcher<'_>,
) -> Result<(CourseDraft, Report), ImportError> {
    let folder = Folder::open(folder)?;
    let mut reader = Reader {
        folder: &folder,
        report: Report::default(),
        keys: HashSet::new(),
        needs: Needs::default(),
        sources: Vec::new(),
        bytes: 0,
        base: Base {
            zone: Some(TimeZone::UTC),
            start: None,
        },
        given_start: start,
        unread_dates: UnreadDates::default(),
    };
    let mut course = reader.course(progress)?;
    let banks = reader.bank_texts()?;
    let addresses = Addresses::of(
        &folder,
        reader
            .sources
            .iter()
            .map(|source| (source.path.as_str(), source.id, source.key.as_deref())),
    );
    let mut files = Files::default();
    let total = reader.sources.len();
    let sources = std::mem::take(&mut reader.sources);
    let mut read: HashMap<Uuid, PageDraft> = HashMap::new();
    for (number, source) in (1..).zip(sources) {
        let path = source.path.clone();
        read.insert(source.id, reader.page(source, &addresses, &mut files));
        Progress {
            done: number,
            total,
            file: &path,
        }
        .tell(progress)?;
    }
    for module in &mut course.modules {
        if let Some(path) = module.avatar.take() {
            let taken = files.take(&folder, Path::new(&path)).ok();
            module.avatar = taken
                .filter(|file| file.content_type.starts_with("image/"))
                .map(|file| file.key.clone());
            if module.avatar.is_none() {
                reader.report.add(COURSE, Note::Avatar(path));
            }
        }
        for page in module.lessons.iter_mut().flat_map(|lesson| &mut lesson.pages) {
            if let Some(whole) = read.remove(&page.id) {
                *page = whole;
            }
        }
    }
    course.banks = reader.banks(banks, &addresses, &mut files);
    course.take_files(files);
    course.unread_dates = reader.unread_dates;
    let mut report = reader.report;
    course.count(&mut report.counts);
    folder.report_encodings(&mut report);
    report.close(COURSE);
    Ok((course, report))
}

/// The text of a page before it is parsed.
pub(super) struct Source {
    pub(super) id: Uuid,
    pub(super) key: Option<String>,
    /// Path relative to the course folder.
    pub(super) path: String,
    pub(super) text: String,
}

pub(super) struct Reader<'a> {
    pub(super) folder: &'a Folder,
    pub(super) report: Report,
    keys: HashSet<String>,
    needs: Needs,
    sources: Vec<Source>,
    /// Bytes of the texts so far.
    pub(super) bytes: usize,
    pub(super) base: Base,
    /// The start of a course that has none in the file.
    given_start: Option<ScheduleTime>,
    unread_dates: UnreadDates,
}

impl Reader<'_> {
    fn course(&mut self, progress: &mut Watcher<'_>) -> Result<CourseDraft, ImportError> {
        let mut front = self.front_matter(COURSE)?.unwrap_or_else(|| FrontMatter::read(""));
        let root = self.folder.root().file_name();
        let name = root.map_or_else(|| "Kurso".into(), |name| name.to_string_lossy().into_owned());
        let mut course = CourseDraft::new(name, vec![]);
        self.base = fields::read_course(&mut front, &mut course, self.given_start);
        self.unread_dates.course = front.has_unread_dates;
        self.unread_dates.flags = front.has_unread_flags;
        self.report_notes(COURSE, 1, front.finish());
        let (folders, pages) = self.list_folder("", true)?;
        if !pages.is_empty() {
            let module = self.module_of("", &course.title, vec![], &pages, progress)?;
            course.modules.push(module);
        }
        for name in folders {
            let (lessons, pages) = self.list_folder(&name, false)?;
            let module = self.module_of(&name, &title_of(&name), lessons, &pages, progress)?;
            course.modules.push(module);
        }
        course.title = self.title(COURSE, &course.title);
        std::mem::take(&mut self.needs).resolve(&mut course, &mut self.report);
        Ok(course)
    }

    /// Reads a module. Pages directly in its folder form a lesson.
    fn module_of(
        &mut self,
        folder: &str,
        title: &str,
        lessons: Vec<String>,
        pages: &[String],
        progress: &mut Watcher<'_>,
    ) -> Result<ModuleDraft, ImportError> {
        let place = joined(folder, MODULE);
        let mut front = match folder {
            "" => FrontMatter::read(""),
            _ => self.front_matter(&place)?.unwrap_or_else(|| FrontMatter::read("")),
        };
        let mut module = ModuleDraft::new(title, vec![]);
        let needs = fields::read_module(&mut front, &mut module, self.base);
        self.needs.add(module.id, &place, needs);
        self.note_dates(module.id, &front);
        module.title = self.title(&place, &module.title);
        self.report_notes(&place, 1, front.finish());
        module.key = self.key(&place, module.key);
        if !pages.is_empty() {
            let lesson = self.lesson_of(folder, &module.title, pages, progress)?;
            module.lessons.push(lesson);
        }
        for name in lessons {
            let folder = joined(folder, &name);
            let (deeper, pages) = self.list_folder(&folder, false)?;
            for name in deeper {
                self.report.add(joined(&folder, &name), Note::ForeignFile(name));
            }
            let lesson = self.lesson_of(&folder, &title_of(&name), &pages, progress)?;
            module.lessons.push(lesson);
        }
        Ok(module)
    }

    fn lesson_of(
        &mut self,
        folder: &str,
        title: &str,
        pages: &[String],
        progress: &mut Watcher<'_>,
    ) -> Result<LessonDraft, ImportError> {
        let place = joined(folder, LESSON);
        let mut front = self.front_matter(&place)?.unwrap_or_else(|| FrontMatter::read(""));
        let mut lesson = LessonDraft::new(title, vec![]);
        let needs = fields::read_lesson(&mut front, &mut lesson, self.base);
        self.needs.add(lesson.id, &place, needs);
        self.note_dates(lesson.id, &front);
        self.report_notes(&place, 1, front.finish());
        for name in pages {
            if self.sources.len() >= MAX_PAGES {
                return Err(ImportError::TooManyPages(MAX_PAGES));
            }
            let path = joined(folder, name);
            Progress {
                done: 0,
                total: 0,
                file: &path,
            }
            .tell(progress)?;
            let text = match self.folder.read_text(Path::new(&path)) {
                Ok(text) => text,
                Err(trouble) => {
                    let note = DocumentNote::File {
                        path: path.clone(),
                        trouble,
                    };
                    self.report.add(&path, Note::Document(note));
                    continue;
                }
            };
            self.bytes += text.len();
            if self.bytes > MAX_TEXT {
                return Err(ImportError::TooLarge);
            }
            let front = front_matter::split(&text)
                .0
                .map(|fields| FrontMatter::read(fields).text("key"));
            let key = self.key(&path, front.flatten());
            let id = Uuid::now_v7();
            lesson.pages.push(PageDraft {
                id,
                key: key.clone(),
                ..PageDraft::new(None, content::empty(), &path)
            });
            self.sources.push(Source { id, key, path, text });
        }
        lesson.key = self.key(&place, lesson.key);
        lesson.title = self.title(&place, &lesson.title);
        Ok(lesson)
    }

    fn front_matter(&mut self, path: &str) -> Result<Option<FrontMatter>, ImportError> {
        match self.folder.read_text(Path::new(path)) {
            Ok(text) => Ok(Some(FrontMatter::read(&text))),
            Err(FileTrouble::Missing) => Ok(None),
            Err(trouble) => Err(ImportError::File {
                path: path.to_owned(),
                trouble,
            }),
        }
    }

    pub(super) fn note_dates(&mut self, part: Uuid, front: &FrontMatter) {
        if front.has_unread_dates {
            self.unread_dates.parts.insert(part);
        }
        if front.has_unread_prerequisites {
            self.unread_dates.needs.insert(part);
        }
    }

    pub(super) fn report_notes(&mut self, path: &str, line: usize, notes: Vec<Note>) {
        for note in notes {
            self.report.add(format!("{path}:{line}"), note);
        }
    }

    /// Cleans a title: not empty, and within the length limit.
    pub(super) fn title(&mut self, place: &str, title: &str) -> String {
        let cut: String = title.chars().take(MAX_TITLE).collect();
        if cut.len() < title.len() {
            self.report.add(place, Note::TitleCut(cut.clone()));
        }
        if cut.is_empty() { "—".to_owned() } else { cut }
    }

    /// The key, if it is valid and unique.
    fn key(&mut self, place: &str, key: Option<String>) -> Option<String> {
        let key = key?;
        if is_key(&key) && self.keys.insert(key.clone()) {
            return Some(key);
        }
        self.report.add(place, Note::KeyTwice(key));
        None
    }

    /// Folders and pages in a folder, in order; other entries are reported.
    fn list_folder(&mut self, folder: &str, top: bool) -> Result<(Vec<String>, Vec<String>), ImportError> {
        let (mut folders, mut pages) = (Vec::new(), Vec::new());
        let listed = self
            .folder
            .list(Path::new(folder))
            .map_err(|trouble| ImportError::File {
                path: folder.to_owned(),
                trouble,
            })?;
        for (name, is_folder) in listed {
            let path = joined(folder, &name);
            let about = top
                && ["README", "LICENSE"]
                    .iter()
                    .any(|word| name.to_ascii_uppercase().starts_with(word));
            match name.as_str() {
                FILES | BANKS if top => {}
                COURSE | MODULE | LESSON => {}
                name if name.starts_with('.') => {}
                _ if about => self.report.add(&path, Note::ForeignFile(name)),
                _ if is_folder => folders.push(name),
                name_of_page if name_of_page.ends_with(".md") => pages.push(name),
                _ => {}
            }
        }
        folders.sort_by(|a, b| by_number(a, b));
        pages.sort_by(|a, b| by_number(a, b));
        Ok((folders, pages))
    }
}
