//! Courses of Open edX as they are exported: OLX, a folder with `course.xml` (docs/import.md). Settings of the platform,
//! which hold secrets, are not read: of `policies` nothing but titles, and of attributes those that are named here.

mod components;
mod definitions;
mod desk;
mod drag_and_drop;
mod extras;
pub mod note;
mod problem;
mod unit;
mod video;

use std::path::Path;

use uuid::Uuid;

use self::components::Reader;
use self::definitions::{Definitions, Found};
use self::desk::Desk;
use self::note::Note;
use self::unit::{Index, Unit};
use super::course::{CourseDraft, LessonDraft, ModuleDraft, PageDraft};
use super::error::ImportError;
use super::folder::Folder;
use super::hosting;
use super::report::Report;
use super::xml::{self, Element};
use super::{Progress, Watcher};
use crate::content::Lang;

/// The file a course of Open edX begins with.
pub const COURSE: &str = "course.xml";

const MAX_PAGES: usize = 50_000;

/// Reads the course in `folder`. Nothing outside the folder is read, and nothing is written or fetched.
pub fn read(folder: &Path, progress: &mut Watcher<'_>) -> Result<(CourseDraft, Report), ImportError> {
    let folder = Folder::open(folder)?;
    let mut of = Definitions::new(&folder);
    let text = of.text(COURSE).map_err(|trouble| ImportError::File {
        path: COURSE.into(),
        trouble,
    })?;
    let root = xml::read(&text).map_err(|trouble| ImportError::Xml {
        path: COURSE.into(),
        trouble,
    })?;
    of.read_titles(root.said("url_name").or_else(|| root.said("run")).unwrap_or_default());
    let Some(course) = of.enter(&root, COURSE)? else {
        return Err(ImportError::NoPages);
    };
    let named = course.title().or_else(|| course.element.said("course"));
    let title = hosting::title(named.unwrap_or_default(), "Open edX");
    let lang = match course.element.said("language") {
        Some(code) if code.starts_with("ru") => Lang::Ru,
        Some(_) => Lang::En,
        None => hosting::lang_of(&title),
    };
    let mut reader = Reader {
        desk: Desk::new(lang),
        of,
        index: Index::default(),
    };
    let mut draft = CourseDraft {
        title,
        description: None,
        modules: Vec::new(),
        files: Vec::new(),
    };
    let chapters = course
        .element
        .elements()
        .filter(|child| !IN_COURSE.contains(&child.name.as_str()));
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
    reader.of.leave(&course);
    extras::read(&mut reader, &mut draft)?;
    finish(reader, draft, &course)
}

/// What else stands in the element of the course: settings of the platform.
const IN_COURSE: &[&str] = &["wiki", "textbook", "grader", "tabs"];

fn finish(reader: Reader<'_>, mut draft: CourseDraft, course: &Found) -> Result<(CourseDraft, Report), ImportError> {
    let Reader {
        mut of,
        desk,
        mut index,
    } = reader;
    if draft.pages().next().is_none() {
        return Err(ImportError::NoPages);
    }
    if let Some(page) = draft.pages().next().map(|page| page.id) {
        index.pages.insert(String::new(), page);
    }
    for child in course
        .element
        .elements()
        .filter(|child| IN_COURSE.contains(&child.name.as_str()))
    {
        let name = child.name.clone();
        let element = "course".to_owned();
        of.note(
            COURSE,
            Note::Setting {
                name,
                element,
                count: 1,
            },
        );
    }
    extras::tell_unused(&mut of, &desk);
    of.tell_settings(COURSE);
    let folder = of.folder;
    let mut report = of.report;
    desk.pending
        .settle(&mut draft, &index.pages, &index.places, &mut report);
    draft.take_files(desk.files);
    draft.count(&mut report.counts);
    folder.tell_decoded(&mut report);
    report.close(COURSE);
    Ok((draft, report))
}

