//! Extracts archive entries safely: within the target folder and within size limits.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use super::error::ImportError;
use super::note::Reason;
use super::note::{FileTrouble, Note};
use super::{Progress, Watcher};

/// Entries per archive.
pub const MAX_ENTRIES: usize = 100_000;
/// Bytes per file, and of all files.
const MAX_FILE: u64 = 200 * 1024 * 1024;
const MAX_ALL: u64 = 4 * 1024 * 1024 * 1024;
/// Limits the ratio of unpacked to packed size: texts reach 20, bombs thousands.
const MAX_RATIO: u64 = 200;
/// Bytes copied between two checks for cancellation.
const STEP: u64 = 4 * 1024 * 1024;
/// The ratio is not limited below this size.
const MIN_TOTAL: u64 = 64 * 1024 * 1024;

/// The type of an entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    File,
    Folder,
    Link,
    /// A device or a pipe.
    Other,
}

/// Extracts entries one by one.
pub struct Unpacker<'a, 'w> {
    archive: &'a Path,
    folder: &'a Path,
    /// Limit and number of extracted bytes.
    most: u64,
    total: u64,
    seen: HashSet<String>,
    /// Entries processed, and their total; 0 if unknown.
    done: usize,
    entries: usize,
    progress: &'a mut Watcher<'w>,
    /// Skipped entries and the reasons.
    pub notes: Vec<(String, Note)>,
}

pub fn archive_error(archive: &Path, why: Reason) -> ImportError {
    ImportError::Archive {
        path: archive.display().to_string(),
        why,
    }
}

impl<'a, 'w> Unpacker<'a, 'w> {
    /// `packed` is the size of the archive, `entries` the number of entries or 0 if unknown. Creates the folder.
    pub fn new(
        archive: &'a Path,
        folder: &'a Path,
        packed: u64,
        entries: usize,
        progress: &'a mut Watcher<'w>,
    ) -> Result<Self, ImportError> {
        fs::create_dir_all(folder).map_err(|error| archive_error(archive, Reason::of_disk(&error)))?;
        Ok(Self {
            archive,
            folder,
            most: packed.saturating_mul(MAX_RATIO).clamp(MIN_TOTAL, MAX_ALL),
            total: 0,
            seen: HashSet::new(),
            done: 0,
            entries,
            progress,
            notes: Vec::new(),
        })
    }

    /// Bytes that may be extracted in total.
    pub fn most(&self) -> u64 {
        self.most
    }

    pub fn skip(&mut self, name: impl Into<String>, why: impl Into<Reason>) {
        self.notes.push((name.into(), Note::Packed(why.into())));
    }

    /// Extracts an entry. Checks for cancellation every 4 MiB and ignores declared sizes.
    pub fn extract(&mut self, name: &str, kind: Kind, bytes: &mut dyn Read) -> Result<(), ImportError> {
        self.done += 1;
        if kind == Kind::Folder {
            return Ok(());
        }
        let Some(inside) = safe_path(name) else {
            self.skip(name, FileTrouble::Outside);
            return Ok(());
        };
        if kind != Kind::File {
            let why = match kind {
                Kind::Link => Reason::Link,
                _ => Reason::File(FileTrouble::NotAFile),
            };
            self.skip(name, why);
            return Ok(());
        }
        if !self.seen.insert(name.to_lowercase()) {
            self.skip(name, Reason::SameName);
            return Ok(());
        }
        let target = self.folder.join(inside);
        let made = target
            .parent()
            .map_or(Ok(()), fs::create_dir_all)
            .and_then(|()| File::create_new(&target));
        let Ok(out) = made else {
            self.skip(name, Reason::ImpossibleName);
            return Ok(());
        };
        let part = bytes.take(MAX_FILE.min(self.most.saturating_sub(self.total)) + 1);
        match self.copy(name, part, BufWriter::new(out))? {
            Ok(size) => {
                self.total += size;
                if size > MAX_FILE {
                    let _ = fs::remove_file(&target);
                    self.skip(name, FileTrouble::TooLarge(MAX_FILE));
                }
            }
            Err(error) => {
                let _ = fs::remove_file(&target);
                self.skip(name, Reason::of_entry(&error));
            }
        }
        if self.total > self.most {
            return Err(archive_error(self.archive, Reason::TooMuch(self.most >> 20)));
        }
        Ok(())
    }

    /// Copies everything; returns the number of bytes.
    fn copy(&mut self, name: &str, mut from: impl Read, mut to: impl Write) -> Result<io::Result<u64>, ImportError> {
        let mut total = 0;
        loop {
            Progress {
                done: self.done,
                total: self.entries,
                file: name,
            }
            .tell(self.progress)?;
            match io::copy(&mut (&mut from).take(STEP), &mut to) {
                Ok(0) => return Ok(to.flush().map(|()| total)),
                Ok(size) => total += size,
                Err(error) => return Ok(Err(error)),
            }
        }
    }
}

/// The relative path of an entry; `None` if it leaves the folder or is special on another system.
fn safe_path(name: &str) -> Option<PathBuf> {
    let drive = name.as_bytes().get(1) == Some(&b':') && name.starts_with(|c: char| c.is_ascii_alphabetic());
    if drive || name.starts_with('/') || name.contains(['\\', '\0']) {
        return None;
    }
    let mut path = PathBuf::new();
    for part in name.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                if !path.pop() {
                    return None;
                }
            }
            part => path.push(part),
        }
    }
    (!path.as_os_str().is_empty()).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_paths_within_the_folder_are_accepted() {
        for (name, path) in [
            ("a/b.md", Some("a/b.md")),
            ("./a//b.md", Some("a/b.md")),
            ("a/../b.md", Some("b.md")),
            ("a/../../b.md", None),
            ("../b.md", None),
            ("/etc/passwd", None),
            ("C:/b.md", None),
            ("a\\b.md", None),
            ("a\0b", None),
            ("", None),
            ("урок: 1.md", Some("урок: 1.md")),
        ] {
            assert_eq!(safe_path(name), path.map(PathBuf::from), "{name}");
        }
    }
}
