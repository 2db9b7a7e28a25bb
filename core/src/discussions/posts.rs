//! Posts as one person sees them: questions, windows of answers, and single posts.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use kurso_base::error::{Error, Result};
use kurso_base::ids::{DiscussionId, PostId, UserId};
use kurso_base::messages::Message;
use kurso_base::pagination::Listed;
use kurso_base::wire;
use kurso_db::sql;

use super::reader::Reader;
use super::stored::{self, Participant};
use super::{ChangedPost, Hidden, MAX_SHOWN_ANSWERS, Post, Report, list};
use crate::Kurso;
use crate::access::Viewer;
use crate::subscriptions::PersonName;

/// The columns of [`PostRow`] of posts `r`, for the reader `$1`.
macro_rules! columns {
    ($number:literal) => {
        concat!(
            "r.id, r.discussion_id, u.id AS author_id, u.full_name AS author_name, r.is_anonymous, r.by_asker, r.by_staff, r.body, r.created_at,
             r.edited_at, r.deleted_at, r.is_accepted, r.hidden_at, r.hidden_reason, h.id AS hider_id, h.full_name AS hider_name, ",
            $number,
            " AS number, (SELECT COUNT(*) FROM discussion_marks m WHERE m.post_id = r.id) AS useful_count,
             EXISTS (SELECT 1 FROM discussion_marks m WHERE m.post_id = r.id AND m.user_id = $1) AS is_useful"
        )
    };
}
macro_rules! people {
    () => {
        "LEFT JOIN users u ON u.id = r.author_id LEFT JOIN users h ON h.id = r.hidden_by"
    };
}
/// Which answers of a discussion are read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct AnswersWindow {
    /// At most [`MAX_SHOWN_ANSWERS`].
    pub limit: i64,
    pub from: AnswersFrom,
}

/// Where a window of answers begins.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AnswersFrom {
    /// After so many answers.
    Skip(i64),
    /// The answers are divided into windows of `limit`; the one with this answer is read. The first one if the reader does not read the answer.
    With(PostId),
}

/// The answers to a question that the viewer may read, oldest first.
pub async fn answers(kurso: &Kurso, viewer: &Viewer, id: DiscussionId, window: AnswersWindow) -> Result<Listed<Post>> {
    let (Participant { reader, .. }, _) = stored::participant_by(kurso, viewer, id).await?;
    let mut found = answers_of(kurso, (reader, window), &[id]).await?;
    Ok(found.remove(&id).unwrap_or(Listed { data: vec![], count: 0 }))
}

/// As [`answers`], of discussions that the person may read now, for each that has any. At most three statements.
pub async fn answers_of(
    kurso: &Kurso,
    (reader, window): (Reader, AnswersWindow),
    ids: &[DiscussionId],
) -> Result<HashMap<DiscussionId, Listed<Post>>> {
    let limit = window.limit.clamp(0, MAX_SHOWN_ANSWERS);
    // The discussion of the answer that is looked for has its own window.
    let (own, own_skip, skip) = match window.from {
        AnswersFrom::Skip(skip) => (None, 0, skip),
        AnswersFrom::With(post) => {
            let place = place(kurso, &reader, post).await?;
            let (own, earlier) = place.map_or((None, 0), |(own, earlier)| (Some(own), earlier));
            (own, earlier - earlier % limit.max(1), 0)
        }
    };
    let numbered = sql!(
        "WITH numbered AS (SELECT a.id, COUNT(*) OVER (PARTITION BY a.discussion_id) AS whole,
           ROW_NUMBER() OVER (PARTITION BY a.discussion_id ORDER BY a.id) AS number,
           CASE WHEN a.discussion_id = $2 THEN $3 ELSE $4 END AS skip
         FROM discussion_posts a WHERE NOT a.is_opening AND (a.hidden_at IS NULL OR $5 OR a.author_id = $1) AND a.discussion_id IN ",
        reader.user,
        own,
        own_skip,
        skip,
        reader.is_staff()
    );
    // A window beyond the end has no row with the total count, so it is read from the first row.
    let rows = numbered
        .push_in(ids.iter().copied())
        .push(concat!(
            ") SELECT n.whole, n.skip, ",
            columns!("n.number"),
            " FROM numbered n JOIN discussion_posts r ON r.id = n.id ",
            people!(),
            " WHERE n.number = 1 OR (n.number > n.skip AND n.number <= n.skip + "
        ))
        .push_bind(limit)
        .push(") ORDER BY n.number")
        .fetch_all::<AnswerRow>(&kurso.db)
        .await?;
    let mut reports = reports(kurso, &reader, rows.iter().map(|row| row.post.id)).await?;
    let mut found: HashMap<DiscussionId, Listed<Post>> = HashMap::new();
    for AnswerRow { post, whole, skip } in rows {
        let listed = found.entry(post.discussion_id).or_insert_with(|| Listed {
            data: vec![],
            count: whole,
        });
        if post.number > skip && post.number <= skip.saturating_add(limit) {
            let reports = reports.remove(&post.id).unwrap_or_default();
            listed.data.push(post.post(&reader, reports)?);
        }
    }
    Ok(found)
}

