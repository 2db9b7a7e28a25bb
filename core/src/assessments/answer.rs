//! One answer to an open question, as graders see it.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use serde_json::Value;
use uuid::Uuid;

use kurso_base::error::{Error, Result};
use kurso_base::ids::{AttemptId, CourseId, EnrollmentId, PageId, UserId};
use kurso_base::messages::Message;
use kurso_db::{Executor, sql};
use kurso_formats::content;
use kurso_formats::quiz::{
    AnswerFile, Given, HandIn, Kind, Mark, PinnedComment, Points, Quiz, Rubric, answers_from_text,
};

use super::{AnswerId, AnswerState, person, remarks};
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::attempts;
use crate::courses::{self, Course};
use crate::draws;
use crate::files::{FileUrls, numbered_name};
use crate::gradebook;
use crate::subscriptions::PersonName;

/// An answer with all that a grader needs.
#[derive(Clone, Debug)]
pub struct OpenAnswer {
    pub attempt_id: AttemptId,
    pub question_id: Uuid,
    pub course_id: CourseId,
    pub page_id: PageId,
    /// None if the page is shown by its number.
    pub page_title: Option<String>,
    /// The number of the question in the quiz as it was taken, from 1.
    pub number: i64,
    /// None where the course grades blindly.
    pub student: Option<PersonName>,
    pub attempt_no: i64,
    pub submitted_at: DateTime<Utc>,
    /// Percent of the score that the attempt loses because it was late.
    pub penalty_percent: i64,
    pub state: AnswerState,
    /// The prompt in the quiz as it was taken.
    pub prompt: Value,
    /// The current note for graders; that of the quiz as it was taken if the question was removed since.
    pub guide: Option<Value>,
    pub min_words: Option<u32>,
    pub max_words: Option<u32>,
    /// The document that the learner wrote; None for an answer without a text.
    pub content: Option<Value>,
    /// Of the document.
    pub words: u32,
    /// The files of the answer. In a blind course, numbers replace their names.
    pub files: Vec<AnswerFile>,
    /// The links of work that was handed in.
    pub links: Vec<String>,
    /// Whether it was returned for revision, without points.
    pub is_returned: bool,
    pub points: Option<Points>,
    pub max_points: Points,
    /// The comment that the learner sees, or will see after the release.
    pub comment: Option<String>,
    /// The rubric of the question as it was asked.
    pub rubric: Option<Rubric>,
    /// The levels of the rubric that the points come from; empty without.
    pub marks: Vec<Mark>,
    /// The grader's comments at places of the answer.
    pub pins: Vec<PinnedComment>,
    /// The number of assessments. A new assessment must name it.
    pub version: i64,
    /// The latest one first.
    pub history: Vec<Assessment>,
    /// Another grader who has it open.
    pub opened_by: Option<PersonName>,
}

/// An assessment of an answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Assessment {
    pub version: i64,
    /// Whether it returned the answer for revision.
    pub is_returned: bool,
    /// None if it returned the answer.
    pub points: Option<Points>,
    pub comment: Option<String>,
    /// As those of the answer.
    pub marks: Vec<Mark>,
    pub pins: Vec<PinnedComment>,
    /// None if the account was deleted.
    pub by: Option<PersonName>,
    pub at: DateTime<Utc>,
}

#[derive(sqlx::FromRow)]
pub(super) struct AnswerRow {
    pub course_id: CourseId,
    pub page_id: PageId,
    pub enrollment_id: EnrollmentId,
    pub user_id: UserId,
    full_name: Option<String>,
    title: Option<String>,
    number: i64,
    pub max_points: i64,
    attempt_no: i64,
    pub quiz_version: i64,
    /// What the attempt has drawn.
    drawn: Option<String>,
    pub answers: String,
    penalty_percent: i64,
    submitted_at: DateTime<Utc>,
    state: AnswerState,
    pub version: i64,
    is_returned: bool,
    points: Option<i64>,
    comment: Option<String>,
    marks: Option<String>,
    pins: Option<String>,
    opened_id: Option<UserId>,
    opened_name: Option<String>,
}

