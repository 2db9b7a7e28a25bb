//! What is shown of an attempt, and when: the only place that applies `reveal`.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;

use kurso_base::error::{Error, Result};
use kurso_base::ids::{AttemptId, PageId};
use kurso_base::wire;
use kurso_formats::quiz::{Answer, Given, Grade, Points, Quiz, Reveal, Veil, right_answer, rounded};

/// An attempt as its reader may see it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Attempt {
    #[serde(rename = "attempt_id")]
    pub id: AttemptId,
    /// From 1.
    pub attempt_no: i64,
    /// Rounded to four places.
    pub score: f64,
    pub max_score: f64,
    /// Rounded down.
    pub percent: i64,
    /// By the exact score.
    pub passed: bool,
    #[serde(serialize_with = "wire::time")]
    pub submitted_at: DateTime<Utc>,
    /// With the ids its reader knows.
    pub answers: Vec<Answer>,
    /// In the order of the quiz.
    pub results: Vec<QuestionResult>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct QuestionResult {
    pub question_id: Uuid,
    /// Rounded to four places. None where the quiz never says which answers were right.
    pub points: Option<f64>,
    pub max_points: Points,
    /// None where the quiz never says it.
    pub correct: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explanation: Option<Value>,
    /// In the shape of an answer. None also where only a pattern knows what is right.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub correct_answer: Option<Given>,
}

/// A question's result as an attempt keeps it.
#[derive(Serialize, Deserialize)]
pub(super) struct KeptResult {
    pub question_id: Uuid,
    pub points: f64,
    pub max_points: Points,
    correct: bool,
}

/// Reads what [`results_text`] wrote.
pub(super) fn kept_results(text: &str) -> Result<Vec<KeptResult>> {
    serde_json::from_str(text).map_err(Error::internal)
}

/// The results as an attempt keeps them.
fn results_text(grade: &Grade) -> Result<String> {
    let kept: Vec<KeptResult> = grade
        .questions
        .iter()
        .map(|question| KeptResult {
            question_id: question.question_id,
            points: rounded(&question.points),
            max_points: question.max_points,
            correct: question.correct,
        })
        .collect();
    serde_json::to_string(&kept).map_err(Error::internal)
}

/// An attempt as it is stored.
#[derive(Clone, sqlx::FromRow)]
pub struct AttemptRow {
    pub id: AttemptId,
    pub page_id: PageId,
    pub attempt_no: i64,
    /// The version of the page whose quiz it answers.
    pub quiz_version: i64,
    pub answers: String,
    pub results: String,
    pub score: f64,
    pub max_score: f64,
    pub percent: i64,
    pub passed: bool,
    pub submitted_at: DateTime<Utc>,
}

/// What every query of attempts selects.
macro_rules! attempt_columns {
    () => {
        "id, page_id, attempt_no, quiz_version, answers, results, score, max_score, percent, passed, submitted_at"
    };
}
pub(super) use attempt_columns;

/// Is a learner shown what was right?
pub fn shows_answers(reveal: Reveal, has_passed: bool) -> bool {
    match reveal {
        Reveal::AfterSubmit => true,
        Reveal::AfterPass => has_passed,
        Reveal::Never => false,
    }
}

impl AttemptRow {
    /// A new one, graded. `page` with the version whose quiz it answers.
    pub fn new(
        (page, quiz_version): (PageId, i64),
        attempt_no: i64,
        quiz: &Quiz,
        answers: &[Answer],
        grade: &Grade,
        now: DateTime<Utc>,
    ) -> Result<Self> {
        Ok(AttemptRow {
            id: AttemptId::new(),
            page_id: page,
            attempt_no,
            quiz_version,
            answers: serde_json::to_string(answers).map_err(Error::internal)?,
            results: results_text(grade)?,
            score: rounded(&grade.score),
            max_score: rounded(&grade.max),
            percent: grade.percent().into(),
            passed: grade.passes(quiz.pass_percent),
            submitted_at: now,
        })
    }

    /// For the learner whose attempt it is. `taken` is the quiz as it was taken; `reveal` is the present quiz's, so that an
    /// author can open or close the answers after an exam; `has_passed`: any of the learner's attempts at the page.
    pub fn for_learner(
        self,
        taken: Option<&Quiz>,
        reveal: Reveal,
        has_passed: bool,
        veil: &Veil<'_>,
    ) -> Result<Attempt> {
        let mut attempt = self.shown(taken.filter(|_| shows_answers(reveal, has_passed)))?;
        for answer in &mut attempt.answers {
            let given = std::mem::replace(&mut answer.given, Given::Options(vec![]));
            answer.given = given.veiled(veil, answer.question_id);
        }
        for result in &mut attempt.results {
            let right = result.correct_answer.take();
            result.correct_answer = right.map(|given| given.veiled(veil, result.question_id));
            if reveal == Reveal::Never {
                (result.points, result.correct) = (None, None);
            }
        }
        Ok(attempt)
    }

    /// For those who may see students: everything, with the quiz's own ids.
    pub fn for_staff(self, taken: &Quiz) -> Result<Attempt> {
        self.shown(Some(taken))
    }

    /// With right answers and explanations where the quiz is given.
    fn shown(self, quiz: Option<&Quiz>) -> Result<Attempt> {
        let results = kept_results(&self.results)?.into_iter().map(|kept| {
            let question = quiz.and_then(|quiz| quiz.question(kept.question_id));
            QuestionResult {
                question_id: kept.question_id,
                points: Some(kept.points),
                max_points: kept.max_points,
                correct: Some(kept.correct),
                explanation: question.and_then(|question| question.explanation.clone()),
                correct_answer: question.and_then(right_answer),
            }
        });
        Ok(Attempt {
            id: self.id,
            attempt_no: self.attempt_no,
            score: self.score,
            max_score: self.max_score,
            percent: self.percent,
            passed: self.passed,
            submitted_at: self.submitted_at,
            results: results.collect(),
            answers: serde_json::from_str(&self.answers).map_err(Error::internal)?,
        })
    }
}
