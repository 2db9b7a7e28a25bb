//! The subscription to questions under pages.

use async_graphql::{Context, ID, Result, SimpleObject, Subscription};
use futures_util::stream::BoxStream;
use kurso_base::ids::{CourseId, PageId};
use kurso_core::discussions::{self, DiscussionsWatch};

use crate::context::{self, kurso, viewer};
use crate::error::wrap;
use crate::types::id_of;

#[derive(Default)]
pub struct DiscussionsSubscription;

/// A question under a page, or one of its answers, changed or is gone. Read it anew.
#[derive(SimpleObject)]
pub struct DiscussionChange {
    /// ID of the page.
    page_id: ID,
    /// ID of the `Discussion`, which may be gone.
    discussion_id: ID,
    /// Whether the caller has changed it.
    is_mine: bool,
}

impl From<discussions::DiscussionChange> for DiscussionChange {
    fn from(change: discussions::DiscussionChange) -> Self {
        DiscussionChange {
            page_id: id_of(change.page),
            discussion_id: id_of(change.discussion),
            is_mine: change.is_mine,
        }
    }
}

#[Subscription]
impl DiscussionsSubscription {
    /// Changes of questions that the caller may read: under a page, for the owner, editors, teachers, and learners who may read the page; or under
    /// all pages of the course, for the staff only. The rights are checked again for each event.
    async fn discussions_changed(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "ID of the course.")] course_id: ID,
        #[graphql(desc = "ID of the page; without it, all pages.")] page_id: Option<ID>,
    ) -> Result<BoxStream<'static, Result<DiscussionChange>>> {
        let viewer = viewer(ctx)?;
        let course: CourseId = context::id(ctx, "course_id", &course_id)?;
        let page: Option<PageId> = match &page_id {
            Some(page) => Some(context::id(ctx, "page_id", page)?),
            None => None,
        };
        let watch = Box::pin(DiscussionsWatch::start(kurso(ctx), viewer, course, page)).await;
        let watch = watch.map_err(wrap(ctx))?;
        Ok(super::events(ctx, watch, DiscussionChange::from))
    }
}
