//! Starts running attempts.

use chrono::Duration;

use super::{Running, RunningAttempt, RunningQuiz, Span, allowance, must_start};
use crate::Kurso;
use crate::access::Viewer;
use crate::attempts::standing::standing;
use crate::attempts::submit::{Present, Stored, limit};
use crate::attempts::{QuizPage, taken};
use crate::draws::{self, Drawer, Drawn};
use crate::learning::view::CourseView;
use crate::learning::{self, LearnerAt};
use kurso_base::error::{Error, Result};
use kurso_base::ids::{AttemptId, PageId};
use kurso_base::messages::Message;
use kurso_db::sql;
use kurso_formats::quiz::Quiz;

/// How often an attempt is started when the page changes meanwhile.
const TRIES: usize = 5;

/// A started attempt.
#[derive(Clone, Debug)]
pub struct Started {
    pub attempt: RunningAttempt,
    /// The quiz with its questions.
    pub quiz: QuizPage,
    pub view: CourseView,
    /// The page's place in it.
    pub place: usize,
}

/// Starts the viewer's attempt at a quiz that has a time limit or draws or is checked question by question, or returns the running
/// attempt. Fails with 404 for a page that the viewer cannot see or that has no quiz, 403 without an enrollment, 409 when the quiz has none of
/// these for the viewer, no attempts are left, or a bank has too few questions to draw from, and with [`Error::Locked`] and [`Error::Closed`] as the schedule of the page
/// says.
pub async fn start(kurso: &Kurso, viewer: &Viewer, page: PageId) -> Result<Started> {
    for _ in 0..TRIES {
        let at = LearnerAt::load(kurso, viewer, page).await?;
        at.view.page(at.place).kind.require_quiz()?;
        let at = at.with_page_numbers(kurso, viewer, page).await?;
        let running = match super::running_at(kurso, page, viewer.id()).await? {
            Some(running) => running,
            None => {
                begin(kurso, viewer, &at).await?;
                match super::running_at(kurso, page, viewer.id()).await? {
                    Some(running) => running,
                    None => continue, // something changed since it was read
                }
            }
        };
        return shown(kurso, at, &running).await;
    }
    Err(Error::Busy)
}

async fn shown(kurso: &Kurso, at: LearnerAt, running: &RunningQuiz) -> Result<Started> {
    let aliases = kurso.quiz_key.aliases(at.enrollment.0);
    let standing = standing(&kurso.db, at.enrollment, running.row.page_id).await?;
    let attempt = running.shown(kurso, &aliases, standing.passed, kurso.clock.now());
    let allowance = allowance(&at.view, at.place);
    Ok(Started {
        quiz: QuizPage::of(running.quiz.clone(), &standing, &aliases, allowance).during(attempt.clone()),
        attempt,
        view: at.view,
        place: at.place,
    })
}

/// Stores a new running attempt, unless one is running or something has changed since it was read.
async fn begin(kurso: &Kurso, viewer: &Viewer, at: &LearnerAt) -> Result<()> {
    let (view, place, enrollment) = (&at.view, at.place, at.enrollment);
    let page = view.page(place).id;
    let now = kurso.clock.now();
    let timing = view.timeline_at(now).page(place);
    timing.require_open()?;
    let stored = Stored::find(&kurso.db, page).await?;
    let quiz = stored.quiz()?;
    if quiz.questions.is_empty() {
        return Err(Error::NotFound(Message::NoQuiz));
    }
    let allowance = allowance(view, place);
    let time = allowance.duration(quiz.time_limit());
    if !must_start(allowance, &quiz) {
        return Err(Error::Conflict(Message::NoTimeLimit));
    }
    let span = Span::new(
        now,
        time,
        timing.closes_at,
        Duration::seconds(quiz.grace_seconds.into()),
    );
    let (drawn, drawn_for) = match drawn(kurso, at, &quiz).await {
        Err(Error::Busy) => return Ok(()), // a question was deleted meanwhile
        drawn => drawn?,
    };
    let mut tx = kurso.db.begin().await?;
    learning::lock_only(&mut tx, enrollment).await?;
    let present = Present::find(&mut tx, enrollment, page).await?;
    let is_running = Running::find(&mut tx, page, viewer.id()).await?.is_some();
    if is_running || !present.is_of(&stored, view) {
        tx.rollback().await?;
        return Ok(());
    }
    let standing = standing(&mut tx, enrollment, page).await?;
    if standing.attempts_left(limit(view, place, &quiz)) == Some(0) {
        return Err(Error::Conflict(Message::OutOfAttempts));
    }
    if drawn_for.is_some_and(|attempt_no| attempt_no != standing.last_no + 1) {
        tx.rollback().await?;
        return Ok(());
    }
    taken::keep(&mut tx, page, stored.version, &quiz).await?;
    let row = Running {
        id: AttemptId::new(),
        page_id: page,
        user_id: viewer.id(),
        attempt_no: standing.last_no + 1,
        quiz_version: stored.version,
        drawn: draws::to_text(&draws::ids(&drawn))?,
        started_at: span.started_at,
        ends_at: span.ends_at,
        closes_at: span.closes_at,
        saves: 0,
    };
    insert(&mut tx, &row).await?;
    if !drawn.is_empty() {
        // After the attempt, whose insertion locks the page: deleting the page locks it before its taken quizzes.
        taken::pool(&mut tx, page, stored.version, &drawn).await?;
    }
    tx.commit().await?;
    Ok(())
}

/// Draws the questions of a new attempt. Returns them with the number of the attempt for which they were drawn; nothing for a quiz without
/// draws. Fails with 409 if a bank has too few questions or no attempts are left, and with [`Error::Busy`] if a question is deleted meanwhile.
async fn drawn(kurso: &Kurso, at: &LearnerAt, quiz: &Quiz) -> Result<(Drawn, Option<i64>)> {
    if !quiz.has_draws() {
        return Ok((vec![], None));
    }
    let page = at.view.page(at.place).id;
    let standing = standing(&kurso.db, at.enrollment, page).await?;
    if standing.attempts_left(limit(&at.view, at.place, quiz)) == Some(0) {
        return Err(Error::Conflict(Message::OutOfAttempts));
    }
    let drawer = Drawer {
        aliases: kurso.quiz_key.aliases(at.enrollment.0),
        page,
        attempt_no: standing.last_no + 1,
    };
    let seen = draws::seen(&kurso.db, at.enrollment, page).await?;
    let drawn = drawer.draw(&kurso.db, quiz, &seen).await?;
    let drawn = drawn.ok_or(Error::Conflict(Message::BankTooSmall))?;
    Ok((drawn, Some(drawer.attempt_no)))
}

async fn insert(tx: &mut kurso_db::Tx, row: &Running) -> Result<()> {
    sql!(
        "INSERT INTO running_attempts (id, page_id, user_id, attempt_no, quiz_version, started_at, ends_at, closes_at, saves, drawn)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 0, $9)",
        row.id,
        row.page_id,
        row.user_id,
        row.attempt_no,
        row.quiz_version,
        row.started_at,
        row.ends_at,
        row.closes_at,
        &row.drawn
    )
    .execute(tx)
    .await?;
    Ok(())
}
