//! Submitting a quiz. An attempt refers to the version that was taken. The submissions of a learner are serialised.

use chrono::{DateTime, Utc};
use serde_json::{Value, json};

use super::QuizPage;
use super::record::{Ending, Graded, Recording};
use super::returns;
use super::review::{Attempt, AttemptRow, attempt_columns};
use super::running::{self, RunningQuiz};
use super::standing::{Standing, standing};
use super::taken::{self, TakenQuizzes};
use super::work;
use crate::Kurso;
use crate::access::Viewer;
use crate::courses::overrides::Place;
use crate::courses::page::draft;
use crate::files;
use crate::learning::{self, LearnerAt, view::CourseView};
use kurso_base::error::{Error, Result};
use kurso_base::ids::{AttemptId, EnrollmentId, GroupId, PageId};
use kurso_base::messages::Message;
use kurso_base::wire;
use kurso_db::sql;
use kurso_db::{Db, Executor, Tx};
use kurso_formats::content;
use kurso_formats::quiz::{Aliases, At, Problem, Problems, Quiz, Submission};

/// How often a submission is tried when the page changes while it is graded.
const TRIES: usize = 5;

/// The result of a submission.
#[derive(Clone, Debug)]
pub struct Submitted {
    pub attempt: Attempt,
    /// None when there is no limit.
    pub attempts_left: Option<i64>,
    /// The course with the learner's new progress.
    pub view: CourseView,
    /// The page's place in it.
    pub place: usize,
}

/// Stores a learner's answers as an attempt. Fails with 404 for a page that the viewer cannot see, 403 without an enrollment,
/// 409 when the quiz has changed since the `version` of the submission or no attempts are left, and 422 for answers that do
/// not fit the quiz; with [`Error::Locked`] and [`Error::Closed`] as the schedule of the page says. None of these uses an attempt. A `submission_id` that is already stored returns its attempt.
///
/// A submission to a quiz with running attempts ends the one that runs; without one it fails with 409. Its answers take the place of the
/// saved ones, except those that were checked, unless it arrives after the end of the time. The quiz is that of the start, whatever its `version` says.
///
/// What counts is when the submission arrives, not when it is graded; dates, overrides and the limit are those of the moment when the
/// attempt is stored.
pub async fn submit(kurso: &Kurso, viewer: &Viewer, page: PageId, submission: Submission) -> Result<Submitted> {
    let arrived_at = kurso.clock.now();
    let at = LearnerAt::load(kurso, viewer, page).await?;
    at.view.page(at.place).kind.require_quiz()?;
    let LearnerAt {
        view,
        place,
        enrollment,
    } = at.with_page_numbers(kurso, viewer, page).await?;
    let mut taking = Taking {
        recording: Recording {
            kurso,
            view,
            place,
            enrollment,
            learner: viewer.id(),
            page,
        },
        submission,
        arrived_at,
    };
    for _ in 0..TRIES {
        if let Some((attempt, attempts_left)) = taking.take().await? {
            return Ok(Submitted {
                attempt,
                attempts_left,
                view: taking.recording.view,
                place: taking.recording.place,
            });
        }
        let at = LearnerAt::load(kurso, viewer, page).await?;
        let recording = &mut taking.recording;
        (recording.view, recording.place, recording.enrollment) = (at.view, at.place, at.enrollment);
    }
    Err(Error::Busy)
}

/// A submission in progress.
struct Taking<'a> {
    recording: Recording<'a>,
    submission: Submission,
    arrived_at: DateTime<Utc>,
}

/// An attempt and the number of attempts left after it.
type Taken = (Attempt, Option<i64>);

