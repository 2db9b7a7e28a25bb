//! Mutations of pages. Payloads include the lesson, because a change may move the siblings of the page.

use async_graphql::{Context, ID, InputObject, MaybeUndefined, Object, Result, SimpleObject};
use kurso_base::error::{Error, FieldError};
use kurso_base::ids::{LessonId, PageId};
use kurso_base::messages::Message;
use kurso_core::courses::duplicate;
use kurso_core::courses::page::{self, CreatePage, UpdateError, UpdatePage, versions};
use kurso_core::subscriptions::{self, MoveEditor};

use super::expected_dates::ExpectedDatesInput;
use crate::context::{self, kurso, viewer};
use crate::cost;
use crate::error::wrap;
use crate::input::{Fields, command, read};
use crate::language::say;
use crate::types::{ChangeImportance, Document, Lesson, Page, PageKind};

#[derive(Default)]
pub struct PagesMutation;

/// A new page.
#[derive(InputObject)]
pub struct CreatePageInput {
    /// The lesson of the new page.
    lesson_id: ID,
    /// 1 to 255 characters; null for an untitled page.
    title: MaybeUndefined<String>,
    /// Default: CONTENT. It cannot be changed later.
    kind: MaybeUndefined<PageKind>,
    /// Default: one empty paragraph.
    content: MaybeUndefined<Document>,
    /// Quiz pages only.
    quiz: MaybeUndefined<Document>,
    /// Index among its siblings, from 0; the end when it is absent or beyond the end.
    position: MaybeUndefined<i32>,
    /// Default: true. Only an unpublished page may have an incomplete quiz.
    published: MaybeUndefined<bool>,
    /// A time with its offset (`2026-09-01T10:00:00+03:00`), a local time of the course's zone (`2026-09-01T10:00`) or a
    /// day, which begins at 00:00.
    available_from: MaybeUndefined<String>,
    /// A time with its offset (`2026-09-01T10:00:00+03:00`), a local time of the course's zone (`2026-09-01T10:00`) or a
    /// day, which ends at 23:59.
    available_until: MaybeUndefined<String>,
    /// As `availableUntil`.
    due_at: MaybeUndefined<String>,
    /// End of late attempts, as `availableUntil`. Quiz pages only.
    late_until: MaybeUndefined<String>,
    /// Percent of the score that an attempt loses for each begun day after the due date. Quiz pages only.
    late_penalty_per_day: MaybeUndefined<i32>,
    /// The most percent that an attempt loses. Quiz pages only.
    late_penalty_max: MaybeUndefined<i32>,
}

/// The page was created.
#[derive(SimpleObject)]
pub struct CreatePagePayload {
    /// The new page.
    page: Page,
    /// Its lesson, with the new positions of its siblings.
    lesson: Lesson,
}

/// Absent fields keep their values.
#[derive(InputObject)]
pub struct UpdatePageInput {
    /// ID of the page.
    page_id: ID,
    /// Identifies one open editor of the caller, such as a browser tab: 1 to 128 characters. A save of the editor that saved
    /// the stored version never conflicts.
    user_session_id: Option<String>,
    /// The version that the change is based on. Without it a save never conflicts.
    version: MaybeUndefined<i32>,
    /// 1 to 255 characters; null for an untitled page.
    title: MaybeUndefined<String>,
    /// May not be null.
    content: MaybeUndefined<Document>,
    /// Quiz pages only; null is a quiz without questions.
    quiz: MaybeUndefined<Document>,
    /// A page can be published only with a complete quiz.
    published: MaybeUndefined<bool>,
    /// Target lesson in the same course; without `position`, the page moves to its end.
    lesson_id: MaybeUndefined<ID>,
    /// New index among its siblings, from 0; the end when it is beyond the end.
    position: MaybeUndefined<i32>,
    /// A time with its offset (`2026-09-01T10:00:00+03:00`), a local time of the course's zone (`2026-09-01T10:00`) or a
    /// day, which begins at 00:00. Null clears it.
    available_from: MaybeUndefined<String>,
    /// A time with its offset (`2026-09-01T10:00:00+03:00`), a local time of the course's zone (`2026-09-01T10:00`) or a
    /// day, which ends at 23:59. Null clears it.
    available_until: MaybeUndefined<String>,
    /// As `availableUntil`.
    due_at: MaybeUndefined<String>,
    /// End of late attempts, as `availableUntil`. Quiz pages only.
    late_until: MaybeUndefined<String>,
    /// Percent of the score that an attempt loses for each begun day after the due date. Quiz pages only.
    late_penalty_per_day: MaybeUndefined<i32>,
    /// The most percent that an attempt loses. Quiz pages only.
    late_penalty_max: MaybeUndefined<i32>,
    /// The dates that the change is based on; CONFLICT if others are stored. Without it, the change of dates never conflicts.
    expected_dates: Option<ExpectedDatesInput>,
    /// True: title, content and quiz become the draft of a published page, `version` is that of the draft if it has one, and the quiz may
    /// be incomplete. An unpublished page is changed itself. Not together with other fields.
    #[graphql(default)]
    draft: bool,
    /// Of a draft: the version of the page whose text it contains, after a merge. Without it, that from which the draft began.
    base_version: MaybeUndefined<i32>,
    /// How important the change is to learners who have read the page. Default: CORRECTION. Not allowed with `draft`: `publishPageDrafts` takes it.
    importance: Option<ChangeImportance>,
}

