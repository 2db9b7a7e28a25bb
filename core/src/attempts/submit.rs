//! Submitting a quiz. An attempt refers to the version that was taken. The submissions of a learner are serialised.

use chrono::{DateTime, Utc};
use serde_json::{Value, json};

use super::QuizPage;
use super::open_answers;
use super::returns;
use super::review::{Attempt, AttemptRow, attempt_columns};
use super::standing::{Standing, standing};
use super::taken::{self, TakenQuizzes};
use super::work;
use crate::Kurso;
use crate::access::Viewer;
use crate::courses::overrides::Place;
use crate::courses::tree::PageKind;
use crate::files;
use crate::learning::{self, LearnerAt, progress::AttemptSummary, view::CourseView};
use kurso_base::error::{Error, Result};
use kurso_base::ids::{EnrollmentId, GroupId, PageId, UserId};
use kurso_base::messages::Message;
use kurso_base::wire;
use kurso_db::events::{Activity, Event};
use kurso_db::sql;
use kurso_db::{Executor, Tx};
use kurso_formats::content;
use kurso_formats::quiz::{Aliases, At, Problem, Problems, Quiz, Submission, grade};

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
        kurso,
        view,
        place,
        enrollment,
        learner: viewer.id(),
        page,
        submission,
        arrived_at,
    };
    for _ in 0..TRIES {
        if let Some((attempt, attempts_left)) = taking.take().await? {
            return Ok(Submitted {
                attempt,
                attempts_left,
                view: taking.view,
                place: taking.place,
            });
        }
        let at = LearnerAt::load(kurso, viewer, page).await?;
        (taking.view, taking.place, taking.enrollment) = (at.view, at.place, at.enrollment);
    }
    Err(Error::Busy)
}

/// A submission in progress.
struct Taking<'a> {
    kurso: &'a Kurso,
    view: CourseView,
    place: usize,
    enrollment: EnrollmentId,
    learner: UserId,
    page: PageId,
    submission: Submission,
    arrived_at: DateTime<Utc>,
}

/// An attempt and the number of attempts left after it.
type Taken = (Attempt, Option<i64>);

