//! What an import has to say: each thing that did not come over as it was, where, and why.

use serde_json::{Value, json};

use super::note::Note;
use crate::content::Lang;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Outcome {
    /// It is there as it was; worth knowing all the same.
    Carried,
    /// It is there in another form.
    Changed,
    NotCarried,
}

impl Outcome {
    pub const ALL: [Self; 3] = [Self::Carried, Self::Changed, Self::NotCarried];

    pub fn name(self) -> &'static str {
        match self {
            Self::Carried => "carried",
            Self::Changed => "changed",
            Self::NotCarried => "not_carried",
        }
    }
}

/// One line of the report.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// File and line, `src/ch01.md:12`; the file alone when the whole of it is meant.
    pub place: String,
    pub note: Note,
}

impl Entry {
    pub fn to_json(&self, lang: Lang) -> Value {
        let (what, why) = self.note.texts(lang);
        json!({ "where": self.place, "what": what, "outcome": self.note.outcome().name(), "why": why })
    }

    /// For a terminal or a log.
    pub fn to_line(&self, lang: Lang) -> String {
        let (what, why) = self.note.texts(lang);
        format!("{}: {what}: {why}", self.place)
    }
}

/// How much came over.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, serde::Serialize, serde::Deserialize)]
pub struct Counts {
    pub modules: usize,
    pub lessons: usize,
    pub pages: usize,
    pub questions: usize,
    pub files: usize,
    pub code_blocks: usize,
    pub images: usize,
    pub tables: usize,
    pub quotes: usize,
    pub includes: usize,
    /// Notes to the author that no reader was meant to see.
    pub comments: usize,
}

/// A report longer than this helps nobody, and a hostile book could make one without end.
const MAX_ENTRIES: usize = 10_000;

#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Report {
    pub counts: Counts,
    pub entries: Vec<Entry>,
    omitted: usize,
}

impl Report {
    pub fn add(&mut self, place: impl Into<String>, note: Note) {
        if self.entries.len() < MAX_ENTRIES {
            self.entries.push(Entry {
                place: place.into(),
                note,
            });
        } else {
            self.omitted += 1;
        }
    }

    /// Says how many entries there was no room for.
    pub fn close(&mut self, place: &str) {
        if self.omitted > 0 {
            let note = Note::More(std::mem::take(&mut self.omitted));
            self.entries.push(Entry {
                place: place.to_owned(),
                note,
            });
        }
    }

    pub fn of(&self, outcome: Outcome) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(move |entry| entry.note.outcome() == outcome)
    }

    /// The entries as the command and the API show them.
    pub fn to_json(&self, lang: Lang) -> Value {
        self.entries.iter().map(|entry| entry.to_json(lang)).collect()
    }
}
