//! Which page each resource becomes, and the names under which pages and files are linked.

use std::collections::{HashMap, HashSet};

use uuid::Uuid;

use super::build::PageBuilder;
use super::host::Index;
use super::manifest::{Manifest, ResourceKind};
use super::plan::{Plan, Target};
use super::{FILE_ID, SYLLABUS, WIKI, is_html};
use crate::content;

/// Resources that belong to another resource or are a variant of one, and so get no page.
pub fn helpers(manifest: &Manifest) -> HashSet<usize> {
    let mut helpers = HashSet::new();
    for (at, resource) in manifest.resources.iter().enumerate() {
        if resource.variant_of.is_some() {
            helpers.insert(at);
        }
        let owner = matches!(
            resource.kind,
            ResourceKind::Assessment | ResourceKind::QuestionBank | ResourceKind::Topic | ResourceKind::Assignment
        );
        if owner {
            let needed = resource.dependencies.iter().filter_map(|id| manifest.find(id));
            let needed = needed.filter(|other| {
                manifest
                    .resources
                    .get(*other)
                    .is_some_and(|other| other.kind == ResourceKind::Associated)
            });
            helpers.extend(needed);
        }
    }
    helpers
}

/// The files of a course that Kurso exported; an HTML file among them is no page.
pub fn own_files(manifest: &Manifest) -> impl Iterator<Item = usize> {
    let is_file = |id: &str| id.starts_with(FILE_ID);
    let resources = manifest.resources.iter().enumerate();
    resources
        .filter(move |(_, resource)| is_file(&resource.id))
        .map(|(at, _)| at)
}

impl PageBuilder<'_> {
    /// Assigns an id to every planned page and indexes the names under which it can be linked.
    pub fn index_pages(&mut self, plan: &Plan) -> Vec<Uuid> {
        let mut ids = Vec::new();
        let mut index = Index::default();
        let manifest = self.manifest;
        let mut first = HashMap::new();
        for module in &plan.modules {
            let from = ids.len();
            for page in module.lessons.iter().flat_map(|lesson| &lesson.pages) {
                let id = Uuid::now_v7();
                ids.push(id);
                if !page.id.is_empty() {
                    index.ids.entry(page.id.clone()).or_insert(id);
                }
                let Target::Resource(at) = page.target else { continue };
                if *first.entry(at).or_insert(id) != id {
                    continue;
                }
                let Some(resource) = manifest.resources.get(at) else {
                    continue;
                };
                if manifest.find(&resource.id) == Some(at) {
                    index.ids.insert(resource.id.clone(), id);
                }
                if matches!(resource.kind, ResourceKind::Assessment | ResourceKind::QuestionBank) {
                    let places = self.places(resource);
                    let meta = self.quiz_meta(&places);
                    self.notes.clear();
                    index.ids.extend(meta.aliases.into_iter().map(|name| (name, id)));
                }
                let Some(path) = resource.main().filter(|path| is_html(path)) else {
                    continue;
                };
                let decoded = content::decoded(path);
                index.paths.entry(decoded).or_insert(id);
                index.paths.entry(path.to_owned()).or_insert(id);
                if path == SYLLABUS {
                    index.ids.entry("syllabus".into()).or_insert(id);
                }
                if path.starts_with(WIKI) {
                    let name = path.rsplit('/').next().unwrap_or_default();
                    let slug = name.rsplit_once('.').map_or(name, |(slug, _)| slug);
                    index.slugs.entry(slug.to_owned()).or_insert(id);
                }
            }
            if let Some(id) = ids.get(from)
                && !module.id.is_empty()
            {
                index.ids.entry(module.id.clone()).or_insert(*id);
            }
        }
        for resource in &manifest.resources {
            if let Some(id) = resource
                .variant_of
                .as_ref()
                .and_then(|other| index.ids.get(other))
                .copied()
            {
                index.ids.entry(resource.id.clone()).or_insert(id);
                for path in resource.files.iter().filter(|path| is_html(path)) {
                    index.paths.entry(path.clone()).or_insert(id);
                }
            }
            if resource.kind == ResourceKind::WebContent
                && let Some(path) = resource.main().filter(|path| !is_html(path))
            {
                index
                    .files
                    .entry(resource.id.clone())
                    .or_insert_with(|| path.to_owned());
            }
        }
        self.index = index;
        ids
    }
}
