//! The hardest questions of a course, by the average points of first attempts.
//! ([Decision 32](../../../docs/decisions/0032-the-heat-map.md))
//!
//! Equal results are stored as equal texts, so the database groups and counts them and returns each once. In a large class
//! every n-th learner by enrollment time is sampled, which is accurate enough with about 350 learners.

use std::cmp::Reverse;
use std::collections::HashMap;

use serde_json::Value;
use uuid::Uuid;

use super::review::kept_results;
use crate::courses::groups::GroupFilter;
use kurso_base::error::{Error, Result};
use kurso_base::ids::{CourseId, PageId};
use kurso_base::text::one_line;
use kurso_db::Db;
use kurso_db::sql;
use kurso_formats::content;
use kurso_formats::quiz::{Kind, Question, Quiz};

/// The number of questions shown.
pub const HARDEST: usize = 10;
/// Questions with a higher average, in percent, are not hard.
const HARD: i64 = 80;
/// The number of candidates looked up in the current quizzes, from which some may have been removed.
const CANDIDATES: usize = 2 * HARDEST;
/// The maximum number of students in the sample.
const SAMPLE: usize = 350;
/// The maximum number of characters of results that are read. Older results beyond it do not count.
const READ: i64 = 16 << 20;
/// The maximum number of characters of a prompt that are shown.
const PROMPT: usize = 200;
/// All points of a question. Shares are summed as integers, so that their order does not matter.
const WHOLE: i64 = 1_000_000;

/// A question with the average result of first attempts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HardQuestion {
    pub page_id: PageId,
    pub question_id: Uuid,
    /// The position in the quiz, from 1; for a drawn question, the position of its draw.
    pub number: usize,
    /// The prompt as one line of plain text, cut at 200 characters. Empty when it has only pictures.
    pub prompt: String,
    /// Sampled learners whose first attempt had the question: at most 350, spread evenly over the class. A missing answer counts as 0 points. An
    /// answer that waits for a grader is not counted.
    pub answered: i64,
    /// The average share of the points, in percent, rounded down.
    pub average_percent: i64,
}

/// Learners with the same results.
#[derive(sqlx::FromRow)]
struct Row {
    page_id: PageId,
    quiz_version: i64,
    results: String,
    learners: i64,
}

/// The results of learners in a question.
#[derive(Clone, Copy, Default)]
struct Tally {
    answered: i64,
    /// The sum of the learners' shares of the points.
    shares: i64,
    /// The last version of the page with the question.
    version: i64,
}

impl Tally {
    /// The expected share of the next learner, with a prior of one half: a question that two learners missed is not harder than
    /// one that 300 of 350 missed.
    fn expected(self) -> i64 {
        (self.shares + WHOLE) / (self.answered + 2)
    }

    /// Adds the rounding error of a share, less than one part each, so that exact percentages are not rounded down.
    fn average_percent(self) -> i64 {
        let whole = self.answered.saturating_mul(WHOLE);
        ((self.shares + self.answered) * 100).checked_div(whole).unwrap_or(0)
    }
}

/// The hardest questions of the published quizzes of a course, by the answers of the students that `group` selects, whose
/// number is `students`; the hardest first, at most [`HARDEST`]. Leaves out questions with an average above 80 %. At most two statements, three if a quiz has draws. Does not check the reader's
/// rights.
pub async fn hardest(db: &Db, course: CourseId, group: GroupFilter, students: usize) -> Result<Vec<HardQuestion>> {
    let rows = read(db, course, group, students.div_ceil(SAMPLE)).await?;
    // Parsing megabytes of JSON may take long, so it does not run on the threads of the async runtime.
    let tallies = tokio::task::spawn_blocking(move || tally(&rows));
    let candidates = candidates(tallies.await.map_err(Error::internal)??);
    let mut pages: Vec<PageId> = candidates.iter().map(|((page, _), _)| *page).collect();
    pages.sort_unstable();
    pages.dedup();
    if pages.is_empty() {
        return Ok(vec![]);
    }
    let mut quizzes = HashMap::new();
    for (page, text) in super::for_author(db, &pages).await? {
        quizzes.insert(page, Quiz::from_text(&text)?);
    }
    let drawn = super::past_draws(db, &quizzes).await?;
    let shown = candidates.into_iter().filter_map(|((page, id), tally)| {
        let mut asked = quizzes.get(&page)?.questions.iter().zip(1..);
        let past = drawn.get(&(page, id));
        let place = past.map_or(id, |past| past.draw_id);
        let (listed, number) = asked.find(|(one, _)| one.id == place)?;
        let question = past.map_or(listed, |past| &past.question);
        Some(HardQuestion {
            page_id: page,
            question_id: question.id,
            number,
            prompt: prompt(question),
            answered: tally.answered,
            average_percent: tally.average_percent(),
        })
    });
    Ok(shown.take(HARDEST).collect())
}

