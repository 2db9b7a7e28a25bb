//! When a course was completed, stored for good: `completed_at` of an enrollment (contract 6).
//!
//! A visit or a passed attempt notes it in its own transaction (`settle` in `learning`). An author may complete a course for
//! somebody too, by taking away the last page that was not done: that is noted by whoever next reads the progress, or asks
//! for it to be derived anew. It is never taken back.

use chrono::{DateTime, Utc};

use super::progress;
use super::view::CourseView;
use crate::access::{Right, Viewer};
use crate::courses;
use crate::courses::tree::Tree;
use crate::db::On;
use crate::error::{Error, Result};
use crate::events::{Activity, Event};
use crate::ids::{CourseId, EnrollmentId};
use crate::messages::Message;
use crate::{Kurso, sql};

/// Enrollments whose progress is derived at once: what they did is in memory meanwhile.
const CHUNK: usize = 500;

/// What deriving anew has found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fixed {
    /// Enrollments.
    pub checked: usize,
    pub changed: Vec<Change>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    pub enrollment: EnrollmentId,
    pub before: Option<DateTime<Utc>>,
    pub after: Option<DateTime<Utc>>,
}

/// Derives completion anew and stores it: of every enrollment for those who tend a course's progress, of the viewer's own
/// for learners. 403 for all others. Two statements per 500 enrollments that are not completed, and five more.
pub async fn fix(kurso: &Kurso, viewer: &Viewer, id: CourseId) -> Result<Fixed> {
    let course = courses::find(&kurso.db, viewer, id, Right::Read).await?;
    let enrollments: Vec<(EnrollmentId, Option<DateTime<Utc>>)> = if course.role.may(Right::TendProgress) {
        sql!(
            "SELECT id, completed_at FROM enrollments WHERE course_id = $1 ORDER BY id",
            id
        )
        .fetch_all(&kurso.db)
        .await?
    } else {
        let own = course.enrollment.as_ref();
        let own = own.ok_or(Error::Forbidden(Message::NotEnrolled))?;
        vec![(own.id, own.completed_at)]
    };
    let open: Vec<_> = enrollments
        .iter()
        .filter(|(_, at)| at.is_none())
        .map(|(id, _)| *id)
        .collect();
    let mut fixed = Fixed {
        checked: enrollments.len(),
        changed: vec![],
    };
    if open.is_empty() {
        return Ok(fixed);
    }
    let trees = kurso.trees.of(&kurso.db, std::slice::from_ref(&course)).await?;
    let tree = trees.first().cloned().unwrap_or_default();
    for chunk in open.chunks(CHUNK) {
        let of: Vec<(EnrollmentId, &Tree)> = chunk.iter().map(|id| (*id, tree.as_ref())).collect();
        let marks = progress::marks(&kurso.db, &of).await?;
        let complete = chunk.iter().zip(&marks);
        let complete = complete.filter(|(_, marks)| progress::derive(&tree, marks, None).is_complete());
        let complete: Vec<_> = complete.map(|(id, _)| *id).collect();
        let now = kurso.clock.now();
        let noted = note(&mut On::Db(&kurso.db), (id, course.structure_version), &complete, now).await?;
        fixed.changed.extend(noted.into_iter().map(|enrollment| Change {
            enrollment,
            before: None,
            after: Some(now),
        }));
    }
    fixed.changed.sort_unstable_by_key(|change| change.enrollment);
    Ok(fixed)
}

/// Notes what the views show to be complete for the first time: a statement for each.
pub(super) async fn note_in(kurso: &Kurso, views: &mut [CourseView]) -> Result<()> {
    for view in views {
        if view.progress.is_complete() && view.progress.completed_at.is_none() {
            note_one(On::Db(&kurso.db), view, kurso.clock.now()).await?;
        }
    }
    Ok(())
}

/// Notes that the view is complete. Somebody else may have been faster: the view says what is stored.
pub(super) async fn note_one(mut on: On<'_>, view: &mut CourseView, now: DateTime<Utc>) -> Result<()> {
    let Some(enrollment) = view.course.enrollment.as_mut() else {
        return Ok(());
    };
    let noted = note(
        &mut on,
        (view.course.id, view.course.structure_version),
        &[enrollment.id],
        now,
    )
    .await?;
    enrollment.completed_at = if noted.is_empty() {
        let stored = sql!("SELECT completed_at FROM enrollments WHERE id = $1", enrollment.id);
        let stored = stored.fetch_optional::<(Option<DateTime<Utc>>,)>(&mut on).await?;
        stored.and_then(|(at,)| at)
    } else {
        Some(now.max(enrollment.enrolled_at))
    };
    view.progress.completed_at = enrollment.completed_at;
    Ok(())
}

/// Says which of them were not completed before. Nobody has completed what they had not begun: a clock that was put back does
/// not make it so. None when the course has changed since it was read: its tree may have been
/// read in the middle of that, and what is noted stays. Whoever reads it next notes it.
async fn note(
    on: &mut On<'_>,
    (course, structure_version): (CourseId, i64),
    enrollments: &[EnrollmentId],
    now: DateTime<Utc>,
) -> Result<Vec<EnrollmentId>> {
    if enrollments.is_empty() {
        return Ok(vec![]);
    }
    let noted = sql!(
        "UPDATE enrollments SET completed_at = CASE WHEN enrolled_at > $1 THEN enrolled_at ELSE $1 END
         WHERE completed_at IS NULL AND course_id = (SELECT id FROM courses WHERE id = $2 AND structure_version = $3)
         AND id IN ",
        now,
        course,
        structure_version
    )
    .push_in(enrollments.iter().copied())
    .push(" RETURNING id")
    .fetch_all::<(EnrollmentId,)>(&mut *on)
    .await?;
    for (enrollment,) in &noted {
        let what = Activity::Completed;
        let enrollment = *enrollment;
        on.tell(Event::Activity {
            course,
            enrollment,
            what,
            at: now,
        })
        .await;
    }
    Ok(noted.into_iter().map(|(id,)| id).collect())
}
