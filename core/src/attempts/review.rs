//! The parts of an attempt that its reader may see. Only this module applies `reveal`.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;

use super::changes::ResultChange;
use crate::files::FileUrls;
use kurso_base::error::{Error, Result};
use kurso_base::ids::{AttemptId, PageId};
use kurso_base::wire;
use kurso_formats::quiz::{
    Aliases, Answer, Given, Grade, LearnerQuestion, LearnerQuiz, MarkResult, PinnedComment, Points, Question,
    QuestionGrade, Quiz, Reveal, Seconds, Times, Values, Zone, answers_from_text, right_answer, right_places, rounded,
};

/// An attempt as its reader may see it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Attempt {
    #[serde(rename = "attempt_id")]
    pub id: AttemptId,
    /// From 1.
    pub attempt_no: i64,
    /// Rounded to four decimals.
    pub score: f64,
    pub max_score: f64,
    /// Rounded down.
    pub percent: i64,
    /// Decided by the exact score.
    pub passed: bool,
    /// Percent of the score that was lost because the attempt was late; score, percent and `passed` are without them.
    pub penalty_percent: i64,
    /// The number of answers that wait for a grader, or for the release of their points. Answers to questions without points are not counted.
    /// Until all points are released, score and percent contain only what has been earned so far and can only rise.
    pub waiting_answers: i64,
    /// Whether the attempt was returned for revision. It does not count against the limit, and waits until there is a later one.
    pub is_returned: bool,
    #[serde(serialize_with = "wire::time")]
    pub submitted_at: DateTime<Utc>,
    /// With the ids that the reader knows.
    pub answers: Vec<Answer>,
    /// In the order of the quiz.
    pub results: Vec<QuestionResult>,
    /// The questions of an attempt that has drawn some, as its learner saw them. None for other attempts, and for staff.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub questions: Option<Vec<LearnerQuestion>>,
    /// The changes of its result, newest first. Only lists of attempts have them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub result_changes: Vec<ResultChange>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct QuestionResult {
    pub question_id: Uuid,
    /// Rounded to four decimals. None if the quiz never reveals which answers are correct, and while the answer is waiting.
    pub points: Option<f64>,
    pub max_points: Points,
    /// The prompt of a formula question with the values of the attempt. None for other questions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt: Option<Value>,
    /// None if the quiz never reveals it, and while the answer is waiting.
    pub correct: Option<bool>,
    /// Whether the answer waits for a grader, for the release of its points, or for the next version of work that was returned.
    pub is_waiting: bool,
    /// Whether a grader returned the answer for revision.
    pub is_returned: bool,
    /// The grader's comment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    /// What the grader chose in the rubric.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<MarkResult>,
    /// The grader's comments at places of the answer.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pins: Vec<PinnedComment>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explanation: Option<Value>,
    /// Feedback of the chosen options, in the order of the question. It is shown whenever the explanation is.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub option_feedback: Vec<OptionFeedback>,
    /// In the form of an answer. None also when only a pattern decides what is correct.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub correct_answer: Option<Given>,
    /// The zones of a hotspot question. They are shown whenever the correct answer is.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub zones: Vec<Zone>,
    /// Whether each place of the answer to a hotspot question is right. It is shown whenever the zones are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub right_places: Vec<bool>,
    /// How long the learner spent on the question. None if that is unknown, and for learners.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<Seconds>,
}

/// The feedback of an option that was chosen.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OptionFeedback {
    pub option_id: Uuid,
    /// A rich document.
    pub feedback: Value,
}

/// The result of a question as it is stored.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct KeptResult {
    pub question_id: Uuid,
    pub points: f64,
    pub max_points: Points,
    pub correct: bool,
    /// The values of a formula question. They are stored because they would be others if the server's key changed.
    #[serde(default, skip_serializing_if = "Values::is_empty")]
    pub values: Values,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_waiting: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_returned: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<MarkResult>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pins: Vec<PinnedComment>,
}

