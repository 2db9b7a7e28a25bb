//! Links to pages of the same course, resolved after all pages are read.

use std::collections::HashMap;

use serde_json::Value;
use uuid::Uuid;

use super::course::CourseDraft;
use super::note::{FileTrouble, Note};
use super::report::Report;
use crate::content::{self, Href};
use crate::quiz::Quiz;

/// Links whose targets are not known yet.
#[derive(Debug, Default)]
pub struct PendingLinks {
    links: Vec<Link>,
}

#[derive(Debug)]
struct Link {
    /// Name of the target page; `None` for the page of the link.
    to: Option<String>,
    fragment: Option<String>,
    href: String,
    place: String,
}

/// Heading index by anchor name; `None` means the start of the page.
pub type Places = HashMap<String, Option<usize>>;

/// Placeholder address: the nil page id with the number of the link.
const PLACEHOLDER: &str = "page:00000000-0000-0000-0000-000000000000#w";

fn placeholder_index(address: &str) -> Option<usize> {
    address.strip_prefix(PLACEHOLDER)?.parse().ok()
}

impl PendingLinks {
    /// Returns a valid placeholder address. `place` is the location for the report.
    pub fn add(&mut self, to: Option<String>, fragment: Option<String>, href: &str, place: &str) -> String {
        self.links.push(Link {
            to,
            fragment,
            href: href.to_owned(),
            place: place.to_owned(),
        });
        format!("{PLACEHOLDER}{}", self.links.len() - 1)
    }

    /// The number of links. [`PendingLinks::forget`] uses it to discard the links of a text.
    pub fn len(&self) -> usize {
        self.links.len()
    }

    pub fn forget(&mut self, from: usize) {
        self.links.truncate(from);
    }

    /// Replaces all placeholders. `pages` are page ids by link name, `places` the anchors of each page. Links to missing
    /// pages become plain text, with a note.
    pub fn resolve_links(
        self,
        course: &mut CourseDraft,
        pages: &HashMap<String, Uuid>,
        places: &HashMap<Uuid, Places>,
        report: &mut Report,
    ) {
        let mut anchors: HashMap<Uuid, Vec<Option<String>>> = HashMap::new();
        for page in course.pages().filter(|page| places.contains_key(&page.id)) {
            anchors.insert(page.id, content::heading_anchors(&page.content.read()));
        }
        let exact = |to: &str, link: &Link| pages.get(&format!("{to}#{}", link.fragment.as_ref()?.to_lowercase()));
        let mut reported = std::collections::HashSet::new();
        for page in course.pages_mut() {
            let own = page.id;
            let mut address = |number: usize| {
                let link = self.links.get(number)?;
                let target = match &link.to {
                    None => own,
                    // An anchor may have its own page.
                    Some(to) => match exact(to, link).or_else(|| pages.get(to)) {
                        Some(target) => *target,
                        None => {
                            if reported.insert(number) {
                                let note = Note::LinkFile {
                                    href: link.href.clone(),
                                    trouble: FileTrouble::Missing,
                                };
                                report.add(&link.place, note);
                            }
                            return None;
                        }
                    },
                };
                let anchor = link.fragment.as_ref().and_then(|fragment| {
                    let anchors = anchors.get(&target)?;
                    let heading = places
                        .get(&target)
                        .and_then(|places| places.get(&fragment.to_lowercase()));
                    let anchor = match heading {
                        Some(heading) => anchors.get((*heading)?).cloned().flatten(),
                        None => {
                            let known = anchors.iter().flatten().find(|anchor| *anchor == fragment);
                            if known.is_none() && reported.insert(number) {
                                report.add(&link.place, Note::LinkAnchor(link.href.clone()));
                            }
                            known.cloned()
                        }
                    };
                    anchor.filter(|anchor| Href::parse(&format!("#{anchor}")).is_some())
                });
                Some(match anchor {
                    Some(anchor) if target == own => format!("#{anchor}"),
                    Some(anchor) => format!("page:{target}#{anchor}"),
                    None => format!("page:{target}"),
                })
            };
            let mut resolve = |document: &mut Value| {
                content::map_addresses(document, |href| address(placeholder_index(href)?));
                unlink(document, &|href| placeholder_index(href).is_some());
            };
            page.content.change(&mut resolve);
            page.quiz
                .iter_mut()
                .flat_map(Quiz::documents_mut)
                .for_each(&mut resolve);
        }
    }
}

/// Removes the links with the given targets and keeps their text.
pub fn unlink(node: &mut Value, is_dead: &dyn Fn(&str) -> bool) {
    let has_dead_link = |mark: &Value| mark.pointer("/attrs/href").and_then(Value::as_str).is_some_and(is_dead);
    if let Some(object) = node.as_object_mut()
        && let Some(marks) = object.get_mut("marks").and_then(Value::as_array_mut)
    {
        marks.retain(|mark| !has_dead_link(mark));
        if marks.is_empty() {
            object.remove("marks");
        }
    }
    if let Some(children) = node.get_mut("content").and_then(Value::as_array_mut) {
        children.iter_mut().for_each(|child| unlink(child, is_dead));
        join_texts(children);
    }
}

/// Joins adjacent texts that differed only by a link.
fn join_texts(nodes: &mut Vec<Value>) {
    nodes.dedup_by(|next, text| {
        let joins = text.get("text").is_some() && next.get("text").is_some() && text.get("marks") == next.get("marks");
        if let (true, Some(Value::String(text)), Some(Value::String(next))) =
            (joins, text.get_mut("text"), next.get("text"))
        {
            text.push_str(next);
        }
        joins
    });
}