impl<'a> Taking<'a> {
    /// Tries to store the attempt; None when the page, or what the schedule says of it, changed meanwhile.
    async fn take(&mut self) -> Result<Option<Taken>> {
        let Recording {
            kurso,
            learner,
            page,
            enrollment,
            ..
        } = self.recording;
        let stored = Stored::find(&kurso.db, page).await?;
        if !stored.published {
            return Err(Error::NotFound(Message::PageNotFound));
        }
        let quiz = stored.quiz()?;
        if let Some(earlier) = self.earlier(&kurso.db).await? {
            return self.shown_again(earlier, &quiz).await.map(Some);
        }
        if let Some(running) = running::running_at(kurso, page, learner).await? {
            return self.end(running, &quiz).await;
        }
        if self.recording.must_start(&quiz) {
            return Err(Error::Conflict(Message::AttemptNotStarted));
        }
        self.require_open()?;
        // The values of formula questions depend on the number of the attempt, which is checked again when the attempt is stored.
        let attempt_no = match quiz.has_formulas() {
            true => standing(&kurso.db, enrollment, page).await?.last_no + 1,
            false => 1,
        };
        let is_stale = quiz.has_formulas() && self.is_another_attempt(attempt_no);
        if is_stale || stored.is_another_quiz(self.submission.version) {
            let standing = standing(&kurso.db, enrollment, page).await?;
            let Recording { view, place, .. } = &self.recording;
            return Err(stale(view, *place, stored, quiz, &standing, &self.recording.aliases())?);
        }
        if quiz.questions.is_empty() {
            return Err(Error::NotFound(Message::NoQuiz));
        }
        let files = files::answers::uploaded(&kurso.db, learner, page, &self.submission.file_ids()).await?;
        let answers = self.submission.answers(&quiz, &self.recording.aliases(), &files)?;
        let asked = (self.recording.aliases(), attempt_no);
        let given = (answers, self.submission.times());
        let graded = Graded::of(quiz, (stored.version, None), given, asked).await?;

        let now = kurso.clock.now();
        let mut tx = kurso.db.begin().await?;
        learning::lock(&mut tx, enrollment, Some((now, page))).await?;
        if let Some(earlier) = self.earlier(&mut tx).await? {
            tx.rollback().await?; // the other transaction has committed its attempt
            return self.shown_again(earlier, &graded.quiz).await.map(Some);
        }
        let present = Present::find(&mut tx, enrollment, page).await?;
        if !present.published {
            return Err(Error::NotFound(Message::PageNotFound));
        }
        if !present.is_of(&stored, &self.recording.view) {
            return Ok(None);
        }
        let penalty_percent = self.require_open()?;
        let is_assignment = self.recording.is_assignment();
        if is_assignment {
            returns::settle(&mut tx, enrollment, page).await?;
        }
        let standing = standing(&mut tx, enrollment, page).await?;
        if standing.attempts_left(self.recording.limit(&graded.quiz)) == Some(0) {
            return Err(Error::Conflict(Message::OutOfAttempts));
        }
        if graded.quiz.has_formulas() && standing.last_no + 1 != attempt_no {
            tx.rollback().await?; // another attempt was stored meanwhile
            return Ok(None);
        }
        if !present.is_kept {
            taken::keep(&mut tx, page, stored.version, &graded.quiz).await?;
        }
        let ending = Ending {
            id: AttemptId::new(),
            attempt_no: standing.last_no + 1,
            submission: self.submission.submission_id,
            submitted_at: self.arrived_at,
            penalty_percent,
        };
        let recorded = self.recording.record(&mut tx, &graded, ending, standing, now).await?;
        let Some((row, standing)) = recorded else {
            tx.rollback().await?;
            return Ok(None);
        };
        if is_assignment {
            work::discard(&mut tx, learner, page).await?;
        }
        tx.commit().await?;
        self.recording.note(&standing, Some(now));
        self.shown(row, Some(&graded.quiz), &graded.quiz, &standing).map(Some)
    }

