//! The grading queue and its answers.

use async_graphql::{Context, ID, Object, Result};
use kurso_base::ids::CourseId;
use kurso_core::assessments::{self, AnswerFilter, AnswerId};

use crate::context::{self, kurso, viewer};
use crate::cost;
use crate::error::wrap;
use crate::lists::{self, window_at};
use crate::types::{AnswerState, GradingQueue, OpenAnswer, UsedRubric};

#[derive(Default)]
pub struct GradingQuery;

#[Object]
impl GradingQuery {
    /// Answers of a course to open questions, for its staff; FORBIDDEN for learners. `gradebookChanged` says when to read it again.
    #[allow(clippy::too_many_arguments, reason = "each is an argument of the field")]
    #[graphql(complexity = "cost::connection(first, child_complexity)")]
    async fn grading_queue(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "ID of the course.")] course_id: ID,
        #[graphql(desc = "Only answers at this quiz page.")] page_id: Option<ID>,
        #[graphql(desc = "Only answers to this question.")] question_id: Option<ID>,
        #[graphql(
            desc = "ID of a group: only its students; nobody when the course has no such group. `none`: only students without a group."
        )]
        group_id: Option<ID>,
        #[graphql(desc = "Grading state of the answers.", default)] state: AnswerState,
        #[graphql(desc = "Answers, at most 1000.", default = 100)] first: Option<i32>,
        #[graphql(desc = "Answers to skip from the start.", default = 0)] skip: Option<i32>,
    ) -> Result<GradingQueue> {
        let viewer = viewer(ctx)?;
        let course: CourseId = context::id(ctx, "course_id", &course_id)?;
        let filter = filter(ctx, page_id, question_id, group_id)?;
        let page = window_at(ctx, first, None, skip)?;
        let queue = assessments::grading_queue(kurso(ctx), viewer, course, &filter, state.into(), page)
            .await
            .map_err(wrap(ctx))?;
        cost::spend(ctx, queue.answers.len() + queue.questions.len())?;
        Ok(queue.into())
    }

    /// The rubrics of the questions of a course in its order, at most 200, for its staff; FORBIDDEN for learners.
    #[graphql(complexity = "cost::ALL_QUIZZES + cost::list(cost::GRADED, child_complexity)")]
    async fn course_rubrics(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "ID of the course.")] course_id: ID,
    ) -> Result<Vec<UsedRubric>> {
        let viewer = viewer(ctx)?;
        let course: CourseId = context::id(ctx, "course_id", &course_id)?;
        let rubrics = assessments::course_rubrics(kurso(ctx), viewer, course)
            .await
            .map_err(wrap(ctx))?;
        cost::spend(ctx, rubrics.len())?;
        Ok(rubrics.into_iter().map(UsedRubric::from).collect())
    }

    /// An answer to an open question, for the staff of its course; FORBIDDEN for learners.
    async fn open_answer(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "ID of the attempt.")] attempt_id: ID,
        #[graphql(desc = "ID of the question.")] question_id: ID,
    ) -> Result<OpenAnswer> {
        let viewer = viewer(ctx)?;
        let id = answer_id(ctx, &attempt_id, &question_id)?;
        let answer = assessments::open_answer(kurso(ctx), viewer, id)
            .await
            .map_err(wrap(ctx))?;
        Ok(answer.into())
    }
}

/// The answers that arguments select.
pub fn filter(
    ctx: &Context<'_>,
    page_id: Option<ID>,
    question_id: Option<ID>,
    group_id: Option<ID>,
) -> Result<AnswerFilter> {
    Ok(AnswerFilter {
        page: page_id.map(|id| context::id(ctx, "page_id", &id)).transpose()?,
        question: question_id.map(|id| context::id(ctx, "question_id", &id)).transpose()?,
        group: lists::group(ctx, group_id)?,
    })
}

pub fn answer_id(ctx: &Context<'_>, attempt: &ID, question: &ID) -> Result<AnswerId> {
    Ok(AnswerId {
        attempt: context::id(ctx, "attempt_id", attempt)?,
        question: context::id(ctx, "question_id", question)?,
    })
}
