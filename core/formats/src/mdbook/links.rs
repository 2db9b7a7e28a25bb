//! Resolves links of a book.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use url::Url;

use crate::content::{decoded, has_scheme};
use crate::folder::normalize_path;
use crate::links::web_address;

/// The target of a link, before any file is opened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Target {
    /// An address to keep, possibly normalized.
    Keep(String),
    /// A page by index, and an anchor in it.
    Page {
        page: usize,
        fragment: Option<String>,
    },
    /// Another file, relative to the book.
    File(PathBuf),
    /// A path outside the folder.
    Leaves,
    Unsupported,
}

/// Pages by path.
#[derive(Debug, Default)]
pub struct PageIndex {
    /// Paths in the source folder without extension.
    by_path: HashMap<PathBuf, usize>,
}

impl PageIndex {
    /// Adds a page by its path in the source folder. The first page is also `index`, and a `README` is the index of
    /// its folder.
    pub fn add(&mut self, path: &Path, page: usize) {
        let stem = path.with_extension("");
        if stem.file_name().is_some_and(|name| name.eq_ignore_ascii_case("readme")) {
            self.by_path.insert(stem.with_file_name("index"), page);
        }
        self.by_path.insert(stem, page);
        self.by_path.entry("index".into()).or_insert(page);
    }

    /// Resolves `href` on the page at `from`; `src` is the source folder relative to the book.
    pub fn resolve(&self, href: &str, from: &Path, from_page: usize, src: &Path) -> Target {
        let href = href.trim();
        if let Some(fragment) = href.strip_prefix('#') {
            return Target::Page {
                page: from_page,
                fragment: some_fragment(fragment),
            };
        }
        if let Some(rest) = href.strip_prefix("//") {
            return web_target(&format!("https://{rest}"));
        }
        if has_scheme(href) {
            return web_target(href);
        }
        if href.starts_with('/') {
            return Target::Leaves;
        }
        let (path, fragment) = match href.split_once('#') {
            Some((path, fragment)) => (path, some_fragment(fragment)),
            None => (href, None),
        };
        let path = path.split('?').next().unwrap_or_default();
        let path = decoded(path);
        let dir = from.parent().unwrap_or(Path::new(""));
        // An artificial root detects paths that leave the folder.
        let root = Path::new("/book");
        let joined = normalize_path(&root.join(src).join(dir).join(&path));
        let Ok(in_folder) = joined.strip_prefix(root) else {
            return Target::Leaves;
        };
        if let Ok(in_src) = joined.strip_prefix(root.join(src)) {
            let is_page = in_src
                .extension()
                .is_none_or(|ext| ext.eq_ignore_ascii_case("md") || ext.eq_ignore_ascii_case("html"));
            let stem = if path.ends_with('/') || in_src.as_os_str().is_empty() || path == "." || path.ends_with("..") {
                in_src.join("index")
            } else {
                in_src.with_extension("")
            };
            if is_page && let Some(&page) = self.by_path.get(&stem) {
                return Target::Page { page, fragment };
            }
        }
        Target::File(in_folder.to_owned())
    }
}

fn some_fragment(fragment: &str) -> Option<String> {
    let fragment = decoded(fragment);
    (!fragment.is_empty()).then_some(fragment)
}

fn web_target(href: &str) -> Target {
    web_address(href).map_or(Target::Unsupported, Target::Keep)
}

