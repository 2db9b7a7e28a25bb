//! Learning: enrolling by share code, visiting pages, progress (contract 6).

pub mod progress;
pub mod view;

use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::auth::{Origin, limits};
use crate::courses::{self, Course, sharing};
use crate::error::{Error, Result};
use crate::ids::{CourseId, EnrollmentId, PageId};
use crate::messages::Message;
use crate::sql;
use view::CourseView;

/// Enrolls the viewer by a share code; again, it is the same enrollment. An unknown code is 404, and guessing is limited.
pub async fn enroll(kurso: &Kurso, viewer: &Viewer, origin: &Origin, typed: &str) -> Result<Course> {
    let now = kurso.clock.now();
    let counters = limits::failures(&viewer.id().to_string(), origin.address);
    kurso.limits.check(&counters, now)?;
    let course = match sharing::parse(typed) {
        Some(code) => {
            sql!("SELECT id FROM courses WHERE share_code = $1", code)
                .fetch_optional::<(CourseId,)>(&kurso.db)
                .await?
        }
        None => None,
    };
    let Some((course,)) = course else {
        kurso.limits.count(&counters, now);
        return Err(Error::NotFound(Message::UnknownShareCode));
    };
    sql!(
        "INSERT INTO enrollments (id, course_id, user_id, enrolled_at, last_activity_at)
         VALUES ($1, $2, $3, $4, $4) ON CONFLICT (course_id, user_id) DO NOTHING",
        EnrollmentId::new(),
        course,
        viewer.id(),
        now
    )
    .execute(&kurso.db)
    .await?;
    courses::find(&kurso.db, viewer, course, Right::Read).await
}

/// Marks a page as visited, once and for all, and answers with the course's new state and the page's place in it.
/// 403 without an enrollment.
pub async fn mark_page_visited(kurso: &Kurso, viewer: &Viewer, page: PageId) -> Result<(CourseView, usize)> {
    let (mut view, place) = CourseView::load_by_page(kurso, viewer, page, Right::Read).await?;
    let enrollment = view
        .course
        .enrollment
        .as_mut()
        .ok_or(Error::Forbidden(Message::NotEnrolled))?;
    if !view.tree.page(place).published {
        return Err(Error::NotFound(Message::PageNotFound));
    }
    let now = kurso.clock.now();
    let mut tx = kurso.db.begin().await?;
    // The enrollment's row first: two last visits at once must not both miss that the course is complete.
    let locked = sql!(
        "UPDATE enrollments SET last_activity_at = $2 WHERE id = $1",
        enrollment.id,
        now
    )
    .execute(&mut tx)
    .await?;
    if locked == 0 {
        return Err(Error::Forbidden(Message::NotEnrolled));
    }
    let visited = sql!(
        "INSERT INTO visits (enrollment_id, page_id, visited_at)
         SELECT $1, id, $3 FROM pages WHERE id = $2 ON CONFLICT (enrollment_id, page_id) DO NOTHING",
        enrollment.id,
        page,
        now
    )
    .execute(&mut tx)
    .await?;
    let marks = progress::marks(&mut tx, &[(enrollment.id, view.tree.as_ref())]).await?;
    view.marks = marks.into_iter().next().unwrap_or_default();
    if visited == 0 && !view.marks.is_visited(place) {
        return Err(Error::NotFound(Message::PageNotFound)); // deleted since it was read
    }
    let progress = progress::derive(&view.tree, &view.marks, enrollment.completed_at);
    if progress.is_complete() && enrollment.completed_at.is_none() {
        sql!(
            "UPDATE enrollments SET completed_at = $2 WHERE id = $1 AND completed_at IS NULL",
            enrollment.id,
            now
        )
        .execute(&mut tx)
        .await?;
        enrollment.completed_at = Some(now);
    }
    tx.commit().await?;
    enrollment.last_activity_at = now;
    view.progress = progress::Progress {
        completed_at: enrollment.completed_at,
        ..progress
    };
    Ok((view, place))
}

/// The viewer's own progress; 403 without an enrollment.
pub async fn my_progress(kurso: &Kurso, viewer: &Viewer, id: CourseId) -> Result<CourseView> {
    let view = CourseView::load(kurso, viewer, id, Right::Read).await?;
    if view.course.enrollment.is_none() {
        return Err(Error::Forbidden(Message::NotEnrolled));
    }
    Ok(view)
}
