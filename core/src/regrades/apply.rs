//! Grades the stored attempts at pages by changed quizzes.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use kurso_base::error::{Error, Result};
use kurso_base::ids::{AttemptId, CourseId, EnrollmentId, PageId, RegradeId, UserId};
use kurso_db::{DbOrTx, Tx, args, sql};
use kurso_formats::quiz::{Points, Quiz, RemovedQuestions};
use uuid::Uuid;

use super::Act;
use super::picture::{Outcome, Outcomes};
use crate::attempts::{AttemptRow, Given, attempt_columns, regraded};
use crate::draws;

/// Attempts that are in memory at a time, with their answers.
const BATCH: usize = 100;

/// What a regrade does.
#[derive(Debug, Default)]
pub(super) struct Regraded {
    /// None if nothing was stored.
    pub id: Option<RegradeId>,
    /// The results of all regraded attempts.
    pub outcomes: Outcomes,
    pub attempts: i64,
    /// Attempts whose result changed.
    pub changed: i64,
    /// Attempts that were not regraded, because their waiting answers do not fit the changed quiz or no points would be left.
    pub left: i64,
}

/// An attempt with its learner.
#[derive(sqlx::FromRow)]
struct Stored {
    enrollment_id: EnrollmentId,
    user_id: UserId,
    #[sqlx(flatten)]
    row: AttemptRow,
}

/// An attempt before and after the regrade.
struct Pair {
    stored: Stored,
    after: AttemptRow,
}

impl Pair {
    fn is_changed(&self) -> bool {
        let result = |row: &AttemptRow| (row.score, row.max_score, row.percent, row.passed);
        result(&self.stored.row) != result(&self.after)
    }
}

/// The answers to open questions that graders have decided, by attempt and question.
type GivenPoints = HashMap<AttemptId, HashMap<Uuid, Given>>;

/// Grades the attempts of these enrollments at the pages by the drafts of their quizzes, and stores nothing.
pub(super) async fn predict(
    on: &mut DbOrTx<'_>,
    (pages, enrollments): (&[PageId], &[EnrollmentId]),
    removed: RemovedQuestions,
) -> Result<Regraded> {
    Applying::run(on, None, (pages, enrollments), removed).await
}

/// Grades the attempts of these enrollments at the pages by the quizzes that the pages have now, and stores the results beside the present ones;
/// [`take_effect`] replaces them. The caller has locked the course and the enrollments, and stores their progress afterwards. An attempt of another
/// enrollment was handed in meanwhile, and stays as it was taken. A few statements per page and version of its quiz, and three per [`BATCH`] attempts.
pub(super) async fn apply(
    tx: &mut Tx,
    course: CourseId,
    (pages, enrollments): (&[PageId], &[EnrollmentId]),
    removed: RemovedQuestions,
    act: Act,
) -> Result<Regraded> {
    let id = RegradeId::new();
    sql!(
        "INSERT INTO regrades (id, course_id, by_id, at, attempts, changed) VALUES ($1, $2, $3, $4, 1, 0)",
        id,
        course,
        act.by,
        act.at
    )
    .execute(&mut *tx)
    .await?;
    let on = &mut DbOrTx::Tx(&mut *tx);
    let mut done = Applying::run(on, Some(id), (pages, enrollments), removed).await?;
    if done.attempts == 0 {
        sql!("DELETE FROM regrades WHERE id = $1", id).execute(tx).await?;
        return Ok(done);
    }
    sql!(
        "INSERT INTO regraded_pages (regrade_id, page_id) SELECT DISTINCT regrade_id, page_id FROM regraded_attempts WHERE regrade_id = $1",
        id
    )
    .execute(&mut *tx)
    .await?;
    sql!(
        "UPDATE regrades SET attempts = $2, changed = $3 WHERE id = $1",
        id,
        done.attempts,
        done.changed
    )
    .execute(tx)
    .await?;
    done.id = Some(id);
    Ok(done)
}

/// Replaces the results of attempts by those that a regrade has stored.
pub(super) async fn take_effect(tx: &mut Tx, regrade: RegradeId) -> Result<()> {
    sql!(
        "UPDATE attempts SET quiz_version = r.quiz_after, results = r.results_after, score = r.score_after, max_score = r.max_after,
           percent = r.percent_after, passed = r.passed_after
         FROM regraded_attempts r WHERE r.attempt_id = attempts.id AND r.regrade_id = $1",
        regrade
    )
    .execute(tx)
    .await?;
    Ok(())
}

