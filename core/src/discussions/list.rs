//! Reads discussions: of pages, of courses, and single ones.

use std::collections::HashMap;
use std::hash::Hash;

use kurso_base::error::{Error, Result};
use kurso_base::ids::{CourseId, DiscussionId, PageId, PostId};
use kurso_base::messages::Message;
use kurso_base::pagination::{Listed, Page};
use kurso_db::{LIST_LIMIT, Sql, sql};
use uuid::Uuid;

use super::page::complete;
use super::reader::{Reader, Standing};
use super::stored::{self, Participant};
use super::{Discussion, MAX_LISTED};
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::courses;

/// Which discussions are listed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum DiscussionFilter {
    #[default]
    All,
    Open,
    Resolved,
    /// Open ones whose learner waits for an answer, the longest first.
    Unanswered,
    /// With reports that nobody has settled.
    Reported,
    /// To the teachers alone.
    Private,
    /// That the reader has asked or answered.
    Mine,
}

impl DiscussionFilter {
    pub fn name(self) -> &'static str {
        match self {
            DiscussionFilter::All => "all",
            DiscussionFilter::Open => "open",
            DiscussionFilter::Resolved => "resolved",
            DiscussionFilter::Unanswered => "unanswered",
            DiscussionFilter::Reported => "reported",
            DiscussionFilter::Private => "private",
            DiscussionFilter::Mine => "mine",
        }
    }

    fn push<'q>(self, sql: Sql<'q>, reader: &Reader) -> Sql<'q> {
        match self {
            DiscussionFilter::All => sql,
            DiscussionFilter::Open => sql.push(" AND d.resolved_at IS NULL"),
            DiscussionFilter::Resolved => sql.push(" AND d.resolved_at IS NOT NULL"),
            DiscussionFilter::Unanswered => sql.push(" AND d.resolved_at IS NULL AND d.waiting_since IS NOT NULL"),
            // Only the owner and teachers see reports, so others find nothing.
            DiscussionFilter::Reported if !reader.is_moderator() => sql.push(" AND FALSE"),
            DiscussionFilter::Reported => sql.push(
                " AND EXISTS (SELECT 1 FROM discussion_posts r JOIN discussion_reports e ON e.post_id = r.id
                 WHERE r.discussion_id = d.id AND e.settled_at IS NULL)",
            ),
            DiscussionFilter::Private => sql.push(" AND d.audience = 'teachers'"),
            DiscussionFilter::Mine => sql
                .push(" AND EXISTS (SELECT 1 FROM discussion_posts r WHERE r.discussion_id = d.id AND r.author_id = ")
                .push_bind(reader.user)
                .push(")"),
        }
    }

    fn order(self) -> &'static str {
        match self {
            DiscussionFilter::Unanswered => "d.waiting_since, d.id",
            _ => "d.is_pinned DESC, d.active_at DESC, d.id DESC",
        }
    }
}

kurso_base::values::choices! {
    DiscussionFilter: "all" => DiscussionFilter::All, "open" => DiscussionFilter::Open, "resolved" => DiscussionFilter::Resolved,
        "unanswered" => DiscussionFilter::Unanswered, "reported" => DiscussionFilter::Reported,
        "private" => DiscussionFilter::Private, "mine" => DiscussionFilter::Mine;
}

/// A list of the discussions of a page or course: its reader, the filter, and how many are skipped and returned.
pub type ListKey = (Reader, DiscussionFilter, (i64, i64));

#[derive(sqlx::FromRow)]
struct NumberedRow {
    id: DiscussionId,
    /// The page or the course.
    parent: Uuid,
    /// From 1 in the list of the parent.
    number: i64,
    whole: i64,
}

/// One discussion that the viewer may read, by its ID or that of one of its posts. Fails with 404 otherwise, and as locked if its page is.
pub async fn get(kurso: &Kurso, viewer: &Viewer, id: Uuid) -> Result<Discussion> {
    let found = match stored::participant_by(kurso, viewer, DiscussionId(id)).await {
        Err(Error::NotFound(message)) => {
            let by_post = stored::participant_by(kurso, viewer, PostId(id)).await;
            by_post.map_err(|error| match error {
                Error::NotFound(_) => Error::NotFound(message),
                other => other,
            })?
        }
        other => other?,
    };
    let (Participant { reader, .. }, stored) = found;
    one(kurso, &reader, stored.id).await
}

/// The discussions of a page that the viewer may read: pinned ones, then those with the newest posts; [`DiscussionFilter::Unanswered`]: the longest waiting first. At most [`MAX_LISTED`].
pub async fn of_page(
    kurso: &Kurso,
    viewer: &Viewer,
    page: PageId,
    filter: DiscussionFilter,
    window: Page,
) -> Result<Listed<Discussion>> {
    let Participant { reader, .. } = stored::participant_at(kurso, viewer, page).await?;
    let key = (reader, filter, (window.skip, window.limit));
    let mut found = of_pages(kurso, key, &[page]).await?;
    Ok(found.remove(&page).unwrap_or_else(nothing))
}

