//! Item analysis of a quiz from first attempts: how hard its questions are, how well they distinguish strong learners from weak ones, and what
//! learners answered ([decision 100](../../../../docs/decisions/0100-item-analysis.md)).
//!
//! Equal attempts are stored as equal texts, so the database groups and counts them, as for the hardest questions.

mod answers;
mod flags;
mod items;
pub mod statistics;
mod times;

use std::collections::HashMap;

use uuid::Uuid;

pub use answers::{OptionCount, PartCount, WrongAnswer};
pub use flags::{FEW_ATTEMPTS, QuestionFlag, QuizFlag};
pub use times::TimeStatistics;

use super::hardest::prompt;
use super::past_draws;
use super::review::{KeptResult, kept_results};
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::courses;
use crate::courses::groups::GroupFilter;
use crate::courses::tree::PageKind;
use answers::Tally;
use items::{Item, Listed};
use kurso_base::error::{Error, Result};
use kurso_base::ids::{CourseId, PageId};
use kurso_base::messages::Message;
use kurso_db::{Db, sql};
use kurso_formats::quiz::{Answer, Points, Question, Quiz, answers_from_text};
use statistics::{ItemStatistics, Marks, QuizStatistics};

/// The maximum number of characters of results and answers that are read. Older attempts beyond it do not count.
const READ: i64 = 16 << 20;

/// The analysis of a quiz by the first attempts of its learners.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis {
    pub course_id: CourseId,
    pub page_id: PageId,
    /// The number of learners with an attempt. The counts below may add up to fewer, because only the newest attempts are read.
    pub tried: i64,
    /// The number of attempts with an answer that waits for a grader. Statistics that need a mark for every question exclude them.
    pub waiting: i64,
    /// The number of attempts that are older than a question of the quiz, or have drawn another number of questions. The same statistics
    /// exclude them.
    pub outdated: i64,
    /// The sum of the points of all questions.
    pub max_points: f64,
    pub statistics: QuizStatistics,
    pub flags: Vec<QuizFlag>,
    /// In the order of the quiz.
    pub questions: Vec<QuestionAnalysis>,
}

/// A question of the current quiz, or one that attempts have drawn there, and the results of the attempts that had a question of its id.
#[derive(Clone, Debug, PartialEq)]
pub struct QuestionAnalysis {
    pub question_id: Uuid,
    /// The position in the quiz, from 1; for a drawn question, the position of its draw.
    pub number: usize,
    /// The prompt as one line of plain text, cut at 200 characters. Empty when it has only pictures.
    pub prompt: String,
    pub max_points: f64,
    pub statistics: ItemStatistics,
    /// The share of the points that guessing earns on average; None where it is unknown.
    pub chance: Option<f64>,
    pub flags: Vec<QuestionFlag>,
    /// The number of attempts that contained the question.
    pub asked: i64,
    /// The number of attempts without an answer to it.
    pub unanswered: i64,
    /// How often each option of a choice question was chosen, in the order of the quiz.
    pub options: Vec<OptionCount>,
    /// How often each pair was matched correctly, or each blank filled correctly.
    pub parts: Vec<PartCount>,
    /// The most frequent wrong texts or numbers, at most ten.
    pub wrong_answers: Vec<WrongAnswer>,
    /// How long the learners spent on the question.
    pub times: TimeStatistics,
}

/// The analysis of a quiz for the learners that `group` selects. Fails with 404 for a page that the viewer cannot see or that has no quiz, and with 403 for
/// learners. Everyone who may see students may also read the quiz with its answer key. Four statements, five for a quiz with draws.
pub async fn analyse(kurso: &Kurso, viewer: &Viewer, page: PageId, group: GroupFilter) -> Result<Analysis> {
    let course = courses::find(&kurso.db, viewer, page, Right::SeeStudents).await?;
    let stored = sql!(
        "SELECT p.kind, c.quiz FROM pages p JOIN page_contents c ON c.page_id = p.id WHERE p.id = $1",
        page
    );
    let stored = stored.fetch_optional::<(PageKind, Option<String>)>(&kurso.db).await?;
    let (kind, quiz) = stored.ok_or(Error::NotFound(Message::PageNotFound))?;
    if kind != PageKind::Quiz {
        return Err(Error::NotFound(Message::NoQuiz));
    }
    let rows = read(&kurso.db, page, group, READ).await?;
    let timed = times::read(&kurso.db, page, group, READ).await?;
    // Parsing megabytes of JSON may take long, so it does not run on the threads of the async runtime.
    let parsing =
        tokio::task::spawn_blocking(move || quiz.as_deref().map_or_else(|| Ok(Quiz::default()), Quiz::from_text));
    let quiz = parsing.await.map_err(Error::internal)??;
    let drawn = past_draws(&kurso.db, [(&page, &quiz)]).await?;
    let analysed = tokio::task::spawn_blocking(move || {
        let drawn = drawn.into_values().collect();
        of_rows((course.id, page), Listed::of(&quiz, drawn), &rows, &timed)
    });
    analysed.await.map_err(Error::internal)?
}

