//! The readable parts of responses that cannot be graded.

use super::responses::quoted_list;
use crate::xml::{self, Element, Node};

/// Elements that take answers or hold feedback; all others are readable content.
pub fn is_control(name: &str) -> bool {
    name.ends_with("input")
        || name.ends_with("group")
        || matches!(
            name,
            "textline"
                | "textbox"
                | "choice"
                | "option"
                | "additional_answer"
                | "responseparam"
                | "correcthint"
                | "stringequalhint"
                | "regexphint"
                | "numericalhint"
                | "compoundhint"
                | "choicehint"
                | "optionhint"
                | "answer"
                | "grader_payload"
                | "codeparam"
                | "initial_display"
                | "answer_display"
                | "editamolecule"
                | "drag_and_drop"
                | "annotationinput"
        )
}

/// HTML of an ungraded part: pictures, options and initial code. Correct answers are not revealed.
pub fn readable(part: &Element) -> String {
    let mut html = String::new();
    write_readable(part, &mut html);
    html
}

fn write_readable(part: &Element, html: &mut String) {
    let said = |name: &str| part.attr_text(name).map(xml::escaped).unwrap_or_default();
    match part.name.as_str() {
        "imageinput" | "drag_and_drop_input" => {
            let src = part
                .attr_text("src")
                .or_else(|| part.attr_text("img"))
                .map(xml::escaped);
            if let Some(src) = src {
                html.push_str(&format!("<p><img src=\"{src}\" alt=\"{}\"></p>", said("alt")));
            }
        }
        "title" | "text" | "comment" | "comment_prompt" | "tag_prompt" => {
            html.push_str(&format!("<p>{}</p>", part.inner_html()));
            return;
        }
        "draggable" => html.push_str(&format!("<ul><li>{}</li></ul>", said("label"))),
        "initial_display" => html.push_str(&format!("<pre>{}</pre>", xml::escaped(&part.text()))),
        "choice" | "option" => {
            let words = without(part, &["choicehint", "optionhint"]);
            html.push_str(&format!("<ul><li>{}</li></ul>", with_gaps(&words)));
        }
        "optioninput" if part.child("option").is_none() => {
            for option in quoted_list(part.attr("options").unwrap_or_default()) {
                html.push_str(&format!("<ul><li>{}</li></ul>", xml::escaped(&option)));
            }
        }
        "answer" | "answer_display" | "grader_payload" => return,
        _ => {}
    }
    if !matches!(part.name.as_str(), "choice" | "option") {
        part.elements().for_each(|child| write_readable(child, html));
    }
}

/// A table with a gap in place of each response.
pub(super) fn with_response_gaps(element: &Element) -> Element {
    let children = element.children.iter().map(|child| match child {
        Node::Element(child) if child.name.ends_with("response") => Node::Text(" _____ ".to_owned()),
        Node::Element(child) => Node::Element(with_response_gaps(child)),
        text => text.clone(),
    });
    Element {
        children: children.collect(),
        ..element.clone()
    }
}

/// The responses in an element, in order.
pub(super) fn responses_in<'e>(element: &'e Element, found: &mut Vec<&'e Element>) {
    for child in element.elements() {
        if child.name.ends_with("response") {
            found.push(child);
        } else {
            responses_in(child, found);
        }
    }
}

/// The text of a choice, with gaps for its inputs.
fn with_gaps(choice: &Element) -> String {
    let mut html = String::new();
    for child in &choice.children {
        match child {
            Node::Element(element) if element.name.ends_with("_input") || element.is("textline") => {
                html.push_str("_____")
            }
            child => child.write_html(&mut html),
        }
    }
    html
}

/// The element without children of these names.
pub(super) fn without(element: &Element, names: &[&str]) -> Element {
    let mut rest = element.clone();
    rest.children
        .retain(|child| !matches!(child, Node::Element(element) if names.contains(&element.name.as_str())));
    rest
}