/// What a grader wrote of an answer, beside its points.
#[derive(Clone, Debug, Default)]
pub struct Remark {
    /// Whether the grader returned the answer for revision.
    pub is_returned: bool,
    pub comment: Option<String>,
    pub marks: Vec<MarkResult>,
    pub pins: Vec<PinnedComment>,
}

impl KeptResult {
    /// The result of a question, with its values if it is a formula question and with what its grader wrote.
    pub fn new(question: &QuestionGrade, values: Values, remark: Remark) -> Self {
        KeptResult {
            question_id: question.question_id,
            points: rounded(&question.points),
            max_points: question.max_points,
            correct: question.correct,
            values,
            is_waiting: question.is_waiting,
            is_returned: remark.is_returned,
            comment: remark.comment,
            marks: remark.marks,
            pins: remark.pins,
        }
    }

    /// With the correct answer, the explanation and the feedback if `reveals` holds and `quiz` is known.
    fn shown(self, quiz: Option<&Quiz>, reveals: bool, answers: &[Answer]) -> QuestionResult {
        let question = quiz.and_then(|quiz| quiz.question(self.question_id));
        let with_values = question.filter(|_| !self.values.is_empty());
        let with_values = with_values.map(|question| question.with_values(&self.values));
        let question = with_values.as_ref().or(question).filter(|_| reveals);
        QuestionResult {
            question_id: self.question_id,
            points: (!self.is_waiting).then_some(self.points),
            max_points: self.max_points,
            correct: (!self.is_waiting).then_some(self.correct),
            is_waiting: self.is_waiting,
            is_returned: self.is_returned,
            comment: self.comment,
            marks: self.marks,
            pins: self.pins,
            explanation: question.and_then(|question| question.explanation.clone()),
            option_feedback: question.map_or_else(Vec::new, |question| chosen_feedback(question, answers)),
            correct_answer: question.and_then(right_answer),
            zones: question.map_or_else(Vec::new, |question| question.kind.zones().to_vec()),
            right_places: question.map_or_else(Vec::new, |question| judged_places(question, answers)),
            seconds: None,
            prompt: with_values.map(|question| question.prompt),
        }
    }

    /// The result of a question that its learner has checked in a running attempt, whose quiz and saved answers these are. `has_passed` holds if
    /// an earlier attempt passed.
    pub(super) fn of_checked(
        self,
        quiz: &Quiz,
        answers: &[Answer],
        has_passed: bool,
        aliases: &Aliases<'_>,
    ) -> QuestionResult {
        let reveals = shows_answers(quiz.reveal, has_passed);
        self.shown(Some(quiz), reveals, answers)
            .for_learner(quiz.reveal, aliases)
    }
}

impl QuestionResult {
    /// With the ids that the learner knows, and without what `reveal` hides always.
    fn for_learner(mut self, reveal: Reveal, aliases: &Aliases<'_>) -> Self {
        let right = self.correct_answer.take();
        self.correct_answer = right.map(|given| given.with_aliases(aliases, self.question_id));
        if reveal == Reveal::Never {
            (self.points, self.correct) = (None, None);
            self.marks.clear(); // they tell the points
        }
        self
    }
}

/// Reads the text that [`results_text`] wrote.
pub(super) fn kept_results(text: &str) -> Result<Vec<KeptResult>> {
    serde_json::from_str(text).map_err(Error::internal)
}

/// The values of formula questions in stored results.
pub(crate) fn kept_values(text: &str) -> Result<HashMap<Uuid, Values>> {
    let kept = kept_results(text)?.into_iter();
    let values = kept.map(|result| (result.question_id, result.values));
    Ok(values.filter(|(_, values)| !values.is_empty()).collect())
}

/// The results as they are stored, with the remarks of graders and the values of formula questions.
fn results_text(grade: &Grade, values: &HashMap<Uuid, Values>, remarks: &mut HashMap<Uuid, Remark>) -> Result<String> {
    let kept: Vec<KeptResult> = grade
        .questions
        .iter()
        .map(|question| {
            let remark = remarks.remove(&question.question_id).unwrap_or_default();
            let values = values.get(&question.question_id).cloned().unwrap_or_default();
            KeptResult::new(question, values, remark)
        })
        .collect();
    serde_json::to_string(&kept).map_err(Error::internal)
}

