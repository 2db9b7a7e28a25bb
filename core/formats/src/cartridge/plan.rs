//! Plans the modules, lessons and pages of a package before any content is read.

use std::collections::{HashMap, HashSet};

use roxmltree::Node;
use uuid::Uuid;

use super::canvas_dates::{ModuleRules, module_ids};
use super::labels::Labels;
use super::manifest::{Item, Manifest, ResourceKind};
use super::xml::{attr, child, children, text_of};
use crate::course::CourseDraft;
use crate::note::cartridge::Note;

#[derive(Debug, Default)]
pub struct Plan {
    pub modules: Vec<PlannedModule>,
}

#[derive(Debug, Default)]
pub struct PlannedModule {
    /// The identifier in the package.
    pub id: String,
    pub title: String,
    pub rules: ModuleRules,
    pub lessons: Vec<PlannedLesson>,
}

#[derive(Debug, Default)]
pub struct PlannedLesson {
    pub id: String,
    pub title: String,
    pub pages: Vec<PlannedPage>,
}

#[derive(Debug, Clone)]
pub struct PlannedPage {
    /// The identifier of the item, or empty.
    pub id: String,
    pub title: String,
    pub target: Target,
    /// The address within a tool that the item opens.
    pub url: Option<String>,
    pub published: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// The index in the manifest.
    Resource(usize),
    /// An address; `tool` distinguishes tools from links.
    Address {
        url: String,
        tool: bool,
    },
    Missing(String),
    /// Paths of files that no resource names.
    Files(Vec<String>),
}

/// An item of a module as Canvas stores it.
#[derive(Debug, Clone)]
struct Entry {
    id: String,
    title: String,
    target: Option<String>,
    url: Option<String>,
    kind: String,
    published: bool,
}

/// A module with its items as a flat list; an entry without a target is a header.
#[derive(Debug, Default)]
pub struct FlatModule {
    id: String,
    title: String,
    published: bool,
    rules: ModuleRules,
    entries: Vec<Entry>,
    nested: bool,
}

/// The modules in `course_settings/module_meta.xml`.
pub fn canvas_modules(root: Node<'_, '_>, notes: &mut Vec<(String, Note)>) -> Vec<FlatModule> {
    let is_off = |node| text_of(node, "workflow_state").is_some_and(|state| state == "unpublished");
    let known = module_ids(root);
    let mut budget = super::MAX_PAGES;
    let modules = children(root, "module").take(super::MAX_PAGES).map(|module| {
        let items = child(module, "items")
            .into_iter()
            .flat_map(|items| children(items, "item"));
        let entries: Vec<Entry> = items
            .take(budget)
            .map(|item| Entry {
                id: attr(item, "identifier").unwrap_or_default().to_owned(),
                title: text_of(item, "title").unwrap_or_default(),
                target: text_of(item, "identifierref"),
                url: text_of(item, "url"),
                kind: text_of(item, "content_type").unwrap_or_default(),
                published: !is_off(item),
            })
            .collect();
        budget -= entries.len();
        let title = text_of(module, "title").unwrap_or_default();
        let mut own_notes = Vec::new();
        let rules = ModuleRules::read(module, &known, &mut own_notes);
        notes.extend(own_notes.into_iter().map(|note| (title.clone(), note)));
        FlatModule {
            id: attr(module, "identifier").unwrap_or_default().to_owned(),
            title,
            published: !is_off(module),
            rules,
            entries,
            nested: false,
        }
    });
    modules.collect()
}

/// The modules in the tree of the manifest.
fn manifest_modules(items: &[Item]) -> Vec<FlatModule> {
    let mut modules: Vec<FlatModule> = Vec::new();
    let mut loose = false;
    for item in items {
        let is_leaf = item.children.is_empty();
        if is_leaf && item.target.is_some() {
            // Consecutive pages outside modules share an untitled module.
            if !loose {
                modules.push(FlatModule {
                    published: true,
                    ..FlatModule::default()
                });
            }
            loose = true;
            if let Some(module) = modules.last_mut() {
                module.entries.push(entry(item));
            }
            continue;
        }
        loose = false;
        let mut module = FlatModule {
            id: item.id.clone(),
            title: item.title.clone(),
            published: true,
            ..FlatModule::default()
        };
        if item.target.is_some() {
            module.entries.push(entry(item));
        }
        for below in &item.children {
            flatten(below, 0, &mut module);
        }
        modules.push(module);
    }
    modules
}

