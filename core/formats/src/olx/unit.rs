//! Splits a unit into pages: each has text followed by questions, or by what an assignment takes.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use kurso_base::schedule::Dates;
use serde_json::{Value, json};
use uuid::Uuid;

use super::definitions::Definitions;
use super::problem::Settings;
use crate::content;
use crate::course::PageDraft;
use crate::course::numbered;
use crate::html::Converted;
use crate::html_host;
use crate::links::Places;
use crate::note::Reason;
use crate::note::olx::Note;
use crate::page::{self, Finished};
use crate::quiz::{Kind, MAX_PATTERNS, MAX_QUESTIONS, Question, Quiz, Reveal};

/// Size limit of a quiz before its links are resolved, which makes them longer.
const MAX_QUIZ_BYTES: usize = crate::quiz::MAX_BYTES / 4 * 3;

/// Link targets, collected while pages are built.
#[derive(Debug, Default)]
pub struct Index {
    pub pages: HashMap<String, Uuid>,
    pub places: HashMap<Uuid, Places>,
}

/// The pages of one unit under construction.
pub struct Unit {
    title: String,
    place: String,
    published: bool,
    pages: Vec<PageDraft>,
    text: Converted,
    quiz: Quiz,
    size: usize,
    patterns: usize,
    settings: Vec<Settings>,
    /// Names of the components on the current page.
    names: Vec<String>,
    /// Names of components that have begun, until it is known on which page.
    begun: Vec<String>,
    splits: usize,
}

impl Unit {
    pub fn title(&self) -> &str {
        &self.title
    }

    pub fn new(title: String, place: &str, published: bool) -> Self {
        Self {
            title,
            place: place.to_owned(),
            published,
            pages: Vec::new(),
            text: Converted::default(),
            quiz: Quiz::default(),
            size: 0,
            patterns: 0,
            settings: Vec::new(),
            names: Vec::new(),
            begun: Vec::new(),
            splits: 0,
        }
    }

    /// Starts a component. Links to `name` lead to the page with what comes first in it or after it.
    pub fn begin(&mut self, name: Option<&str>) {
        self.begun.extend(name.map(str::to_owned));
    }

    pub fn text(&mut self, text: Converted, definitions: &mut Definitions<'_>, index: &mut Index) {
        if text.blocks.is_empty() {
            return;
        }
        if !self.quiz.questions.is_empty() {
            self.finish_page(definitions, index);
        }
        self.names.append(&mut self.begun);
        self.text.append(text);
    }

    pub fn blocks(&mut self, blocks: Vec<Value>, definitions: &mut Definitions<'_>, index: &mut Index) {
        let text = Converted {
            blocks,
            ..Converted::default()
        };
        self.text(text, definitions, index);
    }

    pub fn question(&mut self, question: Question, definitions: &mut Definitions<'_>, index: &mut Index) {
        let size = serde_json::to_string(&question).map_or(0, |text| text.len());
        let pattern = usize::from(matches!(&question.kind, Kind::ShortText { regex: Some(_), .. }));
        let full = self.quiz.question_count() + question.kind.count() > MAX_QUESTIONS
            || self.patterns + pattern > MAX_PATTERNS
            || self.size + size > MAX_QUIZ_BYTES;
        let is_hand_in = matches!(question.kind, Kind::HandIn { .. });
        if !self.quiz.questions.is_empty() && (is_hand_in || self.quiz.is_assignment()) {
            // An assignment is a page of its own, with the text before it.
            self.finish_page(definitions, index);
        } else if full && !self.quiz.questions.is_empty() {
            self.finish_page(definitions, index);
            self.splits += 1;
        }
        self.names.append(&mut self.begun);
        self.size += size;
        self.patterns += pattern;
        self.quiz.questions.push(question);
    }

    pub fn settings(&mut self, settings: Settings) {
        self.settings.push(settings);
    }

    /// Ends the current page.
    fn finish_page(&mut self, definitions: &mut Definitions<'_>, index: &mut Index) {
        let text = std::mem::take(&mut self.text);
        let mut quiz = std::mem::take(&mut self.quiz);
        let settings = std::mem::take(&mut self.settings);
        (self.size, self.patterns) = (0, 0);
        let due_at = self.due_of(&settings, definitions);
        let quiz = (!quiz.questions.is_empty()).then(|| {
            self.apply_settings(&settings, &mut quiz, definitions);
            quiz
        });
        definitions.report.counts.comments += text.comments;
        let Finished {
            parts, places, notes, ..
        } = page::finish_with_title(text, &self.title);
        for note in notes {
            definitions.report.add(&self.place, note);
        }
        let (first, last) = (Uuid::now_v7(), parts.len().saturating_sub(1));
        for name in std::mem::take(&mut self.names) {
            index.pages.entry(name).or_insert(first);
        }
        index.places.insert(first, places);
        let mut quiz = quiz;
        for (number, mut content) in parts.into_iter().enumerate() {
            if let Err(error) = content::validate(&content) {
                let why = Reason::of_document(error);
                definitions.report.add(&self.place, crate::Note::PageRefused(why));
                content = content::empty();
            }
            let title = match self.pages.len() {
                0 => self.title.clone(),
                before => numbered(&self.title, before + 1),
            };
            self.pages.push(PageDraft {
                id: if number == 0 { first } else { Uuid::now_v7() },
                quiz: if number == last { quiz.take() } else { None },
                published: self.published,
                dates: Dates {
                    due_at,
                    ..Dates::default()
                },
                ..PageDraft::new(Some(title), content, &self.place)
            });
        }
    }

