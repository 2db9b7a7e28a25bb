//! Imports the parts of a package that are outside the course tree: drafts, custom pages, updates, and the description.

use std::collections::BTreeSet;
use std::path::Path;

use super::components::Reader;
use super::definitions::{Definition, Definitions};
use super::page_context::{PageContext, block_of};
use super::unit::Unit;
use crate::course::{CourseDraft, LessonDraft, ModuleDraft, PageDraft};
use crate::error::ImportError;
use crate::html_host;
use crate::note::olx::Note;
use crate::xml::{self, Element};

/// Files read per folder.
const MAX_DRAFTS: usize = 5000;

/// Sets the description, and adds a module with the pages outside the course tree.
pub fn read(reader: &mut Reader<'_>, draft: &mut CourseDraft) -> Result<(), ImportError> {
    if reader.definitions.exists("about/short_description.html")
        && let Ok(text) = reader.definitions.text("about/short_description.html")
    {
        let document = reader
            .context
            .document(&mut reader.definitions, &text, "about/short_description.html");
        let text = crate::content::text(&document);
        let text: String = text.trim().chars().take(5000).collect();
        draft.description = Some(text).filter(|text| !text.is_empty());
    }
    let mut paths = Vec::new();
    for (folder, only) in [("about", Some("overview.html")), ("info", None), ("tabs", None)] {
        let mut names = reader.definitions.folder.list(Path::new(folder)).unwrap_or_default();
        names.sort();
        for (name, is_folder) in names.into_iter().take(MAX_DRAFTS) {
            if !is_folder && name.ends_with(".html") && only.is_none_or(|only| only == name) {
                paths.push(format!("{folder}/{name}"));
            }
        }
    }
    let items = "info/updates.items.json";
    if reader.definitions.exists(items) {
        let note = crate::Note::ForeignFile(items.to_owned());
        reader.definitions.report.add(items, note);
    }
    let mut pages = Vec::new();
    for path in paths {
        let Ok(html) = reader.definitions.text(&path) else {
            continue;
        };
        let stem = path
            .rsplit('/')
            .next()
            .unwrap_or(&path)
            .trim_end_matches(".html")
            .to_owned();
        let title = match stem.as_str() {
            "overview" => reader.context.localized("About the course", "О курсе").to_owned(),
            "updates" => reader.context.localized("News", "Новости").to_owned(),
            "handouts" => reader.context.localized("Handouts", "Раздаточные материалы").to_owned(),
            stem => html_host::title(&stem.replace('_', " "), stem),
        };
        let mut unit = Unit::new(title, &path, true);
        unit.begin(Some(&stem));
        let text = reader.context.convert(&mut reader.definitions, &html, &path);
        if text.blocks.is_empty() {
            continue;
        }
        unit.text(text, &mut reader.definitions, &mut reader.index);
        pages.extend(unit.finish(&mut reader.definitions, &mut reader.index));
        reader.definitions.note(&path, Note::Extra(path.clone()));
        reader.context.check()?;
    }
    if !pages.is_empty() {
        let title = reader
            .context
            .localized("More about the course", "Дополнительно о курсе")
            .to_owned();
        let lesson = LessonDraft::new(&title, pages);
        draft.modules.push(ModuleDraft::new(title, vec![lesson]));
    }
    Ok(())
}

impl Reader<'_> {
    /// Unpublished units of a lesson.
    pub fn drafts_of(&mut self, lesson: &Definition) -> Result<Vec<PageDraft>, ImportError> {
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
            // If the unit is also published, the draft is only another version of it.
            if self.definitions.exists(&format!("vertical/{stem}.xml")) || !self.definitions.used.insert(path.clone()) {
                continue;
            }
            let mut inline = element.clone();
            inline.attrs.retain(|(name, _)| name != "url_name");
            let made = self.unit(&inline, path, self.context.localized("Draft", "Черновик"))?;
            for mut page in made {
                page.published = false;
                self.definitions
                    .note(path, Note::Draft(page.title.clone().unwrap_or_default()));
                pages.push(page);
            }
        }
        Ok(pages)
    }

    fn drafts(&mut self) -> std::rc::Rc<Vec<(String, Element)>> {
        if let Some(known) = &self.definitions.drafts {
            return std::rc::Rc::clone(known);
        }
        let mut names = self
            .definitions
            .folder
            .list(Path::new("drafts/vertical"))
            .unwrap_or_default();
        names.sort();
        let mut drafts = Vec::new();
        for (name, is_folder) in names.into_iter().take(MAX_DRAFTS) {
            let path = format!("drafts/vertical/{name}");
            if is_folder || !name.ends_with(".xml") {
                continue;
            }
            let Ok(text) = self.definitions.folder.read_text(Path::new(&path)) else {
                continue;
            };
            if let Ok(element) = xml::read(&text) {
                let place = element
                    .attr_text("index_in_children_list")
                    .and_then(|at| at.parse::<u32>().ok());
                drafts.push((place.unwrap_or(u32::MAX), path, element));
            }
        }
        drafts.sort_by_key(|(place, ..)| *place);
        let drafts = drafts.into_iter().map(|(_, path, element)| (path, element)).collect();
        let drafts = std::rc::Rc::new(drafts);
        self.definitions.drafts = Some(std::rc::Rc::clone(&drafts));
        drafts
    }
}

/// The name of the lesson that a draft belongs to.
fn parent(draft: &Element) -> Option<&str> {
    let usage = draft
        .attr_text("parent_url")
        .or_else(|| draft.attr_text("parent_sequential_url"))?;
    Some(block_of(usage))
}

/// Reports files that were not imported; of the settings, only that they exist.
pub fn report_unused(definitions: &mut Definitions<'_>, context: &PageContext) {
    let taken: BTreeSet<String> = context
        .files
        .drafts
        .iter()
        .map(|file| definitions.folder.name_of(&file.path))
        .collect();
    let mut folders = vec![(String::new(), 0)];
    let (mut unused, mut policies, mut seen) = (Vec::new(), false, 0);
    while let Some((folder, depth)) = folders.pop() {
        let mut names = definitions.folder.list(Path::new(&folder)).unwrap_or_default();
        names.sort();
        for (name, is_folder) in names {
            seen += 1;
            let path = if folder.is_empty() {
                name.clone()
            } else {
                format!("{folder}/{name}")
            };
            if is_folder && depth == 0 && matches!(name.as_str(), "policies" | "assets" | "certificates" | "libraries")
            {
                policies = true;
            } else if is_folder && depth < 16 {
                folders.push((path, depth + 1));
            } else if !is_folder
                && !name.starts_with('.')
                && !definitions.used.contains(&path)
                && !taken.contains(&path)
            {
                unused.push(path);
            }
        }
        if seen > 100_000 {
            break;
        }
    }
    if policies {
        definitions.note("policies", Note::Policies);
    }
    unused.sort();
    for path in unused {
        definitions.report.add(path.clone(), crate::Note::ForeignFile(path));
    }
}
