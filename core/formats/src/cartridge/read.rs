//! Reads an unpacked package as a course.

mod leftovers;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;

use kurso_base::schedule::{CourseDates, Late};
use kurso_base::text::one_line;
use serde_json::Value;
use uuid::Uuid;

use super::build::{BuiltPage, PageBuilder};
use super::canvas_dates::{self, LatePolicy};
use super::extension::Extension;
use super::manifest::Manifest;
use super::plan::{Plan, PlannedModule, PlannedPage, Target, canvas_modules};
use super::rubrics::Rubrics;
use super::xml::{is, text_of, with_root};
use super::{
    COURSE_SETTINGS, EXTENSION, LATE_POLICY, LESSON_ID, MANIFEST, MAX_PAGES, MODULE_ID, MODULE_META, PAGE_ID, RUBRICS,
};
use super::{host::Index, index, labels, page, settings, xml};
use crate::content;
use crate::course::{BankDraft, CourseDraft, LessonDraft, MAX_TEXT, ModuleDraft, PageDraft, numbered};
use crate::error::ImportError;
use crate::files::Files;
use crate::folder::Folder;
use crate::keys::is_key;
use crate::links::resolve_anchors;
use crate::note::Note;
use crate::note::Reason;
use crate::note::cartridge::Note as CartridgeNote;
use crate::report::Report;
use crate::{Progress, Watcher};

const MAX_TITLE: usize = 255;

/// Reads the folder that a package was unpacked to. Pictures that texts contain are written into `scratch`.
pub fn read(folder: &Path, scratch: &Path, progress: &mut Watcher<'_>) -> Result<(CourseDraft, Report), ImportError> {
    let folder = Folder::open(folder)?;
    let mut report = Report::default();
    let mut notes = Vec::new();
    let manifest = manifest(&folder, &mut notes)?;
    let exists = |path: &str| folder.find(Path::new(path)).is_ok();
    let (has_modules, has_settings, has_extension) = (exists(MODULE_META), exists(COURSE_SETTINGS), exists(EXTENSION));
    let mut unread = settings::files(&folder);
    let canvas = if has_modules {
        with_root(&folder, MODULE_META, &mut notes, |root, notes| {
            unread.extend(settings::module_settings(root));
            canvas_modules(root, notes)
        })
    } else {
        None
    };
    let extension = if has_extension {
        with_root(&folder, EXTENSION, &mut notes, Extension::read).unwrap_or_else(Extension::unreadable)
    } else {
        Extension::default()
    };
    let mut title = manifest.title.clone();
    let mut course_dates = (CourseDates::default(), true);
    if has_settings {
        let said = with_root(&folder, COURSE_SETTINGS, &mut notes, |root, notes| {
            if !extension.present {
                settings::tell(root, &unread, notes);
                let mut own = Vec::new();
                course_dates = canvas_dates::course(root, &mut own);
                notes.extend(own.into_iter().map(|note| (COURSE_SETTINGS.to_owned(), note)));
            }
            text_of(root, "title")
        });
        title = title.or(said.flatten());
    }
    let late = if exists(LATE_POLICY) && !extension.present {
        let read = with_root(&folder, LATE_POLICY, &mut notes, |root, notes| {
            let mut own = Vec::new();
            let policy = LatePolicy::read(root, &mut own);
            notes.extend(own.into_iter().map(|note| (LATE_POLICY.to_owned(), note)));
            policy
        });
        read.unwrap_or_default()
    } else {
        LatePolicy::default()
    };
    let name = folder
        .root()
        .file_name()
        .map(|name| name.to_string_lossy().into_owned());
    let title = clean_title(&title.or(name).unwrap_or_else(|| "Common Cartridge".into()));
    let labels = labels::of(&title);

    let mut plan = Plan::of(&manifest, canvas.unwrap_or_default(), &mut notes);
    let mut helpers = index::helpers(&manifest);
    if extension.present {
        helpers.extend(index::own_files(&manifest));
    }
    let outside = plan.add_unnamed(&manifest, &helpers, &title, labels);
    if plan.pages().count() > MAX_PAGES {
        return Err(ImportError::TooManyPages(MAX_PAGES));
    }
    for (place, note) in notes {
        report.add(place, Note::Cartridge(note));
    }
    let mut reader = Reader {
        builder: PageBuilder {
            folder: &folder,
            manifest: &manifest,
            index: Index::default(),
            files: Files::in_scratch(scratch),
            labels,
            has_own_dates: extension.present,
            late,
            rubrics: Rubrics::default(),
            notes: Vec::new(),
            read: HashSet::new(),
            banks: BTreeMap::new(),
        },
        extension: &extension,
        report,
        outside: outside.into_iter().collect(),
        unread_dates: HashSet::new(),
        seen: HashMap::new(),
        size: 0,
        done: 0,
        total: 0,
    };
    let ids = reader.builder.index_pages(&plan);
    reader.total = ids.len();
    reader.read_rubrics();
    let mut course = CourseDraft::new(title, vec![]);
    course.description = manifest.description.clone();
    let mut ids = ids.into_iter();
    for module in &plan.modules {
        course.modules.push(reader.module(module, &mut ids, progress)?);
    }
    let is_read;
    (course.dates, is_read) = course_dates;
    course.unread_dates.course = !is_read;
    let mut notes = Vec::new();
    plan.set_rules(&mut course, &mut notes);
    if !extension.present {
        for (place, note) in notes {
            reader.report.add(place, Note::Cartridge(note));
        }
    }
    reader.report_rubrics();
    for (path, notes) in reader.builder.read_other_banks() {
        for note in notes {
            reader.report.add(&path, note);
        }
    }
    reader.extend(&mut course);
    reader.add_files(&mut course, progress)?;
    let Reader {
        builder,
        mut report,
        unread_dates,
        size,
        ..
    } = reader;
    course.unread_dates.parts.extend(unread_dates);
    resolve_anchors(&mut course, &mut report);
    course.banks = builder.banks.into_values().collect();
    let banks = course.banks.iter().map(BankDraft::size).sum::<usize>();
    if size + banks > MAX_TEXT {
        return Err(ImportError::TooLarge);
    }
    course.take_files(builder.files);
    if course.pages().next().is_none() && course.banks.is_empty() {
        return Err(ImportError::NoPages);
    }
    drop_duplicate_keys(&mut course);
    course.count(&mut report.counts);
    folder.report_encodings(&mut report);
    report.close(MANIFEST);
    Ok((course, report))
}

