//! Collects the files of an import, each once.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::course::{CourseDraft, FileDraft, PageDraft};
use super::folder::Folder;
use super::note::FileTrouble;
use crate::content::{self, FileAddress, decoded};
use crate::sniff::{self, HEAD};
use kurso_base::hex::hex;

/// The limit of uploads.
const MAX_FILE: u64 = 200 * 1024 * 1024;

#[derive(Debug, Default)]
pub struct Files {
    pub drafts: Vec<FileDraft>,
    /// Index or error by path.
    by_path: HashMap<PathBuf, Result<usize, FileTrouble>>,
    by_key: HashMap<String, usize>,
    /// Where files that a text contains are written.
    scratch: Option<PathBuf>,
}

impl Files {
    /// Files that a text contains are written into `scratch`.
    pub fn in_scratch(scratch: &Path) -> Self {
        Self {
            scratch: Some(scratch.to_owned()),
            ..Self::default()
        }
    }

    /// Takes the file in a `data:` address in base64.
    pub fn take_data(&mut self, address: &str) -> Result<&FileDraft, FileTrouble> {
        let (kind, data) = address
            .split_once(':')
            .and_then(|(_, rest)| rest.split_once(','))
            .ok_or(FileTrouble::Unreadable)?;
        let data: String = decoded(data).split_whitespace().collect();
        let bytes = STANDARD.decode(data).ok().filter(|_| kind.ends_with("base64"));
        let bytes = bytes.ok_or(FileTrouble::Unreadable)?;
        let scratch = self.scratch.as_ref().ok_or(FileTrouble::Unreadable)?;
        let name = format!("data-{}", Uuid::now_v7().simple());
        let path = scratch.join(name);
        std::fs::write(&path, &bytes).map_err(|_| FileTrouble::Unreadable)?;
        let mut draft = describe(&path, MAX_FILE)?;
        let subtype = draft.content_type.split(['/', '+']).nth(1).unwrap_or("bin");
        draft.filename = format!("image.{subtype}");
        let drafts = &mut self.drafts;
        let index = *self.by_key.entry(draft.key.clone()).or_insert_with(|| {
            drafts.push(draft);
            drafts.len() - 1
        });
        self.drafts.get(index).ok_or(FileTrouble::Unreadable)
    }

    /// Takes the file at a path. Files with equal content are stored once.
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

    /// The taken file with this address.
    pub fn at(&self, address: &str) -> Option<&FileDraft> {
        let index = self.by_key.get(FileAddress::parse(address)?.key)?;
        self.drafts.get(*index)
    }

    /// Whether the file at a path was taken.
    pub fn contains(&self, folder: &Folder, path: &Path) -> bool {
        folder.find(path).is_ok_and(|path| self.by_path.contains_key(&path))
    }

    /// Drops files that no page references.
    pub fn into_used(self, used: impl Fn(&str) -> bool) -> Vec<FileDraft> {
        self.drafts.into_iter().filter(|draft| used(&draft.key)).collect()
    }
}

impl CourseDraft {
    /// Keeps the files that the course and its banks reference.
    pub fn take_files(&mut self, files: Files) {
        let mut used: HashSet<String> = self.pages().flat_map(PageDraft::files).collect();
        used.extend(self.modules.iter().filter_map(|module| module.avatar.clone()));
        let questions = self.banks.iter().flat_map(|bank| &bank.questions);
        let documents = questions.flat_map(|tagged| tagged.question.documents());
        used.extend(documents.flat_map(content::files));
        self.files = files.into_used(|key| used.contains(key));
    }
}

/// The key of the file with this SHA-256.
pub fn key_of_hash(hash: &[u8]) -> String {
    hex(hash.get(..16).unwrap_or(hash))
}

/// Reads type, size and hash of a file; its key is derived from the hash.
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
            return Err(FileTrouble::TooLarge(largest));
        }
    }
    let content_type = sniff::content_type(&head);
    let image = sniff::image_size(content_type, &head);
    Ok(FileDraft {
        key: key_of_hash(&hash.finalize()),
        path: path.to_owned(),
        filename: shortened(&path.file_name().unwrap_or_default().to_string_lossy()),
        content_type,
        size,
        width: image.map(|size| size.width),
        height: image.map(|size| size.height),
    })
}

/// Shortens a name to 100 characters, keeping the extension.
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
