//! Splits a text into modules, lessons and pages at headings of chosen levels.

use serde_json::Value;

use super::footnotes;
use super::pages::{headings as count, level};
use crate::content::heading_text;
use crate::course::{LessonDraft, ModuleDraft, PageDraft};
use crate::headings::{Headings, Part};
use crate::html::Converted;
use crate::html_host;

/// What begins with a page.
#[derive(Debug)]
pub struct Start {
    /// The index of the page.
    pub page: usize,
    pub part: Part,
    pub title: String,
}

/// A page, and what begins with it, from the largest part on.
#[derive(Default)]
pub struct Cut {
    pub text: Converted,
    pub starts: Vec<(Part, String)>,
}

impl Cut {
    /// A page with which nothing begins.
    pub fn of(text: Converted) -> Self {
        Self { text, starts: vec![] }
    }
}

/// Splits the text at the headings. Of headings that follow one another directly, only the last stays in the text; the
/// others are titles of larger parts.
pub fn cut(mut text: Converted, headings: &Headings) -> Vec<Cut> {
    let notes = footnotes::take(&mut text);
    let mut parts = vec![Cut::default()];
    // For each heading its part, and whether it stays in the text.
    let mut owners: Vec<(usize, bool)> = Vec::new();
    for block in text.blocks {
        let begun = level(&block).and_then(|level| headings.part(level));
        if let Some(begun) = begun {
            let last = parts.last();
            let is_title = last.is_some_and(|last| {
                last.text.blocks.len() == 1 && last.starts.last().is_some_and(|(part, _)| *part < begun)
            });
            let is_empty = last.is_some_and(|last| last.text.blocks.is_empty());
            if is_title {
                if let Some(owner) = owners.last_mut() {
                    owner.1 = false;
                }
                if let Some(last) = parts.last_mut() {
                    last.text.blocks.clear();
                }
            } else if !is_empty {
                parts.push(Cut::default());
            }
            if let Some(last) = parts.last_mut() {
                last.starts.push((begun, title(&block)));
            }
        }
        owners.extend(std::iter::repeat_n((parts.len() - 1, true), count(&block)));
        if let Some(last) = parts.last_mut() {
            last.text.blocks.push(block);
        }
    }
    // The index of each kept heading within its part.
    let mut kept = vec![0_usize; parts.len()];
    let mut places = Vec::new();
    for ((owner, stays), heading) in owners.iter().zip(text.headings) {
        let Some(part) = parts.get_mut(*owner) else { continue };
        if *stays {
            part.text.headings.push(heading);
            let index = kept.get_mut(*owner).map(|kept| std::mem::replace(kept, *kept + 1));
            places.push((*owner, index));
        } else {
            let ids = heading.ids.into_iter().map(|id| (id, None));
            part.text.places.extend(ids);
            places.push((*owner, None));
        }
    }
    for (id, after) in text.places {
        let (owner, index) = after.and_then(|after| places.get(after)).copied().unwrap_or((0, None));
        if let Some(part) = parts.get_mut(owner) {
            part.text.places.push((id, index));
        }
    }
    if let Some(notes) = notes {
        notes.give(parts.iter_mut().map(|part| &mut part.text).collect());
    }
    if let Some(first) = parts.first_mut() {
        (first.text.comments, first.text.nodes) = (text.comments, text.nodes);
    }
    parts
}

fn title(heading: &Value) -> String {
    html_host::title(&heading_text(heading), "…")
}

/// Groups the pages of a text. Parts without a heading of their own take the title of the larger part.
pub fn modules(title: &str, pages: Vec<PageDraft>, starts: Vec<Start>) -> Vec<ModuleDraft> {
    let mut modules: Vec<ModuleDraft> = Vec::new();
    let mut starts = starts.into_iter().peekable();
    for (index, page) in pages.into_iter().enumerate() {
        while let Some(start) = starts.next_if(|start| start.page == index) {
            match start.part {
                Part::Module => modules.push(ModuleDraft::new(start.title, vec![])),
                Part::Lesson => {
                    if let Some(module) = last_module(&mut modules, title) {
                        module.lessons.push(LessonDraft::new(start.title, vec![]));
                    }
                }
                Part::Page => {}
            }
        }
        let Some(module) = last_module(&mut modules, title) else {
            continue;
        };
        if module.lessons.is_empty() {
            let title = module.title.clone();
            module.lessons.push(LessonDraft::new(title, vec![]));
        }
        if let Some(lesson) = module.lessons.last_mut() {
            lesson.pages.push(page);
        }
    }
    modules
}

/// The last module, which is made if there is none.
fn last_module<'m>(modules: &'m mut Vec<ModuleDraft>, title: &str) -> Option<&'m mut ModuleDraft> {
    if modules.is_empty() {
        modules.push(ModuleDraft::new(title, vec![]));
    }
    modules.last_mut()
}
