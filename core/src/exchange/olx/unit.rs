//! A unit of Open edX as pages: texts, and after them the questions that followed them.

use std::collections::HashMap;

use serde_json::{Value, json};
use uuid::Uuid;

use super::definitions::Definitions;
use super::note::Note;
use super::problem::Settings;
use crate::content;
use crate::exchange::course::PageDraft;
use crate::exchange::hosting::{self, numbered};
use crate::exchange::html::Converted;
use crate::exchange::mdbook::page::{self, Finished};
use crate::exchange::pending::Places;
use crate::exchange::reason::Reason;
use crate::quiz::{Kind, MAX_PATTERNS, MAX_QUESTIONS, Question, Quiz, Reveal};

/// Room in a quiz, whose links grow when their pages are known.
const FULL: usize = crate::quiz::MAX_BYTES / 4 * 3;

/// What links find pages by, filled while pages are made.
#[derive(Debug, Default)]
pub struct Index {
    pub pages: HashMap<String, Uuid>,
    pub places: HashMap<Uuid, Places>,
}

/// The pages of one unit while its parts are read.
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
    /// What the parts of the page that is being made are called.
    names: Vec<String>,
    splits: usize,
}

impl Unit {
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
            splits: 0,
        }
    }

    /// A part of this name begins; links to it lead to the page it is on.
    pub fn begin(&mut self, name: Option<&str>, of: &mut Definitions<'_>, index: &mut Index, is_text: bool) {
        if is_text && !self.quiz.questions.is_empty() {
            self.cut(of, index);
        }
        self.names.extend(name.map(str::to_owned));
    }

    pub fn text(&mut self, text: Converted, of: &mut Definitions<'_>, index: &mut Index) {
        if text.blocks.is_empty() {
            return;
        }
        if !self.quiz.questions.is_empty() {
            self.cut(of, index);
        }
        self.text.append(text);
    }

    pub fn blocks(&mut self, blocks: Vec<Value>, of: &mut Definitions<'_>, index: &mut Index) {
        let text = Converted {
            blocks,
            ..Converted::default()
        };
        self.text(text, of, index);
    }

    pub fn question(&mut self, question: Question, of: &mut Definitions<'_>, index: &mut Index) {
        let size = serde_json::to_string(&question).map_or(0, |text| text.len());
        let pattern = usize::from(matches!(&question.kind, Kind::ShortText { regex: Some(_), .. }));
        let full = self.quiz.questions.len() >= MAX_QUESTIONS
            || self.patterns + pattern > MAX_PATTERNS
            || self.size + size > FULL;
        if full && !self.quiz.questions.is_empty() {
            self.cut(of, index);
            self.splits += 1;
        }
        self.size += size;
        self.patterns += pattern;
        self.quiz.questions.push(question);
    }

    pub fn settings(&mut self, settings: Settings) {
        self.settings.push(settings);
    }

    /// Ends a page.
    fn cut(&mut self, of: &mut Definitions<'_>, index: &mut Index) {
        let text = std::mem::take(&mut self.text);
        let mut quiz = std::mem::take(&mut self.quiz);
        let settings = std::mem::take(&mut self.settings);
        (self.size, self.patterns) = (0, 0);
        let quiz = (!quiz.questions.is_empty()).then(|| {
            self.apply(&settings, &mut quiz, of);
            quiz
        });
        of.report.counts.comments += text.comments;
        let Finished {
            parts, places, notes, ..
        } = page::finish_named(text, &self.title);
        for note in notes {
            of.report.add(&self.place, note);
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
                of.report.add(&self.place, crate::exchange::Note::PageRefused(why));
                content = content::empty();
            }
            let title = match self.pages.len() {
                0 => self.title.clone(),
                before => numbered(&self.title, before + 1),
            };
            self.pages.push(PageDraft {
                id: if number == 0 { first } else { Uuid::now_v7() },
                key: None,
                title: Some(title),
                content: content.into(),
                quiz: if number == last { quiz.take() } else { None },
                published: self.published,
                source: self.place.clone(),
            });
        }
    }

    /// One setting for all questions of a page.
    fn apply(&self, all: &[Settings], quiz: &mut Quiz, of: &mut Definitions<'_>) {
        let attempts: Vec<Option<u32>> = all.iter().map(|one| one.max_attempts.flatten()).collect();
        quiz.max_attempts = match attempts.iter().any(Option::is_none) {
            true => None,
            false => attempts.iter().flatten().copied().max(),
        };
        if attempts.windows(2).any(|pair| pair.first() != pair.last()) {
            of.note(&self.place, Note::MixedSettings("max_attempts"));
        }
        let reveals: Vec<u8> = all.iter().map(|one| openness(one.show_answer.as_deref())).collect();
        quiz.reveal = match reveals.iter().max() {
            Some(0) => Reveal::Never,
            Some(2) => Reveal::AfterSubmit,
            _ => Reveal::AfterPass,
        };
        if reveals.windows(2).any(|pair| pair.first() != pair.last()) {
            of.note(&self.place, Note::MixedSettings("showanswer"));
        }
        quiz.shuffle_options = all.iter().any(|one| one.shuffle);
        let fixed = all.iter().filter(|one| !one.shuffle).count();
        if quiz.shuffle_options && fixed > 0 {
            of.report.add(&self.place, crate::exchange::Note::OptionOrder(fixed));
        }
    }

    /// The pages; one that is empty when nothing was in the unit.
    pub fn finish(mut self, of: &mut Definitions<'_>, index: &mut Index) -> Vec<PageDraft> {
        let nothing = self.text.blocks.is_empty() && self.quiz.questions.is_empty();
        if !nothing || self.pages.is_empty() {
            self.cut(of, index);
        } else if let Some(last) = self.pages.last() {
            for name in std::mem::take(&mut self.names) {
                index.pages.entry(name).or_insert(last.id);
            }
        }
        if self.splits > 0 {
            of.note(&self.place, Note::QuizSplit(self.splits + 1));
        }
        self.pages
    }
}

/// How much of the answers learners are shown: never, when they are through, as soon as they have answered.
fn openness(show_answer: Option<&str>) -> u8 {
    match show_answer.unwrap_or("finished") {
        "never" => 0,
        "always" | "attempted" | "answered" | "after_attempts" | "attempted_no_past_due" => 2,
        _ => 1,
    }
}

/// A text of one paragraph that says what stood here.
pub fn placeholder(kind: &str, title: &str, more: &str) -> Value {
    let words = match title.is_empty() {
        true => kind.to_owned(),
        false => format!("{kind}: {title}"),
    };
    match more.is_empty() {
        true => hosting::callout(&[&words]),
        false => hosting::callout(&[&words, more]),
    }
}

pub fn link(words: &str, href: &str) -> Value {
    let mark = json!({ "type": "link", "attrs": { "href": href } });
    json!({ "type": "paragraph", "content": [{ "type": "text", "text": words, "marks": [mark] }] })
}
