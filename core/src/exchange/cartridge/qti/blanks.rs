//! Questions that are a text with gaps.

use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::item::{Item, Material, bare};
use super::kind::{equal_to, scores};
use super::question::{Maker, id_of};
use crate::exchange::cartridge::note::Note as CartridgeNote;

impl Maker<'_> {
    /// A text with `[name]` where something is to be filled in.
    pub(super) fn blanks(&mut self, item: &Item, options: bool) -> Value {
        let mut text = self.document(item.gapped.as_ref().unwrap_or(&item.prompt));
        let mut blanks = Vec::new();
        let mut left = Vec::new();
        for response in &item.responses {
            let said = response.name.plain();
            let names = [said.as_str(), bare(&response.id)];
            let id = Uuid::now_v7();
            let mut marks = names.iter().filter(|name| !name.is_empty());
            if !marks.any(|name| put_blank(&mut text, &format!("[{name}]"), id)) {
                left.push(json!({ "type": "blank", "attrs": { "blank_id": id } }));
            }
            let scored = scores(item, &response.id);
            let right = |id: &str| scored.get(id).is_some_and(|score| *score > 0.0);
            let written = || {
                // What is written may be compared with the label instead of the response.
                let labels = response.labels.iter().map(|(id, _)| id.as_str());
                let names: Vec<&str> = labels.chain([response.id.as_str()]).collect();
                equal_to(item, &names)
            };
            let is_right = |(id, _): &&(String, Material)| right(id);
            if !response.labels.iter().any(|label| is_right(&label)) && written().is_empty() {
                self.note(CartridgeNote::NoAnswer);
            }
            blanks.push(match (options || response.chosen) && !response.labels.is_empty() {
                true => {
                    let options = self.options(&response.labels, right);
                    json!({ "id": id, "options": options })
                }
                false => {
                    // Canvas scores the first text it takes, and lists the others beside it. Of options that we wrote only
                    // the right ones are meant.
                    let listed =
                        |(id, _): &&(String, Material)| right(id) || !(id.starts_with('o') && id_of(id).is_some());
                    let mut labelled: Vec<&(String, Material)> = response.labels.iter().filter(listed).collect();
                    labelled.sort_by_key(|label| !is_right(label));
                    let mut accepted: Vec<String> = labelled.into_iter().map(|(_, said)| said.plain()).collect();
                    accepted.retain(|text| !text.is_empty());
                    if accepted.is_empty() {
                        accepted = written();
                    }
                    json!({ "id": id, "accepted": accepted })
                }
            });
        }
        if !left.is_empty()
            && let Some(content) = text.get_mut("content").and_then(Value::as_array_mut)
        {
            content.push(json!({ "type": "paragraph", "content": left }));
        }
        json!({ "type": "fill_blank", "text": text, "blanks": blanks })
    }
}

/// Puts a blank where the text first has `mark`, and gaps where it has it again.
pub fn put_blank(node: &mut Value, mark: &str, id: Uuid) -> bool {
    let mut done = false;
    put_in(node, mark, id, &mut done);
    done
}

fn put_in(node: &mut Value, mark: &str, id: Uuid, done: &mut bool) {
    let Some(list) = node.get_mut("content").and_then(Value::as_array_mut) else {
        return;
    };
    let mut made = Vec::with_capacity(list.len());
    for mut child in std::mem::take(list) {
        let words = child.get("text").and_then(Value::as_str).map(str::to_owned);
        let Some(words) = words.filter(|words| words.contains(mark)) else {
            put_in(&mut child, mark, id, done);
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
            made.push(match std::mem::replace(done, true) {
                false => json!({ "type": "blank", "attrs": { "blank_id": id } }),
                true => json!({ "type": "text", "text": "_____" }),
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