fn manifest(folder: &Folder, notes: &mut Vec<(String, CartridgeNote)>) -> Result<Manifest, ImportError> {
    let refuse = |why: Reason| ImportError::Archive {
        path: MANIFEST.into(),
        why,
    };
    let read = xml::read(folder, MANIFEST).map_err(|trouble| ImportError::File {
        path: MANIFEST.into(),
        trouble,
    })?;
    let text = xml::cleaned(&read.text);
    let document = xml::parse(&text).map_err(|trouble| refuse(Reason::Xml(trouble)))?;
    if !is(document.root_element(), "manifest") {
        return Err(refuse(Reason::NoManifest));
    }
    Ok(Manifest::read(document.root_element(), notes))
}

struct Reader<'a> {
    builder: PageBuilder<'a>,
    extension: &'a Extension,
    report: Report,
    /// Indexes of resources that no module names.
    outside: HashSet<usize>,
    /// The pages whose dates could not be read.
    unread_dates: HashSet<Uuid>,
    /// Resources that already have a page: its id and title.
    seen: HashMap<usize, (Uuid, String)>,
    size: usize,
    done: usize,
    total: usize,
}

impl Reader<'_> {
    fn module(
        &mut self,
        module: &PlannedModule,
        ids: &mut impl Iterator<Item = Uuid>,
        progress: &mut Watcher<'_>,
    ) -> Result<ModuleDraft, ImportError> {
        let mut lessons = Vec::new();
        for lesson in &module.lessons {
            let mut pages = Vec::new();
            for page in &lesson.pages {
                let id = ids.next().unwrap_or_else(Uuid::now_v7);
                pages.extend(self.page(page, id)?);
                self.done += 1;
                Progress {
                    done: self.done,
                    total: self.total,
                    file: pages.last().map_or("", |page: &PageDraft| page.source.as_str()),
                }
                .tell(progress)?;
            }
            let mut draft = LessonDraft::new(self.title_or_untitled(&lesson.title), pages);
            draft.key = key(&lesson.id, LESSON_ID);
            lessons.push(draft);
        }
        let mut draft = ModuleDraft::new(self.title_or_untitled(&module.title), lessons);
        draft.key = key(&module.id, MODULE_ID);
        Ok(draft)
    }

    /// Reads the rubrics of Canvas, which link to pages and files as these do.
    fn read_rubrics(&mut self) {
        let builder = &mut self.builder;
        if builder.folder.find(Path::new(RUBRICS)).is_ok() {
            builder.rubrics = builder.with_root(RUBRICS, Rubrics::read).unwrap_or_default();
        }
        for note in std::mem::take(&mut builder.notes) {
            self.report.add(RUBRICS, note);
        }
    }

    /// Reports the rubrics that no question has.
    fn report_rubrics(&mut self) {
        for title in self.builder.rubrics.unused() {
            let note = CartridgeNote::Rubric(title.to_owned());
            self.report.add(RUBRICS, Note::Cartridge(note));
        }
    }

    /// Adds what only Kurso's own file says.
    fn extend(&mut self, course: &mut CourseDraft) {
        self.extension.apply(course);
        for module in &mut course.modules {
            let Some(path) = module.avatar.take() else { continue };
            match self.builder.files.take(self.builder.folder, Path::new(&path)) {
                Ok(file) if file.content_type.starts_with("image/") => module.avatar = Some(file.key.clone()),
                _ => self.report.add(EXTENSION, Note::Avatar(path)),
            }
        }
    }

    fn title_or_untitled(&self, title: &str) -> String {
        let title = clean_title(title);
        if title.is_empty() {
            self.builder.labels.untitled.to_owned()
        } else {
            title
        }
    }

    /// Builds the page of an item, or several if its content exceeds the page size.
    fn page(&mut self, planned: &PlannedPage, id: Uuid) -> Result<Vec<PageDraft>, ImportError> {
        let duplicate = match planned.target {
            Target::Resource(at) => self.seen.get(&at).cloned(),
            _ => None,
        };
        let mut built = match duplicate {
            Some((first, title)) => {
                self.builder.note(CartridgeNote::Again(title.clone()));
                let labels = self.builder.labels;
                BuiltPage {
                    blocks: vec![
                        page::text_paragraph(labels.duplicate),
                        page::link(&title, &format!("page:{first}")),
                    ],
                    title: Some(title),
                    published: true,
                    source: format!("{MANIFEST}#{}", planned.id),
                    ..BuiltPage::default()
                }
            }
            None => self.builder.build(&planned.target, &planned.title),
        };
        // Items that share a tool differ in the address within it.
        if let Some(url) = &planned.url
            && !built
                .blocks
                .iter()
                .any(|block| block.to_string().contains(url.as_str()))
        {
            built.blocks.push(page::link(url, url));
        }
        if built.source.is_empty() {
            built.source = format!("{MANIFEST}#{}", planned.id);
        }
        if !planned.published && built.published {
            self.builder.note(CartridgeNote::Unpublished);
        }
        let said = Some(planned.title.clone()).filter(|title| !title.is_empty());
        if let (Some(said), Some(own), true) = (&said, &built.title, built.quiz.is_some())
            && said.trim() != own.trim()
        {
            self.builder.note(CartridgeNote::QuizTitle(own.clone()));
        }
        let title = said.or(built.title.take()).unwrap_or_default();
        let title = self.title_or_untitled(&title);
        if let Target::Resource(at) = planned.target {
            self.seen.entry(at).or_insert((id, title.clone()));
            if self.outside.contains(&at) {
                self.builder.note(CartridgeNote::NotInModules(title.clone()));
            }
        }
        let mut notes = std::mem::take(&mut self.builder.notes);
        let mut parts = page::split(built.blocks, &mut notes);
        for part in &mut parts {
            if let Err(error) = content::validate(part) {
                notes.push(Note::PageRefused(Reason::of_block(error)));
                *part = content::empty();
            }
            self.size += part.to_string().len();
        }
        self.size += built
            .quiz
            .as_ref()
            .and_then(|quiz| quiz.to_text().ok())
            .map_or(0, |text| text.len());
        if self.size > MAX_TEXT {
            return Err(ImportError::TooLarge);
        }
        for note in notes {
            self.report.add(&built.source, note);
        }
        let own = self.own_id(planned);
        let untitled = own.as_ref().is_some_and(|id| self.extension.untitled.contains(id));
        let published = built.published && planned.published;
        let quiz = built.quiz;
        let last = parts.len().saturating_sub(1);
        let (dates, late) = match self.extension.present {
            true => self.extension.dates_of(own.as_deref()),
            false => (built.dates, built.late),
        };
        let is_unread = self.extension.is_unread(own.as_deref()) || built.has_unread_dates;
        self.unread_dates.extend(is_unread.then_some(id));
        let draft = |(number, content): (usize, Value)| PageDraft {
            id: if number == 0 { id } else { Uuid::now_v7() },
            key: own.as_deref().filter(|_| number == 0).and_then(|id| key(id, PAGE_ID)),
            title: match number {
                _ if untitled => None,
                0 => Some(title.clone()),
                n => Some(numbered(&title, n + 1)),
            },
            content: content.into(),
            late: if quiz.is_some() && number == last {
                late
            } else {
                Late::default()
            },
            quiz: quiz.clone().filter(|_| number == last),
            published,
            dates,
            source: built.source.clone(),
        };
        Ok(parts.into_iter().enumerate().map(draft).collect())
    }

    /// The identifier of the resource.
    fn own_id(&self, planned: &PlannedPage) -> Option<String> {
        let Target::Resource(at) = planned.target else {
            return None;
        };
        Some(self.builder.manifest.resources.get(at)?.id.clone())
    }
}

/// The key in an identifier that Kurso wrote.
fn key(id: &str, prefix: &str) -> Option<String> {
    id.strip_prefix(prefix).filter(|key| is_key(key)).map(str::to_owned)
}

/// Drops repeated keys: a package edited by hand may have them.
fn drop_duplicate_keys(course: &mut CourseDraft) {
    let mut seen = HashSet::new();
    let mut check = |key: &mut Option<String>| {
        if key.as_ref().is_some_and(|key| !seen.insert(key.clone())) {
            *key = None;
        }
    };
    for module in &mut course.modules {
        check(&mut module.key);
        for lesson in &mut module.lessons {
            check(&mut lesson.key);
            for page in &mut lesson.pages {
                check(&mut page.key);
            }
        }
    }
}

pub(super) fn clean_title(title: &str) -> String {
    one_line(title)
        .chars()
        .filter(|c| !c.is_control())
        .take(MAX_TITLE)
        .collect()
}
