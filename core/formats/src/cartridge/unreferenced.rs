//! Finds files of a package that no page shows.

use std::collections::HashSet;
use std::path::Path;

use super::manifest::Manifest;
use super::{CANVAS_MARK, MANIFEST, OWN_ASSESSMENTS};
use crate::folder::Folder;

/// Limits of folder depth and of the number of files.
const MAX_DEPTH: usize = 32;
const MAX_FILES: usize = 20_000;

/// Sorted paths of files that are neither part of the package format nor in `read`: those for everybody, and those
/// for teachers only.
pub fn files(folder: &Folder, manifest: &Manifest, read: &HashSet<String>) -> (Vec<String>, Vec<String>) {
    let mut found = Vec::new();
    list(folder, "", 0, &mut found);
    found.retain(|path| !is_own(path) && !read.contains(path));
    found.sort();
    let teachers: HashSet<&str> = manifest
        .resources
        .iter()
        .filter(|resource| resource.for_teachers)
        .flat_map(|resource| resource.files.iter().map(String::as_str))
        .collect();
    found.into_iter().partition(|path| !teachers.contains(path.as_str()))
}

fn list(folder: &Folder, at: &str, depth: usize, found: &mut Vec<String>) {
    for (name, is_folder) in folder.list(Path::new(at)).unwrap_or_default() {
        let path = if at.is_empty() { name } else { format!("{at}/{name}") };
        if found.len() >= MAX_FILES {
            return;
        }
        match is_folder {
            true if depth < MAX_DEPTH => list(folder, &path, depth + 1, found),
            true => {}
            false => found.push(path),
        }
    }
}

fn is_own(path: &str) -> bool {
    let (top, _) = path.split_once('/').unwrap_or((path, ""));
    matches!(top, "course_settings" | "kurso" | "META-INF" | "__MACOSX")
        || top == OWN_ASSESSMENTS
        || matches!(path, MANIFEST | CANVAS_MARK | "mimetype")
        || path.to_ascii_lowercase().ends_with(".xsd")
        || path
            .rsplit('/')
            .next()
            .is_some_and(|name| matches!(name, ".DS_Store" | "Thumbs.db"))
}
