//! Resolves links and images of one page within the book.

use std::path::{Path, PathBuf};

use super::Book;
use super::links::{Target, in_repository};
use crate::files::Files;
use crate::html::{Host, Media};
use crate::note::{FileTrouble, Note};

/// A link to a page, resolved after all pages are read.
#[derive(Debug)]
pub struct PageLink {
    /// Page indexes.
    pub from: usize,
    pub to: usize,
    pub fragment: Option<String>,
    pub href: String,
    pub line: usize,
}

/// Prefix of placeholder addresses.
const PLACEHOLDER: &str = "waiting:";

pub fn placeholder_index(address: &str) -> Option<usize> {
    address.strip_prefix(PLACEHOLDER)?.parse().ok()
}

pub struct PageHost<'a> {
    pub book: &'a Book,
    pub files: &'a mut Files,
    pub links: &'a mut Vec<PageLink>,
    /// Page index, and path in the source folder.
    pub page: usize,
    pub path: &'a Path,
    pub notes: Vec<(usize, Note)>,
}

impl PageHost<'_> {
    fn resolve(&self, href: &str) -> Target {
        self.book.index.resolve(href, self.path, self.page, &self.book.src)
    }

    fn local_file(&mut self, path: &Path) -> Result<Media, FileTrouble> {
        self.files.take(&self.book.folder, path).map(Media::of)
    }

    /// The path in the folder of a file to show.
    fn file_path(&mut self, src: &str, line: usize) -> Option<PathBuf> {
        let refuse = |this: &mut Self, note| {
            this.notes.push((line, note));
            None
        };
        match self.resolve(src) {
            _ if src.is_empty() => refuse(
                self,
                Note::Image {
                    src: src.to_owned(),
                    trouble: FileTrouble::Missing,
                },
            ),
            Target::File(path) => Some(path),
            Target::Leaves => refuse(
                self,
                Note::Image {
                    src: src.to_owned(),
                    trouble: FileTrouble::Outside,
                },
            ),
            Target::Page { .. } | Target::Unsupported => refuse(
                self,
                Note::Image {
                    src: src.to_owned(),
                    trouble: FileTrouble::NotAFile,
                },
            ),
            Target::Keep(address) => {
                let exists = |path: &Path| self.book.folder.find(path).is_ok();
                match in_repository(&address, self.book.config.repository.as_deref(), exists) {
                    Some(path) => {
                        let shown = path
                            .iter()
                            .map(|part| part.to_string_lossy())
                            .collect::<Vec<_>>()
                            .join("/");
                        self.notes.push((
                            line,
                            Note::ImageFromBook {
                                src: src.to_owned(),
                                path: shown,
                            },
                        ));
                        Some(path)
                    }
                    None => refuse(self, Note::ImageRemote(src.to_owned())),
                }
            }
        }
    }
}

impl Host for PageHost<'_> {
    fn link(&mut self, href: &str, line: usize) -> Option<String> {
        let shown = href.to_owned();
        let note = match self.resolve(href) {
            Target::Keep(address) => return Some(address),
            Target::Page { page, fragment } => {
                self.links.push(PageLink {
                    from: self.page,
                    to: page,
                    fragment,
                    href: shown,
                    line,
                });
                return Some(format!("{PLACEHOLDER}{}", self.links.len() - 1));
            }
            Target::File(path) if path.extension().is_some_and(|ext| ext.eq_ignore_ascii_case("md")) => {
                match self.book.folder.find(&path) {
                    Ok(_) => Note::LinkNotInSummary(shown),
                    Err(trouble) => Note::LinkFile { href: shown, trouble },
                }
            }
            Target::File(path) => match self.local_file(&path) {
                Ok(file) => return Some(file.address),
                // Sites with several books link between them like this.
                Err(FileTrouble::Missing) if !path.starts_with(&self.book.src) => Note::LinkLeavesBook(shown),
                Err(trouble) => Note::LinkFile { href: shown, trouble },
            },
            Target::Leaves => Note::LinkLeavesBook(shown),
            Target::Unsupported => Note::LinkUnsupported(shown),
        };
        self.notes.push((line, note));
        None
    }

    fn file(&mut self, src: &str, line: usize, kinds: &[&str], mismatch: FileTrouble) -> Option<Media> {
        let path = self.file_path(src, line)?;
        match self.local_file(&path).and_then(|media| media.of_kind(kinds, mismatch)) {
            Ok(media) => Some(media),
            Err(trouble) => {
                let src = src.to_owned();
                self.notes.push((line, Note::Image { src, trouble }));
                None
            }
        }
    }

    fn note(&mut self, note: Note, line: usize) {
        self.notes.push((line, note));
    }
}
