//! Elements of a course and the files that define them: `<vertical url_name="a"/>` is what `vertical/a.xml` says.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use super::note::Note;
use crate::exchange::error::ImportError;
use crate::exchange::folder::{Folder, flattened};
use crate::exchange::note::FileTrouble;
use crate::exchange::report::Report;
use crate::exchange::xml::{self, Element};

/// Elements of a course, each counted as often as it is shown: references let a small course be endless.
const MAX_ELEMENTS: usize = 500_000;
/// How often one definition may be shown: courses show a text twice, and those that double themselves a thousand times.
const MAX_SHOWN: usize = 1000;
/// Bytes of all definitions.
const MAX_TEXT: usize = 128 * 1024 * 1024;

/// An element whose definition was found.
#[derive(Debug)]
pub struct Found {
    pub element: Element,
    /// The file it is defined in, as the report names it.
    pub place: String,
    /// What is still to be left when it is done: see [`Definitions::leave`].
    entered: bool,
}

impl Found {
    pub fn url_name(&self) -> Option<&str> {
        self.element.said("url_name").or_else(|| self.element.said("slug"))
    }

    pub fn title(&self) -> Option<&str> {
        self.element.said("display_name")
    }
}

pub struct Definitions<'a> {
    pub folder: &'a Folder,
    pub report: Report,
    /// Files that were read, from the folder on.
    pub used: BTreeSet<String>,
    /// Settings nobody reads: element and name, and how many there are.
    settings: BTreeMap<(String, String), usize>,
    /// Titles from old courses, which kept them apart: `chapter/Week_1`.
    titles: BTreeMap<String, String>,
    open: Vec<String>,
    shown: HashMap<String, usize>,
    /// Units that were never published, with the files they are in, once somebody asked.
    pub drafts: Option<std::rc::Rc<Vec<(String, Element)>>>,
    /// Of the element entered last: the definition that is not there or cannot be read.
    lost: Option<String>,
    elements: usize,
    bytes: usize,
}

/// Attributes that say where an element is or what it is called, or that are read elsewhere.
const READ: &[&str] = &[
    "url_name",
    "slug",
    "display_name",
    "filename",
    "org",
    "course",
    "run",
    "name",
    "markdown",
    "parent_url",
    "parent_sequential_url",
    "index_in_children_list",
    "youtube",
    "youtube_id_1_0",
    "youtube_id_0_75",
    "youtube_id_1_25",
    "youtube_id_1_5",
    "html5_sources",
    "sub",
    "transcripts",
    "track",
    "handout",
    "source",
    "edx_video_id",
    "weight",
    "max_attempts",
    "showanswer",
    "visible_to_staff_only",
    "language",
    "data",
    "question_text",
    "url",
    "href",
    "launch_url",
    "question",
    "answers",
    "questions",
    "instructions",
    "editor",
    "xblock-family",
    "max_items_per_zone",
    "text",
];

impl<'a> Definitions<'a> {
    pub fn new(folder: &'a Folder) -> Self {
        Self {
            folder,
            report: Report::default(),
            used: BTreeSet::new(),
            settings: BTreeMap::new(),
            titles: BTreeMap::new(),
            open: Vec::new(),
            shown: HashMap::new(),
            drafts: None,
            lost: None,
            elements: 0,
            bytes: 0,
        }
    }

    pub fn note(&mut self, place: impl Into<String>, note: Note) {
        self.report.add(place, crate::exchange::Note::Olx(note));
    }

    /// The text of a file of the course.
    pub fn text(&mut self, path: &str) -> Result<String, FileTrouble> {
        let text = self.folder.read_text(Path::new(path))?;
        self.used.insert(path.to_owned());
        self.bytes += text.len();
        Ok(text)
    }

    /// An element of XML in a file of its own.
    pub fn file(&mut self, path: &str) -> Option<Element> {
        let note = match self.text(path) {
            Ok(text) => match xml::read(&text) {
                Ok(element) => return Some(element),
                Err(trouble) => Note::Xml {
                    path: path.to_owned(),
                    trouble,
                },
            },
            Err(trouble) => Note::Definition {
                path: path.to_owned(),
                trouble,
            },
        };
        self.note(path, note);
        None
    }

    pub fn exists(&self, path: &str) -> bool {
        self.folder.find(Path::new(path)).is_ok()
    }

