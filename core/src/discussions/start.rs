//! Asks and answers.

use chrono::{DateTime, Utc};
use kurso_base::error::{Error, Result};
use kurso_base::ids::{CourseId, DiscussionId, FileId, PageId, PostId};
use kurso_base::messages::Message;
use kurso_base::values::{BlockIndex, CommentQuote, PageVersion};
use kurso_db::{Tx, sql};
use kurso_formats::content::PostBody;

use super::reader::{Audience, Reader, Standing};
use super::stored::{self, Participant, Stored};
use super::{ChangedPost, Discussion, MAX_ANSWERS, MAX_LINKS, MAX_OPEN, list, notify, posts, settings};
use crate::Kurso;
use crate::access::Viewer;
use crate::auth::limits;
use crate::comments::start::{Target, chosen_block, refused, require_read};
use crate::courses::page::references::References;
use crate::courses::{self, Scope};

/// A question.
#[derive(Clone, Debug)]
#[cfg_attr(any(test, feature = "testing"), derive(serde::Deserialize))]
pub struct StartDiscussion {
    pub body: PostBody,
    /// The version of the text in which `block` is an index.
    pub version: Option<PageVersion>,
    /// The block that it is about; None: the whole page.
    pub block: Option<BlockIndex>,
    /// The selected words; without them, the beginning of the block.
    pub quote: Option<CommentQuote>,
    /// Whether only the owner and teachers may read it.
    #[cfg_attr(any(test, feature = "testing"), serde(default))]
    pub to_teachers: bool,
    /// Whether fellow learners and editors are not told who asks.
    #[cfg_attr(any(test, feature = "testing"), serde(default))]
    pub is_anonymous: bool,
}

/// An answer.
#[derive(Clone, Debug)]
#[cfg_attr(any(test, feature = "testing"), derive(serde::Deserialize))]
pub struct Reply {
    pub body: PostBody,
    /// As in [`StartDiscussion`]. An anonymous asker stays anonymous in the discussion.
    #[cfg_attr(any(test, feature = "testing"), serde(default))]
    pub is_anonymous: bool,
}

/// A post to store.
struct NewPost<'a> {
    id: PostId,
    body: &'a PostBody,
    is_opening: bool,
    by_asker: bool,
    is_anonymous: bool,
}

/// Asks a question under a page. Fails with 409 if questions are off there, if the page has [`MAX_OPEN`] open ones, or if the history has the
/// version no longer; with 422 for a body that the course does not take, and with 429 if a learner writes too much.
pub async fn start(kurso: &Kurso, viewer: &Viewer, page: PageId, new: StartDiscussion) -> Result<Discussion> {
    viewer.require_account()?;
    let Participant { course, reader } = stored::participant_at(kurso, viewer, page).await?;
    let mut tx = courses::begin(&kurso.db, course.id, Scope::Unchanged).await?;
    let now = kurso.clock.now();
    let rules = settings::rules(&mut tx, page).await?;
    if !rules.is_on {
        return Err(Error::Conflict(Message::DiscussionsOff));
    }
    require_room(&mut tx, page).await?;
    if new.is_anonymous && !rules.allows_anonymous {
        return Err(refused("is_anonymous", Message::AnonymousNotAllowed));
    }
    let target = Target {
        version: new.version,
        block: new.block,
        quote: new.quote.as_ref(),
    };
    if let Some(version) = target.version.filter(|_| target.block.is_some() && !reader.is_staff()) {
        require_read(&mut tx, viewer, page, version).await?;
    }
    let mut chosen = chosen_block(&mut tx, &course, page, target).await?;
    if let Some(chosen) = chosen.as_mut().filter(|_| !reader.is_staff()) {
        chosen.quote_only_the_block();
    }
    check(&mut tx, viewer, &reader, course.id, &new.body, None).await?;
    let (audience, group) = match reader.standing {
        _ if new.to_teachers => (Audience::Teachers, None),
        Standing::Learner { group } if rules.is_per_group => (Audience::Group, group),
        _ => (Audience::Course, None),
    };
    let id = DiscussionId::new();
    sql!(
        "INSERT INTO discussions (id, page_id, audience, group_id, created_at, active_at, reply_count, block, quote, block_text)
         VALUES ($1, $2, $3, $4, $5, $5, 0, $6, $7, $8)",
        id,
        page,
        audience,
        group,
        now,
        chosen.as_ref().map(|chosen| chosen.block),
        chosen.as_ref().map(|chosen| chosen.quote.clone()),
        chosen.as_ref().map(|chosen| chosen.block_text())
    )
    .execute(&mut tx)
    .await?;
    let post = NewPost {
        id: PostId::new(),
        body: &new.body,
        is_opening: true,
        by_asker: true,
        is_anonymous: new.is_anonymous && !reader.is_staff(),
    };
    insert(&mut tx, id, &reader, &post, now).await?;
    let stored = stored::reload(&mut tx, &reader, id).await?;
    notify::asked(&mut tx, course.id, &stored, (&reader, now)).await?;
    count(kurso, &reader, now)?;
    stored::publish(&mut tx, course.id, &stored, viewer.id(), now);
    tx.commit().await?;
    list::one(kurso, &reader, id).await
}

