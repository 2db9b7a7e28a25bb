//! Reads threads: of pages, and of a course.

use std::collections::{HashMap, HashSet};

use chrono::{DateTime, Utc};
use kurso_base::error::{Error, Result};
use kurso_base::ids::{CommentId, CourseId, PageId, ThreadId, UserId};
use kurso_base::pagination::{Listed, Page};
use kurso_base::search::fold;
use kurso_base::wire;
use kurso_db::{LIST_LIMIT, Sql, sql};
use serde_json::Value;

use super::{Anchor, Comment, Done, MAX_RESOLVED_LISTED, Suggestion, SuggestionState, Thread, ThreadState, anchor};
use crate::Kurso;
use crate::access::{Right, Viewer, shown_name};
use crate::courses::{self, Course};
use crate::subscriptions::PersonName;

/// Which threads of a course.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct ThreadQuery {
    /// None: both.
    pub state: Option<ThreadState>,
    /// Only those with a comment that mentions the viewer.
    pub mentioning_me: bool,
}

/// Somebody who may comment on a course.
#[derive(Clone, Debug, PartialEq, sqlx::FromRow)]
pub struct Commenter {
    pub id: UserId,
    pub full_name: Option<String>,
    pub email: String,
}

#[derive(sqlx::FromRow)]
struct ThreadRow {
    id: ThreadId,
    page_id: PageId,
    starter_id: Option<UserId>,
    starter_name: Option<String>,
    created_at: DateTime<Utc>,
    active_at: DateTime<Utc>,
    resolved_at: Option<DateTime<Utc>>,
    resolver_id: Option<UserId>,
    resolver_name: Option<String>,
    block: Option<i64>,
    quote: Option<String>,
    block_text: Option<String>,
    old_blocks: Option<String>,
    new_blocks: Option<String>,
    suggestion: Option<String>,
    decided_at: Option<DateTime<Utc>>,
    decider_id: Option<UserId>,
    decider_name: Option<String>,
    read_at: Option<DateTime<Utc>>,
}

/// `$1` is the viewer.
const THREADS: &str = "SELECT t.id, t.page_id, s.id AS starter_id, s.full_name AS starter_name, t.created_at, t.active_at, t.resolved_at,
      r.id AS resolver_id, r.full_name AS resolver_name, t.block, t.quote, t.block_text, t.old_blocks, t.new_blocks, t.suggestion,
      t.decided_at, d.id AS decider_id, d.full_name AS decider_name, x.read_at
    FROM comment_threads t LEFT JOIN users s ON s.id = t.started_by LEFT JOIN users r ON r.id = t.resolved_by
    LEFT JOIN users d ON d.id = t.decided_by LEFT JOIN thread_reads x ON x.thread_id = t.id AND x.user_id = $1 WHERE ";

#[derive(sqlx::FromRow)]
struct CommentRow {
    id: CommentId,
    thread_id: ThreadId,
    author_id: Option<UserId>,
    author_name: Option<String>,
    text: String,
    created_at: DateTime<Utc>,
    edited_at: Option<DateTime<Utc>>,
}

#[derive(sqlx::FromRow)]
struct MentionRow {
    comment_id: CommentId,
    #[sqlx(flatten)]
    person: PersonName,
}

fn person(id: Option<UserId>, full_name: Option<String>) -> Option<PersonName> {
    id.map(|id| PersonName { id, full_name })
}

/// The threads of a page, oldest first. For those who may comment.
pub async fn of_page(kurso: &Kurso, viewer: &Viewer, page: PageId, state: Option<ThreadState>) -> Result<Vec<Thread>> {
    let role = courses::find(&kurso.db, viewer, page, Right::Comment).await?.role;
    let mut threads = of_pages(kurso, viewer.id(), role.may(Right::ReadDrafts), state, &[page]).await?;
    Ok(threads.remove(&page).unwrap_or_default())
}

