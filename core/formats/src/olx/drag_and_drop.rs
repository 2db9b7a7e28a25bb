//! Converts drag-and-drop problems to matching questions.

use std::collections::HashMap;

use serde_json::Value;

use super::definitions::{Definition, Definitions};
use super::page_context::PageContext;
use super::problem::Piece;
use super::unit::placeholder;
use crate::html::Converted;
use crate::note::olx::Note;
use crate::quiz::{Kind, MAX_PARTS, Pair, Question};
use crate::xml::escaped;

/// Characters of a zone's title, which is repeated for each of its items.
const MAX_TITLE: usize = 1000;

pub fn read(found: &Definition, definitions: &mut Definitions<'_>, context: &mut PageContext) -> Vec<Piece> {
    let data = found.element.attr_text("data").unwrap_or_default();
    let data: Value = serde_json::from_str(data).unwrap_or_default();
    let text = |value: &Value, name: &str| value.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let mut html = String::new();
    if let Some(title) = found.title() {
        html.push_str(&format!("<p><strong>{}</strong></p>", escaped(title)));
    }
    let question = found
        .element
        .attr_text("question_text")
        .map_or_else(|| text(&data, "questionText"), str::to_owned);
    html.push_str(&format!("<div>{question}</div>"));
    let picture = text(&data, "targetImg");
    if !picture.is_empty() {
        let alt = escaped(&text(&data, "targetImgDescription"));
        html.push_str(&format!("<p><img src=\"{}\" alt=\"{alt}\"></p>", escaped(&picture)));
    }
    let list = |name: &str| data.get(name).and_then(Value::as_array).cloned().unwrap_or_default();
    let zones: HashMap<String, String> = list("zones")
        .iter()
        .map(|zone| {
            let uid = match text(zone, "uid") {
                uid if uid.is_empty() => text(zone, "title"),
                uid => uid,
            };
            let title = text(zone, "title");
            if title.chars().nth(MAX_TITLE).is_some() {
                definitions
                    .report
                    .add(&found.place, crate::Note::Cut(title.chars().take(40).collect()));
            }
            (uid, title.chars().take(MAX_TITLE).collect())
        })
        .collect();
    let (mut pairs, mut decoys) = (Vec::new(), 0);
    // One more than a question may have: the question is then refused and reported instead of cut silently.
    for item in list("items").into_iter().take(MAX_PARTS + 1) {
        let several = item.get("zones").and_then(Value::as_array);
        let zone = match several {
            Some(several) => several.first().and_then(Value::as_str).map(str::to_owned),
            None => item.get("zone").and_then(Value::as_str).map(str::to_owned),
        };
        let Some(place) = zone.and_then(|zone| zones.get(&zone)).filter(|title| !title.is_empty()) else {
            decoys += 1;
            continue;
        };
        let mut left = text(&item, "displayName");
        let image = text(&item, "imageURL");
        if !image.is_empty() {
            left.push_str(&format!("<img src=\"{}\">", escaped(&image)));
        }
        let (left, right) = (
            context.document(definitions, &left, &found.place),
            context.document(definitions, place, &found.place),
        );
        pairs.push(Pair::new(left, right));
    }
    let prompt = context.document(definitions, &html, &found.place);
    if pairs.len() >= 2 {
        let question = Question::new(prompt.clone(), Kind::Matching { pairs });
        match question.check() {
            Ok(()) => {
                definitions.note(&found.place, Note::DragAndDrop);
                if decoys > 0 {
                    definitions.note(&found.place, Note::DecoyItems(decoys));
                }
                return vec![Piece::Question(Box::new(question))];
            }
            Err(problem) => {
                let note = crate::Note::QuestionRefused(problem.into());
                definitions.report.add(&found.place, note);
            }
        }
    }
    let title = found.title().unwrap_or_default();
    let note = Note::Placeholder {
        kind: found.element.name.clone(),
        title: title.to_owned(),
    };
    definitions.note(&found.place, note);
    let kind = context.localized(
        "A drag-and-drop problem was here",
        "Здесь было задание на перетаскивание",
    );
    let mut blocks = prompt
        .get("content")
        .and_then(Value::as_array)
        .cloned()
        .unwrap_or_default();
    blocks.push(placeholder(kind, "", ""));
    vec![Piece::Text(Converted {
        blocks,
        ..Converted::default()
    })]
}
