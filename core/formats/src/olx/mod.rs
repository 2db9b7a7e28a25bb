//! Reads Open edX courses: OLX, a folder with `course.xml` (docs/import.md). Platform settings may hold secrets, so
//! only titles and dates are read from `policies`, and only the named attributes from elements.

mod components;
mod dates;
mod definitions;
mod drag_and_drop;
mod extras;
mod item_bank;
mod open_response;
mod page_context;
mod problem;
mod unit;
mod video;

use std::collections::BTreeMap;
use std::path::Path;

use self::components::Reader;
use self::definitions::{Definition, Definitions};
use self::page_context::PageContext;
use self::unit::{Index, Unit};
use super::course::{CourseDraft, LessonDraft, ModuleDraft, PageDraft};
use super::error::ImportError;
use super::folder::Folder;
use super::report::Report;
use super::xml::{self, Element};
use super::{Progress, Watcher};
use super::{html_host, language};
use crate::note::olx::Note;
use kurso_base::messages::Lang;
use kurso_base::schedule::Dates;

/// The root file of an Open edX course.
pub const COURSE: &str = "course.xml";

const MAX_PAGES: usize = 50_000;

/// Reads the course in `folder`, and nothing outside it. Pictures that texts contain are written into `scratch`.
pub fn read(folder: &Path, scratch: &Path, progress: &mut Watcher<'_>) -> Result<(CourseDraft, Report), ImportError> {
    let folder = Folder::open(folder)?;
    let mut definitions = Definitions::new(&folder);
    let text = definitions.text(COURSE).map_err(|trouble| ImportError::File {
        path: COURSE.into(),
        trouble,
    })?;
    let root = xml::read(&text).map_err(|trouble| ImportError::Xml {
        path: COURSE.into(),
        trouble,
    })?;
    definitions.read_policies(
        root.attr_text("url_name")
            .or_else(|| root.attr_text("run"))
            .unwrap_or_default(),
    );
    let Some(course) = definitions.enter(&root, COURSE)? else {
        return Err(ImportError::NoPages);
    };
    let named = course.title().or_else(|| course.element.attr_text("course"));
    let title = html_host::title(named.unwrap_or_default(), "Open edX");
    let lang = match course.element.attr_text("language") {
        Some(code) if code.starts_with("ru") => Lang::Ru,
        Some(_) => Lang::En,
        None => language::guess(&title),
    };
    let course_dates = definitions.course_dates(&course);
    let mut reader = Reader {
        context: PageContext::new(lang, &folder, scratch),
        definitions,
        index: Index::default(),
        banks: BTreeMap::new(),
        course: ["org", "course", "url_name"]
            .map(|name| root.attr_text(name).unwrap_or_default())
            .join("/"),
    };
    let mut draft = CourseDraft::new(title, vec![]);
    draft.dates = course_dates;
    draft.unread_dates.course = reader.definitions.has_unread_dates;
    let chapters = course
        .element
        .elements()
        .filter(|child| !PLATFORM_CHILDREN.contains(&child.name.as_str()));
    let chapters: Vec<&Element> = chapters.collect();
    for (number, chapter) in (1..).zip(&chapters) {
        let module = reader.module(chapter, &course.place)?;
        if draft.pages().count() > MAX_PAGES {
            return Err(ImportError::TooManyPages(MAX_PAGES));
        }
        Progress {
            done: number,
            total: chapters.len(),
            file: module.as_ref().map_or(COURSE, |module| module.title.as_str()),
        }
        .tell(progress)?;
        draft.modules.extend(module);
    }
    reader.definitions.leave(&course);
    extras::read(&mut reader, &mut draft)?;
    finish(reader, draft, &course)
}

/// Children of the course element that are platform settings.
const PLATFORM_CHILDREN: &[&str] = &["wiki", "textbook", "grader", "tabs"];

fn finish(
    reader: Reader<'_>,
    mut draft: CourseDraft,
    course: &Definition,
) -> Result<(CourseDraft, Report), ImportError> {
    let Reader {
        mut definitions,
        context,
        mut index,
        banks,
        ..
    } = reader;
    draft.banks = banks.into_values().collect();
    if draft.pages().next().is_none() {
        return Err(ImportError::NoPages);
    }
    if let Some(page) = draft.pages().next().map(|page| page.id) {
        index.pages.insert(String::new(), page);
    }
    for child in course
        .element
        .elements()
        .filter(|child| PLATFORM_CHILDREN.contains(&child.name.as_str()))
    {
        let name = child.name.clone();
        let element = "course".to_owned();
        definitions.note(
            COURSE,
            Note::Setting {
                name,
                element,
                count: 1,
            },
        );
    }
    extras::report_unused(&mut definitions, &context);
    definitions.report_settings(COURSE);
    let folder = definitions.folder;
    let mut report = definitions.report;
    context
        .pending
        .resolve_links(&mut draft, &index.pages, &index.places, &mut report);
    draft.take_files(context.files);
    draft.count(&mut report.counts);
    folder.report_encodings(&mut report);
    report.close(COURSE);
    Ok((draft, report))
}

