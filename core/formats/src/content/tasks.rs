//! The items of task lists, which readers tick for themselves. They have no ids: an item is known by its words, and by how many items before it
//! have the same.

use std::collections::HashMap;

use kurso_base::hex::hex;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::quote::quotable_text;
use super::walk::{kind, list, visit};

/// What an item is known by.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TaskKey {
    /// A hash of its words, without those of the tasks in it.
    pub item: String,
    /// How many items before it have these words.
    pub number: usize,
}

/// The items of a document, in reading order.
pub fn tasks(document: &Value) -> Vec<TaskKey> {
    let mut seen: HashMap<String, usize> = HashMap::new();
    let mut found = vec![];
    visit(document, 0, &mut |node| {
        if kind(node) != "taskItem" {
            return;
        }
        let own: Vec<&Value> = list(node, "content")
            .iter()
            .filter(|block| kind(block) != "taskList")
            .collect();
        let words = quotable_text(&json!({ "content": own }));
        let item = hex(&Sha256::digest(words.as_bytes()));
        let number = seen.entry(item.clone()).or_default();
        found.push(TaskKey { item, number: *number });
        *number += 1;
    });
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(words: &str, inside: &[Value]) -> Value {
        let paragraph = json!({"type": "paragraph", "content": [{"type": "text", "text": words}]});
        let content: Vec<Value> = std::iter::once(paragraph).chain(inside.iter().cloned()).collect();
        json!({"type": "taskItem", "content": content})
    }

    fn keys(items: &[Value]) -> Vec<TaskKey> {
        tasks(&json!({"type": "doc", "content": [{"type": "taskList", "content": items}]}))
    }

    #[test]
    fn an_item_is_known_by_its_own_words_wherever_it_is() {
        let inside = json!({"type": "taskList", "content": [item("Step", &[])]});
        let before = keys(&[item("Read", &[inside]), item("Write", &[])]);
        let after = keys(&[
            item("Write", &[]),
            item("Other", &[]),
            item("Read", &[]),
            item("Step", &[]),
        ]);
        assert_eq!(before.len(), 3);
        assert_eq!([&before[0], &before[1], &before[2]], [&after[2], &after[3], &after[0]]);
        assert_ne!(before[0], keys(&[item("Read it", &[])])[0]);
    }

    #[test]
    fn items_with_the_same_words_are_counted() {
        let keys = keys(&[item("Read", &[]), item(" Read ", &[]), item("Write", &[])]);
        assert_eq!(keys[0].item, keys[1].item);
        assert_eq!([keys[0].number, keys[1].number, keys[2].number], [0, 1, 0]);
    }
}
