//! Quizzes and banks: from the file that holds most of their questions.

use std::collections::HashSet;
use std::path::Path;

use roxmltree::Node;
use serde_json::Value;
use uuid::Uuid;

use super::build::{Builder, Built};
use super::manifest::{Resource, ResourceKind};
use super::meta::{self, QuizMeta};
use super::note::Note as CartridgeNote;
use super::page::{blocks_of, list};
use super::xml::is;
use super::{OWN_ASSESSMENTS, qti};
use crate::exchange::note::Note;
use crate::exchange::reason::Reason;
use crate::quiz::{MAX_ATTEMPTS, MAX_QUESTIONS, Reveal};

/// Bytes of the banks that quizzes draw from, each counted as often as it is drawn from.
const MAX_DRAWN: u64 = 256 * 1024 * 1024;

/// Where a quiz lies.
pub struct Places {
    pub profile: Option<String>,
    pub own: Option<String>,
    pub meta: Option<String>,
}

impl Builder<'_> {
    pub fn places(&self, resource: &Resource) -> Places {
        let dependencies = resource.dependencies.iter().filter_map(|id| self.manifest.find(id));
        let files: Vec<&String> = dependencies
            .filter_map(|at| self.manifest.resources.get(at))
            .chain([resource])
            .flat_map(|resource| resource.files.iter().chain(&resource.href))
            .collect();
        let there = |path: &str| self.folder.find(Path::new(path)).is_ok();
        let ending = |end: &str| {
            files
                .iter()
                .find(|path| path.ends_with(end))
                .map(|path| (*path).clone())
        };
        let guess = |path: String| there(&path).then_some(path);
        let own = ending(".xml.qti").filter(|path| there(path));
        Places {
            own: own.or_else(|| guess(format!("{OWN_ASSESSMENTS}/{}.xml.qti", resource.id))),
            meta: ending("assessment_meta.xml").filter(|path| there(path)),
            profile: resource
                .main()
                .filter(|path| !path.ends_with(".xml.qti"))
                .map(str::to_owned),
        }
    }

    pub fn quiz_meta(&mut self, places: &Places) -> QuizMeta {
        let words = self.words;
        let path = places.meta.as_deref();
        let read = path.and_then(|path| self.with_root(path, |root, _| meta::quiz(root, words)));
        read.unwrap_or_default()
    }

    pub fn quiz(&mut self, resource: &Resource) -> Option<Built> {
        let places = self.places(resource);
        let meta = self.quiz_meta(&places);
        let is_bank = resource.kind == ResourceKind::QuestionBank;
        let words = self.words;
        let read = |builder: &mut Self, path: &str| {
            builder.with_root(path, |root, host| (qti::count(root), qti::read(root, host, words)))
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
        // Questions of another version of QTI are no questions of none.
        if read.items == 0 && read.drawn.is_empty() && self.is_another_version(source.as_deref()) {
            self.note(CartridgeNote::UnknownType(resource.kind_name.clone()));
            return None;
        }
        self.draw(&mut read);
        let mut quiz = read.quiz;
        quiz.shuffle_options |= meta.shuffle_options;
        match meta.attempts {
            Some(attempts) if attempts < 1 => quiz.max_attempts = None,
            Some(attempts) => quiz.max_attempts = u32::try_from(attempts).ok().filter(|n| *n <= MAX_ATTEMPTS),
            None => {}
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
        for (name, value) in meta.lost {
            self.note(CartridgeNote::Setting { name, value });
        }
        if is_bank {
            self.note(CartridgeNote::Bank);
        }
        let unpublished = meta.settings.unpublished;
        if unpublished && !is_bank {
            self.note(CartridgeNote::Unpublished);
        }
        // A quiz whose questions all became words is a page of words.
        let only_words = quiz.questions.is_empty() && read.items > 0;
        if only_words && blocks.is_empty() {
            self.notes.push(Note::QuestionRefused(Reason::NothingInIt));
        }
        Some(Built {
            title: meta.title.or(read.title),
            blocks,
            quiz: (!only_words).then_some(quiz),
            published: !is_bank && !unpublished,
            source: source.unwrap_or_default(),
        })
    }

    fn is_another_version(&mut self, path: Option<&str>) -> bool {
        let own = |root: Node<'_, '_>| is(root, "questestinterop");
        path.and_then(|path| self.with_root(path, |root, _| !own(root))) == Some(true)
    }

    /// Puts the questions of banks where a quiz draws from them: all of them, as nothing is drawn by lot here.
    fn draw(&mut self, read: &mut qti::Read) {
        let words = self.words;
        for drawn in std::mem::take(&mut read.drawn).into_iter().rev() {
            let path = format!("{OWN_ASSESSMENTS}/{}.xml.qti", drawn.bank);
            let size = self.folder.find(Path::new(&path)).ok();
            let size = size.and_then(|path| Some(path.metadata().ok()?.len()));
            // A small package could name a large bank any number of times.
            self.drawn += size.unwrap_or_default();
            let there = size.is_some() && self.drawn <= MAX_DRAWN;
            let bank = there.then(|| self.with_root(&path, |root, host| qti::read(root, host, words)));
            let Some(bank) = bank.flatten() else {
                let value = format!("{}, {}", drawn.pick, drawn.bank);
                let name = drawn.title;
                self.note(CartridgeNote::Setting { name, value });
                continue;
            };
            self.note(CartridgeNote::Group {
                title: drawn.title,
                pick: drawn.pick,
                of: bank.items,
            });
            let known: HashSet<Uuid> = read.quiz.questions.iter().map(|question| question.id).collect();
            let room = MAX_QUESTIONS.saturating_sub(read.quiz.questions.len());
            if bank.quiz.questions.len() > room {
                self.notes
                    .push(Note::QuestionRefused(Reason::TooManyQuestions(MAX_QUESTIONS)));
            }
            let questions = bank.quiz.questions.into_iter().take(room).map(|mut question| {
                if known.contains(&question.id) {
                    question.id = Uuid::now_v7();
                }
                question.points = drawn.points.unwrap_or(question.points);
                question
            });
            read.quiz.questions.splice(drawn.at..drawn.at, questions);
            read.blocks.extend(bank.blocks);
            read.items += bank.items;
        }
    }
}