/// As [`of_page`], of pages that the viewer may comment on: all open threads, and the [`MAX_RESOLVED_LISTED`] newest resolved ones of each
/// page. At most four statements. `with_draft` says whether the viewer reads drafts of these pages.
pub async fn of_pages(
    kurso: &Kurso,
    viewer: UserId,
    with_draft: bool,
    state: Option<ThreadState>,
    pages: &[PageId],
) -> Result<HashMap<PageId, Vec<Thread>>> {
    let rows = sql!(THREADS, viewer);
    let rows = match state {
        Some(ThreadState::Open) => rows
            .push("t.resolved_at IS NULL AND t.page_id IN ")
            .push_in(pages.iter().copied()),
        Some(ThreadState::Resolved) => newest_resolved(rows.push("t.id IN "), pages),
        None => {
            let open = rows
                .push("(t.resolved_at IS NULL AND t.page_id IN ")
                .push_in(pages.iter().copied());
            newest_resolved(open.push(") OR t.id IN "), pages)
        }
    };
    let rows = rows.push(" ORDER BY t.created_at, t.id").fetch_all(&kurso.db).await?;
    let mut found: HashMap<PageId, Vec<Thread>> = HashMap::new();
    for thread in complete(kurso, viewer, with_draft, rows).await? {
        found.entry(thread.page_id).or_default().push(thread);
    }
    Ok(found)
}

fn newest_resolved<'q>(sql: Sql<'q>, pages: &[PageId]) -> Sql<'q> {
    sql.push(
        "(SELECT n.id FROM (SELECT id, ROW_NUMBER() OVER (PARTITION BY page_id ORDER BY active_at DESC, id DESC) AS number
          FROM comment_threads WHERE resolved_at IS NOT NULL AND page_id IN ",
    )
    .push_in(pages.iter().copied())
    .push(") n WHERE n.number <= ")
    .push_bind(MAX_RESOLVED_LISTED)
    .push(")")
}

/// One thread that the viewer may read; None if it is gone.
pub(super) async fn one(kurso: &Kurso, viewer: &Viewer, course: &Course, id: ThreadId) -> Result<Option<Thread>> {
    let rows = sql!(THREADS, viewer.id()).push("t.id = ").push_bind(id);
    let rows = rows.fetch_all(&kurso.db).await?;
    let with_draft = course.role.may(Right::ReadDrafts);
    Ok(complete(kurso, viewer.id(), with_draft, rows).await?.pop())
}

/// The threads of all pages of a course, newest activity first. For those who may comment. At most five statements.
pub async fn in_course(
    kurso: &Kurso,
    viewer: &Viewer,
    course: CourseId,
    query: ThreadQuery,
    page: Page,
) -> Result<Listed<Thread>> {
    let course = courses::find(&kurso.db, viewer, course, Right::Comment).await?;
    let with_draft = course.role.may(Right::ReadDrafts);
    let mut found = in_courses(kurso, viewer.id(), with_draft, (query, page), &[course.id]).await?;
    let none = || Listed { data: vec![], count: 0 };
    Ok(found.remove(&course.id).unwrap_or_else(none))
}

#[derive(sqlx::FromRow)]
struct NumberedRow {
    id: ThreadId,
    course_id: CourseId,
    /// From 1 in the list of the course.
    number: i64,
    whole: i64,
}

/// As [`in_course`], of courses that the viewer may comment on, for each that has any. At most five statements. `with_draft` says whether the
/// viewer reads drafts of these courses.
pub async fn in_courses(
    kurso: &Kurso,
    viewer: UserId,
    with_draft: bool,
    (query, page): (ThreadQuery, Page),
    courses: &[CourseId],
) -> Result<HashMap<CourseId, Listed<Thread>>> {
    let numbered = sql!(
        "WITH numbered AS (SELECT t.id, p.course_id, COUNT(*) OVER (PARTITION BY p.course_id) AS whole,
           ROW_NUMBER() OVER (PARTITION BY p.course_id ORDER BY t.active_at DESC, t.id DESC) AS number
           FROM comment_threads t JOIN pages p ON p.id = t.page_id WHERE p.course_id IN "
    );
    let numbered = numbered.push_in(courses.iter().copied());
    let numbered = match query.state {
        None => numbered,
        Some(ThreadState::Open) => numbered.push(" AND t.resolved_at IS NULL"),
        Some(ThreadState::Resolved) => numbered.push(" AND t.resolved_at IS NOT NULL"),
    };
    let numbered = match query.mentioning_me {
        false => numbered,
        true => numbered
            .push(
                " AND EXISTS (SELECT 1 FROM page_comments c JOIN comment_mentions m ON m.comment_id = c.id
                 WHERE c.thread_id = t.id AND m.user_id = ",
            )
            .push_bind(viewer)
            .push(")"),
    };
    // A page beyond the end has no row with the total count, so it is read from the first row.
    let rows = numbered
        .push(") SELECT id, course_id, number, whole FROM numbered WHERE number = 1 OR (number > ")
        .push_bind(page.skip)
        .push(" AND number <= ")
        .push_bind(page.skip.saturating_add(page.limit))
        .push(") ORDER BY course_id, number")
        .fetch_all::<NumberedRow>(&kurso.db)
        .await?;
    let shown = |row: &&NumberedRow| row.number > page.skip && row.number <= page.skip.saturating_add(page.limit);
    let ids: Vec<ThreadId> = rows.iter().filter(shown).map(|row| row.id).collect();
    let mut threads = HashMap::new();
    for ids in ids.chunks(LIST_LIMIT) {
        let rows = sql!(THREADS, viewer).push("t.id IN ").push_in(ids.iter().copied());
        let rows = rows.fetch_all(&kurso.db).await?;
        let found = complete(kurso, viewer, with_draft, rows).await?;
        threads.extend(found.into_iter().map(|thread| (thread.id, thread)));
    }
    let mut found: HashMap<CourseId, Listed<Thread>> = HashMap::new();
    for row in rows {
        let listed = found.entry(row.course_id).or_insert_with(|| Listed {
            data: vec![],
            count: row.whole,
        });
        listed.data.extend(threads.remove(&row.id));
    }
    Ok(found)
}

