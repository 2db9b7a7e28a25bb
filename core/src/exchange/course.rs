//! A course as a reader hands it over: complete, checked, and not yet stored.

use std::path::PathBuf;

use serde_json::Value;
use uuid::Uuid;

use crate::content::FileAddress;

#[derive(Debug)]
pub struct CourseDraft {
    pub title: String,
    pub description: Option<String>,
    pub modules: Vec<ModuleDraft>,
    /// Each once, however many pages show it.
    pub files: Vec<FileDraft>,
}

#[derive(Debug)]
pub struct ModuleDraft {
    pub title: String,
    pub description: Option<String>,
    pub lessons: Vec<LessonDraft>,
}

#[derive(Debug)]
pub struct LessonDraft {
    pub title: String,
    pub pages: Vec<PageDraft>,
}

#[derive(Debug)]
pub struct PageDraft {
    /// Made by the reader, because pages link to each other by it.
    pub id: Uuid,
    pub title: Option<String>,
    /// A valid document whose files have the addresses of [`FileDraft::address`].
    pub content: Value,
    /// Where it came from: `src/ch01-00-getting-started.md`.
    pub source: String,
}

/// A file the pages show, still where the author has it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileDraft {
    /// Stands for the key the file gets when it is stored: 32 hexadecimal digits of the hash of its bytes.
    pub key: String,
    pub path: PathBuf,
    pub filename: String,
    /// Told by the bytes.
    pub content_type: &'static str,
    pub size: u64,
    /// Pixels, of images.
    pub width: Option<u32>,
    pub height: Option<u32>,
}

impl FileDraft {
    /// The address the pages of the draft use.
    pub fn address(&self) -> String {
        FileAddress::format(&self.key, &self.filename)
    }
}

impl CourseDraft {
    pub fn lessons(&self) -> impl Iterator<Item = &LessonDraft> {
        self.modules.iter().flat_map(|module| &module.lessons)
    }

    pub fn pages(&self) -> impl Iterator<Item = &PageDraft> {
        self.lessons().flat_map(|lesson| &lesson.pages)
    }

    pub fn pages_mut(&mut self) -> impl Iterator<Item = &mut PageDraft> {
        self.modules
            .iter_mut()
            .flat_map(|module| &mut module.lessons)
            .flat_map(|lesson| &mut lesson.pages)
    }
}