struct Applying<'a, 'b> {
    on: &'a mut DbOrTx<'b>,
    /// Under which the results are stored; None if nothing is, and the quizzes are those of drafts.
    id: Option<RegradeId>,
    removed: RemovedQuestions,
    enrollments: HashSet<EnrollmentId>,
    done: Regraded,
}

impl<'a, 'b> Applying<'a, 'b> {
    async fn run(
        on: &'a mut DbOrTx<'b>,
        id: Option<RegradeId>,
        (pages, enrollments): (&[PageId], &[EnrollmentId]),
        removed: RemovedQuestions,
    ) -> Result<Regraded> {
        let mut applying = Applying {
            on,
            id,
            removed,
            enrollments: enrollments.iter().copied().collect(),
            done: Regraded::default(),
        };
        for page in pages {
            applying.page(*page).await?;
        }
        Ok(applying.done)
    }

    async fn page(&mut self, page: PageId) -> Result<()> {
        let taken = sql!(
            "SELECT DISTINCT quiz_version FROM attempts WHERE page_id = $1 ORDER BY quiz_version",
            page
        );
        let taken = taken.fetch_all::<(i64,)>(&mut *self.on).await?;
        let changed = match self.id {
            Some(_) => sql!("SELECT quiz FROM page_contents WHERE page_id = $1", page),
            None => sql!("SELECT quiz FROM page_drafts WHERE page_id = $1", page),
        };
        let changed = changed.fetch_optional::<(Option<String>,)>(&mut *self.on).await?;
        let (Some((Some(text),)), false) = (changed, taken.is_empty()) else {
            return Ok(());
        };
        let changed = Arc::new(parsed(text).await?);
        for (version,) in taken {
            if let Some(quiz) = self.successor((page, version), changed.clone()).await? {
                let after = self.number(page, &quiz).await?;
                self.version((page, version, after), Arc::new(quiz)).await?;
            }
        }
        Ok(())
    }

    /// The merged quiz for the attempts at one version of a quiz; None if it equals the quiz by which they are graded already.
    async fn successor(&mut self, (page, version): (PageId, i64), changed: Arc<Quiz>) -> Result<Option<Quiz>> {
        let taken = sql!(
            "SELECT quiz FROM taken_quizzes WHERE page_id = $1 AND version = $2",
            page,
            version
        );
        let Some((text,)) = taken.fetch_optional::<(String,)>(&mut *self.on).await? else {
            return Ok(None);
        };
        let removed = self.removed;
        let merging = tokio::task::spawn_blocking(move || {
            let taken = Quiz::from_text(&text)?;
            let quiz = taken.regraded_by(&changed, removed);
            Ok::<_, Error>((quiz != taken).then_some(quiz))
        });
        merging.await.map_err(Error::internal)?
    }

    /// Stores a merged quiz and returns its number, which is negative, so that it differs from every version of the page. Of what is not stored,
    /// nobody reads the number.
    async fn number(&mut self, page: PageId, quiz: &Quiz) -> Result<i64> {
        if self.id.is_none() {
            return Ok(-1);
        }
        let lowest = sql!("SELECT MIN(version) FROM taken_quizzes WHERE page_id = $1", page);
        let (lowest,) = lowest.fetch_one::<(Option<i64>,)>(&mut *self.on).await?;
        let number = lowest.unwrap_or(0).min(0) - 1;
        sql!(
            "INSERT INTO taken_quizzes (page_id, version, quiz) VALUES ($1, $2, $3)",
            page,
            number,
            quiz.to_text()?
        )
        .execute(&mut *self.on)
        .await?;
        Ok(number)
    }