impl AnswerRow {
    /// Fails with 404 if there is no such answer, or its learner is not enrolled any more.
    pub async fn find(kurso: &Kurso, viewer: &Viewer, id: AnswerId) -> Result<Self> {
        let found = sql!(
            "SELECT o.course_id, o.page_id, a.enrollment_id, u.id AS user_id, u.full_name, p.title, o.number, o.max_points, a.attempt_no,
               a.quiz_version, a.drawn, a.answers, a.penalty_percent, o.submitted_at, o.state, o.version, o.is_returned, o.points, o.comment, o.marks, o.pins,
               g.id AS opened_id, g.full_name AS opened_name
             FROM open_answers o JOIN attempts a ON a.id = o.attempt_id JOIN users u ON u.id = o.user_id JOIN pages p ON p.id = o.page_id
             LEFT JOIN users g ON g.id = o.opened_by AND o.opened_by <> $3 AND o.opened_until > $4
             WHERE o.attempt_id = $1 AND o.question_id = $2",
            id.attempt,
            id.question,
            viewer.id(),
            kurso.clock.now()
        );
        let found = found.fetch_optional(&kurso.db).await?;
        found.ok_or(Error::NotFound(Message::AnswerNotFound))
    }
}

/// Returns an answer; for the staff of its course. Fails with 404 without a relation to the course, and if the learner is not enrolled any more;
/// with 403 for learners. At most eight statements.
pub async fn open_answer(kurso: &Kurso, viewer: &Viewer, id: AnswerId) -> Result<OpenAnswer> {
    require(kurso, viewer, id, Right::SeeStudents).await?;
    read(kurso, viewer, id).await
}

/// Returns the course of an answer. Fails as [`open_answer`] if the viewer does not have the right in the course.
pub(super) async fn require(kurso: &Kurso, viewer: &Viewer, id: AnswerId, right: Right) -> Result<Course> {
    let found = sql!(
        "SELECT page_id FROM open_answers WHERE attempt_id = $1 AND question_id = $2",
        id.attempt,
        id.question
    );
    let (page,) = found
        .fetch_optional::<(PageId,)>(&kurso.db)
        .await?
        .ok_or(Error::NotFound(Message::AnswerNotFound))?;
    match courses::find(&kurso.db, viewer, page, right).await {
        Err(Error::NotFound(_)) => Err(Error::NotFound(Message::AnswerNotFound)),
        found => found,
    }
}

/// Reads an answer without checking the viewer's rights.
pub(super) async fn read(kurso: &Kurso, viewer: &Viewer, id: AnswerId) -> Result<OpenAnswer> {
    let row = AnswerRow::find(kurso, viewer, id).await?;
    let taken = taken_quiz(&kurso.db, row.page_id, row.quiz_version, row.drawn.clone()).await?;
    let question = taken.question(id.question);
    let question = question.ok_or_else(|| Error::internal("an open answer to no question"))?;
    let (min_words, max_words) = match &question.kind {
        Kind::Essay {
            min_words, max_words, ..
        } => (*min_words, *max_words),
        Kind::HandIn {
            min_words, max_words, ..
        } => (*min_words, *max_words),
        _ => (None, None),
    };
    let is_blind = gradebook::is_blind(&kurso.db, row.course_id).await?;
    let mut answers = answers_from_text(&row.answers)?.into_iter();
    let answer = answers.find(|answer| answer.question_id == id.question);
    let HandIn { content, files, links } = match answer.map(|answer| answer.given) {
        Some(Given::Essay(content)) => HandIn {
            content: Some(content),
            ..HandIn::default()
        },
        Some(Given::Files(files)) => HandIn {
            files,
            ..HandIn::default()
        },
        Some(Given::HandIn(hand_in)) => hand_in,
        _ => return Err(Error::internal("an open answer without a text or files")),
    };
    Ok(OpenAnswer {
        attempt_id: id.attempt,
        question_id: id.question,
        course_id: row.course_id,
        page_id: row.page_id,
        page_title: row.title,
        number: row.number,
        student: person(Some(row.user_id), row.full_name).filter(|_| !is_blind),
        attempt_no: row.attempt_no,
        submitted_at: row.submitted_at,
        penalty_percent: row.penalty_percent,
        state: row.state,
        prompt: question.prompt.clone(),
        guide: match current_guide(kurso, row.page_id, id.question).await? {
            Some(now) => now,
            None => question.kind.guide().cloned(),
        },
        min_words,
        max_words,
        words: content.as_ref().map_or(0, content::words),
        content,
        files: shown_files(&kurso.file_urls(), files, is_blind),
        links,
        is_returned: row.is_returned,
        points: row.points.filter(|_| !row.is_returned).map(Points::of_parts),
        max_points: Points::of_parts(row.max_points),
        comment: row.comment,
        rubric: question.kind.rubric().cloned(),
        marks: remarks::from_text(row.marks.as_deref())?,
        pins: remarks::from_text(row.pins.as_deref())?,
        version: row.version,
        history: history(&kurso.db, id).await?,
        opened_by: person(row.opened_id, row.opened_name),
    })
}

