//! Mutations of unpublished changes of pages. `updatePage` and `restorePageVersion` save them.

use async_graphql::{Context, ID, InputObject, Object, Result, SimpleObject};
use kurso_base::error::Error;
use kurso_base::ids::{CourseId, PageId, RegradeId};
use kurso_base::messages::Message;
use kurso_core::access::Right;
use kurso_core::courses::page::publishing::DraftState;
use kurso_core::courses::page::{UpdateError, draft};
use kurso_core::learning::view::CourseView;
use kurso_core::regrades::{self, PublishError};

use crate::context::{self, kurso, viewer};
use crate::cost;
use crate::error::wrap;
use crate::types::{
    ChangeImportance, Consequences, Page, PastAttempts, PublishPageDraftInput, Regrade, RemovedQuestions, View, int,
    plan,
};

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

/// Unpublished changes of one course to publish.
#[derive(InputObject)]
pub struct PublishPageDraftsInput {
    /// ID of the course.
    course_id: ID,
    /// 1 to 500 pages.
    pages: Vec<PublishPageDraftInput>,
    /// How important the changes are to learners who have read the pages.
    #[graphql(default)]
    importance: ChangeImportance,
    /// How to treat the existing results of learners.
    #[graphql(default)]
    past_attempts: PastAttempts,
    /// How to treat the points of questions that were removed from the quiz. Only with REGRADE.
    #[graphql(default)]
    removed_questions: RemovedQuestions,
    /// Digest of the consequences that were shown. If they have changed since, nothing is published. Without it, they are not compared.
    digest: Option<String>,
}

/// A conflict is an expected outcome: nothing was published, `pages` is empty, and `conflicts` holds the stored pages or `consequences` the present
/// consequences.
#[derive(SimpleObject)]
pub struct PublishPageDraftsPayload {
    /// The pages with their new versions, in the order of the input.
    pages: Vec<Page>,
    /// The pages that were changed, or whose draft was, since they were shown.
    conflicts: Vec<Page>,
    /// The current consequences if they differ from `digest`; null otherwise.
    consequences: Option<Consequences>,
    /// The regrading; null if no attempt was regraded.
    regrade: Option<Regrade>,
}

/// A regrading to undo.
#[derive(InputObject)]
pub struct UndoRegradeInput {
    /// ID of the `Regrade`.
    regrade_id: ID,
}

/// The regrading was undone.
#[derive(SimpleObject)]
pub struct UndoRegradePayload {
    /// The regrading.
    regrade: Regrade,
    /// How many results stay as they are, because somebody has changed them since.
    left: i32,
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

    /// Publishes the unpublished changes of pages of a course in one transaction: all of them, or none. With REGRADE, their attempts are graded by
    /// the changed quizzes in the same transaction; `undoRegrade` restores the results. BAD_USER_INPUT names each page with an
    /// incomplete quiz. Owner and editors.
    #[graphql(complexity = "cost::list(input.pages.len(), child_complexity)")]
    async fn publish_page_drafts(
        &self,
        ctx: &Context<'_>,
        input: PublishPageDraftsInput,
    ) -> Result<PublishPageDraftsPayload> {
        let viewer = viewer(ctx)?;
        let course: CourseId = context::id(ctx, "course_id", &input.course_id)?;
        let plan = plan(ctx, input.pages, input.past_attempts, input.removed_questions)?;
        // Boxed: the state of publishing is large, and every level of the merged mutations would have room for it on the stack.
        let published = Box::pin(regrades::publish(
            kurso(ctx),
            viewer,
            course,
            &plan,
            input.importance.into(),
            input.digest.as_deref(),
        ))
        .await;
        let (mut conflicts, mut changed) = (vec![], None);
        let published = match published {
            Ok(published) => Some(published),
            Err(PublishError::Conflict(pages)) => {
                conflicts = pages;
                None
            }
            Err(PublishError::Changed(consequences)) => {
                changed = Some(*consequences);
                None
            }
            Err(PublishError::Refused(error)) => return Err(wrap(ctx)(error)),
        };
        let (published, regrade) = published.map(|published| (published.pages, published.regrade)).unzip();
        let view = CourseView::load(kurso(ctx), viewer, course, Right::Read).await;
        let view = View::new(view.map_err(wrap(ctx))?);
        let pages = |states: Vec<DraftState>| -> Vec<Page> {
            let places = states.into_iter().filter_map(|state| view.tree.place(state.page_id));
            places.map(|place| Page::at(&view, place)).collect()
        };
        Ok(PublishPageDraftsPayload {
            pages: pages(published.unwrap_or_default()),
            conflicts: pages(conflicts),
            consequences: changed.map(|changed| Consequences::of(changed, view.clone())),
            regrade: regrade.flatten().map(|regrade| Regrade::of(regrade, &view)),
        })
    }

    /// Undoes a regrading: its attempts get back the results that they had before. The quizzes stay as they were published, and so do results that
    /// somebody has changed since. CONFLICT after 30 days, and if it was undone. Owner and editors.
    async fn undo_regrade(&self, ctx: &Context<'_>, input: UndoRegradeInput) -> Result<UndoRegradePayload> {
        let viewer = viewer(ctx)?;
        let id: RegradeId = context::id(ctx, "regrade_id", &input.regrade_id)?;
        let undone = Box::pin(regrades::undo(kurso(ctx), viewer, id))
            .await
            .map_err(wrap(ctx))?;
        let view = CourseView::load(kurso(ctx), viewer, undone.course_id, Right::Read).await;
        let view = View::new(view.map_err(wrap(ctx))?);
        Ok(UndoRegradePayload {
            regrade: Regrade::of(undone.regrade, &view),
            left: int(undone.left),
        })
    }
}
