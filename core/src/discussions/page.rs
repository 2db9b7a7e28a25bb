//! Discussions with their posts and places, and what holds under pages.

use std::collections::{BTreeMap, HashMap, HashSet};

use chrono::{DateTime, Utc};
use kurso_base::error::{Error, Result};
use kurso_base::ids::{DiscussionId, GroupId, PageId, PostId, UserId};
use kurso_base::wire;
use kurso_db::sql;

use super::reader::{Audience, Reader};
use super::settings::{self, Rules};
use super::stored::{self, Participant};
use super::{Discussion, Hidden, Post, Report};
use crate::Kurso;
use crate::access::Viewer;
use crate::comments::Anchor;
use crate::comments::anchor::{self, Places};
use crate::subscriptions::PersonName;

#[derive(sqlx::FromRow)]
struct Row {
    id: DiscussionId,
    page_id: PageId,
    audience: Audience,
    group_id: Option<GroupId>,
    created_at: DateTime<Utc>,
    active_at: DateTime<Utc>,
    reply_count: i64,
    waiting_since: Option<DateTime<Utc>>,
    resolved_at: Option<DateTime<Utc>>,
    is_pinned: bool,
    is_locked: bool,
    moved_at: Option<DateTime<Utc>>,
    block: Option<i64>,
    quote: Option<String>,
    block_text: Option<String>,
    read_at: Option<DateTime<Utc>>,
    follows: Option<bool>,
}

#[derive(sqlx::FromRow)]
struct PostRow {
    id: PostId,
    discussion_id: DiscussionId,
    author_id: Option<UserId>,
    author_name: Option<String>,
    is_anonymous: bool,
    by_asker: bool,
    by_staff: bool,
    body: String,
    created_at: DateTime<Utc>,
    edited_at: Option<DateTime<Utc>>,
    deleted_at: Option<DateTime<Utc>>,
    is_accepted: bool,
    hidden_at: Option<DateTime<Utc>>,
    hidden_reason: Option<String>,
    hider_id: Option<UserId>,
    hider_name: Option<String>,
    useful_count: i64,
    is_useful: bool,
}

#[derive(sqlx::FromRow)]
struct ReportRow {
    post_id: PostId,
    #[sqlx(flatten)]
    by: PersonName,
    reason: String,
    reported_at: DateTime<Utc>,
}

fn person(id: Option<UserId>, full_name: Option<String>) -> Option<PersonName> {
    id.map(|id| PersonName { id, full_name })
}

/// Discussions that the reader may read, in no order, with the posts that the reader may read. At most four statements for at most
/// [`kurso_db::LIST_LIMIT`] discussions.
pub(super) async fn complete(kurso: &Kurso, reader: &Reader, ids: &[DiscussionId]) -> Result<Vec<Discussion>> {
    if ids.is_empty() {
        return Ok(vec![]);
    }
    let rows = sql!(
        "SELECT d.id, d.page_id, d.audience, d.group_id, d.created_at, d.active_at, d.reply_count, d.waiting_since, d.resolved_at, d.is_pinned,
           d.is_locked, d.moved_at, d.block, d.quote, d.block_text, x.read_at, x.follows
         FROM discussions d LEFT JOIN discussion_reads x ON x.discussion_id = d.id AND x.user_id = $1 WHERE d.id IN ",
        reader.user
    );
    let rows = rows.push_in(ids.iter().copied()).fetch_all::<Row>(&kurso.db).await?;
    let mut posts = posts(kurso, reader, ids).await?;
    let anchored = rows.iter().filter(|row| row.block.is_some()).map(|row| row.page_id);
    let places = places(kurso, anchored).await?;
    let discussions = rows.into_iter().map(|row| {
        let posts = posts.remove(&row.id).unwrap_or_default();
        let read = |post: &Post| post.is_mine || row.read_at.is_some_and(|read| post.created_at <= read);
        Discussion {
            is_unread: !posts.iter().all(read),
            follows: row.follows.unwrap_or_else(|| posts.iter().any(|post| post.is_mine)),
            anchor: anchor_of(&places, row.page_id, (row.block, row.quote, row.block_text.as_deref())),
            id: row.id,
            page_id: row.page_id,
            audience: row.audience,
            group_id: row.group_id,
            created_at: row.created_at,
            active_at: row.active_at,
            reply_count: row.reply_count,
            waiting_since: row.waiting_since,
            resolved_at: row.resolved_at,
            is_pinned: row.is_pinned,
            is_locked: row.is_locked,
            moved_at: row.moved_at,
            posts,
        }
    });
    Ok(discussions.collect())
}

