//! Resolves elements to the files that define them: `<vertical url_name="a"/>` is defined in `vertical/a.xml`.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use super::{dates, open_response};
use crate::error::ImportError;
use crate::folder::{Folder, normalize_path};
use crate::note::FileTrouble;
use crate::note::olx::Note;
use crate::report::Report;
use crate::xml::{self, Element};

/// Elements of a course, counted once per use: references can make a small course expand without bound.
const MAX_ELEMENTS: usize = 500_000;
/// Uses of one definition. Real courses use a text twice; malicious ones use it thousands of times.
const MAX_USES: usize = 1000;
/// Bytes of all definitions.
const MAX_TEXT: usize = 128 * 1024 * 1024;

/// An element with its resolved definition.
#[derive(Debug)]
pub struct Definition {
    pub element: Element,
    /// The file that defines the element, as the report names it.
    pub place: String,
    /// [`Definitions::leave`] must remove the element from the stack.
    entered: bool,
}

impl Definition {
    pub fn url_name(&self) -> Option<&str> {
        self.element
            .attr_text("url_name")
            .or_else(|| self.element.attr_text("slug"))
    }

    pub fn title(&self) -> Option<&str> {
        self.element.attr_text("display_name")
    }
}

pub struct Definitions<'a> {
    pub folder: &'a Folder,
    pub report: Report,
    /// Paths of the files that were read.
    pub used: BTreeSet<String>,
    /// Ignored settings by element and name, with the number of their uses.
    settings: BTreeMap<(String, String), usize>,
    /// Titles and dates that courses keep apart from their elements, by path such as `chapter/Week_1`.
    policies: BTreeMap<String, Vec<(String, String)>>,
    /// Whether learners set the pace, so that due dates have no effect.
    pub is_self_paced: bool,
    /// The number of due dates of such a course.
    pub self_paced_dues: usize,
    /// Whether dates of the course could not be read.
    pub has_unread_dates: bool,
    open: Vec<String>,
    shown: HashMap<String, usize>,
    /// Units that were never published, with their files; filled on first use.
    pub drafts: Option<std::rc::Rc<Vec<(String, Element)>>>,
    /// The missing or unreadable definition of the element entered last.
    missing: Option<String>,
    elements: usize,
    bytes: usize,
}

const TITLE: &str = "display_name";

/// Attributes that locate or name an element, or that other modules read.
const USED_ATTRIBUTES: &[&str] = &[
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
    "max_count",
    "text",
    "text_response",
    "text_response_editor",
    "file_upload_response",
    "file_upload_type",
    "allow_file_upload",
    "allow_multiple_files",
    "white_listed_file_types",
    "allow_latex",
    "allow_learner_resubmissions",
    "prompts_type",
];

impl<'a> Definitions<'a> {
    pub fn new(folder: &'a Folder) -> Self {
        Self {
            folder,
            report: Report::default(),
            used: BTreeSet::new(),
            settings: BTreeMap::new(),
            policies: BTreeMap::new(),
            is_self_paced: false,
            self_paced_dues: 0,
            has_unread_dates: false,
            open: Vec::new(),
            shown: HashMap::new(),
            drafts: None,
            missing: None,
            elements: 0,
            bytes: 0,
        }
    }

    pub fn note(&mut self, place: impl Into<String>, note: Note) {
        self.report.add(place, crate::Note::Olx(note));
    }

    /// Reads a file of the course as text.
    pub fn text(&mut self, path: &str) -> Result<String, FileTrouble> {
        let text = self.folder.read_text(Path::new(path))?;
        self.used.insert(path.to_owned());
        self.bytes += text.len();
        Ok(text)
    }

    /// Reads an XML file; notes why if that fails.
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

