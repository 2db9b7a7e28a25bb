//! Names of the files of question banks. Groups of Canvas have no tags, so that a draw with tags has a bank with only those questions.

use std::collections::BTreeMap;

use uuid::Uuid;

use super::write::id_name;
use crate::course::{BankDraft, CourseDraft, TaggedQuestion};
use crate::quiz::Kind;
use kurso_base::ids::derived_id;

/// What the identifier of a whole bank starts with.
const BANK: char = 'k';
/// What that of a part of a bank starts with.
const PART: char = 'p';

/// The file of a bank, or of its questions with some tags.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct BankFile {
    pub ident: String,
    pub title: String,
}

impl BankFile {
    pub fn of(bank: &BankDraft, tags: &[String]) -> Self {
        let title = bank.title.clone();
        if tags.is_empty() {
            let ident = id_name(BANK, bank.id);
            return BankFile { ident, title };
        }
        let mut tags = tags.to_vec();
        tags.sort();
        let all = tags.join(", ");
        BankFile {
            ident: id_name(PART, derived_id([bank.id.as_bytes(), tags.join("\0").as_bytes()])),
            title: format!("{title} ({all})"),
        }
    }

    /// The id of the bank that was exported as this whole bank.
    pub fn bank_id(ident: &str) -> Option<Uuid> {
        let id = ident.strip_prefix(BANK)?;
        Uuid::try_parse(id).ok().filter(|_| id.len() == 32)
    }
}

/// The files of the banks of a course, each with the questions that a draw can take from it.
pub fn bank_files(course: &CourseDraft) -> BTreeMap<BankFile, Vec<&TaggedQuestion>> {
    let mut files = BTreeMap::new();
    let quizzes = course.pages().filter_map(|page| page.quiz.as_ref());
    for question in quizzes.flat_map(|quiz| &quiz.questions) {
        let Kind::Draw { bank_id, tags, .. } = &question.kind else {
            continue;
        };
        let Some(bank) = course.banks.iter().find(|bank| bank.id == *bank_id) else {
            continue;
        };
        files
            .entry(BankFile::of(bank, tags))
            .or_insert_with(|| bank.drawable(tags).collect());
    }
    files
}