/// The number of open threads of each page that has any. One statement. The caller has checked that the viewer may comment on the pages.
pub async fn open_counts(kurso: &Kurso, pages: &[PageId]) -> Result<HashMap<PageId, i64>> {
    let counts = sql!("SELECT page_id, COUNT(*) FROM comment_threads WHERE resolved_at IS NULL AND page_id IN ")
        .push_in(pages.iter().copied())
        .push(" GROUP BY page_id")
        .fetch_all::<(PageId, i64)>(&kurso.db)
        .await?;
    Ok(counts.into_iter().collect())
}

/// Who may comment on a course and be mentioned: its owner, then its team by name. For those who may comment.
pub async fn commenters(kurso: &Kurso, viewer: &Viewer, course: CourseId) -> Result<Vec<Commenter>> {
    let course = courses::find(&kurso.db, viewer, course, Right::Comment).await?.id;
    let mut found = commenters_of(kurso, &[course]).await?;
    Ok(found.remove(&course).unwrap_or_default())
}

#[derive(sqlx::FromRow)]
struct CommenterRow {
    course_id: CourseId,
    /// 0 for the owner.
    place: i32,
    #[sqlx(flatten)]
    person: Commenter,
}

/// As [`commenters`], of courses that the viewer may comment on. One statement.
pub async fn commenters_of(kurso: &Kurso, courses: &[CourseId]) -> Result<HashMap<CourseId, Vec<Commenter>>> {
    let rows = sql!(
        "SELECT c.id AS course_id, u.id, u.full_name, u.email, 0 AS place FROM courses c JOIN users u ON u.id = c.owner_id
         WHERE u.is_active AND c.id IN "
    )
    .push_in(courses.iter().copied())
    .push(
        " UNION ALL SELECT k.course_id, u.id, u.full_name, u.email, 1 FROM collaborators k JOIN users u ON u.id = k.user_id
         WHERE u.is_active AND k.course_id IN ",
    )
    .push_in(courses.iter().copied())
    .fetch_all::<CommenterRow>(&kurso.db)
    .await?;
    let mut rows = rows;
    rows.sort_by_cached_key(|row| {
        (
            row.place,
            fold(shown_name(row.person.full_name.as_deref(), &row.person.email)),
            row.person.id,
        )
    });
    let mut found: HashMap<CourseId, Vec<Commenter>> = HashMap::new();
    for row in rows {
        found.entry(row.course_id).or_default().push(row.person);
    }
    Ok(found)
}

