//! An item of QTI 1.2 as it is written, whoever wrote it.

use std::collections::HashMap;

use roxmltree::Node;

use crate::exchange::cartridge::html::escaped;
use crate::exchange::cartridge::xml::{attr, child, children, find, is, text, text_of};

/// Responses and labels of one item, conditions, and sets of numbers.
const MAX_PARTS: usize = 500;

/// A text and whether it is HTML.
#[derive(Clone, Default, Debug, PartialEq, Eq)]
pub struct Material {
    pub text: String,
    pub html: bool,
}

impl Material {
    pub fn is_empty(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// The first of its words, found in the first of its text.
    pub fn beginning(&self, characters: usize) -> String {
        let head = self.text.floor_char_boundary(self.text.len().min(characters * 20));
        let head = Material {
            text: self.text.split_at(head).0.to_owned(),
            html: self.html,
        };
        head.plain().chars().take(characters).collect()
    }

    /// The words alone.
    pub fn plain(&self) -> String {
        match self.html {
            false => self.text.trim().to_owned(),
            true => {
                let html = scraper::Html::parse_fragment(&self.text);
                let words: String = html.root_element().text().collect();
                words.split_whitespace().collect::<Vec<_>>().join(" ")
            }
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Takes {
    One,
    Many,
    Order,
    Text,
    Number,
}

#[derive(Debug)]
pub struct Response {
    pub id: String,
    pub takes: Takes,
    pub name: Material,
    pub labels: Vec<(String, Material)>,
    /// The new quizzes of Canvas: labels are all there is to choose from, not all that is right.
    pub chosen: bool,
}

#[derive(Debug)]
pub struct Test {
    /// `varequal`, `vargte`, …
    pub op: String,
    pub response: String,
    pub value: String,
    pub not: bool,
    pub case: bool,
}

#[derive(Debug)]
pub struct Condition {
    pub tests: Vec<Test>,
    pub score: Option<f64>,
    pub feedback: Vec<String>,
}

impl Condition {
    pub fn scores(&self) -> bool {
        self.score.is_some_and(|score| score > 0.0)
    }
}

/// What Canvas keeps of a question with a formula: its first set of numbers.
#[derive(Debug, Default)]
pub struct Calculated {
    pub variables: Vec<(String, String)>,
    pub answer: String,
    pub tolerance: String,
    pub sets: usize,
}

#[derive(Debug, Default)]
pub struct Item {
    pub id: String,
    pub title: String,
    /// Of the metadata, by small letters.
    pub fields: HashMap<String, String>,
    pub prompt: Material,
    /// The prompt with the names of responses in brackets where texts are to be written, if there are several.
    pub gapped: Option<Material>,
    pub responses: Vec<Response>,
    pub conditions: Vec<Condition>,
    pub feedback: HashMap<String, Material>,
    pub calculated: Option<Calculated>,
}

/// The fields of `qtimetadata` in a node or in its `itemmetadata`.
pub fn fields(node: Node<'_, '_>) -> HashMap<String, String> {
    let own = children(node, "qtimetadata");
    let inner = child(node, "itemmetadata");
    let of_item = inner.into_iter().flat_map(|node| children(node, "qtimetadata"));
    let mut fields: HashMap<String, String> = own
        .chain(of_item)
        // Brightspace spells it another way.
        .flat_map(|node| children(node, "qtimetadatafield").chain(children(node, "qti_metadatafield")))
        .filter_map(|field| {
            let label = text_of(field, "fieldlabel")?.to_ascii_lowercase();
            Some((label, text_of(field, "fieldentry").unwrap_or_default()))
        })
        .collect();
    // The elder spelling: an element for each.
    for node in inner.into_iter().flat_map(|node| node.children()) {
        let name = node.tag_name().name().to_ascii_lowercase();
        if node.is_element() && name.starts_with("qmd_") {
            fields.entry(name).or_insert_with(|| text(node));
        }
    }
    fields
}

fn is_response(node: Node<'_, '_>) -> bool {
    node.is_element() && node.tag_name().name().starts_with("response_") && !is(node, "response_label")
}

/// All texts below a node, those in its responses and labels left out.
pub fn material(node: Node<'_, '_>) -> Material {
    joined(node, false)
}

/// `gaps`: where a text is to be written stands the name of the response in brackets.
fn joined(node: Node<'_, '_>, gaps: bool) -> Material {
    let mut found = Vec::new();
    collect(node, gaps, &mut found);
    let html = found.iter().any(|part| part.html);
    let parts: Vec<String> = found
        .into_iter()
        .filter(|part| !part.is_empty())
        .map(|part| match html && !part.html {
            true => format!("<p>{}</p>", escaped(&part.text)),
            false => part.text,
        })
        .collect();
    Material {
        text: parts.join("\n"),
        html,
    }
}

fn collect(node: Node<'_, '_>, gaps: bool, found: &mut Vec<Material>) {
    for child in node.children() {
        if gaps && is(child, "response_str") {
            found.push(Material {
                text: escaped(&format!("[{}]", bare(ident(child)))),
                html: true,
            });
        } else if is(child, "mattext") || is(child, "mat_formattedtext") {
            let kind = attr(child, "texttype").or_else(|| attr(child, "type"));
            let inside = child.children().any(|node| node.is_element());
            let html =
                inside || kind.is_some_and(|kind| kind.to_ascii_lowercase().contains("html") || kind == "SMART_TEXT");
            // XHTML that was not escaped stands as elements.
            let text = match inside {
                true => child
                    .document()
                    .input_text()
                    .get(child.range())
                    .unwrap_or_default()
                    .to_owned(),
                false => text(child),
            };
            found.push(Material { text, html });
        } else if is(child, "matimage") {
            if let Some(uri) = attr(child, "uri") {
                let text = format!("<img src=\"{}\">", escaped(uri));
                found.push(Material { text, html: true });
            }
        } else if child.is_element() && !is_response(child) && !is(child, "response_label") {
            collect(child, gaps, found);
        }
    }
}

/// The id of a response without what Canvas writes before it: the name of a gap in a text.
pub(super) fn bare(response: &str) -> &str {
    response.strip_prefix("response_").unwrap_or(response)
}

/// Brightspace names its groups by the attribute of those that answer them.
fn ident<'a>(node: Node<'a, '_>) -> &'a str {
    attr(node, "ident")
        .or_else(|| attr(node, "respident"))
        .unwrap_or_default()
}

pub fn read(node: Node<'_, '_>) -> Item {
    let presentation = child(node, "presentation");
    let responses: Vec<Response> = presentation
        .into_iter()
        .flat_map(|node| node.descendants())
        .filter(|node| is_response(*node))
        .take(MAX_PARTS)
        .map(response)
        .collect();
    let written = |response: &&Response| matches!(response.takes, Takes::Text | Takes::Number);
    let gaps = responses.iter().filter(written).count() > 1;
    let conditions = children(node, "resprocessing")
        .flat_map(|node| children(node, "respcondition"))
        .take(MAX_PARTS * 2)
        .map(condition)
        .collect();
    let feedback = children(node, "itemfeedback")
        .filter_map(|node| Some((attr(node, "ident")?.to_owned(), material(node))))
        // Brightspace has its hints beside them.
        .chain(children(node, "hint").map(|node| ("hint".to_owned(), material(node))))
        .filter(|(_, said)| !said.is_empty())
        .collect();
    Item {
        id: attr(node, "ident").unwrap_or_default().to_owned(),
        title: attr(node, "title").unwrap_or_default().to_owned(),
        fields: fields(node),
        prompt: presentation.map(material).unwrap_or_default(),
        gapped: presentation.filter(|_| gaps).map(|node| joined(node, true)),
        responses,
        conditions,
        feedback,
        calculated: find(node, "calculated").map(calculated),
    }
}

fn response(node: Node<'_, '_>) -> Response {
    let cardinality = attr(node, "rcardinality").unwrap_or_default().to_ascii_lowercase();
    let fib = find(node, "render_fib").and_then(|fib| attr(fib, "fibtype"));
    let is_number = fib.is_some_and(|kind| matches!(kind.to_ascii_lowercase().as_str(), "decimal" | "integer"));
    let takes = match (node.tag_name().name(), cardinality.as_str()) {
        ("response_num", _) => Takes::Number,
        ("response_str", _) if is_number => Takes::Number,
        ("response_str", _) => Takes::Text,
        (_, "ordered") => Takes::Order,
        (_, "multiple") => Takes::Many,
        _ => Takes::One,
    };
    let chosen = |node: Node<'_, '_>| attr(node, "answer_type").is_some_and(|kind| kind != "openEntry");
    Response {
        id: ident(node).to_owned(),
        takes,
        chosen: node.descendants().any(chosen),
        name: children(node, "material").next().map(material).unwrap_or_default(),
        labels: node
            .descendants()
            .filter(|node| is(*node, "response_label"))
            .take(MAX_PARTS)
            .map(|label| (attr(label, "ident").unwrap_or_default().to_owned(), material(label)))
            .collect(),
    }
}

fn condition(node: Node<'_, '_>) -> Condition {
    let variable = child(node, "conditionvar");
    let tests = variable
        .into_iter()
        .flat_map(|node| node.descendants())
        .filter(|node| node.is_element() && node.tag_name().name().starts_with("var"))
        .take(MAX_PARTS)
        .map(|test| Test {
            op: test.tag_name().name().to_owned(),
            response: attr(test, "respident").unwrap_or_default().to_owned(),
            value: text(test),
            not: test.ancestors().filter(|node| is(*node, "not")).count() % 2 == 1,
            case: attr(test, "case").is_some_and(|case| case.eq_ignore_ascii_case("yes")),
        })
        .collect();
    let scores: Vec<f64> = children(node, "setvar").filter_map(score).collect();
    Condition {
        tests,
        score: scores.into_iter().reduce(f64::max),
        feedback: children(node, "displayfeedback")
            .filter_map(|node| attr(node, "linkrefid").map(str::to_owned))
            .collect(),
    }
}

/// What is added to the score, or taken off it. Brightspace counts right and wrong answers in variables of their own.
fn score(set: Node<'_, '_>) -> Option<f64> {
    let name = attr(set, "varname").unwrap_or_default().to_ascii_lowercase();
    let said = text(set);
    let counted = matches!(name.as_str(), "d2l_correct" | "d2l_incorrect") && said.is_empty();
    let score: f64 = if counted { 1.0 } else { said.parse().ok()? };
    let is_off = attr(set, "action").is_some_and(|action| action.eq_ignore_ascii_case("subtract"));
    Some(match is_off || name == "d2l_incorrect" {
        true => -score.abs(),
        false => score,
    })
}

fn calculated(node: Node<'_, '_>) -> Calculated {
    let sets: Vec<_> = find(node, "var_sets")
        .into_iter()
        .flat_map(|sets| children(sets, "var_set"))
        .collect();
    let first = sets.first();
    Calculated {
        variables: first
            .into_iter()
            .flat_map(|set| children(*set, "var"))
            .take(MAX_PARTS)
            .filter_map(|var| Some((attr(var, "name")?.to_owned(), text(var))))
            .collect(),
        answer: first.and_then(|set| text_of(*set, "answer")).unwrap_or_default(),
        tolerance: text_of(node, "answer_tolerance").unwrap_or_default(),
        sets: sets.len(),
    }
}