/// A conflict is an expected outcome: nothing was changed, `page` is null and `conflict` holds the stored page.
#[derive(SimpleObject)]
pub struct UpdatePagePayload {
    /// The page as it was saved.
    page: Option<Page>,
    /// The lesson it is in now.
    lesson: Option<Lesson>,
    /// The lesson it was in; null unless it moved to another one.
    previous_lesson: Option<Lesson>,
    /// Why nothing was saved; null when the page was saved.
    conflict: Option<PageConflict>,
}

/// The page was changed by another editor after it was read.
#[derive(SimpleObject)]
pub struct PageConflict {
    /// Why nothing was saved, in the language of the request.
    message: String,
    /// The stored page.
    page: Page,
}

/// A page to delete.
#[derive(InputObject)]
pub struct DeletePageInput {
    /// ID of the page.
    page_id: ID,
}

/// The block with the cursor of an editor tab.
#[derive(InputObject)]
pub struct MovePageEditorInput {
    /// ID of the page.
    page_id: ID,
    /// ID of the editor tab, as in the subscription `pageEditors`.
    user_session_id: String,
    /// Index among the blocks of the text, 0 to 1000000; null if the cursor is not in the text.
    block: Option<i32>,
}

/// The other editors of the page know it.
#[derive(SimpleObject)]
pub struct MovePageEditorPayload {
    /// The page.
    page_id: ID,
}

/// The page was deleted.
#[derive(SimpleObject)]
pub struct DeletePagePayload {
    /// The deleted page.
    page_id: ID,
    /// The lesson it was in; null when that was deleted at the same time.
    lesson: Option<Lesson>,
    /// The result in words, in the language of the request.
    message: String,
}

/// A page to copy.
#[derive(InputObject)]
pub struct DuplicatePageInput {
    /// ID of the page.
    page_id: ID,
}

/// The page was copied.
#[derive(SimpleObject)]
pub struct DuplicatePagePayload {
    /// The copy.
    page: Page,
    /// Its lesson, with the new positions of its siblings.
    lesson: Lesson,
}

/// A version to restore.
#[derive(InputObject)]
pub struct RestorePageVersionInput {
    /// ID of the page.
    page_id: ID,
    /// A version number of its history.
    version: i32,
    /// True: the text becomes the draft of a published page. An unpublished page is changed itself.
    #[graphql(default)]
    draft: bool,
}

/// The version was restored.
#[derive(SimpleObject)]
pub struct RestorePageVersionPayload {
    /// The page in its new version.
    page: Page,
}

#[Object]
impl PagesMutation {
    /// Creates a page. Owner and editors.
    async fn create_page(&self, ctx: &Context<'_>, input: CreatePageInput) -> Result<CreatePagePayload> {
        let viewer = viewer(ctx)?;
        let id: LessonId = context::id(ctx, "lesson_id", &input.lesson_id)?;
        let new = command!(
            ctx,
            CreatePage {
                title: optional(input.title.take()),
                kind: known(input.kind.take().unwrap_or(PageKind::Content).into()),
                content: optional(input.content.take()),
                quiz: optional(input.quiz.take()),
                position: optional(input.position.take()),
                published: flag(input.published, true),
                available_from: optional(input.available_from.take()),
                available_until: optional(input.available_until.take()),
                due_at: optional(input.due_at.take()),
                late_until: optional(input.late_until.take()),
                late_penalty_per_day: optional(input.late_penalty_per_day.take()),
                late_penalty_max: optional(input.late_penalty_max.take()),
            }
        );
        let made = page::create(kurso(ctx), viewer, id, new).await.map_err(wrap(ctx))?;
        let page = Page::known(ctx, made).await?;
        Ok(CreatePagePayload {
            lesson: page.in_lesson(),
            page,
        })
    }

