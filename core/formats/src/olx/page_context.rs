//! State shared by the pages of a course: files, pending links, and the resolution of Open edX addresses.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::definitions::Definitions;
use crate::Note;
use crate::content::decoded;
use crate::error::ImportError;
use crate::files::Files;
use crate::folder::{Folder, normalize_path};
use crate::html::{Converted, Media};
use crate::html_host::{self, LinkTarget, TextHost};
use crate::links::PendingLinks;
use crate::note::FileTrouble;
use kurso_base::messages::Lang;

/// The folder of the files.
const STATIC: &str = "static";

/// Nodes of all pages, which are in memory at the same time.
const MAX_NODES: usize = 2_000_000;

pub struct PageContext {
    pub files: Files,
    pub pending: PendingLinks,
    pub lang: Lang,
    nodes: usize,
    /// Names of the files in `static` by the names that Open edX gives them.
    static_names: HashMap<String, String>,
}

impl PageContext {
    pub fn new(lang: Lang, folder: &Folder, scratch: &Path) -> Self {
        let listed = folder.list(Path::new(STATIC)).unwrap_or_default();
        let files = listed.into_iter().filter(|(_, is_folder)| !is_folder);
        Self {
            static_names: files.map(|(name, _)| (cleaned(&name), name)).collect(),
            files: Files::in_scratch(scratch),
            pending: PendingLinks::default(),
            lang,
            nodes: 0,
        }
    }

    /// Selects the text in the language of the course.
    pub fn localized<'s>(&self, en: &'s str, ru: &'s str) -> &'s str {
        match self.lang {
            Lang::En => en,
            Lang::Ru => ru,
        }
    }

    pub fn convert(&mut self, definitions: &mut Definitions<'_>, html: &str, place: &str) -> Converted {
        let html = with_tex(html);
        let static_names = &self.static_names;
        let mut host = TextHost {
            folder: definitions.folder,
            files: &mut self.files,
            pending: &mut self.pending,
            resolve: &|href| resolve_in(static_names, href),
            place,
            notes: Vec::new(),
        };
        let converted = html_host::convert(&html, self.lang, &mut host);
        for (line, note) in host.notes {
            definitions.report.add(html_host::place(place, line), note);
        }
        self.nodes += converted.nodes;
        converted
    }

    /// Converts a separate text, such as a prompt, an option or an explanation.
    pub fn document(&mut self, definitions: &mut Definitions<'_>, html: &str, place: &str) -> Value {
        html_host::document(self.convert(definitions, html, place).blocks)
    }

    /// Fails if the course exceeds the memory limit.
    pub fn check(&self) -> Result<(), ImportError> {
        if self.nodes > MAX_NODES {
            Err(ImportError::TooLarge)
        } else {
            Ok(())
        }
    }

    /// Copies the file at an address of the course.
    pub fn file(&mut self, definitions: &Definitions<'_>, address: &str) -> Result<Media, FileTrouble> {
        match resolve_in(&self.static_names, address) {
            LinkTarget::File(paths) => html_host::take(definitions.folder, &mut self.files, &paths),
            _ => Err(FileTrouble::Missing),
        }
    }

    /// A file of the course as an attachment block.
    pub fn attachment(&mut self, definitions: &mut Definitions<'_>, address: &str, place: &str) -> Option<Value> {
        match self.file(definitions, address) {
            Ok(media) => html_host::attachment(&self.files, &media),
            Err(trouble) => {
                let href = address.to_owned();
                definitions.report.add(place, Note::LinkFile { href, trouble });
                None
            }
        }
    }
}

/// The name that Open edX gives an uploaded file: it replaces spaces and other characters by `_`.
fn cleaned(name: &str) -> String {
    let is_kept = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '-' | '%');
    name.chars().map(|c| if is_kept(c) { c } else { '_' }).collect()
}

/// Resolves an address. Texts use the cleaned names of files, but an export has their own names.
fn resolve_in(static_names: &HashMap<String, String>, href: &str) -> LinkTarget {
    match resolve_address(href) {
        LinkTarget::File(mut paths) => {
            let name = paths.first().and_then(|path| path.file_name()).unwrap_or_default();
            let own = static_names.get(&cleaned(&name.to_string_lossy()));
            let own = own.map(|name| Path::new(STATIC).join(name));
            paths.extend(own.filter(|own| !paths.contains(own)));
            LinkTarget::File(paths)
        }
        other => other,
    }
}

/// Replaces Open edX math delimiters by those of MathJax.
fn with_tex(html: &str) -> String {
    if !html.contains("[mathjax") {
        return html.to_owned();
    }
    html.replace("[mathjaxinline]", "\\(")
        .replace("[/mathjaxinline]", "\\)")
        .replace("[mathjax]", "\\[")
        .replace("[/mathjax]", "\\]")
}

