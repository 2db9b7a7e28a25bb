//! Answers a practice question, or stops asking it.

use chrono::{DateTime, Utc};
use kurso_base::error::{Error, Result};
use kurso_base::ids::CardId;
use kurso_base::messages::Message;
use kurso_db::{Executor, sql};
use kurso_formats::quiz::{Aliases, Answer, PracticeReview, Quiz};

use super::question::{Card, Quizzes, card_columns, no_attempt_runs};
use super::record::{Review, rating};
use crate::Kurso;
use crate::access::Viewer;
use crate::attempts::review::{KeptResult, QuestionResult};
use crate::attempts::running::{answer_from_text, result_from_text};
use crate::attempts::single;
use crate::attempts::standing::standing;
use crate::learning::{self, LearnerAt};

/// An answered practice question.
#[derive(Clone, Debug, PartialEq)]
pub struct Practised {
    /// The answer that counts: that of the first request, with the ids that the learner knows. None if the learner did not remember.
    pub answer: Option<Answer>,
    /// With the correct answer and the explanation.
    pub result: QuestionResult,
    /// The number of reviews, including this one.
    pub reviews: i64,
    /// When it comes again.
    pub due_at: DateTime<Utc>,
}

#[derive(sqlx::FromRow)]
struct Row {
    #[sqlx(flatten)]
    card: Card,
    #[sqlx(flatten)]
    review: Review,
    due_at: DateTime<Utc>,
    last_answer: Option<String>,
    last_result: Option<String>,
    may_ask: bool,
}

impl Row {
    /// A card of the viewer; 404 otherwise.
    async fn find(on: impl Executor, viewer: &Viewer, id: CardId) -> Result<Self> {
        let row = sql!(
            concat!(
                "SELECT ",
                card_columns!(),
                ", k.stability, k.difficulty, k.reviewed_at, k.due_at, k.last_answer, k.last_result, ",
                no_attempt_runs!(),
                " AS may_ask FROM practice_cards k JOIN enrollments e ON e.id = k.enrollment_id WHERE k.id = $1 AND e.user_id = $2"
            ),
            id,
            viewer.id()
        );
        let row = row.fetch_optional::<Row>(on).await?;
        row.ok_or(Error::NotFound(Message::CardNotFound))
    }

    /// The answer and the result of the last review, if it was in practice.
    fn last(&self) -> Result<Option<(Option<Answer>, KeptResult)>> {
        let Some(result) = &self.last_result else {
            return Ok(None);
        };
        let answer = self.last_answer.as_deref().map(answer_from_text).transpose()?;
        Ok(Some((answer, result_from_text(result)?)))
    }
}

/// Answers a question, also before it is due; this never counts in grades. Without an answer, the learner does not remember. A repeated request, with
/// the same number of earlier reviews, returns the first result and the answer of the first request. Fails with 404 for a card of another person and
/// for a page that the viewer cannot see, 409 if the question was answered meanwhile or cannot be asked now, 422 for an empty answer or one that does
/// not fit its question, and with [`Error::Locked`].
pub async fn answer(kurso: &Kurso, viewer: &Viewer, id: CardId, given: PracticeReview) -> Result<Practised> {
    let row = Row::find(&kurso.db, viewer, id).await?;
    let at = LearnerAt::load(kurso, viewer, row.card.page_id).await?;
    let standing = standing(&kurso.db, at.enrollment, row.card.page_id).await?;
    let quizzes = Quizzes::load(&kurso.db, std::slice::from_ref(&row.card)).await?;
    let asked = quizzes.asked(&row.card, &standing).filter(|_| row.may_ask);
    let only = asked.ok_or(Error::Conflict(Message::NotPractised))?;
    let answering = Answering {
        aliases: kurso.quiz_key.aliases(row.card.enrollment_id.0),
        only: &only,
        has_passed: standing.passed,
    };
    if let Some(again) = answering.again(&row, given.reviews)? {
        return Ok(again);
    }
    let meanwhile = || Error::Conflict(Message::PractisedMeanwhile);
    if row.card.reviews != given.reviews {
        return Err(meanwhile());
    }
    let answer = given.answer(&only, &answering.aliases)?;
    let result = single::graded(&only, &answering.aliases, row.card.attempt_no(), answer.clone()).await?;
    let rating = rating(result.points, result.correct);
    let mut tx = kurso.db.begin().await?;
    // An attempt reviews the card too, and the end of the enrollment sets it aside.
    learning::lock_only(&mut tx, at.enrollment).await?;
    let now = Row::find(&mut tx, viewer, id).await?;
    if now.card.reviews != given.reviews {
        tx.rollback().await?;
        return answering.again(&now, given.reviews)?.ok_or_else(meanwhile);
    }
    let review = now.review.then(rating, kurso.clock.now());
    sql!(
        "UPDATE practice_cards SET stability = $2, difficulty = $3, reviewed_at = $4, due_at = $5, last_answer = $6, last_result = $7,
           reviews = reviews + 1 WHERE id = $1",
        id,
        review.memory.stability,
        review.memory.difficulty,
        review.reviewed_at,
        review.due_at(),
        answer
            .as_ref()
            .map(serde_json::to_string)
            .transpose()
            .map_err(Error::internal)?,
        serde_json::to_string(&result).map_err(Error::internal)?
    )
    .execute(&mut tx)
    .await?;
    tx.commit().await?;
    let reviews = given.reviews.saturating_add(1);
    Ok(answering.shown(&row.card, (answer, result), (reviews, review.due_at())))
}

struct Answering<'a> {
    aliases: Aliases<'a>,
    /// The quiz with only the question.
    only: &'a Quiz,
    has_passed: bool,
}

impl Answering<'_> {
    /// The result of the review after so many earlier ones, if it was the last one and in practice.
    fn again(&self, row: &Row, reviews: i64) -> Result<Option<Practised>> {
        let last = row.last()?.filter(|_| row.card.reviews == reviews.saturating_add(1));
        Ok(last.map(|last| self.shown(&row.card, last, (row.card.reviews, row.due_at))))
    }

    fn shown(
        &self,
        card: &Card,
        (answer, result): (Option<Answer>, KeptResult),
        (reviews, due_at): (i64, DateTime<Utc>),
    ) -> Practised {
        let result = result.of_checked(self.only, answer.as_slice(), self.has_passed, &self.aliases);
        let question = card.question_id;
        Practised {
            answer: answer.map(|answer| Answer {
                given: answer.given.with_aliases(&self.aliases, question),
                ..answer
            }),
            result,
            reviews,
            due_at,
        }
    }
}

/// Whether a question is asked.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(any(test, feature = "testing"), derive(serde::Deserialize))]
pub struct SetPractice {
    /// Whether it is no longer asked.
    pub is_stopped: bool,
}

/// Stops asking a question, or asks it again when it is due. Fails with 404 for a card of another person.
pub async fn set(kurso: &Kurso, viewer: &Viewer, id: CardId, set: SetPractice) -> Result<()> {
    let set = sql!(
        "UPDATE practice_cards SET is_stopped = $3 WHERE id = $1
         AND enrollment_id IN (SELECT id FROM enrollments WHERE user_id = $2)",
        id,
        viewer.id(),
        set.is_stopped
    );
    match set.execute(&kurso.db).await? {
        0 => Err(Error::NotFound(Message::CardNotFound)),
        _ => Ok(()),
    }
}
