//! The grading queue of a course: the answers to open questions, the oldest first.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use uuid::Uuid;

use kurso_base::error::Result;
use kurso_base::ids::{AttemptId, CourseId, PageId, UserId};
use kurso_base::pagination::Page;
use kurso_db::{Sql, sql};
use kurso_formats::quiz::Points;

use super::answer::current_quizzes;
use super::{AnswerState, person};
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::attempts;
use crate::courses;
use crate::courses::groups::GroupFilter;
use crate::gradebook;
use crate::subscriptions::PersonName;

/// Selects answers of a course.
#[derive(Clone, Copy, Debug, Default)]
pub struct AnswerFilter {
    pub page: Option<PageId>,
    pub question: Option<Uuid>,
    pub group: GroupFilter,
}

impl AnswerFilter {
    /// Appends the conditions on the answers `o` and the enrollments `e`.
    pub(super) fn on(self, mut sql: Sql<'_>) -> Sql<'_> {
        if let Some(page) = self.page {
            sql = sql.push(" AND o.page_id = ").push_bind(page);
        }
        if let Some(question) = self.question {
            sql = sql.push(" AND o.question_id = ").push_bind(question);
        }
        self.group.on(sql)
    }
}

/// A page of the grading queue, with the counts of the whole queue.
#[derive(Clone, Debug)]
pub struct GradingQueue {
    /// The oldest first.
    pub answers: Vec<QueuedAnswer>,
    /// The number of answers that match the filter and the state.
    pub total: i64,
    /// Answers of the whole course that wait for a grader.
    pub waiting: i64,
    /// Answers of the whole course that have points which their learners do not see yet.
    pub unreleased: i64,
    /// Whether graders do not see whose answers they grade.
    pub is_blind: bool,
    /// The open questions that have answers, in the order of their first answers.
    pub questions: Vec<QueuedQuestion>,
}

#[derive(Clone, Debug)]
pub struct QueuedAnswer {
    pub attempt_id: AttemptId,
    pub question_id: Uuid,
    pub page_id: PageId,
    /// None if the page is shown by its number.
    pub page_title: Option<String>,
    /// The number of the question in the quiz as it was taken, from 1.
    pub number: i64,
    /// None where the course grades blindly.
    pub student: Option<PersonName>,
    pub attempt_no: i64,
    pub submitted_at: DateTime<Utc>,
    pub state: AnswerState,
    /// Whether it was returned for revision, without points.
    pub is_returned: bool,
    pub points: Option<Points>,
    pub max_points: Points,
    /// Another grader who has it open.
    pub opened_by: Option<PersonName>,
}

#[derive(Clone, Debug)]
pub struct QueuedQuestion {
    pub page_id: PageId,
    pub page_title: Option<String>,
    pub question_id: Uuid,
    /// The number in the current quiz, from 1; for a drawn question, the number of its draw; for a removed question, the highest number that it
    /// had in its answers.
    pub number: i64,
    /// One line of plain text; empty if the quiz does not have the question any more.
    pub prompt: String,
    pub waiting: i64,
    pub unreleased: i64,
}

#[derive(sqlx::FromRow)]
struct Row {
    attempt_id: AttemptId,
    question_id: Uuid,
    page_id: PageId,
    title: Option<String>,
    number: i64,
    user_id: UserId,
    full_name: Option<String>,
    attempt_no: i64,
    submitted_at: DateTime<Utc>,
    state: AnswerState,
    is_returned: bool,
    points: Option<i64>,
    max_points: i64,
    opened_id: Option<UserId>,
    opened_name: Option<String>,
}

#[derive(sqlx::FromRow)]
struct QuestionRow {
    page_id: PageId,
    question_id: Uuid,
    title: Option<String>,
    number: i64,
    waiting: i64,
    unreleased: i64,
}

/// Returns one page of the answers of a course in a state; for its staff. Fails with 404 without a relation to the course, with 403 for
/// learners. At most eight statements.
pub async fn grading_queue(
    kurso: &Kurso,
    viewer: &Viewer,
    course: CourseId,
    filter: &AnswerFilter,
    state: AnswerState,
    page: Page,
) -> Result<GradingQueue> {
    courses::find(&kurso.db, viewer, course, Right::SeeStudents).await?;
    let is_blind = gradebook::is_blind(&kurso.db, course).await?;
    let rows = sql!(
        "SELECT o.attempt_id, o.question_id, o.page_id, p.title, o.number, u.id AS user_id, u.full_name, a.attempt_no, o.submitted_at,
           o.state, o.is_returned, o.points, o.max_points, g.id AS opened_id, g.full_name AS opened_name
         FROM open_answers o JOIN attempts a ON a.id = o.attempt_id JOIN enrollments e ON e.id = a.enrollment_id
         JOIN users u ON u.id = o.user_id JOIN pages p ON p.id = o.page_id
         LEFT JOIN users g ON g.id = o.opened_by AND o.opened_by <> $3 AND o.opened_until > $4
         WHERE o.course_id = $1 AND o.state = $2",
        course,
        state,
        viewer.id(),
        kurso.clock.now()
    );
    let rows = filter
        .on(rows)
        .push(" ORDER BY o.submitted_at, o.attempt_id, o.question_id LIMIT ")
        .push_bind(page.limit)
        .push(" OFFSET ")
        .push_bind(page.skip)
        .fetch_all::<Row>(&kurso.db)
        .await?;
    let counted = sql!(
        "SELECT COUNT(*) FROM open_answers o JOIN attempts a ON a.id = o.attempt_id JOIN enrollments e ON e.id = a.enrollment_id
         WHERE o.course_id = $1 AND o.state = $2",
        course,
        state
    );
    let (total,) = filter.on(counted).fetch_one::<(i64,)>(&kurso.db).await?;
    let questions = questions(kurso, course).await?;
    let answers = rows.into_iter().map(|row| QueuedAnswer {
        attempt_id: row.attempt_id,
        question_id: row.question_id,
        page_id: row.page_id,
        page_title: row.title,
        number: row.number,
        student: person(Some(row.user_id), row.full_name).filter(|_| !is_blind),
        attempt_no: row.attempt_no,
        submitted_at: row.submitted_at,
        state: row.state,
        is_returned: row.is_returned,
        points: row.points.filter(|_| !row.is_returned).map(Points::of_parts),
        max_points: Points::of_parts(row.max_points),
        opened_by: person(row.opened_id, row.opened_name),
    });
    Ok(GradingQueue {
        answers: answers.collect(),
        total,
        waiting: questions.iter().map(|question| question.waiting).sum(),
        unreleased: questions.iter().map(|question| question.unreleased).sum(),
        is_blind,
        questions,
    })
}

/// The open questions with answers, and how many of these wait or are not released. Two statements, three if a quiz has draws.
async fn questions(kurso: &Kurso, course: CourseId) -> Result<Vec<QueuedQuestion>> {
    let rows = sql!(
        "SELECT o.page_id, o.question_id, p.title, MAX(o.number) AS number,
           CAST(SUM(CASE WHEN o.state = 'waiting' THEN 1 ELSE 0 END) AS BIGINT) AS waiting,
           CAST(SUM(CASE WHEN o.state = 'graded' THEN 1 ELSE 0 END) AS BIGINT) AS unreleased
         FROM open_answers o JOIN attempts a ON a.id = o.attempt_id JOIN pages p ON p.id = o.page_id
         WHERE o.course_id = $1 GROUP BY o.page_id, o.question_id, p.title ORDER BY MIN(o.submitted_at), MAX(o.number), o.question_id",
        course
    );
    let rows = rows.fetch_all::<QuestionRow>(&kurso.db).await?;
    let mut pages: Vec<PageId> = rows.iter().map(|row| row.page_id).collect();
    pages.sort_unstable();
    pages.dedup();
    let quizzes = match pages.as_slice() {
        [] => HashMap::new(),
        pages => current_quizzes(kurso, pages).await?,
    };
    let drawn = attempts::past_draws(&kurso.db, &quizzes).await?;
    let present = |row: &QuestionRow| {
        let mut questions = (1..).zip(&quizzes.get(&row.page_id)?.questions);
        if let Some(past) = drawn.get(&(row.page_id, row.question_id)) {
            let (number, _) = questions.find(|(_, one)| one.id == past.draw_id)?;
            return Some((number, attempts::prompt(&past.question)));
        }
        let (number, question) = questions.find(|(_, one)| one.id == row.question_id)?;
        Some((number, attempts::prompt(question)))
    };
    let questions = rows.into_iter().map(|row| {
        let (number, prompt) = present(&row).unwrap_or((row.number, String::new()));
        QueuedQuestion {
            page_id: row.page_id,
            page_title: row.title,
            question_id: row.question_id,
            number,
            prompt,
            waiting: row.waiting,
            unreleased: row.unreleased,
        }
    });
    Ok(questions.collect())
}
