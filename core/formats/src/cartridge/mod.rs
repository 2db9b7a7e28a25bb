//! Reader and writer of IMS Common Cartridge 1.0 to 1.3 and Canvas's `.imscc` (docs/common-cartridge.md).

mod assignment;
mod build;
mod canvas_dates;
mod draws;
mod extension;
mod host;
mod html;
mod index;
mod labels;
mod manifest;
mod meta;
mod page;
mod plan;
mod qti;
mod quiz;
mod read;
mod resources;
mod rubrics;
mod settings;
#[cfg(test)]
mod tests;
mod unreferenced;
mod write;
mod xml;

pub use qti::insert_blank;
pub use read::read;
pub use write::{layout, report};
pub(crate) use xml::cleaned;

use manifest::{Resource, ResourceKind};

/// The file at the root of every package.
pub const MANIFEST: &str = "imsmanifest.xml";

/// Pages per course.
const MAX_PAGES: usize = 20_000;

/// Files and folders of Canvas.
const COURSE_FOLDER: &str = "course_settings";
const SYLLABUS: &str = "course_settings/syllabus.html";
const MODULE_META: &str = "course_settings/module_meta.xml";
const COURSE_SETTINGS: &str = "course_settings/course_settings.xml";
const RUBRICS: &str = "course_settings/rubrics.xml";
const LATE_POLICY: &str = "course_settings/late_policy.xml";
const CANVAS_MARK: &str = "course_settings/canvas_export.txt";
const OWN_ASSESSMENTS: &str = "non_cc_assessments";
/// The element of `assignment_settings.xml` that holds the whole quiz of an assignment as JSON.
const OWN_QUIZ: &str = "kurso_quiz";
const WIKI: &str = "wiki_content";
const WEB_RESOURCES: &str = "web_resources";

/// Files that only Kurso writes and reads.
const EXTENSION: &str = "kurso/course.xml";
const GENERATOR: &str = "<meta name=\"generator\" content=\"Kurso\"/>";

/// Prefixes of identifiers that Kurso writes; the key follows.
const MODULE_ID: &str = "kmod_";
const LESSON_ID: &str = "kles_";
const PAGE_ID: &str = "kpage_";
const FILE_ID: &str = "kfile_";

/// Whether a resource that no module names becomes a page.
fn is_page(resource: &Resource) -> bool {
    let kind = matches!(resource.kind, ResourceKind::WebContent | ResourceKind::Associated);
    kind && resource.main().is_some_and(is_html)
}

fn is_html(path: &str) -> bool {
    let path = path.to_ascii_lowercase();
    [".html", ".htm", ".xhtml"].iter().any(|ending| path.ends_with(ending))
}
