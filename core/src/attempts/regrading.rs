//! Grades a stored attempt by another quiz. Pure.

use std::borrow::Cow;
use std::collections::HashMap;

use kurso_base::error::Result;
use kurso_formats::quiz::{Points, Quiz, answers_from_text, grade};
use uuid::Uuid;

use super::review::{AttemptRow, Remark, kept_results, kept_values};

/// Points that a grader gave, and the most that could be given.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Given {
    pub points: Points,
    pub most: Points,
}

/// The attempt with its answers graded by `quiz`, which has the questions of the attempt. Points that graders gave, by question, are scaled to
/// what the question is worth now; answers that wait keep waiting. None if the number of waiting answers would not be the same, because the
/// grading queue would not fit the attempt, or if no points would be left, because a percentage of 0 points means nothing.
pub(crate) fn regraded(row: &AttemptRow, quiz: &Quiz, given: &HashMap<Uuid, Given>) -> Result<Option<AttemptRow>> {
    let kept = kept_results(&row.results)?;
    let answers = answers_from_text(&row.answers)?;
    let quiz = match quiz.has_formulas() {
        true => Cow::Owned(quiz.clone().with_values(&kept_values(&row.results)?)),
        false => Cow::Borrowed(quiz),
    };
    let grade = grade(&quiz, &answers);
    let worth: HashMap<Uuid, Points> = grade
        .questions
        .iter()
        .map(|question| (question.question_id, question.max_points))
        .collect();
    let (mut decided, mut remarks) = (HashMap::new(), HashMap::new());
    for result in kept {
        let id = result.question_id;
        if let Some(worth) = worth.get(&id).filter(|_| !result.is_waiting) {
            let stored = Given {
                points: Points::nearest(result.points),
                most: result.max_points,
            };
            let Given { points, most } = given.get(&id).copied().unwrap_or(stored);
            decided.insert(id, points.scaled(most, *worth));
        }
        let remark = Remark {
            is_returned: result.is_returned,
            comment: result.comment,
            marks: result.marks,
            pins: result.pins,
        };
        remarks.insert(id, remark);
    }
    let after = row
        .clone()
        .regraded(quiz.pass_percent, grade.with_given(&decided), remarks)?;
    let has_points = after.max_score > 0.0 || row.max_score <= 0.0;
    Ok((after.waiting == row.waiting && has_points).then_some(after))
}
