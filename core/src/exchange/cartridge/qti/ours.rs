//! Questions that stand whole in a field of their item.

use serde_json::Value;

use super::item::Item;
use super::prompt_html;
use crate::content;
use crate::exchange::cartridge::html::squeezed;
use crate::exchange::html::Host;
use crate::quiz;

/// The question, unless somebody has changed the words of the item since, or it is none.
pub fn read(text: &str, item: &Item, host: &mut dyn Host) -> Option<Value> {
    let value: Value = serde_json::from_str(text).ok()?;
    // Files have other addresses here, and are put in their place first: what reads questions takes no others.
    let mut value = value;
    settle(&mut value, host);
    let mut quiz = quiz::read(&serde_json::json!({ "questions": [value] })).ok()?;
    let question = quiz.questions.pop()?;
    let words = scraper::Html::parse_fragment(&prompt_html(&question));
    let words: String = words.root_element().text().collect();
    if squeezed(&words) != squeezed(&item.prompt.plain()) {
        return None;
    }
    serde_json::to_value(question).ok()
}

/// Every address of every document below.
fn settle(value: &mut Value, host: &mut dyn Host) {
    if value.get("type").is_some_and(|kind| kind == "doc") {
        content::map_addresses(value, |address| host.link(address, 0));
        return;
    }
    match value {
        Value::Array(list) => list.iter_mut().for_each(|value| settle(value, host)),
        Value::Object(fields) => fields.values_mut().for_each(|value| settle(value, host)),
        _ => {}
    }
}
