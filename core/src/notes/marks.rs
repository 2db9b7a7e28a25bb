//! Bookmarks, and the ticks of tasks.

use std::collections::{HashMap, HashSet};

use kurso_base::error::{Error, Result};
use kurso_base::ids::{PageId, UserId};
use kurso_base::messages::Message;
use kurso_base::values::{PageVersion, TaskIndex};
use kurso_base::wire;
use kurso_db::{Tx, sql};
use kurso_formats::content::{TaskKey, tasks};
use serde_json::Value;

use super::{MAX_BOOKMARKS, MAX_TICKS};
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::comments::anchor;
use crate::comments::start::{read_text, refused};
use crate::courses::{self, Scope};
use crate::learning::view::CourseView;

/// What a person keeps of a page besides notes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kept {
    pub is_bookmarked: bool,
    /// The ticked items, by their indexes among the items of the page's task lists.
    pub ticked: Vec<usize>,
    /// The version of the text in which these are their indexes; None without ticks.
    pub ticked_version: Option<i64>,
}

/// Sets or removes a bookmark.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(any(test, feature = "testing"), derive(serde::Deserialize))]
pub struct SetBookmark {
    pub is_bookmarked: bool,
}

/// Ticks an item of a task list, or takes the tick back.
#[derive(Clone, Debug)]
#[cfg_attr(any(test, feature = "testing"), derive(serde::Deserialize))]
pub struct TickTask {
    /// The version of the text in which `task` is an index.
    pub version: PageVersion,
    pub task: TaskIndex,
    pub is_ticked: bool,
}

#[derive(sqlx::FromRow)]
struct Row {
    page_id: PageId,
    /// None for the bookmark.
    item: Option<String>,
    number: Option<i64>,
}

/// What a person keeps of pages that they may read, for each with anything; `drafts` says that they see the drafts of pages. At most two statements.
pub async fn kept_of(kurso: &Kurso, user: UserId, pages: &[PageId], drafts: bool) -> Result<HashMap<PageId, Kept>> {
    let rows = sql!(
        "SELECT page_id, NULL AS item, NULL AS number FROM bookmarks WHERE user_id = $1 AND page_id IN ",
        user
    );
    let rows = rows
        .push_in(pages.iter().copied())
        .push(" UNION ALL SELECT page_id, item, number FROM task_ticks WHERE user_id = ")
        .push_bind(user)
        .push(" AND page_id IN ")
        .push_in(pages.iter().copied());
    let mut found: HashMap<PageId, Kept> = HashMap::new();
    let mut ticks: HashMap<PageId, HashSet<TaskKey>> = HashMap::new();
    for row in rows.fetch_all::<Row>(&kurso.db).await? {
        match row.item.zip(row.number) {
            None => found.entry(row.page_id).or_default().is_bookmarked = true,
            Some((item, number)) => {
                let number = usize::try_from(number).unwrap_or(usize::MAX);
                ticks.entry(row.page_id).or_default().insert(TaskKey { item, number });
            }
        }
    }
    if ticks.is_empty() {
        return Ok(found);
    }
    let ticked: Vec<PageId> = ticks.keys().copied().collect();
    let texts = anchor::texts(&kurso.db, &ticked).await?;
    // Texts may be megabytes long.
    let finding = tokio::task::spawn_blocking(move || {
        for text in &texts {
            let (version, content) = text.seen(drafts);
            let document: Value = wire::read_stored(content).map_err(Error::internal)?;
            let ticks = ticks.remove(&text.page_id).unwrap_or_default();
            let places = tasks(&document).into_iter().enumerate();
            let places = places.filter(|(_, key)| ticks.contains(key)).map(|(index, _)| index);
            let kept = found.entry(text.page_id).or_default();
            kept.ticked = places.collect();
            kept.ticked_version = Some(version);
        }
        Ok(found)
    });
    finding.await.map_err(Error::internal)?
}

/// Sets or removes the bookmark of a page that the viewer may see. Fails with 409 if the course has [`MAX_BOOKMARKS`].
pub async fn set_bookmark(kurso: &Kurso, viewer: &Viewer, page: PageId, set: SetBookmark) -> Result<Kept> {
    let (view, place) = CourseView::load_by_page(kurso, viewer, page, Right::Read).await?;
    let mut tx = courses::begin(&kurso.db, view.course.id, Scope::Unchanged).await?;
    if set.is_bookmarked {
        let count = sql!(
            "SELECT COUNT(*) FROM bookmarks b JOIN pages p ON p.id = b.page_id WHERE b.user_id = $1 AND p.course_id = $2 AND b.page_id <> $3",
            viewer.id(),
            view.course.id,
            page
        );
        let (count,) = count.fetch_one::<(i64,)>(&mut tx).await?;
        if count >= MAX_BOOKMARKS {
            return Err(Error::Conflict(Message::TooManyBookmarks(MAX_BOOKMARKS)));
        }
        sql!(
            "INSERT INTO bookmarks (user_id, page_id, created_at) VALUES ($1, $2, $3) ON CONFLICT (user_id, page_id) DO NOTHING",
            viewer.id(),
            page,
            kurso.clock.now()
        )
        .execute(&mut tx)
        .await?;
    } else {
        sql!(
            "DELETE FROM bookmarks WHERE user_id = $1 AND page_id = $2",
            viewer.id(),
            page
        )
        .execute(&mut tx)
        .await?;
    }
    tx.commit().await?;
    let mut kept = kept(kurso, viewer, page).await?;
    if view.require_readable(place).is_err() {
        kept.ticked.clear();
        kept.ticked_version = None;
    }
    Ok(kept)
}

