//! Nudges: reminders that a teacher sends to students, each at most once a day.

use std::collections::{HashMap, HashSet};

use chrono::Duration;
use kurso_base::error::Result;
use kurso_base::ids::{CourseId, EnrollmentId, NudgeId, UserId};
use kurso_base::values::{NudgeText, Several};
use kurso_db::sql;

use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::audit::{Act, Entry};
use crate::courses::enrollment::is_active_learner;
use crate::courses::{self, Scope};
use crate::notices::{self, Kind, Notice, Receiver};

/// The minimum time between two nudges of a student in a course.
const INTERVAL: Duration = Duration::hours(24);

/// Nudges students of a course.
#[derive(Clone, Debug)]
#[cfg_attr(any(test, feature = "testing"), derive(serde::Deserialize))]
pub struct NudgeStudents {
    pub enrollment_ids: Several<EnrollmentId>,
    pub text: NudgeText,
}

/// The outcome for each requested student, without repetitions, in the order of the request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Nudged {
    pub nudged: Vec<EnrollmentId>,
    /// Students who were nudged in this course within the last 24 hours, or who are not learners of the course.
    pub skipped: Vec<EnrollmentId>,
}

/// Nudges learners of a course. Owner and teachers. A nudge replaces the previous one and its notice. At most seven statements for any number of
/// students.
pub async fn nudge(kurso: &Kurso, viewer: &Viewer, course: CourseId, command: NudgeStudents) -> Result<Nudged> {
    courses::find(&kurso.db, viewer, course, Right::ManageStudents).await?;
    let now = kurso.clock.now();
    let mut tx = courses::begin(&kurso.db, course, Scope::Unchanged).await?;
    let learners = sql!(
        concat!(
            "SELECT e.id, e.user_id FROM enrollments e JOIN users u ON u.id = e.user_id JOIN courses c ON c.id = e.course_id
             WHERE e.course_id = $1 AND ",
            is_active_learner!(),
            " AND e.id IN "
        ),
        course
    );
    let learners = learners.push_in(command.enrollment_ids.0.iter().copied());
    let learners = learners.fetch_all::<(EnrollmentId, UserId)>(&mut tx).await?;
    let mut subjects: HashMap<UserId, NudgeId> = HashMap::new();
    if !learners.is_empty() {
        let insert = sql!("INSERT INTO nudges (course_id, text, sent_at, id, user_id) VALUES ");
        let insert = insert.bind(course).bind(command.text.as_str()).bind(now);
        let insert = insert.push_values(learners.iter(), |sql, (_, user)| {
            sql.push("$1, $2, $3, ")
                .push_bind(NudgeId::new())
                .push(", ")
                .push_bind(*user)
        });
        // The condition is checked while the row is locked, so that of two teachers only one nudges the student.
        let stored = insert
            .push(
                " ON CONFLICT (course_id, user_id) DO UPDATE SET text = excluded.text, sent_at = excluded.sent_at
                 WHERE nudges.sent_at <= ",
            )
            .push_bind(now - INTERVAL)
            .push(" RETURNING user_id, id");
        subjects.extend(stored.fetch_all::<(UserId, NudgeId)>(&mut tx).await?);
    }
    let receivers = subjects.iter().map(|(user, nudge)| Receiver::new(*user, *nudge));
    let notice = Notice::in_course(Kind::Nudge, course, viewer.id(), now);
    notices::record(&mut tx, notice, receivers.collect()).await?;
    if !subjects.is_empty() {
        let entry = Entry::new(Act::StudentsNudged).by(viewer.id()).in_course(course);
        entry.detail(subjects.len()).write(&mut tx, now).await?;
    }
    tx.commit().await?;
    let users: HashMap<EnrollmentId, UserId> = learners.into_iter().collect();
    let mut outcome = Nudged::default();
    let mut seen = HashSet::new();
    for id in command.enrollment_ids.0.into_iter().filter(|id| seen.insert(*id)) {
        match users.get(&id).is_some_and(|user| subjects.contains_key(user)) {
            true => outcome.nudged.push(id),
            false => outcome.skipped.push(id),
        }
    }
    Ok(outcome)
}