    /// Resolves the element. Returns `None` and adds a note if the definition is missing, unreadable or recursive.
    /// Call [`Definitions::leave`] after reading the content.
    pub fn enter(&mut self, element: &Element, place: &str) -> Result<Option<Definition>, ImportError> {
        self.elements += 1;
        if self.elements > MAX_ELEMENTS || self.bytes > MAX_TEXT {
            return Err(ImportError::TooLarge);
        }
        let mut found = Definition {
            element: element.clone(),
            place: place.to_owned(),
            entered: false,
        };
        let url_name = found.url_name().map(str::to_owned);
        let is_missing = |name: &str| definition(&element.name, name).is_none() && is_pointer(element);
        if ALWAYS_IN_FILES.contains(&element.name.as_str()) && url_name.as_deref().is_some_and(is_missing) {
            let path = format!("{}/{}", element.name, url_name.unwrap_or_default());
            self.missing = Some(path.clone());
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
                // These elements may be defined inline, so a missing file is not an error.
                if !self.exists(&path) && !ALWAYS_IN_FILES.contains(&element.name.as_str()) {
                    return Ok(Some(self.record_settings(found)));
                }
                let shown = self.shown.entry(path.clone()).or_default();
                *shown += 1;
                if *shown > MAX_USES {
                    return Err(ImportError::TooLarge);
                }
                let Some(mut defined) = self.file(&path) else {
                    self.missing = Some(path);
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
        Ok(Some(self.record_settings(found)))
    }

    /// Takes the path of the missing definition.
    pub fn missing(&mut self) -> Option<String> {
        self.missing.take()
    }

    pub fn leave(&mut self, found: &Definition) {
        if found.entered {
            self.open.pop();
        }
    }

    /// Counts the settings that are not imported, by name only, and fills in the title.
    fn record_settings(&mut self, mut found: Definition) -> Definition {
        let element = &found.element;
        let dates = dates::names_of(&element.name);
        for (name, value) in &element.attrs {
            let is_usual = element.is("openassessment") && open_response::is_usual(name, value);
            if !is_usual && !USED_ATTRIBUTES.contains(&name.as_str()) && !dates.contains(&name.as_str()) {
                let key = (element.name.clone(), name.clone());
                *self.settings.entry(key).or_default() += 1;
            }
        }
        let policy = found
            .url_name()
            .and_then(|name| self.policies.get(&format!("{}/{name}", found.element.name)));
        for (name, value) in policy.into_iter().flatten() {
            let is_used = name == TITLE || dates.contains(&name.as_str());
            if is_used && found.element.attr_text(name).is_none() {
                found.element.attrs.push((name.clone(), value.clone()));
            }
        }
        if found.title().is_none()
            && let Some(old) = found.element.attr_text("name").map(str::to_owned)
        {
            found.element.attrs.push((TITLE.into(), old));
        }
        found
    }

    /// Counts a setting that the reader of an element could not use.
    pub fn not_imported(&mut self, element: &Element, name: &str) {
        *self
            .settings
            .entry((element.name.clone(), name.to_owned()))
            .or_default() += 1;
    }

    /// Reads titles and dates from the policy file, and nothing else in it.
    pub fn read_policies(&mut self, run: &str) {
        for path in [format!("policies/{run}/policy.json"), format!("policies/{run}.json")] {
            let Ok(text) = self.folder.read_text(Path::new(&path)) else {
                continue;
            };
            let Ok(serde_json::Value::Object(all)) = serde_json::from_str(&text) else {
                continue;
            };
            for (name, settings) in all.into_iter().take(MAX_ELEMENTS) {
                let value = |key: &&str| match settings.get(key)? {
                    serde_json::Value::String(text) => Some(((*key).to_owned(), text.clone())),
                    serde_json::Value::Bool(flag) => Some(((*key).to_owned(), flag.to_string())),
                    _ => None,
                };
                let keys = [TITLE].iter().chain(&dates::COURSE).chain(&dates::PROBLEM);
                let read: Vec<_> = keys.filter_map(value).collect();
                if !read.is_empty() {
                    self.policies.insert(name, read);
                }
            }
        }
    }

    pub fn report_settings(&mut self, place: &str) {
        if self.self_paced_dues > 0 {
            self.note(place, Note::SelfPaced(self.self_paced_dues));
        }
        for ((element, name), count) in std::mem::take(&mut self.settings) {
            self.note(place, Note::Setting { name, element, count });
        }
    }
}

/// Elements that are always defined in a file of their own.
const ALWAYS_IN_FILES: &[&str] = &["course", "chapter", "sequential", "vertical", "problem", "html"];

/// Whether the element has no content of its own.
fn is_pointer(element: &Element) -> bool {
    element.attrs.iter().all(|(name, _)| {
        matches!(
            name.as_str(),
            "url_name" | "org" | "course" | "slug" | "run" | "display_name"
        )
    })
}

/// The path of the file that defines an element, or `None` if the name leaves the folder.
fn definition(tag: &str, name: &str) -> Option<String> {
    path_within(tag, name, "xml")
}

/// The path of a file in a folder of the course, or `None` if the name leaves that folder.
pub fn path_within(tag: &str, name: &str, ending: &str) -> Option<String> {
    let path = format!("{tag}/{}.{ending}", name.replace(':', "/"));
    let flat = normalize_path(&PathBuf::from("/root").join(&path));
    let inside = flat.strip_prefix(format!("/root/{tag}")).ok()?;
    Some(format!("{tag}/{}", inside.to_str()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definition_paths_stay_below_their_folder() {
        assert_eq!(definition("html", "intro").as_deref(), Some("html/intro.xml"));
        assert_eq!(definition("html", "week:intro").as_deref(), Some("html/week/intro.xml"));
        assert_eq!(definition("html", "../../etc/passwd"), None);
        assert_eq!(definition("html", "../policies/x"), None);
    }
}
