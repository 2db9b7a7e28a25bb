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

/// What one import may still unpack. An archive and the archives inside it share one budget, so nesting does not multiply
/// it, and what was deleted again stays counted.
#[derive(Debug)]
pub struct Budget {
    /// Bytes in total, for error messages.
    most: u64,
    /// Bytes left.
    bytes: u64,
    /// Files left.
    files: usize,
}

impl Budget {
    /// The budget of an import whose source is a file of `packed` bytes.
    pub fn of_file(packed: u64) -> Self {
        Self::of_bytes(packed.saturating_mul(MAX_RATIO).clamp(MIN_TOTAL, MAX_ALL))
    }

    /// The budget of an import whose source is a folder.
    pub fn of_folder() -> Self {
        Self::of_bytes(MAX_ALL)
    }

    fn of_bytes(most: u64) -> Self {
        Self {
            most,
            bytes: most,
            files: MAX_ENTRIES,
        }
    }

    /// Bytes that may still be extracted.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The error of an archive that exceeds the budget.
    pub fn exceeded(&self, archive: &Path) -> ImportError {
        archive_error(archive, Reason::TooMuch(self.most >> 20))
    }
}

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
    budget: &'a mut Budget,
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
    /// `entries` is the number of entries, 0 if unknown. Creates the folder.
    pub fn new(
        archive: &'a Path,
        folder: &'a Path,
        entries: usize,
        budget: &'a mut Budget,
        progress: &'a mut Watcher<'w>,
    ) -> Result<Self, ImportError> {
        fs::create_dir_all(folder).map_err(|error| archive_error(archive, Reason::of_disk(&error)))?;
        Ok(Self {
            archive,
            folder,
            budget,
            seen: HashSet::new(),
            done: 0,
            entries,
            progress,
            notes: Vec::new(),
        })
    }

    /// What may still be extracted.
    pub fn budget(&self) -> &Budget {
        self.budget
    }

    pub fn skip(&mut self, name: impl Into<String>, why: impl Into<Reason>) {
        self.notes.push((name.into(), Note::Packed(why.into())));
    }

    /// Extracts an entry. Checks for cancellation every 4 MiB and ignores declared sizes. Bytes of entries that turn out
    /// to be damaged or too large count, too. Fails when the budget is exceeded.
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
        self.budget.files = match self.budget.files.checked_sub(1) {
            Some(left) => left,
            None => return Err(archive_error(self.archive, Reason::TooManyFiles(MAX_ENTRIES))),
        };
        let target = self.folder.join(inside);
        let made = target
            .parent()
            .map_or(Ok(()), fs::create_dir_all)
            .and_then(|()| File::create_new(&target));
        let Ok(out) = made else {
            self.skip(name, Reason::ImpossibleName);
            return Ok(());
        };
        let most = MAX_FILE.min(self.budget.bytes);
        let (size, copied) = self.copy(name, bytes.take(most + 1), BufWriter::new(out))?;
        if size > most || copied.is_err() {
            let _ = fs::remove_file(&target);
        }
        if size > self.budget.bytes {
            self.budget.bytes = 0;
            return Err(self.budget.exceeded(self.archive));
        }
        self.budget.bytes -= size;
        match copied {
            Err(error) => self.skip(name, Reason::of_entry(&error)),
            Ok(()) if size > MAX_FILE => self.skip(name, FileTrouble::TooLarge(MAX_FILE)),
            Ok(()) => {}
        }
        Ok(())
    }

    /// Copies everything; returns the number of bytes, and whether that was all of them.
    fn copy(
        &mut self,
        name: &str,
        mut from: impl Read,
        mut to: impl Write,
    ) -> Result<(u64, io::Result<()>), ImportError> {
        let mut total = 0;
        loop {
            Progress {
                done: self.done,
                total: self.entries,
                file: name,
            }
            .tell(self.progress)?;
            let mut step = Counted {
                from: (&mut from).take(STEP),
                bytes: 0,
            };
            let copied = io::copy(&mut step, &mut to);
            total += step.bytes;
            match copied {
                Ok(0) => return Ok((total, to.flush())),
                Ok(_) => {}
                Err(error) => return Ok((total, Err(error))),
            }
        }
    }
}

/// Counts what was read, also before an error.
struct Counted<R> {
    from: R,
    bytes: u64,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let read = self.from.read(to)?;
        self.bytes += read as u64;
        Ok(read)
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
