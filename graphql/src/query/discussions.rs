//! A single question under a page. Those of pages and courses are fields of them.

use async_graphql::{Context, ID, Object, Result};
use kurso_base::error::Error;
use kurso_base::ids::DiscussionId;
use kurso_base::messages::Message;
use kurso_core::access::Right;
use kurso_core::discussions;
use kurso_core::learning::view::CourseView;

use crate::context::{self, kurso, viewer};
use crate::error::wrap;
use crate::types::{Discussion, View};

#[derive(Default)]
pub struct DiscussionsQuery;

#[Object]
impl DiscussionsQuery {
    /// A question under a page. NOT_FOUND for users who may not read it.
    async fn discussion(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "ID of the `Discussion`, or of one of its posts.")] id: ID,
    ) -> Result<Discussion> {
        let viewer = viewer(ctx)?;
        let id: DiscussionId = context::id(ctx, "id", &id)?;
        let found = Box::pin(discussions::get(kurso(ctx), viewer, id.0)).await;
        let found = found.map_err(wrap(ctx))?;
        let view = Box::pin(CourseView::load_by_page(
            kurso(ctx),
            viewer,
            found.page_id,
            Right::Discuss,
        ))
        .await;
        let (view, _) = view.map_err(wrap(ctx))?;
        let found = Discussion::of(found, &View::new(view));
        found.ok_or_else(|| wrap(ctx)(Error::NotFound(Message::DiscussionNotFound)))
    }
}
