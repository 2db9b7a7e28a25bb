//! Questions that are a text with gaps.

use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::item::Item;
use super::kind::{equal_to, scores};
use super::question::Maker;
use crate::exchange::cartridge::note::Note as CartridgeNote;

impl Maker<'_> {
    /// A text with `[name]` where something is to be filled in.
    pub(super) fn blanks(&mut self, item: &Item, options: bool) -> Value {
        let mut text = self.document(&item.prompt);
        let mut blanks = Vec::new();
        let mut left = Vec::new();
        for response in &item.responses {
            let said = response.name.plain();
            let name = match said.is_empty() {
                true => response.id.strip_prefix("response_").unwrap_or(&response.id).to_owned(),
                false => said,
            };
            let id = Uuid::now_v7();
            if !put_blank(&mut text, &format!("[{name}]"), id) {
                left.push(json!({ "type": "blank", "attrs": { "blank_id": id } }));
            }
            let scored = scores(item, &response.id);
            if !scored.values().any(|score| *score > 0.0) {
                self.note(CartridgeNote::NoAnswer);
            }
            let right = |id: &str| scored.get(id).is_some_and(|score| *score > 0.0);
            blanks.push(match options && !response.labels.is_empty() {
                true => {
                    let options = self.options(&response.labels, right);
                    json!({ "id": id, "options": options })
                }
                false => {
                    let labelled = response.labels.iter().filter(|(id, _)| right(id));
                    let mut accepted: Vec<String> = labelled.map(|(_, said)| said.plain()).collect();
                    if accepted.iter().all(String::is_empty) {
                        accepted = equal_to(item, &response.id);
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
fn put_blank(node: &mut Value, mark: &str, id: Uuid) -> bool {
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
