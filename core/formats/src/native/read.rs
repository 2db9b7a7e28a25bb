//! Reads a folder of Kurso Markdown as a course.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use kurso_base::schedule::{ScheduleTime, TimeZone};
use kurso_base::values::QuestionTags;
use serde_json::{Value, json};
use uuid::Uuid;

use super::addresses::Addresses;
use super::fields;
use super::front_matter::{self, Base, FrontMatter};
use super::names::{by_number, take_title, title_of};
use super::prerequisites::Needs;
use super::quiz::Parsed;
use super::{BANKS, COURSE, FILES, LESSON, MODULE, document, quiz};
use crate::content;
use crate::course::{CourseDraft, LessonDraft, MAX_TEXT, ModuleDraft, PageDraft, UnreadDates};
use crate::error::ImportError;
use crate::files::Files;
use crate::folder::{Folder, joined};
use crate::keys::is_key;
use crate::note::Reason;
use crate::note::document::Note as DocumentNote;
use crate::note::{FileTrouble, Note};
use crate::quiz::{Question, Quiz};
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
struct Source {
    id: Uuid,
    key: Option<String>,
    /// Path relative to the course folder.
    path: String,
    text: String,
}

pub(super) struct Reader<'a> {
    pub(super) folder: &'a Folder,
    pub(super) report: Report,
    keys: HashSet<String>,
    needs: Needs,
    sources: Vec<Source>,
    /// Bytes of the texts so far.
    pub(super) bytes: usize,
    base: Base,
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

    fn page(&mut self, source: Source, addresses: &Addresses<'_>, files: &mut Files) -> PageDraft {
        let path = source.path;
        let (fields, body, line) = front_matter::split(&source.text);
        let mut front = FrontMatter::read(fields.unwrap_or_default());
        let title = front.text("title").filter(|title| !title.is_empty());
        let published = front.flag("published").unwrap_or(true);
        let settings = front.quiz();
        let is_assignment = front.is_assignment();
        front.text("key");
        let (intro, questions) = body.split_at_checked(quiz::start(body)).unwrap_or((body, ""));
        let is_quiz = settings.is_some() || is_assignment || !questions.is_empty();
        let dates = front.dates(self.base);
        let late = front.late(self.base, &dates, is_quiz);
        self.note_dates(source.id, &front);
        self.report_notes(&path, 1, front.finish());

        let read = document::read(intro, false);
        for (at, note) in read.notes.clone() {
            self.report.add(format!("{path}:{}", line + at - 1), note);
        }
        let mut content = read.into_document();
        let mut title = title.map(|title| self.title(&path, &title));
        if fields.is_none() && title.is_none() {
            // Without front matter, the first heading is the title.
            title = take_title(&mut content).map(|title| self.title(&path, &title));
            title = title.or_else(|| path.rsplit('/').next().map(title_of));
        }
        let mut notes = Vec::new();
        addresses.resolve(&mut content, &path, files, &mut notes);
        for note in notes {
            self.report.add(&path, note);
        }
        self.replace_invalid_blocks(&mut content, &path);

        let quiz = is_quiz.then(|| {
            let first = line + intro.matches('\n').count();
            let mut quiz = self.quiz(settings.unwrap_or_default(), questions, &path, first, addresses, files);
            for problem in quiz.keep_those_of(is_assignment) {
                self.report.add(&path, Note::QuestionRefused(problem.into()));
            }
            quiz
        });
        PageDraft {
            id: source.id,
            key: source.key,
            title,
            content: content.into(),
            quiz,
            published,
            dates,
            late,
            source: path,
        }
    }

    /// Reads the quiz and reports its invalid questions.
    fn quiz(
        &mut self,
        settings: serde_json::Map<String, Value>,
        text: &str,
        path: &str,
        first: usize,
        addresses: &Addresses<'_>,
        files: &mut Files,
    ) -> Quiz {
        let parsed = self.parsed(text, path, first);
        let mut quiz = match crate::quiz::read(&settings.into()) {
            Ok(quiz) => quiz,
            Err(error) => {
                self.report.add(path, Note::BadFrontMatter((&error).into()));
                Quiz::default()
            }
        };
        let checked = |question: Question| Ok(question.check().map(|()| question)?);
        let taken = self.taken(parsed, path, first, addresses, files, checked);
        quiz.questions = taken.into_iter().map(|(question, _)| question).collect();
        quiz
    }

    /// Parses questions whose text starts at the line `first`, and reports what is lost.
    pub(super) fn parsed(&mut self, text: &str, path: &str, first: usize) -> Vec<Parsed> {
        let found = quiz::read(text);
        for (line, note) in found.notes {
            self.report
                .add(format!("{path}:{}", first + line - usize::from(line > 0)), note);
        }
        found.questions
    }

    /// Resolves the addresses of parsed questions. Reports the questions that `check` refuses, and returns the others with their tags.
    pub(super) fn taken<T>(
        &mut self,
        parsed: Vec<Parsed>,
        path: &str,
        first: usize,
        addresses: &Addresses<'_>,
        files: &mut Files,
        check: impl Fn(Question) -> Result<T, Reason>,
    ) -> Vec<(T, QuestionTags)> {
        let mut taken = Vec::new();
        for Parsed { line, question, tags } in parsed {
            let place = format!("{path}:{}", first + line - 1);
            let mut notes = Vec::new();
            let checked = question.and_then(|mut question| {
                for document in question.documents_mut() {
                    addresses.resolve(document, path, files, &mut notes);
                }
                check(question)
            });
            for note in notes {
                self.report.add(&place, note);
            }
            match checked {
                Ok(question) => taken.push((question, tags)),
                Err(reason) => self.report.add(place, Note::QuestionRefused(reason)),
            }
        }
        taken
    }

    /// Replaces invalid blocks by code blocks with their JSON.
    fn replace_invalid_blocks(&mut self, document: &mut Value, path: &str) {
        let Err(error) = content::validate(document) else {
            return;
        };
        let mut invalid = 0;
        for block in document
            .get_mut("content")
            .and_then(Value::as_array_mut)
            .into_iter()
            .flatten()
        {
            let single = json!({ "type": "doc", "content": [&*block] });
            if let Err(error) = content::validate(&single) {
                invalid += 1;
                self.report.add(path, Note::BlockRefused(Reason::of_block(error)));
                let json: String = block.to_string().chars().take(100_000).collect();
                *block = json!({ "type": "codeBlock", "attrs": { "language": "json" }, "content": [{ "type": "text", "text": json }] });
            }
        }
        if invalid == 0 || content::validate(document).is_err() {
            self.report.add(path, Note::PageRefused(Reason::of_block(error)));
            *document = content::empty();
        }
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

    fn note_dates(&mut self, part: Uuid, front: &FrontMatter) {
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
