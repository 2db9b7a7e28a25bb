//! Files of the package that no page shows, and those that it lacks.

use std::collections::HashSet;
use std::path::Path;

use uuid::Uuid;

use super::Reader;
use crate::Watcher;
use crate::cartridge::canvas_dates::ModuleRules;
use crate::cartridge::manifest::is_web;
use crate::cartridge::plan::{PlannedLesson, PlannedModule, PlannedPage, Target};
use crate::cartridge::{MANIFEST, unreferenced};
use crate::content;
use crate::course::{CourseDraft, PageDraft};
use crate::error::ImportError;
use crate::note::Note;
use crate::note::cartridge::Note as CartridgeNote;

/// Unreferenced files per page.
const FILES_A_PAGE: usize = 50;

impl Reader<'_> {
    /// Adds files that no page shows to a lesson at the end.
    pub(super) fn add_files(
        &mut self,
        course: &mut CourseDraft,
        progress: &mut Watcher<'_>,
    ) -> Result<(), ImportError> {
        let mut used: HashSet<String> = course.pages().flat_map(PageDraft::files).collect();
        used.extend(course.modules.iter().filter_map(|module| module.avatar.clone()));
        let files = unreferenced::files(self.builder.folder, self.builder.manifest, &self.builder.read);
        if files.beyond > 0 {
            let (count, most) = (files.beyond, unreferenced::MAX_FILES);
            self.report.add(MANIFEST, Note::Beyond { count, most });
        }
        self.missing_resources();
        let mut pages = Vec::new();
        for (paths, published) in [(files.for_everybody, true), (files.for_teachers, false)] {
            let mut left: Vec<String> = Vec::new();
            for path in paths {
                let taken = self.builder.files.take(self.builder.folder, Path::new(&path));
                match taken.map(|file| used.insert(file.key.clone())) {
                    Ok(true) => {
                        self.report
                            .add(&path, Note::Cartridge(CartridgeNote::FileApart(path.clone())));
                        left.push(path);
                    }
                    Ok(false) => {}
                    Err(trouble) => {
                        let note = CartridgeNote::MissingFile(path.clone(), trouble);
                        self.report.add(&path, Note::Cartridge(note));
                    }
                }
            }
            pages.extend(left.chunks(FILES_A_PAGE).map(|chunk| PlannedPage {
                id: String::new(),
                title: self.builder.labels.files.to_owned(),
                target: Target::Files(chunk.to_vec()),
                url: None,
                published,
            }));
        }
        if pages.is_empty() {
            return Ok(());
        }
        let labels = self.builder.labels;
        let lesson = PlannedLesson {
            id: String::new(),
            title: labels.files.to_owned(),
            pages,
        };
        let module = PlannedModule {
            id: String::new(),
            title: labels.outside.to_owned(),
            rules: ModuleRules::default(),
            lessons: vec![lesson],
        };
        let mut made = self.module(&module, &mut std::iter::from_fn(|| Some(Uuid::now_v7())), progress)?;
        match course
            .modules
            .last_mut()
            .filter(|last| last.title == labels.outside || !self.outside.is_empty())
        {
            Some(last) => last.lessons.append(&mut made.lessons),
            None => course.modules.push(made),
        }
        Ok(())
    }

    /// Reports files that a resource names but the package lacks, unless a page has already reported them.
    fn missing_resources(&mut self) {
        for (at, resource) in self.builder.manifest.resources.iter().enumerate() {
            let said = self.seen.contains_key(&at);
            let mut paths: Vec<&String> = resource.href.iter().chain(&resource.files).collect();
            paths.sort();
            paths.dedup();
            for path in paths {
                if said && resource.main() == Some(path) {
                    continue;
                }
                if is_web(path) {
                    continue;
                }
                let decoded = content::decoded(path);
                let exists = |path: &str| self.builder.folder.find(Path::new(path));
                if let Err(trouble) = exists(path).or_else(|trouble| exists(&decoded).map_err(|_| trouble)) {
                    let note = CartridgeNote::MissingFile(path.clone(), trouble);
                    self.report
                        .add(format!("{MANIFEST}#{}", resource.id), Note::Cartridge(note));
                }
            }
        }
    }
}
