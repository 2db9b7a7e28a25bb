//! Finds what has changed in a page since a learner read it ([decision 113](../../../docs/decisions/0113-changed-since-read.md)).
//!
//! A visit stores the version that was read. A page counts as changed when its title or text differs from that version; a change of the quiz
//! alone does not count. Nothing here touches the progress of learners.

use std::collections::{BTreeSet, HashMap};

use chrono::{DateTime, Utc};

use super::LearnerAt;
use super::view::CourseView;
use crate::Kurso;
use crate::access::Viewer;
use crate::courses;
use crate::courses::page::{Importance, differs_from_read};
use kurso_base::error::{Error, Result};
use kurso_base::ids::{CourseId, EnrollmentId, PageId};
use kurso_base::messages::Message;
use kurso_db::{LIST_LIMIT, sql};

/// The maximum number of important changes in the list.
pub const LISTED: usize = 50;

/// The maximum number of candidates that are read; those of pages that are locked for the learner are then left out.
const READ: i64 = 500;

/// A learner, and a page that they have read and may read now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Reading {
    pub page: PageId,
    pub enrollment: EnrollmentId,
}

/// A change of a page since its learner read it.
#[derive(Clone, Debug, PartialEq)]
pub struct ChangeSinceRead {
    pub read_at: DateTime<Utc>,
    /// Since when learners read the present text.
    pub changed_at: DateTime<Utc>,
    /// Important if any change since was.
    pub importance: Importance,
    /// The present version.
    pub version: i64,
    /// The text that the learner read; None if the history no longer has it, or if it had been replaced before the visit arrived.
    pub before: Option<ReadText>,
}

/// A published text that a learner has read. [`contents`] reads its document.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadText {
    page: PageId,
    pub version: i64,
    pub title: Option<String>,
}

impl ReadText {
    /// The key of its document among [`contents`].
    pub fn key(&self) -> (PageId, i64) {
        (self.page, self.version)
    }
}

