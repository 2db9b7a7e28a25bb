//! The query for an announcement; `Course.announcements` lists them.

use async_graphql::{Context, ID, Object, Result};
use kurso_core::announcements;

use crate::context::{self, kurso, viewer};
use crate::error::wrap;
use crate::types::Announcement;

#[derive(Default)]
pub struct AnnouncementsQuery;

#[Object]
impl AnnouncementsQuery {
    /// One announcement. NOT_FOUND if the caller may not read it.
    async fn announcement(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "ID of the announcement.")] id: ID,
    ) -> Result<Announcement> {
        let viewer = viewer(ctx)?;
        let id = context::id(ctx, "id", &id)?;
        let found = announcements::find(kurso(ctx), viewer, id).await;
        Ok(found.map_err(wrap(ctx))?.into())
    }
}
