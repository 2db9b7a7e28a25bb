//! Operations on answers to open questions: claims, assessments, release. The queue is a query.

use async_graphql::{Context, ID, InputObject, MaybeUndefined, Object, Result, SimpleObject};
use kurso_base::ids::{CourseId, PageId};
use kurso_base::messages::Message;
use kurso_core::assessments::{self, Assess, Assessed, Marks, Pins};
use serde_json::{Value, json};

use crate::context::{self, kurso, viewer};
use crate::error::wrap;
use crate::input::command;
use crate::language::say;
use crate::query::grading::{answer_id, filter};
use crate::types::{OpenAnswer, int};

#[derive(Default)]
pub struct GradingMutation;

/// An answer to an open question.
#[derive(InputObject)]
pub struct ClaimAnswerInput {
    /// ID of the attempt.
    attempt_id: ID,
    /// ID of the question.
    question_id: ID,
}

/// Result of claiming an answer. The caller has the claim unless `openedBy` names another grader.
#[derive(SimpleObject)]
pub struct ClaimAnswerPayload {
    /// The answer.
    answer: OpenAnswer,
}

/// The answers from which to claim the next one.
#[derive(InputObject)]
pub struct ClaimNextAnswerInput {
    /// ID of the course.
    course_id: ID,
    /// Only answers at this quiz page.
    page_id: Option<ID>,
    /// Only answers to this question.
    question_id: Option<ID>,
    /// ID of a group: only its students. `none`: only students without a group.
    group_id: Option<ID>,
}

/// Result of claiming the next answer.
#[derive(SimpleObject)]
pub struct ClaimNextAnswerPayload {
    /// The oldest waiting answer that no other grader has open; null when there is none.
    answer: Option<OpenAnswer>,
}

/// An assessment to store.
#[derive(InputObject)]
pub struct AssessAnswerInput {
    /// ID of the attempt.
    attempt_id: ID,
    /// ID of the question.
    question_id: ID,
    /// The version of the answer that the assessment is based on; 0 before the first assessment.
    version: i32,
    /// Returns work for revision: the student sees the comment at once, gets no points and may hand in again. Only for assignments, with
    /// `comment` and without `points` and `marks`.
    #[graphql(default)]
    is_returned: bool,
    /// 0 to the points of the question, at most four decimal places. Left out beside `marks`, unless they are their sum.
    points: Option<f64>,
    /// One level of each criterion of the rubric with which the question was asked. They give the points. Left out or empty: no marks, also none of
    /// an earlier assessment.
    marks: Option<Vec<MarkInput>>,
    /// Comments at places of the answer, at most 100. They replace earlier ones: left out or empty, no earlier ones are shown.
    pins: Option<Vec<PinnedCommentInput>>,
    /// 1 to 5000 characters. It replaces an earlier comment.
    comment: MaybeUndefined<String>,
}

/// The level that a grader chooses for a criterion.
#[derive(InputObject)]
pub struct MarkInput {
    /// ID of the criterion.
    criterion_id: ID,
    /// ID of the level.
    level_id: ID,
    /// 1 to 2000 characters.
    comment: Option<String>,
}

/// A grader's comment at a place of an answer: either `start` and `end`, or `fileId`, `x` and `y`.
#[derive(InputObject)]
pub struct PinnedCommentInput {
    /// Where the place in the text starts: offset in Unicode code points in the text nodes of the document in order, without separators.
    start: Option<i32>,
    /// Where it ends, exclusive.
    end: Option<i32>,
    /// ID of a picture among the files of the answer.
    file_id: Option<ID>,
    /// Percent of the width of the picture, 0 to 100.
    x: Option<f64>,
    /// Percent of the height of the picture, 0 to 100.
    y: Option<f64>,
    /// 1 to 2000 characters.
    comment: String,
}

/// A conflict is an expected outcome: nothing was changed, `answer` is null and `conflict` holds what is stored.
#[derive(SimpleObject)]
pub struct AssessAnswerPayload {
    /// The graded answer.
    answer: Option<OpenAnswer>,
    /// Why nothing was changed; null when the assessment was stored.
    conflict: Option<AssessmentConflict>,
}

/// Somebody else has graded the answer meanwhile.
#[derive(SimpleObject)]
pub struct AssessmentConflict {
    /// Why nothing was changed, in the language of the request.
    message: String,
    /// The stored answer.
    answer: OpenAnswer,
}

/// A quiz.
#[derive(InputObject)]
pub struct ReleaseAssessmentsInput {
    /// ID of the quiz page.
    page_id: ID,
}

