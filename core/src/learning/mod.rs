//! Learning: enrollment, page visits, progress.

pub mod completion;
mod enrolling;
pub mod facts;
pub mod places;
pub mod progress;
pub mod reading;
mod restore;
pub(crate) use restore::restore as restore_ended;
pub mod stored_progress;
pub mod view;
mod visits;

use chrono::{DateTime, Utc};

use crate::Kurso;
use crate::access::{Right, Viewer};
pub use enrolling::{enroll, join_course};
use kurso_base::error::{Error, Result};
use kurso_base::ids::{CourseId, EnrollmentId, PageId};
use kurso_base::messages::Message;
use kurso_db::events::{Activity, Event};
use kurso_db::sql;
use kurso_db::{DbOrTx, Tx};
use view::CourseView;
pub use visits::Visits;

/// A page that a learner has opened.
#[derive(Clone, Copy, Debug)]
pub struct Opened {
    pub page: PageId,
    /// The version whose text was shown. None: the present one.
    pub version: Option<i64>,
}

impl From<PageId> for Opened {
    fn from(page: PageId) -> Self {
        Opened { page, version: None }
    }
}

/// Marks a page as visited, permanently; the first visit says which version was read. Returns the course's new state and the page's index in it. Fails with 403
/// without an enrollment, and with [`Error::Locked`] for a locked page. This is the most frequent write; concurrent visits with stored progress are written in one
/// batch.
pub async fn mark_page_visited(
    kurso: &Kurso,
    viewer: &Viewer,
    opened: impl Into<Opened>,
) -> Result<(CourseView, usize)> {
    let Opened { page, version } = opened.into();
    let LearnerAt {
        mut view,
        place,
        enrollment,
    } = LearnerAt::load(kurso, viewer, page)
        .await?
        .with_page_numbers(kurso, viewer, page)
        .await?;
    let now = kurso.clock.now();
    if !visit_in_batch(kurso, &mut view, (place, version), now).await {
        visit_in_transaction(kurso, &mut view, enrollment, (place, version), now).await?;
        if let Some(enrollment) = view.course.enrollment.as_mut() {
            enrollment.last_activity_at = now;
            enrollment.last_page = Some(page);
        }
    }
    Ok((view, place))
}

/// As [`mark_page_visited`], for the holder of a token; all of its statements are shared with other requests. None if
/// nothing was done, because an error or a less common case applies: then call `auth::authenticate` and
/// [`mark_page_visited`].
pub async fn mark_page_visited_by_token(
    kurso: &Kurso,
    token: &str,
    opened: impl Into<Opened>,
) -> Option<(CourseView, usize)> {
    let Opened { page, version } = opened.into();
    // A failure here happens again in the general path, which reports it.
    let (mut view, place) = CourseView::load_by_token_and_page(kurso, token, page).await.ok()??;
    let is_readable = view.page(place).published && view.require_readable(place).is_ok();
    let is_written = is_readable && visit_in_batch(kurso, &mut view, (place, version), kurso.clock.now()).await;
    is_written.then_some((view, place))
}

/// Writes a visit in a batch. False, with nothing done, if the visit needs the general path.
async fn visit_in_batch(
    kurso: &Kurso,
    view: &mut CourseView,
    (place, version): (usize, Option<i64>),
    now: DateTime<Utc>,
) -> bool {
    let mut after = view.marks.clone();
    after.visit(place);
    let progress = progress::derive(&view.tree, &after, view.progress.completed_at);
    let completes = progress.is_complete() && progress.completed_at.is_none();
    let Some(visit) = stored_progress::visit(view, (place, version), now).filter(|_| !completes) else {
        return false;
    };
    let page = visit.page;
    if !kurso.visits.add(&kurso.db, visit).await {
        return false;
    }
    (view.marks, view.progress) = (after, progress);
    view.show_titles();
    if let Some(enrollment) = view.course.enrollment.as_mut() {
        enrollment.last_activity_at = now;
        enrollment.last_page = Some(page);
    }
    true
}

/// Writes a visit in a transaction of its own, derives the progress again, and records completion.
async fn visit_in_transaction(
    kurso: &Kurso,
    view: &mut CourseView,
    enrollment: EnrollmentId,
    (place, version): (usize, Option<i64>),
    now: DateTime<Utc>,
) -> Result<()> {
    let page = view.page(place).id;
    let mut tx = kurso.db.begin().await?;
    lock(&mut tx, enrollment, Some((now, page))).await?;
    let visited = sql!(
        "INSERT INTO visits (enrollment_id, page_id, visited_at, read_version, is_claimed)
         SELECT $1, id, $3, CASE WHEN $4 < version THEN $4 ELSE version END, COALESCE($4 < version, FALSE)
         FROM pages WHERE id = $2 ON CONFLICT (enrollment_id, page_id) DO NOTHING",
        enrollment,
        page,
        now,
        version
    )
    .execute(&mut tx)
    .await?;
    if visited > 0 {
        tx.publish(Event::Activity {
            course: view.course.id,
            enrollment,
            what: Activity::Read { page },
            at: now,
        });
    }
    update_progress(&mut tx, view, now).await?;
    if visited == 0 && !view.marks.is_visited(place) {
        return Err(Error::NotFound(Message::PageNotFound)); // deleted since it was read
    }
    tx.commit().await?;
    Ok(())
}

