//! Converts the feedback of a QTI item to the feedback of its options and the explanation of the question.

use std::collections::{HashMap, HashSet};

use serde_json::{Value, json};

use super::item::{Item, Material};
use super::question::QuestionBuilder;
use crate::blocks::blocks;
use crate::note::Note;

/// Characters of an option's text that label its feedback.
const MAX_LABEL_CHARS: usize = 300;

/// The names and texts of feedback by the option that shows it.
pub(super) type OptionFeedback<'i> = HashMap<&'i str, Vec<(&'i str, &'i Material)>>;

/// The feedback of the options of a choice: a condition shows it when one option is chosen. A text that several options show is not of
/// one option: an item could repeat a long one for each.
pub(super) fn option_feedback(item: &Item) -> OptionFeedback<'_> {
    let labels = item.responses.iter().flat_map(|response| &response.labels);
    let labels: HashSet<&str> = labels.map(|(id, _)| id.as_str()).collect();
    let mut shown_by: HashMap<&str, HashSet<Option<&str>>> = HashMap::new();
    let mut in_order = Vec::new();
    for condition in &item.conditions {
        let option = match condition.tests.as_slice() {
            [test] if !test.not && test.op == "varequal" && labels.contains(test.value.as_str()) => {
                Some(test.value.as_str())
            }
            _ => None,
        };
        for name in &condition.feedback {
            let by = shown_by.entry(name).or_default();
            if by.insert(option) && by.len() == 1 {
                in_order.push(name.as_str());
            }
        }
    }
    let mut found = OptionFeedback::new();
    for name in in_order {
        let options = shown_by.get(name).into_iter().flatten().copied();
        let options: Option<Vec<&str>> = options.collect();
        // Canvas shows these for any right or wrong answer.
        let is_general = name == "general_fb" || name.contains("correct");
        if let (Some([option]), Some(material), false) = (options.as_deref(), item.feedback.get(name), is_general) {
            found.entry(*option).or_default().push((name, material));
        }
    }
    found
}

impl QuestionBuilder<'_> {
    /// Collects all other feedback as one explanation: general, for correct answers, for wrong ones, for single answers.
    pub(super) fn explanation(&mut self, item: &Item, of_options: &OptionFeedback<'_>) -> Vec<Value> {
        let mut said: Vec<(u8, Option<String>, &Material)> = Vec::new();
        let mut labels: HashMap<&str, &Material> = HashMap::new();
        for (id, material) in item.responses.iter().flat_map(|response| &response.labels) {
            labels.entry(id).or_insert(material);
        }
        let of_options: HashSet<&str> = of_options.values().flatten().map(|(name, _)| *name).collect();
        let mut used = HashSet::new();
        for condition in &item.conditions {
            for name in &condition.feedback {
                let Some(material) = item.feedback.get(name) else {
                    continue;
                };
                if !used.insert(name.as_str()) || of_options.contains(name.as_str()) {
                    continue;
                }
                let first = condition.tests.iter().find(|test| !test.not).map(|test| &test.value);
                said.push(match () {
                    () if name == "general_fb" => (0, None, material),
                    () if name.contains("incorrect") => (2, Some(self.labels.when_wrong.to_owned()), material),
                    () if condition.scores() => (1, Some(self.labels.when_right.to_owned()), material),
                    () => match first {
                        Some(value) => (3, Some(format!("{}:", label(&labels, value))), material),
                        None => (0, None, material),
                    },
                });
            }
        }
        let mut left: Vec<_> = item
            .feedback
            .iter()
            .filter(|(name, _)| !used.contains(name.as_str()))
            .collect();
        left.sort_by_key(|(name, _)| name.as_str());
        said.extend(left.into_iter().map(|(_, material)| (0, None, material)));
        said.sort_by_key(|(rank, ..)| *rank);
        let mut all = Vec::new();
        let mut apart = false;
        for (rank, name, material) in said {
            if let Some(name) = name {
                let bold = json!([{ "type": "text", "text": name, "marks": [{ "type": "bold" }] }]);
                all.push(json!({ "type": "paragraph", "content": bold }));
            }
            apart |= rank > 0;
            all.extend(blocks(self.document(material)));
        }
        if apart {
            self.host.note(Note::Feedback, 0);
        }
        all
    }
}

/// The text of the option that an answer names. It is shortened, because many feedback entries may name the same option.
fn label(labels: &HashMap<&str, &Material>, value: &str) -> String {
    match labels.get(value) {
        Some(said) => said.beginning(MAX_LABEL_CHARS),
        None => value.chars().take(MAX_LABEL_CHARS).collect(),
    }
}
