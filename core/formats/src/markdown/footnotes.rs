//! Collects footnotes as a numbered list at the end of a page.

use std::collections::HashMap;

#[derive(Default)]
pub struct Footnotes {
    /// Labels in order of first reference.
    order: Vec<String>,
    numbers: HashMap<String, usize>,
    pub texts: HashMap<String, String>,
}

impl Footnotes {
    pub fn number(&mut self, label: &str) -> usize {
        if let Some(&number) = self.numbers.get(label) {
            return number;
        }
        self.order.push(label.to_owned());
        self.numbers.insert(label.to_owned(), self.order.len());
        self.order.len()
    }

    /// The texts by number. Unreferenced footnotes come last, because they are still content.
    pub fn into_list(mut self) -> Vec<String> {
        let mut others: Vec<_> = self
            .texts
            .keys()
            .filter(|label| !self.numbers.contains_key(*label))
            .cloned()
            .collect();
        others.sort();
        self.order.extend(others);
        self.order
            .iter()
            .map(|label| self.texts.remove(label).unwrap_or_default())
            .collect()
    }
}
