//! Searches of whole tables, for superusers: read in parts of bounded size, compared away from the threads of the async runtime.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use kurso_base::error::{Error, Result};
use kurso_base::pagination::{Listed, Page};
use kurso_base::search::Search;
use kurso_db::{Db, Sql};

/// The rows that are read at a time.
pub(crate) const PART: i64 = 1000;

/// A row: its id, the time by which the results are sorted, and the texts that are searched.
type Row = (Uuid, DateTime<Utc>, String, String, String);

/// The ids of the matching rows on a page, the latest first, then by id. `part` selects [`Row`]s in the order of their ids: the
/// first $2 after the id $1. One statement for each [`PART`] rows.
pub(crate) async fn find(db: &Db, part: &'static str, search: &Search, page: Page) -> Result<Listed<Uuid>> {
    let mut found = Vec::new();
    let mut after = Uuid::nil();
    loop {
        let rows = Sql::new(part).bind(after).bind(PART).fetch_all::<Row>(db).await?;
        let is_last = rows.len() < usize::try_from(PART).unwrap_or_default();
        after = rows.last().map_or(after, |(id, ..)| *id);
        let search = search.clone();
        let matching = tokio::task::spawn_blocking(move || {
            let matches = |(_, _, a, b, c): &Row| search.matches(&[a, b, c]);
            let rows = rows.into_iter().filter(matches);
            rows.map(|(id, time, ..)| (time, id)).collect::<Vec<_>>()
        });
        found.extend(matching.await.map_err(Error::internal)?);
        if is_last {
            break;
        }
    }
    found.sort_unstable_by(|a, b| b.cmp(a));
    Ok(page.of(found.into_iter().map(|(_, id)| id).collect()))
}
