//! Learning: enrolling by share code, visiting pages, progress (contract 6).

pub mod completion;
pub mod facts;
pub mod heat_map;
pub mod marks;
pub mod progress;
pub mod students;
pub mod view;
mod visits;

use chrono::{DateTime, Utc};

use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::auth::{Origin, limits};
use crate::courses::{self, Course, sharing};
use crate::db::{On, Tx};
use crate::error::{Error, Result};
use crate::events::{Activity, Event};
use crate::ids::{CourseId, EnrollmentId, PageId};
use crate::messages::Message;
use crate::sql;
use view::CourseView;
pub use visits::Visits;

/// Enrolls the viewer by a share code; again, it is the same enrollment. An unknown code is 404, and guessing is limited.
pub async fn enroll(kurso: &Kurso, viewer: &Viewer, origin: &Origin, typed: &str) -> Result<Course> {
    let now = kurso.clock.now();
    let counters = limits::failures(&viewer.id().to_string(), origin.address);
    kurso.limits.take(&counters, now)?;
    let course = match sharing::parse(typed) {
        Some(code) => {
            sql!("SELECT id FROM courses WHERE share_code = $1", code)
                .fetch_optional::<(CourseId,)>(&kurso.db)
                .await?
        }
        None => None,
    };
    let Some((course,)) = course else {
        return Err(Error::NotFound(Message::UnknownShareCode));
    };
    kurso.limits.give_back(&counters, now);
    let enrollment = EnrollmentId::new();
    let mut tx = kurso.db.begin().await?;
    let enrolled = sql!(
        "INSERT INTO enrollments (id, course_id, user_id, enrolled_at, last_activity_at, marks, tries)
         VALUES ($1, $2, $3, $4, $4, $5, $6) ON CONFLICT (course_id, user_id) DO NOTHING",
        enrollment,
        course,
        viewer.id(),
        now,
        marks::Kept::default(),
        marks::Tries::default()
    )
    .execute(&mut tx)
    .await?;
    if enrolled > 0 {
        tx.tell(Event::Activity {
            course,
            enrollment,
            what: Activity::Enrolled,
            at: now,
        });
    }
    tx.commit().await?;
    courses::find(&kurso.db, viewer, course, Right::Read).await
}

/// Marks a page as visited, once and for all, and answers with the course's new state and the page's place in it.
/// 403 without an enrollment. The write learners make most: while the marks are kept, those made at once are written together.
pub async fn mark_page_visited(kurso: &Kurso, viewer: &Viewer, page: PageId) -> Result<(CourseView, usize)> {
    let LearnerAt {
        mut view,
        place,
        enrollment,
    } = LearnerAt::load(kurso, viewer, page)
        .await?
        .numbered(kurso, viewer, page)
        .await?;
    let now = kurso.clock.now();
    if !visit_together(kurso, &mut view, place, now).await {
        visit_alone(kurso, &mut view, enrollment, place, now).await?;
        if let Some(enrollment) = view.course.enrollment.as_mut() {
            enrollment.last_activity_at = now;
        }
    }
    Ok((view, place))
}

/// [`mark_page_visited`] by whoever the token belongs to, all of whose statements are shared with others. None, with nothing
/// done, where more is to be said or done: `auth::authenticate` and [`mark_page_visited`] say what.
pub async fn mark_page_visited_by_token(kurso: &Kurso, token: &str, page: PageId) -> Option<(CourseView, usize)> {
    // What fails here fails in the general way too, which finds words for it.
    let (mut view, place) = CourseView::load_by_token_and_page(kurso, token, page).await.ok()??;
    let is_written = view.page(place).published && visit_together(kurso, &mut view, place, kurso.clock.now()).await;
    is_written.then_some((view, place))
}

/// Notes a visit with those of other learners. False, with nothing done, for one that is not plain.
async fn visit_together(kurso: &Kurso, view: &mut CourseView, place: usize, now: DateTime<Utc>) -> bool {
    let mut after = view.marks.clone();
    after.visit(place);
    let progress = progress::derive(&view.tree, &after, view.progress.completed_at);
    let completes = progress.is_complete() && progress.completed_at.is_none();
    let Some(visit) = marks::visit(view, place, now).filter(|_| !completes) else {
        return false;
    };
    if !kurso.visits.add(&kurso.db, visit).await {
        return false;
    }
    (view.marks, view.progress) = (after, progress);
    if let Some(enrollment) = view.course.enrollment.as_mut() {
        enrollment.last_activity_at = now;
    }
    true
}

