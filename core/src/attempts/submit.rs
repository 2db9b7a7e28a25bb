//! Submitting a quiz. An attempt refers to the quiz as it was taken; the submissions of a learner are serialised.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use serde_json::{Value, json};

use super::QuizPage;
use super::review::{Attempt, AttemptRow, attempt_columns, shows_answers};
use super::taken::{self, TakenQuizzes};
use crate::Kurso;
use crate::access::Viewer;
use crate::courses::tree::PageKind;
use crate::learning::{self, LearnerAt, progress::AttemptSummary, view::CourseView};
use kurso_base::error::{Error, Result};
use kurso_base::ids::{EnrollmentId, PageId};
use kurso_base::messages::Message;
use kurso_base::wire;
use kurso_db::events::{Activity, Event};
use kurso_db::sql;
use kurso_db::{Db, Executor, Tx};
use kurso_formats::content;
use kurso_formats::quiz::{At, Problem, Problems, Quiz, Submission, Veil, grade};

/// How often a submit starts again because the page was changed while it was graded.
const TRIES: usize = 5;

/// A submit's answer.
#[derive(Clone, Debug)]
pub struct Submitted {
    pub attempt: Attempt,
    /// None: there is no limit.
    pub attempts_left: Option<i64>,
    /// The course with the learner's new state.
    pub view: CourseView,
    /// The page's place in it.
    pub place: usize,
}

/// How a learner stands with a quiz.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    pub attempts_used: i64,
    /// The number of the last attempt; 0 before the first.
    pub last_no: i64,
    pub best_percent: Option<i64>,
    pub passed: bool,
}

impl Standing {
    pub fn attempts_left(&self, max_attempts: Option<u32>) -> Option<i64> {
        max_attempts.map(|max| (i64::from(max) - self.attempts_used).max(0))
    }
}

/// An attempt for those who may see students.
#[derive(Clone, Debug)]
pub struct TakenAttempt {
    pub page_id: PageId,
    pub attempt: Attempt,
    /// The quiz as it was taken: its author's JSON.
    pub quiz: String,
}

/// Takes a learner's answers: 422 for a body or answers that do not fit, 404 for what the viewer cannot see, 403 without an
/// enrollment, 409 when the page is no longer of the `version` in the body or no attempts are left. None of these uses
/// an attempt, and a `submission_id` that was here before is answered with its attempt.
pub async fn submit(kurso: &Kurso, viewer: &Viewer, page: PageId, body: &Value) -> Result<Submitted> {
    let submission = Submission::read(body)?;
    let at = LearnerAt::load(kurso, viewer, page).await?;
    if at.view.page(at.place).kind != PageKind::Quiz {
        return Err(Error::NotFound(Message::NoQuiz));
    }
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
        page,
        submission,
    };
    for _ in 0..TRIES {
        if let Some((attempt, attempts_left)) = taking.take().await? {
            return Ok(Submitted {
                attempt,
                attempts_left,
                view: taking.view,
                place,
            });
        }
    }
    Err(Error::Busy)
}

/// One submit on its way.
struct Taking<'a> {
    kurso: &'a Kurso,
    view: CourseView,
    place: usize,
    enrollment: EnrollmentId,
    page: PageId,
    submission: Submission<'a>,
}

/// An attempt and how many are left after it.
type Taken = (Attempt, Option<i64>);