/// The files with their addresses. In blind grading, numbers replace their names.
fn shown_files(urls: &FileUrls, files: Vec<AnswerFile>, is_blind: bool) -> Vec<AnswerFile> {
    let numbered = |(number, file): (i64, AnswerFile)| match is_blind {
        false => urls.of(file),
        true => {
            let name = numbered_name(number, &file.filename);
            urls.renamed(file, name)
        }
    };
    (1..).zip(files).map(numbered).collect()
}

/// The quiz of an attempt at a page: in the version that was taken, with what the attempt has drawn.
pub(super) async fn taken_quiz(on: impl Executor, page: PageId, version: i64, drawn: Option<String>) -> Result<Quiz> {
    let found = sql!(
        "SELECT quiz FROM taken_quizzes WHERE page_id = $1 AND version = $2",
        page,
        version
    );
    let (text,) = found
        .fetch_optional::<(String,)>(on)
        .await?
        .ok_or(Error::NotFound(Message::AnswerNotFound))?; // the page was deleted meanwhile
    let parsing = tokio::task::spawn_blocking(move || draws::resolved(Quiz::from_text(&text)?, drawn.as_deref()));
    parsing.await.map_err(Error::internal)?
}

/// The note for graders of the question in the current quiz; None if the quiz does not have the question any more.
async fn current_guide(kurso: &Kurso, page: PageId, question: Uuid) -> Result<Option<Option<Value>>> {
    let quiz = current_quizzes(kurso, &[page]).await?.remove(&page);
    let question = quiz.as_ref().and_then(|quiz| quiz.question(question));
    Ok(question
        .filter(|question| question.kind.is_open())
        .map(|question| question.kind.guide().cloned()))
}

/// The current quizzes of those pages that have one.
pub(super) async fn current_quizzes(kurso: &Kurso, pages: &[PageId]) -> Result<HashMap<PageId, Quiz>> {
    let mut quizzes = HashMap::new();
    for (page, text) in attempts::for_author(&kurso.db, pages).await? {
        quizzes.insert(page, parsed(text).await?);
    }
    Ok(quizzes)
}

/// Parses a quiz on a blocking thread, because it may have megabytes.
async fn parsed(text: String) -> Result<Quiz> {
    let parsing = tokio::task::spawn_blocking(move || Quiz::from_text(&text));
    parsing.await.map_err(Error::internal)?
}

#[derive(sqlx::FromRow)]
struct AssessmentRow {
    version: i64,
    is_returned: bool,
    points: i64,
    comment: Option<String>,
    marks: Option<String>,
    pins: Option<String>,
    by_id: Option<UserId>,
    by_name: Option<String>,
    assessed_at: DateTime<Utc>,
}

async fn history(on: impl Executor, id: AnswerId) -> Result<Vec<Assessment>> {
    let rows = sql!(
        "SELECT s.version, s.is_returned, s.points, s.comment, s.marks, s.pins, u.id AS by_id, u.full_name AS by_name, s.assessed_at
         FROM assessments s LEFT JOIN users u ON u.id = s.assessed_by
         WHERE s.attempt_id = $1 AND s.question_id = $2 ORDER BY s.version DESC",
        id.attempt,
        id.question
    );
    let rows = rows.fetch_all::<AssessmentRow>(on).await?.into_iter();
    let assessments = rows.map(|row| {
        Ok(Assessment {
            version: row.version,
            is_returned: row.is_returned,
            points: (!row.is_returned).then(|| Points::of_parts(row.points)),
            comment: row.comment,
            marks: remarks::from_text(row.marks.as_deref())?,
            pins: remarks::from_text(row.pins.as_deref())?,
            by: person(row.by_id, row.by_name),
            at: row.assessed_at,
        })
    });
    assessments.collect()
}