/// A visit in a transaction of its own, which derives the marks anew and notes when the course is complete.
async fn visit_alone(
    kurso: &Kurso,
    view: &mut CourseView,
    enrollment: EnrollmentId,
    place: usize,
    now: DateTime<Utc>,
) -> Result<()> {
    let page = view.page(place).id;
    let mut tx = kurso.db.begin().await?;
    lock(&mut tx, enrollment, Some(now)).await?;
    let visited = sql!(
        "INSERT INTO visits (enrollment_id, page_id, visited_at)
         SELECT $1, id, $3 FROM pages WHERE id = $2 ON CONFLICT (enrollment_id, page_id) DO NOTHING",
        enrollment,
        page,
        now
    )
    .execute(&mut tx)
    .await?;
    if visited > 0 {
        tx.tell(Event::Activity {
            course: view.course.id,
            enrollment,
            what: Activity::Read { page },
            at: now,
        });
    }
    settle(&mut tx, view, now).await?;
    if visited == 0 && !view.marks.is_visited(place) {
        return Err(Error::NotFound(Message::PageNotFound)); // deleted since it was read
    }
    tx.commit().await?;
    Ok(())
}

/// A learner at a page of a course they are enrolled in.
pub(crate) struct LearnerAt {
    pub view: CourseView,
    /// In [`crate::courses::tree::Tree::pages`].
    pub place: usize,
    pub enrollment: EnrollmentId,
}

impl LearnerAt {
    /// 404 for a page the viewer cannot see, or that is not published; 403 without an enrollment.
    pub async fn load(kurso: &Kurso, viewer: &Viewer, page: PageId) -> Result<Self> {
        let (view, place) = CourseView::load_by_page(kurso, viewer, page, Right::Read).await?;
        let enrollment = view.course.enrollment.as_ref();
        let enrollment = enrollment.ok_or(Error::Forbidden(Message::NotEnrolled))?.id;
        if !view.page(place).published {
            return Err(Error::NotFound(Message::PageNotFound));
        }
        Ok(LearnerAt {
            view,
            place,
            enrollment,
        })
    }

    /// Sees to it that the marks of the page can be kept; before the learner's row is locked. Numbers change the tree, so
    /// the course is read anew when some were given: what is noted of a course that has changed since is not kept.
    pub async fn numbered(self, kurso: &Kurso, viewer: &Viewer, page: PageId) -> Result<Self> {
        if self.view.page(self.place).mark_no.is_some() {
            return Ok(self);
        }
        marks::number_pages(&kurso.db, self.view.course.id).await?;
        Self::load(kurso, viewer, page).await
    }
}

/// Locks the enrollment's row and notes when its learner was active, if it was the learner; the kept marks are taken away
/// until [`marks::keep`]. What a learner does goes one after the other: two last visits at once must not both miss that the
/// course is complete, two submits at once not both take the last attempt.
pub(crate) async fn lock(tx: &mut Tx, enrollment: EnrollmentId, active_at: Option<DateTime<Utc>>) -> Result<()> {
    let locked = sql!(
        "UPDATE enrollments SET last_activity_at = COALESCE($2, last_activity_at), marks = NULL WHERE id = $1",
        enrollment,
        active_at
    )
    .execute(tx)
    .await?;
    if locked == 0 {
        return Err(Error::Forbidden(Message::NotEnrolled));
    }
    Ok(())
}

/// Derives a learner's progress anew from what the transaction sees, keeps the marks, and notes when the course is complete
/// for the first time.
pub(crate) async fn settle(tx: &mut Tx, view: &mut CourseView, now: DateTime<Utc>) -> Result<()> {
    let Some(enrollment) = view.course.enrollment.as_ref() else {
        return Err(Error::Forbidden(Message::NotEnrolled));
    };
    marks::keep(tx, enrollment.id).await?;
    let found = progress::marks(&mut *tx, &[(enrollment.id, view.tree.as_ref())]).await?;
    view.marks = found.into_iter().next().unwrap_or_default();
    progressed(tx, view, now).await
}

/// Derives progress from the marks of the view, which are new, and notes when the course is complete for the first time.
async fn progressed(tx: &mut Tx, view: &mut CourseView, now: DateTime<Utc>) -> Result<()> {
    let completed_at = view.course.enrollment.as_ref().and_then(|e| e.completed_at);
    view.progress = progress::derive(&view.tree, &view.marks, completed_at);
    if view.progress.is_complete() && view.progress.completed_at.is_none() {
        completion::note_one(On::Tx(tx), view, now).await?;
    }
    Ok(())
}

/// The viewer's own progress; 403 without an enrollment.
pub async fn my_progress(kurso: &Kurso, viewer: &Viewer, id: CourseId) -> Result<CourseView> {
    let view = CourseView::load(kurso, viewer, id, Right::Read).await?;
    if view.course.enrollment.is_none() {
        return Err(Error::Forbidden(Message::NotEnrolled));
    }
    Ok(view)
}
