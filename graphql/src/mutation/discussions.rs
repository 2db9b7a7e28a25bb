//! Questions under pages.

use std::pin::Pin;

use async_graphql::{Context, Enum, ID, InputObject, MaybeUndefined, Object, Result, SimpleObject};
use kurso_base::error::Error;
use kurso_base::ids::{CourseId, DiscussionId, PageId, PostId};
use kurso_base::messages::Message;
use kurso_core::access::Right;
use kurso_core::courses;
use kurso_core::discussions::{
    self, ChangeDiscussion, ChangedPost, Moderate, Moderation, NoteDiscussion, PostEdit, PostMark, PostReport, Reply,
    SetDiscussions, SetPageDiscussions, StartDiscussion,
};
use kurso_core::learning::view::CourseView;

use crate::context::{self, kurso, viewer};
use crate::error::wrap;
use crate::input::command;
use crate::types::{Course, Discussion, DiscussionPost, Document, Page, View};

#[derive(Default)]
pub struct DiscussionsMutation;

/// A question.
#[derive(InputObject)]
pub struct StartDiscussionInput {
    /// ID of the page.
    page_id: ID,
    /// A document of paragraphs, lists, quotes, code, formulas and at most 5 pictures that the caller has uploaded; at most 10,000 characters of
    /// text. Of learners, at most 5 links, and no word that the course forbids.
    body: Document,
    /// The version of the page's text in which `block` is an index.
    version: Option<i32>,
    /// Index of a top-level block; without it, the question is about the whole page.
    block: Option<i32>,
    /// The selected words, at most 300 characters; by default the beginning of the block.
    quote: Option<String>,
    /// True: only the owner and teachers read it. Default: false.
    to_teachers: MaybeUndefined<bool>,
    /// True: fellow learners and editors are not told who asks. The course must allow it. Default: false.
    is_anonymous: MaybeUndefined<bool>,
}

/// An answer.
#[derive(InputObject)]
pub struct ReplyDiscussionInput {
    /// ID of the `Discussion`.
    discussion_id: ID,
    /// As in `startDiscussion`.
    body: Document,
    /// As in `startDiscussion`. Who asked anonymously stays anonymous in the discussion.
    is_anonymous: MaybeUndefined<bool>,
}

/// The new text of a question or an answer.
#[derive(InputObject)]
pub struct EditPostInput {
    /// ID of the `DiscussionPost`.
    post_id: ID,
    /// As in `startDiscussion`.
    body: Document,
}

/// A question or an answer to delete.
#[derive(InputObject)]
pub struct DeletePostInput {
    /// ID of the `DiscussionPost`.
    post_id: ID,
}

/// What becomes of a discussion. Fields that are left out stay as they are.
#[derive(InputObject)]
pub struct ChangeDiscussionInput {
    /// ID of the `Discussion`.
    discussion_id: ID,
    /// Reopening takes back the accepted answer. The asker and the staff.
    is_resolved: MaybeUndefined<bool>,
    /// ID of the answer that solved it, which also resolves it. The asker and the staff.
    accepted_post_id: MaybeUndefined<ID>,
    /// Owner and teachers.
    is_pinned: MaybeUndefined<bool>,
    /// Learners write no more in a locked one. Owner and teachers.
    is_locked: MaybeUndefined<bool>,
    /// ID of another page of the course to move it to; it is then about the whole page. Owner and teachers.
    page_id: MaybeUndefined<ID>,
}

/// What the caller notes of a discussion. Fields that are left out stay as they are.
#[derive(InputObject)]
pub struct NoteDiscussionInput {
    /// ID of the `Discussion`.
    discussion_id: ID,
    /// ID of the newest question or answer that was shown.
    read_post_id: MaybeUndefined<ID>,
    /// Whether the caller gets notices of new answers; by default those do who have written in it.
    follows: MaybeUndefined<bool>,
}

/// Whether the caller finds a question or an answer useful.
#[derive(InputObject)]
pub struct MarkPostInput {
    /// ID of the `DiscussionPost`.
    post_id: ID,
    /// Whether it is useful.
    is_useful: bool,
}

