//! Derives the results of an attempt again from its answers and their released assessments.

use std::collections::HashMap;

use kurso_base::error::{Error, Result};
use kurso_base::ids::AttemptId;
use kurso_db::{Tx, sql};
use kurso_formats::quiz::{Grade, Mark, Points, Quiz, Rubric, answers_from_text, grade};
use uuid::Uuid;

use super::answer::taken_quiz;
use super::remarks;
use crate::Kurso;
use crate::attempts::{AttemptRow, Remark, attempt_columns, kept_values};

/// An attempt with its automatic grade, which stays the same until the attempt is regraded by another quiz.
pub(super) struct Graded {
    /// The answers are left out, because they may be large and do not change.
    row: AttemptRow,
    pass_percent: u8,
    grade: Grade,
    /// Whether the answer is work that was handed in for an assignment.
    pub is_hand_in: bool,
    /// Of the open questions.
    rubrics: HashMap<Uuid, Rubric>,
}

impl Graded {
    /// Loads an attempt and grades it. None if it does not exist any more.
    pub async fn load(kurso: &Kurso, attempt: AttemptId) -> Result<Option<Self>> {
        let row = sql!(
            concat!("SELECT ", attempt_columns!(), " FROM attempts WHERE id = $1"),
            attempt
        );
        let Some(row) = row.fetch_optional::<AttemptRow>(&kurso.db).await? else {
            return Ok(None);
        };
        let quiz = taken_quiz(&kurso.db, row.page_id, row.quiz_version, row.drawn.clone()).await?;
        // An author's patterns may take long, so they do not run on the threads of the async runtime.
        let grading = tokio::task::spawn_blocking(move || {
            let answers = answers_from_text(&row.answers)?;
            let quiz = quiz.with_values(&kept_values(&row.results)?);
            Ok(Graded {
                pass_percent: quiz.pass_percent,
                grade: grade(&quiz, &answers),
                is_hand_in: quiz.is_assignment(),
                rubrics: rubrics_of(&quiz),
                row: AttemptRow {
                    answers: String::new(),
                    ..row
                },
            })
        });
        grading.await.map_err(Error::internal)?.map(Some)
    }

    /// The rubric of a question as it was asked.
    pub fn rubric(&self, question: Uuid) -> Option<&Rubric> {
        self.rubrics.get(&question)
    }

    /// Stores the attempt with its released points and comments. The caller has locked the enrollment, and derives its progress afterwards. Two
    /// statements, and one for an assignment. Returns the number of its answers that still wait for grading. Fails with [`Error::Busy`] if the attempt was
    /// regraded by another quiz since it was loaded.
    pub async fn store(self, tx: &mut Tx) -> Result<i64> {
        let released = sql!(
            "SELECT question_id, points, max_points, is_returned, comment, marks, pins FROM open_answers WHERE attempt_id = $1 AND state = 'released'",
            self.row.id
        )
        .fetch_all::<ReleasedRow>(&mut *tx)
        .await?;
        let is_last = self.is_hand_in && self.is_last(tx).await?;
        let questions = self.grade.questions.iter();
        let worth: HashMap<Uuid, Points> = questions
            .map(|graded| (graded.question_id, graded.max_points))
            .collect();
        let mut given = HashMap::new();
        let mut remarked = HashMap::new();
        for row in released {
            // Work that was returned is undecided until its learner hands in again.
            if !(row.is_returned && is_last) {
                let most = Points::of_parts(row.max_points);
                // The question may be worth something else since the attempt was graded by another quiz.
                let worth = worth.get(&row.question_id).copied().unwrap_or(most);
                given.insert(row.question_id, Points::of_parts(row.points).scaled(most, worth));
            }
            let marks: Vec<Mark> = remarks::from_text(row.marks.as_deref())?;
            let rubric = self.rubrics.get(&row.question_id);
            let remark = Remark {
                is_returned: row.is_returned,
                comment: row.comment,
                marks: rubric.map(|rubric| rubric.results(&marks)).unwrap_or_default(),
                pins: remarks::from_text(row.pins.as_deref())?,
            };
            remarked.insert(row.question_id, remark);
        }
        let row = self
            .row
            .regraded(self.pass_percent, self.grade.with_given(&given), remarked)?;
        let stored = sql!(
            "UPDATE attempts SET results = $2, score = $3, percent = $4, passed = $5, waiting = $6, is_returned = $7
             WHERE id = $1 AND quiz_version = $8",
            row.id,
            &row.results,
            row.score,
            row.percent,
            row.passed,
            row.waiting,
            row.is_returned,
            row.quiz_version
        );
        if stored.execute(&mut *tx).await? > 0 {
            return Ok(row.waiting);
        }
        // An attempt whose page was deleted meanwhile has nothing to store.
        let exists = sql!("SELECT 1 FROM attempts WHERE id = $1", row.id);
        match exists.fetch_optional::<(i32,)>(tx).await? {
            Some(_) => Err(Error::Busy),
            None => Ok(row.waiting),
        }
    }

