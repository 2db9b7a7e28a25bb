//! Queries of visitors: the public pages of courses and the catalogue. They need no session.

use async_graphql::{Context, ID, Object, Result};
use kurso_base::ids::CourseId;
use kurso_core::public_page;

use crate::context::{self, kurso, origin};
use crate::cost;
use crate::error::wrap;
use crate::lists::{self, List, list, window_at};
use crate::types::{CatalogueCourse, PublicCourse};

#[derive(Default)]
pub struct PublicPagesQuery;

#[Object]
impl PublicPagesQuery {
    /// The public page of a course. Needs no session. NOT_FOUND for a private course, a deleted one and an unknown ID alike.
    #[graphql(complexity = "cost::PUBLIC_COURSE + child_complexity")]
    async fn public_course(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "ID of the course.")] id: ID,
    ) -> Result<PublicCourse> {
        let id: CourseId = context::id(ctx, "id", &id)?;
        let page = public_page::read(kurso(ctx), &origin(ctx), id)
            .await
            .map_err(wrap(ctx))?;
        Ok(page.into())
    }

    /// The public courses, those first that became public last. Needs no session.
    #[graphql(complexity = "cost::CATALOGUE + cost::connection(first, child_complexity)")]
    async fn catalogue(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Words to find in the title, all of them; at most 255 characters.")] search: Option<String>,
        #[graphql(desc = "Rows, at most 1000.", default = 100)] first: Option<i32>,
        #[graphql(desc = "Cursor of the last row already read.")] after: Option<String>,
        #[graphql(
            desc = "Rows to skip from the start, for numbered pages; ignored when `after` is given.",
            default = 0
        )]
        skip: Option<i32>,
    ) -> Result<List<CatalogueCourse>> {
        let (page, search) = (window_at(ctx, first, after, skip)?, lists::search(ctx, search)?);
        let found = public_page::list(kurso(ctx), &origin(ctx), &search, page)
            .await
            .map_err(wrap(ctx))?;
        let nodes = found.data.into_iter().map(Into::into).collect();
        Ok(list(page, found.count, nodes))
    }
}