    /// Ends the running attempt with this submission, whose answers count if it arrives in time. `present` is the quiz as it is now.
    async fn end(&mut self, running: RunningQuiz, present: &Quiz) -> Result<Option<Taken>> {
        let Recording {
            kurso, learner, page, ..
        } = self.recording;
        let fixed = running.fixed();
        let RunningQuiz {
            row,
            quiz,
            answers,
            mut times,
            ..
        } = running;
        if self.is_another_attempt(row.attempt_no) {
            return Err(Error::Conflict(Message::AttemptNotStarted));
        }
        let end = row
            .span()
            .ending(self.recording.timing_at(self.arrived_at).closes_at)
            .ends_at;
        let ends_at = end.map_or(self.arrived_at, |end| self.arrived_at.min(end));
        let is_in_time = end.is_none_or(|end| self.arrived_at <= end);
        let answers = if is_in_time {
            let submission = self.submission.clone().without(&fixed);
            let files = files::answers::uploaded(&kurso.db, learner, page, &submission.file_ids()).await?;
            let aliases = self.recording.aliases();
            times.extend(submission.times());
            submission.answers_over(answers, &quiz, &aliases, &files)?
        } else {
            answers
        };
        let asked = (self.recording.aliases(), row.attempt_no);
        let graded = Graded::of(quiz, (row.quiz_version, row.drawn.clone()), (answers, times), asked).await?;
        let by = (self.submission.submission_id, Some(kurso.clock.now()));
        let Some((attempt, standing)) = self.recording.end(&row, &graded, ends_at, by).await? else {
            return Ok(None);
        };
        self.shown(attempt, Some(&graded.quiz), present, &standing).map(Some)
    }

    /// Whether the client read the questions of another attempt.
    fn is_another_attempt(&self, attempt_no: i64) -> bool {
        self.submission.attempt_no.is_some_and(|read| read != attempt_no)
    }

    /// Percent of the score that the attempt loses. Fails if the page took none when the submission arrived.
    fn require_open(&self) -> Result<i64> {
        let timing = self.recording.timing_at(self.arrived_at);
        timing.require_open()?;
        Ok(timing.penalty_percent)
    }

    /// The stored attempt of the same submission, which a client sends again when it got no response.
    async fn earlier(&self, on: impl Executor) -> Result<Option<AttemptRow>> {
        let Some(submission) = self.submission.submission_id else {
            return Ok(None);
        };
        let row = sql!(
            concat!(
                "SELECT ",
                attempt_columns!(),
                " FROM attempts WHERE enrollment_id = $1 AND submission_id = $2"
            ),
            self.recording.enrollment,
            submission
        )
        .fetch_optional::<AttemptRow>(on)
        .await?;
        if row.as_ref().is_some_and(|row| row.page_id != self.recording.page) {
            let mut problems = Problems::default();
            let at = At::BODY.name("submission_id");
            let input = Value::String(submission.to_string());
            problems.refuse(&at, "value_error", Problem::UsedSubmission.message(), &input);
            return problems.finish(None);
        }
        Ok(row)
    }

    /// A stored attempt as its learner may see it now.
    async fn shown_again(&self, row: AttemptRow, present: &Quiz) -> Result<Taken> {
        let db = &self.recording.kurso.db;
        let standing = standing(db, self.recording.enrollment, self.recording.page).await?;
        let quizzes = TakenQuizzes::of(db, &[self.recording.enrollment], &[self.recording.page]).await?;
        let taken = quizzes.find(&row)?;
        let quiz = taken.as_ref().map(|taken| taken.quiz.as_ref());
        self.shown(row, quiz, present, &standing)
    }

    fn shown(&self, row: AttemptRow, taken: Option<&Quiz>, present: &Quiz, standing: &Standing) -> Result<Taken> {
        let attempt = row.for_learner(
            taken,
            present.reveal,
            standing.passed,
            &self.recording.aliases(),
            &self.recording.kurso.file_urls(),
        )?;
        Ok((attempt, standing.attempts_left(self.recording.limit(present))))
    }
}

/// The attempt limit of a quiz, as it is stored now, for the viewer.
pub(super) fn limit(view: &CourseView, place: usize, quiz: &Quiz) -> Option<i64> {
    view.own
        .at(Place::Page(place))
        .attempts(quiz.max_attempts.map(i64::from))
}

