//! Reads and writes zip archives. Extraction stays within the target folder and within size limits.

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
use super::unpack::{Kind, MAX_ENTRIES, Unpacker, archive_error};

/// The signature of a central directory header.
const HEADER: &[u8] = b"PK\x01\x02";

/// Extracts a zip into `folder`, which is created. Returns what was skipped or renamed: links, names outside the
/// folder, duplicates, files that are too large, names in legacy encodings.
pub fn unpack(path: &Path, folder: &Path, progress: &mut Watcher<'_>) -> Result<Vec<(String, Note)>, ImportError> {
    let failed = |error: io::Error| archive_error(path, Reason::of_disk(&error));
    let file = File::open(path).map_err(failed)?;
    let packed = file.metadata().map_err(failed)?.len();
    if count_names(&file).map_err(failed)? > MAX_ENTRIES {
        return Err(archive_error(path, Reason::TooManyFiles(MAX_ENTRIES)));
    }
    let mut archive = ZipArchive::new(BufReader::new(file)).map_err(|_| archive_error(path, Reason::NotAZip))?;
    let mut unpacker = Unpacker::new(path, folder, packed, archive.len(), progress)?;
    for index in 0..archive.len() {
        let mut entry = match archive.by_index(index) {
            Ok(entry) => entry,
            Err(error) => {
                unpacker.skip(format!("#{index}"), Reason::of_zip(&error));
                continue;
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
        unpacker.extract(&name, kind, &mut entry)?;
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