/// Answers a question. Fails as [`start`] does, and with 409 for a learner if the discussion is locked, and if it has [`MAX_ANSWERS`].
pub async fn reply(kurso: &Kurso, viewer: &Viewer, id: DiscussionId, new: Reply) -> Result<ChangedPost> {
    viewer.require_account()?;
    let (Participant { course, reader }, _) = stored::participant_by(kurso, viewer, id).await?;
    let mut tx = courses::begin(&kurso.db, course.id, Scope::Unchanged).await?;
    let now = kurso.clock.now();
    let stored = stored::reload(&mut tx, &reader, id).await?;
    require_open(&reader, &stored)?;
    let answers = sql!(
        "SELECT COUNT(*) FROM discussion_posts WHERE discussion_id = $1 AND NOT is_opening",
        id
    );
    let (answers,) = answers.fetch_one::<(i64,)>(&mut tx).await?;
    if answers >= MAX_ANSWERS {
        return Err(Error::Conflict(Message::TooManyPosts(MAX_ANSWERS)));
    }
    let is_asker = stored.asker_id == Some(viewer.id());
    let stays_anonymous = is_asker && stored.is_opening_anonymous;
    if new.is_anonymous && is_asker && !stays_anonymous {
        // Everybody reads that the asker wrote it, and who that is.
        return Err(refused("is_anonymous", Message::AskedWithName));
    }
    if new.is_anonymous && !stays_anonymous && !settings::rules(&mut tx, stored.page_id).await?.allows_anonymous {
        return Err(refused("is_anonymous", Message::AnonymousNotAllowed));
    }
    check(&mut tx, viewer, &reader, course.id, &new.body, None).await?;
    let post = NewPost {
        id: PostId::new(),
        body: &new.body,
        is_opening: false,
        // An anonymous asker who has joined the staff answers by name, and stays unknown as the asker.
        by_asker: is_asker && !(stays_anonymous && reader.is_staff()),
        is_anonymous: (new.is_anonymous || stays_anonymous) && !reader.is_staff(),
    };
    insert(&mut tx, id, &reader, &post, now).await?;
    notify::answered(
        &mut tx,
        course.id,
        (&stored, post.id),
        (&reader, post.is_anonymous),
        now,
    )
    .await?;
    count(kurso, &reader, now)?;
    stored::publish(&mut tx, course.id, &stored, viewer.id(), now);
    tx.commit().await?;
    posts::changed(kurso, &reader, (id, post.id)).await
}

/// Fails with 409 for a learner if the discussion takes no posts of learners.
pub(super) fn require_open(reader: &Reader, stored: &Stored) -> Result<()> {
    match reader.is_staff() || !stored.is_locked {
        true => Ok(()),
        false => Err(Error::Conflict(Message::DiscussionLocked)),
    }
}

/// Fails with 409 if the page has [`MAX_OPEN`] open discussions. The caller has locked the course.
pub(super) async fn require_room(tx: &mut Tx, page: PageId) -> Result<()> {
    let open = sql!(
        "SELECT COUNT(*) FROM discussions WHERE page_id = $1 AND resolved_at IS NULL",
        page
    );
    let (open,) = open.fetch_one::<(i64,)>(tx).await?;
    match open < MAX_OPEN {
        true => Ok(()),
        false => Err(Error::Conflict(Message::TooManyDiscussions(MAX_OPEN))),
    }
}

/// Counts a post of a learner. Fails with 429 if there were too many.
pub(super) fn count(kurso: &Kurso, reader: &Reader, now: DateTime<Utc>) -> Result<()> {
    match reader.is_staff() {
        true => Ok(()),
        false => kurso.limits.acquire(&limits::posts(reader.user), now),
    }
}

async fn insert(
    tx: &mut Tx,
    discussion: DiscussionId,
    reader: &Reader,
    post: &NewPost<'_>,
    now: DateTime<Utc>,
) -> Result<()> {
    sql!(
        "INSERT INTO discussion_posts (id, discussion_id, author_id, is_opening, by_asker, by_staff, is_anonymous, body, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        post.id,
        discussion,
        reader.user,
        post.is_opening,
        post.by_asker,
        reader.is_staff(),
        post.is_anonymous,
        post.body.as_json().to_string(),
        now
    )
    .execute(&mut *tx)
    .await?;
    keep_files(tx, post.id, post.body).await?;
    Ok(stored::renew(tx, [discussion]).await?)
}

/// Keeps the pictures of a post, and no others.
pub(super) async fn keep_files(tx: &mut Tx, post: PostId, body: &PostBody) -> Result<()> {
    sql!("DELETE FROM discussion_files WHERE post_id = $1", post)
        .execute(&mut *tx)
        .await?;
    let references = References::of_values([("body", body.as_json())]);
    let files = sql!("SELECT id FROM files WHERE key IN ").push_in(references.file_keys());
    let files = files.fetch_all::<(FileId,)>(&mut *tx).await?;
    if !files.is_empty() {
        sql!("INSERT INTO discussion_files (post_id, file_id) VALUES ")
            .push_values(files, |sql, (file,)| sql.push_bind(post).push(", ").push_bind(file))
            .execute(tx)
            .await?;
    }
    Ok(())
}

/// Fails with 422 if a post has a file that the author may not use, links to a page of another course, or, for learners, too many links or a
/// word that the course forbids. What the earlier text has may stay.
pub(super) async fn check(
    tx: &mut Tx,
    viewer: &Viewer,
    reader: &Reader,
    course: CourseId,
    body: &PostBody,
    earlier: Option<&str>,
) -> Result<()> {
    let references = References::of_values([("body", body.as_json())]);
    let earlier = earlier.map(|text| (text, None));
    references.check(&mut *tx, viewer, course, earlier).await?;
    if reader.is_staff() {
        return Ok(());
    }
    if body.links() > MAX_LINKS {
        return Err(refused("body", Message::TooManyLinks(MAX_LINKS)));
    }
    let words = settings::words(tx, course).await?;
    match body.forbidden(&words) {
        Some(word) => Err(refused("body", Message::ForbiddenWord(word.to_owned()))),
        None => Ok(()),
    }
}