/// Resolves an address of an Open edX course.
pub fn resolve_address(href: &str) -> LinkTarget {
    let href = href.trim();
    if let Some(fragment) = href.strip_prefix('#') {
        return page(None, fragment);
    }
    let (path, fragment) = href.split_once('#').unwrap_or((href, ""));
    if let Some(rest) = path.strip_prefix("/static/").or_else(|| path.strip_prefix("static/")) {
        return file(rest);
    }
    // File addresses include the course: /asset-v1:Org+Course+Run+type@asset+block@picture.png
    if let Some((_, name)) = path
        .split_once("type@asset+block@")
        .or_else(|| path.split_once("type@asset+block/"))
    {
        return file(name);
    }
    if let Some(rest) = path.strip_prefix("/c4x/") {
        return file(rest.rsplit('/').next().unwrap_or_default());
    }
    if let Some((_, name)) = path.split_once("/jump_to_id/") {
        return page(Some(name), fragment);
    }
    if let Some((_, usage)) = path.split_once("/jump_to/") {
        return page(Some(block_of(usage)), fragment);
    }
    if let Some(rest) = path.strip_prefix("/course/").or_else(|| path.strip_prefix("course/")) {
        let inner = rest.strip_prefix("courseware/").unwrap_or(rest);
        let named = inner
            .split('/')
            .rfind(|part| !part.is_empty() && part.parse::<u32>().is_err());
        return match named {
            Some("courseware" | "course" | "info") | None => page(Some(""), ""),
            Some(name) => page(Some(name), fragment),
        };
    }
    if path.starts_with("//") {
        return html_host::web_address(&format!("https:{href}"));
    }
    if crate::content::has_scheme(href) {
        return html_host::web_address(href);
    }
    LinkTarget::Unsupported
}

/// The block name in `block-v1:Org+Course+Run+type@vertical+block@name` or `i4x://Org/Course/vertical/name`.
pub fn block_of(usage: &str) -> &str {
    let usage = usage.trim_end_matches('/');
    match usage.rsplit_once("block@") {
        Some((_, name)) => name.split('/').next().unwrap_or(name),
        None => usage.rsplit('/').next().unwrap_or(usage),
    }
}

fn page(to: Option<&str>, fragment: &str) -> LinkTarget {
    LinkTarget::Page {
        to: to.map(|to| decoded(to.split('?').next().unwrap_or_default().trim_end_matches('/'))),
        fragment: (!fragment.is_empty()).then(|| decoded(fragment)),
    }
}

/// Candidate paths below `static`. Open edX stores files in one folder and replaces spaces and slashes in names by
/// `_`.
fn file(name: &str) -> LinkTarget {
    let name = name.split('?').next().unwrap_or_default();
    let decoded = decoded(name);
    let mut paths: Vec<PathBuf> = Vec::new();
    for name in [decoded.clone(), decoded.replace(' ', "_"), decoded.replace('/', "_")] {
        let path = normalize_path(&Path::new("/root/static").join(name.trim_start_matches('/')));
        match path.strip_prefix("/root") {
            Ok(inside) if inside.starts_with("static") => {
                if !paths.iter().any(|known| known == inside) {
                    paths.push(inside.to_owned());
                }
            }
            _ => return LinkTarget::Outside,
        }
    }
    LinkTarget::File(paths)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cleaned_names_lead_to_the_files_of_the_export() {
        let names = HashMap::from([(cleaned("Learning Goals (1).pdf"), "Learning Goals (1).pdf".to_owned())]);
        let LinkTarget::File(paths) = resolve_in(&names, "/static/Learning_Goals__1_.pdf") else {
            panic!("a file");
        };
        assert_eq!(paths.last(), Some(&PathBuf::from("static/Learning Goals (1).pdf")));
    }

    #[test]
    fn open_edx_addresses_are_resolved() {
        let to = |name: &str, fragment: Option<&str>| LinkTarget::Page {
            to: Some(name.to_owned()),
            fragment: fragment.map(str::to_owned),
        };
        let at = |names: &[&str]| LinkTarget::File(names.iter().map(|name| Path::new("static").join(name)).collect());
        for (href, expected) in [
            ("/jump_to_id/u1", to("u1", None)),
            ("/jump_to_id/u1#%D0%B0", to("u1", Some("а"))),
            (
                "/courses/a/jump_to/block-v1:O+C+R+type@vertical+block@u1",
                to("u1", None),
            ),
            ("/jump_to/i4x://O/C/vertical/u1", to("u1", None)),
            ("/course/courseware/ch/seq/", to("seq", None)),
            ("/course/courseware/ch/seq/1", to("seq", None)),
            ("/course/", to("", None)),
            ("/course/about_us/", to("about_us", None)),
            (
                "#x",
                LinkTarget::Page {
                    to: None,
                    fragment: Some("x".into()),
                },
            ),
            ("/static/a%20b.png?raw", at(&["a b.png", "a_b.png"])),
            ("/static/img/a.png", at(&["img/a.png", "img_a.png"])),
            ("/asset-v1:O+C+R+type@asset+block@a.png", at(&["a.png"])),
            ("/c4x/O/C/asset/a.png", at(&["a.png"])),
            ("/static/../policies/a", LinkTarget::Outside),
            (
                "https://example.com/a",
                LinkTarget::Keep("https://example.com/a".into()),
            ),
            ("//example.com/a", LinkTarget::Keep("https://example.com/a".into())),
            (
                "https://git:t0ken@example.com/a",
                LinkTarget::Keep("https://example.com/a".into()),
            ),
            ("javascript:alert(1)", LinkTarget::Unsupported),
            ("/dashboard", LinkTarget::Unsupported),
        ] {
            assert_eq!(resolve_address(href), expected, "{href}");
        }
    }
}
