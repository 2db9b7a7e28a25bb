//! Checks the answer to one question of a running attempt, and fixes it
//! ([decision 123](../../../../docs/decisions/0123-checking-question-by-question.md)).

use super::allowance::Given;
use super::request::{AnswerRequest, takes_files};
use super::save::saved_answers;
use super::{answer_from_text, result_from_text};
use crate::Kurso;
use crate::access::Viewer;
use crate::attempts::review::{KeptResult, QuestionResult};
use crate::attempts::single;
use crate::attempts::standing::standing;
use crate::files::answers;
use kurso_base::error::{Error, Result};
use kurso_base::ids::PageId;
use kurso_base::messages::Message;
use kurso_db::sql;
use kurso_formats::quiz::{Aliases, Answer, AnswerCheck, Quiz, Seconds};
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
    /// Seconds from the start of the attempt to the response.
    pub elapsed: f64,
}

/// Checks the answer to a question of the viewer's running attempt, and fixes it. A repeated check returns the first result and the answer of the
/// first check, even if it sends another one. Fails with 404 for a page that the viewer cannot see, 403 without an enrollment or with a ticket
/// that is not theirs, 409 if the quiz of the attempt is checked at the end, 422 for an empty answer or one that does not fit its question, and
/// with [`Error::Locked`].
pub async fn check(kurso: &Kurso, viewer: &Viewer, page: PageId, check: AnswerCheck) -> Result<Checked> {
    let Some(request) = AnswerRequest::find(kurso, viewer, page, &check.ticket).await? else {
        return Ok(Checked::Ended);
    };
    let Some(quiz) = request.running.quiz(kurso).await? else {
        return Ok(Checked::Ended);
    };
    if !quiz.checks_each_question() {
        return Err(Error::Conflict(Message::ChecksAtEnd));
    }
    let checking = Checking {
        request: &request,
        quiz: &quiz,
        aliases: kurso.quiz_key.aliases(request.at.enrollment.0),
    };
    for _ in 0..TRIES {
        // A repeated check gets its result after the end of the time, too.
        if let Some(fixed) = checking.fixed(check.question_id()).await? {
            return checking.shown(fixed).await.map(Checked::Done);
        }
        let Some(given) = request.span.accepted(check.given_after, request.arrives_at) else {
            let elapsed = request.elapsed();
            return Ok(Checked::TimeIsOver { elapsed });
        };
        let saved = saved_answers(&kurso.db, request.running.id).await?;
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
    request: &'a AnswerRequest<'a>,
    quiz: &'a Quiz,
    aliases: Aliases<'a>,
}

/// A fixed answer as it is stored.
type Fixed = (Answer, KeptResult);

impl Checking<'_> {
    /// The answer to a question if it is fixed.
    async fn fixed(&self, question: Option<Uuid>) -> Result<Option<Fixed>> {
        let found = sql!(
            "SELECT answer, result FROM running_answers
             WHERE running_id = $1 AND question_id = $2 AND answer IS NOT NULL AND result IS NOT NULL",
            self.request.running.id,
            question
        );
        let found = found.fetch_optional::<(String, String)>(&self.request.kurso.db).await?;
        found
            .map(|(answer, result)| Ok((answer_from_text(&answer)?, result_from_text(&result)?)))
            .transpose()
    }

    /// Grades the answer by its question alone.
    async fn graded(&self, answer: Answer) -> Result<KeptResult> {
        // The answer was read for this quiz, so the quiz has its question.
        let only = self.quiz.only(answer.question_id).ok_or(Error::Busy)?;
        single::graded(&only, &self.aliases, self.request.running.attempt_no, Some(answer)).await
    }

    /// Stores the answer with its result, unless one is fixed already or a file of the answer was deleted meanwhile. False if the attempt has
    /// ended.
    async fn store(
        &self,
        answer: &Answer,
        result: &KeptResult,
        given: Given,
        seconds: Option<Seconds>,
    ) -> Result<bool> {
        let takes_files = self.quiz.question(answer.question_id).is_some_and(takes_files);
        let Some(mut tx) = self.request.begin(takes_files).await? else {
            return Ok(false);
        };
        let stored = sql!(
            "INSERT INTO running_answers (running_id, question_id, answer, given_after, tenths, result) VALUES ($1, $2, $3, $4, $5, $6)
             ON CONFLICT (running_id, question_id) DO UPDATE SET answer = excluded.answer, given_after = excluded.given_after,
               tenths = COALESCE(excluded.tenths, running_answers.tenths), result = excluded.result
             WHERE running_answers.result IS NULL",
            self.request.running.id,
            answer.question_id,
            serde_json::to_string(answer).map_err(Error::internal)?,
            given.after,
            seconds.map(Seconds::tenths),
            serde_json::to_string(result).map_err(Error::internal)?
        );
        let is_first = stored.execute(&mut tx).await? == 1;
        let is_kept = is_first && (!takes_files || self.request.keep_files(&mut tx).await?);
        match is_kept {
            true => tx.commit().await?,
            false => tx.rollback().await?,
        }
        Ok(true)
    }

    async fn shown(&self, (mut answer, result): Fixed) -> Result<Box<CheckedAnswer>> {
        let AnswerRequest { kurso, at, running, .. } = self.request;
        let standing = standing(&kurso.db, at.enrollment, running.page_id).await?;
        let answers = std::slice::from_ref(&answer);
        let result = result.of_checked(self.quiz, answers, standing.passed, &self.aliases);
        kurso.file_urls().in_answers(std::slice::from_mut(&mut answer));
        let question = answer.question_id;
        Ok(Box::new(CheckedAnswer {
            answer: Answer {
                given: answer.given.with_aliases(&self.aliases, question),
                ..answer
            },
            result,
            elapsed: self.request.elapsed(),
        }))
    }
}
