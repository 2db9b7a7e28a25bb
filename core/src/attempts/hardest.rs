//! The hardest questions of a course, by the average points of first attempts.
//! ([Decision 32](../../../docs/decisions/0032-the-heat-map.md))
//!
//! Equal results are stored as equal texts, so the database groups and counts them and returns each once. In a large class
//! every n-th learner by enrollment time is sampled, which is accurate enough with about 500 learners.

use std::cmp::Reverse;
use std::collections::HashMap;

use serde_json::Value;
use uuid::Uuid;

use super::review::kept_results;
use kurso_base::error::{Error, Result};
use kurso_base::ids::{CourseId, PageId};
use kurso_db::Db;
use kurso_db::sql;
use kurso_formats::content;
use kurso_formats::quiz::{Kind, Question, Quiz};

/// How many questions are shown.
pub const HARDEST: usize = 10;
/// How many are looked for in the quizzes as they are now: some may have been taken out of them.
const CANDIDATES: usize = 2 * HARDEST;
/// The most students whose attempts are looked at.
const SAMPLE: usize = 500;
/// Characters of results that are read: beyond, those that nobody has left lately do not count.
const READ: i64 = 16 << 20;
/// Characters of a prompt that are shown.
const PROMPT: usize = 200;
/// The whole of a question's points; shares are summed as whole numbers, so that their order changes nothing.
const WHOLE: i64 = 1_000_000;

/// A question and how learners did at it when they met it first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HardQuestion {
    pub page_id: PageId,
    pub question_id: Uuid,
    /// Its place in the quiz, from 1.
    pub number: usize,
    /// As plain text of one line, cut at 200 characters. Empty when it is all pictures.
    pub prompt: String,
    /// Learners who were asked it in their first attempt, of those who were looked at: at most 500 of a class, evenly. An answer
    /// left empty is one that is worth nothing.
    pub answered: i64,
    /// What share of its points they got on average, in percent rounded down.
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

/// How learners did at a question.
#[derive(Clone, Copy, Default)]
struct Tally {
    answered: i64,
    /// The sum of their shares of its points.
    shares: i64,
    /// The last version of its page that asked it.
    version: i64,
}

impl Tally {
    /// The share to be expected of the next learner, before anybody has answered a half: what two have missed is not harder
    /// than what three hundred of four hundred have.
    fn expected(self) -> i64 {
        (self.shares + WHOLE) / (self.answered + 2)
    }

    /// A share is rounded, by less than one part: what comes to exactly so many percent does.
    fn average_percent(self) -> i64 {
        let whole = self.answered.saturating_mul(WHOLE);
        ((self.shares + self.answered) * 100).checked_div(whole).unwrap_or(0)
    }
}

/// The hardest questions of the published quizzes of a course with so many students, the hardest first, at most [`HARDEST`];
/// none that everybody answered rightly. At most two statements. Whether the reader may see students was decided before.
pub async fn hardest(db: &Db, course: CourseId, students: usize) -> Result<Vec<HardQuestion>> {
    let rows = read(db, course, students.div_ceil(SAMPLE)).await?;
    // Megabytes of JSON may take a while: off the threads that serve everyone.
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
    let shown = candidates.into_iter().filter_map(|((page, question), tally)| {
        let mut asked = quizzes.get(&page)?.questions.iter().zip(1..);
        let (question, number) = asked.find(|(one, _)| one.id == question)?;
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

/// The results of the first attempts of every so manieth student.
async fn read(db: &Db, course: CourseId, every: usize) -> Result<Vec<Row>> {
    let rows = sql!(
        "SELECT page_id, quiz_version, results, learners FROM (
           SELECT page_id, quiz_version, results, learners,
             SUM(LENGTH(results)) OVER (ORDER BY newest DESC, page_id, quiz_version ROWS UNBOUNDED PRECEDING) AS so_far
           FROM (
             SELECT a.page_id, a.quiz_version, a.results, COUNT(*) AS learners, MAX(a.submitted_at) AS newest
             FROM (SELECT id, ROW_NUMBER() OVER (ORDER BY id) AS n FROM enrollments WHERE course_id = $1) e
             JOIN attempts a ON a.enrollment_id = e.id AND a.attempt_no = 1
             JOIN pages p ON p.id = a.page_id AND p.kind = 'quiz' AND p.published
             WHERE e.n % $2 = 0
             GROUP BY a.page_id, a.quiz_version, a.results) same) counted
         WHERE so_far <= $3",
        course,
        i64::try_from(every.max(1)).unwrap_or(i64::MAX),
        READ
    );
    Ok(rows.fetch_all(db).await?)
}

/// Of each question that the last version of its page asked. One that is worth nothing is not hard.
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
            tally.answered += row.learners;
            tally.shares += share(result.points, result.max_points.as_f64()) * row.learners;
        }
    }
    tallies.retain(|(page, _), tally| versions.get(page) == Some(&tally.version));
    Ok(tallies)
}