/// A report of a question or an answer.
#[derive(InputObject)]
pub struct ReportPostInput {
    /// ID of the `DiscussionPost`.
    post_id: ID,
    /// Why the staff should look at it: 1 to 500 characters.
    reason: String,
}

/// What is done with a question or an answer. Each settles its reports.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "discussions::Moderation")]
pub enum PostAction {
    /// Only its author and the staff see it any more.
    Hide,
    /// Everybody sees it again.
    Show,
    /// It stays as it is.
    Dismiss,
}

/// A decision on a question or an answer.
#[derive(InputObject)]
pub struct ModeratePostInput {
    /// ID of the `DiscussionPost`.
    post_id: ID,
    /// What is done.
    action: PostAction,
    /// Why it is hidden, for its author and the staff: 1 to 500 characters. Required for HIDE.
    reason: Option<String>,
}

/// Settings of questions under the pages of a course. Fields that are left out stay as they are.
#[derive(InputObject)]
pub struct SetDiscussionsInput {
    /// ID of the course.
    course_id: ID,
    /// Whether learners read and write questions.
    is_on: MaybeUndefined<bool>,
    /// Whether learners may write without their names for fellow learners and editors.
    allows_anonymous: MaybeUndefined<bool>,
    /// Whether new questions of learners are for their group and the staff. Those of learners without a group are then for the staff only.
    is_per_group: MaybeUndefined<bool>,
    /// Words and phrases that learners may not write, at most 100 of 50 characters.
    words: MaybeUndefined<Vec<String>>,
}

/// Whether a page has questions.
#[derive(InputObject)]
pub struct SetPageDiscussionsInput {
    /// ID of the page.
    page_id: ID,
    /// Whether it has.
    is_on: bool,
}

/// The discussion was changed.
#[derive(SimpleObject)]
pub struct DiscussionPayload {
    /// The discussion.
    discussion: Discussion,
    /// Its page.
    page: Page,
}

/// A question or an answer was written or changed.
#[derive(SimpleObject)]
pub struct PostPayload {
    /// The question or the answer.
    post: DiscussionPost,
    /// Its discussion.
    discussion: Discussion,
    /// Its page.
    page: Page,
}

/// The question or the answer was deleted.
#[derive(SimpleObject)]
pub struct DeletePostPayload {
    /// The discussion; null if it was deleted with its question.
    discussion: Option<Discussion>,
    /// The page.
    page: Page,
}

/// The settings were changed.
#[derive(SimpleObject)]
pub struct SetDiscussionsPayload {
    /// The course.
    course: Course,
}

/// Questions were switched on or off.
#[derive(SimpleObject)]
pub struct SetPageDiscussionsPayload {
    /// The page.
    page: Page,
}

#[Object]
impl DiscussionsMutation {
    /// Asks a question under a page. CONFLICT if questions are off there or the page has 1,000 open ones. Owner, editors, teachers, and learners who
    /// may read the page.
    async fn start_discussion(&self, ctx: &Context<'_>, input: StartDiscussionInput) -> Result<DiscussionPayload> {
        let page: PageId = context::id(ctx, "page_id", &input.page_id)?;
        let new = command!(
            ctx,
            StartDiscussion {
                body: required(input.body),
                version: optional(input.version),
                block: optional(input.block),
                quote: optional(input.quote),
                to_teachers: flag(input.to_teachers, false),
                is_anonymous: flag(input.is_anonymous, false),
            }
        );
        payload(ctx, Box::pin(discussions::start(kurso(ctx), viewer(ctx)?, page, new))).await
    }

    /// Answers a question. CONFLICT if it is locked for learners, or has 10,000 answers. For everyone who may read it.
    async fn reply_discussion(&self, ctx: &Context<'_>, input: ReplyDiscussionInput) -> Result<PostPayload> {
        let id: DiscussionId = context::id(ctx, "discussion_id", &input.discussion_id)?;
        let new = command!(
            ctx,
            Reply {
                body: required(input.body),
                is_anonymous: flag(input.is_anonymous, false),
            }
        );
        post_payload(ctx, Box::pin(discussions::reply(kurso(ctx), viewer(ctx)?, id, new))).await
    }

