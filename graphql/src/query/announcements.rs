//! The queries for announcements.

use async_graphql::{Context, ID, Object, Result};
use kurso_base::error::Error;
use kurso_core::announcements::{self, MAX_LISTED, Place, Wanted};

use crate::context::{self, kurso, viewer};
use crate::cost;
use crate::error::wrap;
use crate::types::{Announcement, AnnouncementList};

/// The default number of announcements.
const LISTED: usize = 20;

#[derive(Default)]
pub struct AnnouncementsQuery;

#[Object]
impl AnnouncementsQuery {
    /// The announcements of a course that the caller may read. Learners read published ones to the course and to their group, staff read all
    /// published ones; the owner and teachers also scheduled ones.
    #[graphql(complexity = "cost::list(size(first), child_complexity)")]
    async fn announcements(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "ID of the course.")] course_id: ID,
        #[graphql(desc = "Rows, at most 50.", default = 20)] first: Option<i32>,
        #[graphql(desc = "The `next` of the announcements already read.")] after: Option<String>,
    ) -> Result<AnnouncementList> {
        let viewer = viewer(ctx)?;
        let course = context::id(ctx, "course_id", &course_id)?;
        let after = after.map(|cursor| {
            cursor.parse::<Place>().map_err(|problem| {
                let loc = vec!["body".into(), "after".into()];
                wrap(ctx)(Error::invalid(problem.at(loc, cursor.into())))
            })
        });
        let wanted = Wanted {
            first: size(first),
            after: after.transpose()?,
            skip: 0,
        };
        let found = announcements::list(kurso(ctx), viewer, course, wanted).await;
        Ok(AnnouncementList(found.map_err(wrap(ctx))?))
    }

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

fn size(first: Option<i32>) -> usize {
    let first = first.map_or(LISTED, |first| usize::try_from(first).unwrap_or_default());
    first.min(MAX_LISTED)
}
