//! Reads the text of a page: its fields, its content and its quiz.

use kurso_base::values::QuestionTags;
use serde_json::{Value, json};

use super::addresses::Addresses;
use super::front_matter::{self, FrontMatter};
use super::names::{take_title, title_of};
use super::quiz::Parsed;
use super::read::{Reader, Source};
use super::{document, quiz};
use crate::content;
use crate::course::PageDraft;
use crate::files::Files;
use crate::note::{Note, Reason};
use crate::quiz::{Question, Quiz};

impl Reader<'_> {
    pub(super) fn page(&mut self, source: Source, addresses: &Addresses<'_>, files: &mut Files) -> PageDraft {
        let path = source.path;
        let (fields, body, line) = front_matter::split(&source.text);
        let mut front = FrontMatter::read(fields.unwrap_or_default());
        let title = front.text("title").filter(|title| !title.is_empty());
        let published = front.flag("published").unwrap_or(true);
        let settings = front.quiz();
        let is_assignment = front.is_assignment();
        front.text("key");
        let (intro, questions) = body.split_at_checked(quiz::start(body)).unwrap_or((body, ""));
        let is_quiz = settings.is_some() || is_assignment || !questions.is_empty();
        let dates = front.dates(self.base);
        let late = front.late(self.base, &dates, is_quiz);
        self.note_dates(source.id, &front);
        self.report_notes(&path, 1, front.finish());

        let read = document::read(intro, false);
        for (at, note) in read.notes.clone() {
            self.report.add(format!("{path}:{}", line + at - 1), note);
        }
        let mut content = read.into_document();
        let mut title = title.map(|title| self.title(&path, &title));
        if fields.is_none() && title.is_none() {
            // Without front matter, the first heading is the title.
            title = take_title(&mut content).map(|title| self.title(&path, &title));
            title = title.or_else(|| path.rsplit('/').next().map(title_of));
        }
        let mut notes = Vec::new();
        addresses.resolve(&mut content, &path, files, &mut notes);
        for note in notes {
            self.report.add(&path, note);
        }
        self.replace_invalid_blocks(&mut content, &path);

        let quiz = is_quiz.then(|| {
            let first = line + intro.matches('\n').count();
            let mut quiz = self.quiz(settings.unwrap_or_default(), questions, &path, first, addresses, files);
            for problem in quiz.keep_those_of(is_assignment) {
                self.report.add(&path, Note::QuestionRefused(problem.into()));
            }
            quiz
        });
        PageDraft {
            id: source.id,
            key: source.key,
            title,
            content: content.into(),
            quiz,
            published,
            dates,
            late,
            source: path,
        }
    }

    /// Reads the quiz and reports its invalid questions.
    fn quiz(
        &mut self,
        settings: serde_json::Map<String, Value>,
        text: &str,
        path: &str,
        first: usize,
        addresses: &Addresses<'_>,
        files: &mut Files,
    ) -> Quiz {
        let parsed = self.parsed(text, path, first);
        let mut quiz = match crate::quiz::read(&settings.into()) {
            Ok(quiz) => quiz,
            Err(error) => {
                self.report.add(path, Note::BadFrontMatter((&error).into()));
                Quiz::default()
            }
        };
        let checked = |question: Question| Ok(question.check().map(|()| question)?);
        let taken = self.taken(parsed, path, first, addresses, files, checked);
        quiz.questions = taken.into_iter().map(|(question, _)| question).collect();
        quiz
    }

    /// Parses questions whose text starts at the line `first`, and reports what is lost.
    pub(super) fn parsed(&mut self, text: &str, path: &str, first: usize) -> Vec<Parsed> {
        let found = quiz::read(text);
        for (line, note) in found.notes {
            self.report
                .add(format!("{path}:{}", first + line - usize::from(line > 0)), note);
        }
        found.questions
    }

    /// Resolves the addresses of parsed questions. Reports the questions that `check` refuses, and returns the others with their tags.
    pub(super) fn taken<T>(
        &mut self,
        parsed: Vec<Parsed>,
        path: &str,
        first: usize,
        addresses: &Addresses<'_>,
        files: &mut Files,
        check: impl Fn(Question) -> Result<T, Reason>,
    ) -> Vec<(T, QuestionTags)> {
        let mut taken = Vec::new();
        for Parsed { line, question, tags } in parsed {
            let place = format!("{path}:{}", first + line - 1);
            let mut notes = Vec::new();
            let checked = question.and_then(|mut question| {
                for document in question.documents_mut() {
                    addresses.resolve(document, path, files, &mut notes);
                }
                check(question)
            });
            for note in notes {
                self.report.add(&place, note);
            }
            match checked {
                Ok(question) => taken.push((question, tags)),
                Err(reason) => self.report.add(place, Note::QuestionRefused(reason)),
            }
        }
        taken
    }

    /// Replaces invalid blocks by code blocks with their JSON.
    fn replace_invalid_blocks(&mut self, document: &mut Value, path: &str) {
        let Err(error) = content::validate(document) else {
            return;
        };
        let mut invalid = 0;
        for block in document
            .get_mut("content")
            .and_then(Value::as_array_mut)
            .into_iter()
            .flatten()
        {
            let single = json!({ "type": "doc", "content": [&*block] });
            if let Err(error) = content::validate(&single) {
                invalid += 1;
                self.report.add(path, Note::BlockRefused(Reason::of_block(error)));
                let json: String = block.to_string().chars().take(100_000).collect();
                *block = json!({ "type": "codeBlock", "attrs": { "language": "json" }, "content": [{ "type": "text", "text": json }] });
            }
        }
        if invalid == 0 || content::validate(document).is_err() {
            self.report.add(path, Note::PageRefused(Reason::of_block(error)));
            *document = content::empty();
        }
    }
}
