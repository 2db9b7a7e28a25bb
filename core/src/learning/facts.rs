//! The facts from which a learner's progress is derived, page by page, for `debug_progress`.

use std::collections::HashMap;

use chrono::{DateTime, Utc};

use super::progress::Reason;
use super::view::CourseView;
use crate::Kurso;
use crate::access::Viewer;
use kurso_base::error::Result;
use kurso_base::ids::{CourseId, PageId};
use kurso_db::sql;

/// The facts about a learner and a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageFacts {
    /// Index in the view's tree.
    pub place: usize,
    pub visited_at: Option<DateTime<Utc>>,
    pub attempts: i64,
    pub best_percent: Option<i64>,
    pub passed: bool,
    pub done: bool,
    /// None if the page is done or does not count.
    pub reason: Option<Reason>,
}

/// The viewer's own progress with the facts of every page they see, in order. Fails with 403 without an enrollment. Two
/// statements more than the progress alone.
pub async fn debug(kurso: &Kurso, viewer: &Viewer, course: CourseId) -> Result<(CourseView, Vec<PageFacts>)> {
    let view = super::my_progress(kurso, viewer, course).await?;
    let visits = sql!(
        "SELECT page_id, visited_at FROM visits WHERE enrollment_id = $1",
        view.course.enrollment.as_ref().map(|enrollment| enrollment.id)
    )
    .fetch_all::<(PageId, DateTime<Utc>)>(&kurso.db)
    .await?;
    let visits: HashMap<_, _> = visits.into_iter().collect();
    let attempts = sql!(
        "SELECT page_id, COUNT(*) FROM attempts WHERE enrollment_id = $1 GROUP BY page_id",
        view.course.enrollment.as_ref().map(|enrollment| enrollment.id)
    )
    .fetch_all::<(PageId, i64)>(&kurso.db)
    .await?;
    let attempts: HashMap<_, _> = attempts.into_iter().collect();
    let places = (0..view.tree.pages.len()).filter(|place| view.shows(*place));
    let facts = places.map(|place| {
        let tried = view.marks.tried.get(&place);
        PageFacts {
            place,
            visited_at: visits.get(&view.page(place).id).copied(),
            attempts: attempts.get(&view.page(place).id).copied().unwrap_or(0),
            best_percent: tried.map(|tried| tried.best_percent),
            passed: view.marks.is_passed(place),
            done: view.marks.is_done(&view.tree, place),
            reason: view.reason(place),
        }
    });
    let facts = facts.collect();
    Ok((view, facts))
}