/// The error for answers to an older quiz, with the page as its reader may read it now.
pub(super) fn stale(
    view: &CourseView,
    place: usize,
    stored: Stored,
    quiz: Quiz,
    standing: &Standing,
    aliases: &Aliases<'_>,
) -> Result<Error> {
    let node = view.page(place);
    let attempts_left = standing.attempts_left(limit(view, place, &quiz));
    let allowance = running::allowance(view, place);
    let quiz = QuizPage::of(quiz, standing, aliases, allowance);
    let page = json!({
        "id": node.id,
        "course_id": view.course.id,
        "lesson_id": view.lesson(node.lesson).id,
        "title": stored.title,
        "kind": node.kind,
        "position": node.position,
        "published": stored.published,
        "content": content::parse(&stored.content).map_err(Error::internal)?,
        "quiz": serde_json::to_value(&quiz.quiz).map_err(Error::internal)?,
        "version": stored.version,
        "updated_at": wire::time_text(&stored.updated_at),
        "attempts_left": attempts_left,
        "best_percent": quiz.best_percent,
    });
    Ok(Error::Stale {
        message: Message::PageChanged,
        page: Box::new(page),
    })
}

/// A quiz page, and what decides on its schedule, as a transaction that stores an attempt sees it.
#[derive(sqlx::FromRow)]
pub(super) struct Present {
    version: i64,
    published: bool,
    /// Whether the quiz is kept for attempts already.
    is_kept: bool,
    structure_version: i64,
    group_id: Option<GroupId>,
}

impl Present {
    pub(super) async fn find(tx: &mut Tx, enrollment: EnrollmentId, page: PageId) -> Result<Self> {
        let found = sql!(
            "SELECT p.version, p.published, c.structure_version, e.group_id,
               EXISTS (SELECT 1 FROM taken_quizzes t WHERE t.page_id = p.id AND t.version = p.version) AS is_kept
             FROM pages p JOIN courses c ON c.id = p.course_id JOIN enrollments e ON e.id = $2 WHERE p.id = $1",
            page,
            enrollment
        )
        .fetch_optional(tx)
        .await?;
        found.ok_or(Error::NotFound(Message::PageNotFound))
    }

    /// Whether the page and what the schedule says of it are as they were read.
    pub(super) fn is_of(&self, stored: &Stored, view: &CourseView) -> bool {
        self.version == stored.version && self.has_schedule_of(view)
    }

    /// Whether the view has the dates and overrides that hold now: a change of these gives the tree a new version.
    pub(super) fn has_schedule_of(&self, view: &CourseView) -> bool {
        let group = view.course.enrollment.as_ref().and_then(|own| own.group.as_ref());
        self.structure_version == view.course.structure_version && self.group_id == group.map(|group| group.id)
    }
}

/// A quiz page as it is stored.
#[derive(sqlx::FromRow)]
pub(super) struct Stored {
    title: Option<String>,
    published: bool,
    content: String,
    quiz: Option<String>,
    pub(super) version: i64,
    /// The version of the page that last changed the quiz.
    quiz_version: i64,
    updated_at: DateTime<Utc>,
}

impl Stored {
    /// Whether a reader of this version of the page has read another quiz; false without a version.
    pub(super) fn is_another_quiz(&self, read: Option<i64>) -> bool {
        read.is_some_and(|read| !(self.quiz_version..=self.version).contains(&read))
    }

    pub(super) async fn find(on: impl Executor, page: PageId) -> Result<Self> {
        let found = sql!(
            "SELECT p.title, p.published, c.content, c.quiz, p.version, p.quiz_version, p.updated_at
             FROM pages p JOIN page_contents c ON c.page_id = p.id WHERE p.id = $1",
            page
        )
        .fetch_optional(on)
        .await?;
        found.ok_or(Error::NotFound(Message::PageNotFound))
    }

    /// With the text of the page's draft, if it has one.
    pub(super) async fn find_drafted(db: &Db, page: PageId) -> Result<Self> {
        let stored = Stored::find(db, page).await?;
        let Some(draft) = draft::of_pages(db, &[page]).await?.remove(&page) else {
            return Ok(stored);
        };
        Ok(Stored {
            title: draft.summary.title,
            content: draft.content,
            quiz: draft.quiz,
            version: draft.summary.version,
            quiz_version: draft.summary.version,
            updated_at: draft.summary.saved_at,
            ..stored
        })
    }

    pub(super) fn quiz(&self) -> Result<Quiz> {
        self.quiz
            .as_deref()
            .map_or_else(|| Ok(Quiz::default()), Quiz::from_text)
    }
}
