//! How people become learners of a course: by a share code, or from its public page.

use chrono::{DateTime, Utc};

use super::restore_ended;
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::auth::Origin;
use crate::courses::enrollment::{AttemptSummaries, ProgressBitmap};
use crate::courses::visibility::has_public_page;
use crate::courses::{self, Course, Scope, sharing};
use crate::schedule;
use kurso_base::error::{Error, Result, is_foreign_key_violation};
use kurso_base::ids::{CourseId, EnrollmentId, GroupId, UserId};
use kurso_base::messages::Message;
use kurso_db::events::{Activity, Event};
use kurso_db::{Tx, sql};

/// Enrolls the viewer by the share code of a course or of a group; enrolling again returns the same enrollment. One that ended
/// returns with its group, visits and attempts. A group's code also puts a learner without a group in the group; only staff
/// move learners from one group to another. Fails with 404 for an unknown code; failures are rate-limited. Fails with [`Error::Closed`]
/// for a newcomer after the end of enrollment.
pub async fn enroll(kurso: &Kurso, viewer: &Viewer, origin: &Origin, typed: &str) -> Result<Course> {
    let now = kurso.clock.now();
    let counters = kurso
        .limits
        .acquire_guess(&viewer.id().to_string(), origin.address, now)?;
    let shared = match sharing::parse(typed) {
        Some(code) => {
            sql!(
                "SELECT s.course_id, s.group_id, e.id, s.enroll_until,
                   EXISTS (SELECT 1 FROM enrollments n WHERE n.course_id = s.course_id AND n.user_id = $2),
                   EXISTS (SELECT 1 FROM public_pages g WHERE g.course_id = s.course_id AND g.allows_guests)
                 FROM (
                   SELECT id AS course_id, NULL AS group_id, enroll_until FROM courses WHERE share_code = $1
                   UNION ALL SELECT c.id, g.id, c.enroll_until FROM groups g JOIN courses c ON c.id = g.course_id
                   WHERE g.share_code = $1) s
                 LEFT JOIN ended_enrollments e ON e.course_id = s.course_id AND e.user_id = $2",
                code,
                viewer.id()
            )
            .fetch_optional::<(
                CourseId,
                Option<GroupId>,
                Option<EnrollmentId>,
                Option<DateTime<Utc>>,
                bool,
                bool,
            )>(&kurso.db)
            .await?
        }
        None => None,
    };
    let (course, group, ended, enroll_until, is_enrolled, allows_guests) = shared.ok_or_else(unknown_code)?;
    kurso.limits.refund(&counters, now);
    let door = Door {
        course,
        group,
        has_ended: ended.is_some(),
        enroll_until,
        is_enrolled,
        allows_guests,
        by_page: false,
        gone: unknown_code,
    };
    enter(kurso, viewer, door, now).await
}

/// Enrolls the viewer in a course that has a public page, by the rules of [`enroll`]; it puts nobody in a group. Who is enrolled already gets
/// the enrollment, also when the course has become private. Fails with 404 for other courses, and with [`Error::Closed`] for a newcomer after
/// the end of enrollment.
pub async fn join_course(kurso: &Kurso, viewer: &Viewer, course: CourseId) -> Result<Course> {
    let no_course = || Error::NotFound(Message::CourseNotFound);
    let found = sql!(
        concat!(
            "SELECT c.enroll_until, ",
            has_public_page!(),
            ", EXISTS (SELECT 1 FROM public_pages g WHERE g.course_id = c.id AND g.allows_guests),
             EXISTS (SELECT 1 FROM ended_enrollments e WHERE e.course_id = c.id AND e.user_id = $2),
             EXISTS (SELECT 1 FROM enrollments n WHERE n.course_id = c.id AND n.user_id = $2)
             FROM courses c WHERE c.id = $1"
        ),
        course,
        viewer.id()
    );
    let found = found
        .fetch_optional::<(Option<DateTime<Utc>>, bool, bool, bool, bool)>(&kurso.db)
        .await?;
    let open = found.filter(|(_, has_public_page, _, _, is_enrolled)| *has_public_page || *is_enrolled);
    let (enroll_until, _, allows_guests, has_ended, is_enrolled) = open.ok_or_else(no_course)?;
    let door = Door {
        course,
        group: None,
        has_ended,
        enroll_until,
        is_enrolled,
        allows_guests,
        by_page: true,
        gone: no_course,
    };
    enter(kurso, viewer, door, kurso.clock.now()).await
}

