//! Laying files of an archive out: nothing outside its folder, however the archive is made, and not more than fits.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use super::error::ImportError;
use super::note::{FileTrouble, Note};
use super::reason::Reason;
use super::{Progress, Watcher};

/// Names in one archive.
pub const MAX_ENTRIES: usize = 100_000;
/// Bytes of one file, and of all together, unpacked.
const MAX_FILE: u64 = 200 * 1024 * 1024;
const MAX_ALL: u64 = 4 * 1024 * 1024 * 1024;
/// How many times as large as the archive its files may be: texts come to twenty times, bombs to thousands.
const MAX_RATIO: u64 = 200;
/// Bytes that are copied between two questions whether to go on.
const STEP: u64 = 4 * 1024 * 1024;
/// Below it nobody minds the ratio.
const SMALL: u64 = 64 * 1024 * 1024;

/// What an archive says an entry is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    File,
    Folder,
    Link,
    /// A device or a pipe.
    Other,
}

/// Lays out one entry after the other.
pub struct Unpacker<'a, 'w> {
    archive: &'a Path,
    folder: &'a Path,
    /// Bytes that may be laid out, and those that were.
    most: u64,
    total: u64,
    seen: HashSet<String>,
    /// Entries that came so far, and how many there are; 0: nobody knows.
    done: usize,
    entries: usize,
    progress: &'a mut Watcher<'w>,
    /// What was left out, and why.
    pub notes: Vec<(String, Note)>,
}

pub fn refused(archive: &Path, why: Reason) -> ImportError {
    ImportError::Archive {
        path: archive.display().to_string(),
        why,
    }
}

impl<'a, 'w> Unpacker<'a, 'w> {
    /// `packed` is how many bytes the archive has, `entries` how many entries, 0 when nobody knows. The folder is made.
    pub fn new(
        archive: &'a Path,
        folder: &'a Path,
        packed: u64,
        entries: usize,
        progress: &'a mut Watcher<'w>,
    ) -> Result<Self, ImportError> {
        fs::create_dir_all(folder).map_err(|error| refused(archive, Reason::of_disk(&error)))?;
        Ok(Self {
            archive,
            folder,
            most: packed.saturating_mul(MAX_RATIO).clamp(SMALL, MAX_ALL),
            total: 0,
            seen: HashSet::new(),
            done: 0,
            entries,
            progress,
            notes: Vec::new(),
        })
    }

    /// Bytes that may be laid out altogether.
    pub fn most(&self) -> u64 {
        self.most
    }

    pub fn skip(&mut self, name: impl Into<String>, why: impl Into<Reason>) {
        self.notes.push((name.into(), Note::Packed(why.into())));
    }

    /// Writes the bytes of an entry, and asks before each few megabytes whether to go on. What the entry says of its size is not
    /// believed.
    pub fn lay_out(&mut self, name: &str, kind: Kind, bytes: &mut dyn Read) -> Result<(), ImportError> {
        self.done += 1;
        if kind == Kind::Folder {
            return Ok(());
        }
        let Some(inside) = enclosed(name) else {
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
                    self.skip(name, FileTrouble::TooLarge);
                }
            }
            Err(error) => {
                let _ = fs::remove_file(&target);
                self.skip(name, Reason::of_entry(&error));
            }
        }
        if self.total > self.most {
            return Err(refused(self.archive, Reason::TooMuch(self.most >> 20)));
        }
        Ok(())
    }

    /// Copies all of it; answers with how many bytes that were.
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

/// The path of an entry in the folder; none when it leads out or has what another system reads as a path.
fn enclosed(name: &str) -> Option<PathBuf> {
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
    fn only_paths_within_the_folder_are_taken() {
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
            assert_eq!(enclosed(name), path.map(PathBuf::from), "{name}");
        }
    }
}
