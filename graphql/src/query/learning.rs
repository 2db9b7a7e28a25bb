//! Queries for progress and the heat map.

use async_graphql::{Context, ID, Object, Result};
use kurso_base::ids::CourseId;
use kurso_core::learning::{self, facts};
use kurso_core::students::heat_map;

use crate::context::{self, kurso, viewer};
use crate::error::wrap;
use crate::lists;
use crate::types::{HeatMap, Progress, ProgressFacts, View};

#[derive(Default)]
pub struct LearningQuery;

#[Object]
impl LearningQuery {
    /// The caller's progress in a course; FORBIDDEN without an enrollment.
    async fn my_progress(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "ID of the course.")] course_id: ID,
    ) -> Result<Progress> {
        let viewer = viewer(ctx)?;
        let id: CourseId = context::id(ctx, "course_id", &course_id)?;
        let view = learning::my_progress(kurso(ctx), viewer, id).await.map_err(wrap(ctx))?;
        Ok(Progress(View::new(view)))
    }

    /// The facts that the caller's progress in a course is derived from, by page; FORBIDDEN without an enrollment.
    async fn debug_progress(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "ID of the course.")] course_id: ID,
    ) -> Result<ProgressFacts> {
        let viewer = viewer(ctx)?;
        let id: CourseId = context::id(ctx, "course_id", &course_id)?;
        let (view, pages) = facts::debug(kurso(ctx), viewer, id).await.map_err(wrap(ctx))?;
        Ok(ProgressFacts {
            view: View::new(view),
            pages,
        })
    }

    /// Activity of all students, or of one group, by page, where they stopped and the hardest questions; FORBIDDEN for
    /// learners.
    async fn course_heat_map(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "ID of the course.")] course_id: ID,
        #[graphql(
            desc = "ID of a group: only its students; nobody when the course has no such group. `none`: only students without a group."
        )]
        group_id: Option<ID>,
    ) -> Result<HeatMap> {
        let viewer = viewer(ctx)?;
        let id: CourseId = context::id(ctx, "course_id", &course_id)?;
        let group = lists::group(ctx, group_id)?;
        let map = heat_map::find(kurso(ctx), viewer, id, group).await.map_err(wrap(ctx))?;
        Ok(HeatMap::of(map))
    }
}
