//! Rubrics of Canvas, which become notes for graders.

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
use crate::rubric::{self, Criterion, Rating};

struct Rubric {
    title: String,
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
            let criteria = all.map(|node| criterion(node, host)).collect();
            let guide = doc(rubric::blocks(criteria));
            let title = text_of(rubric, "title").unwrap_or_default();
            match content::validate(&guide) {
                Ok(()) => {
                    let is_used = false;
                    rubrics.insert(id.to_owned(), Rubric { title, guide, is_used });
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

    /// The note for graders of a rubric, which counts as used.
    pub fn take(&mut self, id: &str) -> Option<Value> {
        let rubric = self.0.get_mut(id)?;
        rubric.is_used = true;
        Some(rubric.guide.clone())
    }

    /// The titles of the rubrics that no question has.
    pub fn unused(&self) -> impl Iterator<Item = &str> {
        let all = self.0.values().filter(|rubric| !rubric.is_used);
        all.map(|rubric| rubric.title.as_str())
    }
}

fn criterion(node: Node<'_, '_>, host: &mut PageHost<'_>) -> Criterion {
    let number = |node, name| text_of(node, name).and_then(|text| text.parse::<f64>().ok());
    let details = text_of(node, "long_description").unwrap_or_default();
    let ratings = child(node, "ratings").into_iter();
    let ratings = ratings.flat_map(|node| children(node, "rating"));
    Criterion {
        name: text_of(node, "description").unwrap_or_default(),
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