/// The results of an attempt whose returned answers wait no longer: they count as 0 points. Also the number of its answers that still wait.
pub(super) fn settled(text: &str) -> Result<(String, i64)> {
    let mut kept = kept_results(text)?;
    for result in kept.iter_mut().filter(|result| result.is_returned) {
        result.is_waiting = false;
    }
    let waits = |result: &&KeptResult| result.is_waiting && !result.max_points.is_zero();
    let waiting = i64::try_from(kept.iter().filter(waits).count()).unwrap_or(i64::MAX);
    Ok((serde_json::to_string(&kept).map_err(Error::internal)?, waiting))
}

/// An attempt as it is stored.
#[derive(Clone, sqlx::FromRow)]
pub struct AttemptRow {
    pub id: AttemptId,
    pub page_id: PageId,
    pub attempt_no: i64,
    /// The version of the page whose quiz was taken.
    pub quiz_version: i64,
    pub answers: String,
    pub results: String,
    pub score: f64,
    pub max_score: f64,
    pub percent: i64,
    pub passed: bool,
    pub penalty_percent: i64,
    /// The number of answers to questions with points that wait for a grader or a release.
    pub waiting: i64,
    pub is_returned: bool,
    pub submitted_at: DateTime<Utc>,
    /// What the attempt has drawn, as it is stored; None without draws.
    pub drawn: Option<String>,
    /// How long the learner spent on the questions, as it is stored; None if that is unknown.
    pub times: Option<String>,
}

/// The columns that every query of attempts selects.
macro_rules! attempt_columns {
    () => {
        "id, page_id, attempt_no, quiz_version, answers, results, score, max_score, percent, passed,
         penalty_percent, waiting, is_returned, submitted_at, drawn, times"
    };
}
pub(crate) use attempt_columns;

/// Whether learners see the correct answers.
pub fn shows_answers(reveal: Reveal, has_passed: bool) -> bool {
    match reveal {
        Reveal::AfterSubmit => true,
        Reveal::AfterPass => has_passed,
        Reveal::Never => false,
    }
}

/// The feedback of the options that the answer to a question chose.
fn chosen_feedback(question: &Question, answers: &[Answer]) -> Vec<OptionFeedback> {
    let Some(options) = question.kind.options() else {
        return Vec::new();
    };
    let answer = answers.iter().find(|answer| answer.question_id == question.id);
    let Some(Given::Options(chosen)) = answer.map(|answer| &answer.given) else {
        return Vec::new();
    };
    let chosen = options.iter().filter(|option| chosen.contains(&option.id));
    let feedback = chosen.filter_map(|option| {
        Some(OptionFeedback {
            option_id: option.id,
            feedback: option.feedback.clone()?,
        })
    });
    feedback.collect()
}

/// Whether each place of the answer to a hotspot question is right; empty for other questions.
fn judged_places(question: &Question, answers: &[Answer]) -> Vec<bool> {
    let answer = answers.iter().find(|answer| answer.question_id == question.id);
    answer.map_or_else(Vec::new, |answer| right_places(&question.kind, &answer.given))
}

/// The times as they are stored; None without any.
pub(super) fn times_text(times: &Times) -> Result<Option<String>> {
    let text = (!times.is_empty()).then(|| serde_json::to_string(times));
    text.transpose().map_err(Error::internal)
}

/// Reads the text that [`times_text`] wrote.
pub(crate) fn kept_times(text: Option<&str>) -> Result<Times> {
    text.map_or_else(
        || Ok(Times::new()),
        |text| serde_json::from_str(text).map_err(Error::internal),
    )
}