/// The important changes of pages that a learner has read.
#[derive(Debug)]
pub struct ImportantChanges {
    /// The courses of the changes.
    pub views: Vec<CourseView>,
    /// Newest first.
    pub changes: Vec<ImportantChange>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImportantChange {
    /// Index in [`ImportantChanges::views`].
    pub view: usize,
    /// Index of the page in the tree of the view.
    pub place: usize,
    /// Since when learners read the version that its author called important.
    pub changed_at: DateTime<Utc>,
}

impl CourseView {
    /// The reading of the page at this index. None without a visit, for a page that the viewer may not read as a learner, and in a preview.
    pub fn reading(&self, place: usize) -> Option<Reading> {
        let enrollment = self.course.enrollment.as_ref()?.id;
        let page = self.page(place);
        let is_shown = !self.is_preview && !self.shows_drafts && page.published;
        let is_read = is_shown && self.marks.is_visited(place) && self.require_readable(place).is_ok();
        is_read.then_some(Reading {
            page: page.id,
            enrollment,
        })
    }
}

#[derive(sqlx::FromRow)]
struct ChangeRow {
    page_id: PageId,
    enrollment_id: EnrollmentId,
    read_version: i64,
    read_at: DateTime<Utc>,
    version: i64,
    changed_at: DateTime<Utc>,
    is_important: bool,
    is_kept: bool,
    title: Option<String>,
}

/// The changes of pages since they were read, without pages that have not changed. One statement for at most [`LIST_LIMIT`] readings.
pub async fn changes(kurso: &Kurso, readings: &[Reading]) -> Result<HashMap<Reading, ChangeSinceRead>> {
    if readings.is_empty() {
        return Ok(HashMap::new());
    }
    let pages: BTreeSet<PageId> = readings.iter().map(|reading| reading.page).collect();
    let enrollments: BTreeSet<EnrollmentId> = readings.iter().map(|reading| reading.enrollment).collect();
    let rows = sql!(concat!(
        "SELECT v.page_id, v.enrollment_id, v.read_version, COALESCE(v.reread_at, v.visited_at) AS read_at, p.version,
         COALESCE(n.published_at, n.saved_at, p.updated_at) AS changed_at,
         (COALESCE(p.important_version, 0) > v.read_version) AS is_important,
         (h.published_at IS NOT NULL) AS is_kept, h.title
         FROM visits v JOIN pages p ON p.id = v.page_id JOIN page_contents c ON c.page_id = p.id
         LEFT JOIN page_versions h ON h.page_id = v.page_id AND h.version = v.read_version AND NOT v.is_claimed
         LEFT JOIN page_versions n ON n.page_id = p.id AND n.version = p.version
         WHERE p.published AND v.read_version < p.version AND ",
        differs_from_read!(),
        " AND v.page_id IN "
    ))
    .push_in(pages)
    .push(" AND v.enrollment_id IN ")
    .push_in(enrollments)
    .fetch_all::<ChangeRow>(&kurso.db)
    .await?;
    let change = |row: ChangeRow| {
        let reading = Reading {
            page: row.page_id,
            enrollment: row.enrollment_id,
        };
        let before = row.is_kept.then_some(ReadText {
            page: row.page_id,
            version: row.read_version,
            title: row.title,
        });
        let importance = match row.is_important {
            true => Importance::Important,
            false => Importance::Correction,
        };
        let change = ChangeSinceRead {
            read_at: row.read_at,
            changed_at: row.changed_at,
            importance,
            version: row.version,
            before,
        };
        (reading, change)
    };
    Ok(rows.into_iter().map(change).collect())
}

#[derive(sqlx::FromRow)]
struct TextRow {
    page_id: PageId,
    version: i64,
    content: String,
}

/// The documents of texts that learners have read, as JSON text, without those that the history has dropped meanwhile. One statement per
/// [`LIST_LIMIT`] texts.
pub async fn contents(kurso: &Kurso, texts: &[(PageId, i64)]) -> Result<HashMap<(PageId, i64), String>> {
    let mut found = HashMap::with_capacity(texts.len());
    for texts in texts.chunks(LIST_LIMIT) {
        let rows =
            sql!("SELECT page_id, version, content FROM page_versions WHERE published_at IS NOT NULL AND version IN ")
                .push_in(texts.iter().map(|text| text.1).collect::<BTreeSet<_>>())
                .push(" AND page_id IN ")
                .push_in(texts.iter().map(|text| text.0).collect::<BTreeSet<_>>())
                .fetch_all::<TextRow>(&kurso.db)
                .await?;
        found.extend(rows.into_iter().map(|row| ((row.page_id, row.version), row.content)));
    }
    Ok(found)
}

/// Records that the viewer has read the present version of a page. Returns the course and the page's index in it. Repeating the call changes
/// nothing, and neither does an earlier version, because the newer one is still unread. Progress and unvisited pages stay as they are. Fails as a
/// visit does, and with 404 for a version that the page does not have yet.
pub async fn mark_reread(kurso: &Kurso, viewer: &Viewer, page: PageId, version: i64) -> Result<(CourseView, usize)> {
    let LearnerAt {
        view,
        place,
        enrollment,
    } = LearnerAt::load(kurso, viewer, page).await?;
    let marked = sql!(
        "UPDATE visits SET read_version = $3, reread_at = $4, is_claimed = FALSE WHERE enrollment_id = $1 AND page_id = $2
         AND (read_version IS NULL OR read_version < $3)
         AND EXISTS (SELECT 1 FROM pages p WHERE p.id = $2 AND p.version = $3 AND p.published)",
        enrollment,
        page,
        version,
        view.now
    )
    .execute(&kurso.db)
    .await?;
    if marked == 0 {
        let present = sql!("SELECT version FROM pages WHERE id = $1", page);
        let present = present.fetch_optional::<(i64,)>(&kurso.db).await?;
        let (present,) = present.ok_or(Error::NotFound(Message::PageNotFound))?;
        if version > present {
            return Err(Error::NotFound(Message::VersionNotFound));
        }
    }
    Ok((view, place))
}

/// The pages that the viewer has read and that have had an important change since, of those that they may read now: newest first, at most
/// [`LISTED`]. One statement if there are none; else one more, those of a view of the courses, and no more for more courses.
pub async fn important_changes(kurso: &Kurso, viewer: &Viewer) -> Result<ImportantChanges> {
    let found = sql!(
        concat!(
            "SELECT p.id, p.course_id, p.important_at
             FROM enrollments e JOIN pages p ON p.course_id = e.course_id
             JOIN visits v ON v.enrollment_id = e.id AND v.page_id = p.id JOIN page_contents c ON c.page_id = p.id
             LEFT JOIN page_versions h ON h.page_id = p.id AND h.version = v.read_version AND NOT v.is_claimed
             WHERE e.user_id = $1 AND p.important_version IS NOT NULL AND v.read_version < p.important_version AND p.published AND ",
            differs_from_read!(),
            " ORDER BY p.important_at DESC, p.id DESC LIMIT $2"
        ),
        viewer.id(),
        READ
    )
    .fetch_all::<(PageId, CourseId, DateTime<Utc>)>(&kurso.db)
    .await?;
    let of: BTreeSet<CourseId> = found.iter().map(|row| row.1).collect();
    let views = match of.is_empty() {
        true => vec![],
        false => CourseView::of_all(kurso, courses::in_reach_of(&kurso.db, viewer, of).await?).await?,
    };
    let by_course: HashMap<CourseId, usize> = views
        .iter()
        .enumerate()
        .map(|(at, view)| (view.course.id, at))
        .collect();
    let changes = found.into_iter().filter_map(|(page, course, changed_at)| {
        let at = *by_course.get(&course)?;
        let view = views.get(at)?;
        let place = view.tree.place(page)?;
        view.reading(place)?;
        Some(ImportantChange {
            view: at,
            place,
            changed_at,
        })
    });
    let changes = changes.take(LISTED).collect();
    Ok(ImportantChanges { views, changes })
}
