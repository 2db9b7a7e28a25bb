//! How long learners spent on the questions of a quiz in their first attempts.

use std::collections::HashMap;

use uuid::Uuid;

use super::statistics::median;
use crate::attempts::review::kept_times;
use crate::courses::groups::GroupFilter;
use kurso_base::error::Result;
use kurso_base::ids::PageId;
use kurso_db::{Db, sql};

/// The times of a question.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TimeStatistics {
    /// The number of attempts with a time.
    pub count: i64,
    /// In seconds; None without a time.
    pub median: Option<f64>,
}

/// Reads the times of the first attempts at a page as they are stored, the newest first, up to this number of characters.
pub(super) async fn read(db: &Db, page: PageId, group: GroupFilter, characters: i64) -> Result<Vec<String>> {
    let attempts = sql!(
        "SELECT times FROM (
           SELECT a.times, SUM(LENGTH(a.times)) OVER (ORDER BY a.submitted_at DESC, a.id ROWS UNBOUNDED PRECEDING) AS so_far
           FROM attempts a JOIN enrollments e ON e.id = a.enrollment_id
           WHERE a.page_id = $1 AND a.attempt_no = 1 AND a.times IS NOT NULL",
        page
    );
    let rows = group
        .on(attempts)
        .push(") timed WHERE so_far <= ")
        .push_bind(characters);
    let rows = rows.fetch_all::<(String,)>(db).await?;
    Ok(rows.into_iter().map(|(times,)| times).collect())
}

/// The times by question.
pub(super) fn of_rows(rows: &[String]) -> Result<HashMap<Uuid, TimeStatistics>> {
    let mut tenths: HashMap<Uuid, Vec<i64>> = HashMap::new();
    for row in rows {
        for (question, seconds) in kept_times(Some(row))? {
            tenths.entry(question).or_default().push(seconds.tenths());
        }
    }
    let measured = tenths.into_iter().map(|(question, tenths)| {
        let count = i64::try_from(tenths.len()).unwrap_or(i64::MAX);
        let median = median(tenths).map(|tenths| tenths / 10.0);
        (question, TimeStatistics { count, median })
    });
    Ok(measured.collect())
}
