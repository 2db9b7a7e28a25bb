//! Identifiers, paths and addresses in a package.

use std::collections::{HashMap, HashSet};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use uuid::Uuid;

use crate::cartridge::{LESSON_ID, MODULE_ID, PAGE_ID, WEB_RESOURCES, WIKI};
use crate::content::Href;
use crate::course::{CourseDraft, FileDraft, PageDraft};
use crate::keys::key_of;
use crate::native::{FileNames, slug};

/// Characters that are not percent-encoded in an address.
const SEGMENT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

const FILE_BASE: &str = "$IMS-CC-FILEBASE$";

pub struct ModuleName {
    pub id: String,
    pub lessons: Vec<String>,
}

pub struct PageName {
    /// The identifier of the resource.
    pub id: String,
    pub item: String,
    pub title: String,
    /// The path of the HTML, or of the quiz in the profile's format.
    pub path: String,
    pub kind: Kind,
}

/// As what a page is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Text,
    Quiz,
    Assignment,
}

impl Kind {
    fn of(page: &PageDraft) -> Self {
        match &page.quiz {
            None => Kind::Text,
            Some(quiz) if quiz.is_assignment() => Kind::Assignment,
            Some(_) => Kind::Quiz,
        }
    }

    /// The name in `module_meta.xml`.
    pub fn in_module(self) -> &'static str {
        match self {
            Kind::Text => "WikiPage",
            Kind::Quiz => "Quizzes::Quiz",
            Kind::Assignment => "Assignment",
        }
    }
}

pub struct Plan<'a> {
    pub modules: Vec<ModuleName>,
    pub pages: Vec<PageName>,
    /// Path and file by file key.
    pub files: HashMap<String, (String, &'a FileDraft)>,
    addresses: HashMap<Uuid, String>,
}

/// The title in the package, which must not be empty.
pub fn title(page: &PageDraft) -> String {
    page.title
        .clone()
        .filter(|title| !title.is_empty())
        .unwrap_or_else(|| "Untitled".into())
}

/// The settings of an assignment.
pub fn settings_path(id: &str) -> String {
    format!("{id}/assignment_settings.xml")
}

pub fn meta_path(id: &str) -> String {
    format!("{id}/assessment_meta.xml")
}

impl<'a> Plan<'a> {
    pub fn of(course: &'a CourseDraft) -> Self {
        let mut plan = Plan {
            modules: Vec::new(),
            pages: Vec::new(),
            files: HashMap::new(),
            addresses: HashMap::new(),
        };
        let mut taken = HashSet::new();
        // Keys may repeat within a course; then the id is used.
        let mut named = |prefix: &str, key: &Option<String>, id: Uuid| {
            let wanted = format!("{prefix}{}", key.clone().unwrap_or_else(|| key_of(id)));
            if taken.insert(wanted.clone()) {
                wanted
            } else {
                format!("{prefix}{}", id.simple())
            }
        };
        let mut slugs = HashSet::new();
        for module in &course.modules {
            let mut lessons = Vec::new();
            for lesson in &module.lessons {
                lessons.push(named(LESSON_ID, &lesson.key, lesson.id));
                for page in &lesson.pages {
                    let id = named(PAGE_ID, &page.key, page.id);
                    let item = id.replacen(PAGE_ID, "kitem_", 1);
                    let title = title(page);
                    let kind = Kind::of(page);
                    let (path, address) = match kind {
                        Kind::Quiz => (
                            format!("{id}/assessment_qti.xml"),
                            format!("$CANVAS_OBJECT_REFERENCE$/quizzes/{id}"),
                        ),
                        Kind::Assignment => (
                            format!("{id}/assignment.html"),
                            format!("$CANVAS_OBJECT_REFERENCE$/assignments/{id}"),
                        ),
                        Kind::Text => {
                            let base = slug(&title, "page");
                            let free = (1..).map(|number| match number {
                                1 => base.clone(),
                                number => format!("{base}-{number}"),
                            });
                            let name = free
                                .into_iter()
                                .find(|name| slugs.insert(name.clone()))
                                .unwrap_or_default();
                            (format!("{WIKI}/{name}.html"), format!("$WIKI_REFERENCE$/pages/{name}"))
                        }
                    };
                    plan.addresses.insert(page.id, address);
                    plan.pages.push(PageName {
                        id,
                        item,
                        title,
                        path,
                        kind,
                    });
                }
            }
            let id = named(MODULE_ID, &module.key, module.id);
            plan.modules.push(ModuleName { id, lessons });
        }
        let mut names = FileNames::default();
        for file in &course.files {
            if !plan.files.contains_key(&file.key) {
                let path = format!("{WEB_RESOURCES}/{}", names.free(&file.filename));
                plan.files.insert(file.key.clone(), (path, file));
            }
        }
        plan
    }

    /// The package address for an address of the course; `None` if it stays the same.
    pub fn address(&self, address: &str) -> Option<String> {
        let anchored = |address: &str, anchor: Option<&str>| match anchor {
            Some(anchor) => format!("{address}#{}", utf8_percent_encode(anchor, SEGMENT)),
            None => address.to_owned(),
        };
        match Href::parse(address)? {
            Href::File(file) => {
                let (path, _) = self.files.get(file.key)?;
                Some(file_address(path))
            }
            Href::Page { page, anchor } => Some(anchored(self.addresses.get(&page)?, anchor)),
            Href::Anchor(anchor) => Some(anchored("", Some(anchor))),
            _ => None,
        }
    }

    /// Files by their addresses in the package.
    pub fn by_address(&self) -> HashMap<String, FileDraft> {
        let all = self.files.values();
        all.map(|(path, file)| (file_address(path), (*file).clone())).collect()
    }
}

fn file_address(path: &str) -> String {
    let name = path.strip_prefix(WEB_RESOURCES).unwrap_or(path).trim_start_matches('/');
    format!("{FILE_BASE}/{}", utf8_percent_encode(name, SEGMENT))
}
