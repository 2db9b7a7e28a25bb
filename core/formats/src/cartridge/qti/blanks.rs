//! Converts QTI items that are texts with gaps.

use std::collections::HashSet;

use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::feedback::OptionFeedback;
use super::item::{Item, Material, bare};
use super::kind::{Scores, scores_by_response};
use super::question::{QuestionBuilder, id_of};
use crate::content;
use crate::note::cartridge::Note as CartridgeNote;
use crate::quiz::{Blank, Filling, Kind, Question};

impl QuestionBuilder<'_> {
    /// A fill-in question; the prompt has `[name]` at each gap.
    pub(super) fn blanks(&mut self, item: &Item, options: bool) -> Question {
        let mut text = self.document(item.gapped.as_ref().unwrap_or(&item.prompt));
        let mut blanks = Vec::new();
        let mut left = Vec::new();
        let (scored_by, nothing) = (scores_by_response(item), Scores::default());
        let scores_of = |response: &str| scored_by.get(response).unwrap_or(&nothing);
        for response in &item.responses {
            let said = response.name.plain();
            let names = [said.as_str(), bare(&response.id)];
            let id = Uuid::now_v7();
            let mut marks = names.iter().filter(|name| !name.is_empty());
            if !marks.any(|name| insert_blank(&mut text, &format!("[{name}]"), id)) {
                left.push(json!({ "type": "blank", "attrs": { "blank_id": id } }));
            }
            let scored = scores_of(&response.id);
            let right = |id: &str| scored.is_right(id);
            let written = || {
                // Conditions may name the label instead of the response.
                let labels = response.labels.iter().map(|(id, _)| id.as_str());
                let names: HashSet<&str> = labels.chain([response.id.as_str()]).collect();
                let mut names: Vec<&str> = names.into_iter().collect();
                names.sort_unstable();
                let mut seen = HashSet::new();
                let texts = names.into_iter().flat_map(|name| scores_of(name).accepted());
                texts
                    .filter(|text| seen.insert(*text))
                    .map(str::to_owned)
                    .collect::<Vec<_>>()
            };
            let is_right = |(id, _): &&(String, Material)| right(id);
            if !response.labels.iter().any(|label| is_right(&label)) && written().is_empty() {
                self.note(CartridgeNote::NoAnswer);
            }
            let filling = match (options || response.chosen) && !response.labels.is_empty() {
                true => Filling::Options(self.options(&response.labels, right, &OptionFeedback::default())),
                false => {
                    // Canvas scores the first label and lists alternatives after it. Among options that Kurso wrote,
                    // only the correct ones count.
                    let listed =
                        |(id, _): &&(String, Material)| right(id) || !(id.starts_with('o') && id_of(id).is_some());
                    let mut labelled: Vec<&(String, Material)> = response.labels.iter().filter(listed).collect();
                    labelled.sort_by_key(|label| !is_right(label));
                    let mut accepted: Vec<String> = labelled.into_iter().map(|(_, said)| said.plain()).collect();
                    accepted.retain(|text| !text.is_empty());
                    if accepted.is_empty() {
                        accepted = written();
                    }
                    Filling::Accepted(accepted)
                }
            };
            blanks.push(Blank { id, filling });
        }
        if !left.is_empty()
            && let Some(content) = text.get_mut("content").and_then(Value::as_array_mut)
        {
            content.push(json!({ "type": "paragraph", "content": left }));
        }
        Question::new(content::empty(), Kind::FillBlank { text, blanks })
    }
}

/// Replaces the first `mark` in the text by a blank, and further ones by underscores. Returns whether there was one.
pub fn insert_blank(node: &mut Value, mark: &str, id: Uuid) -> bool {
    let mut done = false;
    insert_blank_in(node, mark, id, &mut done);
    done
}

fn insert_blank_in(node: &mut Value, mark: &str, id: Uuid, done: &mut bool) {
    let Some(list) = node.get_mut("content").and_then(Value::as_array_mut) else {
        return;
    };
    let mut made = Vec::with_capacity(list.len());
    for mut child in std::mem::take(list) {
        let words = child.get("text").and_then(Value::as_str).map(str::to_owned);
        let Some(words) = words.filter(|words| words.contains(mark)) else {
            insert_blank_in(&mut child, mark, id, done);
            made.push(child);
            continue;
        };
        let marks = child.get("marks").cloned();
        let marked = |mut node: Map<String, Value>| {
            node.extend(marks.clone().map(|marks| ("marks".to_owned(), marks)));
            Value::Object(node)
        };
        let mut rest = words.as_str();
        while let Some((before, after)) = rest.split_once(mark) {
            if !before.is_empty() {
                made.push(marked(Map::from_iter([
                    ("type".into(), "text".into()),
                    ("text".into(), before.into()),
                ])));
            }
            made.push(if std::mem::replace(done, true) {
                json!({ "type": "text", "text": "_____" })
            } else {
                json!({ "type": "blank", "attrs": { "blank_id": id } })
            });
            rest = after;
        }
        if !rest.is_empty() {
            made.push(marked(Map::from_iter([
                ("type".into(), "text".into()),
                ("text".into(), rest.into()),
            ])));
        }
    }
    *list = made;
}
