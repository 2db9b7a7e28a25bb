//! Unpacks the parts of a DOCX file that a course needs: themes, settings, fonts, embedded programs and the like stay packed.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use super::parts::{self, Relations};
use super::{beside, main_part};
use crate::Watcher;
use crate::archive::Zip;
use crate::error::ImportError;
use crate::folder::Folder;
use crate::html_host::path_of;
use crate::note::Note;
use crate::unpack::Budget;

/// The unpacked parts of a DOCX file.
pub struct Package {
    pub folder: Folder,
    /// The path of the main part.
    pub main: String,
    pub has_headers: bool,
    /// Entries that were not unpacked.
    pub skipped: Vec<(String, Note)>,
}

impl Package {
    /// Unpacks the zip into `target`, which is created. Fails when the import is cancelled or exceeds its budget; then, and for
    /// a file that is not a zip, `target` is deleted. `None` for a file that is not a zip.
    pub fn unpack(
        zip: &Path,
        target: &Path,
        budget: &mut Budget,
        progress: &mut Watcher<'_>,
    ) -> Result<Option<Self>, ImportError> {
        let Ok(zip) = Zip::open(zip) else { return Ok(None) };
        let unpacked = Self::of(zip, target, budget, progress);
        if unpacked.is_err() {
            let _ = fs::remove_dir_all(target);
        }
        unpacked.map(Some)
    }

    fn of(
        mut zip: Zip<'_>,
        target: &Path,
        budget: &mut Budget,
        progress: &mut Watcher<'_>,
    ) -> Result<Self, ImportError> {
        let mut unpacker = zip.unpacker(target, budget, progress)?;
        let folder = Folder::open(target)?;
        let mut done = HashSet::new();
        let mut extract = |zip: &mut Zip<'_>, name: String| match done.insert(name.clone()) {
            true => zip.extract_named(&name, &mut unpacker),
            false => Ok(()),
        };
        extract(&mut zip, "_rels/.rels".to_owned())?;
        // What is wrong with a part is noted when it is read.
        let mut ignored = Vec::new();
        let main = main_part(&folder, &mut ignored);
        let name = main.rsplit('/').next().unwrap_or(&main).to_owned();
        extract(&mut zip, main.clone())?;
        for part in ["styles.xml", "numbering.xml"] {
            extract(&mut zip, beside(&main, part))?;
        }
        let mut has_html = false;
        for part in [name.as_str(), "footnotes.xml", "endnotes.xml"] {
            extract(&mut zip, beside(&main, part))?;
            let path = beside(&main, &format!("_rels/{part}.rels"));
            extract(&mut zip, path.clone())?;
            let relations = parts::part(&folder, &path, &mut ignored, parts::relations).unwrap_or_default();
            for path in targets(&relations, &main) {
                has_html |= super::is_html(&path);
                extract(&mut zip, path)?;
            }
        }
        if has_html {
            // Included HTML names its images itself.
            let names: Vec<String> = zip.names().filter(|name| !is_xml(name)).map(Into::into).collect();
            for name in names {
                extract(&mut zip, name)?;
            }
        }
        let is_header = |name: &str| {
            ["header", "footer"]
                .iter()
                .any(|kind| name.starts_with(&beside(&main, kind)))
        };
        let has_headers = zip.names().any(|name| is_header(&name));
        let skipped = std::mem::take(&mut unpacker.notes);
        Ok(Self {
            folder,
            main,
            has_headers,
            skipped,
        })
    }
}

/// The paths of media and included texts. The parts in XML that a course needs have fixed names.
fn targets(relations: &Relations, main: &str) -> Vec<String> {
    let inside = relations
        .values()
        .filter(|(target, outside)| !outside && !is_xml(target));
    let base = beside(main, "");
    let paths = inside.filter_map(|(target, _)| {
        let from = if target.starts_with('/') { "" } else { &base };
        Some(path_of(Path::new(from), target)?.to_string_lossy().into_owned())
    });
    paths.collect()
}

fn is_xml(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.ends_with(".xml") || name.ends_with(".rels")
}
