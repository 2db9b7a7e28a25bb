//! Consistency checks of author comments: suggested changes can be read.

use uuid::Uuid;

use super::{Report, Rule};
use crate::comments::stored_blocks;
use kurso_base::error::Result;
use kurso_db::{Snapshot, sql};

/// Suggestions per statement.
const CHUNK: i64 = 50;

pub(super) async fn check(on: &mut Snapshot, report: &mut Report) -> Result<()> {
    let mut last = Uuid::nil();
    loop {
        let rows = sql!(
            "SELECT id, old_blocks, new_blocks FROM comment_threads WHERE suggestion IS NOT NULL AND id > $1 ORDER BY id LIMIT $2",
            last,
            CHUNK
        )
        .fetch_all::<(Uuid, String, String)>(&mut *on)
        .await?;
        let Some((end, ..)) = rows.last() else { return Ok(()) };
        last = *end;
        report.checked(Rule::Texts, rows.len() as u64);
        for (id, before, after) in &rows {
            let is_one = stored_blocks(before).is_ok_and(|blocks| blocks.len() == 1);
            if !is_one || stored_blocks(after).is_err() {
                let problem = "the change that it suggests cannot be read".to_owned();
                report.found(Rule::Texts, format!("comment_threads {id}"), problem, None);
            }
        }
    }
}
