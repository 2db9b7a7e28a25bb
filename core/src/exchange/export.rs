//! Courses going out.

use std::fs;
use std::io;
use std::path::Path;

use super::native::{self, Body, Layout};
use super::{CourseDraft, ExportError, Report, archive, cartridge, gift};

/// Writes a course in Kurso Markdown: a zip when the name of `to` ends in `.zip`, else a folder. A folder that holds an
/// earlier export gets the new one in its place, and what else lies in it stays; any other that is not empty is refused.
pub fn export(course: &CourseDraft, to: &Path) -> Result<(), ExportError> {
    let failed = |why: io::Error| ExportError::Write {
        path: to.display().to_string(),
        why,
    };
    let layout = native::layout(course);
    if to.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("zip")) {
        return pack(&layout, to).map_err(failed);
    }
    let earlier = to.join(native::COURSE).is_file();
    let empty = match fs::read_dir(to) {
        Ok(mut entries) => entries.next().is_none(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => true,
        Err(error) => return Err(failed(error)),
    };
    if !earlier && !empty {
        return Err(ExportError::Taken(to.display().to_string()));
    }
    if earlier {
        clear(to).map_err(failed)?;
    }
    lay_out(&layout, to).map_err(failed)
}

/// Writes the questions of a course as a file of GIFT; the report says what the form has no words for.
pub fn export_gift(course: &CourseDraft, to: &Path) -> Result<Report, ExportError> {
    let (text, report) = gift::write(course);
    fs::write(to, text).map_err(|why| ExportError::Write {
        path: to.display().to_string(),
        why,
    })?;
    Ok(report)
}

/// Writes a course as a Common Cartridge 1.3, a zip whatever its name; the report says what others will not read of it.
pub fn export_cartridge(course: &CourseDraft, to: &Path) -> Result<Report, ExportError> {
    let (layout, report) = cartridge::layout(course);
    pack(&layout, to).map_err(|why| ExportError::Write {
        path: to.display().to_string(),
        why,
    })?;
    Ok(report)
}

/// Writes a zip, whole or not at all.
fn pack(layout: &Layout, to: &Path) -> io::Result<()> {
    let beside = to.with_extension("zip.part");
    let packed = archive::pack(layout, &beside).and_then(|()| fs::rename(&beside, to));
    if packed.is_err() {
        let _ = fs::remove_file(&beside);
    }
    packed
}

/// Takes away what an export writes: the folders of modules, that of the files, and the course's own text.
fn clear(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let digits = name.bytes().take_while(u8::is_ascii_digit).count();
        let ours = (digits >= 2 && name.as_bytes().get(digits) == Some(&b'-')) || name == "files";
        if ours && entry.file_type()?.is_dir() {
            fs::remove_dir_all(entry.path())?;
        }
    }
    fs::remove_file(folder.join(native::COURSE))
}

fn lay_out(layout: &Layout, folder: &Path) -> io::Result<()> {
    for (path, body) in layout {
        let target = folder.join(path);
        if let Some(parent) = target.parent() {
            fs::create_dir_all(parent)?;
        }
        match body {
            Body::Text(text) => fs::write(&target, text)?,
            Body::Copy(from) => {
                fs::copy(from, &target)?;
            }
        }
    }
    Ok(())
}
