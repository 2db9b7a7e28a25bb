//! The notes and bookmarks of a person in a course.

use std::collections::HashSet;

use kurso_base::error::{Error, Result};
use kurso_base::ids::{CourseId, PageId, UserId};
use kurso_base::pagination::{Listed, Page};
use kurso_base::values::NoteSearch;
use kurso_db::sql;

use super::page::{self, Row, note_columns};
use super::{MAX_LISTED, Note, NoteColor};
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::courses;
use crate::learning::view::CourseView;

/// Which notes are listed.
#[derive(Clone, Debug, Default)]
pub struct NoteFilter {
    pub color: Option<NoteColor>,
    /// Only notes with these words in their text or their quote.
    pub search: Option<NoteSearch>,
}

/// What a person keeps of a course.
#[derive(Clone, Debug)]
pub struct CourseNotes {
    /// None for a person who has left the course.
    pub view: Option<CourseView>,
    /// In the order of the course.
    pub notes: Listed<Note>,
    /// The bookmarked pages that the person sees, as indexes in the tree of the view.
    pub bookmarks: Vec<usize>,
}

impl CourseNotes {
    /// The page of a note, as an index in the tree of the view; None if the person does not see it.
    pub fn place(&self, note: &Note) -> Option<usize> {
        let view = self.view.as_ref()?;
        view.tree.place(note.page_id).filter(|place| view.shows(*place))
    }
}

/// All notes of the viewer in a course, in its order, and the bookmarks; at most [`MAX_LISTED`] at once. Who has left the course still reads what they
/// wrote. Words of pages that the viewer may not read now are withheld. Fails with 404 without a relation to the course and without notes in it.
pub async fn in_course(
    kurso: &Kurso,
    viewer: &Viewer,
    course: CourseId,
    filter: &NoteFilter,
    window: Page,
) -> Result<CourseNotes> {
    let limit = window.limit.min(MAX_LISTED);
    of_course(kurso, viewer, course, filter, Page { limit, ..window }).await
}

/// As [`in_course`], without that bound.
pub(super) async fn of_course(
    kurso: &Kurso,
    viewer: &Viewer,
    course: CourseId,
    filter: &NoteFilter,
    window: Page,
) -> Result<CourseNotes> {
    let view = match courses::find(&kurso.db, viewer, course, Right::Read).await {
        Ok(found) => Ok(CourseView::of(kurso, found).await?),
        Err(error @ Error::NotFound(_)) => Err(error),
        Err(error) => return Err(error),
    };
    let rows = sql!(
        concat!(
            "SELECT ",
            note_columns!(),
            " WHERE n.user_id = $1 AND p.course_id = $2 ORDER BY n.block, n.start_at, n.id"
        ),
        viewer.id(),
        course
    );
    let mut rows = rows.fetch_all::<Row>(&kurso.db).await?;
    let view = match view {
        Err(error) if rows.is_empty() => return Err(error),
        view => view.ok(),
    };
    let place = |page: PageId| {
        let view = view.as_ref()?;
        view.tree.place(page).filter(|place| view.shows(*place))
    };
    let readable: HashSet<PageId> = rows.iter().map(|row| row.page_id).collect();
    let is_readable = |page: &PageId| {
        let readable = view.as_ref().zip(place(*page));
        readable.is_some_and(|(view, place)| view.require_readable(place).is_ok())
    };
    let readable: HashSet<PageId> = readable.into_iter().filter(is_readable).collect();
    rows.retain(|row| filter.has(row, readable.contains(&row.page_id)));
    // Notes of the whole page come first, and pages that the person does not see last.
    rows.sort_by_key(|row| {
        (
            place(row.page_id).unwrap_or(usize::MAX),
            row.page_id,
            row.block.is_some(),
        )
    });
    let Listed { data, count } = window.of(rows);
    let data = page::resolved(kurso, data, false, |page| readable.contains(&page)).await?;
    let bookmarks = match &view {
        Some(view) => bookmarks(kurso, viewer.id(), view).await?,
        None => vec![],
    };
    let notes = Listed { data, count };
    Ok(CourseNotes { view, notes, bookmarks })
}

async fn bookmarks(kurso: &Kurso, user: UserId, view: &CourseView) -> Result<Vec<usize>> {
    let rows = sql!(
        "SELECT b.page_id FROM bookmarks b JOIN pages p ON p.id = b.page_id WHERE b.user_id = $1 AND p.course_id = $2",
        user,
        view.course.id
    );
    let rows = rows.fetch_all::<(PageId,)>(&kurso.db).await?;
    let places = rows.into_iter().filter_map(|(page,)| view.tree.place(page));
    let mut places: Vec<usize> = places.filter(|place| view.shows(*place)).collect();
    places.sort_unstable();
    Ok(places)
}

impl NoteFilter {
    /// The words of a page that the person may not read are not searched either.
    fn has(&self, row: &Row, is_readable: bool) -> bool {
        let wanted = self.search.as_ref().map(|search| search.as_str().trim().to_lowercase());
        let finds = |wanted: &str| {
            let quote = row.exact.as_deref().filter(|_| is_readable).unwrap_or_default();
            row.body.to_lowercase().contains(wanted) || quote.to_lowercase().contains(wanted)
        };
        self.color.is_none_or(|color| color == row.color) && wanted.is_none_or(|wanted| finds(&wanted))
    }
}
