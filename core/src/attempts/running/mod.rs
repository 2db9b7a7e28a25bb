//! Running attempts at quizzes that have a time limit, draw questions or are checked question by question. A row exists from the start of an attempt to its end
//! ([decision 102](../../../../docs/decisions/0102-timed-quizzes.md)). Each answer is saved as it is given. The time ends on the server: what
//! was saved is then graded, also if the learner's device is gone.

mod allowance;
mod check;
mod finish;
mod request;
mod save;
mod start;
mod ticket;

use std::collections::{HashMap, HashSet};

use chrono::{DateTime, Utc};

pub use allowance::Allowance;
pub(super) use allowance::Span;
pub use check::{Checked, CheckedAnswer, check};
pub(crate) use finish::end_all;
pub use finish::{MARGIN, finish_due, work};
pub use save::{Saved, save};
pub use start::{Started, start};
pub use ticket::TicketSigner;

use super::review::{KeptResult, QuestionResult};
use crate::Kurso;
use crate::courses::overrides::Place;
use crate::draws;
use crate::files::answers;
use crate::learning::view::CourseView;
use kurso_base::error::{Error, Result};
use kurso_base::ids::{AttemptId, EnrollmentId, PageId, UserId};
use kurso_base::wire;
use kurso_db::{Executor, Tx, sql};
use kurso_formats::quiz::{Aliases, Answer, Quiz, Seconds, Times};
use uuid::Uuid;

/// A running attempt as its learner sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct RunningAttempt {
    /// From 1.
    pub attempt_no: i64,
    pub started_at: DateTime<Utc>,
    /// None if it has no end.
    pub ends_at: Option<DateTime<Utc>>,
    /// Seconds between the start and the end; None if it has no end.
    pub duration: Option<f64>,
    /// Seconds from the start of the attempt to the response.
    pub elapsed: f64,
    /// Seconds after the end in which answers that were given in time are still accepted; 0 if it has no end.
    pub grace: i64,
    /// Proof of the start, which [`save`] needs.
    pub ticket: String,
    /// The saved answers, with the ids that the learner knows.
    pub answers: Vec<Answer>,
    /// The results of the checked questions, whose answers are fixed, without what `reveal` hides.
    pub checked: Vec<QuestionResult>,
}

/// A running attempt as it is stored.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub(super) struct Running {
    /// Also that of the attempt that it becomes.
    pub id: AttemptId,
    pub page_id: PageId,
    pub user_id: UserId,
    pub attempt_no: i64,
    pub quiz_version: i64,
    /// What it has drawn, as it is stored.
    pub drawn: Option<String>,
    pub started_at: DateTime<Utc>,
    /// None without a time limit on a page that never closes.
    pub ends_at: Option<DateTime<Utc>>,
    pub closes_at: Option<DateTime<Utc>>,
    /// Incremented by each save.
    pub saves: i64,
}

macro_rules! running_columns {
    () => {
        "r.id, r.page_id, r.user_id, r.attempt_no, r.quiz_version, r.drawn, r.started_at, r.ends_at, r.closes_at, r.saves"
    };
}
use running_columns;

/// A running attempt with its quiz, as it was when the attempt started, and the saved answers.
pub(super) struct RunningQuiz {
    pub row: Running,
    pub quiz: Quiz,
    pub answers: Vec<Answer>,
    /// The results of the questions that were checked, whose answers are fixed.
    pub checked: Vec<KeptResult>,
    /// How long the learner has spent on the questions, as it was saved.
    pub times: Times,
}

impl Running {
    pub fn span(&self) -> Span {
        Span {
            started_at: self.started_at,
            ends_at: self.ends_at,
            closes_at: self.closes_at,
        }
    }

    /// The running attempt of a learner at a page.
    pub async fn find(on: impl Executor, page: PageId, learner: UserId) -> Result<Option<Self>> {
        let found = sql!(
            concat!(
                "SELECT ",
                running_columns!(),
                " FROM running_attempts r WHERE r.page_id = $1 AND r.user_id = $2"
            ),
            page,
            learner
        );
        Ok(found.fetch_optional(on).await?)
    }

    /// The running attempts of enrollments at pages. One statement.
    async fn of(on: impl Executor, seen: &[(PageId, EnrollmentId)]) -> Result<HashMap<(PageId, EnrollmentId), Self>> {
        let rows = sql!(concat!(
            "SELECT e.id AS enrollment_id, ",
            running_columns!(),
            " FROM running_attempts r JOIN enrollments e ON e.user_id = r.user_id WHERE e.id IN "
        ))
        .push_in(seen.iter().map(|(_, enrollment)| *enrollment).collect::<HashSet<_>>())
        .push(" AND r.page_id IN ")
        .push_in(seen.iter().map(|(page, _)| *page).collect::<HashSet<_>>())
        .fetch_all::<EnrolledRow>(on)
        .await?;
        let rows = rows
            .into_iter()
            .map(|row| ((row.running.page_id, row.enrollment_id), row.running));
        Ok(rows.filter(|(key, _)| seen.contains(key)).collect())
    }