impl Reader<'_> {
    /// A chapter as a module.
    fn module(&mut self, element: &Element, place: &str) -> Result<Option<ModuleDraft>, ImportError> {
        let Some(chapter) = self.of.enter(element, place)? else {
            return Ok(None);
        };
        let title = self.title(&chapter);
        let mut lessons = Vec::new();
        if chapter.element.is("chapter") {
            for child in chapter.element.elements() {
                lessons.extend(self.lesson(child, &chapter.place)?);
            }
        } else {
            // A sequential or a part of one that stands in the course itself.
            lessons.push(self.lesson_of(&chapter)?);
        }
        self.of.leave(&chapter);
        self.first_of(&chapter, lessons.iter().flat_map(|lesson| &lesson.pages));
        self.hide(&chapter, lessons.iter_mut().flat_map(|lesson| &mut lesson.pages));
        Ok(Some(ModuleDraft {
            id: Uuid::now_v7(),
            key: None,
            title,
            description: None,
            avatar: None,
            lessons,
        }))
    }

    fn lesson(&mut self, element: &Element, place: &str) -> Result<Option<LessonDraft>, ImportError> {
        let Some(found) = self.of.enter(element, place)? else {
            return Ok(None);
        };
        let lesson = self.lesson_of(&found)?;
        self.of.leave(&found);
        Ok(Some(lesson))
    }

    /// A sequential as a lesson; a part that stands where one should is a lesson of one page.
    fn lesson_of(&mut self, found: &Found) -> Result<LessonDraft, ImportError> {
        let title = self.title(found);
        let mut pages = Vec::new();
        if ["sequential", "videosequence", "section"].contains(&found.element.name.as_str()) {
            // Known beforehand, so that nobody waits for what will be refused.
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
                    // Its definition was found already: it is read as it stands.
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
                    unit.begin(found.url_name(), &mut self.of, &mut self.index, false);
                    self.part(&element, &found.place, &mut unit, 0)?;
                }
            }
            pages = unit.finish(&mut self.of, &mut self.index);
        }
        self.first_of(found, pages.iter());
        self.hide(found, pages.iter_mut());
        Ok(LessonDraft {
            id: Uuid::now_v7(),
            key: None,
            title,
            pages,
        })
    }

    /// A vertical, or a part that stands alone, as pages.
    fn unit(&mut self, element: &Element, place: &str, lesson: &str) -> Result<Vec<PageDraft>, ImportError> {
        let is_vertical = ["vertical", "unit"].contains(&element.name.as_str());
        if !is_vertical {
            let title = element.said("display_name").unwrap_or(lesson);
            let mut unit = Unit::new(hosting::title(title, lesson), place, true);
            self.part(element, place, &mut unit, 0)?;
            return Ok(unit.finish(&mut self.of, &mut self.index));
        }
        let Some(found) = self.of.enter(element, place)? else {
            return Ok(vec![]);
        };
        let mut unit = Unit::new(self.title(&found), &found.place, true);
        unit.begin(found.url_name(), &mut self.of, &mut self.index, false);
        self.parts(&found, &mut unit, 0)?;
        self.of.leave(&found);
        let mut pages = unit.finish(&mut self.of, &mut self.index);
        self.hide(&found, pages.iter_mut());
        Ok(pages)
    }

    fn title(&self, found: &Found) -> String {
        let nameless = self.desk.say("Untitled", "Без названия");
        hosting::title(found.title().unwrap_or_default(), nameless)
    }

    /// Links to what holds pages lead to the first of them.
    fn first_of<'p>(&mut self, found: &Found, mut pages: impl Iterator<Item = &'p PageDraft>) {
        if let (Some(name), Some(page)) = (found.url_name(), pages.next()) {
            self.index.pages.entry(name.to_owned()).or_insert(page.id);
        }
    }

    /// What only staff were shown is not published.
    fn hide<'p>(&mut self, found: &Found, pages: impl Iterator<Item = &'p mut PageDraft>) {
        let staff_only = found.element.attr("visible_to_staff_only");
        if !staff_only.is_some_and(|value| value.trim().eq_ignore_ascii_case("true")) {
            return;
        }
        for page in pages {
            page.published = false;
        }
        self.of.note(&found.place, Note::Unpublished);
    }
}
