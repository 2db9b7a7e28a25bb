//! Turns groups of which a quiz draws some questions into question banks and draws from them.

use std::collections::HashSet;
use std::path::Path;

use kurso_base::ids::derived_id;
use kurso_base::values::QuestionTags;
use uuid::Uuid;

use super::OWN_ASSESSMENTS;
use super::build::PageBuilder;
use super::manifest::{Resource, ResourceKind};
use super::qti::{self, BankFile, DrawnGroup};
use super::read::clean_title;
use crate::content;
use crate::course::{BankDraft, TaggedQuestion};
use crate::note::Note;
use crate::note::Reason;
use crate::note::cartridge::Note as CartridgeNote;
use crate::quiz::{BankQuestionDraft, Kind, MAX_BANK_QUESTIONS, MAX_DRAWN, MAX_QUESTIONS, Question};

/// How the file names of banks of Canvas end.
const BANK_FILE: &str = ".xml.qti";

impl PageBuilder<'_> {
    /// Inserts a draw for each group of the quiz that is larger than the number of questions drawn from it, and the questions of the others.
    pub(super) fn add_draws(&mut self, resource: &Resource, read: &mut qti::Read) {
        for group in std::mem::take(&mut read.drawn).into_iter().rev() {
            let at = group.at;
            let (title, pick, bank) = (group.title.clone(), group.pick, group.bank.clone());
            let Some(questions) = self.questions_of(resource, group, read) else {
                let value = format!("{pick}, {}", bank.unwrap_or_default());
                self.note(CartridgeNote::Setting { name: title, value });
                continue;
            };
            let known: HashSet<Uuid> = read.quiz.questions.iter().map(|question| question.id).collect();
            let room = MAX_QUESTIONS.saturating_sub(read.quiz.question_count());
            let asked: usize = questions.iter().map(|question| question.kind.count()).sum();
            if asked > room {
                self.notes
                    .push(Note::QuestionRefused(Reason::TooManyQuestions(MAX_QUESTIONS)));
            }
            let mut left = room;
            let questions = questions.into_iter().filter_map(|mut question| {
                left = left.checked_sub(question.kind.count())?;
                if known.contains(&question.id) {
                    question.id = Uuid::now_v7();
                }
                Some(question)
            });
            let questions: Vec<Question> = questions.collect();
            read.quiz.questions.splice(at..at, questions);
        }
    }

    /// What the quiz asks in place of the group: a draw, or all of its questions if none is left out. None if its bank is missing.
    fn questions_of(&mut self, resource: &Resource, group: DrawnGroup, read: &mut qti::Read) -> Option<Vec<Question>> {
        let DrawnGroup {
            title,
            pick,
            points,
            ident,
            ..
        } = group;
        let (key, own) = match group.bank {
            Some(ident) => {
                if !self.banks.contains_key(&ident) {
                    let other = self.read_bank(&ident, &format!("{OWN_ASSESSMENTS}/{ident}{BANK_FILE}"))?;
                    read.blocks.extend(other.blocks);
                    read.items += other.items;
                }
                (ident, vec![])
            }
            None => {
                let of_quiz = read.title.as_deref().filter(|_| title.trim().is_empty());
                let source = resource.main().unwrap_or_default();
                let key = format!("{}/{ident}", resource.id);
                let own = self.bank_of(&key, of_quiz.unwrap_or(&title), source, group.questions);
                (key, vec![own])
            }
        };
        let bank = own.first().or_else(|| self.banks.get(&key))?;
        let of = bank.questions.len();
        let questions = bank.questions.iter().map(|tagged| tagged.question.as_question());
        if pick >= of {
            let questions = questions.cloned().map(|question| Question {
                points: points.unwrap_or(question.points),
                ..question
            });
            let questions = questions.collect();
            self.note(CartridgeNote::WholeGroup { title, pick, of });
            return Some(questions);
        }
        let count = u32::try_from(pick).unwrap_or(MAX_DRAWN).clamp(1, MAX_DRAWN);
        let kind = Kind::Draw {
            bank_id: bank.id,
            tags: vec![],
            count,
            pool: vec![],
        };
        let mut draw = Question::new(content::empty(), kind);
        draw.id = qti::id_of(&ident).unwrap_or(draw.id);
        let first = questions.map(|question| question.points).next();
        draw.points = points.or(first).unwrap_or(draw.points);
        let bank = bank.title.clone();
        self.note(CartridgeNote::Group { title, pick, of, bank });
        self.banks.extend(own.into_iter().map(|own| (key.clone(), own)));
        Some(vec![draw])
    }

    /// Reads the banks that no quiz draws from. Returns the notes about each file.
    pub(super) fn read_other_banks(&mut self) -> Vec<(String, Vec<Note>)> {
        let manifest = self.manifest;
        let mut told = Vec::new();
        let resources = manifest.resources.iter();
        for resource in resources.filter(|resource| resource.kind == ResourceKind::QuestionBank) {
            let files = self.places(resource);
            let Some(path) = files.own.or(files.profile).or_else(|| resource.href.clone()) else {
                continue;
            };
            let own = path
                .strip_prefix(OWN_ASSESSMENTS)
                .and_then(|name| name.strip_prefix('/'));
            let ident = own
                .and_then(|name| name.strip_suffix(BANK_FILE))
                .unwrap_or(&resource.id);
            if self.banks.contains_key(ident) || self.read.contains(&path) {
                continue;
            }
            self.read_bank(ident, &path);
            if let Some(bank) = self.banks.get(ident) {
                let (title, questions) = (bank.title.clone(), bank.questions.len());
                self.note(CartridgeNote::Bank { title, questions });
            }
            told.push((path.clone(), std::mem::take(&mut self.notes)));
        }
        told
    }

    /// Reads the file of a bank. Returns what it has beside the questions. None if the file is missing or cannot be read.
    fn read_bank(&mut self, ident: &str, path: &str) -> Option<qti::Read> {
        self.folder.find(Path::new(path)).ok()?;
        let labels = self.labels;
        let mut read = self.with_root(path, |root, host| qti::read(root, MAX_BANK_QUESTIONS, host, labels))?;
        let questions = std::mem::take(&mut read.quiz.questions);
        let title = read.title.take().unwrap_or_default();
        let bank = self.bank_of(ident, &title, path, questions);
        self.banks.insert(ident.to_owned(), bank);
        Some(read)
    }

    fn bank_of(&mut self, key: &str, title: &str, source: &str, questions: Vec<Question>) -> BankDraft {
        let title = clean_title(title);
        let mut taken = Vec::new();
        for question in questions {
            match BankQuestionDraft::of(question) {
                Ok(question) => taken.push(TaggedQuestion {
                    question,
                    tags: QuestionTags::default(),
                }),
                Err(problem) => self.notes.push(Note::QuestionRefused(problem.into())),
            }
        }
        // A bank that Kurso exported keeps its id.
        let key = BankFile::bank_id(key).unwrap_or_else(|| key_of(&self.manifest.id, key));
        BankDraft {
            key,
            id: key,
            title: if title.trim().is_empty() {
                self.labels.bank.to_owned()
            } else {
                title
            },
            questions: taken,
            source: source.to_owned(),
        }
    }
}

/// The same key for the same bank of the same package.
fn key_of(package: &str, key: &str) -> Uuid {
    derived_id([package.as_bytes(), key.as_bytes()])
}