impl AttemptRow {
    /// A new graded attempt at the quiz of a page in a version, which was on time.
    pub fn new(
        (page, quiz_version): (PageId, i64),
        attempt_no: i64,
        quiz: &Quiz,
        answers: &[Answer],
        (grade, values): (&Grade, &HashMap<Uuid, Values>),
        now: DateTime<Utc>,
    ) -> Result<Self> {
        Ok(AttemptRow {
            id: AttemptId::new(),
            page_id: page,
            attempt_no,
            quiz_version,
            answers: serde_json::to_string(answers).map_err(Error::internal)?,
            results: results_text(grade, values, &mut HashMap::new())?,
            score: rounded(&grade.score),
            max_score: rounded(&grade.max),
            percent: grade.percent().into(),
            passed: grade.passes(quiz.pass_percent),
            penalty_percent: 0,
            waiting: i64::try_from(grade.waiting()).unwrap_or(i64::MAX),
            is_returned: false,
            submitted_at: now,
            drawn: None,
            times: None,
        })
    }

    /// The attempt with a new grade and the comments of graders by question. The late penalty is not yet deducted from the grade. `pass_percent`
    /// is that of the quiz that it is graded by.
    pub fn regraded(self, pass_percent: u8, grade: Grade, mut remarks: HashMap<Uuid, Remark>) -> Result<Self> {
        let grade = grade.reduced_by(self.penalty_percent);
        let values = kept_values(&self.results)?;
        Ok(AttemptRow {
            is_returned: remarks.values().any(|remark| remark.is_returned),
            results: results_text(&grade, &values, &mut remarks)?,
            score: rounded(&grade.score),
            max_score: rounded(&grade.max),
            percent: grade.percent().into(),
            passed: grade.passes(pass_percent),
            waiting: i64::try_from(grade.waiting()).unwrap_or(i64::MAX),
            ..self
        })
    }

    /// The attempt for its learner. `taken` is the quiz of the attempt. `reveal` is that of the current quiz, so
    /// that an author can reveal or hide the answers after an exam. `has_passed` holds if any attempt at the page passed.
    pub fn for_learner(
        self,
        taken: Option<&Quiz>,
        reveal: Reveal,
        has_passed: bool,
        aliases: &Aliases<'_>,
        urls: &FileUrls,
    ) -> Result<Attempt> {
        let questions = match taken.filter(|_| self.drawn.is_some()) {
            Some(quiz) => {
                let asked = quiz.clone().with_values(&kept_values(&self.results)?);
                Some(LearnerQuiz::of(asked, aliases, self.attempt_no).questions)
            }
            None => None,
        };
        let mut attempt = self.shown(taken, shows_answers(reveal, has_passed), urls)?;
        attempt.questions = questions;
        for answer in &mut attempt.answers {
            let given = std::mem::replace(&mut answer.given, Given::Options(vec![]));
            answer.given = given.with_aliases(aliases, answer.question_id);
        }
        let results = attempt.results.into_iter();
        attempt.results = results.map(|result| result.for_learner(reveal, aliases)).collect();
        Ok(attempt)
    }

    /// The complete attempt for those who may see students, with the ids of the quiz.
    pub fn for_staff(self, taken: &Quiz, urls: &FileUrls) -> Result<Attempt> {
        let times = kept_times(self.times.as_deref())?;
        let mut attempt = self.shown(Some(taken), true, urls)?;
        for result in &mut attempt.results {
            result.seconds = times.get(&result.question_id).copied();
        }
        Ok(attempt)
    }

    /// Whether the attempt had formula questions, whose prompts are made from the quiz that was taken.
    pub(super) fn has_values(&self) -> bool {
        self.results.contains("\"values\"")
    }

    /// With correct answers, explanations and feedback if `reveals` holds and `quiz` is known.
    fn shown(self, quiz: Option<&Quiz>, reveals: bool, urls: &FileUrls) -> Result<Attempt> {
        let mut answers = answers_from_text(&self.answers)?;
        urls.in_answers(&mut answers);
        let kept = kept_results(&self.results)?.into_iter();
        let results = kept.map(|kept| kept.shown(quiz, reveals, &answers)).collect();
        Ok(Attempt {
            id: self.id,
            attempt_no: self.attempt_no,
            score: self.score,
            max_score: self.max_score,
            percent: self.percent,
            passed: self.passed,
            penalty_percent: self.penalty_percent,
            waiting_answers: self.waiting,
            is_returned: self.is_returned,
            submitted_at: self.submitted_at,
            results,
            answers,
            questions: None,
            result_changes: vec![],
        })
    }
}
