//! Quizzes in the versions that learners have taken: one text per version of a page. A text can have 2 MiB and a learner
//! thousands of attempts, so attempts share the text of their version.

use std::collections::HashMap;
use std::sync::Arc;

use super::list::shown_to_staff;
use super::review::AttemptRow;
use kurso_base::error::{Error, Result};
use kurso_base::ids::{EnrollmentId, PageId};
use kurso_db::sql;
use kurso_db::{Executor, Tx};
use kurso_formats::quiz::Quiz;

/// The quizzes that attempts were made at.
#[derive(Default)]
pub struct TakenQuizzes(HashMap<(PageId, i64), TakenQuiz>);

pub struct TakenQuiz {
    /// The author's form as JSON text.
    pub text: Arc<str>,
    pub quiz: Quiz,
}

/// Stores the quiz of a version of a page, unless it is already stored.
pub async fn keep(tx: &mut Tx, page: PageId, version: i64, quiz: &Quiz) -> Result<()> {
    sql!(
        "INSERT INTO taken_quizzes (page_id, version, quiz) VALUES ($1, $2, $3) ON CONFLICT (page_id, version) DO NOTHING",
        page,
        version,
        quiz.to_text()?
    )
    .execute(tx)
    .await?;
    Ok(())
}

impl TakenQuizzes {
    /// The quizzes of the enrollments' attempts at the pages. One statement, none without pages.
    pub async fn of(on: impl Executor, enrollments: &[EnrollmentId], pages: &[PageId]) -> Result<Self> {
        if pages.is_empty() {
            return Ok(TakenQuizzes::default());
        }
        let rows = sql!(
            "SELECT t.page_id, t.version, t.quiz FROM taken_quizzes t
             WHERE EXISTS (SELECT 1 FROM attempts a
               WHERE a.page_id = t.page_id AND a.quiz_version = t.version AND a.enrollment_id IN "
        )
        .push_in(enrollments.iter().copied())
        .push(") AND t.page_id IN ")
        .push_in(pages.iter().copied())
        .fetch_all(on)
        .await?;
        Self::read(rows).await
    }

    /// The quizzes of the attempts that staff see. One statement.
    pub(super) async fn shown_to_staff(
        on: impl Executor,
        enrollment: EnrollmentId,
        attempts: i64,
        bytes: i64,
    ) -> Result<Self> {
        let rows = sql!(
            concat!(
                "SELECT t.page_id, t.version, t.quiz
                 FROM (SELECT DISTINCT page_id, quiz_version FROM attempts WHERE id IN ",
                shown_to_staff!(),
                ") a JOIN taken_quizzes t ON t.page_id = a.page_id AND t.version = a.quiz_version"
            ),
            enrollment,
            attempts,
            bytes
        )
        .fetch_all(on)
        .await?;
        Self::read(rows).await
    }

    /// Parses the texts away from the threads of the async runtime: each may have 2 MiB.
    async fn read(rows: Vec<(PageId, i64, String)>) -> Result<Self> {
        let quiz = |(page, version, text): (PageId, i64, String)| {
            let quiz = Quiz::from_text(&text)?;
            let text = text.into();
            Ok(((page, version), TakenQuiz { text, quiz }))
        };
        let parsing = tokio::task::spawn_blocking(move || rows.into_iter().map(quiz).collect::<Result<_>>());
        parsing.await.map_err(Error::internal)?.map(TakenQuizzes)
    }

    /// None when the page was deleted meanwhile.
    pub fn find(&self, attempt: &AttemptRow) -> Option<&TakenQuiz> {
        self.0.get(&(attempt.page_id, attempt.quiz_version))
    }
}