/// Adds comments, mentions and places to threads. At most three statements for each [`LIST_LIMIT`] of threads.
async fn complete(kurso: &Kurso, viewer: UserId, with_draft: bool, rows: Vec<ThreadRow>) -> Result<Vec<Thread>> {
    if rows.is_empty() {
        return Ok(vec![]);
    }
    let (mut comments, mut mentions) = (HashMap::new(), HashMap::new());
    for rows in rows.chunks(LIST_LIMIT) {
        read_comments(kurso, rows, (&mut comments, &mut mentions)).await?;
    }
    let anchored = rows.iter().filter(|row| row.block.is_some()).map(|row| row.page_id);
    let anchored: Vec<PageId> = anchored.collect::<HashSet<_>>().into_iter().collect();
    let places = match anchored.is_empty() {
        true => HashMap::new(),
        false => anchor::places(anchor::texts(&kurso.db, &anchored).await?, with_draft).await?,
    };
    let threads = rows.into_iter().map(|row| {
        let comments: Vec<CommentRow> = comments.remove(&row.id).unwrap_or_default();
        let is_new = |comment: &CommentRow| {
            comment.author_id != Some(viewer) && row.read_at.is_none_or(|read| comment.created_at > read)
        };
        let is_unread = comments.iter().any(is_new);
        let comments = comments.into_iter().map(|comment| Comment {
            is_mine: comment.author_id == Some(viewer),
            mentions: mentions.remove(&comment.id).unwrap_or_default(),
            id: comment.id,
            author: person(comment.author_id, comment.author_name),
            text: comment.text,
            created_at: comment.created_at,
            edited_at: comment.edited_at,
        });
        let comments = comments.collect();
        let places = places.get(&row.page_id);
        row.thread(places, comments, is_unread)
    });
    threads.collect()
}

type Comments = HashMap<ThreadId, Vec<CommentRow>>;
type Mentions = HashMap<CommentId, Vec<PersonName>>;

async fn read_comments(
    kurso: &Kurso,
    threads: &[ThreadRow],
    (comments, mentions): (&mut Comments, &mut Mentions),
) -> Result<()> {
    let rows = sql!(
        "SELECT c.id, c.thread_id, u.id AS author_id, u.full_name AS author_name, c.text, c.created_at, c.edited_at
         FROM page_comments c LEFT JOIN users u ON u.id = c.author_id WHERE c.thread_id IN "
    )
    .push_in(threads.iter().map(|row| row.id))
    .push(" ORDER BY c.created_at, c.id")
    .fetch_all::<CommentRow>(&kurso.db)
    .await?;
    for row in rows {
        comments.entry(row.thread_id).or_default().push(row);
    }
    let rows = sql!(
        "SELECT m.comment_id, u.id, u.full_name FROM comment_mentions m JOIN page_comments c ON c.id = m.comment_id
         JOIN users u ON u.id = m.user_id WHERE c.thread_id IN "
    )
    .push_in(threads.iter().map(|row| row.id))
    .push(" ORDER BY u.id")
    .fetch_all::<MentionRow>(&kurso.db)
    .await?;
    for row in rows {
        mentions.entry(row.comment_id).or_default().push(row.person);
    }
    Ok(())
}

impl ThreadRow {
    fn thread(self, places: Option<&anchor::Places>, comments: Vec<Comment>, is_unread: bool) -> Result<Thread> {
        let anchor = match (self.block, self.quote, &self.block_text) {
            (Some(block), Some(quote), Some(text)) => Some(Anchor {
                block: places.and_then(|places| places.find(block, text)),
                quote,
            }),
            _ => None,
        };
        let suggestion = match (self.suggestion, self.old_blocks, self.new_blocks) {
            (Some(state), Some(before), Some(after)) => {
                let before = stored_blocks(&before)?;
                let is_there = || places.is_some_and(|places| places.has(&before));
                let state = match state.as_str() {
                    "accepted" => SuggestionState::Accepted,
                    "rejected" => SuggestionState::Rejected,
                    _ if is_there() => SuggestionState::Pending,
                    _ => SuggestionState::Outdated,
                };
                Some(Suggestion {
                    before,
                    after: stored_blocks(&after)?,
                    state,
                    decided: self.decided_at.map(|at| Done {
                        by: person(self.decider_id, self.decider_name),
                        at,
                    }),
                })
            }
            _ => None,
        };
        Ok(Thread {
            id: self.id,
            page_id: self.page_id,
            started_by: person(self.starter_id, self.starter_name),
            created_at: self.created_at,
            active_at: self.active_at,
            resolved: self.resolved_at.map(|at| Done {
                by: person(self.resolver_id, self.resolver_name),
                at,
            }),
            anchor,
            suggestion,
            comments,
            is_unread,
        })
    }
}

/// Parses the blocks of a stored suggestion.
pub(crate) fn stored_blocks(text: &str) -> Result<Vec<Value>> {
    wire::read_stored(text).map_err(Error::internal)
}