impl Taking<'_> {
    /// Tries to store the attempt; None when the page, or what the schedule says of it, changed meanwhile.
    async fn take(&mut self) -> Result<Option<Taken>> {
        let db = &self.kurso.db;
        let stored = Stored::find(db, self.page).await?;
        if !stored.published {
            return Err(Error::NotFound(Message::PageNotFound));
        }
        let quiz = stored.quiz()?;
        if let Some(earlier) = self.earlier(db).await? {
            return self.shown_again(earlier, &quiz).await.map(Some);
        }
        self.require_open()?;
        if stored.is_another_quiz(self.submission.version) {
            let standing = standing(db, self.enrollment, self.page).await?;
            return Err(stale(&self.view, self.place, stored, quiz, &standing, &self.aliases())?);
        }
        if quiz.questions.is_empty() {
            return Err(Error::NotFound(Message::NoQuiz));
        }
        let files = files::answers::uploaded(db, self.learner, self.page, &self.submission.file_ids()).await?;
        let answers = self.submission.answers(&quiz, &self.aliases(), &files)?;
        // An author's patterns may take long, so they do not run on the threads of the async runtime.
        let grading = tokio::task::spawn_blocking(move || (grade(&quiz, &answers), quiz, answers));
        let (grade, quiz, answers) = grading.await.map_err(Error::internal)?;

        let now = self.kurso.clock.now();
        let mut tx = db.begin().await?;
        learning::lock(&mut tx, self.enrollment, Some((now, self.page))).await?;
        if let Some(earlier) = self.earlier(&mut tx).await? {
            tx.rollback().await?; // the other transaction has committed its attempt
            return self.shown_again(earlier, &quiz).await.map(Some);
        }
        let present = Present::find(&mut tx, self.enrollment, self.page).await?;
        if !present.published {
            return Err(Error::NotFound(Message::PageNotFound));
        }
        if present.version != stored.version || !present.has_schedule_of(&self.view) {
            return Ok(None);
        }
        let penalty = self.require_open()?;
        let is_assignment = self.view.page(self.place).kind == PageKind::Assignment;
        if is_assignment {
            returns::settle(&mut tx, self.enrollment, self.page).await?;
        }
        let mut standing = standing(&mut tx, self.enrollment, self.page).await?;
        if standing.attempts_left(self.limit(&quiz)) == Some(0) {
            return Err(Error::Conflict(Message::OutOfAttempts));
        }
        if !present.is_kept {
            taken::keep(&mut tx, self.page, stored.version, &quiz).await?;
        }
        let no = standing.last_no + 1;
        let grade = grade.reduced_by(penalty);
        let row = AttemptRow {
            penalty_percent: penalty,
            ..AttemptRow::new(
                (self.page, stored.version),
                no,
                &quiz,
                &answers,
                &grade,
                self.arrived_at,
            )?
        };
        self.insert(&mut tx, &row).await?;
        if !files::answers::submit(&mut tx, (self.learner, self.page), &answers, now).await? {
            tx.rollback().await?;
            return Ok(None);
        }
        if is_assignment {
            work::discard(&mut tx, self.learner, self.page).await?;
        }
        open_answers::queue(&mut tx, (self.view.course.id, self.enrollment), &row, &quiz, &grade).await?;
        tx.publish(Event::Activity {
            course: self.view.course.id,
            enrollment: self.enrollment,
            what: Activity::Submitted {
                page: self.page,
                percent: row.percent,
                passed: row.passed,
                is_waiting: row.waiting > 0,
            },
            at: now,
        });
        if row.passed {
            learning::update_progress(&mut tx, &mut self.view, now).await?;
        } else {
            learning::stored_progress::store(&mut tx, self.enrollment).await?;
        }
        tx.commit().await?;
        standing.count(&row);
        self.note(&standing);
        if let Some(enrollment) = self.view.course.enrollment.as_mut() {
            enrollment.last_activity_at = now;
            enrollment.last_page = Some(self.page);
        }
        self.shown(row, Some(&quiz), &quiz, &standing).map(Some)
    }

    /// Percent of the score that the attempt loses. Fails if the page took none when the submission arrived.
    fn require_open(&self) -> Result<i64> {
        let timing = self.view.timeline_at(self.arrived_at).page(self.place);
        timing.require_open()?;
        Ok(timing.penalty_percent)
    }

    /// The attempt limit of the quiz for the learner.
    fn limit(&self, quiz: &Quiz) -> Option<i64> {
        limit(&self.view, self.place, quiz)
    }

    /// Updates the summary of the page's attempts, the only part of the progress that a failed attempt changes.
    fn note(&mut self, standing: &Standing) {
        let tried = AttemptSummary {
            counted: standing.attempts_used,
            best_percent: standing.best_percent.unwrap_or_default(),
            is_waiting: standing.is_waiting,
            is_returned: standing.is_returned,
        };
        self.view.marks.tried.insert(self.place, tried);
    }

    fn aliases(&self) -> Aliases<'_> {
        self.kurso.quiz_key.aliases(self.enrollment.0)
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
            self.enrollment,
            submission
        )
        .fetch_optional::<AttemptRow>(on)
        .await?;
        if row.as_ref().is_some_and(|row| row.page_id != self.page) {
            let mut problems = Problems::default();
            let at = At::BODY.name("submission_id");
            let input = Value::String(submission.to_string());
            problems.refuse(&at, "value_error", Problem::UsedSubmission.message(), &input);
            return problems.finish(None);
        }
        Ok(row)
    }

    async fn insert(&self, tx: &mut Tx, row: &AttemptRow) -> Result<()> {
        let inserted = sql!(
            "INSERT INTO attempts (id, enrollment_id, page_id, attempt_no, submission_id, quiz_version, answers, results, score,
               max_score, percent, passed, submitted_at, penalty_percent, waiting)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)",
            row.id,
            self.enrollment,
            row.page_id,
            row.attempt_no,
            self.submission.submission_id,
            row.quiz_version,
            &row.answers,
            &row.results,
            row.score,
            row.max_score,
            row.percent,
            row.passed,
            row.submitted_at,
            row.penalty_percent,
            row.waiting
        )
        .execute(tx)
        .await;
        match inserted {
            Ok(_) => Ok(()),
            // The page was deleted concurrently.
            Err(error) if error.as_database_error().is_some_and(|e| e.is_foreign_key_violation()) => {
                Err(Error::NotFound(Message::PageNotFound))
            }
            Err(error) => Err(error.into()),
        }
    }

    /// A stored attempt as its learner may see it now.
    async fn shown_again(&self, row: AttemptRow, present: &Quiz) -> Result<Taken> {
        let db = &self.kurso.db;
        let standing = standing(db, self.enrollment, self.page).await?;
        let quizzes = TakenQuizzes::of(db, &[self.enrollment], &[self.page]).await?;
        let taken = quizzes.find(&row).map(|taken| &taken.quiz);
        self.shown(row, taken, present, &standing)
    }

    fn shown(&self, row: AttemptRow, taken: Option<&Quiz>, present: &Quiz, standing: &Standing) -> Result<Taken> {
        let attempt = row.for_learner(
            taken,
            present.reveal,
            standing.passed,
            &self.aliases(),
            &self.kurso.file_urls(),
        )?;
        Ok((attempt, standing.attempts_left(self.limit(present))))
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
    let quiz = QuizPage::of(quiz, standing, aliases);
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
struct Present {
    version: i64,
    published: bool,
    /// Whether the quiz is kept for attempts already.
    is_kept: bool,
    structure_version: i64,
    group_id: Option<GroupId>,
}

impl Present {
    async fn find(tx: &mut Tx, enrollment: EnrollmentId, page: PageId) -> Result<Self> {
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

    /// Whether the view has the dates and overrides that hold now: a change of these gives the tree a new version.
    fn has_schedule_of(&self, view: &CourseView) -> bool {
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

    pub(super) fn quiz(&self) -> Result<Quiz> {
        self.quiz
            .as_deref()
            .map_or_else(|| Ok(Quiz::default()), Quiz::from_text)
    }
}
