//! Author comments on pages.

use std::pin::Pin;

use async_graphql::{Context, ID, InputObject, MaybeUndefined, Object, Result, SimpleObject};
use kurso_base::error::Error;
use kurso_base::ids::{CommentId, PageId, ThreadId};
use kurso_base::messages::Message;
use kurso_base::values::{CommentText, PageVersion};
use kurso_core::access::Right;
use kurso_core::comments::{self, StartThread, Thread};
use kurso_core::learning::view::CourseView;

use crate::context::{self, kurso, viewer};
use crate::error::wrap;
use crate::input::{Fields, command};
use crate::types::{CommentThread, Document, Page, View};

#[derive(Default)]
pub struct CommentsMutation;

/// A new thread with its first comment.
#[derive(InputObject)]
pub struct StartThreadInput {
    /// ID of the page.
    page_id: ID,
    /// Plain text, 1 to 5000 characters. `@[Name](user:UUID)` mentions one of `Course.commenters`, who gets a mail.
    text: String,
    /// The version of the text in which `block` is an index: that of the draft or of the page.
    version: Option<i32>,
    /// Index of a top-level block; without it, the thread is about the whole page.
    block: Option<i32>,
    /// The selected words, at most 300 characters; by default the beginning of the block.
    quote: Option<String>,
    /// A suggested change: a list of at most 100 top-level blocks in place of the block, at most 100 KB. Empty: the block is to be deleted. It may
    /// have only files that the page has already.
    suggestion: MaybeUndefined<Document>,
}

/// A new comment.
#[derive(InputObject)]
pub struct AddCommentInput {
    /// ID of the `CommentThread`.
    thread_id: ID,
    /// As in `startThread`.
    text: String,
}

/// The new text of a comment.
#[derive(InputObject)]
pub struct EditCommentInput {
    /// ID of the `PageComment`.
    comment_id: ID,
    /// As in `startThread`.
    text: String,
}

/// A comment to delete.
#[derive(InputObject)]
pub struct DeleteCommentInput {
    /// ID of the `PageComment`.
    comment_id: ID,
}

/// A thread.
#[derive(InputObject)]
pub struct ThreadInput {
    /// ID of the `CommentThread`.
    thread_id: ID,
}

/// A suggestion to accept.
#[derive(InputObject)]
pub struct AcceptSuggestionInput {
    /// ID of the `CommentThread`.
    thread_id: ID,
    /// The version of the text that editors see, as it was shown: that of the draft if there is one, else of the page.
    version: i32,
}

/// What was read.
#[derive(InputObject)]
pub struct MarkThreadReadInput {
    /// ID of the `CommentThread`.
    thread_id: ID,
    /// The newest comment that was shown.
    comment_id: ID,
}

/// The thread was changed.
#[derive(SimpleObject)]
pub struct ThreadPayload {
    /// The thread.
    thread: CommentThread,
    /// Its page.
    page: Page,
}

/// The comment was deleted.
#[derive(SimpleObject)]
pub struct DeleteCommentPayload {
    /// The thread; null if that was its last comment, which deletes it.
    thread: Option<CommentThread>,
    /// The page.
    page: Page,
}

#[Object]
impl CommentsMutation {
    /// Starts a thread of comments on a page. Learners never see it. CONFLICT if the page has 500 open threads. Owner, editors, teachers and
    /// reviewers.
    async fn start_thread(&self, ctx: &Context<'_>, input: StartThreadInput) -> Result<ThreadPayload> {
        let viewer = viewer(ctx)?;
        let page: PageId = context::id(ctx, "page_id", &input.page_id)?;
        let new = command!(
            ctx,
            StartThread {
                text: required(input.text),
                version: optional(input.version),
                block: optional(input.block),
                quote: optional(input.quote),
                suggestion: optional(input.suggestion.take()),
            }
        );
        let started = comments::start(kurso(ctx), viewer, page, new);
        payload(ctx, Box::pin(started)).await
    }

    /// Adds a comment to a thread. CONFLICT if it has 200. Owner, editors, teachers and reviewers.
    async fn add_comment(&self, ctx: &Context<'_>, input: AddCommentInput) -> Result<ThreadPayload> {
        let viewer = viewer(ctx)?;
        let id: ThreadId = context::id(ctx, "thread_id", &input.thread_id)?;
        let text = text(ctx, input.text)?;
        payload(ctx, Box::pin(comments::add(kurso(ctx), viewer, id, text))).await
    }

    /// Changes the text of a comment. Its author only.
    async fn edit_comment(&self, ctx: &Context<'_>, input: EditCommentInput) -> Result<ThreadPayload> {
        let viewer = viewer(ctx)?;
        let id: CommentId = context::id(ctx, "comment_id", &input.comment_id)?;
        let text = text(ctx, input.text)?;
        payload(ctx, Box::pin(comments::edit(kurso(ctx), viewer, id, text))).await
    }