/// The file in the folder for an address in the book's repository. The folder may be any part of the repository, so
/// leading segments are dropped until a file exists.
pub fn in_repository(src: &str, repository: Option<&str>, exists: impl Fn(&Path) -> bool) -> Option<PathBuf> {
    let url = Url::parse(src).ok()?;
    let parts: Vec<_> = url.path_segments()?.map(decoded).collect();
    let (owner, name, path) = match (url.host_str()?, parts.as_slice()) {
        ("github.com" | "gitlab.com", [owner, name, rest @ ..]) => {
            let rest = rest.strip_prefix(&["-".to_owned()]).unwrap_or(rest);
            match rest {
                [kind, _branch, path @ ..] if matches!(kind.as_str(), "blob" | "raw") => (owner, name, path),
                _ => return None,
            }
        }
        ("raw.githubusercontent.com", [owner, name, _branch, path @ ..]) => (owner, name, path),
        _ => return None,
    };
    if repository.is_some_and(|repository| repository != format!("{owner}/{name}").to_lowercase()) {
        return None;
    }
    // A file name alone would be too ambiguous.
    (0..path.len().saturating_sub(1)).find_map(|skip| {
        let path: PathBuf = path.iter().skip(skip).collect();
        exists(&path).then_some(path)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index() -> PageIndex {
        let mut index = PageIndex::default();
        for (page, path) in ["title-page.md", "ch01.md", "deep/README.md", "deep/a b.md"]
            .iter()
            .enumerate()
        {
            index.add(Path::new(path), page);
        }
        index
    }

    #[test]
    fn links_resolve_in_every_spelling() {
        let page = |page, fragment: Option<&str>| Target::Page {
            page,
            fragment: fragment.map(str::to_owned),
        };
        let leads = |href: &str, from: &str| index().resolve(href, Path::new(from), 7, Path::new("src"));
        for (href, from, expected) in [
            ("ch01.md", "title-page.md", page(1, None)),
            ("ch01.html#a", "title-page.md", page(1, Some("a"))),
            ("./ch01.md#", "title-page.md", page(1, None)),
            ("ch01", "title-page.md", page(1, None)),
            ("../ch01.html?x=1#%D0%B0", "deep/README.md", page(1, Some("а"))),
            ("deep/", "title-page.md", page(2, None)),
            ("deep/index.html", "ch01.md", page(2, None)),
            ("./", "deep/a b.md", page(2, None)),
            ("a%20b.md", "deep/README.md", page(3, None)),
            ("index.html", "ch01.md", page(0, None)),
            ("#x", "ch01.md", page(7, Some("x"))),
            ("#", "ch01.md", page(7, None)),
            ("../std/index.html", "ch01.md", Target::File("std/index.html".into())),
            ("../../std/index.html", "ch01.md", Target::Leaves),
            ("/etc/passwd", "ch01.md", Target::Leaves),
            ("ch02.md", "ch01.md", Target::File("src/ch02.md".into())),
            (
                "https://example.com",
                "ch01.md",
                Target::Keep("https://example.com".into()),
            ),
            (
                "//example.com/a",
                "ch01.md",
                Target::Keep("https://example.com/a".into()),
            ),
            (
                "https://example.com/a b",
                "ch01.md",
                Target::Keep("https://example.com/a%20b".into()),
            ),
            ("javascript:alert(1)", "ch01.md", Target::Unsupported),
            ("ftp://example.com", "ch01.md", Target::Unsupported),
            (
                "page:01890000-0000-7000-8000-000000000001",
                "ch01.md",
                Target::Unsupported,
            ),
        ] {
            assert_eq!(leads(href, from), expected, "{href} on {from}");
        }
    }

    #[test]
    fn repository_addresses_resolve_to_files() {
        let exists = |path: &Path| path == Path::new("src/img/a.png");
        for (src, repository, found) in [
            (
                "https://github.com/o/n/blob/main/book/src/img/a.png?raw=true",
                None,
                true,
            ),
            ("https://github.com/o/n/raw/main/src/img/a.png", Some("o/n"), true),
            (
                "https://raw.githubusercontent.com/O/N/main/src/img/a.png",
                Some("o/n"),
                true,
            ),
            ("https://gitlab.com/o/n/-/blob/main/src/img/a.png", None, true),
            ("https://github.com/o/other/blob/main/src/img/a.png", Some("o/n"), false),
            ("https://github.com/o/n/blob/main/a.png", None, false),
            ("https://example.com/o/n/blob/main/src/img/a.png", None, false),
            ("not an address", None, false),
        ] {
            assert_eq!(in_repository(src, repository, exists).is_some(), found, "{src}");
        }
    }
}