    /// The element with what its file says of it. None, with a line in the report, when that is not there, cannot be read or
    /// is inside itself. Whoever is done with what is in it calls [`Definitions::leave`].
    pub fn enter(&mut self, element: &Element, place: &str) -> Result<Option<Found>, ImportError> {
        self.elements += 1;
        if self.elements > MAX_ELEMENTS || self.bytes > MAX_TEXT {
            return Err(ImportError::TooLarge);
        }
        let mut found = Found {
            element: element.clone(),
            place: place.to_owned(),
            entered: false,
        };
        let url_name = found.url_name().map(str::to_owned);
        let is_lost = |name: &str| definition(&element.name, name).is_none() && is_pointer(element);
        if POINTED.contains(&element.name.as_str()) && url_name.as_deref().is_some_and(is_lost) {
            let path = format!("{}/{}", element.name, url_name.unwrap_or_default());
            self.lost = Some(path.clone());
            let trouble = FileTrouble::Outside;
            self.note(place, Note::Definition { path, trouble });
            return Ok(None);
        }
        if element.elements().next().is_none()
            && let Some(path) = url_name.as_deref().and_then(|name| definition(&element.name, name))
        {
            let pointer = element.text().trim().is_empty() && is_pointer(element);
            if self.open.contains(&path) {
                self.note(place, Note::Cycle(path));
                return Ok(None);
            }
            if pointer || self.exists(&path) {
                // An element of an inline kind that has no file is all there is of it.
                if !self.exists(&path) && !POINTED.contains(&element.name.as_str()) {
                    return Ok(Some(self.told(found)));
                }
                let shown = self.shown.entry(path.clone()).or_default();
                *shown += 1;
                if *shown > MAX_SHOWN {
                    return Err(ImportError::TooLarge);
                }
                let Some(mut defined) = self.file(&path) else {
                    self.lost = Some(path);
                    return Ok(None);
                };
                for (name, value) in &element.attrs {
                    if defined.attr(name).is_none() {
                        defined.attrs.push((name.clone(), value.clone()));
                    }
                }
                found.element = defined;
                found.place = path.clone();
                found.entered = true;
                self.open.push(path);
            }
        }
        Ok(Some(self.told(found)))
    }

    /// The definition for the want of which nothing was entered.
    pub fn lost(&mut self) -> Option<String> {
        self.lost.take()
    }

    pub fn leave(&mut self, found: &Found) {
        if found.entered {
            self.open.pop();
        }
    }

    /// Takes note of the settings that mean nothing here, by their names alone.
    fn told(&mut self, mut found: Found) -> Found {
        let element = &found.element;
        for (name, _) in &element.attrs {
            if !READ.contains(&name.as_str()) {
                let key = (element.name.clone(), name.clone());
                *self.settings.entry(key).or_default() += 1;
            }
        }
        if found.title().is_none() {
            let old = found.element.said("name").map(str::to_owned);
            let kept_apart = found
                .url_name()
                .and_then(|name| self.titles.get(&format!("{}/{name}", found.element.name)).cloned());
            if let Some(title) = kept_apart.or(old) {
                found.element.attrs.push(("display_name".into(), title));
            }
        }
        found
    }

    /// Old courses keep titles in the file of settings; nothing but titles is taken from it.
    pub fn read_titles(&mut self, run: &str) {
        for path in [format!("policies/{run}/policy.json"), format!("policies/{run}.json")] {
            let Ok(text) = self.folder.read_text(Path::new(&path)) else {
                continue;
            };
            let Ok(serde_json::Value::Object(all)) = serde_json::from_str(&text) else {
                continue;
            };
            for (name, settings) in all.into_iter().take(MAX_ELEMENTS) {
                if let Some(title) = settings.get("display_name").and_then(serde_json::Value::as_str) {
                    self.titles.insert(name, title.to_owned());
                }
            }
        }
    }

    pub fn tell_settings(&mut self, place: &str) {
        for ((element, name), count) in std::mem::take(&mut self.settings) {
            self.note(place, Note::Setting { name, element, count });
        }
    }
}

/// Elements that a course has in files of their own: without the file there is nothing.
const POINTED: &[&str] = &["course", "chapter", "sequential", "vertical", "problem", "html"];

/// Whether it says nothing but where it is.
fn is_pointer(element: &Element) -> bool {
    element.attrs.iter().all(|(name, _)| {
        matches!(
            name.as_str(),
            "url_name" | "org" | "course" | "slug" | "run" | "display_name"
        )
    })
}

/// The file that defines an element; none for a name that is no path in the folder.
fn definition(tag: &str, name: &str) -> Option<String> {
    within(tag, name, "xml")
}

/// A file of that ending in a folder of the course, or none when the name leads out of that folder.
pub fn within(tag: &str, name: &str, ending: &str) -> Option<String> {
    let path = format!("{tag}/{}.{ending}", name.replace(':', "/"));
    let flat = flattened(&PathBuf::from("/root").join(&path));
    let inside = flat.strip_prefix(format!("/root/{tag}")).ok()?;
    Some(format!("{tag}/{}", inside.to_str()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_elements_are_paths_below_their_kind() {
        assert_eq!(definition("html", "intro").as_deref(), Some("html/intro.xml"));
        assert_eq!(definition("html", "week:intro").as_deref(), Some("html/week/intro.xml"));
        assert_eq!(definition("html", "../../etc/passwd"), None);
        assert_eq!(definition("html", "../policies/x"), None);
    }
}
