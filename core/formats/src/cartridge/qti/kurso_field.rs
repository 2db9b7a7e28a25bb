//! Reads questions stored whole in a metadata field of their item.

use kurso_base::wire;
use serde_json::Value;

use super::item::Item;
use super::prompt_html;
use crate::cartridge::html::without_whitespace;
use crate::content;
use crate::html::Host;
use crate::quiz::{self, Question, Quiz};

/// The stored question, or `None` if it is invalid or the text of the item was edited since.
pub fn read(text: &str, item: &Item, host: &mut dyn Host) -> Option<Question> {
    let mut value: Value = wire::read_json(text).ok()?;
    // `quiz::read` accepts only addresses of this course, so they are rewritten first.
    rewrite_addresses(&mut value, host);
    let mut quiz = quiz::read(&serde_json::json!({ "questions": [value] })).ok()?;
    let question = quiz.questions.pop()?;
    let words = scraper::Html::parse_fragment(&prompt_html(&question));
    let words: String = words.root_element().text().collect();
    if without_whitespace(&words) != without_whitespace(&item.prompt.plain()) {
        return None;
    }
    Some(question)
}

/// A quiz that is stored whole, or `None` if it is invalid.
pub fn read_quiz(text: &str, host: &mut dyn Host) -> Option<Quiz> {
    let mut value: Value = wire::read_json(text).ok()?;
    rewrite_addresses(&mut value, host);
    quiz::read(&value).ok()
}

/// Rewrites the addresses in all documents below.
fn rewrite_addresses(value: &mut Value, host: &mut dyn Host) {
    if value.get("type").is_some_and(|kind| kind == "doc") {
        content::map_addresses(value, |address| host.link(address, 0));
        return;
    }
    match value {
        Value::Array(list) => list.iter_mut().for_each(|value| rewrite_addresses(value, host)),
        Value::Object(fields) => fields.values_mut().for_each(|value| rewrite_addresses(value, host)),
        _ => {}
    }
}