    /// Changes the text of a question or an answer. CONFLICT if it is hidden or deleted, or, for learners, if the discussion is locked. For its author only.
    async fn edit_post(&self, ctx: &Context<'_>, input: EditPostInput) -> Result<PostPayload> {
        let id: PostId = context::id(ctx, "post_id", &input.post_id)?;
        let new = command!(
            ctx,
            PostEdit {
                body: required(input.body),
            }
        );
        post_payload(ctx, Box::pin(discussions::edit(kurso(ctx), viewer(ctx)?, id, new))).await
    }

    /// Deletes a question or an answer. A question that others have answered keeps its place without its text. Its author, the owner and teachers.
    async fn delete_post(&self, ctx: &Context<'_>, input: DeletePostInput) -> Result<DeletePostPayload> {
        let id: PostId = context::id(ctx, "post_id", &input.post_id)?;
        let deleted = Box::pin(discussions::delete(kurso(ctx), viewer(ctx)?, id)).await;
        let (page, discussion) = deleted.map_err(wrap(ctx))?;
        let (view, index) = Box::pin(view(ctx, page)).await?;
        Ok(DeletePostPayload {
            discussion: discussion.and_then(|discussion| Discussion::of(discussion, &view)),
            page: Page::at(&view, index),
        })
    }

    /// Resolves, reopens, pins, locks or moves a discussion. CONFLICT if the page has 1,000 open ones. The fields say who may change what.
    async fn change_discussion(&self, ctx: &Context<'_>, input: ChangeDiscussionInput) -> Result<DiscussionPayload> {
        let id: DiscussionId = context::id(ctx, "discussion_id", &input.discussion_id)?;
        let to = command!(
            ctx,
            ChangeDiscussion {
                is_resolved: given(input.is_resolved),
                accepted_post_id: given(input.accepted_post_id.map_value(|id| id.0)),
                is_pinned: given(input.is_pinned),
                is_locked: given(input.is_locked),
                page_id: given(input.page_id.map_value(|id| id.0)),
            }
        );
        payload(ctx, Box::pin(discussions::change(kurso(ctx), viewer(ctx)?, id, to))).await
    }

    /// Notes what the caller has read of a discussion, and whether the caller follows it. For everyone who may read it.
    async fn note_discussion(&self, ctx: &Context<'_>, input: NoteDiscussionInput) -> Result<DiscussionPayload> {
        let id: DiscussionId = context::id(ctx, "discussion_id", &input.discussion_id)?;
        let note = command!(
            ctx,
            NoteDiscussion {
                read_post_id: given(input.read_post_id.map_value(|id| id.0)),
                follows: given(input.follows),
            }
        );
        payload(ctx, Box::pin(discussions::note(kurso(ctx), viewer(ctx)?, id, note))).await
    }

    /// Marks a question or an answer as useful, once per user, or takes the mark back. For everyone who may read it. CONFLICT for the caller's own posts.
    async fn mark_post(&self, ctx: &Context<'_>, input: MarkPostInput) -> Result<PostPayload> {
        let id: PostId = context::id(ctx, "post_id", &input.post_id)?;
        let mark = PostMark {
            is_useful: input.is_useful,
        };
        post_payload(ctx, Box::pin(discussions::mark(kurso(ctx), viewer(ctx)?, id, mark))).await
    }

    /// Reports a question or an answer to the owner and teachers. A second report by a user replaces the first. For everyone who may read
    /// it. CONFLICT for the caller's own posts.
    async fn report_post(&self, ctx: &Context<'_>, input: ReportPostInput) -> Result<PostPayload> {
        let id: PostId = context::id(ctx, "post_id", &input.post_id)?;
        let report = command!(
            ctx,
            PostReport {
                reason: required(input.reason),
            }
        );
        post_payload(ctx, Box::pin(discussions::report(kurso(ctx), viewer(ctx)?, id, report))).await
    }

