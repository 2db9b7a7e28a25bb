//! Consistency checks of notices: their kinds are known, their pages are of their courses, and no mail is due about what was read.

use super::structure::each;
use super::{Report, Rule};
use kurso_base::error::Result;
use kurso_db::Snapshot;

const NOTICES: [(&str, &str, &str, &str); 3] = [
    (
        "notices",
        "its kind is unknown",
        "SELECT id FROM notices WHERE kind NOT IN ('graded', 'returned', 'result_changed', 'attempt_given', 'deadline_near', 'important_change',
           'mention', 'comment', 'invited', 'import_done', 'course_completed')",
        "SELECT COUNT(*) FROM notices",
    ),
    (
        "notices",
        "its page is of another course",
        "SELECT n.id FROM notices n JOIN pages p ON p.id = n.page_id WHERE n.course_id IS NULL OR n.course_id <> p.course_id",
        "SELECT COUNT(*) FROM notices WHERE page_id IS NOT NULL",
    ),
    (
        "notices",
        "it is read, but a mail about it is due",
        "SELECT id FROM notices WHERE read_at IS NOT NULL AND mail_at IS NOT NULL",
        "SELECT COUNT(*) FROM notices WHERE read_at IS NOT NULL",
    ),
];

pub(super) async fn check(on: &mut Snapshot, report: &mut Report) -> Result<()> {
    each(on, report, Rule::Companions, &NOTICES).await
}
