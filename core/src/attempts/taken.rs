//! Quizzes in the versions that learners have taken: one text per version of a page. A text can have 2 MiB and a learner
//! thousands of attempts, so attempts share the text of their version.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use super::list::shown_to_staff;
use super::review::AttemptRow;
use crate::courses::page::references::References;
use crate::draws::{self, Drawn};
use kurso_base::error::{Error, Result};
use kurso_base::ids::{EnrollmentId, PageId};
use kurso_db::sql;
use kurso_db::{Executor, Tx};
use kurso_formats::quiz::{Kind, Question, Quiz};
use uuid::Uuid;

/// The quizzes that attempts were made at.
#[derive(Default)]
pub struct TakenQuizzes(HashMap<(PageId, i64), StoredQuiz>);

struct StoredQuiz {
    text: Arc<str>,
    quiz: Quiz,
}

/// The quiz of an attempt.
pub struct TakenQuiz<'a> {
    pub quiz: Cow<'a, Quiz>,
    /// The stored text, which the attempts at a version share; None if the quiz has draws.
    shared: Option<&'a Arc<str>>,
}

impl TakenQuiz<'_> {
    /// The author's form as JSON text.
    pub fn text(&self) -> Result<Arc<str>> {
        match self.shared {
            Some(text) => Ok(text.clone()),
            None => self.quiz.to_text().map(Arc::from),
        }
    }
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
            Ok(((page, version), StoredQuiz { text, quiz }))
        };
        let parsing = tokio::task::spawn_blocking(move || rows.into_iter().map(quiz).collect::<Result<_>>());
        parsing.await.map_err(Error::internal)?.map(TakenQuizzes)
    }

    /// None when the page was deleted meanwhile.
    pub fn find(&self, attempt: &AttemptRow) -> Result<Option<TakenQuiz<'_>>> {
        let Some(stored) = self.0.get(&(attempt.page_id, attempt.quiz_version)) else {
            return Ok(None);
        };
        Ok(Some(match stored.quiz.has_draws() {
            true => TakenQuiz {
                quiz: Cow::Owned(stored.quiz.with_drawn(&draws::from_text(attempt.drawn.as_deref())?)),
                shared: None,
            },
            false => TakenQuiz {
                quiz: Cow::Borrowed(&stored.quiz),
                shared: Some(&stored.text),
            },
        }))
    }
}

/// Adds the questions that an attempt draws to the taken quiz of a version, and keeps the files that they show. The row is locked before it is
/// changed, so that concurrent calls lose no question.
pub(super) async fn pool(tx: &mut Tx, page: PageId, version: i64, drawn: &Drawn) -> Result<()> {
    let stored = sql!(
        "SELECT quiz FROM taken_quizzes WHERE page_id = $1 AND version = $2",
        page,
        version
    );
    let (text,) = stored.fetch_one::<(String,)>(&mut *tx).await?;
    // Questions that it already has stay: nothing is ever removed from a pool.
    if pooled(text, drawn.clone()).await?.is_none() {
        return Ok(());
    }
    let locked = sql!(
        "UPDATE taken_quizzes SET quiz = quiz WHERE page_id = $1 AND version = $2 RETURNING quiz",
        page,
        version
    );
    let (text,) = locked.fetch_one::<(String,)>(&mut *tx).await?;
    if let Some(text) = pooled(text, drawn.clone()).await? {
        sql!(
            "UPDATE taken_quizzes SET quiz = $3 WHERE page_id = $1 AND version = $2",
            page,
            version,
            text
        )
        .execute(&mut *tx)
        .await?;
    }
    let questions: Vec<&Question> = drawn.iter().map(|(_, question)| question).collect();
    let questions = serde_json::to_value(questions).map_err(Error::internal)?;
    References::of(None, Some(&questions)).keep_files(tx, page).await
}

/// The text of a taken quiz after adding the drawn questions; None if it already has them. A text may have megabytes, so it is not parsed on the threads of the
/// async runtime.
async fn pooled(text: String, drawn: Drawn) -> Result<Option<String>> {
    let adding = tokio::task::spawn_blocking(move || {
        let mut quiz = Quiz::from_text(&text)?;
        if quiz.has_drawn(&draws::ids(&drawn)) {
            return Ok(None);
        }
        quiz.pool(&drawn);
        quiz.to_text().map(Some)
    });
    adding.await.map_err(Error::internal)?
}

/// A question that attempts at a page have drawn.
pub(crate) struct PastDraw {
    pub draw_id: Uuid,
    /// The question in the newest version that was drawn.
    pub question: Question,
}

/// The questions that attempts at pages with these quizzes have drawn, by page and id. One statement, none if no quiz has draws.
pub(crate) async fn past_draws<'a>(
    on: impl Executor,
    quizzes: impl IntoIterator<Item = (&'a PageId, &'a Quiz)>,
) -> Result<HashMap<(PageId, Uuid), PastDraw>> {
    let drawing = quizzes.into_iter().filter(|(_, quiz)| quiz.has_draws());
    let pages: Vec<PageId> = drawing.map(|(page, _)| *page).collect();
    if pages.is_empty() {
        return Ok(HashMap::new());
    }
    let rows = sql!("SELECT page_id, quiz FROM taken_quizzes WHERE quiz LIKE '%\"pool\":[%' AND page_id IN ")
        .push_in(pages)
        .push(" ORDER BY page_id, version")
        .fetch_all::<(PageId, String)>(on)
        .await?;
    let reading = tokio::task::spawn_blocking(move || {
        let mut found = HashMap::new();
        for (page, text) in rows {
            for draw in Quiz::from_text(&text)?.questions {
                let Kind::Draw { mut pool, .. } = draw.kind else {
                    continue;
                };
                pool.sort_by_key(|pooled| pooled.version);
                for pooled in pool {
                    let past = PastDraw {
                        draw_id: draw.id,
                        question: pooled.question,
                    };
                    found.insert((page, past.question.id), past);
                }
            }
        }
        Ok(found)
    });
    reading.await.map_err(Error::internal)?
}
