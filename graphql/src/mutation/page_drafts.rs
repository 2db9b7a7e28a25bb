//! Mutations of unpublished changes of pages. `updatePage` and `restorePageVersion` save them.

use async_graphql::{Context, ID, InputObject, Object, Result, SimpleObject};
use kurso_base::error::Error;
use kurso_base::ids::{CourseId, PageId};
use kurso_base::messages::Message;
use kurso_base::page_draft_entries::PageDraftEntries;
use kurso_core::access::Right;
use kurso_core::courses::page::publishing::{self, DraftState, PublishError};
use kurso_core::courses::page::{UpdateError, draft};
use kurso_core::learning::view::CourseView;
use serde_json::{Value, json};

use crate::context::{self, kurso, viewer};
use crate::cost;
use crate::error::wrap;
use crate::input::Fields;
use crate::types::{ChangeImportance, Page, View};

#[derive(Default)]
pub struct PageDraftsMutation;

/// Unpublished changes to discard.
#[derive(InputObject)]
pub struct DiscardPageDraftInput {
    /// ID of the page.
    page_id: ID,
    /// The version of the draft that was shown.
    version: i32,
}

/// The unpublished changes were discarded.
#[derive(SimpleObject)]
pub struct DiscardPageDraftPayload {
    /// The page.
    page: Page,
}

/// The unpublished changes of one page, as they were shown.
#[derive(InputObject)]
pub struct PublishPageDraftInput {
    /// A page of the course.
    page_id: ID,
    /// The version of its draft.
    version: i32,
    /// Its own version, which learners read.
    page_version: i32,
}

/// Unpublished changes of one course to publish.
#[derive(InputObject)]
pub struct PublishPageDraftsInput {
    /// ID of the course.
    course_id: ID,
    /// 1 to 500 pages.
    pages: Vec<PublishPageDraftInput>,
    /// What the change of each page means to learners who have read it.
    #[graphql(default)]
    importance: ChangeImportance,
}

/// A conflict is an expected outcome: nothing was published, `pages` is empty and `conflicts` holds the stored pages.
#[derive(SimpleObject)]
pub struct PublishPageDraftsPayload {
    /// The pages with their new versions, in the order of the input.
    pages: Vec<Page>,
    /// The pages that were changed, or whose draft was, since they were shown.
    conflicts: Vec<Page>,
}

#[Object]
impl PageDraftsMutation {
    /// Discards the unpublished changes of a page; the history keeps their texts. CONFLICT if they have another version. Owner and editors.
    async fn discard_page_draft(
        &self,
        ctx: &Context<'_>,
        input: DiscardPageDraftInput,
    ) -> Result<DiscardPageDraftPayload> {
        let viewer = viewer(ctx)?;
        let id: PageId = context::id(ctx, "page_id", &input.page_id)?;
        match draft::discard(kurso(ctx), viewer, id, input.version.into()).await {
            Ok(page) => Ok(DiscardPageDraftPayload {
                page: Page::known(ctx, page).await?,
            }),
            Err(UpdateError::Conflict(_)) => Err(wrap(ctx)(Error::Conflict(Message::PageChanged))),
            Err(UpdateError::Refused(error)) => Err(wrap(ctx)(error)),
        }
    }

    /// Publishes the unpublished changes of pages of a course in one transaction: all of them, or none. BAD_USER_INPUT names each page with a
    /// quiz that is not complete. Owner and editors.
    #[graphql(complexity = "cost::list(input.pages.len(), child_complexity)")]
    async fn publish_page_drafts(
        &self,
        ctx: &Context<'_>,
        input: PublishPageDraftsInput,
    ) -> Result<PublishPageDraftsPayload> {
        let viewer = viewer(ctx)?;
        let course: CourseId = context::id(ctx, "course_id", &input.course_id)?;
        let importance = input.importance.into();
        let mut fields = Fields::default();
        let pages = fields.required::<PageDraftEntries>("pages", Value::from_iter(input.pages.into_iter().map(entry)));
        let pages = fields.finish(pages).map_err(wrap(ctx))?;
        let (published, conflicts) = match publishing::publish(kurso(ctx), viewer, course, pages, importance).await {
            Ok(published) => (published, vec![]),
            Err(PublishError::Conflict(conflicts)) => (vec![], conflicts),
            Err(PublishError::Refused(error)) => return Err(wrap(ctx)(error)),
        };
        let view = CourseView::load(kurso(ctx), viewer, course, Right::Read).await;
        let view = View::new(view.map_err(wrap(ctx))?);
        let pages = |states: Vec<DraftState>| -> Vec<Page> {
            let places = states.into_iter().filter_map(|state| view.tree.place(state.page_id));
            places.map(|place| Page::at(&view, place)).collect()
        };
        Ok(PublishPageDraftsPayload {
            pages: pages(published),
            conflicts: pages(conflicts),
        })
    }
}

/// The entry as REST sends it: both APIs have one reader.
fn entry(input: PublishPageDraftInput) -> Value {
    json!({"page_id": input.page_id.0, "version": input.version, "page_version": input.page_version})
}
