//! The report of an import or export: what changed or was lost, where, and why.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::note::{Note, Outcome};
use kurso_base::messages::Lang;

/// A line of the report.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// File and line such as `src/ch01.md:12`, or the file alone.
    pub place: String,
    pub note: Note,
}

impl Entry {
    /// The subject and the reason of the note, with limited length.
    pub fn texts(&self, lang: Lang) -> (String, String) {
        let (what, why) = self.note.texts(lang);
        (clipped(&what, 300), clipped(&why, 600))
    }

    pub fn to_json(&self, lang: Lang) -> Value {
        let (what, why) = self.texts(lang);
        json!({ "where": self.place, "what": what, "outcome": self.note.outcome().name(), "why": why })
    }

    /// The entry as a line for terminals and logs.
    pub fn to_line(&self, lang: Lang) -> String {
        let (what, why) = self.texts(lang);
        format!("{}: {what}: {why}", self.place)
    }
}

/// Numbers of imported parts.
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
    /// Comments in the source that learners do not see.
    pub comments: usize,
}

/// Tags that tell learners nothing.
const WORDLESS: [&str; 8] = ["base", "button", "input", "link", "meta", "noscript", "script", "style"];

/// Limits the report, which a malicious source could make arbitrarily long.
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

    /// Merges repeated lines about tags without words, and adds the number of omitted entries.
    pub fn close(&mut self, place: &str) {
        self.merge_tags();
        if self.omitted > 0 {
            let note = Note::More(std::mem::take(&mut self.omitted));
            self.entries.push(Entry {
                place: place.to_owned(),
                note,
            });
        }
    }

    /// A course may have hundreds of scripts and buttons; each kind is one line, at its first place.
    fn merge_tags(&mut self) {
        let mut counts: HashMap<String, usize> = HashMap::new();
        for entry in &self.entries {
            if let Note::DroppedTag(tag) = &entry.note
                && WORDLESS.contains(&tag.as_str())
            {
                *counts.entry(tag.clone()).or_default() += 1;
            }
        }
        self.entries.retain_mut(|entry| {
            let Note::DroppedTag(tag) = &entry.note else {
                return true;
            };
            match counts.get_mut(tag) {
                Some(0) => false,
                Some(count) if *count > 1 => {
                    let (tag, count) = (tag.clone(), std::mem::take(count));
                    entry.note = Note::DroppedTags { tag, count };
                    true
                }
                _ => true,
            }
        });
    }

    pub fn of(&self, outcome: Outcome) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(move |entry| entry.note.outcome() == outcome)
    }

    /// All entries as JSON for the CLI and the API.
    pub fn to_json(&self, lang: Lang) -> Value {
        self.entries.iter().map(|entry| entry.to_json(lang)).collect()
    }
}

/// Limits the length and removes control characters.
fn clipped(text: &str, max: usize) -> String {
    let mut chars = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    let mut clipped: String = chars.by_ref().take(max).collect();
    if chars.next().is_some() {
        clipped.push('…');
    }
    clipped
}
