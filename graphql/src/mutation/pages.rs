//! Pages, as authors make, write, move and copy them. Answers hold the lesson too: what was changed may have moved its
//! siblings.

use async_graphql::{Context, ID, InputObject, MaybeUndefined, Object, Result, SimpleObject};
use kurso_core::courses::duplicate;
use kurso_core::courses::page::{self, versions};
use kurso_core::error::{Error, FieldError};
use kurso_core::ids::{LessonId, PageId};
use kurso_core::messages::Message;

use crate::context::{self, kurso, say, viewer};
use crate::error::wrap;
use crate::input::Body;
use crate::types::{Document, Lesson, Page, PageKind};

#[derive(Default)]
pub struct PagesMutation;

/// A new page.
#[derive(InputObject)]
pub struct CreatePageInput {
    /// Where it goes.
    lesson_id: ID,
    /// 1 to 255 characters; null: shown as its number.
    title: MaybeUndefined<String>,
    /// CONTENT when left out; never changes.
    kind: MaybeUndefined<PageKind>,
    /// One empty paragraph when left out.
    content: MaybeUndefined<Document>,
    /// Quiz pages only.
    quiz: MaybeUndefined<Document>,
    /// From 0; at the end when left out, and so is what is beyond it.
    position: MaybeUndefined<i32>,
    /// True when left out. A page that is not published may hold an incomplete quiz.
    published: MaybeUndefined<bool>,
}

/// The page was made.
#[derive(SimpleObject)]
pub struct CreatePagePayload {
    /// The new page.
    page: Page,
    /// What it is in, its siblings with their new places.
    lesson: Lesson,
}

/// What is left out stays as it is.
#[derive(InputObject)]
pub struct UpdatePageInput {
    /// Which page.
    page_id: ID,
    /// Names one open editor of the caller, such as a tab: 1 to 128 characters. A save of the editor that wrote what is
    /// stored is never stale.
    user_session_id: Option<String>,
    /// The version that the change is of. Without it a save is never stale.
    version: MaybeUndefined<i32>,
    /// 1 to 255 characters; null: shown as its number.
    title: MaybeUndefined<String>,
    /// May not be null.
    content: MaybeUndefined<Document>,
    /// Quiz pages only; null is a quiz without questions.
    quiz: MaybeUndefined<Document>,
    /// A quiz has to be complete for it.
    published: MaybeUndefined<bool>,
    /// Into which lesson of the same course the page goes: to its end, unless a position is given.
    lesson_id: MaybeUndefined<ID>,
    /// Where among its siblings the page goes, from 0; beyond the end is the end.
    position: MaybeUndefined<i32>,
}

/// A stale save is an expected outcome: nothing was changed, `page` is null and `conflict` says what is stored.
#[derive(SimpleObject)]
pub struct UpdatePagePayload {
    /// The page as it was saved.
    page: Option<Page>,
    /// What it is in now.
    lesson: Option<Lesson>,
    /// What it has left; null unless it went into another lesson.
    previous_lesson: Option<Lesson>,
    /// Why nothing was saved; null when it was.
    conflict: Option<PageConflict>,
}

/// Somebody else has changed the page since it was read.
#[derive(SimpleObject)]
pub struct PageConflict {
    /// Why nothing was saved, in the language of the request.
    message: String,
    /// As it is stored.
    page: Page,
}

/// A page to delete.
#[derive(InputObject)]
pub struct DeletePageInput {
    /// Which page.
    page_id: ID,
}

/// The page was deleted.
#[derive(SimpleObject)]
pub struct DeletePagePayload {
    /// Of what is gone.
    page_id: ID,
    /// What it was in; null when that was deleted in the same moment.
    lesson: Option<Lesson>,
    /// What was done, in the language of the request.
    message: String,
}

/// A page to copy.
#[derive(InputObject)]
pub struct DuplicatePageInput {
    /// Which page.
    page_id: ID,
}

/// The page was copied.
#[derive(SimpleObject)]
pub struct DuplicatePagePayload {
    /// The copy.
    page: Page,
    /// What it is in, its siblings with their new places.
    lesson: Lesson,
}

/// A version to go back to.
#[derive(InputObject)]
pub struct RestorePageVersionInput {
    /// Of which page.
    page_id: ID,
    /// One of its history.
    version: i32,
}

/// The page says again what it said.
#[derive(SimpleObject)]
pub struct RestorePageVersionPayload {
    /// The page in its new version.
    page: Page,
}

#[Object]
impl PagesMutation {
    /// Makes a page. Owner and editors.
    async fn create_page(&self, ctx: &Context<'_>, input: CreatePageInput) -> Result<CreatePagePayload> {
        let viewer = viewer(ctx)?;
        let id: LessonId = context::id(ctx, "lesson_id", &input.lesson_id)?;
        let body = Body::default()
            .given("title", input.title)
            .given("kind", input.kind)
            .given("content", input.content)
            .given("quiz", input.quiz)
            .given("position", input.position)
            .given("published", input.published);
        let made = page::create(kurso(ctx), viewer, id, &body.json())
            .await
            .map_err(wrap(ctx))?;
        let page = Page::known(ctx, made).await?;
        Ok(CreatePagePayload {
            lesson: page.in_lesson(),
            page,
        })
    }

    /// Changes what is given, and moves the page. Owner and editors.
    async fn update_page(&self, ctx: &Context<'_>, input: UpdatePageInput) -> Result<UpdatePagePayload> {
        let viewer = viewer(ctx)?;
        let id: PageId = context::id(ctx, "page_id", &input.page_id)?;
        // What refuses this read refuses the change too, in its turn.
        let before = match input.lesson_id.is_value() {
            true => Page::load(ctx, id).await.ok().map(|page| page.in_lesson().key()),
            false => None,
        };
        let body = Body::default()
            .given("title", input.title)
            .given("content", input.content)
            .given("quiz", input.quiz)
            .given("published", input.published)
            .given("lesson_id", input.lesson_id.map_value(|id| id.0))
            .given("position", input.position)
            .given("version", input.version);
        let session = input.user_session_id.as_deref();
        match page::update(kurso(ctx), viewer, id, session, &body.json()).await {
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
            Err(Error::PageConflict(stored)) => Ok(UpdatePagePayload {
                page: None,
                lesson: None,
                previous_lesson: None,
                conflict: Some(PageConflict {
                    message: say(ctx, Message::PageChanged),
                    page: Page::known(ctx, *stored).await?,
                }),
            }),
            Err(error) => Err(wrap(ctx)(error)),
        }
    }

    /// Deletes a page with its history and what learners did there. Owner and editors.
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

    /// Makes a copy right after the original, a title followed by ` (копия)`. Owner and editors.
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

    /// Makes the page say again what it said in a version that is kept, as a new version. Owner and editors.
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
        let restored = versions::restore(kurso(ctx), viewer, id, input.version.into())
            .await
            .map_err(wrap(ctx))?;
        Ok(RestorePageVersionPayload {
            page: Page::known(ctx, restored).await?,
        })
    }
}