    /// Deletes a comment; the last one of a thread deletes the thread. Its author, the owner and editors.
    async fn delete_comment(&self, ctx: &Context<'_>, input: DeleteCommentInput) -> Result<DeleteCommentPayload> {
        let viewer = viewer(ctx)?;
        let id: CommentId = context::id(ctx, "comment_id", &input.comment_id)?;
        let deleted = Box::pin(comments::delete(kurso(ctx), viewer, id)).await;
        let (page, thread) = deleted.map_err(wrap(ctx))?;
        let (view, index) = Box::pin(view(ctx, page)).await?;
        Ok(DeleteCommentPayload {
            thread: thread.and_then(|thread| CommentThread::of(thread, &view)),
            page: Page::at(&view, index),
        })
    }

    /// Resolves a thread. Owner, editors, and the user who started it.
    async fn resolve_thread(&self, ctx: &Context<'_>, input: ThreadInput) -> Result<ThreadPayload> {
        let viewer = viewer(ctx)?;
        let id: ThreadId = context::id(ctx, "thread_id", &input.thread_id)?;
        payload(ctx, Box::pin(comments::resolve(kurso(ctx), viewer, id))).await
    }

    /// Reopens a thread. CONFLICT if the page has 500 open threads. Owner, editors, and the user who started it.
    async fn reopen_thread(&self, ctx: &Context<'_>, input: ThreadInput) -> Result<ThreadPayload> {
        let viewer = viewer(ctx)?;
        let id: ThreadId = context::id(ctx, "thread_id", &input.thread_id)?;
        payload(ctx, Box::pin(comments::reopen(kurso(ctx), viewer, id))).await
    }

    /// Makes a suggested change in the text that editors see: in the draft of a published page, which learners do not see yet, or in an unpublished
    /// page. Resolves the thread. CONFLICT if the text has another version, if the block has changed since the suggestion, and if the suggestion was
    /// decided. Owner and editors.
    async fn accept_suggestion(&self, ctx: &Context<'_>, input: AcceptSuggestionInput) -> Result<ThreadPayload> {
        let viewer = viewer(ctx)?;
        let id: ThreadId = context::id(ctx, "thread_id", &input.thread_id)?;
        let mut fields = Fields::default();
        let version = fields.required::<PageVersion>("version", input.version);
        let version = fields.finish(version).map_err(wrap(ctx))?;
        payload(ctx, Box::pin(comments::accept(kurso(ctx), viewer, id, version))).await
    }

    /// Rejects a suggested change, and resolves the thread. CONFLICT if it was decided. Owner and editors.
    async fn reject_suggestion(&self, ctx: &Context<'_>, input: ThreadInput) -> Result<ThreadPayload> {
        let viewer = viewer(ctx)?;
        let id: ThreadId = context::id(ctx, "thread_id", &input.thread_id)?;
        payload(ctx, Box::pin(comments::reject(kurso(ctx), viewer, id))).await
    }

    /// Notes that the caller has read a thread up to a comment. Owner, editors, teachers and reviewers.
    async fn mark_thread_read(&self, ctx: &Context<'_>, input: MarkThreadReadInput) -> Result<ThreadPayload> {
        let viewer = viewer(ctx)?;
        let id: ThreadId = context::id(ctx, "thread_id", &input.thread_id)?;
        let comment: CommentId = context::id(ctx, "comment_id", &input.comment_id)?;
        payload(ctx, Box::pin(comments::mark_read(kurso(ctx), viewer, id, comment))).await
    }
}

fn text(ctx: &Context<'_>, text: String) -> Result<CommentText> {
    let mut fields = Fields::default();
    let text = fields.required("text", text);
    fields.finish(text).map_err(wrap(ctx))
}

async fn view(ctx: &Context<'_>, page: PageId) -> Result<(View, usize)> {
    let found = CourseView::load_by_page(kurso(ctx), viewer(ctx)?, page, Right::Read).await;
    let (view, index) = found.map_err(wrap(ctx))?;
    Ok((View::new(view), index))
}

/// A change of a thread. Boxed: its state is large, and every level of the merged mutations would have room for it on the stack.
type Changing<'a> = Pin<Box<dyn Future<Output = std::result::Result<Thread, Error>> + Send + 'a>>;

async fn payload(ctx: &Context<'_>, changing: Changing<'_>) -> Result<ThreadPayload> {
    let thread = changing.await.map_err(wrap(ctx))?;
    let (view, index) = Box::pin(view(ctx, thread.page_id)).await?;
    let page = Page::at(&view, index);
    let thread = CommentThread::of(thread, &view);
    let thread = thread.ok_or_else(|| wrap(ctx)(Error::NotFound(Message::ThreadNotFound)))?;
    Ok(ThreadPayload { thread, page })
}
