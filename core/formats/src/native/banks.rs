//! Writes and reads the question banks from which the quizzes of a course draw: a file for each.

use std::path::Path;

use uuid::Uuid;

use super::BANKS;
use super::addresses::Addresses;
use super::front_matter::{self, Fields, FrontMatter};
use super::names::{by_number, numbered, slug, title_of};
use super::quiz;
use super::read::Reader;
use crate::course::{BankDraft, CourseDraft, MAX_TEXT, TaggedQuestion};
use crate::error::ImportError;
use crate::files::Files;
use crate::folder::joined;
use crate::note::{FileTrouble, Note};
use crate::quiz::{BankQuestionDraft, Question};

/// The path of the file of each bank.
pub fn paths(course: &CourseDraft) -> Vec<String> {
    let banks = (1..).zip(&course.banks);
    let name = |(number, bank): (usize, &BankDraft)| numbered(number, course.banks.len(), &slug(&bank.title, "bank"));
    banks.map(|bank| format!("{BANKS}/{}.md", name(bank))).collect()
}

/// The file of a bank, whose addresses are relative to it.
pub fn write(bank: &BankDraft) -> String {
    let mut fields = Fields::default();
    fields.text("title", Some(&bank.title));
    fields.text("id", Some(&bank.key.to_string()));
    let mut text = fields.into_front_matter();
    let questions = quiz::write_bank(&bank.questions);
    if !questions.is_empty() {
        text.push('\n');
        text.push_str(&questions);
    }
    text
}

/// The text of a bank before it is parsed, and its path.
pub struct Source {
    path: String,
    text: String,
}

impl Reader<'_> {
    /// The texts of all banks in order.
    pub(super) fn bank_texts(&mut self) -> Result<Vec<Source>, ImportError> {
        let listed = match self.folder.list(Path::new(BANKS)) {
            Ok(listed) => listed,
            Err(FileTrouble::Missing) => return Ok(vec![]),
            Err(trouble) => {
                let path = BANKS.to_owned();
                return Err(ImportError::File { path, trouble });
            }
        };
        let files = listed
            .into_iter()
            .filter(|(name, is_folder)| !is_folder && name.ends_with(".md"));
        let mut names: Vec<String> = files.map(|(name, _)| name).collect();
        names.sort_by(|a, b| by_number(a, b));
        let mut sources = Vec::new();
        for name in names {
            let path = joined(BANKS, &name);
            match self.folder.read_text(Path::new(&path)) {
                Ok(text) => {
                    self.bytes += text.len();
                    if self.bytes > MAX_TEXT {
                        return Err(ImportError::TooLarge);
                    }
                    sources.push(Source { path, text });
                }
                Err(trouble) => return Err(ImportError::File { path, trouble }),
            }
        }
        Ok(sources)
    }

    /// Parses the banks. A file without an id is reported, because no draw can name its bank.
    pub(super) fn banks(
        &mut self,
        sources: Vec<Source>,
        addresses: &Addresses<'_>,
        files: &mut Files,
    ) -> Vec<BankDraft> {
        let mut banks: Vec<BankDraft> = Vec::new();
        for Source { path, text } in sources {
            let (fields, body, line) = front_matter::split(&text);
            let mut front = FrontMatter::read(fields.unwrap_or_default());
            let title = front.text("title").filter(|title| !title.is_empty());
            let title = title.unwrap_or_else(|| title_of(path.rsplit('/').next().unwrap_or_default()));
            let title = self.title(&path, &title);
            let id = front.text("id").and_then(|id| Uuid::parse_str(&id).ok());
            self.report_notes(&path, 1, front.finish());
            let Some(key) = id.filter(|id| banks.iter().all(|bank| bank.key != *id)) else {
                self.report.add(&path, Note::BankWithoutId);
                continue;
            };
            let before = quiz::start(body);
            let first = line + body.get(..before).unwrap_or_default().matches('\n').count();
            let parsed = self.parsed(body.get(before..).unwrap_or_default(), &path, first);
            let of_bank = |question: Question| Ok(BankQuestionDraft::of(question)?);
            let taken = self.taken(parsed, &path, first, addresses, files, of_bank);
            let questions = taken
                .into_iter()
                .map(|(question, tags)| TaggedQuestion { question, tags });
            banks.push(BankDraft {
                key,
                id: key,
                title,
                questions: questions.collect(),
                source: path,
            });
        }
        banks
    }
}
