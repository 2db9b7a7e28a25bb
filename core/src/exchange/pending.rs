//! Links to pages of the same course, whose addresses are known only when all pages have been read.

use std::collections::HashMap;

use serde_json::Value;
use uuid::Uuid;

use super::course::CourseDraft;
use super::note::{FileTrouble, Note};
use super::report::Report;
use crate::content::{self, Href};
use crate::quiz::Quiz;

/// Links that wait for their pages.
#[derive(Debug, Default)]
pub struct Pending {
    links: Vec<Link>,
}

#[derive(Debug)]
struct Link {
    /// What the page is known by; None: the page the link is on.
    to: Option<String>,
    fragment: Option<String>,
    href: String,
    place: String,
}

/// Where the names of a page lead: the number of a heading, or its beginning.
pub type Places = HashMap<String, Option<usize>>;

/// A link that waits is one to the page without an id, at the place of its number.
const WAITING: &str = "page:00000000-0000-0000-0000-000000000000#w";

fn waiting(address: &str) -> Option<usize> {
    address.strip_prefix(WAITING)?.parse().ok()
}

impl Pending {
    /// The address a link has meanwhile; a valid one. `place` is where the report looks for it.
    pub fn add(&mut self, to: Option<String>, fragment: Option<String>, href: &str, place: &str) -> String {
        self.links.push(Link {
            to,
            fragment,
            href: href.to_owned(),
            place: place.to_owned(),
        });
        format!("{WAITING}{}", self.links.len() - 1)
    }

    /// How many there are: with [`Pending::forget`], links of a text that was read in vain are given up.
    pub fn len(&self) -> usize {
        self.links.len()
    }

    pub fn forget(&mut self, from: usize) {
        self.links.truncate(from);
    }

    /// Gives all links of the course their addresses. `pages` are the pages by what links know them by, `places` what is in
    /// them. A link to a page that is not there keeps its words, with a line in the report.
    pub fn settle(
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
        let mut told = std::collections::HashSet::new();
        for page in course.pages_mut() {
            let own = page.id;
            let mut address = |number: usize| {
                let link = self.links.get(number)?;
                let target = match &link.to {
                    None => own,
                    // A place may be on a page of its own.
                    Some(to) => match exact(to, link).or_else(|| pages.get(to)) {
                        Some(target) => *target,
                        None => {
                            if told.insert(number) {
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
                            if known.is_none() && told.insert(number) {
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
            let mut settle = |document: &mut Value| {
                content::map_addresses(document, |href| address(waiting(href)?));
                unlink(document, &|href| waiting(href).is_some());
            };
            page.content.change(&mut settle);
            page.quiz.iter_mut().flat_map(Quiz::documents_mut).for_each(&mut settle);
        }
    }
}

/// Takes away links that lead nowhere; their words stay.
pub fn unlink(node: &mut Value, nowhere: &dyn Fn(&str) -> bool) {
    let leads_nowhere = |mark: &Value| mark.pointer("/attrs/href").and_then(Value::as_str).is_some_and(nowhere);
    if let Some(object) = node.as_object_mut()
        && let Some(marks) = object.get_mut("marks").and_then(Value::as_array_mut)
    {
        marks.retain(|mark| !leads_nowhere(mark));
        if marks.is_empty() {
            object.remove("marks");
        }
    }
    if let Some(children) = node.get_mut("content").and_then(Value::as_array_mut) {
        children.iter_mut().for_each(|child| unlink(child, nowhere));
        join_texts(children);
    }
}

/// Texts that differed by their link alone are one again.
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