impl Reader<'_> {
    /// Reads a chapter as a module.
    fn module(&mut self, element: &Element, place: &str) -> Result<Option<ModuleDraft>, ImportError> {
        let Some(chapter) = self.definitions.enter(element, place)? else {
            return Ok(None);
        };
        let title = self.title(&chapter);
        let mut lessons = Vec::new();
        if chapter.element.is("chapter") {
            for child in chapter.element.elements() {
                lessons.extend(self.lesson(child, &chapter.place)?);
            }
        } else {
            // A sequential or a component directly in the course.
            lessons.push(self.lesson_of(&chapter)?);
        }
        self.definitions.leave(&chapter);
        self.index_first_page(&chapter, lessons.iter().flat_map(|lesson| &lesson.pages));
        self.unpublish_staff_only(&chapter, lessons.iter_mut().flat_map(|lesson| &mut lesson.pages));
        let mut module = ModuleDraft::new(title, lessons);
        if chapter.element.is("chapter") {
            module.dates = self.definitions.dates(&chapter);
        }
        Ok(Some(module))
    }

    fn lesson(&mut self, element: &Element, place: &str) -> Result<Option<LessonDraft>, ImportError> {
        let Some(found) = self.definitions.enter(element, place)? else {
            return Ok(None);
        };
        let lesson = self.lesson_of(&found)?;
        self.definitions.leave(&found);
        Ok(Some(lesson))
    }

    /// Reads a sequential as a lesson. A component in its place becomes a lesson with one page.
    fn lesson_of(&mut self, found: &Definition) -> Result<LessonDraft, ImportError> {
        let title = self.title(found);
        let mut pages = Vec::new();
        if ["sequential", "videosequence", "section"].contains(&found.element.name.as_str()) {
            // Check before reading, to fail fast.
            if found.element.elements().count() > MAX_PAGES {
                return Err(ImportError::TooManyPages(MAX_PAGES));
            }
            for child in found.element.elements() {
                let made = self.unit(child, &found.place, &title)?;
                pages.extend(made);
                if pages.len() > MAX_PAGES {
                    return Err(ImportError::TooManyPages(MAX_PAGES));
                }
            }
            pages.extend(self.drafts_of(found)?);
        } else {
            let mut unit = Unit::new(title.clone(), &found.place, true);
            match found.element.is("vertical") {
                true => self.parts(found, &mut unit, 0)?,
                false => {
                    // The definition is already resolved.
                    let element = Element {
                        attrs: found
                            .element
                            .attrs
                            .iter()
                            .filter(|(name, _)| name != "url_name")
                            .cloned()
                            .collect(),
                        ..found.element.clone()
                    };
                    unit.begin(found.url_name());
                    self.part(&element, &found.place, &mut unit, 0)?;
                }
            }
            pages = unit.finish(&mut self.definitions, &mut self.index);
        }
        self.index_first_page(found, pages.iter());
        self.unpublish_staff_only(found, pages.iter_mut());
        let mut lesson = LessonDraft::new(title, pages);
        lesson.dates = self.definitions.dates(found);
        Ok(lesson)
    }

    /// Reads a vertical or a single component as pages.
    fn unit(&mut self, element: &Element, place: &str, lesson: &str) -> Result<Vec<PageDraft>, ImportError> {
        let is_vertical = ["vertical", "unit"].contains(&element.name.as_str());
        if !is_vertical {
            let title = element.attr_text("display_name").unwrap_or(lesson);
            let mut unit = Unit::new(html_host::title(title, lesson), place, true);
            self.part(element, place, &mut unit, 0)?;
            return Ok(unit.finish(&mut self.definitions, &mut self.index));
        }
        let Some(found) = self.definitions.enter(element, place)? else {
            return Ok(vec![]);
        };
        let mut unit = Unit::new(self.title(&found), &found.place, true);
        unit.begin(found.url_name());
        self.parts(&found, &mut unit, 0)?;
        self.definitions.leave(&found);
        let mut pages = unit.finish(&mut self.definitions, &mut self.index);
        let dates = self.definitions.dates(&found);
        for page in &mut pages {
            let due = page.dates.due_at.or(dates.due_at);
            let own = Dates { due_at: due, ..dates };
            page.dates = if own.misplaced().is_empty() { own } else { dates };
        }
        self.unpublish_staff_only(&found, pages.iter_mut());
        Ok(pages)
    }

    fn title(&self, found: &Definition) -> String {
        let nameless = self.context.localized("Untitled", "Без названия");
        html_host::title(found.title().unwrap_or_default(), nameless)
    }

    /// Links to a container lead to its first page.
    fn index_first_page<'p>(&mut self, found: &Definition, mut pages: impl Iterator<Item = &'p PageDraft>) {
        if let (Some(name), Some(page)) = (found.url_name(), pages.next()) {
            self.index.pages.entry(name.to_owned()).or_insert(page.id);
        }
    }

    /// Pages that only staff could see are not published.
    fn unpublish_staff_only<'p>(&mut self, found: &Definition, pages: impl Iterator<Item = &'p mut PageDraft>) {
        let staff_only = found.element.attr("visible_to_staff_only");
        if !staff_only.is_some_and(|value| value.trim().eq_ignore_ascii_case("true")) {
            return;
        }
        for page in pages {
            page.published = false;
        }
        self.definitions.note(&found.place, Note::Unpublished);
    }
}
