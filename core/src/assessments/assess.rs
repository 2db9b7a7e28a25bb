//! Assigns points and a comment to an answer. An assessment names the answer version it is based on, so that two concurrent graders do not
//! overwrite each other.

use kurso_base::error::{Error, FieldError, Loc, Result};
use kurso_base::messages::Message;
use kurso_base::values::{CellVersion, GraderComment};
use kurso_db::events::Event;
use kurso_db::sql;
use kurso_formats::quiz::{PinnedComment, Points, Release, Rubric, answers_from_text};
use serde_json::{Value, json};

use super::answer::{self, AnswerRow, OpenAnswer};
use super::notify::Decision;
use super::regrade::Graded;
use super::release::release_of;
use super::remarks::{self, Marks, Pins};
use super::returning;
use super::{AnswerId, AnswerState};
use crate::access::{Right, Viewer};
use crate::audit::{Act, Entry};
use crate::courses::{self, Scope};
use crate::notices::Receiver;
use crate::{Kurso, learning};

/// The maximum number of assessments of one answer.
pub const MAX_ASSESSMENTS: i64 = 500;
/// The most characters of marks and pinned comments in all assessments of one answer: its history is read as a whole.
const MAX_REMARKS: i64 = 4 << 20;

/// An assessment to store.
#[derive(Clone, Debug)]
#[cfg_attr(any(test, feature = "testing"), derive(serde::Deserialize))]
pub struct Assess {
    /// The version of the answer that the assessment is based on.
    pub version: CellVersion,
    /// Returns work for revision, with a comment instead of points.
    #[cfg_attr(any(test, feature = "testing"), serde(default))]
    pub is_returned: bool,
    /// At most the points of the question. None with marks, which then give the points.
    pub points: Option<Points>,
    /// A level of each criterion of the question's rubric. An empty list is none.
    pub marks: Option<Marks>,
    /// Comments at places of the answer.
    pub pins: Option<Pins>,
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
/// Fails with 404 as [`answer::open_answer`], with 422 for more points than the question has, for marks that do not fit its rubric, for places
/// outside of the answer and for returning anything but work, and with 409 after [`MAX_ASSESSMENTS`] or [`MAX_REMARKS`].
pub async fn assess(kurso: &Kurso, viewer: &Viewer, id: AnswerId, command: Assess) -> Result<Assessed> {
    let course = answer::require(kurso, viewer, id, Right::ManageStudents).await?;
    let row = AnswerRow::find(kurso, viewer, id).await?;
    if command.version.get() >= MAX_ASSESSMENTS {
        return Err(Error::Conflict(Message::TooManyGradeChanges(MAX_ASSESSMENTS)));
    }
    let command = Assess {
        marks: command.marks.filter(|Marks(marks)| !marks.is_empty()),
        ..command
    };
    let graded = Graded::load(kurso, id.attempt).await?;
    let graded = graded.ok_or(Error::NotFound(Message::AnswerNotFound))?;
    let is_returned = command.is_returned;
    let points = match is_returned {
        true => returning::require_returnable(&command, graded.is_hand_in).map(|()| Points::ZERO)?,
        false => points_of(&command, graded.rubric(id.question))?,
    };
    require_bounds(points, row.max_points)?;
    let marks = command.marks.map_or_else(Vec::new, |Marks(marks)| marks);
    let pins = command.pins.map_or_else(Vec::new, |Pins(pins)| pins);
    require_places(&pins, id, &row)?;
    let (marks, pins) = (remarks::to_text(&marks)?, remarks::to_text(&pins)?);
    require_room(kurso, id, [&marks, &pins]).await?;
    let now = kurso.clock.now();
    // Deleting the page locks the same rows in another order. The lock on the course prevents a deadlock.
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
        "UPDATE open_answers SET version = version + 1, points = $4, comment = $5, marks = $7, pins = $8, opened_by = NULL, opened_until = NULL,
           is_returned = $9,
           state = CASE WHEN $9 OR (state = 'released' AND NOT is_returned) THEN 'released' ELSE $6 END
         WHERE attempt_id = $1 AND question_id = $2 AND version = $3 RETURNING state",
        id.attempt,
        id.question,
        command.version.get(),
        points.parts(),
        &comment,
        state,
        &marks,
        &pins,
        is_returned
    )
    .fetch_optional::<(AnswerState,)>(&mut tx)
    .await?;
    let Some((state,)) = stored else {
        // Commits even without a change, to wait for the batch, which may contain the competing assessment.
        tx.commit().await?;
        return Ok(Assessed::Stale(answer::read(kurso, viewer, id).await?));
    };
    sql!(
        "INSERT INTO assessments (attempt_id, question_id, version, points, comment, assessed_by, assessed_at, marks, pins, is_returned)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
        id.attempt,
        id.question,
        command.version.get() + 1,
        points.parts(),
        comment,
        viewer.id(),
        now,
        marks,
        pins,
        is_returned
    )
    .execute(&mut tx)
    .await?;
    let waiting = graded.store(&mut tx).await?;
    learning::stored_progress::store(&mut tx, row.enrollment_id).await?;
    let decision = Decision {
        course: course.id,
        by: viewer.id(),
        at: now,
    };
    let learner = Receiver::new(row.user_id, id.attempt).at(row.page_id);
    if is_returned {
        decision.returned(&mut tx, learner).await?;
    } else {
        decision.no_longer_returned(&mut tx, learner).await?;
        // The learner is notified once the last waiting answer of the attempt has been graded.
        if state == AnswerState::Released && waiting == 0 {
            decision.graded(&mut tx, vec![learner]).await?;
        }
    }
    let entry = Entry::new(Act::AnswerGraded).by(viewer.id()).to(row.user_id);
    let entry = entry.in_course(course.id).about(row.page_id);
    entry.write(&mut tx, now).await?;
    tx.publish(Event::Grades { course: course.id });
    tx.commit().await?;
    learning::completion::record_complete(kurso, &course, &[row.enrollment_id]).await?;
    Ok(Assessed::Stored(answer::read(kurso, viewer, id).await?))
}

