//! What lies beside the tree of a course: drafts, pages of its own menu, news, what the course says of itself.

use std::collections::BTreeSet;
use std::path::Path;

use uuid::Uuid;

use super::components::Reader;
use super::definitions::{Definitions, Found};
use super::desk::{Desk, block_of};
use super::note::Note;
use super::unit::Unit;
use crate::exchange::course::{CourseDraft, LessonDraft, ModuleDraft, PageDraft};
use crate::exchange::error::ImportError;
use crate::exchange::hosting;
use crate::exchange::xml::{self, Element};

/// Files of one folder that are looked at.
const MAX_DRAFTS: usize = 5000;

/// The description, and a module of the pages that stood beside the course.
pub fn read(reader: &mut Reader<'_>, draft: &mut CourseDraft) -> Result<(), ImportError> {
    if reader.of.exists("about/short_description.html")
        && let Ok(text) = reader.of.text("about/short_description.html")
    {
        let document = reader
            .desk
            .document(&mut reader.of, &text, "about/short_description.html");
        let text = crate::content::text(&document);
        let text: String = text.trim().chars().take(5000).collect();
        draft.description = Some(text).filter(|text| !text.is_empty());
    }
    let mut paths = Vec::new();
    for (folder, only) in [("about", Some("overview.html")), ("info", None), ("tabs", None)] {
        let mut names = reader.of.folder.list(Path::new(folder)).unwrap_or_default();
        names.sort();
        for (name, is_folder) in names.into_iter().take(MAX_DRAFTS) {
            if !is_folder && name.ends_with(".html") && only.is_none_or(|only| only == name) {
                paths.push(format!("{folder}/{name}"));
            }
        }
    }
    let mut pages = Vec::new();
    for path in paths {
        let Ok(html) = reader.of.text(&path) else { continue };
        let stem = path
            .rsplit('/')
            .next()
            .unwrap_or(&path)
            .trim_end_matches(".html")
            .to_owned();
        let title = match stem.as_str() {
            "overview" => reader.desk.say("About the course", "О курсе").to_owned(),
            "updates" => reader.desk.say("News", "Новости").to_owned(),
            "handouts" => reader.desk.say("Handouts", "Раздаточные материалы").to_owned(),
            stem => hosting::title(&stem.replace('_', " "), stem),
        };
        let mut unit = Unit::new(title, &path, true);
        unit.begin(Some(&stem), &mut reader.of, &mut reader.index, true);
        let text = reader.desk.convert(&mut reader.of, &html, &path);
        if text.blocks.is_empty() {
            continue;
        }
        unit.text(text, &mut reader.of, &mut reader.index);
        pages.extend(unit.finish(&mut reader.of, &mut reader.index));
        reader.of.note(&path, Note::Extra(path.clone()));
        reader.desk.check()?;
    }
    if !pages.is_empty() {
        let title = reader
            .desk
            .say("More about the course", "Дополнительно о курсе")
            .to_owned();
        let lesson = LessonDraft {
            id: Uuid::now_v7(),
            key: None,
            title: title.clone(),
            pages,
        };
        draft.modules.push(ModuleDraft {
            id: Uuid::now_v7(),
            key: None,
            title,
            description: None,
            avatar: None,
            lessons: vec![lesson],
        });
    }
    Ok(())
}

impl Reader<'_> {
    /// Units of a lesson that were never published.
    pub fn drafts_of(&mut self, lesson: &Found) -> Result<Vec<PageDraft>, ImportError> {
        let Some(name) = lesson.url_name().map(str::to_owned) else {
            return Ok(vec![]);
        };
        let drafts = self.drafts();
        let mut pages = Vec::new();
        for (path, element) in drafts
            .iter()
            .filter(|(_, element)| parent(element) == Some(name.as_str()))
        {
            let stem = path.rsplit('/').next().unwrap_or(path).trim_end_matches(".xml");
            // A draft of a unit that is published too is a second state of it.
            if self.of.exists(&format!("vertical/{stem}.xml")) || !self.of.used.insert(path.clone()) {
                continue;
            }
            let mut inline = element.clone();
            inline.attrs.retain(|(name, _)| name != "url_name");
            let made = self.unit(&inline, path, self.desk.say("Draft", "Черновик"))?;
            for mut page in made {
                page.published = false;
                self.of.note(path, Note::Draft(page.title.clone().unwrap_or_default()));
                pages.push(page);
            }
        }
        Ok(pages)
    }

    fn drafts(&mut self) -> std::rc::Rc<Vec<(String, Element)>> {
        if let Some(known) = &self.of.drafts {
            return std::rc::Rc::clone(known);
        }
        let mut names = self.of.folder.list(Path::new("drafts/vertical")).unwrap_or_default();
        names.sort();
        let mut drafts = Vec::new();
        for (name, is_folder) in names.into_iter().take(MAX_DRAFTS) {
            let path = format!("drafts/vertical/{name}");
            if is_folder || !name.ends_with(".xml") {
                continue;
            }
            let Ok(text) = self.of.folder.read_text(Path::new(&path)) else {
                continue;
            };
            if let Ok(element) = xml::read(&text) {
                let place = element
                    .said("index_in_children_list")
                    .and_then(|at| at.parse::<u32>().ok());
                drafts.push((place.unwrap_or(u32::MAX), path, element));
            }
        }
        drafts.sort_by_key(|(place, ..)| *place);
        let drafts = drafts.into_iter().map(|(_, path, element)| (path, element)).collect();
        let drafts = std::rc::Rc::new(drafts);
        self.of.drafts = Some(std::rc::Rc::clone(&drafts));
        drafts
    }
}

/// The lesson a draft belongs to.
fn parent(draft: &Element) -> Option<&str> {
    let usage = draft
        .said("parent_url")
        .or_else(|| draft.said("parent_sequential_url"))?;
    Some(block_of(usage))
}

/// Names what of the folder did not come into the course; of settings, that they are there.
pub fn tell_unused(of: &mut Definitions<'_>, desk: &Desk) {
    let taken: BTreeSet<String> = desk
        .files
        .drafts
        .iter()
        .map(|file| of.folder.name_of(&file.path))
        .collect();
    let mut folders = vec![(String::new(), 0)];
    let (mut unused, mut policies, mut seen) = (Vec::new(), false, 0);
    while let Some((folder, depth)) = folders.pop() {
        let mut names = of.folder.list(Path::new(&folder)).unwrap_or_default();
        names.sort();
        for (name, is_folder) in names {
            seen += 1;
            let path = match folder.is_empty() {
                true => name.clone(),
                false => format!("{folder}/{name}"),
            };
            if is_folder && depth == 0 && matches!(name.as_str(), "policies" | "assets" | "certificates" | "libraries")
            {
                policies = true;
            } else if is_folder && depth < 16 {
                folders.push((path, depth + 1));
            } else if !is_folder && !name.starts_with('.') && !of.used.contains(&path) && !taken.contains(&path) {
                unused.push(path);
            }
        }
        if seen > 100_000 {
            break;
        }
    }
    if policies {
        of.note("policies", Note::Policies);
    }
    unused.sort();
    for path in unused {
        of.report.add(path.clone(), crate::exchange::Note::ForeignFile(path));
    }
}
