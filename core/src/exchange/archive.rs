//! Zips, in and out: nothing of one is laid out outside its folder, however it is made, and not more than fits.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Seek as _, Write};
use std::path::Path;

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use super::error::ImportError;
use super::native::{Body, Layout};
use super::note::{FileTrouble, Note};
use super::{Progress, Watcher};
use crate::content::Lang;

/// Names in one zip.
const MAX_ENTRIES: usize = 100_000;
/// Bytes of one file, and of all together, unpacked.
const MAX_FILE: u64 = 200 * 1024 * 1024;
const MAX_ALL: u64 = 4 * 1024 * 1024 * 1024;
/// How many times as large as the zip its files may be: texts come to twenty times, bombs to thousands.
const MAX_RATIO: u64 = 200;
/// Bytes that are copied between two questions whether to go on.
const STEP: u64 = 4 * 1024 * 1024;
/// What a name in the directory of a zip begins with.
const HEADER: &[u8] = b"PK\x01\x02";
/// Below it nobody minds the ratio.
const SMALL: u64 = 64 * 1024 * 1024;

/// Lays the files of a zip out in `folder`, which is made. Answers with what was left out: links, names that lead out of the
/// folder or are there twice, files that are too large.
pub fn unpack(path: &Path, folder: &Path, progress: &mut Watcher<'_>) -> Result<Vec<(String, Note)>, ImportError> {
    let refuse = |why: String| ImportError::Archive {
        path: path.display().to_string(),
        why,
    };
    let failed = |error: io::Error| refuse(error.to_string());
    let file = File::open(path).map_err(failed)?;
    let packed = file.metadata().map_err(failed)?.len();
    if count_names(&file).map_err(failed)? > MAX_ENTRIES {
        return Err(refuse(format!("it has more than {MAX_ENTRIES} files")));
    }
    let mut archive =
        ZipArchive::new(BufReader::new(file)).map_err(|error| refuse(format!("this is no zip: {error}")))?;
    fs::create_dir_all(folder).map_err(failed)?;
    let most = packed.saturating_mul(MAX_RATIO).clamp(SMALL, MAX_ALL);
    let (mut total, mut seen, mut skipped) = (0, HashSet::new(), Vec::new());
    let entries = archive.len();
    for index in 0..entries {
        let mut entry = match archive.by_index(index) {
            Ok(entry) => entry,
            Err(error) => {
                skipped.push((format!("#{index}"), Note::Packed(error.to_string())));
                continue;
            }
        };
        let Ok(name) = entry.name().map(|name| name.into_owned()) else {
            skipped.push((format!("#{index}"), Note::Packed("its name is no Unicode".into())));
            continue;
        };
        if entry.is_dir() {
            continue;
        }
        let Some(inside) = entry.enclosed_name().filter(|_| !name.contains('\\')) else {
            skipped.push((name, Note::Packed(FileTrouble::Outside.text(Lang::En).into())));
            continue;
        };
        if entry.is_symlink() {
            skipped.push((name, Note::Packed("links are not followed".into())));
            continue;
        }
        if !seen.insert(name.to_lowercase()) {
            skipped.push((name, Note::Packed("another file has the same name".into())));
            continue;
        }
        let target = folder.join(inside);
        let made = target
            .parent()
            .map_or(Ok(()), fs::create_dir_all)
            .and_then(|()| File::create_new(&target));
        let Ok(out) = made else {
            skipped.push((name, Note::Packed("there can be no file of this name".into())));
            continue;
        };
        // What an entry says of its size is not believed.
        let part = (&mut entry).take(MAX_FILE.min(most.saturating_sub(total)) + 1);
        let mut tell = || {
            Progress {
                done: index,
                total: entries,
                file: &name,
            }
            .tell(progress)
        };
        match copy(part, out, &mut tell)? {
            Ok(size) if size <= MAX_FILE => total += size,
            Ok(_) => {
                let _ = fs::remove_file(&target);
                skipped.push((name, Note::Packed(FileTrouble::TooLarge.text(Lang::En).into())));
            }
            Err(error) => {
                let _ = fs::remove_file(&target);
                skipped.push((name, Note::Packed(error.to_string())));
            }
        }
        if total > most {
            return Err(refuse(format!("unpacked it is larger than {} MB", most >> 20)));
        }
    }
    Ok(skipped)
}

/// Copies all of it, and tells before each few megabytes; answers with how many bytes that were.
fn copy(
    mut from: impl Read,
    mut to: impl Write,
    tell: &mut dyn FnMut() -> Result<(), ImportError>,
) -> Result<io::Result<u64>, ImportError> {
    let mut total = 0;
    loop {
        tell()?;
        match io::copy(&mut (&mut from).take(STEP), &mut to) {
            Ok(0) => return Ok(to.flush().map(|()| total)),
            Ok(size) => total += size,
            Err(error) => return Ok(Err(error)),
        }
    }
}

/// How many names a zip can have at most, before the library holds all of them: each has a header that begins with four
/// certain bytes.
fn count_names(mut file: &File) -> io::Result<usize> {
    let mut block = vec![0; 1 << 20];
    let (mut kept, mut found) = (0, 0);
    file.rewind()?;
    loop {
        // The last three bytes of a block may be the first ones of a header.
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

/// Writes the files as a zip, the same bytes for the same files: without times, in one order.
pub fn pack(layout: &Layout, to: &Path) -> io::Result<()> {
    let mut archive = ZipWriter::new(BufWriter::new(File::create(to)?));
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .unix_permissions(0o644);
    for (path, body) in layout {
        let large = match body {
            Body::Text(_) => false,
            Body::Copy(from) => fs::metadata(from)?.len() > u64::from(u32::MAX),
        };
        archive
            .start_file(path, options.large_file(large))
            .map_err(io::Error::other)?;
        match body {
            Body::Text(text) => archive.write_all(text.as_bytes())?,
            Body::Copy(from) => {
                io::copy(&mut File::open(from)?, &mut archive)?;
            }
        }
    }
    archive.finish().map_err(io::Error::other)?.flush()
}
