//! IMS Common Cartridge 1.0 to 1.3 and Canvas's `.imscc`, in and out (docs/common-cartridge.md).

mod anchors;
mod build;
mod extension;
mod host;
mod html;
mod manifest;
mod meta;
mod note;
mod out;
mod page;
mod plan;
mod qti;
mod quiz;
mod read;
mod rest;
mod settings;
#[cfg(test)]
mod tests;
mod words;
mod xml;

pub use note::Note;
pub use out::layout;
pub use qti::put_blank;
pub use read::read;

use manifest::{Resource, ResourceKind};

/// What every package has at its root.
pub const MANIFEST: &str = "imsmanifest.xml";

/// Pages of one course.
const MAX_PAGES: usize = 20_000;

/// Canvas's own files.
const COURSE_FOLDER: &str = "course_settings";
const SYLLABUS: &str = "course_settings/syllabus.html";
const MODULE_META: &str = "course_settings/module_meta.xml";
const COURSE_SETTINGS: &str = "course_settings/course_settings.xml";
const CANVAS_MARK: &str = "course_settings/canvas_export.txt";
const OWN_ASSESSMENTS: &str = "non_cc_assessments";
const WIKI: &str = "wiki_content";
const WEB_RESOURCES: &str = "web_resources";

/// What only Kurso writes and reads.
const EXTENSION: &str = "kurso/course.xml";
const GENERATOR: &str = "<meta name=\"generator\" content=\"Kurso\"/>";

/// Identifiers of what we write: what follows is the key.
const MODULE_ID: &str = "kmod_";
const LESSON_ID: &str = "kles_";
const PAGE_ID: &str = "kpage_";

/// Whether a resource that no module names is a text to read.
fn is_page(resource: &Resource) -> bool {
    let kind = matches!(resource.kind, ResourceKind::WebContent | ResourceKind::Associated);
    kind && resource.main().is_some_and(is_html)
}

fn is_html(path: &str) -> bool {
    let path = path.to_ascii_lowercase();
    [".html", ".htm", ".xhtml"].iter().any(|ending| path.ends_with(ending))
}
