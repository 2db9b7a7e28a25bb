use async_graphql::{Enum, ID, SimpleObject};
use kurso_base::ids::UserId;
use kurso_core::assessments;
use kurso_core::subscriptions;
use serde_json::Value;

use super::answer::AnswerFile;
use super::rubric::{Mark, PinnedComment, Rubric};
use super::{DateTime, Document, id_of, int};
use crate::cost;

/// Grading state of an answer.
#[derive(Clone, Copy, PartialEq, Eq, Default, Enum)]
#[graphql(remote = "assessments::AnswerState")]
pub enum AnswerState {
    /// Nobody has graded it.
    #[default]
    Waiting,
    /// It has points, which its student does not see yet.
    Graded,
    /// Its student sees the points and the comment.
    Released,
}

/// The name of a user.
#[derive(SimpleObject)]
pub struct PersonName {
    /// ID of the user.
    id: ID,
    /// Null when the user has not given a name.
    full_name: Option<String>,
}

/// A page of the grading queue of a course.
#[derive(SimpleObject)]
pub struct GradingQueue {
    /// The oldest first.
    answers: Vec<QueuedAnswer>,
    /// Number of answers that match the arguments.
    total: i32,
    /// Answers of the whole course that wait for a grader.
    waiting: i32,
    /// Answers of the whole course that have points which their students do not see yet.
    unreleased: i32,
    /// Whether graders do not see whose answers they grade.
    is_blind: bool,
    /// The open questions that have answers.
    questions: Vec<QueuedQuestion>,
}

/// An answer in the grading queue.
#[derive(SimpleObject)]
pub struct QueuedAnswer {
    /// ID of the attempt.
    attempt_id: ID,
    /// ID of the question.
    question_id: ID,
    /// ID of the quiz page.
    page_id: ID,
    /// Null when the page is shown by its number.
    page_title: Option<String>,
    /// Number of the question, from 1.
    number: i32,
    /// Null where the course grades blindly.
    student: Option<PersonName>,
    /// Number of the attempt, from 1.
    attempt_no: i32,
    /// Submission time.
    submitted_at: DateTime,
    /// Grading state.
    state: AnswerState,
    /// Whether it was returned for revision. It is then RELEASED without points.
    is_returned: bool,
    /// The points so far; null while it waits, and if it was returned.
    points: Option<f64>,
    /// Points of the question.
    max_points: f64,
    /// Another grader who has it open.
    opened_by: Option<PersonName>,
}

/// An open question, with the numbers of its answers that are not graded or not released.
#[derive(SimpleObject)]
pub struct QueuedQuestion {
    /// ID of the quiz page.
    page_id: ID,
    /// Null when the page is shown by its number.
    page_title: Option<String>,
    /// ID of the question.
    question_id: ID,
    /// Number in the quiz, from 1.
    number: i32,
    /// Prompt as plain text on one line, cut at 200 characters; empty when the quiz does not have the question any more.
    prompt: String,
    /// Answers that wait for a grader.
    waiting: i32,
    /// Answers with points which their students do not see yet.
    unreleased: i32,
}

/// An answer to an open question, as graders see it.
#[derive(SimpleObject)]
pub struct OpenAnswer {
    /// ID of the attempt.
    attempt_id: ID,
    /// ID of the question.
    question_id: ID,
    /// ID of the course.
    course_id: ID,
    /// ID of the quiz page.
    page_id: ID,
    /// Null when the page is shown by its number.
    page_title: Option<String>,
    /// Number of the question in the quiz as it was taken, from 1.
    number: i32,
    /// Null where the course grades blindly.
    student: Option<PersonName>,
    /// Number of the attempt, from 1.
    attempt_no: i32,
    /// Submission time.
    submitted_at: DateTime,
    /// Percent of the score that the attempt loses because it was late.
    penalty_percent: i32,
    /// Grading state.
    state: AnswerState,
    /// Prompt in the quiz as it was taken.
    #[graphql(complexity = "cost::DOCUMENT")]
    prompt: Document,
    /// Current note for graders.
    #[graphql(complexity = "cost::DOCUMENT")]
    guide: Option<Document>,
    /// Minimum number of words in the quiz as it was taken.
    min_words: Option<i32>,
    /// Maximum number of words in the quiz as it was taken.
    max_words: Option<i32>,
    /// The text of the answer; null without one.
    #[graphql(complexity = "cost::DOCUMENT")]
    content: Option<Document>,
    /// Number of words of `content`.
    words: i32,
    /// The files of the answer. In a blind course, numbers replace their names.
    #[graphql(complexity = "cost::list(cost::FILES, child_complexity)")]
    files: Vec<AnswerFile>,
    /// The links of work that was handed in: addresses on the web.
    links: Vec<String>,
    /// Whether it was returned for revision. It is then RELEASED without points.
    is_returned: bool,
    /// The points so far; null while it waits, and if it was returned.
    points: Option<f64>,
    /// Points of the question.
    max_points: f64,
    /// The comment that the student sees, or will see after the release.
    comment: Option<String>,
    /// The rubric of the question as it was asked.
    rubric: Option<Rubric>,
    /// The levels of the rubric that the points come from; empty if they were given without.
    #[graphql(complexity = "cost::list(cost::CRITERIA, child_complexity)")]
    marks: Vec<Mark>,
    /// The grader's comments at places of the answer.
    #[graphql(complexity = "cost::list(cost::PINS, child_complexity)")]
    pins: Vec<PinnedComment>,
    /// Number of assessments. A new assessment must name it.
    version: i32,
    /// All assessments, the latest one first. Only the latest one counts.
    #[graphql(complexity = "cost::list(cost::DECISIONS, child_complexity)")]
    history: Vec<Assessment>,
    /// Another grader who has it open.
    opened_by: Option<PersonName>,
}