/// The points of an assessment: those of the marks, or those that were given. Fails with 422 for marks that do not fit the rubric, for points
/// beside marks that are not their sum, and without either.
fn points_of(command: &Assess, rubric: Option<&Rubric>) -> Result<Points> {
    let refused = |name: &'static str, message: Message| {
        Error::invalid(FieldError::body("value_error", name, message, Value::Null))
    };
    let Some(Marks(marks)) = &command.marks else {
        let missing = || {
            Error::invalid(FieldError::body(
                "missing",
                "points",
                Message::FieldRequired,
                Value::Null,
            ))
        };
        return command.points.ok_or_else(missing);
    };
    let rubric = rubric.ok_or_else(|| refused("marks", Message::NoRubric))?;
    let sum = rubric
        .points(marks)
        .map_err(|problem| refused("marks", problem.message()))?;
    match command.points.is_none_or(|points| points == sum) {
        true => Ok(sum),
        false => Err(refused("points", Message::PointsOfMarks)),
    }
}

/// Fails with 422 for every pinned comment whose place is outside of the answer.
fn require_places(pins: &[PinnedComment], id: AnswerId, row: &AnswerRow) -> Result<()> {
    if pins.is_empty() {
        return Ok(());
    }
    let answers = answers_from_text(&row.answers)?;
    let answer = answers.iter().find(|answer| answer.question_id == id.question);
    let (document, files) = answer.map_or((None, &[][..]), |answer| {
        (answer.given.document(), answer.given.files())
    });
    let refused = |(at, pin): (usize, &PinnedComment)| {
        let problem = pin.place.check(document, files).err()?;
        let mut error = FieldError::body("value_error", "pins", problem.message(), Value::Null);
        error.loc.push(Loc::Index(at));
        Some(error)
    };
    let errors: Vec<FieldError> = pins.iter().enumerate().filter_map(refused).collect();
    if errors.is_empty() {
        Ok(())
    } else {
        Err(Error::Invalid(errors))
    }
}

/// Fails with 409 if marks and pinned comments do not fit into the history of an answer. No statement without them.
async fn require_room(kurso: &Kurso, id: AnswerId, remarks: [&Option<String>; 2]) -> Result<()> {
    let more: usize = remarks.into_iter().flatten().map(|text| text.chars().count()).sum();
    if more == 0 {
        return Ok(());
    }
    let used = sql!(
        "SELECT CAST(COALESCE(SUM(LENGTH(COALESCE(marks, '')) + LENGTH(COALESCE(pins, ''))), 0) AS BIGINT) FROM assessments
         WHERE attempt_id = $1 AND question_id = $2",
        id.attempt,
        id.question
    );
    let (used,) = used.fetch_one::<(i64,)>(&kurso.db).await?;
    match used + i64::try_from(more).unwrap_or(i64::MAX) <= MAX_REMARKS {
        true => Ok(()),
        false => Err(Error::Conflict(Message::TooManyRemarks)),
    }
}

/// Fails with 422 for more points than the question has.
fn require_bounds(points: Points, most: i64) -> Result<()> {
    if points.parts() <= most {
        return Ok(());
    }
    let most = Points::of_parts(most);
    let said = serde_json::to_string(&most).map_err(Error::internal)?;
    let input = serde_json::to_value(points).map_err(Error::internal)?;
    let mut error = FieldError::body("less_than_equal", "points", Message::GivenTooMuch(said), input);
    error.ctx = Some(json!({"le": most}));
    Err(Error::invalid(error))
}
