//! Taking quizzes, trying them out, and giving attempts back.

use async_graphql::{Context, Enum, ID, InputObject, Object, Result, SimpleObject};
use kurso_base::error::Error;
use kurso_base::ids::{EnrollmentId, PageId};
use kurso_base::messages::Message;
use kurso_core::access::Right;
use kurso_core::attempts;
use kurso_core::learning::view::CourseView;
use kurso_formats::quiz::{AnswerDraft, FilledBlankDraft, MatchDraft, Submission};
use uuid::Uuid;

use crate::context::{self, kurso, say, viewer};
use crate::error::wrap;
use crate::types::{Attempt, Course, Lesson, Page, View, id_of, int};

#[derive(Default)]
pub struct QuizMutation;

/// A question without an answer scores 0.
#[derive(InputObject)]
pub struct SubmitQuizInput {
    /// Of the quiz.
    page_id: ID,
    /// At most one to a question.
    answers: Vec<QuizAnswerInput>,
    /// Of this one submission: sent again, it is answered with the same attempt.
    submission_id: Option<Uuid>,
    /// Of the page the answers are to. Of an older one nothing is taken.
    version: Option<i32>,
}

/// One of the fields beside `questionId`, by the kind of the question.
#[derive(InputObject)]
pub struct QuizAnswerInput {
    /// Which question.
    question_id: ID,
    /// At most one for a single choice.
    option_ids: Option<Vec<ID>>,
    /// Of a short text.
    text: Option<String>,
    /// As people write it, with a comma or a point.
    number: Option<String>,
    /// Of a matching.
    pairs: Option<Vec<MatchedPairInput>>,
    /// The items of an ordering, first to last.
    order: Option<Vec<ID>>,
    /// Of a text with blanks.
    blanks: Option<Vec<FilledBlankInput>>,
}

/// Two sides put together.
#[derive(InputObject)]
pub struct MatchedPairInput {
    /// One of the left sides.
    left_id: ID,
    /// One of the right sides.
    right_id: ID,
}

/// A text or an option.
#[derive(InputObject)]
pub struct FilledBlankInput {
    /// Which blank.
    blank_id: ID,
    /// What was written into it.
    text: Option<String>,
    /// What was picked for it.
    option_id: Option<ID>,
}

/// What became of a submission.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
pub enum SubmitOutcome {
    /// There is an attempt.
    Taken,
    /// Nothing was taken: no attempts are left.
    OutOfAttempts,
    /// Nothing was taken: the page has changed since the `version` of the input. `page` is the new one.
    QuizChanged,
}

/// What became of it, and the new state, from the page up to the course.
#[derive(SimpleObject)]
pub struct SubmitQuizPayload {
    /// Was it taken?
    outcome: SubmitOutcome,
    /// Null when nothing was taken.
    attempt: Option<Attempt>,
    /// Null when there is no limit.
    attempts_left: Option<i32>,
    /// Why nothing was taken.
    error: Option<String>,
    /// The page; the new one when the quiz has changed.
    page: Page,
    /// What the page is in.
    lesson: Lesson,
    /// The course, with the caller's new progress.
    course: Course,
}

/// Answers to be graded and forgotten.
#[derive(InputObject)]
pub struct TryQuizInput {
    /// Of the quiz.
    page_id: ID,
    /// At most one to a question.
    answers: Vec<QuizAnswerInput>,
    /// Of the page the answers are to. Those to an older one are not graded.
    version: Option<i32>,
}

/// What a learner would be shown.
#[derive(SimpleObject)]
pub struct TryQuizPayload {
    /// TAKEN or QUIZ_CHANGED.
    outcome: SubmitOutcome,
    /// What a learner would be shown of it as their first attempt. It is stored nowhere. Null when the quiz has changed.
    attempt: Option<Attempt>,
    /// Why nothing was graded.
    error: Option<String>,
    /// The page; the new one when the quiz has changed.
    page: Page,
}

/// An attempt beyond the limit.
#[derive(InputObject)]
pub struct GrantAttemptInput {
    /// The `id` of a `Student`.
    enrollment_id: ID,
    /// Of the quiz.
    page_id: ID,
}

/// The student may try again.
#[derive(SimpleObject)]
pub struct GrantAttemptPayload {
    /// To whom.
    enrollment_id: ID,
    /// At which quiz.
    page_id: ID,
    /// What was done, in the language of the request.
    message: String,
}

/// Attempts to give back.
#[derive(InputObject)]
pub struct ResetAttemptsInput {
    /// The `id` of a `Student`.
    enrollment_id: ID,
    /// Of the quiz.
    page_id: ID,
}

/// The student may try again.
#[derive(SimpleObject)]
pub struct ResetAttemptsPayload {
    /// Whose attempts.
    enrollment_id: ID,
    /// At which quiz.
    page_id: ID,
    /// How many attempts are gone.
    removed: i32,
    /// What was done, in the language of the request.
    message: String,
}

