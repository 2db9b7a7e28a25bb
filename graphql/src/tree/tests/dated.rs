//! Dates for the course of the tests.

use kurso_base::ids::PageId;
use kurso_core::testing::TestKurso;
use kurso_db::sql;

/// Dates the course: its first module is over, the quiz `late` takes late attempts, and the lesson of the page `locked` opens
/// next year.
pub async fn date(kurso: &TestKurso, late: PageId, locked: PageId) {
    let at = |text: &str| text.parse::<chrono::DateTime<chrono::Utc>>().unwrap();
    let changes = [
        sql!(
            "UPDATE courses SET starts_at = $1, ends_at = $2, enroll_until = $2, time_zone = 'Asia/Yekaterinburg'",
            at("2026-01-02T03:04:05.000006Z"),
            at("2027-01-02T03:04:05Z")
        ),
        sql!(
            "UPDATE modules SET available_from = $1, available_until = $2, due_at = $2 WHERE position = 0",
            at("2026-02-02T03:04:05.000006Z"),
            at("2026-03-02T03:04:05Z")
        ),
        sql!(
            "UPDATE pages SET available_from = $2, available_until = $4, due_at = $3, late_until = $4, late_penalty_per_day = 7,
             late_penalty_max = 50 WHERE id = $1",
            late,
            at("2026-02-02T03:04:05Z"),
            at("2026-03-01T03:04:05Z"),
            at("2026-03-02T03:04:05Z")
        ),
        sql!(
            "UPDATE lessons SET available_from = $2, available_until = $3, due_at = $3
             WHERE id = (SELECT lesson_id FROM pages WHERE id = $1)",
            locked,
            at("2026-12-20T03:04:05Z"),
            at("2026-12-24T03:04:05Z")
        ),
        sql!("UPDATE courses SET structure_version = structure_version + 1"),
    ];
    for change in changes {
        change.execute(&kurso.db).await.unwrap();
    }
}