fn entry(item: &Item) -> Entry {
    Entry {
        id: item.id.clone(),
        title: item.title.clone(),
        target: item.target.clone(),
        url: None,
        kind: String::new(),
        published: true,
    }
}

/// Adds a page, or a folder as a header followed by its items.
fn flatten(item: &Item, depth: usize, module: &mut FlatModule) {
    if item.children.is_empty() || item.target.is_some() {
        module.entries.push(entry(item));
    } else {
        module.entries.push(Entry {
            target: None,
            ..entry(item)
        });
    }
    module.nested |= depth > 0 && !item.children.is_empty();
    let mut after_folder = false;
    for below in &item.children {
        let is_folder = !below.children.is_empty();
        if after_folder && !is_folder && below.target.is_some() {
            // Repeat the header of the outer folder for items after an inner one.
            module.entries.push(Entry {
                id: String::new(),
                target: None,
                ..entry(item)
            });
        }
        after_folder = is_folder;
        flatten(below, depth + 1, module);
    }
}

impl Plan {
    /// Combines the modules of Canvas with what only the manifest has.
    pub fn of(manifest: &Manifest, canvas: Vec<FlatModule>, notes: &mut Vec<(String, Note)>) -> Self {
        let mut own = manifest_modules(&manifest.items);
        let mut modules = Vec::new();
        for mut module in canvas {
            let same = own
                .iter()
                .position(|other| !other.id.is_empty() && other.id == module.id);
            if let Some(other) = same.map(|at| own.remove(at)) {
                merge(&mut module, other, manifest, notes);
            }
            modules.push(module);
        }
        modules.extend(own);
        let mut plan = Plan::default();
        for module in modules {
            if module.nested {
                notes.push((module.title.clone(), Note::Nested));
            }
            plan.modules.push(plan_module(module, manifest, notes));
        }
        plan
    }

    /// Appends a module with the pages and quizzes that no module names. Returns their indexes in the manifest.
    pub fn add_unnamed(
        &mut self,
        manifest: &Manifest,
        helpers: &HashSet<usize>,
        title: &str,
        labels: &Labels,
    ) -> Vec<usize> {
        let mut named: HashSet<usize> = HashSet::new();
        for page in self.pages() {
            if let Target::Resource(at) = page.target {
                named.insert(at);
            }
        }
        let (mut pages, mut quizzes) = (vec![], vec![]);
        for (at, resource) in manifest.resources.iter().enumerate() {
            if named.contains(&at) || helpers.contains(&at) {
                continue;
            }
            let list = match resource.kind {
                ResourceKind::Assessment => &mut quizzes,
                // Banks become no pages.
                ResourceKind::QuestionBank => continue,
                // Files that are not HTML are handled after all pages are read.
                ResourceKind::WebContent | ResourceKind::Associated if !super::is_page(resource) => continue,
                _ => &mut pages,
            };
            list.push(at);
        }
        let rest: Vec<usize> = [&pages, &quizzes].into_iter().flatten().copied().collect();
        if rest.is_empty() {
            return rest;
        }
        let lesson = |title: &str, list: Vec<usize>| PlannedLesson {
            id: String::new(),
            title: title.to_owned(),
            pages: list
                .into_iter()
                .map(|at| PlannedPage {
                    id: String::new(),
                    title: String::new(),
                    target: Target::Resource(at),
                    url: None,
                    published: true,
                })
                .collect(),
        };
        let title = if self.modules.is_empty() { title } else { labels.outside };
        let mut lessons = vec![lesson(labels.pages, pages), lesson(labels.quizzes, quizzes)];
        lessons.retain(|lesson| !lesson.pages.is_empty());
        self.modules.push(PlannedModule {
            id: String::new(),
            title: title.to_owned(),
            rules: ModuleRules::default(),
            lessons,
        });
        rest
    }

    /// Sets when the modules of the course, which was made as planned, open.
    pub fn set_rules(&self, course: &mut CourseDraft, notes: &mut Vec<(String, Note)>) {
        let planned = self.modules.iter().zip(&course.modules);
        let ids: HashMap<&str, Uuid> = planned
            .map(|(planned, module)| (planned.id.as_str(), module.id))
            .collect();
        for (planned, module) in self.modules.iter().zip(&mut course.modules) {
            let rules = &planned.rules;
            let needs = rules.needs.iter().filter_map(|id| ids.get(id.as_str()).copied());
            module.prerequisites = needs.collect();
            module.dates = rules.dates;
            if rules.has_unread_dates {
                course.unread_dates.parts.insert(module.id);
            }
            if !rules.is_sequential {
                continue;
            }
            let note = if module.lessons.len() > 1 {
                Note::LessonsInOrder
            } else {
                Note::PagesInOrder
            };
            notes.push((planned.title.clone(), note));
            let mut before = None;
            for lesson in &mut module.lessons {
                lesson.prerequisites.extend(before.replace(lesson.id));
            }
        }
    }

