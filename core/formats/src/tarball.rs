//! Reads tarballs, plain or gzipped, with the same precautions as zips.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;
use tar::{Archive, EntryType, PaxExtensions};

use super::Watcher;
use super::encoding;
use super::error::ImportError;
use super::note::Note;
use super::note::Reason;
use super::unpack::{Budget, Kind, MAX_ENTRIES, Unpacker, archive_error};

/// Bytes of a long name.
const MAX_NAME: u64 = 64 * 1024;
/// Bytes of headers and skipped entries in addition to the files.
const OVERHEAD: u64 = 256 * 1024 * 1024;

/// Whether the file starts like a tarball: gzipped, or with the `ustar` magic.
pub fn is_tarball(path: &Path) -> bool {
    let mut head = [0; 262];
    let Ok(mut file) = File::open(path) else { return false };
    if file.read_exact(&mut head).is_err() {
        // Too short for a plain tarball, but it may be gzipped.
        return std::fs::read(path).is_ok_and(|bytes| bytes.len() < 262 && bytes.starts_with(&[0x1f, 0x8b]));
    }
    head.starts_with(&[0x1f, 0x8b]) || head.ends_with(b"ustar")
}

/// Extracts a tarball into `folder`, which is created. Returns what was skipped: links, devices, names outside the
/// folder, duplicates, files that are too large.
pub fn unpack(
    path: &Path,
    folder: &Path,
    budget: &mut Budget,
    progress: &mut Watcher<'_>,
) -> Result<Vec<(String, Note)>, ImportError> {
    let failed = |error: io::Error| archive_error(path, Reason::of_disk(&error));
    let mut file = BufReader::new(File::open(path).map_err(failed)?);
    let gzipped = file.fill_buf().map_err(failed)?.starts_with(&[0x1f, 0x8b]);
    let reader: Box<dyn Read> = if gzipped {
        Box::new(MultiGzDecoder::new(file))
    } else {
        Box::new(file)
    };
    let mut unpacker = Unpacker::new(path, folder, 0, budget, progress)?;
    let mut limited = reader.take(unpacker.budget().bytes() + OVERHEAD);
    let read = entries(path, &mut Archive::new(&mut limited), &mut unpacker);
    if limited.limit() == 0 {
        return Err(unpacker.budget().exceeded(path));
    }
    read?;
    Ok(unpacker.notes)
}

fn entries<R: Read>(path: &Path, archive: &mut Archive<R>, unpacker: &mut Unpacker<'_, '_>) -> Result<(), ImportError> {
    let failed = |_: io::Error| archive_error(path, Reason::NotATarball);
    // Raw mode, because the library would load names of any length.
    let entries = archive.entries().map_err(failed)?.raw(true);
    let mut long_name: Option<Vec<u8>> = None;
    for (number, entry) in (1..).zip(entries) {
        if number > MAX_ENTRIES * 2 {
            return Err(archive_error(path, Reason::TooManyFiles(MAX_ENTRIES)));
        }
        let mut entry = match entry {
            Ok(entry) => entry,
            // A valid first header makes it a tarball; it may be truncated later.
            Err(error) if number == 1 => return Err(failed(error)),
            Err(error) => {
                unpacker.skip(format!("#{number}"), Reason::of_entry(&error));
                return Ok(());
            }
        };
        let kind = match entry.header().entry_type() {
            EntryType::Regular | EntryType::Continuous | EntryType::GNUSparse => Kind::File,
            EntryType::Directory => Kind::Folder,
            EntryType::Link | EntryType::Symlink => Kind::Link,
            EntryType::GNULongName => {
                long_name = Some(short(&mut entry, failed)?).map(|mut name| {
                    while name.last() == Some(&0) {
                        name.pop();
                    }
                    name
                });
                continue;
            }
            EntryType::XHeader => {
                let records = short(&mut entry, failed)?;
                let path = PaxExtensions::new(&records)
                    .filter_map(Result::ok)
                    .find(|record| record.key_bytes() == b"path");
                long_name = path.map(|record| record.value_bytes().to_vec()).or(long_name);
                continue;
            }
            EntryType::GNULongLink | EntryType::XGlobalHeader => continue,
            _ => Kind::Other,
        };
        let named = long_name.take();
        let bytes = named.map_or_else(|| Cow::Owned(entry.path_bytes().into_owned()), Cow::Owned);
        let (name, encoding) = encoding::name(&bytes);
        let name = name.into_owned();
        if let Some(encoding) = encoding {
            unpacker.notes.push((name.clone(), Note::NameDecoded(encoding)));
        }
        unpacker.extract(&name, kind, &mut entry)?;
    }
    Ok(())
}

fn short(entry: &mut impl Read, failed: impl Fn(io::Error) -> ImportError) -> Result<Vec<u8>, ImportError> {
    let mut bytes = Vec::new();
    entry.take(MAX_NAME).read_to_end(&mut bytes).map_err(failed)?;
    Ok(bytes)
}
