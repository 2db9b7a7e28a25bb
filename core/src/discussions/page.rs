//! Discussions with their questions and places, and what holds under pages.

use std::collections::{BTreeMap, HashMap, HashSet};

use chrono::{DateTime, Utc};
use kurso_base::error::Result;
use kurso_base::ids::{DiscussionId, GroupId, PageId, PostId};
use kurso_db::sql;

use super::reader::{Audience, Reader};
use super::settings::{self, Rules};
use super::stored::{self, Participant};
use super::{Discussion, posts};
use crate::Kurso;
use crate::access::Viewer;
use crate::comments::Anchor;
use crate::comments::anchor::{self, Places};

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
    follows: Option<bool>,
    is_unread: bool,
    has_written: bool,
    has_other_writers: bool,
    has_staff_answer: bool,
    accepted_post_id: Option<PostId>,
    report_count: i64,
}

/// Discussions that the reader may read, in no order, with their questions. At most four statements for at most [`kurso_db::LIST_LIMIT`]
/// discussions.
pub(super) async fn complete(kurso: &Kurso, reader: &Reader, ids: &[DiscussionId]) -> Result<Vec<Discussion>> {
    if ids.is_empty() {
        return Ok(vec![]);
    }
    let rows = sql!(
        "SELECT d.id, d.page_id, d.audience, d.group_id, d.created_at, d.active_at, d.reply_count, d.waiting_since, d.resolved_at, d.is_pinned,
           d.is_locked, d.moved_at, d.block, d.quote, d.block_text, x.follows,
           (x.read_at IS NULL OR d.active_at > x.read_at) AND EXISTS (SELECT 1 FROM discussion_posts r WHERE r.discussion_id = d.id
             AND r.hidden_at IS NULL AND (r.author_id IS NULL OR r.author_id <> $1) AND (x.read_at IS NULL OR r.created_at > x.read_at)) AS is_unread,
           EXISTS (SELECT 1 FROM discussion_posts r WHERE r.discussion_id = d.id AND r.author_id = $1) AS has_written,
           EXISTS (SELECT 1 FROM discussion_posts r WHERE r.discussion_id = d.id AND NOT r.by_asker
             AND (r.hidden_at IS NULL OR $3 OR r.author_id = $1)) AS has_other_writers,
           EXISTS (SELECT 1 FROM discussion_posts r WHERE r.discussion_id = d.id AND r.by_staff AND NOT r.is_opening AND r.hidden_at IS NULL)
             AS has_staff_answer,
           (SELECT r.id FROM discussion_posts r WHERE r.discussion_id = d.id AND r.is_accepted) AS accepted_post_id,
           CASE WHEN $2 THEN (SELECT COUNT(*) FROM discussion_reports e JOIN discussion_posts r ON r.id = e.post_id
             WHERE r.discussion_id = d.id AND e.settled_at IS NULL) ELSE 0 END AS report_count
         FROM discussions d LEFT JOIN discussion_reads x ON x.discussion_id = d.id AND x.user_id = $1 WHERE d.id IN ",
        reader.user,
        reader.is_moderator(),
        reader.is_staff()
    );
    let rows = rows.push_in(ids.iter().copied()).fetch_all::<Row>(&kurso.db).await?;
    let mut questions = posts::questions(kurso, reader, ids).await?;
    let anchored = rows.iter().filter(|row| row.block.is_some()).map(|row| row.page_id);
    let places = places(kurso, anchored).await?;
    let discussions = rows.into_iter().filter_map(|row| {
        let question = questions.remove(&row.id)?;
        Some(Discussion {
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
            question,
            accepted_post_id: row.accepted_post_id,
            is_unread: row.is_unread,
            follows: row.follows.unwrap_or(row.has_written),
            has_written: row.has_written,
            has_other_writers: row.has_other_writers,
            has_staff_answer: row.has_staff_answer,
            report_count: row.report_count,
        })
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