    /// The due date of a page: the last one of its problems, and none if one of them has none.
    fn due_of(&self, all: &[Settings], definitions: &mut Definitions<'_>) -> Option<DateTime<Utc>> {
        let dues: Vec<_> = all.iter().map(|one| one.due_at).collect();
        if dues.windows(2).any(|pair| pair.first() != pair.last()) {
            definitions.note(&self.place, Note::MixedSettings("due"));
        }
        if dues.contains(&None) {
            None
        } else {
            dues.into_iter().flatten().max()
        }
    }

    /// Combines the settings of all problems on a page.
    fn apply_settings(&self, all: &[Settings], quiz: &mut Quiz, definitions: &mut Definitions<'_>) {
        let attempts: Vec<Option<u32>> = all.iter().map(|one| one.max_attempts.flatten()).collect();
        quiz.max_attempts = if attempts.iter().any(Option::is_none) {
            None
        } else {
            attempts.iter().flatten().copied().max()
        };
        if attempts.windows(2).any(|pair| pair.first() != pair.last()) {
            definitions.note(&self.place, Note::MixedSettings("max_attempts"));
        }
        // Open edX has no pass mark for open responses, and learners answer them once: handing in is enough.
        if quiz.questions.iter().all(|question| question.kind.is_open()) {
            quiz.pass_percent = 0;
        }
        let problems: Vec<&Settings> = all.iter().filter(|one| !one.is_open_response).collect();
        let reveals: Vec<u8> = problems
            .iter()
            .map(|one| reveal_level(one.show_answer.as_deref()))
            .collect();
        quiz.reveal = match reveals.iter().max() {
            Some(0) => Reveal::Never,
            Some(2) => Reveal::AfterSubmit,
            _ => Reveal::AfterPass,
        };
        if reveals.windows(2).any(|pair| pair.first() != pair.last()) {
            definitions.note(&self.place, Note::MixedSettings("showanswer"));
        }
        quiz.shuffle_options = problems.iter().any(|one| one.shuffle);
        let fixed = problems.iter().filter(|one| !one.shuffle).count();
        if quiz.shuffle_options && fixed > 0 {
            definitions.report.add(&self.place, crate::Note::OptionOrder(fixed));
        }
    }

    /// Returns the pages; an empty unit has one empty page.
    pub fn finish(mut self, definitions: &mut Definitions<'_>, index: &mut Index) -> Vec<PageDraft> {
        self.names.append(&mut self.begun);
        let nothing = self.text.blocks.is_empty() && self.quiz.questions.is_empty();
        if !nothing || self.pages.is_empty() {
            self.finish_page(definitions, index);
        } else if let Some(last) = self.pages.last() {
            for name in std::mem::take(&mut self.names) {
                index.pages.entry(name).or_insert(last.id);
            }
        }
        if self.splits > 0 {
            definitions.note(&self.place, Note::QuizSplit(self.splits + 1));
        }
        self.pages
    }
}

/// When answers are shown: 0 never, 1 after passing, 2 after submission.
fn reveal_level(show_answer: Option<&str>) -> u8 {
    match show_answer.unwrap_or("finished") {
        "never" => 0,
        "always" | "attempted" | "answered" | "after_attempts" | "attempted_no_past_due" => 2,
        _ => 1,
    }
}

/// A callout that names what was here.
pub fn placeholder(kind: &str, title: &str, more: &str) -> Value {
    let words = if title.is_empty() {
        kind.to_owned()
    } else {
        format!("{kind}: {title}")
    };
    if more.is_empty() {
        html_host::callout(&[&words])
    } else {
        html_host::callout(&[&words, more])
    }
}

pub fn link(words: &str, href: &str) -> Value {
    let mark = json!({ "type": "link", "attrs": { "href": href } });
    json!({ "type": "paragraph", "content": [{ "type": "text", "text": words, "marks": [mark] }] })
}
