//! Learning: enrollment by share code or from the public page, page visits, progress.

pub mod completion;
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
use crate::auth::Origin;
use crate::courses::enrollment::{AttemptSummaries, ProgressBitmap};
use crate::courses::visibility::has_public_page;
use crate::courses::{self, Course, Scope, sharing};
use crate::schedule;
use kurso_base::error::{Error, Result, is_foreign_key_violation};
use kurso_base::ids::{CourseId, EnrollmentId, GroupId, PageId, UserId};
use kurso_base::messages::Message;
use kurso_db::events::{Activity, Event};
use kurso_db::sql;
use kurso_db::{DbOrTx, Tx};
use view::CourseView;
pub use visits::Visits;

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

/// How a person comes into a course.
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
        if let Some(enrollment) = restore::restore(&mut tx, course, viewer.id(), now).await? {
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
