//! Consistency checks of what readers keep: notes are about texts that their pages have had, and ticks name items.

use super::structure::each;
use super::{Report, Rule};
use kurso_base::error::Result;
use kurso_db::Snapshot;

const ROWS: [(&str, &str, &str, &str); 2] = [
    (
        "notes",
        "it is about a version that its page never had",
        "SELECT n.id FROM notes n JOIN pages p ON p.id = n.page_id WHERE n.text_version > p.version
         AND NOT EXISTS (SELECT 1 FROM page_drafts d WHERE d.page_id = p.id AND d.version >= n.text_version)
         AND NOT EXISTS (SELECT 1 FROM page_versions v WHERE v.page_id = p.id AND v.version >= n.text_version)",
        "SELECT COUNT(*) FROM notes WHERE text_version IS NOT NULL",
    ),
    (
        "task_ticks",
        "its item is no hash",
        "SELECT page_id FROM task_ticks WHERE length(item) <> 64",
        "SELECT COUNT(*) FROM task_ticks",
    ),
];

pub(super) async fn check(on: &mut Snapshot, report: &mut Report) -> Result<()> {
    each(on, report, Rule::Companions, &ROWS).await
}
