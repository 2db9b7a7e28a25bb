//! Reads an assessment or a question bank as a quiz.

use std::collections::{HashMap, HashSet};

use roxmltree::Node;
use serde_json::{Value, json};
use uuid::Uuid;

use super::item::{self, Material};
use super::question::{BuiltItem, QuestionBuilder};
use crate::blocks::blocks;
use crate::cartridge::labels::Labels;
use crate::cartridge::page::document_of;
use crate::cartridge::xml::{attr, child, children, find, is, text_of};
use crate::html::Host;
use crate::note::Note;
use crate::note::Reason;
use crate::note::cartridge::Note as CartridgeNote;
use crate::quiz::{MAX_GRACE, MAX_TIME_LIMIT, MIN_TIME_LIMIT, Points, Question, Quiz, paragraph};

/// The content of one file.
pub struct Read {
    pub title: Option<String>,
    pub quiz: Quiz,
    /// Text for the page, before the questions.
    pub blocks: Vec<Value>,
    /// Number of items, including those that became text.
    pub items: usize,
    /// Instructions in the file itself.
    pub rubric: Vec<Value>,
    /// The file itself says when answers are revealed.
    pub says_reveal: bool,
    pub drawn: Vec<DrawnGroup>,
}

/// A group of questions of which some are drawn.
pub struct DrawnGroup {
    pub title: String,
    /// The identifier of the bank in another file; None for a group with questions of its own.
    pub bank: Option<String>,
    /// The identifier of the group.
    pub ident: String,
    pub pick: usize,
    /// Points of each drawn question.
    pub points: Option<Points>,
    /// The index at which the group stands in the quiz.
    pub at: usize,
    /// Its own questions.
    pub questions: Vec<Question>,
}

/// Nested items are not QTI and are ignored: the outer item already contains their text.
fn is_item(node: Node<'_, '_>) -> bool {
    is(node, "item") && !node.ancestors().skip(1).any(|around| is(around, "item"))
}

/// The number of questions in a file.
pub fn count(root: Node<'_, '_>) -> usize {
    root.descendants().filter(|node| is_item(*node)).count()
}

