//! Records a graded attempt, and what follows from it: the grading queue, the activity, and the learner's progress.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use kurso_base::error::{Error, Result};
use kurso_base::ids::{AttemptId, EnrollmentId, PageId, UserId};
use kurso_base::messages::Message;
use kurso_db::events::{Activity, Event};
use kurso_db::{Tx, sql};
use kurso_formats::quiz::{Aliases, Answer, Grade, Quiz, Times, Values, grade};
use uuid::Uuid;

use super::review::{AttemptRow, times_text};
use super::running::{self, Running};
use super::standing::{Standing, standing};
use super::submit;
use super::{open_answers, practice};
use crate::Kurso;
use crate::courses::tree::PageKind;
use crate::files;
use crate::learning::{self, progress::AttemptSummary, view::CourseView};
use crate::schedule::Timing;

/// The learner and the page of an attempt.
pub(super) struct Recording<'a> {
    pub kurso: &'a Kurso,
    /// The course as the learner sees it.
    pub view: CourseView,
    pub place: usize,
    pub enrollment: EnrollmentId,
    pub learner: UserId,
    pub page: PageId,
}

/// Graded answers to a quiz.
pub(super) struct Graded {
    pub quiz: Quiz,
    /// The version of the page with that quiz.
    version: i64,
    /// What the attempt has drawn, as it is stored.
    drawn: Option<String>,
    answers: Vec<Answer>,
    /// How long the learner spent on the questions.
    times: Times,
    /// The values of its formula questions.
    values: HashMap<Uuid, Values>,
    grade: Grade,
}

/// How an attempt ended.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ending {
    pub id: AttemptId,
    pub attempt_no: i64,
    /// The id that the client gave the submission.
    pub submission: Option<Uuid>,
    pub submitted_at: DateTime<Utc>,
    pub penalty_percent: i64,
}