/// Finds the blocks of questions in the texts that learners read.
async fn places(kurso: &Kurso, pages: impl Iterator<Item = PageId>) -> Result<HashMap<PageId, Places>> {
    let pages: Vec<PageId> = pages.collect::<HashSet<_>>().into_iter().collect();
    match pages.is_empty() {
        true => Ok(HashMap::new()),
        false => anchor::places(anchor::texts(&kurso.db, &pages).await?, false).await,
    }
}

fn anchor_of(
    places: &HashMap<PageId, Places>,
    page: PageId,
    (block, quote, text): (Option<i64>, Option<String>, Option<&str>),
) -> Option<Anchor> {
    let (block, text) = block.zip(text)?;
    Some(Anchor {
        block: places.get(&page).and_then(|places| places.find(block, text)),
        quote: quote?,
    })
}

async fn posts(kurso: &Kurso, reader: &Reader, ids: &[DiscussionId]) -> Result<HashMap<DiscussionId, Vec<Post>>> {
    let rows = sql!(
        "SELECT r.id, r.discussion_id, u.id AS author_id, u.full_name AS author_name, r.is_anonymous, r.by_asker, r.by_staff, r.body,
           r.created_at, r.edited_at, r.deleted_at, r.is_accepted, r.hidden_at, r.hidden_reason, h.id AS hider_id, h.full_name AS hider_name,
           (SELECT COUNT(*) FROM discussion_marks m WHERE m.post_id = r.id) AS useful_count,
           EXISTS (SELECT 1 FROM discussion_marks m WHERE m.post_id = r.id AND m.user_id = $1) AS is_useful
         FROM discussion_posts r LEFT JOIN users u ON u.id = r.author_id LEFT JOIN users h ON h.id = r.hidden_by WHERE r.discussion_id IN ",
        reader.user
    )
    .push_in(ids.iter().copied())
    .push(" ORDER BY r.is_opening DESC, r.id")
    .fetch_all::<PostRow>(&kurso.db)
    .await?;
    let mut reports = match reader.is_moderator() {
        true => reports(kurso, ids).await?,
        false => HashMap::new(),
    };
    let mut posts: HashMap<DiscussionId, Vec<Post>> = HashMap::new();
    for row in rows {
        if reader.reads_post(row.author_id, row.hidden_at.is_some()) {
            let reports = reports.remove(&row.id).unwrap_or_default();
            let discussion = posts.entry(row.discussion_id).or_default();
            discussion.push(row.post(reader, reports)?);
        }
    }
    Ok(posts)
}

async fn reports(kurso: &Kurso, ids: &[DiscussionId]) -> Result<HashMap<PostId, Vec<Report>>> {
    let rows = sql!(
        "SELECT e.post_id, u.id, u.full_name, e.reason, e.reported_at FROM discussion_reports e
         JOIN discussion_posts r ON r.id = e.post_id JOIN users u ON u.id = e.user_id WHERE e.settled_at IS NULL AND r.discussion_id IN "
    )
    .push_in(ids.iter().copied())
    .push(" ORDER BY e.reported_at, u.id")
    .fetch_all::<ReportRow>(&kurso.db)
    .await?;
    let mut found: HashMap<PostId, Vec<Report>> = HashMap::new();
    for row in rows {
        found.entry(row.post_id).or_default().push(Report {
            by: row.by,
            reason: row.reason,
            at: row.reported_at,
        });
    }
    Ok(found)
}

