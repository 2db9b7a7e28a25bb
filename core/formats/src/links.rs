//! Links inside documents: rewriting them, resolving links between pages after all pages are read, and checking web addresses.

use std::collections::{HashMap, HashSet};

use serde_json::Value;
use url::Url;
use uuid::Uuid;

use crate::content::{Href, heading_anchors};
use crate::course::{CourseDraft, PageDraft};
use crate::note::{FileTrouble, Note};
use crate::quiz::Quiz;
use crate::report::Report;

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
            anchors.insert(page.id, heading_anchors(&page.content.read()));
        }
        let known: HashMap<Uuid, HashSet<String>> = anchors
            .iter()
            .map(|(page, anchors)| (*page, anchors.iter().flatten().cloned().collect()))
            .collect();
        let exact = |to: &str, link: &Link| pages.get(&format!("{to}#{}", link.fragment.as_ref()?.to_lowercase()));
        let mut reported = HashSet::new();
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
                            let known = known.get(&target).and_then(|anchors| anchors.get(fragment));
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
                rewrite_links(document, &mut |href| match placeholder_index(href) {
                    Some(number) => address(number).map_or(LinkEdit::Remove, LinkEdit::To),
                    None => LinkEdit::Keep,
                });
            };
            page.content.change(&mut resolve);
            page.quiz
                .iter_mut()
                .flat_map(Quiz::documents_mut)
                .for_each(&mut resolve);
        }
        // A bank belongs to no course, so its questions cannot lead to pages.
        let questions = course.banks.iter_mut().flat_map(|bank| &mut bank.questions);
        for document in questions.flat_map(|tagged| tagged.question.documents_mut()) {
            rewrite_links(document, &mut |href| match placeholder_index(href) {
                Some(number) => {
                    if let Some(link) = self.links.get(number).filter(|_| reported.insert(number)) {
                        report.add(&link.place, Note::LinkUnsupported(link.href.clone()));
                    }
                    LinkEdit::Remove
                }
                None => LinkEdit::Keep,
            });
        }
    }
}

/// What becomes of a link.
pub enum LinkEdit {
    Keep,
    To(String),
    /// Removes the link and keeps its text.
    Remove,
}

/// Rewrites all links of a document.
pub fn rewrite_links(node: &mut Value, edit: &mut dyn FnMut(&str) -> LinkEdit) {
    if let Some(object) = node.as_object_mut()
        && let Some(marks) = object.get_mut("marks").and_then(Value::as_array_mut)
    {
        marks.retain_mut(|mark| {
            let Some(Value::String(href)) = mark.pointer_mut("/attrs/href") else {
                return true;
            };
            match edit(href) {
                LinkEdit::Keep => true,
                LinkEdit::To(address) => {
                    *href = address;
                    true
                }
                LinkEdit::Remove => false,
            }
        });
        if marks.is_empty() {
            object.remove("marks");
        }
    }
    if let Some(children) = node.get_mut("content").and_then(Value::as_array_mut) {
        children.iter_mut().for_each(|child| rewrite_links(child, edit));
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

/// Keeps links to headings that exist. Other links lead to the start of the page; those within their own page become plain
/// text. Each changed link is reported.
pub fn resolve_anchors(course: &mut CourseDraft, report: &mut Report) {
    let anchors_of = |page: &PageDraft| heading_anchors(&page.content.read()).into_iter().flatten().collect();
    let anchors: HashMap<Uuid, HashSet<String>> = course.pages().map(|page| (page.id, anchors_of(page))).collect();
    for page in course.pages_mut() {
        let mut lost = Vec::new();
        let own = page.id;
        let mut edit = |href: &str| {
            let (page, anchor) = match Href::parse(href) {
                Some(Href::Page {
                    page,
                    anchor: Some(anchor),
                }) => (page, anchor),
                Some(Href::Anchor(anchor)) => (own, anchor),
                _ => return LinkEdit::Keep,
            };
            if anchors.get(&page).is_some_and(|known| known.contains(anchor)) {
                return LinkEdit::Keep;
            }
            lost.push(href.to_owned());
            if page == own {
                LinkEdit::Remove
            } else {
                LinkEdit::To(format!("page:{page}"))
            }
        };
        page.content.change(|document| rewrite_links(document, &mut edit));
        for document in page.quiz.iter_mut().flat_map(Quiz::documents_mut) {
            rewrite_links(document, &mut edit);
        }
        for href in lost {
            report.add(&page.source, Note::LinkAnchor(href));
        }
    }
}

/// Returns a web or mail address in the form to keep, None for any other address. Internal addresses of Kurso are refused,
/// because they must not lead into other courses.
pub fn web_address(href: &str) -> Option<String> {
    if matches!(Href::parse(href), Some(Href::Web(_) | Href::Mail(_))) {
        return Some(href.to_owned());
    }
    // Normalizes spaces and similar characters, as browsers do.
    let known = |url: &Url| matches!(url.scheme(), "http" | "https" | "mailto");
    let normalized = Url::parse(href).ok().filter(known).map(String::from)?;
    Href::parse(&normalized).is_some().then_some(normalized)
}