/// An assessment of an answer.
#[derive(SimpleObject)]
pub struct Assessment {
    /// 1 for the first one.
    version: i32,
    /// Whether it returned the answer for revision.
    is_returned: bool,
    /// Points; null if it returned the answer.
    points: Option<f64>,
    /// Comment.
    comment: Option<String>,
    /// The levels of the rubric that the points come from.
    #[graphql(complexity = "cost::list(cost::CRITERIA, child_complexity)")]
    marks: Vec<Mark>,
    /// Comments at places of the answer.
    #[graphql(complexity = "cost::list(cost::PINS, child_complexity)")]
    pins: Vec<PinnedComment>,
    /// Who graded; null when the account is deleted.
    by: Option<PersonName>,
    /// When.
    at: DateTime,
}

impl PersonName {
    pub fn of(id: UserId, full_name: Option<String>) -> Self {
        PersonName {
            id: id_of(id),
            full_name,
        }
    }
}

impl From<&subscriptions::PersonName> for PersonName {
    fn from(name: &subscriptions::PersonName) -> Self {
        PersonName {
            id: id_of(name.id),
            full_name: name.full_name.clone(),
        }
    }
}

impl From<assessments::GradingQueue> for GradingQueue {
    fn from(queue: assessments::GradingQueue) -> Self {
        GradingQueue {
            answers: queue.answers.into_iter().map(QueuedAnswer::from).collect(),
            total: int(queue.total),
            waiting: int(queue.waiting),
            unreleased: int(queue.unreleased),
            is_blind: queue.is_blind,
            questions: queue.questions.into_iter().map(QueuedQuestion::from).collect(),
        }
    }
}

impl From<assessments::QueuedAnswer> for QueuedAnswer {
    fn from(answer: assessments::QueuedAnswer) -> Self {
        QueuedAnswer {
            attempt_id: id_of(answer.attempt_id),
            question_id: id_of(answer.question_id),
            page_id: id_of(answer.page_id),
            page_title: answer.page_title,
            number: int(answer.number),
            student: answer.student.as_ref().map(PersonName::from),
            attempt_no: int(answer.attempt_no),
            submitted_at: DateTime(answer.submitted_at),
            state: answer.state.into(),
            is_returned: answer.is_returned,
            points: answer.points.map(|points| points.as_f64()),
            max_points: answer.max_points.as_f64(),
            opened_by: answer.opened_by.as_ref().map(PersonName::from),
        }
    }
}

impl From<assessments::QueuedQuestion> for QueuedQuestion {
    fn from(question: assessments::QueuedQuestion) -> Self {
        QueuedQuestion {
            page_id: id_of(question.page_id),
            page_title: question.page_title,
            question_id: id_of(question.question_id),
            number: int(question.number),
            prompt: question.prompt,
            waiting: int(question.waiting),
            unreleased: int(question.unreleased),
        }
    }
}

impl From<assessments::OpenAnswer> for OpenAnswer {
    fn from(answer: assessments::OpenAnswer) -> Self {
        let document = |value: &Value| Document::Stored(value.to_string().into());
        OpenAnswer {
            attempt_id: id_of(answer.attempt_id),
            question_id: id_of(answer.question_id),
            course_id: id_of(answer.course_id),
            page_id: id_of(answer.page_id),
            page_title: answer.page_title,
            number: int(answer.number),
            student: answer.student.as_ref().map(PersonName::from),
            attempt_no: int(answer.attempt_no),
            submitted_at: DateTime(answer.submitted_at),
            penalty_percent: int(answer.penalty_percent),
            state: answer.state.into(),
            prompt: document(&answer.prompt),
            guide: answer.guide.as_ref().map(document),
            min_words: answer.min_words.map(int),
            max_words: answer.max_words.map(int),
            content: answer.content.as_ref().map(document),
            files: answer.files.iter().map(AnswerFile::from).collect(),
            links: answer.links,
            is_returned: answer.is_returned,
            words: int(answer.words),
            points: answer.points.map(|points| points.as_f64()),
            max_points: answer.max_points.as_f64(),
            comment: answer.comment,
            rubric: answer.rubric.as_ref().map(Rubric::from),
            marks: answer.marks.iter().map(Mark::from).collect(),
            pins: answer.pins.iter().map(PinnedComment::from).collect(),
            version: int(answer.version),
            history: answer.history.iter().map(Assessment::from).collect(),
            opened_by: answer.opened_by.as_ref().map(PersonName::from),
        }
    }
}

impl From<&assessments::Assessment> for Assessment {
    fn from(assessment: &assessments::Assessment) -> Self {
        Assessment {
            version: int(assessment.version),
            is_returned: assessment.is_returned,
            points: assessment.points.map(|points| points.as_f64()),
            comment: assessment.comment.clone(),
            marks: assessment.marks.iter().map(Mark::from).collect(),
            pins: assessment.pins.iter().map(PinnedComment::from).collect(),
            by: assessment.by.as_ref().map(PersonName::from),
            at: DateTime(assessment.at),
        }
    }
}
