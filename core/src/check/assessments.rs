//! Consistency checks of answers to open questions: the versions of assessments, the counts of waiting answers in attempts, and what was returned.

use futures_util::TryStreamExt as _;
use uuid::Uuid;

use super::structure::each;
use super::{Report, Rule};
use kurso_base::error::Result;
use kurso_db::{Snapshot, sql};

const OPEN_ANSWERS: [(&str, &str, &str, &str); 5] = [
    (
        "open_answers of the attempt",
        "its attempt is missing",
        "SELECT o.attempt_id FROM open_answers o
         WHERE NOT EXISTS (SELECT 1 FROM attempts a WHERE a.id = o.attempt_id AND a.page_id = o.page_id)
         AND NOT EXISTS (SELECT 1 FROM ended_attempts a WHERE a.id = o.attempt_id AND a.page_id = o.page_id)",
        "SELECT COUNT(*) FROM open_answers",
    ),
    (
        "attempts",
        "the number of its answers that wait is not that of its open answers",
        "SELECT a.id FROM attempts a WHERE a.waiting <>
         (SELECT COUNT(*) FROM open_answers o WHERE o.attempt_id = a.id AND o.max_points > 0
           AND (o.state <> 'released' OR (o.is_returned AND NOT EXISTS (SELECT 1 FROM attempts b
             WHERE b.enrollment_id = a.enrollment_id AND b.page_id = a.page_id AND b.attempt_no > a.attempt_no))))",
        "SELECT COUNT(*) FROM attempts",
    ),
    (
        "attempts",
        "it is returned but not its answer, or the reverse",
        "SELECT a.id FROM attempts a WHERE a.is_returned <>
         EXISTS (SELECT 1 FROM open_answers o WHERE o.attempt_id = a.id AND o.is_returned)",
        "SELECT COUNT(*) FROM attempts",
    ),
    (
        "open_answers of the attempt",
        "it is returned with points, without a comment, or not released",
        "SELECT attempt_id FROM open_answers WHERE is_returned AND (points <> 0 OR comment IS NULL OR state <> 'released')",
        "SELECT COUNT(*) FROM open_answers WHERE is_returned",
    ),
    (
        "open_answers of the attempt",
        "it has more points than its question",
        "SELECT attempt_id FROM open_answers WHERE points > max_points",
        "SELECT COUNT(*) FROM open_answers WHERE points IS NOT NULL",
    ),
];

/// The assessments of one answer.
#[derive(sqlx::FromRow)]
struct Assessments {
    attempt_id: Uuid,
    version: i64,
    count: i64,
    last: i64,
    holding: i64,
}

pub async fn check(on: &mut Snapshot, report: &mut Report) -> Result<()> {
    each(on, report, Rule::Assessments, &OPEN_ANSWERS).await?;
    let mut rows = on.records::<Assessments>(sql!(
        "SELECT o.attempt_id, o.version, COUNT(s.version) AS count, COALESCE(MAX(s.version), 0) AS last,
           CAST(COALESCE(SUM(CASE WHEN s.version = o.version AND s.points = o.points AND s.is_returned = o.is_returned AND COALESCE(s.comment, '') = COALESCE(o.comment, '')
             AND COALESCE(s.marks, '') = COALESCE(o.marks, '') AND COALESCE(s.pins, '') = COALESCE(o.pins, '') THEN 1 ELSE 0 END), 0) AS BIGINT) AS holding
         FROM open_answers o LEFT JOIN assessments s ON s.attempt_id = o.attempt_id AND s.question_id = o.question_id
         GROUP BY o.attempt_id, o.question_id, o.version"
    ))?;
    while let Some(answer) = rows.try_next().await? {
        report.checked(Rule::Assessments, answer.count.unsigned_abs());
        let at = || format!("open_answers of the attempt {}", answer.attempt_id);
        if answer.last != answer.count || answer.version != answer.count {
            let problem = format!(
                "version {} has {} assessments up to {}",
                answer.version, answer.count, answer.last
            );
            report.found(Rule::Assessments, at(), problem, None);
        } else if answer.version > 0 && answer.holding != 1 {
            let problem = "it does not have what its last assessment gave".to_owned();
            report.found(Rule::Assessments, at(), problem, None);
        }
    }
    Ok(())
}
