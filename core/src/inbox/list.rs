//! Lists a person's notices, and counts the unread ones.

use kurso_base::error::Result;
use kurso_base::ids::NoticeId;

use super::row::{self, Row};
use super::shown::Shown;
use super::{MAX_LISTED, MAX_UNREAD, Notice};
use crate::Kurso;
use crate::access::Viewer;

/// The requested part of the list.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wanted {
    /// At most [`MAX_LISTED`].
    pub first: usize,
    /// Only notices older than this one.
    pub after: Option<NoticeId>,
    /// The number of notices to skip.
    pub skip: i64,
    pub unread_only: bool,
}

/// Notices, newest first.
#[derive(Clone, Debug, Default)]
pub struct List {
    /// May be fewer than requested, because notices that the person may not read now are left out.
    pub items: Vec<Notice>,
    /// The cursor of the next part; None at the end of the list, and if no notices were requested.
    pub next: Option<NoticeId>,
    pub has_more: bool,
    /// The number of all unread notices, at most [`MAX_UNREAD`].
    pub unread: usize,
}

/// The number of unread rows that are read to count them: more than [`MAX_UNREAD`], because some may not be readable now.
const COUNTED: i64 = 200;

/// The viewer's notices, newest first. At most eight statements.
pub async fn list(kurso: &Kurso, viewer: &Viewer, wanted: Wanted) -> Result<List> {
    let first = wanted.first.min(MAX_LISTED);
    let mut listed = row::rows(viewer.id(), kurso.clock.now()).push(" AND n.in_app");
    if let Some(after) = wanted.after {
        listed = listed.push(" AND n.id < ").push_bind(after);
    }
    if wanted.unread_only {
        listed = listed.push(" AND n.read_at IS NULL");
    }
    // One more row shows whether the list continues.
    let limit = i64::try_from(first + 1).unwrap_or(i64::MAX);
    listed = listed.push(" ORDER BY n.id DESC LIMIT ").push_bind(limit);
    let listed = listed.push(" OFFSET ").push_bind(wanted.skip.max(0));
    let mut listed = listed.fetch_all::<Row>(&kurso.db).await?;
    let unread = unread_rows(kurso, viewer).await?;
    let shown = Shown::load(kurso, viewer, &[&listed, &unread]).await?;
    let has_more = listed.len() > first;
    listed.truncate(first);
    let next = listed.last().filter(|_| has_more).map(|row| row.id);
    Ok(List {
        items: listed.into_iter().filter_map(|row| shown.notice(row)).collect(),
        next,
        has_more,
        unread: count(&shown, unread),
    })
}

/// The number of the viewer's unread notices, at most [`MAX_UNREAD`]. At most seven statements.
pub(super) async fn unread(kurso: &Kurso, viewer: &Viewer) -> Result<usize> {
    let rows = unread_rows(kurso, viewer).await?;
    let shown = Shown::load(kurso, viewer, &[&rows]).await?;
    Ok(count(&shown, rows))
}

/// As [`unread`], together with one of the notices; None if the viewer may not read it, or has read it.
pub(super) async fn unread_with(kurso: &Kurso, viewer: &Viewer, id: NoticeId) -> Result<(usize, Option<Notice>)> {
    let rows = unread_rows(kurso, viewer).await?;
    let shown = Shown::load(kurso, viewer, &[&rows]).await?;
    let wanted = rows.iter().find(|row| row.id == id).cloned();
    Ok((count(&shown, rows), wanted.and_then(|row| shown.notice(row))))
}

async fn unread_rows(kurso: &Kurso, viewer: &Viewer) -> Result<Vec<Row>> {
    let rows = row::rows(viewer.id(), kurso.clock.now());
    let rows = rows.push(" AND n.in_app AND n.read_at IS NULL ORDER BY n.id DESC LIMIT ");
    Ok(rows.push_bind(COUNTED).fetch_all(&kurso.db).await?)
}

fn count(shown: &Shown, rows: Vec<Row>) -> usize {
    let notices = rows.into_iter().filter_map(|row| shown.notice(row));
    notices.count().min(MAX_UNREAD)
}
