//! Reads files within one folder only, regardless of paths and symbolic links.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::encoding::{self, Decoded};
use super::error::ImportError;
use super::note::{FileTrouble, Note};
use super::report::Report;

/// Bytes of a text file: twice the limit of a page.
const MAX_TEXT: u64 = 4 * 1024 * 1024;

/// Entries per folder.
const MAX_ENTRIES: usize = 100_000;

#[derive(Debug)]
pub struct Folder {
    /// Canonical, so that canonical paths can be compared by prefix.
    root: PathBuf,
    /// Encodings of the texts that were not in UTF-8.
    decoded: Mutex<BTreeMap<String, &'static str>>,
    /// Invalid characters of the texts that have some.
    damaged: Mutex<BTreeMap<String, usize>>,
}

impl Folder {
    pub fn open(path: &Path) -> Result<Self, ImportError> {
        let root = fs::canonicalize(path).map_err(|_| ImportError::NoFolder(path.display().to_string()))?;
        if !root.is_dir() {
            return Err(ImportError::NotAFolder(path.display().to_string()));
        }
        Ok(Self {
            root,
            decoded: Mutex::default(),
            damaged: Mutex::default(),
        })
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The real path of a file within the folder.
    pub fn find(&self, path: &Path) -> Result<PathBuf, FileTrouble> {
        let path = self.inside(path)?;
        // Pipes and devices would block.
        if !path.is_file() {
            return Err(FileTrouble::NotAFile);
        }
        Ok(path)
    }

    pub fn find_folder(&self, path: &Path) -> Result<PathBuf, FileTrouble> {
        let path = self.inside(path)?;
        if path.is_dir() {
            Ok(path)
        } else {
            Err(FileTrouble::NotAFile)
        }
    }

    fn inside(&self, path: &Path) -> Result<PathBuf, FileTrouble> {
        // Check before touching the disk, so that the result does not reveal whether a path outside exists.
        if !normalize_path(&self.root.join(path)).starts_with(&self.root) {
            return Err(FileTrouble::Outside);
        }
        let real = fs::canonicalize(self.root.join(path)).map_err(|error| trouble(&error))?;
        if real.starts_with(&self.root) {
            Ok(real)
        } else {
            Err(FileTrouble::Outside)
        }
    }

    /// Reads a text file: decoded, with `
    /// ` line ends and without byte order mark.
    pub fn read_text(&self, path: &Path) -> Result<String, FileTrouble> {
        self.read_up_to(path, MAX_TEXT)
    }

    /// Reads a larger text file, such as verbose XML of Word.
    pub fn read_long_text(&self, path: &Path) -> Result<String, FileTrouble> {
        self.read_up_to(path, MAX_TEXT * 16)
    }

    fn read_up_to(&self, path: &Path, most: u64) -> Result<String, FileTrouble> {
        let (path, bytes) = self.bytes(path, most)?;
        let decoded = encoding::decode(&bytes).ok_or(FileTrouble::NotText)?;
        Ok(self.normalize_line_ends(&path, decoded))
    }

    /// Reads a file that must be text. True if invalid bytes were replaced by U+FFFD.
    pub fn read_lossy(&self, path: &Path, most: u64) -> Result<(String, bool), FileTrouble> {
        let (path, bytes) = self.bytes(path, most)?;
        let (decoded, broken) = encoding::decode_lossy(&bytes);
        Ok((self.normalize_line_ends(&path, decoded), broken))
    }

    fn bytes(&self, path: &Path, most: u64) -> Result<(PathBuf, Vec<u8>), FileTrouble> {
        let path = self.find(path)?;
        let file = fs::File::open(&path).map_err(|error| trouble(&error))?;
        let mut bytes = Vec::new();
        file.take(most + 1)
            .read_to_end(&mut bytes)
            .map_err(|error| trouble(&error))?;
        if bytes.len() as u64 > most {
            Err(FileTrouble::TooLarge(most))
        } else {
            Ok((path, bytes))
        }
    }

    fn normalize_line_ends(&self, path: &Path, decoded: Decoded) -> String {
        if let Some(encoding) = decoded.from {
            let mut known = self.decoded.lock().unwrap_or_else(PoisonError::into_inner);
            known.insert(self.name_of(path), encoding);
        }
        if decoded.damaged > 0 {
            let mut known = self.damaged.lock().unwrap_or_else(PoisonError::into_inner);
            known.insert(self.name_of(path), decoded.damaged);
        }
        let text = decoded.text;
        if text.contains('\r') {
            text.replace("\r\n", "\n").replace('\r', "\n")
        } else {
            text
        }
    }

    /// Reports the files that were not in valid UTF-8.
    pub fn report_encodings(&self, report: &mut Report) {
        let known = std::mem::take(&mut *self.decoded.lock().unwrap_or_else(PoisonError::into_inner));
        for (name, encoding) in known {
            report.add(name, Note::Decoded(encoding));
        }
        let known = std::mem::take(&mut *self.damaged.lock().unwrap_or_else(PoisonError::into_inner));
        for (name, count) in known {
            report.add(name, Note::Damaged(count));
        }
    }

    /// Entries of a folder and whether they are folders. Links, pipes and names that are not Unicode are skipped; a
    /// missing folder is empty.
    pub fn list(&self, path: &Path) -> Result<Vec<(String, bool)>, FileTrouble> {
        let path = match self.inside(path) {
            Ok(path) => path,
            Err(FileTrouble::Missing) => return Ok(vec![]),
            Err(trouble) => return Err(trouble),
        };
        if !path.is_dir() {
            return Ok(vec![]);
        }
        let mut names = Vec::new();
        for entry in fs::read_dir(path).map_err(|error| trouble(&error))? {
            let entry = entry.map_err(|error| trouble(&error))?;
            let kind = entry.file_type().map_err(|error| trouble(&error))?;
            if names.len() >= MAX_ENTRIES {
                return Err(FileTrouble::TooManyEntries(MAX_ENTRIES));
            }
            if let (true, Ok(name)) = (kind.is_dir() || kind.is_file(), entry.file_name().into_string()) {
                names.push((name, kind.is_dir()));
            }
        }
        Ok(names)
    }

    /// The path in reports: relative to the folder, with forward slashes.
    pub fn name_of(&self, path: &Path) -> String {
        let path = path.strip_prefix(&self.root).unwrap_or(path);
        let parts: Vec<_> = path
            .components()
            .map(|part| part.as_os_str().to_string_lossy())
            .collect();
        parts.join("/")
    }
}

/// The path of `name` in a folder; the empty path is the root folder.
pub fn joined(folder: &str, name: &str) -> String {
    match folder {
        "" => name.to_owned(),
        folder => format!("{folder}/{name}"),
    }
}

/// Resolves `.` and `..` lexically: `a/./b/../c` becomes `a/c`.
pub fn normalize_path(path: &Path) -> PathBuf {
    let mut flat = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if flat.file_name().is_some() => {
                flat.pop();
            }
            part => flat.push(part),
        }
    }
    flat
}

fn trouble(error: &io::Error) -> FileTrouble {
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory | io::ErrorKind::InvalidFilename => FileTrouble::Missing,
        _ => FileTrouble::Unreadable,
    }
}