/// Ticks an item of a task list for the viewer alone, or takes the tick back. The text stays as its author wrote it. Fails with 409 if the history
/// has the version no longer, or the viewer has [`MAX_TICKS`] on the page; with 422 for an item that the version does not have.
pub async fn tick(kurso: &Kurso, viewer: &Viewer, page: PageId, tick: TickTask) -> Result<Kept> {
    let (view, place) = CourseView::load_by_page(kurso, viewer, page, Right::Read).await?;
    view.require_readable(place)?;
    // The items are read before anything is locked, because the text may be megabytes long.
    let mut tx = kurso.db.begin().await?;
    let content = read_text(&mut tx, viewer, &view.course, page, tick.version).await?;
    tx.rollback().await?;
    let items = tokio::task::spawn_blocking(move || {
        let document: Value = wire::read_stored(&content).map_err(Error::internal)?;
        Ok::<_, Error>(tasks(&document))
    });
    let items = items.await.map_err(Error::internal)??;
    let index = usize::try_from(tick.task.get()).unwrap_or(usize::MAX);
    let key = items.get(index).cloned();
    let key = key.ok_or_else(|| refused("task", Message::NoSuchTask))?;
    let number = i64::try_from(key.number).unwrap_or(i64::MAX);
    let mut tx = courses::begin(&kurso.db, view.course.id, Scope::Unchanged).await?;
    if tick.is_ticked {
        require_room(&mut tx, viewer.id(), page, (&key, &items)).await?;
        sql!(
            "INSERT INTO task_ticks (user_id, page_id, item, number, ticked_at) VALUES ($1, $2, $3, $4, $5)
             ON CONFLICT (user_id, page_id, item, number) DO NOTHING",
            viewer.id(),
            page,
            key.item,
            number,
            kurso.clock.now()
        )
        .execute(&mut tx)
        .await?;
    } else {
        sql!(
            "DELETE FROM task_ticks WHERE user_id = $1 AND page_id = $2 AND item = $3 AND number = $4",
            viewer.id(),
            page,
            key.item,
            number
        )
        .execute(&mut tx)
        .await?;
    }
    tx.commit().await?;
    kept(kurso, viewer, page).await
}

/// Fails with 409 if the person has [`MAX_TICKS`] other ticks on the page. Ticks of items that the text has no longer give way, because nobody can take
/// them back.
async fn require_room(tx: &mut Tx, user: UserId, page: PageId, (key, items): (&TaskKey, &[TaskKey])) -> Result<()> {
    let ticked = sql!(
        "SELECT item, number FROM task_ticks WHERE user_id = $1 AND page_id = $2",
        user,
        page
    );
    let ticked = ticked.fetch_all::<(String, i64)>(&mut *tx).await?.into_iter();
    let ticked: Vec<TaskKey> = ticked
        .map(|(item, number)| TaskKey {
            item,
            number: usize::try_from(number).unwrap_or(usize::MAX),
        })
        .filter(|ticked| ticked != key)
        .collect();
    let most = usize::try_from(MAX_TICKS).unwrap_or(usize::MAX);
    if ticked.len() < most {
        return Ok(());
    }
    let known: HashSet<&TaskKey> = items.iter().collect();
    let (shown, gone): (Vec<_>, Vec<_>) = ticked.into_iter().partition(|ticked| known.contains(ticked));
    if shown.len() >= most {
        return Err(Error::Conflict(Message::TooManyTicks(MAX_TICKS)));
    }
    for TaskKey { item, number } in gone {
        sql!(
            "DELETE FROM task_ticks WHERE user_id = $1 AND page_id = $2 AND item = $3 AND number = $4",
            user,
            page,
            item,
            i64::try_from(number).unwrap_or(i64::MAX)
        )
        .execute(&mut *tx)
        .await?;
    }
    Ok(())
}

async fn kept(kurso: &Kurso, viewer: &Viewer, page: PageId) -> Result<Kept> {
    let mut found = kept_of(kurso, viewer.id(), &[page], false).await?;
    Ok(found.remove(&page).unwrap_or_default())
}