impl PostRow {
    fn post(self, reader: &Reader, reports: Vec<Report>) -> Result<Post> {
        // A text whose author has deleted the account is not shown, whatever became of its row.
        let is_gone = self.deleted_at.is_some() || self.author_id.is_none();
        let body = match is_gone {
            true => None,
            false => Some(wire::read_stored(&self.body).map_err(Error::internal)?),
        };
        let hider = person(self.hider_id, self.hider_name).filter(|_| reader.is_staff());
        let sees_author = reader.sees_author(self.author_id, self.is_anonymous);
        Ok(Post {
            id: self.id,
            is_mine: self.author_id == Some(reader.user),
            author: person(self.author_id, self.author_name).filter(|_| sees_author),
            is_anonymous: self.is_anonymous,
            by_asker: self.by_asker,
            by_staff: self.by_staff,
            body,
            created_at: self.created_at,
            edited_at: self.edited_at,
            is_accepted: self.is_accepted,
            useful_count: self.useful_count,
            is_useful: self.is_useful,
            hidden: self
                .hidden_at
                .zip(self.hidden_reason)
                .map(|(at, reason)| Hidden { at, reason, by: hider }),
            reports,
        })
    }
}

/// The open questions at one block of a page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BlockQuestions {
    /// Index of the block in the text that learners read; None for questions about the whole page or about a block that is gone.
    pub block: Option<usize>,
    pub open_count: i64,
}

#[derive(sqlx::FromRow)]
struct OpenRow {
    page_id: PageId,
    block: Option<i64>,
    block_text: Option<String>,
}

/// The open questions of a page that the viewer may read, counted by block.
pub async fn blocks(kurso: &Kurso, viewer: &Viewer, page: PageId) -> Result<Vec<BlockQuestions>> {
    let Participant { reader, .. } = stored::participant_at(kurso, viewer, page).await?;
    let mut found = blocks_of(kurso, reader, &[page]).await?;
    Ok(found.remove(&page).unwrap_or_default())
}

/// As [`blocks`], of pages of one course whose discussions the person may read now. At most two statements.
pub async fn blocks_of(
    kurso: &Kurso,
    reader: Reader,
    pages: &[PageId],
) -> Result<HashMap<PageId, Vec<BlockQuestions>>> {
    let rows = sql!(
        "SELECT d.page_id, d.block, d.block_text FROM discussions d JOIN pages p ON p.id = d.page_id
         JOIN discussion_posts o ON o.discussion_id = d.id AND o.is_opening WHERE d.resolved_at IS NULL AND o.hidden_at IS NULL AND "
    );
    let rows = reader.push_reads(rows).push(" AND d.page_id IN ");
    let rows = rows
        .push_in(pages.iter().copied())
        .fetch_all::<OpenRow>(&kurso.db)
        .await?;
    let anchored = rows.iter().filter(|row| row.block.is_some()).map(|row| row.page_id);
    let places = places(kurso, anchored).await?;
    let mut counts: HashMap<PageId, BTreeMap<Option<usize>, i64>> = HashMap::new();
    for row in rows {
        let anchor = anchor_of(
            &places,
            row.page_id,
            (row.block, Some(String::new()), row.block_text.as_deref()),
        );
        let block = anchor.and_then(|anchor| anchor.block);
        *counts.entry(row.page_id).or_default().entry(block).or_default() += 1;
    }
    let found = counts.into_iter().map(|(page, blocks)| {
        let blocks = blocks.into_iter();
        let blocks = blocks.map(|(block, open_count)| BlockQuestions { block, open_count });
        (page, blocks.collect())
    });
    Ok(found.collect())
}

/// What holds under a page that the viewer may read.
pub async fn rules(kurso: &Kurso, viewer: &Viewer, page: PageId) -> Result<Rules> {
    stored::participant_at(kurso, viewer, page).await?;
    settings::rules(&kurso.db, page).await
}
