//! Reading files of one folder and of nothing outside it, whatever paths and symbolic links say.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::encoding::{self, Decoded};
use super::error::ImportError;
use super::note::{FileTrouble, Note};
use super::report::Report;

/// Bytes of the largest text that is read: twice what a page may hold.
const MAX_TEXT: u64 = 4 * 1024 * 1024;

/// Names that one folder may have.
const MAX_ENTRIES: usize = 100_000;

#[derive(Debug)]
pub struct Folder {
    /// Canonical, so that a canonical path either starts with it or is outside.
    root: PathBuf,
    /// Texts that were not in UTF-8, with the encodings they were in.
    decoded: Mutex<BTreeMap<String, &'static str>>,
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
        })
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The real path of a file, which lies in the folder.
    pub fn find(&self, path: &Path) -> Result<PathBuf, FileTrouble> {
        let path = self.inside(path)?;
        // A pipe or a device would never end.
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
        // Without this, a path that leads out and does not exist would be told from one that does.
        if !flattened(&self.root.join(path)).starts_with(&self.root) {
            return Err(FileTrouble::Outside);
        }
        let real = fs::canonicalize(self.root.join(path)).map_err(|error| trouble(&error))?;
        if real.starts_with(&self.root) {
            Ok(real)
        } else {
            Err(FileTrouble::Outside)
        }
    }

    /// The text of a file in UTF-8 whatever it was in, line ends as `\n` and without a byte order mark.
    pub fn read_text(&self, path: &Path) -> Result<String, FileTrouble> {
        self.read_up_to(path, MAX_TEXT)
    }

    /// The text of a file that says little with many bytes, as the XML of Word does.
    pub fn read_long_text(&self, path: &Path) -> Result<String, FileTrouble> {
        self.read_up_to(path, MAX_TEXT * 16)
    }

    fn read_up_to(&self, path: &Path, most: u64) -> Result<String, FileTrouble> {
        let (path, bytes) = self.bytes(path, most)?;
        let decoded = encoding::decode(&bytes).ok_or(FileTrouble::NotText)?;
        Ok(self.with_plain_lines(&path, decoded))
    }

    /// The text of a file that is one whatever its bytes are, and whether some of them are U+FFFD now.
    pub fn read_at_any_rate(&self, path: &Path, most: u64) -> Result<(String, bool), FileTrouble> {
        let (path, bytes) = self.bytes(path, most)?;
        let (decoded, broken) = encoding::decode_at_any_rate(&bytes);
        Ok((self.with_plain_lines(&path, decoded), broken))
    }

    fn bytes(&self, path: &Path, most: u64) -> Result<(PathBuf, Vec<u8>), FileTrouble> {
        let path = self.find(path)?;
        let file = fs::File::open(&path).map_err(|error| trouble(&error))?;
        let mut bytes = Vec::new();
        file.take(most + 1)
            .read_to_end(&mut bytes)
            .map_err(|error| trouble(&error))?;
        match bytes.len() as u64 > most {
            true => Err(FileTrouble::TooLarge),
            false => Ok((path, bytes)),
        }
    }

    fn with_plain_lines(&self, path: &Path, decoded: Decoded) -> String {
        if let Some(encoding) = decoded.from {
            let mut known = self.decoded.lock().unwrap_or_else(PoisonError::into_inner);
            known.insert(self.name_of(path), encoding);
        }
        let text = decoded.text;
        match text.contains('\r') {
            true => text.replace("\r\n", "\n").replace('\r', "\n"),
            false => text,
        }
    }

    /// Says which of the texts that were read so far were not in UTF-8.
    pub fn tell_decoded(&self, report: &mut Report) {
        let known = std::mem::take(&mut *self.decoded.lock().unwrap_or_else(PoisonError::into_inner));
        for (name, encoding) in known {
            report.add(name, Note::Decoded(encoding));
        }
    }

    /// Names in a folder, each with whether it is a folder itself; links, pipes and names that are no Unicode are left out.
    /// A folder that is not there is empty.
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
                return Err(FileTrouble::TooLarge);
            }
            if let (true, Ok(name)) = (kind.is_dir() || kind.is_file(), entry.file_name().into_string()) {
                names.push((name, kind.is_dir()));
            }
        }
        Ok(names)
    }

    /// A path as a report names it: from the folder on, with forward slashes.
    pub fn name_of(&self, path: &Path) -> String {
        let path = path.strip_prefix(&self.root).unwrap_or(path);
        let parts: Vec<_> = path
            .components()
            .map(|part| part.as_os_str().to_string_lossy())
            .collect();
        parts.join("/")
    }
}

/// `a/./b/../c` as `a/c`, by the letters alone.
pub fn flattened(path: &Path) -> PathBuf {
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
