//! Taking quizzes, trying them out, and giving attempts back.

use async_graphql::{Context, Enum, ID, InputObject, Object, Result, SimpleObject};
use kurso_base::error::Error;
use kurso_base::ids::{EnrollmentId, PageId};
use kurso_base::messages::Message;
use kurso_core::access::Right;
use kurso_core::attempts;
use kurso_core::learning::view::CourseView;
use kurso_formats::quiz::{AnswerDraft, FilledBlankDraft, MatchDraft, PlaceDraft, Submission};
use serde_json::Number;
use uuid::Uuid;

use crate::context::{self, kurso, viewer};
use crate::error::wrap;
use crate::input::Fields;
use crate::language::say;
use crate::types::{Attempt, Course, Document, Lesson, Page, View, id_of, int};

#[derive(Default)]
pub struct QuizMutation;

/// Answers to a quiz. A question without an answer scores 0.
#[derive(InputObject)]
pub struct SubmitQuizInput {
    /// ID of the quiz page.
    page_id: ID,
    /// At most one per question.
    answers: Vec<QuizAnswerInput>,
    /// Client-generated ID of this submission. When it is sent again, the response is the same attempt.
    submission_id: Option<Uuid>,
    /// Version of the page that was answered. If the page has changed since, nothing is stored.
    version: Option<i32>,
    /// `attemptNo` of the quiz that was answered. If the next attempt has another number and other values in its formula questions, nothing is
    /// stored.
    attempt_no: Option<i32>,
}

/// An answer: `questionId` and another field, by the kind of the question.
#[derive(InputObject)]
pub struct QuizAnswerInput {
    /// ID of the question.
    question_id: ID,
    /// IDs of the selected options, at most one for a single choice question.
    option_ids: Option<Vec<ID>>,
    /// Text for a short text question.
    text: Option<String>,
    /// Number for a numeric question, with a decimal comma or point.
    number: Option<String>,
    /// Name of a unit of the numeric question, if it has units.
    unit: Option<String>,
    /// Pairs for a matching question.
    pairs: Option<Vec<MatchedPairInput>>,
    /// IDs of the items for an ordering question, first to last.
    order: Option<Vec<ID>>,
    /// Blanks for a fill-in-the-blanks question.
    blanks: Option<Vec<FilledBlankInput>>,
    /// Document for an essay question, without files, at most 256 KiB; a text counts as one paragraph.
    content: Option<Document>,
    /// IDs of files for a file upload question, as the REST call `upload_answer_file` returned them.
    file_ids: Option<Vec<ID>>,
    /// Links for an assignment: addresses on the web of at most 2000 characters. An assignment takes `content`, `fileIds` and `links` together.
    links: Option<Vec<String>>,
    /// Marked places for a hotspot question, at most `maxPlaces`.
    places: Option<Vec<PlaceInput>>,
    /// Seconds that the student has spent on the question in this attempt so far, 0 to 86400, with at most one decimal place.
    seconds: Option<f64>,
}

/// A marked place on a picture, with at most three decimal places.
#[derive(InputObject)]
pub struct PlaceInput {
    /// Percent of the width of the picture, 0 to 100.
    x: f64,
    /// Percent of the height of the picture, 0 to 100.
    y: f64,
}

/// A left side and the right side that is assigned to it.
#[derive(InputObject)]
pub struct MatchedPairInput {
    /// ID of the left side.
    left_id: ID,
    /// ID of the right side.
    right_id: ID,
}

/// The content of a blank: a text or an option.
#[derive(InputObject)]
pub struct FilledBlankInput {
    /// ID of the blank.
    blank_id: ID,
    /// Entered text.
    text: Option<String>,
    /// ID of the selected option.
    option_id: Option<ID>,
}

/// Outcome of a submission.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
pub enum SubmitOutcome {
    /// The answers were graded.
    Taken,
    /// No attempts are left; nothing was stored.
    OutOfAttempts,
    /// The page has changed since the `version` of the input, or another attempt has been made; nothing was stored. `page` is the current page.
    QuizChanged,
}

