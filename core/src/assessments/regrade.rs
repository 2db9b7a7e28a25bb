//! Derives the results of an attempt again from its answers and their released assessments.

use std::collections::HashMap;

use kurso_base::error::{Error, Result};
use kurso_base::ids::AttemptId;
use kurso_db::{Tx, sql};
use kurso_formats::quiz::{Grade, Points, answers_from_text, grade};
use uuid::Uuid;

use super::answer::taken_quiz;
use crate::Kurso;
use crate::attempts::{AttemptRow, attempt_columns};

/// An attempt with its automatic grade, which never changes.
pub(super) struct Graded {
    /// The answers are left out, because they may be large and do not change.
    row: AttemptRow,
    pass_percent: u8,
    grade: Grade,
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
        let quiz = taken_quiz(&kurso.db, row.page_id, row.quiz_version).await?;
        // An author's patterns may take long, so they do not run on the threads of the async runtime.
        let grading = tokio::task::spawn_blocking(move || {
            let answers = answers_from_text(&row.answers)?;
            Ok(Graded {
                pass_percent: quiz.pass_percent,
                grade: grade(&quiz, &answers),
                row: AttemptRow {
                    answers: String::new(),
                    ..row
                },
            })
        });
        grading.await.map_err(Error::internal)?.map(Some)
    }

    /// Stores the attempt with its released points and comments. The caller has locked the enrollment, and derives its progress afterwards. Two
    /// statements.
    pub async fn store(self, tx: &mut Tx) -> Result<()> {
        let released = sql!(
            "SELECT question_id, points, comment FROM open_answers WHERE attempt_id = $1 AND state = 'released'",
            self.row.id
        )
        .fetch_all::<(Uuid, i64, Option<String>)>(&mut *tx)
        .await?;
        let mut given = HashMap::new();
        let mut comments = HashMap::new();
        for (question, points, comment) in released {
            given.insert(question, Points::of_parts(points));
            comments.extend(comment.map(|comment| (question, comment)));
        }
        let row = self
            .row
            .regraded(self.pass_percent, self.grade.with_given(&given), comments)?;
        sql!(
            "UPDATE attempts SET results = $2, score = $3, percent = $4, passed = $5, waiting = $6 WHERE id = $1",
            row.id,
            &row.results,
            row.score,
            row.percent,
            row.passed,
            row.waiting
        )
        .execute(tx)
        .await?;
        Ok(())
    }
}
