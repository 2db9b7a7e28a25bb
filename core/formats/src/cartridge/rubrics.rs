//! Rubrics of Canvas, which become rubrics or notes for graders.

use std::collections::BTreeMap;

use roxmltree::Node;
use serde_json::Value;

use super::host::PageHost;
use super::page::blocks_of;
use super::xml::{attr, child, children, text_of};
use crate::blocks::doc;
use crate::content;
use crate::note::cartridge::Note as CartridgeNote;
use crate::note::{Note, Reason};
use crate::quiz::{self, Points};
use crate::rubric::{self, Criterion, Rating};

struct Rubric {
    title: String,
    criteria: Vec<Criterion>,
    /// All that it says.
    guide: Value,
    is_used: bool,
}

/// The rubrics of a package by their identifiers.
#[derive(Default)]
pub struct Rubrics(BTreeMap<String, Rubric>);

impl Rubrics {
    /// Reads `rubrics.xml`. Rubrics beyond the limits of a document are reported and left out.
    pub fn read(root: Node<'_, '_>, host: &mut PageHost<'_>) -> Self {
        let mut rubrics = BTreeMap::new();
        for rubric in children(root, "rubric") {
            let Some(id) = attr(rubric, "identifier") else { continue };
            let all = child(rubric, "criteria").into_iter();
            let all = all.flat_map(|node| children(node, "criterion"));
            let criteria: Vec<_> = all.map(|node| criterion(node, host)).collect();
            let guide = doc(rubric::blocks(&criteria));
            let title = text_of(rubric, "title").unwrap_or_default();
            match content::validate(&guide) {
                Ok(()) => {
                    let is_used = false;
                    let rubric = Rubric {
                        title,
                        criteria,
                        guide,
                        is_used,
                    };
                    rubrics.insert(id.to_owned(), rubric);
                }
                Err(why) => {
                    let why = Reason::of_block(why);
                    let note = CartridgeNote::RubricRefused { title, why };
                    host.notes.push(Note::Cartridge(note));
                }
            }
        }
        Rubrics(rubrics)
    }

    /// Returns a rubric for a question with these points, and marks it as used: the note for graders, unless the second value says all of it.
    /// Learners of Canvas see it.
    pub fn take(&mut self, id: &str, points: Points) -> Option<(Option<Value>, Option<quiz::Rubric>)> {
        let found = self.0.get_mut(id)?;
        found.is_used = true;
        let rubric = rubric::as_rubric(&found.criteria, points, true);
        let is_said = rubric.is_some() && rubric::is_plain(&found.criteria);
        let guide = (!is_said && !content::is_empty(&found.guide)).then(|| found.guide.clone());
        Some((guide, rubric))
    }

    /// The titles of the rubrics that no question has.
    pub fn unused(&self) -> impl Iterator<Item = &str> {
        let all = self.0.values().filter(|rubric| !rubric.is_used);
        all.map(|rubric| rubric.title.as_str())
    }
}

fn criterion(node: Node<'_, '_>, host: &mut PageHost<'_>) -> Criterion {
    let is_true = |name| text_of(node, name).is_some_and(|value| value == "true");
    let number = |node, name| text_of(node, name).and_then(|text| text.parse::<f64>().ok());
    let details = text_of(node, "long_description").unwrap_or_default();
    let ratings = child(node, "ratings").into_iter();
    let ratings = ratings.flat_map(|node| children(node, "rating"));
    Criterion {
        name: text_of(node, "description").unwrap_or_default(),
        // Of a range, graders give any points.
        is_exact: !is_true("criterion_use_range") && !is_true("ignore_for_scoring"),
        points: number(node, "points"),
        details: match details.contains('<') {
            true => blocks_of(&details, host),
            false => rubric::paragraphs(&details),
        },
        ratings: ratings
            .map(|rating| Rating {
                name: text_of(rating, "description").unwrap_or_default(),
                points: number(rating, "points"),
                explanation: text_of(rating, "long_description").unwrap_or_default(),
            })
            .collect(),
    }
}