    /// Hides a question or an answer, shows it again, or dismisses its reports. Owner and teachers.
    async fn moderate_post(&self, ctx: &Context<'_>, input: ModeratePostInput) -> Result<PostPayload> {
        let id: PostId = context::id(ctx, "post_id", &input.post_id)?;
        let action: Moderation = input.action.into();
        let decision = command!(
            ctx,
            Moderate {
                action: known(action),
                reason: optional(input.reason),
            }
        );
        post_payload(
            ctx,
            Box::pin(discussions::moderate(kurso(ctx), viewer(ctx)?, id, decision)),
        )
        .await
    }

    /// Changes the settings of questions under the pages of a course. Owner and teachers.
    async fn set_discussions(&self, ctx: &Context<'_>, input: SetDiscussionsInput) -> Result<SetDiscussionsPayload> {
        let id: CourseId = context::id(ctx, "course_id", &input.course_id)?;
        let to = command!(
            ctx,
            SetDiscussions {
                is_on: given(input.is_on),
                allows_anonymous: given(input.allows_anonymous),
                is_per_group: given(input.is_per_group),
                words: given(input.words.map_value(serde_json::Value::from)),
            }
        );
        let viewer = viewer(ctx)?;
        Box::pin(discussions::set(kurso(ctx), viewer, id, to))
            .await
            .map_err(wrap(ctx))?;
        let course = courses::find(&kurso(ctx).db, viewer, id, Right::Read).await;
        Ok(SetDiscussionsPayload {
            course: Course::from_row(course.map_err(wrap(ctx))?),
        })
    }

    /// Switches questions on or off under a page. Owner and teachers.
    async fn set_page_discussions(
        &self,
        ctx: &Context<'_>,
        input: SetPageDiscussionsInput,
    ) -> Result<SetPageDiscussionsPayload> {
        let id: PageId = context::id(ctx, "page_id", &input.page_id)?;
        let to = SetPageDiscussions { is_on: input.is_on };
        Box::pin(discussions::set_page(kurso(ctx), viewer(ctx)?, id, to))
            .await
            .map_err(wrap(ctx))?;
        let (view, index) = Box::pin(view(ctx, id)).await?;
        Ok(SetPageDiscussionsPayload {
            page: Page::at(&view, index),
        })
    }
}

async fn view(ctx: &Context<'_>, page: PageId) -> Result<(View, usize)> {
    let found = CourseView::load_by_page(kurso(ctx), viewer(ctx)?, page, Right::Read).await;
    let (view, index) = found.map_err(wrap(ctx))?;
    Ok((View::new(view), index))
}

/// A change of a discussion. Boxed: its state is large, and every level of the merged mutations would have room for it on the stack.
type Changing<'a> = Pin<Box<dyn Future<Output = std::result::Result<discussions::Discussion, Error>> + Send + 'a>>;

async fn payload(ctx: &Context<'_>, changing: Changing<'_>) -> Result<DiscussionPayload> {
    let discussion = changing.await.map_err(wrap(ctx))?;
    shown(ctx, discussion).await
}

/// As [`Changing`], of a post.
type ChangingPost<'a> = Pin<Box<dyn Future<Output = std::result::Result<discussions::ChangedPost, Error>> + Send + 'a>>;

async fn post_payload(ctx: &Context<'_>, changing: ChangingPost<'_>) -> Result<PostPayload> {
    let ChangedPost { discussion, post } = changing.await.map_err(wrap(ctx))?;
    let DiscussionPayload { discussion, page } = shown(ctx, discussion).await?;
    Ok(PostPayload {
        post: DiscussionPost(post),
        discussion,
        page,
    })
}

async fn shown(ctx: &Context<'_>, discussion: discussions::Discussion) -> Result<DiscussionPayload> {
    let (view, index) = Box::pin(view(ctx, discussion.page_id)).await?;
    let page = Page::at(&view, index);
    let discussion = Discussion::of(discussion, &view);
    let discussion = discussion.ok_or_else(|| wrap(ctx)(Error::NotFound(Message::DiscussionNotFound)))?;
    Ok(DiscussionPayload { discussion, page })
}