/// The outcome, and the new state of the page, its lesson and the course.
#[derive(SimpleObject)]
pub struct SubmitQuizPayload {
    /// Outcome.
    outcome: SubmitOutcome,
    /// The attempt; null when nothing was stored.
    attempt: Option<Attempt>,
    /// Number of attempts left; null when there is no limit.
    attempts_left: Option<i32>,
    /// Reason why nothing was stored, in the language of the request.
    error: Option<String>,
    /// The current page.
    page: Page,
    /// The lesson of the page.
    lesson: Lesson,
    /// The course, with the caller's new progress.
    course: Course,
}

/// Answers that are graded without being stored.
#[derive(InputObject)]
pub struct TryQuizInput {
    /// ID of the quiz page.
    page_id: ID,
    /// At most one per question.
    answers: Vec<QuizAnswerInput>,
    /// Version of the page that was answered. If the page has changed since, nothing is graded.
    version: Option<i32>,
    /// True: the quiz is that of the unpublished changes of the page, if it has any, and `version` that of these. FORBIDDEN for callers who
    /// may not edit.
    #[graphql(default)]
    draft: bool,
}

/// The result that a learner would get.
#[derive(SimpleObject)]
pub struct TryQuizPayload {
    /// TAKEN or QUIZ_CHANGED.
    outcome: SubmitOutcome,
    /// The result that a learner would get for a first attempt; it is not stored. Null when the quiz has changed.
    attempt: Option<Attempt>,
    /// Reason why nothing was graded, in the language of the request.
    error: Option<String>,
    /// The current page.
    page: Page,
}

/// One attempt beyond the limit of a quiz.
#[derive(InputObject)]
pub struct GrantAttemptInput {
    /// The `id` of a `Student`.
    enrollment_id: ID,
    /// ID of the quiz page.
    page_id: ID,
}

/// Result of granting an attempt.
#[derive(SimpleObject)]
pub struct GrantAttemptPayload {
    /// ID of the enrollment.
    enrollment_id: ID,
    /// The quiz page.
    page_id: ID,
    /// What `takeBackAttempt` needs to take back exactly what was given.
    grant: String,
    /// The result in words, in the language of the request.
    message: String,
}

/// A granted attempt that is not used.
#[derive(InputObject)]
pub struct TakeBackAttemptInput {
    /// The `id` of a `Student`.
    enrollment_id: ID,
    /// ID of the quiz page.
    page_id: ID,
    /// The `grant` of the payload that gave the attempt: exactly what it gave is taken back, if there have been no attempt and no other grant
    /// since. Without it, one attempt is taken back.
    grant: Option<String>,
}

/// Result of taking back an attempt.
#[derive(SimpleObject)]
pub struct TakeBackAttemptPayload {
    /// ID of the enrollment.
    enrollment_id: ID,
    /// The quiz page.
    page_id: ID,
    /// The result in words, in the language of the request.
    message: String,
}

/// Attempts to delete.
#[derive(InputObject)]
pub struct ResetAttemptsInput {
    /// The `id` of a `Student`.
    enrollment_id: ID,
    /// ID of the quiz page.
    page_id: ID,
}

/// Result of deleting attempts.
#[derive(SimpleObject)]
pub struct ResetAttemptsPayload {
    /// ID of the enrollment.
    enrollment_id: ID,
    /// The quiz page.
    page_id: ID,
    /// Number of deleted attempts.
    removed: i32,
    /// The result in words, in the language of the request.
    message: String,
}

