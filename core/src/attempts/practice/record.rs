//! Counts the answers of attempts as reviews.

use std::collections::HashMap;

use chrono::{DateTime, TimeDelta, Utc};
use kurso_base::error::Result;
use kurso_base::ids::{CardId, EnrollmentId, PageId};
use kurso_db::{Tx, args, sql};
use kurso_formats::quiz::{Grade, Question, QuestionGrade, Quiz, Reveal, rounded};
use uuid::Uuid;

use super::fsrs::{Memory, Rating};

/// Days are rounded: who practises in the evening can practise the next morning.
const HALF_DAY: TimeDelta = TimeDelta::hours(12);

/// How well a card is remembered, and when it is due.
#[derive(Clone, Copy, Debug, sqlx::FromRow)]
pub(super) struct Review {
    #[sqlx(flatten)]
    pub memory: Memory,
    pub reviewed_at: DateTime<Utc>,
}

impl Review {
    /// The first review of a question.
    pub fn first(rating: Rating, at: DateTime<Utc>) -> Self {
        Review {
            memory: Memory::first(rating),
            reviewed_at: at,
        }
    }

    /// The next review.
    pub fn then(self, rating: Rating, at: DateTime<Utc>) -> Self {
        let days = (at - self.reviewed_at + HALF_DAY).num_days().max(0);
        Review {
            memory: self.memory.reviewed(rating, days),
            reviewed_at: at,
        }
    }

    pub fn due_at(&self) -> DateTime<Utc> {
        self.reviewed_at + TimeDelta::days(self.memory.interval()) - HALF_DAY
    }
}

/// Whether the server grades the answers to a question at once.
pub(super) fn is_practised(question: &Question) -> bool {
    !question.kind.is_open()
}

/// How well an answer was remembered.
pub(super) fn rating(points: f64, is_correct: bool) -> Rating {
    match is_correct {
        true => Rating::Good,
        false if points > 0.0 => Rating::Hard,
        false => Rating::Again,
    }
}

#[derive(sqlx::FromRow)]
struct Row {
    question_id: Uuid,
    #[sqlx(flatten)]
    review: Review,
}

/// Makes cards of the questions of an attempt that were not answered right, and reviews those that have one; a miss resumes a stopped card. Open
/// questions have none, nor have those of a quiz that never shows the answers. The caller has locked the enrollment. One statement, and one more if
/// something changes.
pub(in super::super) async fn record(
    tx: &mut Tx,
    (enrollment, page): (EnrollmentId, PageId),
    (quiz, quiz_version): (&Quiz, i64),
    grade: &Grade,
    at: DateTime<Utc>,
) -> Result<()> {
    if quiz.reveal == Reveal::Never {
        return Ok(());
    }
    let cards = sql!(
        "SELECT question_id, stability, difficulty, reviewed_at FROM practice_cards WHERE enrollment_id = $1 AND page_id = $2",
        enrollment,
        page
    );
    let cards = cards.fetch_all::<Row>(&mut *tx).await?;
    let cards: HashMap<Uuid, Review> = cards.into_iter().map(|row| (row.question_id, row.review)).collect();
    let review = |graded: &QuestionGrade| {
        let rating = rating(rounded(&graded.points), graded.correct);
        let review = match cards.get(&graded.question_id) {
            Some(card) => card.then(rating, at),
            None if rating == Rating::Good => return None,
            None => Review::first(rating, at),
        };
        Some((graded.question_id, review, rating == Rating::Good))
    };
    // The questions of the grade are in the order of the quiz.
    let graded = quiz.questions.iter().zip(&grade.questions);
    let graded = graded.filter(|(question, _)| is_practised(question));
    let reviews: Vec<(Uuid, Review, bool)> = graded.filter_map(|(_, graded)| review(graded)).collect();
    if reviews.is_empty() {
        return Ok(());
    }
    sql!(
        "INSERT INTO practice_cards (id, enrollment_id, page_id, question_id, quiz_version, stability, difficulty, reviews, reviewed_at, due_at, is_stopped) VALUES "
    )
    .push_rows(reviews, |(question, review, stays_stopped)| {
        args![
            CardId::new(),
            enrollment,
            page,
            question,
            quiz_version,
            review.memory.stability,
            review.memory.difficulty,
            1_i64,
            review.reviewed_at,
            review.due_at(),
            stays_stopped
        ]
    })
    .push(
        " ON CONFLICT (enrollment_id, page_id, question_id) DO UPDATE SET quiz_version = excluded.quiz_version, stability = excluded.stability,
           difficulty = excluded.difficulty, reviews = practice_cards.reviews + 1, reviewed_at = excluded.reviewed_at, due_at = excluded.due_at,
           last_answer = NULL, last_result = NULL, is_stopped = practice_cards.is_stopped AND excluded.is_stopped",
    )
    .execute(tx)
    .await?;
    Ok(())
}