/// What part of a question's points somebody got, in parts of [`WHOLE`].
#[expect(clippy::cast_possible_truncation, reason = "between nothing and a million")]
fn share(points: f64, max_points: f64) -> i64 {
    let whole = 1_000_000.0;
    (points / max_points * whole).round().clamp(0.0, whole) as i64
}

fn candidates(tallies: HashMap<(PageId, Uuid), Tally>) -> Vec<((PageId, Uuid), Tally)> {
    let missed = |tally: &Tally| tally.shares < tally.answered.saturating_mul(WHOLE);
    let mut all: Vec<_> = tallies.into_iter().filter(|(_, tally)| missed(tally)).collect();
    all.sort_unstable_by_key(|(id, tally)| (tally.expected(), Reverse(tally.answered), *id));
    all.truncate(CANDIDATES);
    all
}

/// What the question says; one with blanks may say nothing but its text.
fn prompt(question: &Question) -> String {
    let mut words = line(&content::text(&question.prompt));
    if let (true, Kind::FillBlank { text, .. }) = (words.is_empty(), &question.kind) {
        words = line(&content::text(&with_gaps(text)));
    }
    if words.chars().count() <= PROMPT {
        return words;
    }
    let mut cut: String = words.chars().take(PROMPT - 1).collect();
    cut.truncate(cut.trim_end().len());
    cut + "…"
}

/// The document with a gap to read in place of each blank. No deeper than documents may be.
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

fn line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::auth::Origin;
    use crate::courses::tree::PageKind::Quiz;
    use crate::{both, courses, learning};

    both! {
        async fn of_a_large_class_every_second_is_asked(kurso: TestKurso) {
            let owner = kurso.person("owner").await;
            let course = kurso.course(&owner, &[&[&[Quiz]]]).await;
            let (page,) = sql!("SELECT id FROM pages").fetch_one::<(PageId,)>(&kurso.db).await.unwrap();
            kurso.set_quiz(page, &json!({"questions": [{"type": "short_text", "prompt": "?", "accepted": ["да"]}]})).await;
            let code = courses::generate_share_code(&kurso, &owner, course).await.unwrap().share_code.unwrap();
            for name in ["anna", "boris", "vera", "galya", "dima"] {
                let learner = kurso.person(name).await;
                learning::enroll(&kurso, &learner, &Origin::default(), &code).await.unwrap();
                crate::attempts::submit(&kurso, &learner, page, &json!({"answers": []})).await.unwrap();
            }
            for (every, asked) in [(0, 5), (1, 5), (2, 2), (3, 1), (6, 0)] {
                let rows = read(&kurso.db, course, every).await.unwrap();
                assert_eq!(rows.iter().map(|row| row.learners).sum::<i64>(), asked, "every {every}");
            }
            let found = hardest(&kurso.db, course, 5 * SAMPLE).await.unwrap();
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
    fn what_many_missed_is_harder_than_what_two_did() {
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
    fn thirds_add_up() {
        let (page, id) = (PageId::new(), Uuid::from_u128(1));
        let tallies = tally(&[
            row(page, 1, 1, &[(id, 0.3333, 1.0)]),
            row(page, 1, 1, &[(id, 0.6667, 1.0)]),
        ])
        .unwrap();
        assert_eq!(tallies[&(page, id)].average_percent(), 50);
    }
}
