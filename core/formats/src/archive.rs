//! Reads and writes zip archives. Extraction stays within the target folder and within size limits.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read as _, Seek as _, Write};
use std::path::Path;

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use super::Watcher;
use super::encoding;
use super::error::ImportError;
use super::native::{FileContent, Layout};
use super::note::Note;
use super::note::Reason;
use super::unpack::{Budget, Kind, MAX_ENTRIES, Unpacker, archive_error};

/// The signature of a central directory header.
const HEADER: &[u8] = b"PK\x01\x02";

/// A zip whose entries are extracted on demand.
pub struct Zip<'a> {
    path: &'a Path,
    archive: ZipArchive<BufReader<File>>,
}

impl<'a> Zip<'a> {
    pub fn open(path: &'a Path) -> Result<Self, ImportError> {
        let failed = |error: io::Error| archive_error(path, Reason::of_disk(&error));
        let file = File::open(path).map_err(failed)?;
        if count_names(&file).map_err(failed)? > MAX_ENTRIES {
            return Err(archive_error(path, Reason::TooManyFiles(MAX_ENTRIES)));
        }
        let archive = ZipArchive::new(BufReader::new(file)).map_err(|_| archive_error(path, Reason::NotAZip))?;
        Ok(Self { path, archive })
    }

    /// The number of entries.
    pub fn count(&self) -> usize {
        self.archive.len()
    }

    /// The names of the entries, without those whose encoding is unknown.
    pub fn names(&self) -> impl Iterator<Item = Cow<'_, str>> {
        self.archive.file_names().filter_map(Result::ok)
    }

    /// An unpacker of this zip into `folder`, which is created.
    pub fn unpacker<'u, 'w>(
        &self,
        folder: &'u Path,
        budget: &'u mut Budget,
        progress: &'u mut Watcher<'w>,
    ) -> Result<Unpacker<'u, 'w>, ImportError>
    where
        'a: 'u,
    {
        Unpacker::new(self.path, folder, self.count(), budget, progress)
    }

    /// Extracts the entry with this name, if there is one.
    pub fn extract_named(&mut self, name: &str, unpacker: &mut Unpacker<'_, '_>) -> Result<(), ImportError> {
        match self.archive.index_for_name(name) {
            Some(index) => self.extract(index, unpacker),
            None => Ok(()),
        }
    }

    fn extract(&mut self, index: usize, unpacker: &mut Unpacker<'_, '_>) -> Result<(), ImportError> {
        let mut entry = match self.archive.by_index(index) {
            Ok(entry) => entry,
            Err(error) => {
                unpacker.skip(format!("#{index}"), Reason::of_zip(&error));
                return Ok(());
            }
        };
        let (name, encoding) = encoding::name(entry.name_raw());
        let name = name.into_owned();
        if let Some(encoding) = encoding {
            unpacker.notes.push((name.clone(), Note::NameDecoded(encoding)));
        }
        let kind = match () {
            () if entry.is_dir() => Kind::Folder,
            () if entry.is_symlink() => Kind::Link,
            () => Kind::File,
        };
        unpacker.extract(&name, kind, &mut entry)
    }
}

/// Extracts a zip into `folder`, which is created. Returns what was skipped or renamed: links, names outside the
/// folder, duplicates, files that are too large, names in legacy encodings.
pub fn unpack(
    path: &Path,
    folder: &Path,
    budget: &mut Budget,
    progress: &mut Watcher<'_>,
) -> Result<Vec<(String, Note)>, ImportError> {
    let mut zip = Zip::open(path)?;
    let mut unpacker = zip.unpacker(folder, budget, progress)?;
    for index in 0..zip.count() {
        zip.extract(index, &mut unpacker)?;
    }
    Ok(unpacker.notes)
}

/// An upper bound of the number of entries, counted by header signatures before the library loads them all.
pub fn count_names(mut file: &File) -> io::Result<usize> {
    let mut block = vec![0; 1 << 20];
    let (mut kept, mut found) = (0, 0);
    file.rewind()?;
    loop {
        // A signature may span two blocks.
        let read = file.read(block.get_mut(kept..).unwrap_or_default())?;
        let bytes = block.get(..kept + read).unwrap_or_default();
        if read == 0 {
            file.rewind()?;
            return Ok(found);
        }
        found += memchr::memmem::find_iter(bytes, HEADER).count();
        let tail = bytes.len().saturating_sub(HEADER.len() - 1);
        let length = bytes.len() - tail;
        block.copy_within(tail..tail + length, 0);
        kept = length;
    }
}

/// Writes the files as a zip. The output is deterministic: no timestamps, fixed order.
pub fn pack(layout: &Layout, to: &Path) -> io::Result<()> {
    let mut archive = ZipWriter::new(BufWriter::new(File::create(to)?));
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .unix_permissions(0o644);
    for (path, body) in layout {
        let large = match body {
            FileContent::Text(_) => false,
            FileContent::Copy(from) => std::fs::metadata(from)?.len() > u64::from(u32::MAX),
        };
        archive
            .start_file(path, options.large_file(large))
            .map_err(io::Error::other)?;
        match body {
            FileContent::Text(text) => archive.write_all(text.as_bytes())?,
            FileContent::Copy(from) => {
                io::copy(&mut File::open(from)?, &mut archive)?;
            }
        }
    }
    archive.finish().map_err(io::Error::other)?.flush()
}