/// Result of releasing the points of a quiz.
#[derive(SimpleObject)]
pub struct ReleaseAssessmentsPayload {
    /// Number of answers whose points students see now.
    released: i32,
    /// The result in words, in the language of the request.
    message: String,
}

#[Object]
impl GradingMutation {
    /// Claims the answer for two minutes, unless another grader has it open. Owner and teachers.
    async fn claim_answer(&self, ctx: &Context<'_>, input: ClaimAnswerInput) -> Result<ClaimAnswerPayload> {
        let viewer = viewer(ctx)?;
        let id = answer_id(ctx, &input.attempt_id, &input.question_id)?;
        let answer = assessments::claim(kurso(ctx), viewer, id).await.map_err(wrap(ctx))?;
        Ok(ClaimAnswerPayload { answer: answer.into() })
    }

    /// Claims the oldest waiting answer that no other grader has open, as `claimAnswer` does. Owner and teachers.
    async fn claim_next_answer(
        &self,
        ctx: &Context<'_>,
        input: ClaimNextAnswerInput,
    ) -> Result<ClaimNextAnswerPayload> {
        let viewer = viewer(ctx)?;
        let course: CourseId = context::id(ctx, "course_id", &input.course_id)?;
        let filter = filter(ctx, input.page_id, input.question_id, input.group_id)?;
        let answer = assessments::claim_next(kurso(ctx), viewer, course, &filter)
            .await
            .map_err(wrap(ctx))?;
        Ok(ClaimNextAnswerPayload {
            answer: answer.map(OpenAnswer::from),
        })
    }

    /// Assigns points or marks, and comments, to an answer; CONFLICT after 500 assessments. The student sees them at once, or when the points of the quiz
    /// are released together. An assessment that is based on an older version is a `conflict`. Owner and teachers.
    async fn assess_answer(&self, ctx: &Context<'_>, input: AssessAnswerInput) -> Result<AssessAnswerPayload> {
        let viewer = viewer(ctx)?;
        let id = answer_id(ctx, &input.attempt_id, &input.question_id)?;
        let assess = command!(
            ctx,
            Assess {
                version: required(input.version),
                is_returned: known(input.is_returned),
                points: optional(input.points),
                marks: optional(input.marks.map(|marks| Value::from_iter(marks.into_iter().map(mark)))),
                pins: optional(input.pins.map(|pins| Value::from_iter(pins.into_iter().map(pin)))),
                comment: optional(input.comment.take()),
            }
        );
        let assessed = assessments::assess(kurso(ctx), viewer, id, assess)
            .await
            .map_err(wrap(ctx))?;
        Ok(match assessed {
            Assessed::Stored(answer) => AssessAnswerPayload {
                answer: Some(answer.into()),
                conflict: None,
            },
            Assessed::Stale(answer) => AssessAnswerPayload {
                answer: None,
                conflict: Some(AssessmentConflict {
                    message: say(ctx, Message::AnswerGraded),
                    answer: answer.into(),
                }),
            },
        })
    }

    /// Shows students the points and comments of the graded answers at a quiz. Answers that nobody has graded keep waiting. Owner and teachers.
    async fn release_assessments(
        &self,
        ctx: &Context<'_>,
        input: ReleaseAssessmentsInput,
    ) -> Result<ReleaseAssessmentsPayload> {
        let viewer = viewer(ctx)?;
        let page: PageId = context::id(ctx, "page_id", &input.page_id)?;
        let released = assessments::release(kurso(ctx), viewer, page)
            .await
            .map_err(wrap(ctx))?;
        Ok(ReleaseAssessmentsPayload {
            released: int(released.answers),
            message: say(ctx, Message::AssessmentsReleased(released.answers)),
        })
    }
}

/// The entry in its REST form, because both APIs share one parser.
fn mark(input: MarkInput) -> Value {
    json!({
        (Marks::CRITERION): input.criterion_id.0,
        (Marks::LEVEL): input.level_id.0,
        (Marks::COMMENT): input.comment,
    })
}

/// As [`mark`].
fn pin(input: PinnedCommentInput) -> Value {
    let [start, end] = Pins::OFFSETS;
    let [x, y] = Pins::SIDES;
    json!({
        (start): input.start,
        (end): input.end,
        (Pins::FILE): input.file_id.map(|id| id.0),
        (x): input.x,
        (y): input.y,
        (Pins::COMMENT): input.comment,
    })
}