impl Taking<'_> {
    /// None when the page changed meanwhile.
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
        if stored.is_another_quiz(self.submission.version) {
            let standing = standing(db, self.enrollment, self.page).await?;
            return Err(stale(&self.view, self.place, stored, quiz, &standing, &self.veil())?);
        }
        if quiz.questions.is_empty() {
            return Err(Error::NotFound(Message::NoQuiz));
        }
        let answers = self.submission.answers(&quiz, &self.veil())?;
        // An author's patterns may take a while: off the threads that serve everyone.
        let grading = tokio::task::spawn_blocking(move || (grade(&quiz, &answers), quiz, answers));
        let (grade, quiz, answers) = grading.await.map_err(Error::internal)?;

        let now = self.kurso.clock.now();
        let mut tx = db.begin().await?;
        learning::lock(&mut tx, self.enrollment, Some(now)).await?;
        if let Some(earlier) = self.earlier(&mut tx).await? {
            tx.rollback().await?; // and its attempt is there for good, for whoever is told of it and for what is read next
            return self.shown_again(earlier, &quiz).await.map(Some);
        }
        let present = sql!(
            "SELECT p.version, p.published,
               EXISTS (SELECT 1 FROM taken_quizzes t WHERE t.page_id = p.id AND t.version = p.version)
             FROM pages p WHERE p.id = $1",
            self.page
        )
        .fetch_optional::<(i64, bool, bool)>(&mut tx)
        .await?;
        let is_kept = match present {
            Some((version, true, is_kept)) if version == stored.version => is_kept,
            Some((_, true, _)) => return Ok(None),
            _ => return Err(Error::NotFound(Message::PageNotFound)),
        };
        let mut standing = standing(&mut tx, self.enrollment, self.page).await?;
        if standing.attempts_left(quiz.max_attempts) == Some(0) {
            return Err(Error::Conflict(Message::OutOfAttempts));
        }
        if !is_kept {
            taken::keep(&mut tx, self.page, stored.version, &quiz).await?;
        }
        let no = standing.last_no + 1;
        let row = AttemptRow::new((self.page, stored.version), no, &quiz, &answers, &grade, now)?;
        self.insert(&mut tx, &row).await?;
        tx.publish(Event::Activity {
            course: self.view.course.id,
            enrollment: self.enrollment,
            what: Activity::Submitted {
                page: self.page,
                percent: row.percent,
                passed: row.passed,
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
        }
        self.shown(row, Some(&quiz), &quiz, &standing).map(Some)
    }

    /// An attempt that has not passed changes nothing of the progress but how far its page is.
    fn note(&mut self, standing: &Standing) {
        let tried = AttemptSummary {
            attempts: standing.attempts_used,
            best_percent: standing.best_percent.unwrap_or_default(),
        };
        self.view.marks.tried.insert(self.place, tried);
    }

    fn veil(&self) -> Veil<'_> {
        self.kurso.quiz_key.veil(self.enrollment.0)
    }

    /// The attempt of a submission that came before, its answer perhaps lost on the way.
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
               max_score, percent, passed, submitted_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)",
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
            row.submitted_at
        )
        .execute(tx)
        .await;
        match inserted {
            Ok(_) => Ok(()),
            // The page was deleted this very moment.
            Err(error) if error.as_database_error().is_some_and(|e| e.is_foreign_key_violation()) => {
                Err(Error::NotFound(Message::PageNotFound))
            }
            Err(error) => Err(error.into()),
        }
    }

    /// An attempt of before, as its learner may see it now.
    async fn shown_again(&self, row: AttemptRow, present: &Quiz) -> Result<Taken> {
        let db = &self.kurso.db;
        let standing = standing(db, self.enrollment, self.page).await?;
        let quizzes = TakenQuizzes::of(db, &[self.enrollment], &[self.page]).await?;
        let taken = quizzes.find(&row).map(|taken| &taken.quiz);
        self.shown(row, taken, present, &standing)
    }

    fn shown(&self, row: AttemptRow, taken: Option<&Quiz>, present: &Quiz, standing: &Standing) -> Result<Taken> {
        let attempt = row.for_learner(taken, present.reveal, standing.passed, &self.veil())?;
        Ok((attempt, standing.attempts_left(present.max_attempts)))
    }
}

/// The refusal of answers to another quiz than the page has now, with the page as its reader may read it now.
pub(super) fn stale(
    view: &CourseView,
    place: usize,
    stored: Stored,
    quiz: Quiz,
    standing: &Standing,
    veil: &Veil<'_>,
) -> Result<Error> {
    let node = view.page(place);
    let quiz = QuizPage::of(quiz, standing, veil);
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
        "attempts_left": quiz.attempts_left,
        "best_percent": quiz.best_percent,
    });
    Ok(Error::Stale {
        message: Message::PageChanged,
        page: Box::new(page),
    })
}

/// A quiz page as it is stored.
#[derive(sqlx::FromRow)]
pub(super) struct Stored {
    title: Option<String>,
    published: bool,
    content: String,
    quiz: Option<String>,
    pub(super) version: i64,
    /// The version since which the quiz is what it is.
    quiz_version: i64,
    updated_at: DateTime<Utc>,
}

