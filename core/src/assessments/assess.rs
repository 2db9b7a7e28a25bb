//! Assigns points and a comment to an answer. An assessment names the answer version it is based on, so that two concurrent graders do not
//! overwrite each other.

use kurso_base::error::{Error, FieldError, Result};
use kurso_base::messages::Message;
use kurso_base::values::{CellVersion, GraderComment};
use kurso_db::events::Event;
use kurso_db::sql;
use kurso_formats::quiz::{Points, Release};
use serde_json::json;

use super::answer::{self, AnswerRow, OpenAnswer};
use super::regrade::Graded;
use super::release::release_of;
use super::{AnswerId, AnswerState};
use crate::access::{Right, Viewer};
use crate::audit::{Act, Entry};
use crate::courses::{self, Scope};
use crate::{Kurso, learning};

/// The maximum number of assessments of one answer.
pub const MAX_ASSESSMENTS: i64 = 500;

/// An assessment to store.
#[derive(Clone, Debug)]
#[cfg_attr(any(test, feature = "testing"), derive(serde::Deserialize))]
pub struct Assess {
    /// The version of the answer that the assessment is based on.
    pub version: CellVersion,
    /// At most the points of the question.
    pub points: Points,
    pub comment: Option<GraderComment>,
}

/// Outcome of an assessment.
#[derive(Clone, Debug)]
pub enum Assessed {
    Stored(OpenAnswer),
    /// Somebody else has graded the answer meanwhile: nothing was changed, and this is what is stored.
    Stale(OpenAnswer),
}

/// Grades an answer; for the owner and teachers. The learner sees the points at once, or when the points of the quiz are released together.
/// Fails with 404 as [`answer::open_answer`], with 422 for more points than the question has, and with 409 after [`MAX_ASSESSMENTS`].
pub async fn assess(kurso: &Kurso, viewer: &Viewer, id: AnswerId, command: Assess) -> Result<Assessed> {
    let course = answer::require(kurso, viewer, id, Right::ManageStudents).await?;
    let row = AnswerRow::find(kurso, viewer, id).await?;
    require_bounds(&command, row.max_points)?;
    if command.version.get() >= MAX_ASSESSMENTS {
        return Err(Error::Conflict(Message::TooManyGradeChanges(MAX_ASSESSMENTS)));
    }
    let graded = Graded::load(kurso, id.attempt).await?;
    let graded = graded.ok_or(Error::NotFound(Message::AnswerNotFound))?;
    let now = kurso.clock.now();
    // Deleting the page removes the rows that are written here in another order: without the lock of the course, the two could wait for each
    // other.
    let mut tx = courses::begin(&kurso.db, course.id, Scope::Unchanged).await?;
    // The time is None, because this is not an activity of the learner.
    match learning::lock(&mut tx, row.enrollment_id, None).await {
        Err(Error::Forbidden(_)) => return Err(Error::NotFound(Message::AnswerNotFound)), // has just left
        locked => locked?,
    }
    // A release changes the state under the same lock.
    let state = match release_of(&mut tx, row.page_id).await? {
        Some(Release::AtOnce) => AnswerState::Released,
        Some(Release::Together) => AnswerState::Graded,
        None => return Err(Error::NotFound(Message::AnswerNotFound)),
    };
    let comment = command.comment.map(|comment| comment.as_str().to_owned());
    let stored = sql!(
        "UPDATE open_answers SET version = version + 1, points = $4, comment = $5, opened_by = NULL, opened_until = NULL,
           state = CASE WHEN state = 'released' THEN state ELSE $6 END
         WHERE attempt_id = $1 AND question_id = $2 AND version = $3",
        id.attempt,
        id.question,
        command.version.get(),
        command.points.parts(),
        &comment,
        state
    )
    .execute(&mut tx)
    .await?;
    if stored == 0 {
        // Commits even without a change, to wait for the batch, which may contain the competing assessment.
        tx.commit().await?;
        return Ok(Assessed::Stale(answer::read(kurso, viewer, id).await?));
    }
    sql!(
        "INSERT INTO assessments (attempt_id, question_id, version, points, comment, assessed_by, assessed_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
        id.attempt,
        id.question,
        command.version.get() + 1,
        command.points.parts(),
        comment,
        viewer.id(),
        now
    )
    .execute(&mut tx)
    .await?;
    graded.store(&mut tx).await?;
    learning::stored_progress::store(&mut tx, row.enrollment_id).await?;
    let entry = Entry::new(Act::AnswerGraded).by(viewer.id()).to(row.user_id);
    let entry = entry.in_course(course.id).about(row.page_id);
    entry.write(&mut tx, now).await?;
    tx.publish(Event::Grades { course: course.id });
    tx.commit().await?;
    learning::completion::record_complete(kurso, &course, &[row.enrollment_id]).await?;
    Ok(Assessed::Stored(answer::read(kurso, viewer, id).await?))
}

/// Fails with 422 for more points than the question has.
fn require_bounds(command: &Assess, most: i64) -> Result<()> {
    if command.points.parts() <= most {
        return Ok(());
    }
    let most = Points::of_parts(most);
    let said = serde_json::to_string(&most).map_err(Error::internal)?;
    let input = serde_json::to_value(command.points).map_err(Error::internal)?;
    let mut error = FieldError::body("less_than_equal", "points", Message::GivenTooMuch(said), input);
    error.ctx = Some(json!({"le": most}));
    Err(Error::invalid(error))
}
