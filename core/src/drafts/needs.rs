//! The prerequisites of a course draft.

use std::collections::HashMap;

use uuid::Uuid;

use crate::courses::prerequisites::{PartIds, typed};
use crate::schedule::prerequisites::{Part, Prerequisites};
use kurso_base::messages::TitleChain;
use kurso_formats::{CourseDraft, Note, Report};

/// The modules and lessons of a draft by id, with their title.
fn parts(draft: &CourseDraft) -> HashMap<Uuid, (Part, &str)> {
    let modules = draft.modules.iter().enumerate();
    let modules = modules.map(|(place, module)| (module.id, (Part::Module(place), module.title.as_str())));
    let lessons = draft.lessons().enumerate();
    let lessons = lessons.map(|(place, lesson)| (lesson.id, (Part::Lesson(place), lesson.title.as_str())));
    modules.chain(lessons).collect()
}

/// All parts of the draft, each with what it needs.
pub(super) fn needs(draft: &CourseDraft) -> impl Iterator<Item = (Uuid, &[Uuid])> {
    draft.modules.iter().flat_map(|module| {
        let lessons = module.lessons.iter();
        let lessons = lessons.map(|lesson| (lesson.id, lesson.prerequisites.as_slice()));
        std::iter::once((module.id, module.prerequisites.as_slice())).chain(lessons)
    })
}

/// The rows of the prerequisites, each pair once.
pub(super) fn pairs(draft: &CourseDraft) -> Vec<(PartIds, PartIds)> {
    let parts = parts(draft);
    let ids = |id: &Uuid| parts.get(id).map(|(part, _)| typed(*part, *id));
    let mut rows = Vec::new();
    for (part, needs) in needs(draft) {
        for (index, need) in needs.iter().enumerate() {
            let is_first = !needs.iter().take(index).any(|earlier| earlier == need);
            if let (true, Some(part), Some(need)) = (is_first, ids(&part), ids(need)) {
                rows.push((part, need));
            }
        }
    }
    rows
}

/// Leaves out prerequisites that make cycles, also together with lessons in a row, and reports each cycle.
pub(super) fn break_cycles(draft: &mut CourseDraft, is_sequential: bool, report: &mut Report) {
    if needs(draft).all(|(_, needs)| needs.is_empty()) {
        return;
    }
    let parts = parts(draft);
    let titles: HashMap<Part, &str> = parts.values().copied().collect();
    let mut start = 0;
    let ranges = draft.modules.iter().map(|module| {
        start += module.lessons.len();
        start - module.lessons.len()..start
    });
    let mut prerequisites = Prerequisites::of(ranges);
    for (part, needs) in needs(draft) {
        if let Some((part, _)) = parts.get(&part) {
            let needs = needs.iter().filter_map(|need| parts.get(need));
            prerequisites.set(*part, needs.map(|(need, _)| *need).collect());
        }
    }
    let cycles = prerequisites.break_cycles(is_sequential);
    for cycle in &cycles {
        let titles = TitleChain::of(cycle.iter().filter_map(|part| titles.get(part).copied()));
        report.add(&draft.title, Note::PrerequisiteCycle(titles));
    }
    if cycles.is_empty() {
        return;
    }
    let left = parts
        .iter()
        .map(|(id, (part, _))| (*id, prerequisites.needs(*part).is_empty()));
    let freed: HashMap<Uuid, bool> = left.collect();
    for (part, needs) in draft.prerequisites_mut() {
        if freed.get(&part).copied().unwrap_or_default() {
            needs.clear();
        }
    }
}

/// Replaces ids of modules and lessons.
pub(super) fn rename(draft: &mut CourseDraft, renamed: &HashMap<Uuid, Uuid>) {
    for (_, needs) in draft.prerequisites_mut() {
        for need in needs {
            *need = renamed.get(need).copied().unwrap_or(*need);
        }
    }
}
