//! Checks the answer to one question of a running attempt, and fixes it
//! ([decision 123](../../../../docs/decisions/0123-checking-question-by-question.md)).

use super::allowance::Given;
use super::save::saved_answers;
use super::{Running, answer_from_text, result_from_text};
use crate::Kurso;
use crate::access::Viewer;
use crate::attempts::review::{KeptResult, QuestionResult, Remark};
use crate::attempts::standing::standing;
use crate::courses::{self, Scope};
use crate::files::answers;
use crate::learning::LearnerAt;
use kurso_base::error::{Error, Result};
use kurso_base::ids::{AttemptId, PageId};
use kurso_base::messages::Message;
use kurso_db::{Executor, sql};
use kurso_formats::quiz::{Aliases, Answer, AnswerCheck, AnswerFile, Kind, Quiz, Seconds, files_of, grade};
use uuid::Uuid;

/// How often an answer is checked when one of its files is deleted meanwhile.
const TRIES: usize = 5;

/// Outcome of checking an answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Checked {
    /// The answer is fixed.
    Done(Box<CheckedAnswer>),
    /// The learner asked after the end of the time, or the request arrives after the grace period; nothing was checked.
    TimeIsOver { elapsed: f64 },
    /// The attempt was submitted or graded; nothing was checked.
    Ended,
}

/// A checked answer as its learner sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckedAnswer {
    /// The answer that counts: that of the first check.
    pub answer: Answer,
    pub result: QuestionResult,
    /// Seconds since the start, at the moment of the response.
    pub elapsed: f64,
}

/// Checks and fixes the answer to a question of the viewer's running attempt. Repeated, it returns the first result with the answer of that
/// check, whatever answer it brings. Fails with 404 for a page that the viewer cannot see, 403 without an enrollment or with a ticket that is
/// not theirs, 409 if the quiz of the attempt is checked at the end, 422 for an answer that does not fit its question or says nothing, and
/// with [`Error::Locked`].
pub async fn check(kurso: &Kurso, viewer: &Viewer, page: PageId, check: AnswerCheck) -> Result<Checked> {
    let arrives_at = kurso.clock.now();
    let at = LearnerAt::load(kurso, viewer, page).await?;
    at.view.page(at.place).kind.require_quiz()?;
    let attempt = kurso.tickets.attempt(&check.ticket, viewer.id());
    let attempt = attempt.ok_or(Error::Forbidden(Message::WrongTicket))?;
    let running = Running::find(&kurso.db, page, viewer.id()).await?;
    let Some(running) = running.filter(|running| running.id == attempt) else {
        return Ok(Checked::Ended);
    };
    let Some(quiz) = running.quiz(kurso).await? else {
        return Ok(Checked::Ended);
    };
    if !quiz.checks_each_question() {
        return Err(Error::Conflict(Message::ChecksAtEnd));
    }
    let timing = at.view.timeline_at(arrives_at).page(at.place);
    let span = running.span().ending(timing.closes_at);
    let checking = Checking {
        kurso,
        at: &at,
        running: &running,
        quiz: &quiz,
        aliases: kurso.quiz_key.aliases(at.enrollment.0),
    };
    for _ in 0..TRIES {
        // A repeated check is answered after the end of the time too.
        if let Some(fixed) = checking.fixed(check.question_id()).await? {
            let elapsed = span.elapsed(kurso.clock.now()).as_seconds_f64();
            return checking.shown(fixed, elapsed).await.map(Checked::Done);
        }
        let Some(given) = span.accepted(check.given_after, arrives_at) else {
            let elapsed = span.elapsed(kurso.clock.now()).as_seconds_f64();
            return Ok(Checked::TimeIsOver { elapsed });
        };
        let saved = saved_answers(&kurso.db, running.id).await?;
        let files = answers::uploaded(&kurso.db, viewer.id(), page, &check.file_ids()).await?;
        let answer = check.answer(&quiz, &checking.aliases, &files, &saved)?;
        let result = checking.graded(answer.clone()).await?;
        // Once stored, by this request or by another one, the next round finds it.
        if !checking.store(&answer, &result, given, check.seconds()).await? {
            return Ok(Checked::Ended);
        }
    }
    Err(Error::Busy)
}

struct Checking<'a> {
    kurso: &'a Kurso,
    at: &'a LearnerAt,
    running: &'a Running,
    quiz: &'a Quiz,
    aliases: Aliases<'a>,
}

/// A fixed answer as it is stored.
type Fixed = (Answer, KeptResult);

