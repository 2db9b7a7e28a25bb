//! Consistency checks of regradings: their attempts and quizzes exist, and attempts have the results that their last regrading gave.

use super::structure::each;
use super::{Report, Rule};
use kurso_base::error::Result;
use kurso_db::Snapshot;

const REGRADES: [(&str, &str, &str, &str); 4] = [
    (
        "regraded_attempts of the attempt",
        "its attempt is missing",
        "SELECT r.attempt_id FROM regraded_attempts r
         WHERE NOT EXISTS (SELECT 1 FROM attempts a WHERE a.id = r.attempt_id AND a.page_id = r.page_id)
         AND NOT EXISTS (SELECT 1 FROM ended_attempts a WHERE a.id = r.attempt_id AND a.page_id = r.page_id)",
        "SELECT COUNT(*) FROM regraded_attempts",
    ),
    (
        "regraded_attempts of the attempt",
        "a quiz by which it was graded is missing",
        "SELECT r.attempt_id FROM regraded_attempts r
         WHERE NOT EXISTS (SELECT 1 FROM taken_quizzes t WHERE t.page_id = r.page_id AND t.version = r.quiz_before)
         OR NOT EXISTS (SELECT 1 FROM taken_quizzes t WHERE t.page_id = r.page_id AND t.version = r.quiz_after)",
        "SELECT COUNT(*) FROM regraded_attempts",
    ),
    (
        "regraded_attempts of the attempt",
        "it is undone, but its regrading is not",
        "SELECT r.attempt_id FROM regraded_attempts r JOIN regrades g ON g.id = r.regrade_id WHERE r.is_undone AND g.undone_at IS NULL",
        "SELECT COUNT(*) FROM regraded_attempts",
    ),
    (
        "attempts",
        "it is not graded by the quiz of its last regrading",
        "SELECT a.id FROM attempts a JOIN regraded_attempts r ON r.attempt_id = a.id JOIN regrades g ON g.id = r.regrade_id
         WHERE NOT r.is_undone AND r.results_after IS NOT NULL AND a.quiz_version <> r.quiz_after
         AND NOT EXISTS (SELECT 1 FROM regraded_attempts s JOIN regrades h ON h.id = s.regrade_id
           WHERE s.attempt_id = a.id AND NOT s.is_undone AND (h.at, h.id) > (g.at, g.id))",
        "SELECT COUNT(*) FROM regraded_attempts",
    ),
];

pub(super) async fn check(on: &mut Snapshot, report: &mut Report) -> Result<()> {
    each(on, report, Rule::Attempts, &REGRADES).await
}