#[Object]
impl QuizMutation {
    /// Takes the caller's answers to the quiz of a page. FORBIDDEN without an enrollment; BAD_USER_INPUT for answers that do
    /// not fit, which use no attempt.
    async fn submit_quiz(&self, ctx: &Context<'_>, input: SubmitQuizInput) -> Result<SubmitQuizPayload> {
        let viewer = viewer(ctx)?;
        let id: PageId = context::id(ctx, "page_id", &input.page_id)?;
        let submission = submission(input.answers, input.submission_id, input.version).map_err(wrap(ctx))?;
        let (outcome, message) = match attempts::submit(kurso(ctx), viewer, id, submission).await {
            Ok(done) => {
                let attempt = Some(Attempt::from(&done.attempt));
                return Ok(payload((SubmitOutcome::Taken, None), attempt, done.view, done.place));
            }
            Err(Error::Conflict(message @ Message::OutOfAttempts)) => (SubmitOutcome::OutOfAttempts, message),
            Err(Error::Stale { message, .. }) => (SubmitOutcome::QuizChanged, message),
            Err(error) => return Err(wrap(ctx)(error)),
        };
        let (view, place) = CourseView::load_by_page(kurso(ctx), viewer, id, Right::Read)
            .await
            .map_err(wrap(ctx))?;
        Ok(payload((outcome, Some(say(ctx, message))), None, view, place))
    }

    /// Grades the answers of staff to the quiz of a page, published or not, and stores nothing. FORBIDDEN for learners;
    /// BAD_USER_INPUT for answers that do not fit.
    async fn try_quiz(&self, ctx: &Context<'_>, input: TryQuizInput) -> Result<TryQuizPayload> {
        let viewer = viewer(ctx)?;
        let id: PageId = context::id(ctx, "page_id", &input.page_id)?;
        let submission = submission(input.answers, None, input.version).map_err(wrap(ctx))?;
        let (outcome, attempt, error) = match attempts::try_out(kurso(ctx), viewer, id, submission).await {
            Ok(tried) => (SubmitOutcome::Taken, Some(Attempt::from(&tried.attempt)), None),
            Err(Error::Stale { message, .. }) => (SubmitOutcome::QuizChanged, None, Some(say(ctx, message))),
            Err(error) => return Err(wrap(ctx)(error)),
        };
        let (view, place) = CourseView::load_by_page(kurso(ctx), viewer, id, Right::Read)
            .await
            .map_err(wrap(ctx))?;
        Ok(TryQuizPayload {
            outcome,
            attempt,
            error,
            page: Page::at(&View::new(view), place),
        })
    }

    /// Gives a learner who has no attempts left one more at a quiz; nothing is removed. CONFLICT while attempts are left or without
    /// a limit. Owner, editors and teachers.
    async fn grant_attempt(&self, ctx: &Context<'_>, input: GrantAttemptInput) -> Result<GrantAttemptPayload> {
        let viewer = viewer(ctx)?;
        let enrollment: EnrollmentId = context::id(ctx, "enrollment_id", &input.enrollment_id)?;
        let page: PageId = context::id(ctx, "page_id", &input.page_id)?;
        attempts::grant(kurso(ctx), viewer, enrollment, page)
            .await
            .map_err(wrap(ctx))?;
        Ok(GrantAttemptPayload {
            enrollment_id: id_of(enrollment),
            page_id: id_of(page),
            message: say(ctx, Message::AttemptGranted),
        })
    }

    /// Removes a learner's attempts at a page. What was completed stays completed. Owner, editors and teachers.
    async fn reset_attempts(&self, ctx: &Context<'_>, input: ResetAttemptsInput) -> Result<ResetAttemptsPayload> {
        let viewer = viewer(ctx)?;
        let enrollment: EnrollmentId = context::id(ctx, "enrollment_id", &input.enrollment_id)?;
        let page: PageId = context::id(ctx, "page_id", &input.page_id)?;
        let removed = attempts::reset(kurso(ctx), viewer, enrollment, page)
            .await
            .map_err(wrap(ctx))?;
        Ok(ResetAttemptsPayload {
            enrollment_id: id_of(enrollment),
            page_id: id_of(page),
            removed: int(removed),
            message: say(ctx, Message::AttemptsReset(removed)),
        })
    }
}

fn payload(
    (outcome, error): (SubmitOutcome, Option<String>),
    attempt: Option<Attempt>,
    view: CourseView,
    place: usize,
) -> SubmitQuizPayload {
    let view = View::new(view);
    SubmitQuizPayload {
        outcome,
        attempt,
        attempts_left: view.attempts_left(place).map(int),
        error,
        lesson: Lesson::at(&view, view.page(place).lesson),
        course: Course::from_view(&view),
        page: Page::at(&view, place),
    }
}

fn submission(answers: Vec<QuizAnswerInput>, id: Option<Uuid>, version: Option<i32>) -> Result<Submission, Error> {
    let answers = answers.into_iter().map(AnswerDraft::from).collect();
    Submission::new(answers, id, version.map(i64::from))
}

impl From<QuizAnswerInput> for AnswerDraft {
    fn from(input: QuizAnswerInput) -> Self {
        let ids = |ids: Vec<ID>| ids.into_iter().map(String::from).collect();
        let pair = |pair: MatchedPairInput| MatchDraft {
            left_id: pair.left_id.0,
            right_id: pair.right_id.0,
        };
        let blank = |blank: FilledBlankInput| FilledBlankDraft {
            blank_id: blank.blank_id.0,
            text: blank.text,
            option_id: blank.option_id.map(String::from),
        };
        AnswerDraft {
            question_id: input.question_id.0,
            option_ids: input.option_ids.map(ids),
            text: input.text,
            number: input.number,
            pairs: input.pairs.map(|pairs| pairs.into_iter().map(pair).collect()),
            order: input.order.map(ids),
            blanks: input.blanks.map(|blanks| blanks.into_iter().map(blank).collect()),
        }
    }
}
