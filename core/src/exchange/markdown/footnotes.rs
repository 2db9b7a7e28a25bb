//! Footnotes, which a page has no node for: a numbered list at its end.

use std::collections::HashMap;

#[derive(Default)]
pub struct Footnotes {
    /// Labels in the order in which the text first refers to them.
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

    /// The texts by their numbers. Those nobody refers to come last: they are still words of the author.
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
