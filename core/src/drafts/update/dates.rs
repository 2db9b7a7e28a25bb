//! Dates that a file has, but that could not be read.

use std::collections::HashSet;

use uuid::Uuid;

use kurso_base::schedule::CourseDates;
use kurso_formats::CourseDraft;

/// Gives the parts of a draft whose dates could not be read the dates that are stored: a mistake in a file clears no date. `stored_id`
/// returns the stored id for the original one of the draft; the parts have their stored ids already.
pub(super) fn keep_unread(draft: &mut CourseDraft, stored: &CourseDraft, stored_id: impl Fn(Uuid) -> Option<Uuid>) {
    let unread = std::mem::take(&mut draft.unread_dates);
    if unread.course {
        draft.dates = CourseDates {
            hide_locked_titles: draft.dates.hide_locked_titles,
            sequential: draft.dates.sequential,
            ..stored.dates.clone()
        };
    }
    let kept: HashSet<Uuid> = unread.parts.into_iter().filter_map(stored_id).collect();
    if kept.is_empty() {
        return;
    }
    for module in &mut draft.modules {
        if let Some(known) = stored
            .modules
            .iter()
            .find(|known| kept.contains(&known.id) && known.id == module.id)
        {
            module.dates = known.dates;
        }
        for lesson in &mut module.lessons {
            if let Some(known) = stored
                .lessons()
                .find(|known| kept.contains(&known.id) && known.id == lesson.id)
            {
                lesson.dates = known.dates;
            }
            for page in &mut lesson.pages {
                if let Some(known) = stored
                    .pages()
                    .find(|known| kept.contains(&known.id) && known.id == page.id)
                {
                    (page.dates, page.late) = (known.dates, known.late);
                }
            }
        }
    }
}
