//! Resolves the anchors of links between pages after all pages are read.

use std::collections::{HashMap, HashSet};

use serde_json::Value;
use uuid::Uuid;

use crate::content::{Href, heading_anchors};
use crate::course::CourseDraft;
use crate::note::Note;
use crate::quiz::Quiz;
use crate::report::Report;

/// Keeps links whose heading exists. Other links lead to the start of the page; links within the page become plain
/// text. Each changed link is reported.
pub fn resolve_anchors(course: &mut CourseDraft, report: &mut Report) {
    let anchors: HashMap<Uuid, HashSet<String>> = course
        .pages()
        .map(|page| {
            (
                page.id,
                heading_anchors(&page.content.read()).into_iter().flatten().collect(),
            )
        })
        .collect();
    for page in course.pages_mut() {
        let mut lost = Vec::new();
        let id = page.id;
        page.content.change(|document| node(document, id, &anchors, &mut lost));
        for document in page.quiz.iter_mut().flat_map(Quiz::documents_mut) {
            node(document, id, &anchors, &mut lost);
        }
        for href in lost {
            report.add(&page.source, Note::LinkAnchor(href));
        }
    }
}

fn node(value: &mut Value, own: Uuid, anchors: &HashMap<Uuid, HashSet<String>>, lost: &mut Vec<String>) {
    if let Some(marks) = value.get_mut("marks").and_then(Value::as_array_mut) {
        marks.retain_mut(|mark| {
            let Some(Value::String(href)) = mark.pointer_mut("/attrs/href") else {
                return true;
            };
            let (page, anchor) = match Href::parse(href) {
                Some(Href::Page {
                    page,
                    anchor: Some(anchor),
                }) => (page, anchor),
                Some(Href::Anchor(anchor)) => (own, anchor),
                _ => return true,
            };
            if anchors.get(&page).is_some_and(|known| known.contains(anchor)) {
                return true;
            }
            lost.push(href.clone());
            *href = format!("page:{page}");
            page != own
        });
        if marks.is_empty()
            && let Some(fields) = value.as_object_mut()
        {
            fields.remove("marks");
        }
    }
    for child in value
        .get_mut("content")
        .and_then(Value::as_array_mut)
        .into_iter()
        .flatten()
    {
        node(child, own, anchors, lost);
    }
}
