//! Reports course and module settings of Canvas by name; values are not reported.

use std::collections::HashSet;
use std::path::Path;

use roxmltree::Node;

use super::plan::needed_modules;
use super::xml::{attr, child, children, text};
use super::{CANVAS_MARK, COURSE_FOLDER, COURSE_SETTINGS, MAX_PAGES, MODULE_META, is_html};
use crate::folder::Folder;
use crate::note::cartridge::Note;

/// Files in the settings folder that have no counterpart, for example rubrics.
pub fn files(folder: &Folder) -> Vec<String> {
    let read = |name: &str| {
        let path = format!("{COURSE_FOLDER}/{name}");
        is_html(name) || matches!(path.as_str(), MODULE_META | COURSE_SETTINGS | CANVAS_MARK)
    };
    let names = folder.list(Path::new(COURSE_FOLDER)).unwrap_or_default();
    let mut names: Vec<String> = names.into_iter().map(|(name, _)| name).collect();
    names.retain(|name| !read(name));
    names.sort();
    names
}

/// Names of the module settings in use that are not carried. Prerequisites are, unless they name something that is no module of the course.
pub fn module_settings(root: Node<'_, '_>) -> Vec<String> {
    const NAMES: [&str; 3] = ["unlock_at", "completionRequirements", "require_sequential_progress"];
    let is_set = |name: &&'static str| {
        let mut modules = children(root, "module").take(MAX_PAGES);
        modules.any(|module| child(module, name).is_some_and(|node| node.has_children() && text(node) != "false"))
    };
    let mut names: Vec<String> = NAMES.into_iter().filter(is_set).map(str::to_owned).collect();
    let modules = || children(root, "module").take(MAX_PAGES);
    let known: HashSet<&str> = modules().filter_map(|module| attr(module, "identifier")).collect();
    let is_carried = |module: Node<'_, '_>| {
        let all = child(module, "prerequisites").map_or(0, |node| children(node, "prerequisite").count());
        let carried = needed_modules(module);
        all == carried.len() && carried.iter().all(|id| known.contains(id.as_str()))
    };
    if !modules().all(is_carried) {
        names.push("prerequisites".to_owned());
    }
    names
}

/// Notes the names of the course settings, except the title, and those in `more`.
pub fn tell(root: Node<'_, '_>, more: &[String], notes: &mut Vec<(String, Note)>) {
    let names: Vec<&str> = root
        .children()
        .filter(|node| node.is_element() && !text(*node).is_empty())
        .map(|node| node.tag_name().name())
        .filter(|name| *name != "title")
        .chain(more.iter().map(String::as_str))
        .take(100)
        .collect();
    if !names.is_empty() {
        notes.push((COURSE_SETTINGS.into(), Note::Settings(names.join(", "))));
    }
}