/// Learners with the same first attempt.
#[derive(sqlx::FromRow)]
struct Row {
    results: String,
    answers: String,
    learners: i64,
    /// Learners in all rows, also those that are not read.
    tried: i64,
}

/// Reads the first attempts at a page, the newest first, up to this number of characters.
async fn read(db: &Db, page: PageId, group: GroupFilter, characters: i64) -> Result<Vec<Row>> {
    let attempts = sql!(
        "SELECT results, answers, learners, tried FROM (
           SELECT results, answers, learners, CAST(SUM(learners) OVER () AS BIGINT) AS tried,
             SUM(LENGTH(results) + LENGTH(answers)) OVER (ORDER BY newest DESC ROWS UNBOUNDED PRECEDING) AS so_far
           FROM (
             SELECT a.results, a.answers, COUNT(*) AS learners, MAX(a.submitted_at) AS newest
             FROM attempts a JOIN enrollments e ON e.id = a.enrollment_id WHERE a.page_id = $1 AND a.attempt_no = 1",
        page
    );
    let rows = group
        .on(attempts)
        .push(" GROUP BY a.results, a.answers) same) counted WHERE so_far <= ")
        .push_bind(characters);
    Ok(rows.fetch_all(db).await?)
}

/// `timed` are the times of the attempts as they are stored.
fn of_rows(
    (course_id, page_id): (CourseId, PageId),
    listed: Listed,
    rows: &[Row],
    timed: &[String],
) -> Result<Analysis> {
    let times = times::of_rows(timed)?;
    // Questions without points do not contribute to the score, so an attempt is complete without marks for them.
    let items: Vec<&Item> = listed
        .items
        .iter()
        .filter(|item| !item.question.points.is_zero())
        .collect();
    let worth: Vec<i64> = items.iter().map(|item| item.question.points.parts()).collect();
    let mut class = Vec::with_capacity(rows.len());
    let mut totals = Vec::with_capacity(rows.len());
    let (mut waiting, mut outdated) = (0, 0);
    let mut tallies: Vec<Tally<'_>> = listed.items.iter().map(|item| Tally::of(&item.question)).collect();
    for row in rows {
        let results = kept_results(&row.results)?;
        let results: HashMap<Uuid, &KeptResult> = results.iter().map(|result| (result.question_id, result)).collect();
        let answers = answers_from_text(&row.answers)?;
        let answers: HashMap<Uuid, &Answer> = answers.iter().map(|answer| (answer.question_id, answer)).collect();
        for tally in &mut tallies {
            tally.count(&results, &answers, row.learners);
        }
        let marks: Vec<Option<i64>> = items
            .iter()
            .map(|item| mark(&item.question, results.get(&item.question.id).copied()?))
            .collect();
        let waits = |item: &&Item| results.get(&item.question.id).is_some_and(|result| result.is_waiting);
        let total = listed.total(&items, &marks);
        if items.iter().any(waits) {
            waiting += row.learners;
        } else if total.is_none() {
            outdated += row.learners;
        }
        totals.push(Marks {
            learners: row.learners,
            marks: vec![total],
        });
        class.push(Marks {
            learners: row.learners,
            marks,
        });
    }
    let (mut statistics, measured) = statistics::statistics(&worth, &class);
    if listed.has_draws {
        // Attempts may have different questions, so what compares the questions of attempts is undefined.
        statistics = statistics::statistics(&[listed.worth], &totals).0;
    }
    let ids = items.iter().map(|item| item.question.id);
    let mut measured: HashMap<Uuid, ItemStatistics> = ids.zip(measured).collect();
    let questions = listed
        .items
        .iter()
        .zip(tallies)
        .map(|(Item { question, number, .. }, tally)| {
            let measured = measured.remove(&question.id).unwrap_or_default();
            let chance = flags::chance(&question.kind);
            let counts = tally.counts();
            QuestionAnalysis {
                question_id: question.id,
                number: *number,
                prompt: prompt(question),
                max_points: question.points.as_f64(),
                flags: flags::of_question(&measured, statistics.attempts, chance, &counts),
                statistics: measured,
                chance,
                asked: counts.asked,
                unanswered: counts.unanswered,
                options: counts.options,
                parts: counts.parts,
                wrong_answers: counts.wrong_answers,
                times: times.get(&question.id).copied().unwrap_or_default(),
            }
        });
    Ok(Analysis {
        course_id,
        page_id,
        tried: rows.first().map_or(0, |row| row.tried),
        waiting,
        outdated,
        max_points: listed.max_points,
        flags: flags::of_quiz(&statistics),
        questions: questions.collect(),
        statistics,
    })
}

/// The mark on the scale of the current question, in ten-thousandths of a point: the author may have changed its points since. None while the answer waits, and
/// if the question had no points.
fn mark(item: &Question, result: &KeptResult) -> Option<i64> {
    if result.is_waiting {
        return None;
    }
    let (points, was, is) = (
        Points::nearest(result.points).parts(),
        result.max_points.parts(),
        item.points.parts(),
    );
    if was == is {
        return Some(points);
    }
    // At most 10⁷ each.
    (2 * points * is + was).checked_div(2 * was)
}

#[cfg(test)]
mod tests;