fn nothing() -> Listed<Discussion> {
    Listed { data: vec![], count: 0 }
}

/// As [`of_page`], of pages of one course whose discussions the person may read now, for each that has any. At most seven statements.
pub async fn of_pages(
    kurso: &Kurso,
    (reader, filter, window): ListKey,
    pages: &[PageId],
) -> Result<HashMap<PageId, Listed<Discussion>>> {
    let numbered = sql!(
        "WITH numbered AS (SELECT d.id, d.page_id AS parent, COUNT(*) OVER (PARTITION BY d.page_id) AS whole,
           ROW_NUMBER() OVER (PARTITION BY d.page_id ORDER BY "
    );
    let numbered = numbered.push(filter.order()).push(") AS number").push(FROM);
    let numbered = reader.push_reads(numbered).push(" AND d.page_id IN ");
    let numbered = numbered.push_in(pages.iter().copied());
    shown(kurso, &reader, filter.push(numbered, &reader), window).await
}

const FROM: &str = " FROM discussions d JOIN pages p ON p.id = d.page_id
      JOIN discussion_posts o ON o.discussion_id = d.id AND o.is_opening WHERE ";

/// The discussions of all pages of a course, as [`of_page`] lists them. For the owner, editors and teachers.
pub async fn in_course(
    kurso: &Kurso,
    viewer: &Viewer,
    course: CourseId,
    filter: DiscussionFilter,
    window: Page,
) -> Result<Listed<Discussion>> {
    let course = courses::find(&kurso.db, viewer, course, Right::Discuss).await?;
    let reader = Reader::of(&course, viewer.id()).filter(Reader::is_staff);
    let reader = reader.ok_or(Error::Forbidden(Message::CourseForbidden))?;
    let key = (reader, filter, (window.skip, window.limit));
    let mut found = in_courses(kurso, key, &[course.id]).await?;
    Ok(found.remove(&course.id).unwrap_or_else(nothing))
}

/// As [`in_course`], of courses in which the person has this standing, for each that has any. At most seven statements.
pub async fn in_courses(
    kurso: &Kurso,
    (reader, filter, window): ListKey,
    courses: &[CourseId],
) -> Result<HashMap<CourseId, Listed<Discussion>>> {
    if matches!(reader.standing, Standing::Learner { .. }) {
        return Ok(HashMap::new());
    }
    let numbered = sql!(
        "WITH numbered AS (SELECT d.id, p.course_id AS parent, COUNT(*) OVER (PARTITION BY p.course_id) AS whole,
           ROW_NUMBER() OVER (PARTITION BY p.course_id ORDER BY "
    );
    let numbered = numbered.push(filter.order()).push(") AS number").push(FROM);
    let numbered = reader.push_reads(numbered).push(" AND p.course_id IN ");
    let numbered = numbered.push_in(courses.iter().copied());
    shown(kurso, &reader, filter.push(numbered, &reader), window).await
}

/// The window of each list.
async fn shown<Of: From<Uuid> + Eq + Hash>(
    kurso: &Kurso,
    reader: &Reader,
    numbered: Sql<'_>,
    (skip, limit): (i64, i64),
) -> Result<HashMap<Of, Listed<Discussion>>> {
    let end = skip.saturating_add(limit.min(MAX_LISTED));
    // A window beyond the end has no row with the total count, so it is read from the first row.
    let rows = numbered
        .push(") SELECT id, parent, number, whole FROM numbered WHERE number = 1 OR (number > ")
        .push_bind(skip)
        .push(" AND number <= ")
        .push_bind(end)
        .push(") ORDER BY number")
        .fetch_all::<NumberedRow>(&kurso.db)
        .await?;
    let is_shown = |row: &&NumberedRow| row.number > skip && row.number <= end;
    let ids: Vec<DiscussionId> = rows.iter().filter(is_shown).map(|row| row.id).collect();
    let mut discussions = HashMap::new();
    for ids in ids.chunks(LIST_LIMIT) {
        let found = complete(kurso, reader, ids).await?;
        discussions.extend(found.into_iter().map(|discussion| (discussion.id, discussion)));
    }
    let mut found: HashMap<Of, Listed<Discussion>> = HashMap::new();
    for row in rows {
        let listed = found.entry(Of::from(row.parent)).or_insert_with(|| Listed {
            data: vec![],
            count: row.whole,
        });
        listed.data.extend(discussions.remove(&row.id));
    }
    Ok(found)
}

/// A discussion that the reader may read, after a change. Fails with 404 if it is gone.
pub(super) async fn one(kurso: &Kurso, reader: &Reader, id: DiscussionId) -> Result<Discussion> {
    let found = found(kurso, reader, id).await?;
    found.ok_or(Error::NotFound(Message::DiscussionNotFound))
}

/// As [`one`]; None if it is gone.
pub(super) async fn found(kurso: &Kurso, reader: &Reader, id: DiscussionId) -> Result<Option<Discussion>> {
    Ok(complete(kurso, reader, &[id]).await?.pop())
}