    /// Ends the attempt: only one of several callers succeeds, and only if nothing was saved since the row was read. Its answers go with it.
    pub async fn remove(&self, tx: &mut Tx) -> Result<bool> {
        let removed = sql!(
            "DELETE FROM running_attempts WHERE id = $1 AND saves = $2",
            self.id,
            self.saves
        );
        Ok(removed.execute(tx).await? == 1)
    }

    /// Its quiz, with what it has drawn; None if the page was deleted meanwhile. One statement.
    pub async fn quiz(&self, kurso: &Kurso) -> Result<Option<Quiz>> {
        let text = sql!(
            "SELECT quiz FROM taken_quizzes WHERE page_id = $1 AND version = $2",
            self.page_id,
            self.quiz_version
        );
        let Some((text,)) = text.fetch_optional::<(String,)>(&kurso.db).await? else {
            return Ok(None);
        };
        // A quiz may have 2 MiB, so it is not parsed on the threads of the async runtime.
        let drawn = self.drawn.clone();
        let parsing = tokio::task::spawn_blocking(move || draws::resolved(Quiz::from_text(&text)?, drawn.as_deref()));
        parsing.await.map_err(Error::internal)?.map(Some)
    }
}

impl RunningQuiz {
    /// The questions whose answers are fixed.
    pub fn fixed(&self) -> HashSet<Uuid> {
        self.checked.iter().map(|result| result.question_id).collect()
    }

    /// For its learner, at the moment `now`. `has_passed` holds if an earlier attempt passed.
    pub fn shown(&self, kurso: &Kurso, aliases: &Aliases<'_>, has_passed: bool, now: DateTime<Utc>) -> RunningAttempt {
        let checked = self.checked.iter().cloned();
        let checked = checked.map(|kept| kept.of_checked(&self.quiz, &self.answers, has_passed, aliases));
        let row = &self.row;
        let span = row.span();
        let mut answers: Vec<Answer> = self.answers.clone();
        for answer in &mut answers {
            let given = std::mem::replace(&mut answer.given, kurso_formats::quiz::Given::Options(vec![]));
            answer.given = given.with_aliases(aliases, answer.question_id);
        }
        kurso.file_urls().in_answers(&mut answers);
        RunningAttempt {
            attempt_no: row.attempt_no,
            started_at: row.started_at,
            ends_at: row.ends_at,
            duration: span.duration().map(|duration| duration.as_seconds_f64()),
            elapsed: span.elapsed(now).as_seconds_f64(),
            grace: span.grace().num_seconds(),
            ticket: kurso.tickets.ticket(row.id, row.user_id),
            checked: checked.collect(),
            answers,
        }
    }
}

#[derive(sqlx::FromRow)]
struct EnrolledRow {
    enrollment_id: EnrollmentId,
    #[sqlx(flatten)]
    running: Running,
}

/// What was saved of a question of a running attempt.
#[derive(sqlx::FromRow)]
struct SavedRow {
    running_id: AttemptId,
    question_id: Uuid,
    /// None if it was removed.
    answer: Option<String>,
    /// Tenths of a second that the learner has spent on the question.
    tenths: Option<i64>,
    /// None if it was not checked.
    result: Option<String>,
}

/// How much of the usual time the viewer has for the quiz at a place.
pub fn allowance(view: &CourseView, place: usize) -> Allowance {
    Allowance::of(view.own.at(Place::Page(place)).time_factor)
}

/// Whether a learner with this time starts an attempt before answering the quiz: the time is limited, the attempt draws questions, or each
/// question is checked during the attempt.
pub fn must_start(allowance: Allowance, quiz: &Quiz) -> bool {
    allowance.duration(quiz.time_limit()).is_some() || quiz.has_draws() || quiz.checks_each_question()
}

/// The running attempts of learners at pages, each with its quiz. At most three statements.
pub(super) async fn running_of(
    kurso: &Kurso,
    seen: &[(PageId, EnrollmentId)],
) -> Result<HashMap<(PageId, EnrollmentId), RunningQuiz>> {
    if seen.is_empty() {
        return Ok(HashMap::new());
    }
    let found = Running::of(&kurso.db, seen).await?;
    let keys: HashMap<AttemptId, (PageId, EnrollmentId)> = found.iter().map(|(key, row)| (row.id, *key)).collect();
    let quizzes = with_quizzes(kurso, found.into_values().collect()).await?;
    let keyed = quizzes
        .into_iter()
        .filter_map(|quiz| Some((*keys.get(&quiz.row.id)?, quiz)));
    Ok(keyed.collect())
}

