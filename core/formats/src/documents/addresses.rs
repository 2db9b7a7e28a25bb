//! The targets of the addresses in a document.

use std::collections::HashSet;
use std::path::Path;

use crate::content::{self, has_scheme};
use crate::html_host::{self, LinkTarget};

/// Resolves an address in the file at `path`. `own` means a DOCX, whose media lie inside it; `known` are the files that become
/// pages.
pub(super) fn resolve_link(href: &str, path: &str, base: &Path, own: bool, known: &HashSet<String>) -> LinkTarget {
    let href = href.trim();
    let fragment_of = |fragment: &str| {
        let decoded = content::decoded(fragment);
        (!decoded.is_empty()).then_some(decoded)
    };
    if let Some(fragment) = href.strip_prefix('#') {
        return LinkTarget::Page {
            to: Some(path.to_owned()),
            fragment: fragment_of(fragment),
        };
    }
    if href.starts_with("//") {
        return html_host::web_address(&format!("https:{href}"));
    }
    // A single letter before a colon is a Windows drive, not a scheme.
    if has_scheme(href) && href.as_bytes().get(1) != Some(&b':') {
        return html_host::web_address(href);
    }
    if href.is_empty() {
        return LinkTarget::Unsupported;
    }
    let (address, fragment) = href.split_once('#').unwrap_or((href, ""));
    let address = address.replace('\\', "/");
    let from = if address.starts_with('/') { Path::new("") } else { base };
    let beside = match own {
        // Links in a DOCX lead to files beside it; its images are inside.
        true => html_host::path_of(Path::new(path).parent().unwrap_or(Path::new("")), &address),
        false => html_host::path_of(from, &address),
    };
    let beside = beside.map(|path| path.to_string_lossy().into_owned());
    if let Some(to) = beside.filter(|beside| known.contains(beside)) {
        return LinkTarget::Page {
            to: Some(to),
            fragment: fragment_of(fragment),
        };
    }
    match html_host::path_of(from, &address) {
        Some(path) => LinkTarget::File(vec![path]),
        None => LinkTarget::Outside,
    }
}