/// The discussion of an answer, and how many earlier answers the reader reads there. None if the reader does not read the answer.
async fn place(kurso: &Kurso, reader: &Reader, post: PostId) -> Result<Option<(DiscussionId, i64)>> {
    let place = sql!(
        "SELECT a.discussion_id, (SELECT COUNT(*) FROM discussion_posts b WHERE b.discussion_id = a.discussion_id AND NOT b.is_opening
             AND b.id < a.id AND (b.hidden_at IS NULL OR $3 OR b.author_id = $2))
         FROM discussion_posts a WHERE a.id = $1 AND NOT a.is_opening AND (a.hidden_at IS NULL OR $3 OR a.author_id = $2)",
        post,
        reader.user,
        reader.is_staff()
    );
    Ok(place.fetch_optional(&kurso.db).await?)
}

/// The questions of discussions that the reader may read. At most two statements.
pub(super) async fn questions(
    kurso: &Kurso,
    reader: &Reader,
    ids: &[DiscussionId],
) -> Result<HashMap<DiscussionId, Post>> {
    let rows = sql!(
        concat!(
            "SELECT ",
            columns!("CAST(0 AS BIGINT)"),
            " FROM discussion_posts r ",
            people!(),
            " WHERE r.is_opening AND r.discussion_id IN "
        ),
        reader.user
    );
    let rows = rows
        .push_in(ids.iter().copied())
        .fetch_all::<PostRow>(&kurso.db)
        .await?;
    let mut reports = reports(kurso, reader, rows.iter().map(|row| row.id)).await?;
    let questions = rows.into_iter().map(|row| {
        let reports = reports.remove(&row.id).unwrap_or_default();
        Ok((row.discussion_id, row.post(reader, reports)?))
    });
    questions.collect()
}

/// A post after a change, with its discussion. Fails with 404 if it is gone.
pub(super) async fn changed(
    kurso: &Kurso,
    reader: &Reader,
    (discussion, id): (DiscussionId, PostId),
) -> Result<ChangedPost> {
    let discussion = list::one(kurso, reader, discussion).await?;
    if discussion.question.id == id {
        let post = discussion.question.clone();
        return Ok(ChangedPost { discussion, post });
    }
    let window = AnswersWindow {
        limit: 1,
        from: AnswersFrom::With(id),
    };
    let answers = answers_of(kurso, (*reader, window), &[discussion.id]).await?;
    let post = answers.into_values().flat_map(|answers| answers.data);
    let post = post.into_iter().find(|post| post.id == id);
    let post = post.ok_or(Error::NotFound(Message::PostNotFound))?;
    Ok(ChangedPost { discussion, post })
}

/// The reports of posts that nobody has settled, for those who settle them.
async fn reports(
    kurso: &Kurso,
    reader: &Reader,
    posts: impl ExactSizeIterator<Item = PostId>,
) -> Result<HashMap<PostId, Vec<Report>>> {
    if !reader.is_moderator() || posts.len() == 0 {
        return Ok(HashMap::new());
    }
    let rows = sql!(
        "SELECT e.post_id, u.id, u.full_name, e.reason, e.reported_at FROM discussion_reports e JOIN users u ON u.id = e.user_id
         WHERE e.settled_at IS NULL AND e.post_id IN "
    )
    .push_in(posts)
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
    number: i64,
    useful_count: i64,
    is_useful: bool,
}

#[derive(sqlx::FromRow)]
struct AnswerRow {
    #[sqlx(flatten)]
    post: PostRow,
    whole: i64,
    skip: i64,
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
            number: self.number,
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
