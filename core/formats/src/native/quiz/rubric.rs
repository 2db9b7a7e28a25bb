//! Rubrics as text. A line `== Name` begins a criterion and a line `(5) Name` begins a level; the lines that follow either are its description.

use uuid::Uuid;

use super::answers::unquoted;
use super::read::Questions;
use super::write::{indented, is_plain};
use crate::native::document::{Attrs, quoted};
use crate::note::Note;
use crate::quiz::{Criterion, Level, Points, Rubric};

/// The attribute of a question with a rubric. Without it, no line is a part of one.
pub const ATTRIBUTE: &str = "rubric";

impl Questions {
    /// The rubric of an open question: `rubric=shown` shows it to learners.
    pub(super) fn rubric(&mut self, attrs: &Attrs, criteria: Vec<Criterion>, line: usize) -> Option<Rubric> {
        let said = attrs.get(ATTRIBUTE);
        if let Some(other) = said.filter(|said| !["shown", "hidden"].contains(said)) {
            self.note(line, Note::UnknownField(format!("{ATTRIBUTE}={other}")));
        }
        attrs.has(ATTRIBUTE).then(|| Rubric {
            is_shown: said == Some("shown"),
            criteria,
        })
    }
}

/// The lines of the criteria.
pub fn write(rubric: &Rubric) -> Vec<String> {
    let lines = |criterion: &Criterion| {
        let head = named("==", &criterion.name, &criterion.description);
        let levels = criterion.levels.iter().map(level);
        std::iter::once(head).chain(levels).collect::<Vec<_>>()
    };
    rubric.criteria.iter().flat_map(lines).collect()
}

fn level(level: &Level) -> String {
    let points = serde_json::to_string(&level.points).unwrap_or_default();
    named(&format!("({points})"), &level.name, &level.description)
}

/// Texts that Markdown would change are written as JSON strings.
fn named(sign: &str, name: &str, description: &str) -> String {
    let name = if is_plain(name) { name.to_owned() } else { quoted(name) };
    let description = match description {
        "" => return format!("{sign} {name}"),
        text if text.lines().all(is_plain) && !text.ends_with('\n') => text.to_owned(),
        text => quoted(text),
    };
    format!("{sign} {name}\n{}", indented(&description, "    "))
}

/// A criterion from the text after its marker.
pub fn criterion(text: &str) -> Criterion {
    let (name, description) = parts(text);
    Criterion {
        id: Uuid::now_v7(),
        name,
        description,
        levels: vec![],
    }
}

/// A level from the text after its marker.
pub fn level_of(points: Points, text: &str) -> Level {
    let (name, description) = parts(text);
    Level {
        id: Uuid::now_v7(),
        name,
        description,
        points,
    }
}

/// The name and the description.
fn parts(text: &str) -> (String, String) {
    let (name, description) = text.split_once('\n').unwrap_or((text, ""));
    (unquoted(name.trim()), unquoted(description))
}
