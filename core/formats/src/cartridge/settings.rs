//! Reports course and module settings of Canvas by name; values are not reported.

use std::path::Path;

use roxmltree::Node;

use super::xml::{child, children, text};
use super::{CANVAS_MARK, COURSE_FOLDER, COURSE_SETTINGS, LATE_POLICY, MAX_PAGES, MODULE_META, RUBRICS, is_html};
use crate::folder::Folder;
use crate::note::cartridge::Note;

/// Files in the settings folder that have no counterpart, for example outcomes.
pub fn files(folder: &Folder) -> Vec<String> {
    let read = |name: &str| {
        let path = format!("{COURSE_FOLDER}/{name}");
        is_html(name)
            || matches!(
                path.as_str(),
                MODULE_META | COURSE_SETTINGS | LATE_POLICY | RUBRICS | CANVAS_MARK
            )
    };
    let names = folder.list(Path::new(COURSE_FOLDER)).unwrap_or_default();
    let mut names: Vec<String> = names.into_iter().map(|(name, _)| name).collect();
    names.retain(|name| !read(name));
    names.sort();
    names
}

/// Names of the module settings in use that are not carried.
pub fn module_settings(root: Node<'_, '_>) -> Vec<String> {
    const NAMES: [&str; 2] = ["completionRequirements", "requirement_count"];
    let is_set = |name: &&'static str| {
        let mut modules = children(root, "module").take(MAX_PAGES);
        modules.any(|module| child(module, name).is_some_and(|node| node.has_children()))
    };
    NAMES.into_iter().filter(is_set).map(str::to_owned).collect()
}

/// Course settings that are carried, or reported for themselves.
const READ: [&str; 5] = [
    "title",
    "start_at",
    "conclude_at",
    "time_zone",
    "restrict_enrollments_to_course_dates",
];

/// Notes the names of the course settings that are not carried, and those in `more`.
pub fn tell(root: Node<'_, '_>, more: &[String], notes: &mut Vec<(String, Note)>) {
    let names: Vec<&str> = root
        .children()
        .filter(|node| node.is_element() && !text(*node).is_empty())
        .map(|node| node.tag_name().name())
        .filter(|name| !READ.contains(name))
        .chain(more.iter().map(String::as_str))
        .take(100)
        .collect();
    if !names.is_empty() {
        notes.push((COURSE_SETTINGS.into(), Note::Settings(names.join(", "))));
    }
}
