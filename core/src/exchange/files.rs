//! The files that pages show or link to, each taken once.

use std::collections::HashMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::course::FileDraft;
use super::folder::Folder;
use super::note::FileTrouble;
use crate::files::sniff::{self, HEAD};

/// As much as an upload may have.
const MAX_FILE: u64 = 200 * 1024 * 1024;

#[derive(Debug, Default)]
pub struct Files {
    pub drafts: Vec<FileDraft>,
    /// Which draft a path became, or why none.
    by_path: HashMap<PathBuf, Result<usize, FileTrouble>>,
    by_key: HashMap<String, usize>,
}

impl Files {
    /// The file at a path in the folder. Files of the same bytes are one.
    pub fn take(&mut self, folder: &Folder, path: &Path) -> Result<&FileDraft, FileTrouble> {
        let path = folder.find(path)?;
        let index = match self.by_path.get(&path) {
            Some(&known) => known,
            None => {
                let taken = describe(&path, MAX_FILE).map(|draft| {
                    *self.by_key.entry(draft.key.clone()).or_insert_with(|| {
                        self.drafts.push(draft);
                        self.drafts.len() - 1
                    })
                });
                self.by_path.insert(path, taken);
                taken
            }
        }?;
        self.drafts.get(index).ok_or(FileTrouble::Unreadable)
    }

    /// Forgets the files no page uses: one may turn out to be no image after it was taken.
    pub fn into_used(self, used: impl Fn(&str) -> bool) -> Vec<FileDraft> {
        self.drafts.into_iter().filter(|draft| used(&draft.key)).collect()
    }
}

/// What a file is, by its bytes; its key is made of them.
pub fn describe(path: &Path, largest: u64) -> Result<FileDraft, FileTrouble> {
    let unreadable = |_| FileTrouble::Unreadable;
    let mut file = File::open(path).map_err(unreadable)?;
    let mut head = Vec::new();
    file.by_ref()
        .take(HEAD as u64)
        .read_to_end(&mut head)
        .map_err(unreadable)?;
    let mut hash = Sha256::new_with_prefix(&head);
    let mut size = head.len() as u64;
    let mut chunk = vec![0; HEAD];
    loop {
        let read = file.read(&mut chunk).map_err(unreadable)?;
        let Some(bytes) = chunk.get(..read).filter(|bytes| !bytes.is_empty()) else {
            break;
        };
        hash.update(bytes);
        size += bytes.len() as u64;
        if size > largest {
            return Err(FileTrouble::TooLarge);
        }
    }
    let content_type = sniff::content_type(&head);
    let image = sniff::image_size(content_type, &head);
    Ok(FileDraft {
        key: hash
            .finalize()
            .iter()
            .take(16)
            .map(|byte| format!("{byte:02x}"))
            .collect(),
        path: path.to_owned(),
        filename: shortened(&path.file_name().unwrap_or_default().to_string_lossy()),
        content_type,
        size,
        width: image.map(|size| size.width),
        height: image.map(|size| size.height),
    })
}

/// A name of at most 100 characters that keeps its extension.
fn shortened(name: &str) -> String {
    let name: String = name.chars().map(|c| if c.is_control() { '_' } else { c }).collect();
    if name.chars().count() <= 100 {
        return name;
    }
    match name.rsplit_once('.') {
        Some((stem, extension)) if extension.len() <= 10 => {
            format!("{}.{extension}", stem.chars().take(89).collect::<String>())
        }
        _ => name.chars().take(100).collect(),
    }
}
