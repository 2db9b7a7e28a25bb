//! Claims of answers: while a grader has an answer open, other graders get the next one. A claim expires, so that nobody blocks an answer.

use chrono::Duration;

use kurso_base::error::{Error, Result};
use kurso_base::ids::{AttemptId, CourseId};
use kurso_base::messages::Message;
use kurso_db::sql;
use uuid::Uuid;

use super::answer::{self, OpenAnswer};
use super::queue::AnswerFilter;
use super::{AnswerId, AnswerState};
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::courses;

/// How long a claim lasts. Clients renew it while the answer is open.
pub const CLAIM: Duration = Duration::minutes(2);

/// How many times others may claim all candidates before the queue counts as empty.
const ROUNDS: usize = 20;

/// The number of answers that are read as candidates, because several graders may ask for the next one at once.
const CANDIDATES: i64 = 20;

/// Claims an answer for the viewer, unless another grader has it open, and returns it. Fails as [`answer::open_answer`], and with 403
/// without the right to grade.
pub async fn claim(kurso: &Kurso, viewer: &Viewer, id: AnswerId) -> Result<OpenAnswer> {
    answer::require(kurso, viewer, id, Right::ManageStudents).await?;
    try_claim(kurso, viewer, id, false).await?;
    answer::read(kurso, viewer, id).await
}

/// Claims the oldest waiting answer that no other grader has open. None if there is none. Fails with 404 without a relation to the course,
/// with 403 without the right to grade.
pub async fn claim_next(
    kurso: &Kurso,
    viewer: &Viewer,
    course: CourseId,
    filter: &AnswerFilter,
) -> Result<Option<OpenAnswer>> {
    courses::find(&kurso.db, viewer, course, Right::ManageStudents).await?;
    for _ in 0..ROUNDS {
        let candidates = sql!(
            "SELECT o.attempt_id, o.question_id FROM open_answers o
             JOIN attempts a ON a.id = o.attempt_id JOIN enrollments e ON e.id = a.enrollment_id
             WHERE o.course_id = $1 AND o.state = $2 AND (o.opened_by IS NULL OR o.opened_by = $3 OR o.opened_until <= $4)",
            course,
            AnswerState::Waiting,
            viewer.id(),
            kurso.clock.now()
        );
        let candidates = filter
            .on(candidates)
            .push(" ORDER BY o.submitted_at, o.attempt_id, o.question_id LIMIT ")
            .push_bind(CANDIDATES)
            .fetch_all::<(AttemptId, Uuid)>(&kurso.db)
            .await?;
        if candidates.is_empty() {
            return Ok(None);
        }
        for (attempt, question) in candidates {
            let id = AnswerId { attempt, question };
            if !try_claim(kurso, viewer, id, true).await? {
                continue;
            }
            match answer::read(kurso, viewer, id).await {
                Ok(answer) => return Ok(Some(answer)),
                // The learner left, or the page was deleted meanwhile.
                Err(Error::NotFound(Message::AnswerNotFound)) => {}
                Err(other) => return Err(other),
            }
        }
        // Others have claimed all of them since they were read.
    }
    Ok(None)
}

/// Claims an answer; returns whether the viewer has the claim now. With `waiting_only`, claims only an answer that nobody has graded.
async fn try_claim(kurso: &Kurso, viewer: &Viewer, id: AnswerId, waiting_only: bool) -> Result<bool> {
    let now = kurso.clock.now();
    let claim = sql!(
        "UPDATE open_answers SET opened_by = $3, opened_until = $4 WHERE attempt_id = $1 AND question_id = $2
         AND (opened_by IS NULL OR opened_by = $3 OR opened_until <= $5)",
        id.attempt,
        id.question,
        viewer.id(),
        now + CLAIM,
        now
    );
    let claim = match waiting_only {
        true => claim.push(" AND state = 'waiting'"),
        false => claim,
    };
    Ok(claim.execute(&kurso.db).await? > 0)
}