    /// Changes the fields that are present, and moves the page. Owner and editors.
    async fn update_page(&self, ctx: &Context<'_>, input: UpdatePageInput) -> Result<UpdatePagePayload> {
        let viewer = viewer(ctx)?;
        let id: PageId = context::id(ctx, "page_id", &input.page_id)?;
        // A failure of this read is ignored: the update fails for the same reason.
        let before = match input.lesson_id.is_value() {
            true => Page::load(ctx, id).await.ok().map(|page| page.in_lesson().key()),
            false => None,
        };
        let mut fields = Fields::default();
        let session = fields.optional("user_session_id", input.user_session_id);
        let update = read!(
            fields,
            UpdatePage {
                title: change(input.title),
                published: given(input.published),
                lesson_id: optional(input.lesson_id.take()),
                position: optional(input.position.take()),
                version: optional(input.version.take()),
                content: given(input.content),
                quiz: change(input.quiz),
                available_from: change(input.available_from),
                available_until: change(input.available_until),
                due_at: change(input.due_at),
                late_until: change(input.late_until),
                late_penalty_per_day: change(input.late_penalty_per_day),
                late_penalty_max: change(input.late_penalty_max),
                expected_dates: optional(input.expected_dates),
                draft: known(input.draft),
                base_version: optional(input.base_version.take()),
                importance: known(input.importance.map(Into::into)),
            }
        );
        let (session, update) = fields.finish(session.zip(update)).map_err(wrap(ctx))?;
        match page::update(kurso(ctx), viewer, id, session, update).await {
            Ok(saved) => {
                let page = Page::known(ctx, saved).await?;
                let lesson = page.in_lesson();
                Ok(UpdatePagePayload {
                    previous_lesson: before.filter(|id| *id != lesson.key()).and_then(|id| lesson.beside(id)),
                    lesson: Some(lesson),
                    page: Some(page),
                    conflict: None,
                })
            }
            Err(UpdateError::Conflict(stored)) => Ok(UpdatePagePayload {
                page: None,
                lesson: None,
                previous_lesson: None,
                conflict: Some(PageConflict {
                    message: say(ctx, Message::PageChanged),
                    page: Page::known(ctx, *stored).await?,
                }),
            }),
            Err(UpdateError::Refused(error)) => Err(wrap(ctx)(error)),
        }
    }

    /// Deletes a page with its history, visits and attempts. Owner and editors.
    async fn delete_page(&self, ctx: &Context<'_>, input: DeletePageInput) -> Result<DeletePagePayload> {
        let viewer = viewer(ctx)?;
        let id: PageId = context::id(ctx, "page_id", &input.page_id)?;
        let lesson = page::delete(kurso(ctx), viewer, id).await.map_err(wrap(ctx))?;
        Ok(DeletePagePayload {
            page_id: ID(id.to_string()),
            lesson: Lesson::load_left(ctx, lesson).await?,
            message: say(ctx, Message::PageDeleted),
        })
    }

    /// Tells the subscribers of `pageEditors` in which block the cursor of an editor tab is. Nothing is stored. Owner and editors.
    async fn move_page_editor(&self, ctx: &Context<'_>, input: MovePageEditorInput) -> Result<MovePageEditorPayload> {
        let viewer = viewer(ctx)?;
        let id: PageId = context::id(ctx, "page_id", &input.page_id)?;
        let to = command!(
            ctx,
            MoveEditor {
                user_session_id: required(input.user_session_id),
                block: optional(input.block),
            }
        );
        subscriptions::move_editor(kurso(ctx), viewer, id, to)
            .await
            .map_err(wrap(ctx))?;
        Ok(MovePageEditorPayload { page_id: input.page_id })
    }

    /// Makes a copy right after the original; ` (копия)` is added to a title. Owner and editors.
    #[graphql(complexity = "cost::COPY_OF_PAGE + child_complexity")]
    async fn duplicate_page(&self, ctx: &Context<'_>, input: DuplicatePageInput) -> Result<DuplicatePagePayload> {
        let viewer = viewer(ctx)?;
        let id: PageId = context::id(ctx, "page_id", &input.page_id)?;
        let copy = duplicate::page(kurso(ctx), viewer, id).await.map_err(wrap(ctx))?;
        let page = Page::known(ctx, copy).await?;
        Ok(DuplicatePagePayload {
            lesson: page.in_lesson(),
            page,
        })
    }

    /// Stores the title, content and quiz of a stored version as a new version. Owner and editors.
    async fn restore_page_version(
        &self,
        ctx: &Context<'_>,
        input: RestorePageVersionInput,
    ) -> Result<RestorePageVersionPayload> {
        let viewer = viewer(ctx)?;
        let id: PageId = context::id(ctx, "page_id", &input.page_id)?;
        if input.version < 0 {
            let message = Message::IntegerTooSmall(0);
            let error = FieldError::body("greater_than_equal", "version", message, input.version.into());
            return Err(wrap(ctx)(Error::invalid(error)));
        }
        let restored = versions::restore(kurso(ctx), viewer, id, input.version.into(), input.draft)
            .await
            .map_err(wrap(ctx))?;
        Ok(RestorePageVersionPayload {
            page: Page::known(ctx, restored).await?,
        })
    }
}
