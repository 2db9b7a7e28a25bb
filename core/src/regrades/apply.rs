//! Grades the stored attempts at pages by the quizzes that the pages have now.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use kurso_base::error::{Error, Result};
use kurso_base::ids::{AttemptId, CourseId, EnrollmentId, PageId, RegradeId, UserId};
use kurso_db::{Tx, args, sql};
use kurso_formats::quiz::{Points, Quiz, RemovedQuestions};
use uuid::Uuid;

use super::Act;
use crate::attempts::{AttemptRow, Given, attempt_columns, regraded};
use crate::draws;

/// Attempts that are in memory at a time, with their answers.
const BATCH: usize = 100;
const PAGES: usize = 500;

/// The outcome of a regrade.
#[derive(Debug, Default)]
pub(super) struct Regraded {
    /// None if there was nothing to regrade.
    pub id: Option<RegradeId>,
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

/// Grades the attempts of these enrollments at the pages again. The caller has locked the course and the enrollments, and stores their progress
/// afterwards. An attempt of another enrollment was handed in meanwhile, and stays as it was taken. A few statements per page and version of its quiz, and three per [`BATCH`] attempts.
pub(super) async fn apply(
    tx: &mut Tx,
    course: CourseId,
    (pages, enrollments): (&[PageId], &[EnrollmentId]),
    removed: RemovedQuestions,
    act: Act,
) -> Result<Regraded> {
    let id = RegradeId::new();
    let mut applying = Applying {
        id,
        enrollments: enrollments.iter().copied().collect(),
        done: Regraded::default(),
    };
    sql!(
        "INSERT INTO regrades (id, course_id, by_id, at, attempts, changed) VALUES ($1, $2, $3, $4, 1, 0)",
        id,
        course,
        act.by,
        act.at
    )
    .execute(&mut *tx)
    .await?;
    let mut regraded_pages = vec![];
    for page in pages {
        let before = applying.done.attempts;
        applying.page(tx, *page, removed).await?;
        if applying.done.attempts > before {
            regraded_pages.push(*page);
        }
    }
    let mut done = applying.done;
    if done.attempts == 0 {
        sql!("DELETE FROM regrades WHERE id = $1", id).execute(tx).await?;
        return Ok(done);
    }
    for pages in regraded_pages.chunks(PAGES) {
        sql!("INSERT INTO regraded_pages (regrade_id, page_id) VALUES ")
            .push_rows(pages, |page| args![id, *page])
            .execute(&mut *tx)
            .await?;
    }
    sql!(
        "UPDATE regrades SET attempts = $2, changed = $3 WHERE id = $1",
        id,
        done.attempts,
        done.changed
    )
    .execute(&mut *tx)
    .await?;
    sql!(
        "UPDATE attempts SET quiz_version = r.quiz_after, results = r.results_after, score = r.score_after, max_score = r.max_after,
           percent = r.percent_after, passed = r.passed_after
         FROM regraded_attempts r WHERE r.attempt_id = attempts.id AND r.regrade_id = $1",
        id
    )
    .execute(&mut *tx)
    .await?;
    done.id = Some(id);
    Ok(done)
}

struct Applying {
    id: RegradeId,
    /// The locked enrollments.
    enrollments: HashSet<EnrollmentId>,
    done: Regraded,
}

impl Applying {
    async fn page(&mut self, tx: &mut Tx, page: PageId, removed: RemovedQuestions) -> Result<()> {
        let taken = sql!(
            "SELECT DISTINCT quiz_version FROM attempts WHERE page_id = $1 ORDER BY quiz_version",
            page
        );
        let taken = taken.fetch_all::<(i64,)>(&mut *tx).await?;
        let present = sql!("SELECT quiz FROM page_contents WHERE page_id = $1", page);
        let present = present.fetch_optional::<(Option<String>,)>(&mut *tx).await?;
        let (Some((Some(text),)), false) = (present, taken.is_empty()) else {
            return Ok(());
        };
        let present = Arc::new(parsed(text).await?);
        for (version,) in taken {
            if let Some((after, quiz)) = successor(tx, (page, version), present.clone(), removed).await? {
                self.version(tx, (page, version, after), Arc::new(quiz)).await?;
            }
        }
        Ok(())
    }

    /// Grades the attempts at one version of a quiz.
    async fn version(&mut self, tx: &mut Tx, (page, before, after): (PageId, i64, i64), quiz: Arc<Quiz>) -> Result<()> {
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
            .fetch_all::<Stored>(&mut *tx)
            .await?;
            let Some(end) = rows.last() else { return Ok(()) };
            last = end.row.id;
            rows.retain(|row| self.enrollments.contains(&row.enrollment_id));
            let given = given(tx, &rows).await?;
            let count = rows.len();
            let quiz = quiz.clone();
            // An author's patterns may take long, so they do not run on the threads of the async runtime.
            let grading = tokio::task::spawn_blocking(move || graded(rows, &quiz, after, &given));
            let pairs = grading.await.map_err(Error::internal)??;
            self.done.left += count_of(count - pairs.len());
            self.keep(tx, pairs).await?;
        }
    }

    async fn keep(&mut self, tx: &mut Tx, pairs: Vec<Pair>) -> Result<()> {
        if pairs.is_empty() {
            return Ok(());
        }
        self.done.attempts += count_of(pairs.len());
        self.done.changed += count_of(pairs.iter().filter(|pair| pair.is_changed()).count());
        let id = self.id;
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
        .execute(tx)
        .await?;
        Ok(())
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

/// Stores the merged quiz for the attempts at one version of a quiz, and returns it with its number; None if it equals the quiz by which they are
/// graded already. The number is negative, so that it differs from every version of the page.
async fn successor(
    tx: &mut Tx,
    (page, version): (PageId, i64),
    present: Arc<Quiz>,
    removed: RemovedQuestions,
) -> Result<Option<(i64, Quiz)>> {
    let taken = sql!(
        "SELECT quiz FROM taken_quizzes WHERE page_id = $1 AND version = $2",
        page,
        version
    );
    let Some((text,)) = taken.fetch_optional::<(String,)>(&mut *tx).await? else {
        return Ok(None);
    };
    let merging = tokio::task::spawn_blocking(move || {
        let taken = Quiz::from_text(&text)?;
        let quiz = taken.regraded_by(&present, removed);
        Ok::<_, Error>((quiz != taken).then_some(quiz))
    });
    let Some(quiz) = merging.await.map_err(Error::internal)?? else {
        return Ok(None);
    };
    let lowest = sql!("SELECT MIN(version) FROM taken_quizzes WHERE page_id = $1", page);
    let (lowest,) = lowest.fetch_one::<(Option<i64>,)>(&mut *tx).await?;
    let number = lowest.unwrap_or(0).min(0) - 1;
    sql!(
        "INSERT INTO taken_quizzes (page_id, version, quiz) VALUES ($1, $2, $3)",
        page,
        number,
        quiz.to_text()?
    )
    .execute(tx)
    .await?;
    Ok(Some((number, quiz)))
}

/// What graders gave the answers of these attempts. One statement.
async fn given(tx: &mut Tx, rows: &[Stored]) -> Result<GivenPoints> {
    let found = sql!(
        "SELECT attempt_id, question_id, points, max_points FROM open_answers WHERE state = 'released' AND attempt_id IN "
    )
    .push_in(rows.iter().map(|stored| stored.row.id))
    .fetch_all::<(AttemptId, Uuid, i64, i64)>(tx)
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