/// A learner, and a page of a course they are enrolled in.
pub(crate) struct LearnerAt {
    pub view: CourseView,
    /// Index in [`crate::courses::tree::Tree::pages`].
    pub place: usize,
    pub enrollment: EnrollmentId,
}

impl LearnerAt {
    /// Fails with 404 if the viewer cannot see the page or it is unpublished, with 403 without an enrollment, and with
    /// [`Error::Locked`] if it is not open for them.
    pub async fn load(kurso: &Kurso, viewer: &Viewer, page: PageId) -> Result<Self> {
        let (view, place) = CourseView::load_by_page(kurso, viewer, page, Right::Read).await?;
        Self::of(view, place)
    }

    /// As [`LearnerAt::load`], of a view that is loaded.
    pub fn of(view: CourseView, place: usize) -> Result<Self> {
        let enrollment = view.course.enrollment.as_ref();
        let enrollment = enrollment.ok_or(Error::Forbidden(Message::NotEnrolled))?.id;
        if !view.page(place).published {
            return Err(Error::NotFound(Message::PageNotFound));
        }
        view.require_readable(place)?;
        Ok(LearnerAt {
            view,
            place,
            enrollment,
        })
    }

    /// Makes sure that the page has a number, before the learner's row is locked. Assigning numbers changes the tree,
    /// so the course is then read again: completion is not recorded for a course that changed since it was read.
    pub async fn with_page_numbers(self, kurso: &Kurso, viewer: &Viewer, page: PageId) -> Result<Self> {
        if self.view.page(self.place).mark_no.is_some() {
            return Ok(self);
        }
        stored_progress::number_pages(&kurso.db, self.view.course.id).await?;
        Self::load(kurso, viewer, page).await
    }
}

/// Enrollments per statement of [`lock_all`].
const LOCKED: usize = 500;

/// Locks the enrollment's row, clears the stored progress until [`stored_progress::store`], and sets the time and the page of
/// the learner's last activity if given. The lock serialises a learner's actions: of two concurrent last visits one must notice that the course is
/// complete, and two concurrent submissions must not both use the last attempt.
pub(crate) async fn lock(
    tx: &mut Tx,
    enrollment: EnrollmentId,
    activity: Option<(DateTime<Utc>, PageId)>,
) -> Result<()> {
    let (active_at, page) = activity.unzip();
    let locked = sql!(
        "UPDATE enrollments SET last_activity_at = COALESCE($2, last_activity_at), last_page_id = COALESCE($3, last_page_id),
           marks = NULL WHERE id = $1",
        enrollment,
        active_at,
        page
    )
    .execute(tx)
    .await?;
    require_enrolled(locked)
}

/// Locks the enrollment's row as [`lock`], for a change that leaves the progress as it is.
pub(crate) async fn lock_only(tx: &mut Tx, enrollment: EnrollmentId) -> Result<()> {
    let update = "UPDATE enrollments SET last_activity_at = last_activity_at WHERE id = $1";
    require_enrolled(sql!(update, enrollment).execute(tx).await?)
}

/// As [`lock_only`], for many enrollments; those that ended meanwhile are left out. One statement per [`LOCKED`].
pub(crate) async fn lock_all(tx: &mut Tx, enrollments: &[EnrollmentId]) -> Result<()> {
    for chunk in enrollments.chunks(LOCKED) {
        sql!("UPDATE enrollments SET last_activity_at = last_activity_at WHERE id IN ")
            .push_in(chunk.iter().copied())
            .execute(&mut *tx)
            .await?;
    }
    Ok(())
}

fn require_enrolled(locked: u64) -> Result<()> {
    match locked {
        0 => Err(Error::Forbidden(Message::NotEnrolled)),
        _ => Ok(()),
    }
}

/// Derives a learner's progress from what the transaction sees, stores it, and records completion.
pub(crate) async fn update_progress(tx: &mut Tx, view: &mut CourseView, now: DateTime<Utc>) -> Result<()> {
    let Some(enrollment) = view.course.enrollment.as_ref() else {
        return Err(Error::Forbidden(Message::NotEnrolled));
    };
    stored_progress::store(tx, enrollment.id).await?;
    let found = progress::read::marks(&mut *tx, &[(enrollment.id, view.tree.as_ref())]).await?;
    view.marks = found.into_iter().next().unwrap_or_default();
    apply_marks(tx, view, now).await
}

/// Derives progress from the view's new marks, and records completion.
async fn apply_marks(tx: &mut Tx, view: &mut CourseView, now: DateTime<Utc>) -> Result<()> {
    let completed_at = view.course.enrollment.as_ref().and_then(|e| e.completed_at);
    view.progress = progress::derive(&view.tree, &view.marks, completed_at);
    view.show_titles();
    if view.progress.is_complete() && view.progress.completed_at.is_none() {
        completion::record_completion(DbOrTx::Tx(tx), view, now).await?;
    }
    Ok(())
}

/// The viewer's own progress; fails with 403 without an enrollment.
pub async fn my_progress(kurso: &Kurso, viewer: &Viewer, id: CourseId) -> Result<CourseView> {
    let view = CourseView::load(kurso, viewer, id, Right::Read).await?;
    if view.course.enrollment.is_none() {
        return Err(Error::Forbidden(Message::NotEnrolled));
    }
    Ok(view)
}