    pub fn pages(&self) -> impl Iterator<Item = &PlannedPage> {
        self.modules
            .iter()
            .flat_map(|module| &module.lessons)
            .flat_map(|lesson| &lesson.pages)
    }
}

/// Adds the items that only the manifest has to a Canvas module.
fn merge(module: &mut FlatModule, manifest: FlatModule, all: &Manifest, notes: &mut Vec<(String, Note)>) {
    let mut at: HashMap<&str, usize> = HashMap::new();
    for (number, entry) in module.entries.iter().enumerate() {
        for id in [Some(&entry.id), entry.target.as_ref()].into_iter().flatten() {
            if !id.is_empty() {
                at.entry(id).or_insert(number);
            }
        }
    }
    let found: Vec<Option<usize>> = manifest
        .entries
        .iter()
        .map(|entry| {
            let by_target = || entry.target.as_deref().and_then(|target| at.get(target));
            at.get(entry.id.as_str()).or_else(by_target).copied()
        })
        .collect();
    // For links, Canvas names no resource but the manifest does.
    let resource = |target: &Option<String>| target.as_deref().and_then(|id| all.find(id)).is_some();
    for (entry, found) in manifest.entries.iter().zip(&found) {
        if let Some(own) = found.and_then(|number| module.entries.get_mut(number))
            && !resource(&own.target)
            && resource(&entry.target)
        {
            own.target.clone_from(&entry.target);
        }
    }
    let known: Vec<usize> = found.iter().flatten().copied().collect();
    let in_order = known.is_sorted();
    let complete = known.iter().collect::<HashSet<_>>().len() == module.entries.len();
    if in_order && complete && known.len() == found.len() {
        return;
    }
    notes.push((
        module.title.clone(),
        Note::OrderDiffers {
            manifest: manifest.entries.len(),
            canvas: module.entries.len(),
        },
    ));
    let mut after: HashMap<Option<usize>, Vec<Entry>> = HashMap::new();
    let mut last = None;
    for (entry, found) in manifest.entries.into_iter().zip(found) {
        match found {
            Some(number) => last = Some(number),
            None => {
                notes.push((module.title.clone(), Note::OnlyInManifest(entry.title.clone())));
                after.entry(last).or_default().push(entry);
            }
        }
    }
    let mut merged = after.remove(&None).unwrap_or_default();
    for (number, entry) in std::mem::take(&mut module.entries).into_iter().enumerate() {
        merged.push(entry);
        merged.extend(after.remove(&Some(number)).unwrap_or_default());
    }
    module.entries = merged;
}

fn plan_module(module: FlatModule, manifest: &Manifest, notes: &mut Vec<(String, Note)>) -> PlannedModule {
    let mut made = PlannedModule {
        id: module.id,
        title: module.title.clone(),
        rules: module.rules,
        lessons: Vec::new(),
    };
    for entry in module.entries {
        let resource = entry.target.as_deref().and_then(|id| manifest.find(id));
        let is_tool = entry.kind == "ContextExternalTool";
        let url = entry.url.clone().filter(|_| is_tool);
        let target = match (resource, entry.url, entry.target) {
            (Some(at), ..) => Target::Resource(at),
            (None, Some(url), _) => Target::Address { url, tool: is_tool },
            (None, None, Some(id)) => Target::Missing(id),
            (None, None, None) => {
                // Headers that Kurso wrote have a lesson identifier, so they need no note.
                if !entry.id.starts_with(super::LESSON_ID) && !entry.id.is_empty() {
                    notes.push((module.title.clone(), Note::Header(entry.title.clone())));
                }
                made.lessons.push(PlannedLesson {
                    id: entry.id,
                    title: entry.title,
                    pages: Vec::new(),
                });
                continue;
            }
        };
        if made.lessons.is_empty() {
            made.lessons.push(PlannedLesson {
                id: String::new(),
                title: module.title.clone(),
                pages: Vec::new(),
            });
        }
        if let Some(lesson) = made.lessons.last_mut() {
            lesson.pages.push(PlannedPage {
                id: entry.id,
                title: entry.title,
                target,
                url,
                published: entry.published && module.published,
            });
        }
    }
    made
}
