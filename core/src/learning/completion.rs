//! Course completion: the time at which a learner first completed a course (`completed_at` of the enrollment). It is
//! never reset.
//!
//! A visit or a passed attempt records it in its own transaction (`update_progress` in `learning`). An author can also
//! complete a course for a learner, by deleting the last page that was not done; then the next read of the progress
//! records it, or [`rederive`].

use chrono::{DateTime, Utc};

use super::progress;
use super::view::CourseView;
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::courses::tree::Tree;
use crate::courses::{self, Course, team};
use crate::notices::{self, Kind, Notice, Receiver};
use kurso_base::error::{Error, Result};
use kurso_base::ids::{CourseId, EnrollmentId, UserId};
use kurso_base::messages::Message;
use kurso_db::events::{Activity, Event};
use kurso_db::sql;
use kurso_db::{DbOrTx, Tx};

/// Enrollments derived at a time; their visits and attempts are held in memory.
const CHUNK: usize = 500;

/// The result of [`rederive`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rederived {
    /// The number of enrollments checked.
    pub checked: usize,
    pub changed: Vec<Change>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    pub enrollment: EnrollmentId,
    pub before: Option<DateTime<Utc>>,
    pub after: Option<DateTime<Utc>>,
}

/// Derives completion again and stores it: for all enrollments if the viewer manages the course's progress, for the
/// viewer's own if they are a learner. Fails with 403 for all others. Five statements, and two per 500 incomplete
/// enrollments.
pub async fn rederive(kurso: &Kurso, viewer: &Viewer, id: CourseId) -> Result<Rederived> {
    let course = courses::find(&kurso.db, viewer, id, Right::Read).await?;
    let enrollments: Vec<(EnrollmentId, Option<DateTime<Utc>>)> = if course.role.may(Right::ManageProgress) {
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
    let mut rederived = Rederived {
        checked: enrollments.len(),
        changed: vec![],
    };
    if open.is_empty() {
        return Ok(rederived);
    }
    rederived.changed = record_complete(kurso, &course, &open).await?;
    rederived.changed.sort_unstable_by_key(|change| change.enrollment);
    Ok(rederived)
}

/// Records completion of those enrollments of a course that are complete and were not before. Three statements, and two per 500
/// enrollments.
pub(crate) async fn record_complete(
    kurso: &Kurso,
    course: &Course,
    enrollments: &[EnrollmentId],
) -> Result<Vec<Change>> {
    let trees = kurso.trees.of(&kurso.db, std::slice::from_ref(course)).await?;
    let tree = trees.first().cloned().unwrap_or_default();
    let mut changed = vec![];
    for chunk in enrollments.chunks(CHUNK) {
        let of: Vec<(EnrollmentId, &Tree)> = chunk.iter().map(|id| (*id, tree.as_ref())).collect();
        let marks = progress::read::marks(&kurso.db, &of).await?;
        let complete = chunk.iter().zip(&marks);
        let complete = complete.filter(|(_, marks)| progress::derive(&tree, marks, None).is_complete());
        let complete: Vec<_> = complete.map(|(id, _)| *id).collect();
        let now = kurso.clock.now();
        let version = (course.id, course.structure_version);
        let noted = record(&mut DbOrTx::Db(&kurso.db), version, &complete, now).await?;
        changed.extend(noted.into_iter().map(|enrollment| Change {
            enrollment,
            before: None,
            after: Some(now),
        }));
    }
    Ok(changed)
}

/// Records completion of these enrollments of a course that the transaction has locked, as [`record`].
pub(crate) async fn record_in(
    tx: &mut Tx,
    course: CourseId,
    enrollments: &[EnrollmentId],
    now: DateTime<Utc>,
) -> Result<()> {
    let version = sql!("SELECT structure_version FROM courses WHERE id = $1", course);
    let Some((version,)) = version.fetch_optional::<(i64,)>(&mut *tx).await? else {
        return Ok(());
    };
    for chunk in enrollments.chunks(CHUNK) {
        record(&mut DbOrTx::Tx(tx), (course, version), chunk, now).await?;
    }
    Ok(())
}

/// Records completion for each view that shows it for the first time. One statement for each of these.
pub(super) async fn record_completions(kurso: &Kurso, views: &mut [CourseView]) -> Result<()> {
    for view in views {
        if view.progress.is_complete() && view.progress.completed_at.is_none() {
            record_completion(DbOrTx::Db(&kurso.db), view, kurso.clock.now()).await?;
        }
    }
    Ok(())
}

/// Records completion of a view. If another request was faster, the view gets the stored time.
pub(super) async fn record_completion(mut on: DbOrTx<'_>, view: &mut CourseView, now: DateTime<Utc>) -> Result<()> {
    let Some(enrollment) = view.course.enrollment.as_mut() else {
        return Ok(());
    };
    let noted = record(
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

/// Records completion of these enrollments at `now`, but not before they began, in case a clock was set back. Returns
/// the enrollments that were not complete before. None if the course changed since it was read, because the tree may be
/// inconsistent; the next reader records it then.
async fn record(
    on: &mut DbOrTx<'_>,
    of: (CourseId, i64),
    enrollments: &[EnrollmentId],
    now: DateTime<Utc>,
) -> Result<Vec<EnrollmentId>> {
    if enrollments.is_empty() {
        return Ok(vec![]);
    }
    match on {
        DbOrTx::Tx(tx) => record_and_notify(tx, of, enrollments, now).await,
        DbOrTx::Db(db) => {
            let mut tx = db.begin().await?;
            let noted = record_and_notify(&mut tx, of, enrollments, now).await?;
            tx.commit().await?;
            Ok(noted)
        }
    }
}

async fn record_and_notify(
    tx: &mut Tx,
    (course, structure_version): (CourseId, i64),
    enrollments: &[EnrollmentId],
    now: DateTime<Utc>,
) -> Result<Vec<EnrollmentId>> {
    let noted = sql!(
        "UPDATE enrollments SET completed_at = CASE WHEN enrolled_at > $1 THEN enrolled_at ELSE $1 END
         WHERE completed_at IS NULL AND course_id = (SELECT id FROM courses WHERE id = $2 AND structure_version = $3)
         AND id IN ",
        now,
        course,
        structure_version
    )
    .push_in(enrollments.iter().copied())
    .push(" RETURNING id, user_id")
    .fetch_all::<(EnrollmentId, UserId)>(&mut *tx)
    .await?;
    for (enrollment, _) in &noted {
        let what = Activity::Completed;
        let enrollment = *enrollment;
        tx.publish(Event::Activity {
            course,
            enrollment,
            what,
            at: now,
        });
    }
    notify_teachers(tx, course, &noted, now).await?;
    Ok(noted.into_iter().map(|(id, _)| id).collect())
}

/// Notifies the teachers of a course of learners who have completed it. Three statements; none without such a learner.
async fn notify_teachers(
    tx: &mut Tx,
    course: CourseId,
    learners: &[(EnrollmentId, UserId)],
    now: DateTime<Utc>,
) -> Result<()> {
    if learners.is_empty() {
        return Ok(());
    }
    let teachers = team::owner_and_teachers(&mut *tx, course).await?;
    let receivers = learners.iter().flat_map(|(enrollment, learner)| {
        let others = teachers.iter().filter(move |teacher| *teacher != learner);
        others.map(move |teacher| Receiver::new(*teacher, *enrollment))
    });
    let notice = Notice {
        kind: Kind::CourseCompleted,
        course: Some(course),
        by: None,
        at: now,
    };
    notices::record(tx, notice, receivers.collect()).await
}