/// Reads at most `most` questions.
pub fn read(root: Node<'_, '_>, most: usize, host: &mut dyn Host, labels: &Labels) -> Read {
    let main = ["assessment", "objectbank"]
        .into_iter()
        .find_map(|name| find(root, name));
    let main = main.unwrap_or(root);
    let fields = item::fields(main);
    // A file may have several assessments, or items outside one: all are read.
    let all = if count(main) < count(root) { root } else { main };
    let mut made = Read {
        title: attr(main, "title")
            .map(str::to_owned)
            .or_else(|| fields.get("bank_title").cloned()),
        quiz: Quiz::default(),
        blocks: Vec::new(),
        items: 0,
        rubric: Vec::new(),
        says_reveal: fields.contains_key(super::REVEAL_FIELD),
        drawn: Vec::new(),
    };
    settings(&mut made.quiz, &fields, main, host);
    for name in ["rubric", "presentation_material"] {
        for node in children(main, name) {
            made.rubric.extend(text(&item::material(node), host));
        }
    }
    let (mut ids, mut titles, mut count) = (HashSet::new(), 0, 0);
    // The place of each group in `drawn`.
    let mut groups = HashMap::new();
    for node in all.descendants() {
        if is(node, "section")
            && let Some(drawn) = group(node)
        {
            let at = made.quiz.questions.len();
            groups.insert(node.id(), made.drawn.len());
            made.drawn.push(DrawnGroup { at, ..drawn });
        }
        if !is_item(node) {
            continue;
        }
        let item = item::read(node);
        made.items += 1;
        if item.beyond > 0 {
            let (count, most) = (item.beyond, item::MAX_PARTS);
            host.note(Note::Beyond { count, most }, 0);
        }
        titles += usize::from(!matches!(item.title.trim(), "" | "Question") && item.title != item.prompt.plain());
        let question = QuestionBuilder {
            host: &mut *host,
            labels,
        }
        .make(&item);
        match question {
            BuiltItem::Words { label, blocks } => {
                if let Some(label) = label {
                    made.blocks.push(heading(&labelled(label, &item.title)));
                }
                made.blocks.extend(blocks);
            }
            BuiltItem::Question(mut question) => {
                if !ids.insert(question.id) {
                    question.id = Uuid::now_v7();
                }
                let points = node.parent_element().and_then(points_of_each);
                question.points = points.unwrap_or(question.points);
                let group = node.ancestors().find_map(|around| groups.get(&around.id()));
                let group = group.and_then(|group| made.drawn.get_mut(*group));
                match question.check() {
                    Ok(()) if count >= most => {
                        host.note(Note::QuestionRefused(Reason::TooManyQuestions(most)), 0);
                    }
                    Ok(()) => {
                        count += 1;
                        let questions = group.map_or(&mut made.quiz.questions, |group| &mut group.questions);
                        questions.push(*question);
                    }
                    Err(problem) => {
                        host.note(Note::QuestionRefused(problem.into()), 0);
                        made.blocks
                            .push(heading(&labelled(labels.unknown_question, &item.title)));
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
    blocks(if material.html {
        document_of(&material.text, host)
    } else {
        paragraph(material.text.trim())
    })
}

fn selection<'a, 'i: 'a>(section: Node<'a, 'i>) -> Option<Node<'a, 'i>> {
    child(section, "selection_ordering").and_then(|node| child(node, "selection"))
}

/// The points of each question in a group, which override those of the question.
fn points_of_each(section: Node<'_, '_>) -> Option<Points> {
    let said = text_of(child(selection(section)?, "selection_extension")?, "points_per_item")?;
    let points: f64 = said.parse().ok().filter(|points| *points >= 0.0)?;
    Some(Points::nearest(points))
}

/// The section as a group without its questions; None if it is another section.
fn group(section: Node<'_, '_>) -> Option<DrawnGroup> {
    let selection = selection(section)?;
    let pick = text_of(selection, "selection_number").and_then(|n| n.parse().ok())?;
    let has_items = children(section, "item").next().is_some();
    Some(DrawnGroup {
        title: attr(section, "title").unwrap_or_default().to_owned(),
        bank: text_of(selection, "sourcebank_ref").filter(|_| !has_items),
        ident: attr(section, "ident").unwrap_or_default().to_owned(),
        pick,
        points: points_of_each(section),
        at: 0,
        questions: vec![],
    })
}

/// Reads the quiz settings in the file.
fn settings(quiz: &mut Quiz, fields: &HashMap<String, String>, main: Node<'_, '_>, host: &mut dyn Host) {
    let number = |name: &str| fields.get(name).and_then(|value| value.trim().parse::<u32>().ok());
    let extension = child(main, "assess_procextension");
    let allowed = || text_of(extension?, "attempts_allowed")?.parse().ok();
    let attempts = number("cc_maxattempts").or_else(|| number("qmd_maxattempts"));
    let attempts = attempts.or_else(allowed);
    quiz.max_attempts = attempts.filter(|attempts| (1..=crate::quiz::MAX_ATTEMPTS).contains(attempts));
    if let Some(percent) = number(super::PASS_FIELD).filter(|percent| *percent <= 100) {
        quiz.pass_percent = u8::try_from(percent).unwrap_or(quiz.pass_percent);
    }
    quiz.shuffle_questions = fields.get(super::SHUFFLE_FIELD).is_some_and(|value| value == "true");
    let reveal = fields.get(super::REVEAL_FIELD);
    if let Some(reveal) = reveal.and_then(|name| serde_json::from_value(json!(name)).ok()) {
        quiz.reveal = reveal;
    }
    let release = fields.get(super::RELEASE_FIELD);
    if let Some(release) = release.and_then(|name| serde_json::from_value(json!(name)).ok()) {
        quiz.release = release;
    }
    let checking = fields.get(super::CHECKING_FIELD);
    if let Some(checking) = checking.and_then(|name| serde_json::from_value(json!(name)).ok()) {
        quiz.checking = checking;
    }
    let seconds = number(super::TIME_FIELD).filter(|seconds| (MIN_TIME_LIMIT..=MAX_TIME_LIMIT).contains(seconds));
    quiz.time_limit_seconds = seconds;
    if let Some(grace) = number(super::GRACE_FIELD).filter(|grace| *grace <= MAX_GRACE) {
        quiz.grace_seconds = grace;
    }
    for name in ["qmd_timelimit", "cc_timelimit", "cc_allow_late_submission"] {
        if let Some(value) = fields.get(name).filter(|value| !value.is_empty()) {
            let (name, value) = (name.to_owned(), value.clone());
            host.note(Note::Cartridge(CartridgeNote::Setting { name, value }), 0);
        }
    }
}
