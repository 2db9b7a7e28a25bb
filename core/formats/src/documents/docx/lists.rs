//! Builds nested lists from paragraphs with list levels.

use std::collections::HashMap;
use std::fmt::Write as _;

use super::parts::{Count, Numbering};

/// An open list.
#[derive(Debug)]
struct OpenList {
    id: String,
    level: usize,
    ordered: bool,
}

#[derive(Debug, Default)]
pub struct Lists {
    open: Vec<OpenList>,
    /// The last number by list and level.
    counted: HashMap<(String, usize), u32>,
}

impl Lists {
    /// Starts an item. Returns false for lists without markers.
    pub fn item(&mut self, id: &str, level: usize, numbering: &Numbering, html: &mut String) -> bool {
        let count = numbering.count(id, level);
        if count == Count::Nothing {
            return false;
        }
        let ordered = count != Count::Bullets;
        while self.open.last().is_some_and(|last| {
            last.level > level || (last.level == level && (last.ordered != ordered || last.id != id))
        }) {
            self.close_one(html);
        }
        let number = self.next(id, level, count);
        if self.open.last().is_some_and(|last| last.level == level) {
            html.push_str("</li><li>");
            return true;
        }
        match (ordered, number) {
            (true, 1) => html.push_str("<ol><li>"),
            (true, number) => {
                let _ = write!(html, "<ol start=\"{number}\"><li>");
            }
            (false, _) => html.push_str("<ul><li>"),
        }
        self.open.push(OpenList {
            id: id.to_owned(),
            level,
            ordered,
        });
        true
    }

    fn next(&mut self, id: &str, level: usize, count: Count) -> u32 {
        let Count::Numbers(start) = count else { return 1 };
        // Deeper levels restart.
        self.counted.retain(|(list, at), _| list != id || *at <= level);
        let number = self
            .counted
            .entry((id.to_owned(), level))
            .or_insert(start.saturating_sub(1));
        *number = number.saturating_add(1);
        *number
    }

    pub fn close(&mut self, html: &mut String) {
        while !self.open.is_empty() {
            self.close_one(html);
        }
    }

    fn close_one(&mut self, html: &mut String) {
        if let Some(list) = self.open.pop() {
            html.push_str(if list.ordered { "</li></ol>" } else { "</li></ul>" });
        }
    }
}
