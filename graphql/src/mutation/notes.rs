//! Notes, bookmarks and ticks of the caller.

use async_graphql::{Context, ID, InputObject, MaybeUndefined, Object, Result, SimpleObject};
use kurso_base::ids::{NoteId, PageId};
use kurso_core::notes::{self, CreateNote, NoteColor as Color, SetBookmark, TickTask, UpdateNote};

use crate::context::{self, kurso, viewer};
use crate::error::wrap;
use crate::input::command;
use crate::types::{Note, NoteColor, Page, id_of};

#[derive(Default)]
pub struct NotesMutation;

/// A note or a highlight.
#[derive(InputObject)]
pub struct CreateNoteInput {
    /// ID of the page.
    page_id: ID,
    /// Color of the highlight.
    color: NoteColor,
    /// Plain text, at most 5,000 characters; empty for a highlight alone.
    body: String,
    /// The version of the page's text in which `block` is an index: the published one, or that which the caller has read last. Required with `block`.
    version: Option<i32>,
    /// Index of the top-level block with the words; without it, the note is about the whole page.
    block: Option<i32>,
    /// The words, within the block, at most 1,000 characters. Required with `block`.
    quote: Option<String>,
    /// Where the words begin in the text of the block, in code points; see docs/content-model.md. Without it, the block must have the words once.
    start: Option<i32>,
}

/// A change of a note. Fields that are left out stay as they are.
#[derive(InputObject)]
pub struct UpdateNoteInput {
    /// ID of the note.
    note_id: ID,
    /// The version of the note that was read.
    version: i32,
    /// Color of the highlight.
    color: MaybeUndefined<NoteColor>,
    /// Plain text, at most 5,000 characters.
    body: MaybeUndefined<String>,
}

/// A note to delete.
#[derive(InputObject)]
pub struct DeleteNoteInput {
    /// ID of the note.
    note_id: ID,
}

/// Whether the caller has a bookmark at a page.
#[derive(InputObject)]
pub struct SetBookmarkInput {
    /// ID of the page.
    page_id: ID,
    /// Whether there is one.
    is_bookmarked: bool,
}

/// Whether the caller has ticked a task.
#[derive(InputObject)]
pub struct TickTaskInput {
    /// ID of the page.
    page_id: ID,
    /// The version of the page's text in which `task` is an index.
    version: i32,
    /// Index among the items of all task lists of the page, in reading order.
    task: i32,
    /// Whether it is ticked.
    is_ticked: bool,
}

/// The note was created.
#[derive(SimpleObject)]
pub struct CreateNotePayload {
    /// The note.
    note: Note,
    /// Its page.
    page: Page,
}

/// The note was changed.
#[derive(SimpleObject)]
pub struct UpdateNotePayload {
    /// The note.
    note: Note,
}

/// The note was deleted.
#[derive(SimpleObject)]
pub struct DeleteNotePayload {
    /// ID of the deleted note.
    note_id: ID,
    /// ID of its page.
    page_id: ID,
}

/// The bookmark or the tick was set or removed.
#[derive(SimpleObject)]
pub struct KeptPayload {
    /// The page.
    page: Page,
}

#[Object]
impl NotesMutation {
    /// Notes or highlights words of a page, or the page. CONFLICT if the caller has 200 notes on the page or 2,000 in the course, or the version is not one
    /// that the caller has read. For everyone who may read the page.
    async fn create_note(&self, ctx: &Context<'_>, input: CreateNoteInput) -> Result<CreateNotePayload> {
        let page: PageId = context::id(ctx, "page_id", &input.page_id)?;
        let color: Color = input.color.into();
        let new = command!(
            ctx,
            CreateNote {
                color: known(color),
                body: required(input.body),
                version: optional(input.version),
                block: optional(input.block),
                quote: optional(input.quote),
                start: optional(input.start),
            }
        );
        let note = Box::pin(notes::create(kurso(ctx), viewer(ctx)?, page, new)).await;
        let note = note.map_err(wrap(ctx))?;
        let page = Box::pin(Page::load(ctx, page)).await?;
        Ok(CreateNotePayload {
            note: Note::of(note, Some(page.clone())),
            page,
        })
    }

    /// Changes a note. CONFLICT if it has changed since. Only its author, also when they may no longer read the page.
    async fn update_note(&self, ctx: &Context<'_>, input: UpdateNoteInput) -> Result<UpdateNotePayload> {
        let id: NoteId = context::id(ctx, "note_id", &input.note_id)?;
        let to = command!(
            ctx,
            UpdateNote {
                version: required(input.version),
                color: given(input.color.map_value(|color| Color::from(color).name().to_owned())),
                body: given(input.body),
            }
        );
        let note = Box::pin(notes::update(kurso(ctx), viewer(ctx)?, id, to)).await;
        let note = note.map_err(wrap(ctx))?;
        let page = Box::pin(Page::load_unless_gone(ctx, note.page_id)).await?;
        Ok(UpdateNotePayload {
            note: Note::of(note, page),
        })
    }

    /// Deletes a note. Only its author.
    async fn delete_note(&self, ctx: &Context<'_>, input: DeleteNoteInput) -> Result<DeleteNotePayload> {
        let id: NoteId = context::id(ctx, "note_id", &input.note_id)?;
        let page = Box::pin(notes::delete(kurso(ctx), viewer(ctx)?, id)).await;
        Ok(DeleteNotePayload {
            note_id: id_of(id),
            page_id: id_of(page.map_err(wrap(ctx))?),
        })
    }

    /// Sets or removes the caller's bookmark at a page. CONFLICT if the caller has 500 in the course. For everyone who sees the page.
    async fn set_bookmark(&self, ctx: &Context<'_>, input: SetBookmarkInput) -> Result<KeptPayload> {
        let page: PageId = context::id(ctx, "page_id", &input.page_id)?;
        let set = SetBookmark {
            is_bookmarked: input.is_bookmarked,
        };
        let set = Box::pin(notes::set_bookmark(kurso(ctx), viewer(ctx)?, page, set)).await;
        set.map_err(wrap(ctx))?;
        Ok(KeptPayload {
            page: Box::pin(Page::load(ctx, page)).await?,
        })
    }

    /// Ticks an item of a task list for the caller alone, or takes the tick back. CONFLICT if the caller has 1,000 ticks on the page, or the version is not
    /// one that the caller has read. For everyone who may read the page.
    async fn tick_task(&self, ctx: &Context<'_>, input: TickTaskInput) -> Result<KeptPayload> {
        let page: PageId = context::id(ctx, "page_id", &input.page_id)?;
        let tick = command!(
            ctx,
            TickTask {
                version: required(input.version),
                task: required(input.task),
                is_ticked: required(input.is_ticked),
            }
        );
        let ticked = Box::pin(notes::tick(kurso(ctx), viewer(ctx)?, page, tick)).await;
        ticked.map_err(wrap(ctx))?;
        Ok(KeptPayload {
            page: Box::pin(Page::load(ctx, page)).await?,
        })
    }
}
