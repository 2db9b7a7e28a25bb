//! A course as a reader hands it over: complete, checked, and not yet stored.

use std::collections::HashSet;
use std::path::PathBuf;

use uuid::Uuid;

use super::body::{self, Body};
use super::files::Files;
use super::report::Counts;
use crate::content::{self, FileAddress};
use crate::quiz::Quiz;

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
    pub id: Uuid,
    /// What tells it from others wherever it is kept; None: one is made of the id.
    pub key: Option<String>,
    pub title: String,
    pub description: Option<String>,
    /// The key of the file that is its picture.
    pub avatar: Option<String>,
    pub lessons: Vec<LessonDraft>,
}

#[derive(Debug)]
pub struct LessonDraft {
    pub id: Uuid,
    pub key: Option<String>,
    pub title: String,
    pub pages: Vec<PageDraft>,
}

#[derive(Debug)]
pub struct PageDraft {
    /// Made by the reader, because pages link to each other by it.
    pub id: Uuid,
    pub key: Option<String>,
    pub title: Option<String>,
    /// A valid document whose files have the addresses of [`FileDraft::address`].
    pub content: Body,
    /// Makes it a quiz page. As `quiz::read` has it, with the same addresses; whether it is ready is decided when it is stored.
    pub quiz: Option<Quiz>,
    pub published: bool,
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

    /// Gives the addresses on all pages that `map` knows another for that one.
    pub(super) fn map_addresses(&mut self, map: impl Fn(&str) -> Option<String>) {
        self.pages_mut().for_each(|page| page.map_addresses(&map));
    }

    /// Keeps of the files that were found those the course shows.
    pub(super) fn take_files(&mut self, files: Files) {
        let mut used: HashSet<String> = self.pages().flat_map(PageDraft::files).collect();
        used.extend(self.modules.iter().filter_map(|module| module.avatar.clone()));
        self.files = files.into_used(|key| used.contains(key));
    }

    pub(super) fn count(&self, counts: &mut Counts) {
        counts.modules = self.modules.len();
        counts.lessons = self.lessons().count();
        counts.pages = self.pages().count();
        counts.files = self.files.len();
        for page in self.pages() {
            page.content.count(counts);
            if let Some(quiz) = &page.quiz {
                counts.questions += quiz.questions.len();
                for document in quiz.documents() {
                    body::count_blocks(document, counts);
                }
            }
        }
    }
}

impl PageDraft {
    pub(super) fn map_addresses(&mut self, map: impl Fn(&str) -> Option<String>) {
        self.content.map_addresses(&map);
        for document in self.quiz.iter_mut().flat_map(Quiz::documents_mut) {
            content::map_addresses(document, &map);
        }
    }

    /// The keys of the files it shows.
    pub fn files(&self) -> Vec<String> {
        let mut keys = self.content.files();
        keys.extend(self.quiz.iter().flat_map(Quiz::files));
        keys.into_iter().collect()
    }
}
