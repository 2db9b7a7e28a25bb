//! What pages of a course share: its files, links that wait for their pages, and the rule by which addresses are read.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::definitions::Definitions;
use crate::content::{Lang, decoded};
use crate::exchange::Note;
use crate::exchange::error::ImportError;
use crate::exchange::files::Files;
use crate::exchange::folder::flattened;
use crate::exchange::hosting::{self, Leads, TextHost};
use crate::exchange::html::{Converted, Media};
use crate::exchange::note::FileTrouble;
use crate::exchange::pending::Pending;

/// Elements and pieces of text of a whole course, all of which are in memory at once.
const MAX_NODES: usize = 2_000_000;

pub struct Desk {
    pub files: Files,
    pub pending: Pending,
    pub lang: Lang,
    nodes: usize,
}

impl Desk {
    pub fn new(lang: Lang) -> Self {
        Self {
            files: Files::default(),
            pending: Pending::default(),
            lang,
            nodes: 0,
        }
    }

    /// The words in the language of the course.
    pub fn say<'s>(&self, en: &'s str, ru: &'s str) -> &'s str {
        match self.lang {
            Lang::En => en,
            Lang::Ru => ru,
        }
    }

    pub fn convert(&mut self, of: &mut Definitions<'_>, html: &str, place: &str) -> Converted {
        let html = with_tex(html);
        let mut host = TextHost {
            folder: of.folder,
            files: &mut self.files,
            pending: &mut self.pending,
            leads: &leads,
            place,
            notes: Vec::new(),
        };
        let converted = hosting::convert(&html, self.lang, &mut host);
        for (line, note) in host.notes {
            of.report.add(hosting::place(place, line), note);
        }
        self.nodes += converted.nodes;
        converted
    }

    /// A text of its own: a prompt, an option, an explanation.
    pub fn document(&mut self, of: &mut Definitions<'_>, html: &str, place: &str) -> Value {
        hosting::document(self.convert(of, html, place).blocks)
    }

    /// Refuses a course of more than fits into memory.
    pub fn check(&self) -> Result<(), ImportError> {
        match self.nodes > MAX_NODES {
            true => Err(ImportError::TooLarge),
            false => Ok(()),
        }
    }

    /// The file an address names, if it is one of the course.
    pub fn file(&mut self, of: &Definitions<'_>, address: &str) -> Result<Media, FileTrouble> {
        match leads(address) {
            Leads::File(paths) => hosting::take(of.folder, &mut self.files, &paths),
            _ => Err(FileTrouble::Missing),
        }
    }

    /// A file of the course as a block to take it away by.
    pub fn attachment(&mut self, of: &mut Definitions<'_>, address: &str, place: &str) -> Option<Value> {
        match self.file(of, address) {
            Ok(media) => hosting::attachment(&self.files, &media),
            Err(trouble) => {
                let href = address.to_owned();
                of.report.add(place, Note::LinkFile { href, trouble });
                None
            }
        }
    }
}

/// Mathematics between the marks of Open edX as between those of MathJax.
fn with_tex(html: &str) -> String {
    if !html.contains("[mathjax") {
        return html.to_owned();
    }
    html.replace("[mathjaxinline]", "\\(")
        .replace("[/mathjaxinline]", "\\)")
        .replace("[mathjax]", "\\[")
        .replace("[/mathjax]", "\\]")
}

/// Where an address in a course of Open edX leads.
pub fn leads(href: &str) -> Leads {
    let href = href.trim();
    if let Some(fragment) = href.strip_prefix('#') {
        return page(None, fragment);
    }
    let (path, fragment) = href.split_once('#').unwrap_or((href, ""));
    if let Some(rest) = path.strip_prefix("/static/").or_else(|| path.strip_prefix("static/")) {
        return file(rest);
    }
    // Addresses of files by their course: /asset-v1:Org+Course+Run+type@asset+block@picture.png
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
        return hosting::kept(&format!("https:{href}"));
    }
    if crate::exchange::mdbook::links::has_scheme(href) {
        return hosting::kept(href);
    }
    Leads::Unsupported
}

/// The last name of `block-v1:Org+Course+Run+type@vertical+block@name` or `i4x://Org/Course/vertical/name`.
pub fn block_of(usage: &str) -> &str {
    let usage = usage.trim_end_matches('/');
    match usage.rsplit_once("block@") {
        Some((_, name)) => name.split('/').next().unwrap_or(name),
        None => usage.rsplit('/').next().unwrap_or(usage),
    }
}

fn page(to: Option<&str>, fragment: &str) -> Leads {
    Leads::Page {
        to: to.map(|to| decoded(to.split('?').next().unwrap_or_default().trim_end_matches('/'))),
        fragment: (!fragment.is_empty()).then(|| decoded(fragment)),
    }
}

/// A file below `static`. Open edX writes spaces as `_`, and looks names up in one folder whatever folder they are said to be in.
fn file(name: &str) -> Leads {
    let name = name.split('?').next().unwrap_or_default();
    let decoded = decoded(name);
    let mut paths: Vec<PathBuf> = Vec::new();
    for name in [decoded.clone(), decoded.replace(' ', "_"), decoded.replace('/', "_")] {
        let path = flattened(&Path::new("/root/static").join(name.trim_start_matches('/')));
        match path.strip_prefix("/root") {
            Ok(inside) if inside.starts_with("static") => {
                if !paths.iter().any(|known| known == inside) {
                    paths.push(inside.to_owned());
                }
            }
            _ => return Leads::Outside,
        }
    }
    Leads::File(paths)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_open_edx_are_read() {
        let to = |name: &str, fragment: Option<&str>| Leads::Page {
            to: Some(name.to_owned()),
            fragment: fragment.map(str::to_owned),
        };
        let at = |names: &[&str]| Leads::File(names.iter().map(|name| Path::new("static").join(name)).collect());
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
                Leads::Page {
                    to: None,
                    fragment: Some("x".into()),
                },
            ),
            ("/static/a%20b.png?raw", at(&["a b.png", "a_b.png"])),
            ("/static/img/a.png", at(&["img/a.png", "img_a.png"])),
            ("/asset-v1:O+C+R+type@asset+block@a.png", at(&["a.png"])),
            ("/c4x/O/C/asset/a.png", at(&["a.png"])),
            ("/static/../policies/a", Leads::Outside),
            ("https://example.com/a", Leads::Keep("https://example.com/a".into())),
            ("//example.com/a", Leads::Keep("https://example.com/a".into())),
            (
                "https://git:t0ken@example.com/a",
                Leads::Keep("https://example.com/a".into()),
            ),
            ("javascript:alert(1)", Leads::Unsupported),
            ("/dashboard", Leads::Unsupported),
        ] {
            assert_eq!(leads(href), expected, "{href}");
        }
    }
}
