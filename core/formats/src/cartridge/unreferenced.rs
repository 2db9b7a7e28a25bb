//! Finds files of a package that no page shows.

use std::collections::HashSet;
use std::path::Path;

use super::manifest::Manifest;
use super::{CANVAS_MARK, MANIFEST, OWN_ASSESSMENTS};
use crate::folder::Folder;

/// Limits of folder depth and of the number of files.
const MAX_DEPTH: usize = 32;
pub const MAX_FILES: usize = 20_000;

/// Files that are neither part of the package format nor shown by a page.
pub struct Unreferenced {
    /// Sorted paths.
    pub for_everybody: Vec<String>,
    pub for_teachers: Vec<String>,
    /// The number of files beyond the limits.
    pub beyond: usize,
}

/// The files that are not in `read`.
pub fn files(folder: &Folder, manifest: &Manifest, read: &HashSet<String>) -> Unreferenced {
    let (mut found, mut beyond) = (Vec::new(), 0);
    list(folder, "", 0, &mut found, &mut beyond);
    found.retain(|path| !is_own(path) && !read.contains(path));
    found.sort();
    let teachers: HashSet<&str> = manifest
        .resources
        .iter()
        .filter(|resource| resource.for_teachers)
        .flat_map(|resource| resource.files.iter().map(String::as_str))
        .collect();
    let (for_everybody, for_teachers) = found.into_iter().partition(|path| !teachers.contains(path.as_str()));
    Unreferenced {
        for_everybody,
        for_teachers,
        beyond,
    }
}

fn list(folder: &Folder, at: &str, depth: usize, found: &mut Vec<String>, beyond: &mut usize) {
    for (name, is_folder) in folder.list(Path::new(at)).unwrap_or_default() {
        let path = if at.is_empty() { name } else { format!("{at}/{name}") };
        match is_folder {
            true if depth < MAX_DEPTH => list(folder, &path, depth + 1, found, beyond),
            false if found.len() < MAX_FILES => found.push(path),
            _ => *beyond += 1,
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
