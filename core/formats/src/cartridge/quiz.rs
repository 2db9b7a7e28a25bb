//! Reads quizzes and question banks from the more complete of their two files.

use std::path::Path;

use roxmltree::Node;
use serde_json::Value;

use super::build::{BuiltPage, PageBuilder};
use super::manifest::{Resource, ResourceKind};
use super::meta::{self, QuizMeta};
use super::page::{blocks_of, list};
use super::xml::is;
use super::{OWN_ASSESSMENTS, qti};
use crate::note::Note;
use crate::note::Reason;
use crate::note::cartridge::Note as CartridgeNote;
use crate::quiz::{MAX_ATTEMPTS, MAX_QUESTIONS, Reveal};

/// The files of one quiz.
pub struct QuizFiles {
    pub profile: Option<String>,
    pub own: Option<String>,
    pub meta: Option<String>,
}

impl PageBuilder<'_> {
    pub fn places(&self, resource: &Resource) -> QuizFiles {
        let dependencies = resource.dependencies.iter().filter_map(|id| self.manifest.find(id));
        let files: Vec<&String> = dependencies
            .filter_map(|at| self.manifest.resources.get(at))
            .chain([resource])
            .flat_map(|resource| resource.files.iter().chain(&resource.href))
            .collect();
        let exists = |path: &str| self.folder.find(Path::new(path)).is_ok();
        let ending = |end: &str| {
            files
                .iter()
                .find(|path| path.ends_with(end))
                .map(|path| (*path).clone())
        };
        let guess = |path: String| exists(&path).then_some(path);
        let own = ending(".xml.qti").filter(|path| exists(path));
        QuizFiles {
            own: own.or_else(|| guess(format!("{OWN_ASSESSMENTS}/{}.xml.qti", resource.id))),
            meta: ending("assessment_meta.xml").filter(|path| exists(path)),
            profile: resource
                .main()
                .filter(|path| !path.ends_with(".xml.qti"))
                .map(str::to_owned),
        }
    }

    pub fn quiz_meta(&mut self, places: &QuizFiles) -> QuizMeta {
        let labels = self.labels;
        let path = places.meta.as_deref();
        let read = path.and_then(|path| self.with_root(path, |root, _| meta::quiz(root, labels)));
        read.unwrap_or_default()
    }

    pub fn quiz(&mut self, resource: &Resource) -> Option<BuiltPage> {
        let places = self.places(resource);
        let mut meta = self.quiz_meta(&places);
        if !self.has_own_dates {
            meta::dates(std::mem::take(&mut meta.dates), self.labels, &mut meta.settings);
        }
        let is_bank = resource.kind == ResourceKind::QuestionBank;
        let labels = self.labels;
        let most = MAX_QUESTIONS;
        let read = |builder: &mut Self, path: &str| {
            builder.with_root(path, |root, host| {
                (qti::count(root), qti::read(root, most, host, labels))
            })
        };
        let mut source = places.own.clone();
        let mut found = places.own.as_deref().and_then(|path| read(self, path));
        if let (Some((own, _)), Some(profile)) = (&found, &places.profile) {
            let count = self.with_root(profile, |root, _| qti::count(root));
            if let Some(profile) = count.filter(|count| count != own) {
                self.note(CartridgeNote::Fuller { own: *own, profile });
            }
        }
        if found.is_none() {
            source = places.profile.clone();
            found = places.profile.as_deref().and_then(|path| read(self, path));
        }
        let (_, mut read) = found?;
        // Another QTI version is not an empty quiz.
        if read.items == 0 && read.drawn.is_empty() && self.is_another_version(source.as_deref()) {
            self.note(CartridgeNote::UnknownType(resource.kind_name.clone()));
            return None;
        }
        self.add_draws(resource, &mut read);
        let mut quiz = read.quiz;
        quiz.shuffle_options |= meta.shuffle_options;
        match meta.attempts {
            Some(attempts) if attempts < 1 => quiz.max_attempts = None,
            Some(attempts) => quiz.max_attempts = u32::try_from(attempts).ok().filter(|n| *n <= MAX_ATTEMPTS),
            None => {}
        }
        // Canvas counts in minutes: the exact limit holds unless it was changed there.
        if let Some(minutes) = meta.time_limit {
            let exact = quiz
                .time_limit_seconds
                .filter(|seconds| seconds.div_ceil(60) == minutes);
            quiz.time_limit_seconds = exact.or(Some(60 * minutes));
        }
        if !read.says_reveal {
            quiz.reveal = match () {
                () if meta.never_reveal => Reveal::Never,
                () if meta.reveal => Reveal::AfterSubmit,
                () => quiz.reveal,
            };
        }
        let mut blocks: Vec<Value> = match &meta.description {
            Some(html) => self.host(source.as_deref().unwrap_or_default(), |host| blocks_of(html, host)),
            None => read.rubric,
        };
        blocks.extend(list(&meta.settings.lines));
        blocks.extend(read.blocks);
        self.note_dates(&meta.settings.dates);
        let has_unread_dates = !meta.settings.dates.unread.is_empty();
        let dates = meta.settings.dates.dates;
        for (name, value) in meta.lost {
            self.note(CartridgeNote::Setting { name, value });
        }
        if is_bank {
            self.note(CartridgeNote::BankPage);
        }
        let unpublished = meta.settings.unpublished;
        if unpublished && !is_bank {
            self.note(CartridgeNote::Unpublished);
        }
        // If no question could be kept as a question, the page has text only.
        let only_words = quiz.questions.is_empty() && read.items > 0;
        if only_words && blocks.is_empty() {
            self.notes.push(Note::QuestionRefused(Reason::NothingInIt));
        }
        Some(BuiltPage {
            title: meta.title.or(read.title),
            blocks,
            quiz: (!only_words).then_some(quiz),
            published: !is_bank && !unpublished,
            source: source.unwrap_or_default(),
            late: self.late.of_quiz(&dates),
            dates,
            has_unread_dates,
            work: None,
        })
    }

    fn is_another_version(&mut self, path: Option<&str>) -> bool {
        let own = |root: Node<'_, '_>| is(root, "questestinterop");
        path.and_then(|path| self.with_root(path, |root, _| !own(root))) == Some(true)
    }
}