/// The running attempt of a learner at a page, with its quiz.
pub(super) async fn running_at(kurso: &Kurso, page: PageId, learner: UserId) -> Result<Option<RunningQuiz>> {
    let row = Running::find(&kurso.db, page, learner).await?;
    Ok(with_quizzes(kurso, row.into_iter().collect()).await?.pop())
}

/// Running attempts with their quizzes and saved answers, without those whose page was deleted meanwhile. Two statements, none without attempts.
async fn with_quizzes(kurso: &Kurso, rows: Vec<Running>) -> Result<Vec<RunningQuiz>> {
    if rows.is_empty() {
        return Ok(vec![]);
    }
    let ids: Vec<AttemptId> = rows.iter().map(|row| row.id).collect();
    let texts = sql!(
        "SELECT r.id, t.quiz FROM running_attempts r
         JOIN taken_quizzes t ON t.page_id = r.page_id AND t.version = r.quiz_version WHERE r.id IN "
    );
    let texts = texts.push_in(ids.iter().copied());
    let texts: HashMap<AttemptId, String> = texts
        .fetch_all::<(AttemptId, String)>(&kurso.db)
        .await?
        .into_iter()
        .collect();
    let saved =
        sql!("SELECT running_id, question_id, answer, tenths, result FROM running_answers WHERE running_id IN ")
            .push_in(ids.iter().copied())
            .push(" ORDER BY running_id, given_after, question_id")
            .fetch_all::<SavedRow>(&kurso.db)
            .await?;
    // A quiz may have 2 MiB, so it is not parsed on the threads of the async runtime.
    let parsing = tokio::task::spawn_blocking(move || parsed(rows, &texts, &saved));
    parsing.await.map_err(Error::internal)?
}

fn parsed(rows: Vec<Running>, texts: &HashMap<AttemptId, String>, saved: &[SavedRow]) -> Result<Vec<RunningQuiz>> {
    let mut answers: HashMap<AttemptId, Vec<Answer>> = HashMap::new();
    let mut times: HashMap<AttemptId, Times> = HashMap::new();
    let mut checked: HashMap<AttemptId, Vec<KeptResult>> = HashMap::new();
    for row in saved {
        if let Some(text) = &row.answer {
            let answers = answers.entry(row.running_id).or_default();
            answers.push(answer_from_text(text)?);
        }
        if let Some(text) = &row.result {
            checked.entry(row.running_id).or_default().push(result_from_text(text)?);
        }
        if let Some(tenths) = row.tenths {
            let times = times.entry(row.running_id).or_default();
            times.insert(row.question_id, Seconds::of_tenths(tenths));
        }
    }
    let mut found = Vec::with_capacity(rows.len());
    for row in rows {
        let Some(text) = texts.get(&row.id) else { continue };
        found.push(RunningQuiz {
            quiz: draws::resolved(Quiz::from_text(text)?, row.drawn.as_deref())?,
            answers: answers.remove(&row.id).unwrap_or_default(),
            checked: checked.remove(&row.id).unwrap_or_default(),
            times: times.remove(&row.id).unwrap_or_default(),
            row,
        });
    }
    Ok(found)
}

/// Removes the running attempt of a learner at a page whose attempts are reset, and returns the number of those removed, 0 or 1. The cleanup job
/// deletes the files of its answers.
pub(super) async fn discard(tx: &mut Tx, enrollment: EnrollmentId, page: PageId) -> Result<u64> {
    let removed = sql!(
        "DELETE FROM running_attempts WHERE page_id = $1 AND user_id = (SELECT user_id FROM enrollments WHERE id = $2) RETURNING user_id",
        page,
        enrollment
    );
    let Some((learner,)) = removed.fetch_optional::<(UserId,)>(&mut *tx).await? else {
        return Ok(0);
    };
    answers::keep_drafted(tx, (learner, page), &[]).await?;
    Ok(1)
}

/// Whether the learner has a running attempt at a page.
pub(crate) async fn is_running(on: impl Executor, enrollment: EnrollmentId, page: PageId) -> Result<bool> {
    let found = sql!(
        "SELECT 1 FROM running_attempts r JOIN enrollments e ON e.user_id = r.user_id WHERE e.id = $1 AND r.page_id = $2",
        enrollment,
        page
    );
    Ok(found.fetch_optional::<(i32,)>(on).await?.is_some())
}

/// Reads the JSON text of the result of a checked question.
pub(super) fn result_from_text(text: &str) -> Result<KeptResult> {
    serde_json::from_str(text).map_err(Error::internal)
}

/// Whether the text is the result of a checked question.
pub(crate) fn is_result(text: &str) -> bool {
    result_from_text(text).is_ok()
}

/// Reads the JSON text of a saved answer.
pub(crate) fn answer_from_text(text: &str) -> Result<Answer> {
    wire::read_stored(text).map_err(Error::internal)
}
