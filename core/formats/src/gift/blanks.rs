//! Reads missing-word questions: braces within a sentence.

use serde_json::{Value, json};
use uuid::Uuid;

use super::parse::{Raw, answers, find, unescaped};
use super::question::{QuestionBuilder, children};
use crate::blocks::doc;
use crate::cartridge::insert_blank;
use crate::content;
use crate::quiz::{Blank, Filling, Kind, Question};

const MAX_BLANKS: usize = 100;

impl QuestionBuilder {
    /// Reads a text with several answer blocks as a fill-in question.
    pub(super) fn several(&mut self, raw: &Raw) -> Option<Question> {
        find(&raw.after, "{")?;
        let mut rest = raw.after.as_str();
        let mut inner = raw.answers.clone().unwrap_or_default();
        let (mut text, mut blanks, mut all) = (raw.before.clone(), Vec::new(), Vec::new());
        loop {
            let (list, _) = answers(&inner);
            let right = list.iter().filter(|answer| answer.right).count();
            let filling = match right {
                0 => return None,
                n if n == list.len() => Filling::Accepted(list.iter().map(|answer| unescaped(&answer.text)).collect()),
                1 => Filling::Options(self.choices(raw, &list, |answer| answer.right)),
                _ => return None,
            };
            // A question has at most this many blanks, and each is searched for in the text.
            if blanks.len() >= MAX_BLANKS {
                return None;
            }
            text.push_str(&gap(blanks.len()));
            let id = Uuid::now_v7();
            blanks.push(Blank { id, filling });
            all.extend(list);
            let Some(open) = find(rest, "{") else { break };
            let (between, after) = rest.split_at_checked(open)?;
            text.push_str(between);
            let close = find(after, "}")?;
            inner = after.get(1..close)?.to_owned();
            rest = after.get(close + 1..)?;
        }
        text.push_str(rest);
        let mut text = self.text(raw, &text);
        for (number, blank) in blanks.iter().enumerate() {
            insert_blank(&mut text, &gap(number), blank.id).then_some(())?;
        }
        let mut made = Question::new(content::empty(), Kind::FillBlank { text, blanks });
        let said = self.answer_feedback(raw, &all);
        self.feedback(raw, &mut made, said);
        Some(made)
    }

    /// Reads a text with one answer block inside the sentence.
    pub(super) fn blank(&mut self, raw: &Raw, filling: Filling) -> Question {
        let id = Uuid::now_v7();
        let mut blocks = children(self.text(raw, &raw.before));
        let after = children(self.text(raw, &raw.after));
        let blank = json!({ "type": "blank", "attrs": { "blank_id": id } });
        let space = |text: &str| json!({ "type": "text", "text": text });
        let last = blocks
            .last_mut()
            .filter(|block| block.get("type").is_some_and(|kind| kind == "paragraph"));
        let mut line: Vec<Value> = last.map(|block| children(block.take())).unwrap_or_default();
        if blocks.last().is_some_and(Value::is_null) {
            blocks.pop();
        }
        if raw.before.ends_with(char::is_whitespace) && !line.is_empty() {
            line.push(space(" "));
        }
        line.push(blank);
        if raw.after.starts_with(char::is_whitespace) {
            line.push(space(" "));
        }
        let mut after = after.into_iter();
        let mut rest: Vec<Value> = Vec::new();
        match after.next() {
            Some(first) if first.get("type").is_some_and(|kind| kind == "paragraph") => line.extend(children(first)),
            first => rest.extend(first),
        }
        rest.extend(after);
        blocks.push(json!({ "type": "paragraph", "content": line }));
        blocks.extend(rest);
        let (text, blanks) = (doc(blocks), vec![Blank { id, filling }]);
        Question::new(content::empty(), Kind::FillBlank { text, blanks })
    }
}

/// The marker of a blank until the text is a document.
fn gap(number: usize) -> String {
    format!("⟦{number}⟧")
}
