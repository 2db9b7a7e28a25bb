//! Operations on answers to open questions: claims, assessments, release. The queue is a query.

use async_graphql::{Context, ID, InputObject, MaybeUndefined, Object, Result, SimpleObject};
use kurso_base::ids::{CourseId, PageId};
use kurso_base::messages::Message;
use kurso_core::assessments::{self, Assess, Assessed};

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
    /// 0 to the points of the question, at most four decimal places.
    points: f64,
    /// 1 to 5000 characters. It replaces an earlier comment.
    comment: MaybeUndefined<String>,
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

    /// Assigns points and a comment to an answer; CONFLICT after 500 assessments. The student sees them at once, or when the points of the quiz
    /// are released together. An assessment that is based on an older version is a `conflict`. Owner and teachers.
    async fn assess_answer(&self, ctx: &Context<'_>, input: AssessAnswerInput) -> Result<AssessAnswerPayload> {
        let viewer = viewer(ctx)?;
        let id = answer_id(ctx, &input.attempt_id, &input.question_id)?;
        let assess = command!(
            ctx,
            Assess {
                version: required(input.version),
                points: required(input.points),
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
