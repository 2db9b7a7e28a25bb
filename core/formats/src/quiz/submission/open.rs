//! Checks of answers to open questions, and the problems found so far.

use std::collections::HashSet;

use serde_json::Value;
use uuid::Uuid;

use super::{AnswerFiles, MAX_ESSAY_BYTES, require_kind};
use crate::content;
use crate::quiz::answers::AnswerFile;
use crate::quiz::check::of_document;
use crate::quiz::fields::{At, Problems};
use crate::quiz::problem::Problem;
use crate::quiz::read::paragraph;

pub(super) struct OpenChecks<'a> {
    pub problems: Problems,
    files: &'a AnswerFiles,
    /// The files of the answers so far.
    submitted: HashSet<Uuid>,
}

impl<'a> OpenChecks<'a> {
    /// Without problems. `files` are those that the learner has uploaded.
    pub fn of(files: &'a AnswerFiles) -> Self {
        Self::beside(HashSet::new(), files)
    }

    /// As [`OpenChecks::of`], beside answers with the files `submitted`.
    pub fn beside(submitted: HashSet<Uuid>, files: &'a AnswerFiles) -> Self {
        OpenChecks {
            problems: Problems::default(),
            files,
            submitted,
        }
    }

    /// None for an essay without a text: it counts as not answered.
    pub fn essay(&mut self, at: &At<'_>, sent: &Value, least: Option<u32>, most: Option<u32>) -> Option<Value> {
        let made = sent.as_str().map(paragraph);
        let document = made.as_ref().unwrap_or(sent);
        if document.to_string().len() > MAX_ESSAY_BYTES {
            self.refuse_essay(at, Problem::LargeEssay);
            return None;
        }
        if let Err(error) = content::validate(document) {
            self.problems.add(at, of_document(error), sent);
            return None;
        }
        if !content::files(document).is_empty() {
            self.refuse_essay(at, Problem::FilesInEssay);
            return None;
        }
        if content::is_empty(document) {
            return None;
        }
        let words = content::words(document);
        match (least, most) {
            (Some(least), _) if words < least => self.refuse_essay(at, Problem::FewWords(words, least)),
            (_, Some(most)) if words > most => self.refuse_essay(at, Problem::ManyWords(words, most)),
            _ => {}
        }
        Some(document.clone())
    }

    /// The files of an answer; without any it counts as not answered.
    pub fn uploaded(&mut self, at: &At<'_>, ids: &[String], most: u32, extensions: &[String]) -> Vec<AnswerFile> {
        if ids.len() > usize::try_from(most).unwrap_or(usize::MAX) {
            let problem = Problem::ManyFiles(most);
            self.problems.refuse(at, "too_long", problem.message(), &Value::Null);
            return vec![];
        }
        let mut uploaded: Vec<AnswerFile> = Vec::new();
        for (i, text) in ids.iter().enumerate() {
            let at = at.index(i);
            let Some(id) = self.problems.uuid_text(&at, text) else {
                continue;
            };
            let Some(file) = self.files.get(&id) else {
                self.refuse(&at, "unknown_id", Problem::UnknownFile, text);
                continue;
            };
            if let Err(problem) = require_kind(&file.filename, extensions) {
                self.refuse(&at, "value_error", problem, text);
            }
            // A file may be in one answer only; otherwise graders would grade the same work twice.
            let is_new = self.submitted.insert(id);
            self.refuse_repeated(&at, is_new, &text.as_str().into());
            uploaded.push(file.clone());
        }
        uploaded
    }

    pub fn refuse_essay(&mut self, at: &At<'_>, problem: Problem) {
        self.problems.refuse(at, "value_error", problem.message(), &Value::Null);
    }

    pub fn refuse(&mut self, at: &At<'_>, kind: &'static str, problem: Problem, input: &str) {
        self.problems.refuse(at, kind, problem.message(), &input.into());
    }

    pub fn refuse_repeated(&mut self, at: &At<'_>, is_new: bool, input: &Value) {
        if !is_new {
            let message = Problem::ChosenTwice.message();
            self.problems.refuse(at, "value_error", message, input);
        }
    }

    /// Refuses an answer in another field than `expected`.
    pub fn refuse_type<T>(&mut self, at: &At<'_>, expected: &'static str) -> Option<T> {
        let message = Problem::OtherAnswerExpected(expected).message();
        self.problems.refuse(at, "wrong_answer_type", message, &Value::Null);
        None
    }
}