/// The results of the first attempts of every n-th student.
async fn read(db: &Db, course: CourseId, group: GroupFilter, every: usize) -> Result<Vec<Row>> {
    let students = sql!(
        "SELECT page_id, quiz_version, results, learners FROM (
           SELECT page_id, quiz_version, results, learners,
             SUM(LENGTH(results)) OVER (ORDER BY newest DESC, page_id, quiz_version ROWS UNBOUNDED PRECEDING) AS so_far
           FROM (
             SELECT a.page_id, a.quiz_version, a.results, COUNT(*) AS learners, MAX(a.submitted_at) AS newest
             FROM (SELECT e.id, ROW_NUMBER() OVER (ORDER BY e.id) AS n FROM enrollments e WHERE e.course_id = $1",
        course
    );
    let rows = group
        .on(students)
        .push(
            ") e
             JOIN attempts a ON a.enrollment_id = e.id AND a.attempt_no = 1
             JOIN pages p ON p.id = a.page_id AND p.kind = 'quiz' AND p.published
             WHERE e.n % ",
        )
        .push_bind(i64::try_from(every.max(1)).unwrap_or(i64::MAX))
        .push(" = 0 GROUP BY a.page_id, a.quiz_version, a.results) same) counted WHERE so_far <= ")
        .push_bind(READ);
    Ok(rows.fetch_all(db).await?)
}

/// The results of each question in the last version of its page. Questions worth 0 points are left out.
fn tally(rows: &[Row]) -> Result<HashMap<(PageId, Uuid), Tally>> {
    let mut tallies: HashMap<(PageId, Uuid), Tally> = HashMap::new();
    let mut versions: HashMap<PageId, i64> = HashMap::new();
    for row in rows {
        let last = versions.entry(row.page_id).or_insert(row.quiz_version);
        *last = row.quiz_version.max(*last);
        for result in kept_results(&row.results)? {
            if result.max_points.is_zero() {
                continue;
            }
            let tally = tallies.entry((row.page_id, result.question_id)).or_insert(Tally {
                version: row.quiz_version,
                ..Tally::default()
            });
            tally.version = row.quiz_version.max(tally.version);
            if result.is_waiting {
                continue; // it has no points yet
            }
            tally.answered += row.learners;
            tally.shares += share(result.points, result.max_points.as_f64()) * row.learners;
        }
    }
    // The quizzes of regraded attempts are numbered below zero, in no order of time. Questions that the present quiz does not have are left out later.
    tallies.retain(|(page, _), tally| {
        versions
            .get(page)
            .is_some_and(|last| *last < 0 || *last == tally.version)
    });
    Ok(tallies)
}

/// The share of a question's points, in parts of [`WHOLE`].
#[expect(clippy::cast_possible_truncation, reason = "between nothing and a million")]
fn share(points: f64, max_points: f64) -> i64 {
    let whole = 1_000_000.0;
    (points / max_points * whole).round().clamp(0.0, whole) as i64
}

fn candidates(tallies: HashMap<(PageId, Uuid), Tally>) -> Vec<((PageId, Uuid), Tally)> {
    let hard = |tally: &Tally| tally.average_percent() <= HARD;
    let mut all: Vec<_> = tallies.into_iter().filter(|(_, tally)| hard(tally)).collect();
    all.sort_unstable_by_key(|(id, tally)| (tally.expected(), Reverse(tally.answered), *id));
    all.truncate(CANDIDATES);
    all
}

/// The prompt of the question as one line, cut at 200 characters. A fill-in question without a prompt is shown by its text.
pub(crate) fn prompt(question: &Question) -> String {
    let mut words = one_line(&content::text(&question.prompt));
    if let (true, Kind::FillBlank { text, .. }) = (words.is_empty(), &question.kind) {
        words = one_line(&content::text(&with_gaps(text)));
    }
    cut(words)
}

/// Cuts a line to 200 characters; an ellipsis replaces what is cut.
pub(super) fn cut(words: String) -> String {
    if words.chars().count() <= PROMPT {
        return words;
    }
    let mut cut: String = words.chars().take(PROMPT - 1).collect();
    cut.truncate(cut.trim_end().len());
    cut + "…"
}

/// The document with a visible gap in place of each blank. The recursion is bounded by the depth of documents.
fn with_gaps(node: &Value) -> Value {
    let Some(fields) = node.as_object() else {
        return node.clone();
    };
    if fields.get("type").and_then(Value::as_str) == Some("blank") {
        return serde_json::json!({"type": "text", "text": "___"});
    }
    let mut copy = fields.clone();
    if let Some(Value::Array(children)) = copy.get_mut("content") {
        *children = children.iter().map(with_gaps).collect();
    }
    Value::Object(copy)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::auth::Origin;
    use crate::courses::tree::PageKind::Quiz;
    use crate::{both, courses, learning};

    both! {
        async fn large_classes_are_sampled(kurso: TestKurso) {
            let owner = kurso.person("owner").await;
            let course = kurso.course(&owner, &[&[&[Quiz]]]).await;
            let (page,) = sql!("SELECT id FROM pages").fetch_one::<(PageId,)>(&kurso.db).await.unwrap();
            kurso.set_quiz(page, &json!({"questions": [{"type": "short_text", "prompt": "?", "accepted": ["да"]}]})).await;
            let code = courses::generate_share_code(&kurso, &owner, course).await.unwrap().share_code.unwrap();
            for name in ["anna", "boris", "vera", "galya", "dima"] {
                let learner = kurso.person(name).await;
                learning::enroll(&kurso, &learner, &Origin::default(), &code).await.unwrap();
                crate::attempts::submit(&kurso, &learner, page, crate::testing::submission(&json!({"answers": []}))).await.unwrap();
            }
            for (every, asked) in [(0, 5), (1, 5), (2, 2), (3, 1), (6, 0)] {
                let rows = read(&kurso.db, course, GroupFilter::All, every).await.unwrap();
                assert_eq!(rows.iter().map(|row| row.learners).sum::<i64>(), asked, "every {every}");
            }
            let found = hardest(&kurso.db, course, GroupFilter::All, 5 * SAMPLE).await.unwrap();
            assert_eq!(found.iter().map(|one| one.answered).collect::<Vec<_>>(), [1]);
        }
    }

    fn row(page_id: PageId, quiz_version: i64, learners: i64, results: &[(Uuid, f64, f64)]) -> Row {
        let results = results.iter().map(|(id, points, max)| {
            json!({"question_id": id, "points": points, "max_points": max, "correct": points == max})
        });
        Row {
            page_id,
            quiz_version,
            results: Value::from(results.collect::<Vec<_>>()).to_string(),
            learners,
        }
    }

    #[test]
    fn many_failures_outrank_a_higher_rate_of_few() {
        let page = PageId::new();
        let [few, many, easy, gone, free] = [1, 2, 3, 4, 5].map(Uuid::from_u128);
        let rows = [
            row(page, 1, 3, &[(many, 2.0, 2.0), (gone, 0.0, 1.0)]),
            row(page, 2, 300, &[(many, 0.0, 2.0), (easy, 1.0, 1.0), (free, 0.0, 0.0)]),
            row(page, 2, 2, &[(few, 0.0, 1.0), (many, 1.0, 2.0), (easy, 1.0, 1.0)]),
        ];
        let found = candidates(tally(&rows).unwrap());
        let found: Vec<_> = found
            .iter()
            .map(|((_, id), tally)| (*id, tally.answered, tally.average_percent()))
            .collect();
        assert_eq!(found, [(many, 305, 1), (few, 2, 0)]);
    }

    #[test]
    fn questions_of_all_regraded_quizzes_count() {
        let page = PageId::new();
        let [one, other] = [1, 2].map(Uuid::from_u128);
        let rows = [
            row(page, -1, 1, &[(one, 0.0, 1.0)]),
            row(page, -2, 1, &[(other, 0.0, 1.0)]),
        ];
        let found = candidates(tally(&rows).unwrap());
        let mut found: Vec<_> = found.iter().map(|((_, id), _)| *id).collect();
        found.sort_unstable();
        assert_eq!(found, [one, other]);
    }

    #[test]
    fn rounded_credits_are_averaged_exactly() {
        let (page, id) = (PageId::new(), Uuid::from_u128(1));
        let tallies = tally(&[
            row(page, 1, 1, &[(id, 0.3333, 1.0)]),
            row(page, 1, 1, &[(id, 0.6667, 1.0)]),
        ])
        .unwrap();
        assert_eq!(tallies[&(page, id)].average_percent(), 50);
    }
}