    /// Grades the attempts at one version of a quiz.
    async fn version(&mut self, (page, before, after): (PageId, i64, i64), quiz: Arc<Quiz>) -> Result<()> {
        let mut last = AttemptId(Uuid::nil());
        loop {
            let mut rows = sql!(
                concat!(
                    "SELECT enrollment_id, (SELECT e.user_id FROM enrollments e WHERE e.id = a.enrollment_id) AS user_id, ",
                    attempt_columns!(),
                    " FROM attempts a WHERE page_id = $1 AND quiz_version = $2 AND id > $3 ORDER BY id LIMIT $4"
                ),
                page,
                before,
                last,
                i64::try_from(BATCH).unwrap_or(i64::MAX)
            )
            .fetch_all::<Stored>(&mut *self.on)
            .await?;
            let Some(end) = rows.last() else { return Ok(()) };
            last = end.row.id;
            rows.retain(|row| self.enrollments.contains(&row.enrollment_id));
            let given = given(self.on, &rows).await?;
            let count = rows.len();
            let quiz = quiz.clone();
            // An author's patterns may take long, so they do not run on the threads of the async runtime.
            let grading = tokio::task::spawn_blocking(move || graded(rows, &quiz, after, &given));
            let pairs = grading.await.map_err(Error::internal)??;
            self.done.left += count_of(count - pairs.len());
            self.keep(pairs).await?;
        }
    }

    async fn keep(&mut self, pairs: Vec<Pair>) -> Result<()> {
        self.done.attempts += count_of(pairs.len());
        self.done.changed += count_of(pairs.iter().filter(|pair| pair.is_changed()).count());
        let outcomes = pairs.iter().map(|pair| (pair.after.id, outcome(&pair.after)));
        self.done.outcomes.extend(outcomes);
        let (Some(id), false) = (self.id, pairs.is_empty()) else {
            return Ok(());
        };
        sql!(
            "INSERT INTO regraded_attempts (regrade_id, attempt_id, page_id, user_id, is_changed, quiz_before, quiz_after, results_before,
               results_after, score_before, score_after, max_before, max_after, percent_before, percent_after, passed_before, passed_after) VALUES "
        )
        .push_rows(pairs, |pair| {
            let is_changed = pair.is_changed();
            let Pair { stored, after } = pair;
            let before = stored.row;
            args![
                id,
                before.id,
                before.page_id,
                stored.user_id,
                is_changed,
                before.quiz_version,
                after.quiz_version,
                before.results,
                after.results,
                before.score,
                after.score,
                before.max_score,
                after.max_score,
                before.percent,
                after.percent,
                before.passed,
                after.passed
            ]
        })
        .execute(&mut *self.on)
        .await?;
        Ok(())
    }
}

fn outcome(row: &AttemptRow) -> Outcome {
    Outcome {
        score: row.score,
        max_score: row.max_score,
        percent: row.percent,
        passed: row.passed,
    }
}

fn graded(rows: Vec<Stored>, quiz: &Quiz, version: i64, given: &GivenPoints) -> Result<Vec<Pair>> {
    let (mut pairs, none) = (Vec::with_capacity(rows.len()), HashMap::new());
    for stored in rows {
        let given = given.get(&stored.row.id).unwrap_or(&none);
        let after = match quiz.has_draws() {
            true => regraded(
                &stored.row,
                &draws::resolved(quiz.clone(), stored.row.drawn.as_deref())?,
                given,
            )?,
            false => regraded(&stored.row, quiz, given)?,
        };
        if let Some(after) = after {
            let after = AttemptRow {
                quiz_version: version,
                ..after
            };
            pairs.push(Pair { stored, after });
        }
    }
    Ok(pairs)
}

/// What graders gave the answers of these attempts. One statement.
async fn given(on: &mut DbOrTx<'_>, rows: &[Stored]) -> Result<GivenPoints> {
    let found = sql!(
        "SELECT attempt_id, question_id, points, max_points FROM open_answers WHERE state = 'released' AND attempt_id IN "
    )
    .push_in(rows.iter().map(|stored| stored.row.id))
    .fetch_all::<(AttemptId, Uuid, i64, i64)>(on)
    .await?;
    let mut given = GivenPoints::new();
    for (attempt, question, points, most) in found {
        let points = Given {
            points: Points::of_parts(points),
            most: Points::of_parts(most),
        };
        given.entry(attempt).or_default().insert(question, points);
    }
    Ok(given)
}

/// Parses a quiz on a blocking thread, because its text may be megabytes long.
async fn parsed(text: String) -> Result<Quiz> {
    let parsing = tokio::task::spawn_blocking(move || Quiz::from_text(&text));
    parsing.await.map_err(Error::internal)?
}

fn count_of(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