impl Graded {
    /// Grades the answers of an attempt. `quiz` is the quiz of this version of the page, with the questions that the attempt has drawn in place
    /// of its draws.
    pub async fn of(
        quiz: Quiz,
        (version, drawn): (i64, Option<String>),
        (answers, times): (Vec<Answer>, Times),
        (aliases, attempt_no): (Aliases<'_>, i64),
    ) -> Result<Self> {
        let values = quiz.values(&aliases, attempt_no);
        // An author's patterns may take long, so they do not run on the threads of the async runtime.
        let grading = tokio::task::spawn_blocking(move || Graded {
            grade: grade(&quiz.clone().with_values(&values), &answers),
            quiz,
            version,
            drawn,
            answers,
            times,
            values,
        });
        grading.await.map_err(Error::internal)
    }
}

impl<'a> Recording<'a> {
    /// Stores an attempt in a transaction that has locked the enrollment; returns it with the standing after it. None if a file of its
    /// answers was deleted meanwhile. The caller commits, and then calls [`Recording::note`].
    pub async fn record(
        &mut self,
        tx: &mut Tx,
        graded: &Graded,
        ending: Ending,
        mut standing: Standing,
        now: DateTime<Utc>,
    ) -> Result<Option<(AttemptRow, Standing)>> {
        let grade = graded.grade.clone().reduced_by(ending.penalty_percent);
        let row = AttemptRow {
            id: ending.id,
            penalty_percent: ending.penalty_percent,
            drawn: graded.drawn.clone(),
            times: times_text(&graded.times)?,
            ..AttemptRow::new(
                (self.page, graded.version),
                ending.attempt_no,
                &graded.quiz,
                &graded.answers,
                (&grade, &graded.values),
                ending.submitted_at,
            )?
        };
        insert(tx, self.enrollment, ending.submission, &row).await?;
        if !files::answers::submit(tx, (self.learner, self.page), &graded.answers, now).await? {
            return Ok(None);
        }
        let course = self.view.course.id;
        open_answers::queue(tx, (course, self.enrollment), &row, &graded.quiz, &grade).await?;
        let taken = (&graded.quiz, graded.version);
        practice::record(
            tx,
            (self.enrollment, self.page),
            taken,
            &graded.grade,
            ending.submitted_at,
        )
        .await?;
        tx.publish(Event::Activity {
            course,
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
            learning::update_progress(tx, &mut self.view, now).await?;
        } else {
            learning::stored_progress::store(tx, self.enrollment).await?;
        }
        standing.count(&row);
        Ok(Some((row, standing)))
    }

    /// Ends a running attempt with its graded answers, at `ends_at`: by the id of a submission, with the moment of the learner's activity, or by
    /// nobody when the time is over. Returns the attempt with the standing after it; None if the attempt has ended otherwise, or if an answer
    /// was saved meanwhile.
    pub async fn end(
        &mut self,
        running: &Running,
        graded: &Graded,
        ends_at: DateTime<Utc>,
        (submission, active_at): (Option<Uuid>, Option<DateTime<Utc>>),
    ) -> Result<Option<(AttemptRow, Standing)>> {
        let now = self.kurso.clock.now();
        let mut tx = self.kurso.db.begin().await?;
        learning::lock(&mut tx, self.enrollment, active_at.map(|at| (at, self.page))).await?;
        let present = submit::Present::find(&mut tx, self.enrollment, self.page).await?;
        let stored = Running::find(&mut tx, self.page, self.learner).await?;
        if !present.has_schedule_of(&self.view) || stored.as_ref() != Some(running) {
            tx.rollback().await?;
            return Ok(None);
        }
        let standing = standing(&mut tx, self.enrollment, self.page).await?;
        let ending = Ending {
            id: running.id,
            attempt_no: standing.last_no + 1,
            submission,
            submitted_at: ends_at,
            penalty_percent: self.timing_at(ends_at).penalty_percent,
        };
        let Some(recorded) = self.record(&mut tx, graded, ending, standing, now).await? else {
            tx.rollback().await?;
            return Ok(None);
        };
        // After the attempt, whose insertion locks the page: deleting the page locks it before the running attempt.
        if !running.remove(&mut tx).await? {
            tx.rollback().await?;
            return Ok(None);
        }
        files::answers::keep_drafted(&mut tx, (self.learner, self.page), &[]).await?;
        tx.commit().await?;
        self.note(&recorded.1, active_at);
        Ok(Some(recorded))
    }

    /// Updates the view with the summary of the page's attempts, the only part of the progress that a failed attempt changes, and with the
    /// learner's activity.
    pub fn note(&mut self, standing: &Standing, active_at: Option<DateTime<Utc>>) {
        let tried = AttemptSummary {
            counted: standing.attempts_used,
            best_percent: standing.best_percent.unwrap_or_default(),
            is_waiting: standing.is_waiting,
            is_returned: standing.is_returned,
        };
        self.view.marks.tried.insert(self.place, tried);
        if let (Some(enrollment), Some(active_at)) = (self.view.course.enrollment.as_mut(), active_at) {
            enrollment.last_activity_at = active_at;
            enrollment.last_page = Some(self.page);
        }
    }

    pub fn is_assignment(&self) -> bool {
        self.view.page(self.place).kind == PageKind::Assignment
    }

    /// The attempt limit of the quiz for the learner.
    pub fn limit(&self, quiz: &Quiz) -> Option<i64> {
        submit::limit(&self.view, self.place, quiz)
    }

    /// Whether the learner starts an attempt before answering.
    pub fn must_start(&self, quiz: &Quiz) -> bool {
        running::must_start(running::allowance(&self.view, self.place), quiz)
    }

    /// What the schedule says of the page at a moment.
    pub fn timing_at(&self, moment: DateTime<Utc>) -> Timing {
        self.view.timeline_at(moment).page(self.place)
    }

    pub fn aliases(&self) -> Aliases<'a> {
        self.kurso.quiz_key.aliases(self.enrollment.0)
    }
}

async fn insert(tx: &mut Tx, enrollment: EnrollmentId, submission: Option<Uuid>, row: &AttemptRow) -> Result<()> {
    let inserted = sql!(
        "INSERT INTO attempts (id, enrollment_id, page_id, attempt_no, submission_id, quiz_version, answers, results, score,
           max_score, percent, passed, submitted_at, penalty_percent, waiting, drawn, times)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)",
        row.id,
        enrollment,
        row.page_id,
        row.attempt_no,
        submission,
        row.quiz_version,
        &row.answers,
        &row.results,
        row.score,
        row.max_score,
        row.percent,
        row.passed,
        row.submitted_at,
        row.penalty_percent,
        row.waiting,
        &row.drawn,
        &row.times
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
