//! Dates, flags and prerequisites that a file has, but that could not be read.

use std::collections::{HashMap, HashSet};

use uuid::Uuid;

use kurso_base::schedule::{Dates, Late};
use kurso_formats::CourseDraft;

use crate::drafts::needs::needs;

/// Gives the parts of a draft that could not be read what is stored: a mistake in a file clears nothing and opens nothing. `stored_id`
/// returns the stored id for the original one of the draft; the parts have their stored ids already.
pub(super) fn keep_unread(draft: &mut CourseDraft, stored: &CourseDraft, stored_id: impl Fn(Uuid) -> Option<Uuid>) {
    let unread = std::mem::take(&mut draft.unread_dates);
    let flags = if unread.flags { &stored.dates } else { &draft.dates };
    let (hide_locked_titles, sequential) = (flags.hide_locked_titles, flags.sequential);
    if unread.course {
        draft.dates = stored.dates.clone();
    }
    (draft.dates.hide_locked_titles, draft.dates.sequential) = (hide_locked_titles, sequential);
    let unread_needs: HashSet<Uuid> = unread.needs.into_iter().filter_map(&stored_id).collect();
    if unread.prerequisites || !unread_needs.is_empty() {
        let known: HashMap<Uuid, &[Uuid]> = needs(stored).collect();
        for (part, needs) in draft.prerequisites_mut() {
            let is_unread = unread.prerequisites || unread_needs.contains(&part);
            if let Some(known) = known.get(&part).filter(|_| is_unread) {
                *needs = known.to_vec();
            }
        }
    }
    let kept: HashSet<Uuid> = unread.parts.into_iter().filter_map(stored_id).collect();
    if kept.is_empty() {
        return;
    }
    let modules = stored.modules.iter().map(|module| (module.id, module.dates));
    let lessons = stored.lessons().map(|lesson| (lesson.id, lesson.dates));
    let both = modules.chain(lessons).map(|(id, dates)| (id, (dates, Late::default())));
    let all = both.chain(stored.pages().map(|page| (page.id, (page.dates, page.late))));
    let known: HashMap<Uuid, (Dates, Late)> = all.filter(|(id, _)| kept.contains(id)).collect();
    for module in &mut draft.modules {
        if let Some((dates, _)) = known.get(&module.id) {
            module.dates = *dates;
        }
        for lesson in &mut module.lessons {
            if let Some((dates, _)) = known.get(&lesson.id) {
                lesson.dates = *dates;
            }
            for page in &mut lesson.pages {
                if let Some(known) = known.get(&page.id) {
                    (page.dates, page.late) = *known;
                }
            }
        }
    }
}
