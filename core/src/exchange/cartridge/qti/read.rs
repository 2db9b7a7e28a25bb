//! An assessment or a bank of questions as a quiz.

use std::collections::{HashMap, HashSet};

use roxmltree::Node;
use serde_json::{Value, json};

use super::item::{self, Material};
use super::question::{Made, Maker};
use crate::exchange::blocks::blocks;
use crate::exchange::cartridge::note::Note as CartridgeNote;
use crate::exchange::cartridge::page::document_of;
use crate::exchange::cartridge::words::Words;
use crate::exchange::cartridge::xml::{attr, child, children, find, is, text_of};
use crate::exchange::html::Host;
use crate::exchange::note::Note;
use crate::exchange::reason::Reason;
use crate::quiz::{MAX_QUESTIONS, Quiz, paragraph};

/// What stands in one file.
pub struct Read {
    pub title: Option<String>,
    pub quiz: Quiz,
    /// Words for the page, before the questions.
    pub blocks: Vec<Value>,
    /// Questions of any kind, those included that became words.
    pub items: usize,
    /// The instructions the file has itself.
    pub rubric: Vec<Value>,
    /// It says itself when answers are shown.
    pub says_reveal: bool,
}

/// One that is in no other: QTI has no such thing, and the words of the inner one would be those of all around it.
fn is_item(node: Node<'_, '_>) -> bool {
    is(node, "item") && !node.ancestors().skip(1).any(|around| is(around, "item"))
}

/// How many questions a file has.
pub fn count(root: Node<'_, '_>) -> usize {
    root.descendants().filter(|node| is_item(*node)).count()
}

pub fn read(root: Node<'_, '_>, host: &mut dyn Host, words: &Words) -> Read {
    let main = ["assessment", "objectbank"]
        .into_iter()
        .find_map(|name| find(root, name));
    let main = main.unwrap_or(root);
    let fields = item::fields(main);
    let mut made = Read {
        title: attr(main, "title")
            .map(str::to_owned)
            .or_else(|| fields.get("bank_title").cloned()),
        quiz: Quiz::default(),
        blocks: Vec::new(),
        items: 0,
        rubric: Vec::new(),
        says_reveal: fields.contains_key(super::REVEAL_FIELD),
    };
    settings(&mut made.quiz, &fields, host);
    for name in ["rubric", "presentation_material"] {
        for node in children(main, name) {
            made.rubric.extend(text(&item::material(node), host));
        }
    }
    let (mut ids, mut titles) = (HashSet::new(), 0);
    for node in main.descendants() {
        if is(node, "section") {
            group(node, host);
        }
        if !is_item(node) {
            continue;
        }
        let item = item::read(node);
        made.items += 1;
        titles += usize::from(!matches!(item.title.trim(), "" | "Question") && item.title != item.prompt.plain());
        let question = Maker {
            host: &mut *host,
            words,
        }
        .make(&item);
        match question {
            Made::Words { label, blocks } => {
                if let Some(label) = label {
                    made.blocks.push(heading(&labelled(label, &item.title)));
                }
                made.blocks.extend(blocks);
            }
            Made::Question(mut question) => {
                if let Some(fields) = question.as_object_mut()
                    && fields.get("id").is_some_and(|id| !ids.insert(id.to_string()))
                {
                    fields.remove("id");
                }
                match crate::quiz::read(&json!({ "questions": [question] })) {
                    Ok(_) if made.quiz.questions.len() >= MAX_QUESTIONS => {
                        host.note(Note::QuestionRefused(Reason::TooManyQuestions(MAX_QUESTIONS)), 0);
                    }
                    Ok(one) => made.quiz.questions.extend(one.questions),
                    Err(error) => {
                        host.note(Note::QuestionRefused((&error).into()), 0);
                        made.blocks
                            .push(heading(&labelled(words.unknown_question, &item.title)));
                        made.blocks.extend(text(&item.prompt, host));
                    }
                }
            }
        }
    }
    if titles > 0 {
        host.note(Note::QuestionTitles(titles), 0);
    }
    made
}

fn labelled(label: &str, title: &str) -> String {
    match title.trim() {
        "" | "Question" => label.to_owned(),
        title => format!("{title} ({label})"),
    }
}

fn heading(title: &str) -> Value {
    json!({ "type": "heading", "attrs": { "level": 2 }, "content": [{ "type": "text", "text": title }] })
}

fn text(material: &Material, host: &mut dyn Host) -> Vec<Value> {
    if material.is_empty() {
        return vec![];
    }
    blocks(match material.html {
        true => document_of(&material.text, host),
        false => paragraph(material.text.trim()),
    })
}

/// Questions of which some are drawn.
fn group(section: Node<'_, '_>, host: &mut dyn Host) {
    let Some(selection) = child(section, "selection_ordering").and_then(|node| child(node, "selection")) else {
        return;
    };
    let Some(pick) = text_of(selection, "selection_number").and_then(|n| n.parse().ok()) else {
        return;
    };
    let title = attr(section, "title").unwrap_or_default().to_owned();
    let of = children(section, "item").count();
    if let Some(bank) = text_of(selection, "sourcebank_ref").filter(|_| of == 0) {
        let value = format!("{pick}, {bank}");
        host.note(Note::Cartridge(CartridgeNote::Setting { name: title, value }), 0);
        return;
    }
    host.note(Note::Cartridge(CartridgeNote::Group { title, pick, of }), 0);
}

/// What the file says of the quiz itself.
fn settings(quiz: &mut Quiz, fields: &HashMap<String, String>, host: &mut dyn Host) {
    let number = |name: &str| fields.get(name).and_then(|value| value.trim().parse::<u32>().ok());
    let attempts = number("cc_maxattempts").or_else(|| number("qmd_maxattempts"));
    quiz.max_attempts = attempts.filter(|attempts| (1..=crate::quiz::MAX_ATTEMPTS).contains(attempts));
    if let Some(percent) = number(super::PASS_FIELD).filter(|percent| *percent <= 100) {
        quiz.pass_percent = u8::try_from(percent).unwrap_or(quiz.pass_percent);
    }
    quiz.shuffle_questions = fields.get(super::SHUFFLE_FIELD).is_some_and(|value| value == "true");
    let reveal = fields.get(super::REVEAL_FIELD);
    if let Some(reveal) = reveal.and_then(|name| serde_json::from_value(json!(name)).ok()) {
        quiz.reveal = reveal;
    }
    for name in ["qmd_timelimit", "cc_timelimit", "cc_allow_late_submission"] {
        if let Some(value) = fields.get(name).filter(|value| !value.is_empty()) {
            let (name, value) = (name.to_owned(), value.clone());
            host.note(Note::Cartridge(CartridgeNote::Setting { name, value }), 0);
        }
    }
}
