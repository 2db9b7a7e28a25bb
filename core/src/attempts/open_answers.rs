//! Puts the answers of a new attempt into the grading queue, which `assessments` reads.

use kurso_base::error::Result;
use kurso_base::ids::{CourseId, EnrollmentId};
use kurso_db::{Tx, sql};
use kurso_formats::quiz::{Grade, Quiz};

use super::review::AttemptRow;

/// Adds the answers that wait for a grader to the queue. One statement for each.
pub(super) async fn queue(
    tx: &mut Tx,
    (course, enrollment): (CourseId, EnrollmentId),
    attempt: &AttemptRow,
    quiz: &Quiz,
    grade: &Grade,
) -> Result<()> {
    // The questions of the grade are in the order of the quiz.
    let questions = (1_i64..).zip(quiz.questions.iter().zip(&grade.questions));
    for (number, (question, _)) in questions.filter(|(_, (_, graded))| graded.is_waiting) {
        sql!(
            "INSERT INTO open_answers (attempt_id, question_id, course_id, page_id, user_id, number, max_points, submitted_at, state, version)
             SELECT $1, $2, $3, $4, user_id, $5, $6, $7, 'waiting', 0 FROM enrollments WHERE id = $8",
            attempt.id,
            question.id,
            course,
            attempt.page_id,
            number,
            question.points.parts(),
            attempt.submitted_at,
            enrollment
        )
        .execute(&mut *tx)
        .await?;
    }
    Ok(())
}