    /// Whether the learner has made no later attempt at the page.
    async fn is_last(&self, tx: &mut Tx) -> Result<bool> {
        let later = sql!(
            "SELECT 1 FROM attempts a JOIN attempts b ON b.enrollment_id = a.enrollment_id AND b.page_id = a.page_id
             AND b.attempt_no > a.attempt_no WHERE a.id = $1 LIMIT 1",
            self.row.id
        );
        Ok(later.fetch_optional::<(i32,)>(tx).await?.is_none())
    }
}

#[derive(sqlx::FromRow)]
struct ReleasedRow {
    question_id: Uuid,
    points: i64,
    max_points: i64,
    is_returned: bool,
    comment: Option<String>,
    marks: Option<String>,
    pins: Option<String>,
}

fn rubrics_of(quiz: &Quiz) -> HashMap<Uuid, Rubric> {
    let questions = quiz.questions.iter();
    questions
        .filter_map(|question| Some((question.id, question.kind.rubric()?.clone())))
        .collect()
}

#[cfg(test)]
mod tests {
    use kurso_base::ids::PageId;
    use serde_json::json;

    use super::*;
    use crate::auth::Origin;
    use crate::courses::tree::PageKind::Quiz;
    use crate::testing::submission;
    use crate::{attempts, both, courses, learning};

    both! {
        async fn a_grade_based_on_an_earlier_quiz_is_not_stored(kurso: TestKurso) {
            let owner = kurso.person("owner").await;
            let course = kurso.course(&owner, &[&[&[Quiz]]]).await;
            let (page,) = sql!("SELECT id FROM pages").fetch_one::<(PageId,)>(&kurso.db).await.unwrap();
            kurso.set_quiz(page, &json!({"questions": [{"type": "short_text", "prompt": "?", "accepted": ["a"]}]})).await;
            let code = courses::generate_share_code(&kurso, &owner, course).await.unwrap().share_code.unwrap();
            let learner = kurso.person("learner").await;
            learning::enroll(&kurso, &learner, &Origin::default(), &code).await.unwrap();
            attempts::submit(&kurso, &learner, page, submission(&json!({"answers": []}))).await.unwrap();
            let (attempt,) = sql!("SELECT id FROM attempts").fetch_one::<(AttemptId,)>(&kurso.db).await.unwrap();
            let graded = Graded::load(&kurso, attempt).await.unwrap().unwrap();
            for regrade in [
                "INSERT INTO taken_quizzes (page_id, version, quiz) SELECT page_id, -1, quiz FROM taken_quizzes",
                "UPDATE attempts SET quiz_version = -1",
            ] {
                sql!(regrade).execute(&kurso.db).await.unwrap();
            }
            let mut tx = kurso.db.begin().await.unwrap();
            assert!(matches!(graded.store(&mut tx).await, Err(Error::Busy)));
            tx.rollback().await.unwrap();
            // Loaded again, it is graded by the present quiz.
            let graded = Graded::load(&kurso, attempt).await.unwrap().unwrap();
            let mut tx = kurso.db.begin().await.unwrap();
            graded.store(&mut tx).await.unwrap();
            tx.commit().await.unwrap();
        }
    }
}