impl Checking<'_> {
    /// The answer to a question if it is fixed.
    async fn fixed(&self, question: Option<Uuid>) -> Result<Option<Fixed>> {
        let Some(question) = question else { return Ok(None) };
        fixed(&self.kurso.db, self.running.id, question).await
    }

    /// Grades the answer by its question alone.
    async fn graded(&self, answer: Answer) -> Result<KeptResult> {
        let question = answer.question_id;
        // The answer was read for this quiz, so the quiz has its question.
        let only = self.quiz.only(question).ok_or(Error::Busy)?;
        let mut values = only.values(&self.aliases, self.running.attempt_no);
        // An author's pattern may take long, so it does not run on the threads of the async runtime.
        let grading = tokio::task::spawn_blocking(move || {
            let grade = grade(&only.with_values(&values), &[answer]);
            let values = values.remove(&question).unwrap_or_default();
            let result = grade.questions.first();
            result.map(|result| KeptResult::new(result, values, Remark::default()))
        });
        grading.await.map_err(Error::internal)?.ok_or(Error::Busy)
    }

    /// Stores the answer with its result, unless another one is fixed already or a file of the answer was deleted meanwhile. False if the
    /// attempt has ended.
    async fn store(
        &self,
        answer: &Answer,
        result: &KeptResult,
        given: Given,
        seconds: Option<Seconds>,
    ) -> Result<bool> {
        let Running {
            id, page_id, user_id, ..
        } = *self.running;
        let question = self.quiz.question(answer.question_id);
        let takes_files = question.is_some_and(|question| matches!(question.kind, Kind::FileUpload { .. }));
        // As when answers are saved: the lock on the course prevents a deadlock with the deletion of the page.
        let mut tx = match takes_files {
            true => courses::begin(&self.kurso.db, self.at.view.course.id, Scope::Unchanged).await?,
            false => self.kurso.db.begin().await?,
        };
        // Locks the row: the end of the attempt and another check wait.
        let counted = sql!("UPDATE running_attempts SET saves = saves + 1 WHERE id = $1", id);
        if counted.execute(&mut tx).await? == 0 {
            tx.rollback().await?;
            return Ok(false);
        }
        let stored = sql!(
            "INSERT INTO running_answers (running_id, question_id, answer, given_after, tenths, result) VALUES ($1, $2, $3, $4, $5, $6)
             ON CONFLICT (running_id, question_id) DO UPDATE SET answer = excluded.answer, given_after = excluded.given_after,
               tenths = COALESCE(excluded.tenths, running_answers.tenths), result = excluded.result
             WHERE running_answers.result IS NULL",
            id,
            answer.question_id,
            serde_json::to_string(answer).map_err(Error::internal)?,
            given.after,
            seconds.map(Seconds::tenths),
            serde_json::to_string(result).map_err(Error::internal)?
        );
        let is_first = stored.execute(&mut tx).await? == 1;
        let mut is_kept = is_first;
        if is_first && takes_files {
            let files: Vec<AnswerFile> = files_of(&saved_answers(&mut tx, id).await?).cloned().collect();
            is_kept = answers::keep_drafted(&mut tx, (user_id, page_id), &files).await?;
        }
        match is_kept {
            true => tx.commit().await?,
            false => tx.rollback().await?,
        }
        Ok(true)
    }

    async fn shown(&self, (mut answer, result): Fixed, elapsed: f64) -> Result<Box<CheckedAnswer>> {
        let standing = standing(&self.kurso.db, self.at.enrollment, self.running.page_id).await?;
        let answers = std::slice::from_ref(&answer);
        let result = result.of_checked(self.quiz, answers, standing.passed, &self.aliases);
        self.kurso.file_urls().in_answers(std::slice::from_mut(&mut answer));
        let question = answer.question_id;
        Ok(Box::new(CheckedAnswer {
            answer: Answer {
                given: answer.given.with_aliases(&self.aliases, question),
                ..answer
            },
            result,
            elapsed,
        }))
    }
}

async fn fixed(on: impl Executor, running: AttemptId, question: Uuid) -> Result<Option<Fixed>> {
    let found = sql!(
        "SELECT answer, result FROM running_answers
         WHERE running_id = $1 AND question_id = $2 AND answer IS NOT NULL AND result IS NOT NULL",
        running,
        question
    );
    let found = found.fetch_optional::<(String, String)>(on).await?;
    found
        .map(|(answer, result)| Ok((answer_from_text(&answer)?, result_from_text(&result)?)))
        .transpose()
}
