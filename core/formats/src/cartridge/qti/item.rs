//! Parses QTI 1.2 items of any producer.

use std::collections::HashMap;

use roxmltree::Node;

use super::hotspot::{self, Hotspot};
use crate::cartridge::html::escaped;
use crate::cartridge::xml::{attr, child, children, find, is, text, text_of};
use kurso_base::text::one_line;

/// Limit of responses, labels of a response, conditions and variables per item.
pub const MAX_PARTS: usize = 500;

/// Text, either plain or HTML.
#[derive(Clone, Default, Debug, PartialEq, Eq)]
pub struct Material {
    pub text: String,
    pub html: bool,
}

impl Material {
    pub fn is_empty(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// The first characters of the text; parses only as much HTML as that needs.
    pub fn beginning(&self, characters: usize) -> String {
        let head = self.text.floor_char_boundary(self.text.len().min(characters * 20));
        let head = Material {
            text: self.text.split_at(head).0.to_owned(),
            html: self.html,
        };
        head.plain().chars().take(characters).collect()
    }

    /// The text without markup.
    pub fn plain(&self) -> String {
        if self.html {
            let html = scraper::Html::parse_fragment(&self.text);
            one_line(&html.root_element().text().collect::<String>())
        } else {
            self.text.trim().to_owned()
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ResponseKind {
    One,
    Many,
    Order,
    Text,
    Number,
}

#[derive(Debug)]
pub struct Response {
    pub id: String,
    pub kind: ResponseKind,
    pub name: Material,
    pub labels: Vec<(String, Material)>,
    /// Canvas New Quizzes: the labels are all options, not only the correct ones.
    pub chosen: bool,
}

#[derive(Debug)]
pub struct Test {
    /// The element name: `varequal`, `vargte`, …
    pub op: String,
    pub response: String,
    pub value: String,
    pub not: bool,
    pub case: bool,
}

#[derive(Debug)]
pub struct Condition {
    pub tests: Vec<Test>,
    /// Whether one of several tests is enough.
    pub is_any: bool,
    pub score: Option<f64>,
    pub feedback: Vec<String>,
}

impl Condition {
    pub fn scores(&self) -> bool {
        self.score.is_some_and(|score| score > 0.0)
    }
}

/// The range of a variable of a formula question in Canvas.
#[derive(Debug, Default)]
pub struct VariableRange {
    pub name: String,
    pub min: String,
    pub max: String,
    /// The number of decimals.
    pub scale: String,
}

/// A formula question in Canvas.
#[derive(Debug, Default)]
pub struct Calculated {
    /// The values of the first variable set.
    pub variables: Vec<(String, String)>,
    pub ranges: Vec<VariableRange>,
    pub answer: String,
    pub tolerance: String,
    /// By which Canvas computes the answer from the variables.
    pub formulas: Vec<String>,
    pub sets: usize,
}

#[derive(Debug, Default)]
pub struct Item {
    pub id: String,
    pub title: String,
    /// Metadata by lower-case label.
    pub fields: HashMap<String, String>,
    pub prompt: Material,
    /// The prompt with response names in brackets at the gaps, if there are several.
    pub gapped: Option<Material>,
    pub responses: Vec<Response>,
    pub conditions: Vec<Condition>,
    pub feedback: HashMap<String, Material>,
    pub calculated: Option<Calculated>,
    pub hotspot: Option<Hotspot>,
    /// The number of responses, labels, conditions and tests beyond the limits.
    pub beyond: usize,
}

/// The `qtimetadata` fields of a node and of its `itemmetadata`.
pub fn fields(node: Node<'_, '_>) -> HashMap<String, String> {
    let own = children(node, "qtimetadata");
    let inner = child(node, "itemmetadata");
    let of_item = inner.into_iter().flat_map(|node| children(node, "qtimetadata"));
    let mut fields: HashMap<String, String> = own
        .chain(of_item)
        // Brightspace uses another spelling.
        .flat_map(|node| children(node, "qtimetadatafield").chain(children(node, "qti_metadatafield")))
        .filter_map(|field| {
            let label = text_of(field, "fieldlabel")?.to_ascii_lowercase();
            Some((label, text_of(field, "fieldentry").unwrap_or_default()))
        })
        .collect();
    // Older files have one element per field.
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

/// The text below a node, without its responses and labels.
pub fn material(node: Node<'_, '_>) -> Material {
    joined(node, false)
}

/// With `gaps`, the name of each text response stands in brackets in its place.
fn joined(node: Node<'_, '_>, gaps: bool) -> Material {
    let mut found = Vec::new();
    collect(node, gaps, &mut found);
    let html = found.iter().any(|part| part.html);
    let parts: Vec<String> = found
        .into_iter()
        .filter(|part| !part.is_empty())
        .map(|part| {
            if html && !part.html {
                format!("<p>{}</p>", escaped(&part.text))
            } else {
                part.text
            }
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
            // Unescaped XHTML appears as child elements.
            let text = if inside {
                child
                    .document()
                    .input_text()
                    .get(child.range())
                    .unwrap_or_default()
                    .to_owned()
            } else {
                text(child)
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

/// The response id without Canvas's prefix: the name of the gap in the text.
pub(super) fn bare(response: &str) -> &str {
    response.strip_prefix("response_").unwrap_or(response)
}

/// Brightspace identifies response groups by `respident`.
fn ident<'a>(node: Node<'a, '_>) -> &'a str {
    attr(node, "ident")
        .or_else(|| attr(node, "respident"))
        .unwrap_or_default()
}

/// The first `most` parts; the others are counted.
fn first<T>(parts: impl Iterator<Item = T>, most: usize, beyond: &mut usize) -> impl Iterator<Item = T> {
    parts.enumerate().filter_map(move |(at, part)| {
        if at < most {
            return Some(part);
        }
        *beyond += 1;
        None
    })
}

pub fn read(node: Node<'_, '_>) -> Item {
    let mut beyond = 0;
    let presentation = child(node, "presentation");
    let responses = presentation
        .into_iter()
        .flat_map(|node| node.descendants())
        .filter(|node| is_response(*node));
    let responses: Vec<_> = first(responses, MAX_PARTS, &mut beyond).collect();
    let responses: Vec<Response> = responses.into_iter().map(|node| response(node, &mut beyond)).collect();
    let written = |response: &&Response| matches!(response.kind, ResponseKind::Text | ResponseKind::Number);
    let gaps = responses.iter().filter(written).count() > 1;
    let conditions = children(node, "resprocessing").flat_map(|node| children(node, "respcondition"));
    let conditions: Vec<_> = first(conditions, MAX_PARTS * 2, &mut beyond).collect();
    let conditions = conditions
        .into_iter()
        .map(|node| condition(node, &mut beyond))
        .collect();
    let feedback = children(node, "itemfeedback")
        .filter_map(|node| Some((attr(node, "ident")?.to_owned(), material(node))))
        // Brightspace puts hints beside the feedback.
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
        hotspot: hotspot::read(node),
        beyond,
    }
}

fn response(node: Node<'_, '_>, beyond: &mut usize) -> Response {
    let labels = node.descendants().filter(|node| is(*node, "response_label"));
    let labels = first(labels, MAX_PARTS, beyond)
        .map(|label| (attr(label, "ident").unwrap_or_default().to_owned(), material(label)))
        .collect();
    let cardinality = attr(node, "rcardinality").unwrap_or_default().to_ascii_lowercase();
    let fib = find(node, "render_fib").and_then(|fib| attr(fib, "fibtype"));
    let is_number = fib.is_some_and(|kind| matches!(kind.to_ascii_lowercase().as_str(), "decimal" | "integer"));
    let kind = match (node.tag_name().name(), cardinality.as_str()) {
        ("response_num", _) => ResponseKind::Number,
        ("response_str", _) if is_number => ResponseKind::Number,
        ("response_str", _) => ResponseKind::Text,
        (_, "ordered") => ResponseKind::Order,
        (_, "multiple") => ResponseKind::Many,
        _ => ResponseKind::One,
    };
    let chosen = |node: Node<'_, '_>| attr(node, "answer_type").is_some_and(|kind| kind != "openEntry");
    Response {
        id: ident(node).to_owned(),
        kind,
        chosen: node.descendants().any(chosen),
        name: children(node, "material").next().map(material).unwrap_or_default(),
        labels,
    }
}

fn condition(node: Node<'_, '_>, beyond: &mut usize) -> Condition {
    let variable = child(node, "conditionvar");
    let tests = variable
        .into_iter()
        .flat_map(|node| node.descendants())
        .filter(|node| node.is_element() && node.tag_name().name().starts_with("var"));
    let tests = first(tests, MAX_PARTS, beyond)
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
        is_any: variable.is_some_and(|node| node.descendants().any(|node| is(node, "or"))),
        tests,
        score: scores.into_iter().reduce(f64::max),
        feedback: children(node, "displayfeedback")
            .filter_map(|node| attr(node, "linkrefid").map(str::to_owned))
            .collect(),
    }
}

/// The change of the score. Brightspace counts correct and incorrect answers in separate variables.
fn score(set: Node<'_, '_>) -> Option<f64> {
    let name = attr(set, "varname").unwrap_or_default().to_ascii_lowercase();
    let said = text(set);
    let counted = matches!(name.as_str(), "d2l_correct" | "d2l_incorrect") && said.is_empty();
    let score: f64 = if counted { 1.0 } else { said.parse().ok()? };
    let is_off = attr(set, "action").is_some_and(|action| action.eq_ignore_ascii_case("subtract"));
    Some(if is_off || name == "d2l_incorrect" {
        -score.abs()
    } else {
        score
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
        ranges: find(node, "vars")
            .into_iter()
            .flat_map(|vars| children(vars, "var"))
            .take(MAX_PARTS)
            .filter_map(|var| {
                Some(VariableRange {
                    name: attr(var, "name")?.to_owned(),
                    min: text_of(var, "min").unwrap_or_default(),
                    max: text_of(var, "max").unwrap_or_default(),
                    scale: attr(var, "scale").unwrap_or("0").to_owned(),
                })
            })
            .collect(),
        answer: first.and_then(|set| text_of(*set, "answer")).unwrap_or_default(),
        tolerance: text_of(node, "answer_tolerance").unwrap_or_default(),
        formulas: find(node, "formulas")
            .into_iter()
            .flat_map(|formulas| children(formulas, "formula"))
            .take(MAX_PARTS)
            .map(text)
            .collect(),
        sets: sets.len(),
    }
}