#[Object]
impl QuizMutation {
    /// Grades the caller's answers to the quiz of a page and stores the attempt. Ends the running attempt at a quiz with a time limit. FORBIDDEN without
    /// an enrollment; CONFLICT if the time is limited and no attempt is running; BAD_USER_INPUT for invalid answers, which use no attempt.
    async fn submit_quiz(&self, ctx: &Context<'_>, input: SubmitQuizInput) -> Result<SubmitQuizPayload> {
        let viewer = viewer(ctx)?;
        let id: PageId = context::id(ctx, "page_id", &input.page_id)?;
        let submission =
            submission(input.answers, input.submission_id, (input.version, input.attempt_no)).map_err(wrap(ctx))?;
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
    /// BAD_USER_INPUT for invalid answers.
    async fn try_quiz(&self, ctx: &Context<'_>, input: TryQuizInput) -> Result<TryQuizPayload> {
        let viewer = viewer(ctx)?;
        let id: PageId = context::id(ctx, "page_id", &input.page_id)?;
        let submission = submission(input.answers, None, (input.version, None)).map_err(wrap(ctx))?;
        let (outcome, attempt, error) = match attempts::try_out(kurso(ctx), viewer, id, submission, input.draft).await {
            Ok(tried) => (SubmitOutcome::Taken, Some(Attempt::from(&tried.attempt)), None),
            Err(Error::Stale { message, .. }) => (SubmitOutcome::QuizChanged, None, Some(say(ctx, message))),
            Err(error) => return Err(wrap(ctx)(error)),
        };
        let page = match input.draft {
            true => Page::load_drafted(ctx, id).await?,
            false => Page::load(ctx, id).await?,
        };
        Ok(TryQuizPayload {
            outcome,
            attempt,
            error,
            page,
        })
    }

    /// Gives a learner without attempts left one more at a quiz. CONFLICT while attempts are left, and without a limit. Owner, editors and teachers.
    async fn grant_attempt(&self, ctx: &Context<'_>, input: GrantAttemptInput) -> Result<GrantAttemptPayload> {
        let viewer = viewer(ctx)?;
        let enrollment: EnrollmentId = context::id(ctx, "enrollment_id", &input.enrollment_id)?;
        let page: PageId = context::id(ctx, "page_id", &input.page_id)?;
        let grant = attempts::grant(kurso(ctx), viewer, enrollment, page)
            .await
            .map_err(wrap(ctx))?;
        Ok(GrantAttemptPayload {
            enrollment_id: id_of(enrollment),
            page_id: id_of(page),
            grant: grant.to_string(),
            message: say(ctx, Message::AttemptGranted),
        })
    }

    /// Takes back an attempt that `grantAttempt` gave. CONFLICT when none was given, when it is used, and when others
    /// were given since the `grant`. Owner, editors and teachers.
    async fn take_back_attempt(
        &self,
        ctx: &Context<'_>,
        input: TakeBackAttemptInput,
    ) -> Result<TakeBackAttemptPayload> {
        let viewer = viewer(ctx)?;
        let enrollment: EnrollmentId = context::id(ctx, "enrollment_id", &input.enrollment_id)?;
        let page: PageId = context::id(ctx, "page_id", &input.page_id)?;
        let mut fields = Fields::default();
        let grant = fields.optional("grant", input.grant);
        let grant = fields.finish(grant).map_err(wrap(ctx))?;
        attempts::take_back(kurso(ctx), viewer, enrollment, page, grant)
            .await
            .map_err(wrap(ctx))?;
        Ok(TakeBackAttemptPayload {
            enrollment_id: id_of(enrollment),
            page_id: id_of(page),
            message: say(ctx, Message::AttemptTakenBack),
        })
    }

    /// Deletes a learner's attempts at a page. A completion that was reached remains. Owner, editors and teachers.
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

fn submission(
    answers: Vec<QuizAnswerInput>,
    id: Option<Uuid>,
    (version, attempt_no): (Option<i32>, Option<i32>),
) -> Result<Submission, Error> {
    let answers = answers.into_iter().map(AnswerDraft::from).collect();
    Submission::new(answers, id, version.map(i64::from), attempt_no.map(i64::from))
}

/// A float as a JSON number; one that JSON cannot express is out of all bounds.
fn number(sent: f64) -> Number {
    Number::from_f64(sent).unwrap_or_else(|| Number::from(-1))
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
        let place = |place: &PlaceInput| PlaceDraft {
            x: number(place.x),
            y: number(place.y),
        };
        AnswerDraft {
            question_id: input.question_id.0,
            option_ids: input.option_ids.map(ids),
            text: input.text,
            number: input.number,
            unit: input.unit,
            pairs: input.pairs.map(|pairs| pairs.into_iter().map(pair).collect()),
            order: input.order.map(ids),
            blanks: input.blanks.map(|blanks| blanks.into_iter().map(blank).collect()),
            content: input.content.map(serde_json::Value::from),
            file_ids: input.file_ids.map(ids),
            links: input.links,
            places: input.places.map(|places| places.iter().map(place).collect()),
            seconds: input.seconds.map(number),
        }
    }
}