/// How a person enrolls in a course.
struct Door {
    course: CourseId,
    group: Option<GroupId>,
    /// Whether the person has an ended enrollment, which returns.
    has_ended: bool,
    enroll_until: Option<DateTime<Utc>>,
    is_enrolled: bool,
    allows_guests: bool,
    /// Whether the public page of the course leads here, which may be closed meanwhile.
    by_page: bool,
    /// The error when the course or the group is deleted meanwhile.
    gone: fn() -> Error,
}

impl Door {
    /// Fails if the public page was closed before the transaction locked the course.
    async fn require_open(&self, tx: &mut Tx) -> Result<()> {
        if !self.by_page || self.is_enrolled {
            return Ok(());
        }
        let open = sql!(
            concat!("SELECT ", has_public_page!(), " FROM courses c WHERE c.id = $1"),
            self.course
        );
        match open.fetch_optional::<(bool,)>(tx).await? {
            Some((true,)) => Ok(()),
            _ => Err((self.gone)()),
        }
    }
}

async fn enter(kurso: &Kurso, viewer: &Viewer, door: Door, now: DateTime<Utc>) -> Result<Course> {
    let Door { course, group, .. } = door;
    if !door.is_enrolled {
        if viewer.user.is_guest && !door.allows_guests {
            return Err(Error::Forbidden(Message::NoGuests));
        }
        schedule::require_enrollment(door.enroll_until, now)?;
    }
    if door.has_ended {
        let mut tx = courses::begin(&kurso.db, course, Scope::Unchanged).await?;
        door.require_open(&mut tx).await?;
        if let Some(enrollment) = restore_ended(&mut tx, course, viewer.id(), now).await? {
            join(&mut tx, course, viewer.id(), group).await?;
            tx.publish(Event::Groups { course }); // its group returns with the enrollment
            publish_enrolled(&mut tx, course, enrollment, now);
            tx.commit().await?;
            return courses::find(&kurso.db, viewer, course, Right::Read).await;
        }
    }
    let enrollment = EnrollmentId::new();
    let mut tx = match door.by_page {
        true => courses::begin(&kurso.db, course, Scope::Unchanged).await?,
        false => kurso.db.begin().await?,
    };
    door.require_open(&mut tx).await?;
    let enrolled = sql!(
        "INSERT INTO enrollments (id, course_id, user_id, enrolled_at, last_activity_at, marks, tries, group_id)
         VALUES ($1, $2, $3, $4, $4, $5, $6, $7) ON CONFLICT (course_id, user_id) DO NOTHING",
        enrollment,
        course,
        viewer.id(),
        now,
        ProgressBitmap::default(),
        AttemptSummaries::default(),
        group
    )
    .execute(&mut tx)
    .await
    .map_err(|error| deleted_meanwhile(error, door.gone))?;
    if enrolled > 0 {
        publish_enrolled(&mut tx, course, enrollment, now);
        if group.is_some() {
            tx.publish(Event::Groups { course });
        }
    } else {
        join(&mut tx, course, viewer.id(), group).await?;
    }
    tx.commit().await?;
    courses::find(&kurso.db, viewer, course, Right::Read).await
}

fn unknown_code() -> Error {
    Error::NotFound(Message::UnknownShareCode)
}

/// The error when the course or the group is deleted after it was found.
fn deleted_meanwhile(error: sqlx::Error, gone: fn() -> Error) -> Error {
    if is_foreign_key_violation(&error) {
        gone()
    } else {
        error.into()
    }
}

/// Puts an enrolled learner without a group in the group whose code was used, unless it was deleted meanwhile. A deletion at the same moment
/// is an unknown code.
async fn join(tx: &mut Tx, course: CourseId, learner: UserId, group: Option<GroupId>) -> Result<()> {
    let Some(group) = group else { return Ok(()) };
    let joined = sql!(
        "UPDATE enrollments SET group_id = $3 WHERE course_id = $1 AND user_id = $2 AND group_id IS NULL
         AND EXISTS (SELECT 1 FROM groups WHERE id = $3)",
        course,
        learner,
        group
    );
    if joined
        .execute(&mut *tx)
        .await
        .map_err(|error| deleted_meanwhile(error, unknown_code))?
        > 0
    {
        tx.publish(Event::Groups { course });
    }
    Ok(())
}

fn publish_enrolled(tx: &mut Tx, course: CourseId, enrollment: EnrollmentId, at: DateTime<Utc>) {
    tx.publish(Event::Activity {
        course,
        enrollment,
        what: Activity::Enrolled,
        at,
    });
}