impl Stored {
    /// Whether somebody who has read that version of the page, or whatever there is, has read another quiz.
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

impl Standing {
    /// Takes in a new attempt.
    fn count(&mut self, row: &AttemptRow) {
        self.attempts_used += 1;
        self.last_no = row.attempt_no;
        self.best_percent = self.best_percent.max(Some(row.percent));
        self.passed |= row.passed;
    }
}

#[derive(sqlx::FromRow)]
struct StandingRow {
    page_id: PageId,
    attempts_used: i64,
    last_no: i64,
    best_percent: i64,
    passed: i64,
}

/// How a learner, by their enrollments, stands with each quiz they have tried, of those pages. One statement.
pub async fn standings(
    on: impl Executor,
    enrollments: &[EnrollmentId],
    pages: &[PageId],
) -> Result<HashMap<PageId, Standing>> {
    let rows = sql!(
        "SELECT page_id, COUNT(*) AS attempts_used, MAX(attempt_no) AS last_no, MAX(percent) AS best_percent,
           MAX(CAST(CASE WHEN passed THEN 1 ELSE 0 END AS BIGINT)) AS passed
         FROM attempts WHERE enrollment_id IN "
    )
    .push_in(enrollments.iter().copied())
    .push(" AND page_id IN ")
    .push_in(pages.iter().copied())
    .push(" GROUP BY page_id")
    .fetch_all::<StandingRow>(on)
    .await?;
    let standing = |row: StandingRow| Standing {
        attempts_used: row.attempts_used,
        last_no: row.last_no,
        best_percent: Some(row.best_percent),
        passed: row.passed == 1,
    };
    Ok(rows.into_iter().map(|row| (row.page_id, standing(row))).collect())
}

async fn standing(on: impl Executor, enrollment: EnrollmentId, page: PageId) -> Result<Standing> {
    let mut found = standings(on, &[enrollment], &[page]).await?;
    Ok(found.remove(&page).unwrap_or_default())
}

/// How many attempts at a page a learner is shown, the last ones.
pub const SHOWN_ATTEMPTS: i64 = 100;

/// The attempts of an enrollment at a page, as [`attempts_of_each`].
pub async fn attempts_of(kurso: &Kurso, enrollment: EnrollmentId, page: PageId) -> Result<Vec<Attempt>> {
    let mut found = attempts_of_each(kurso, &[(page, enrollment)]).await?;
    Ok(found.remove(&page).unwrap_or_default())
}

/// The attempts of a learner at each of the pages there are any at, first to last, as the learner may see them now; each
/// page with the enrollment in its course. At most four statements. Whether the reader is that learner was decided when
/// the enrollments were found.
pub async fn attempts_of_each(
    kurso: &Kurso,
    taken: &[(PageId, EnrollmentId)],
) -> Result<HashMap<PageId, Vec<Attempt>>> {
    let pages: Vec<PageId> = taken.iter().map(|(page, _)| *page).collect();
    let enrolled: HashMap<PageId, EnrollmentId> = taken.iter().copied().collect();
    let enrollments = super::distinct(enrolled.values());
    let rows = sql!(
        concat!(
            "SELECT ",
            attempt_columns!(),
            " FROM attempts a WHERE attempt_no > $1 + (
               SELECT MAX(b.attempt_no) FROM attempts b WHERE b.enrollment_id = a.enrollment_id AND b.page_id = a.page_id)
             AND enrollment_id IN "
        ),
        -SHOWN_ATTEMPTS
    )
    .push_in(enrollments.iter().copied())
    .push(" AND page_id IN ")
    .push_in(pages.iter().copied())
    .push(" ORDER BY page_id, attempt_no")
    .fetch_all::<AttemptRow>(&kurso.db)
    .await?;
    let mut found: HashMap<PageId, Vec<Attempt>> = HashMap::new();
    if rows.is_empty() {
        return Ok(found);
    }
    let standings = standings(&kurso.db, &enrollments, &pages).await?;
    let mut reveals = HashMap::new();
    for (page, quiz) in super::for_author(&kurso.db, &pages).await? {
        reveals.insert(page, Quiz::from_text(&quiz)?.reveal);
    }
    let has_passed = |page| standings.get(&page).is_some_and(|standing| standing.passed);
    let mut revealed: Vec<PageId> = rows.iter().map(|row| row.page_id).collect();
    revealed.dedup();
    revealed.retain(|page| {
        reveals
            .get(page)
            .is_some_and(|reveal| shows_answers(*reveal, has_passed(*page)))
    });
    let quizzes = TakenQuizzes::of(&kurso.db, &enrollments, &revealed).await?;
    for row in rows {
        // A page that is gone by now: its attempts go with it.
        let (Some(reveal), Some(enrollment)) = (reveals.get(&row.page_id), enrolled.get(&row.page_id)) else {
            continue;
        };
        let taken = quizzes.find(&row).map(|taken| &taken.quiz);
        let (page, has_passed) = (row.page_id, has_passed(row.page_id));
        let attempt = row.for_learner(taken, *reveal, has_passed, &kurso.quiz_key.veil(enrollment.0))?;
        found.entry(page).or_default().push(attempt);
    }
    Ok(found)
}

/// Every attempt of an enrollment, page by page, first to last, for those who may see students. At most two
/// statements.
pub async fn attempts_for_staff(db: &Db, enrollment: EnrollmentId) -> Result<Vec<TakenAttempt>> {
    let rows = sql!(
        concat!(
            "SELECT ",
            attempt_columns!(),
            " FROM attempts WHERE enrollment_id = $1 ORDER BY page_id, attempt_no"
        ),
        enrollment
    )
    .fetch_all::<AttemptRow>(db)
    .await?;
    if rows.is_empty() {
        return Ok(vec![]);
    }
    let quizzes = TakenQuizzes::of_all(db, enrollment).await?;
    let mut attempts = Vec::with_capacity(rows.len());
    for row in rows {
        // A page that is gone by now: its attempts go with it.
        if let Some(taken) = quizzes.find(&row) {
            attempts.push(TakenAttempt {
                page_id: row.page_id,
                quiz: taken.text.clone(),
                attempt: row.for_staff(&taken.quiz)?,
            });
        }
    }
    Ok(attempts)
}
