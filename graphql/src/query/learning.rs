//! Queries for progress, the heat map and the item analysis.

use async_graphql::{Context, ID, Object, Result};
use kurso_base::ids::{CourseId, PageId};
use kurso_core::attempts::analysis::analyse;
use kurso_core::learning::{self, facts, reading};
use kurso_core::students::heat_map;

use crate::context::{self, kurso, viewer};
use crate::cost;
use crate::error::wrap;
use crate::lists;
use crate::types::{HeatMap, ImportantChange, Progress, ProgressFacts, QuizAnalysis, View};

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

    /// Pages that the caller has read and that have had an important change since, of those that they may read now and that differ from what
    /// they have read: newest first, at most 50.
    #[graphql(complexity = "cost::list(cost::IMPORTANT, child_complexity)")]
    async fn important_changes(&self, ctx: &Context<'_>) -> Result<Vec<ImportantChange>> {
        let found = reading::important_changes(kurso(ctx), viewer(ctx)?).await;
        let found = found.map_err(wrap(ctx))?;
        cost::spend(ctx, found.changes.len())?;
        Ok(ImportantChange::of_all(found))
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

    /// Item analysis of a quiz by the first attempts of all students, or of one group, with the right options; FORBIDDEN for learners.
    async fn quiz_analysis(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "ID of the page with the quiz.")] page_id: ID,
        #[graphql(
            desc = "ID of a group: only its students; nobody when the course has no such group. `none`: only students without a group."
        )]
        group_id: Option<ID>,
    ) -> Result<QuizAnalysis> {
        let viewer = viewer(ctx)?;
        let page: PageId = context::id(ctx, "page_id", &page_id)?;
        let group = lists::group(ctx, group_id)?;
        let analysis = analyse(kurso(ctx), viewer, page, group).await.map_err(wrap(ctx))?;
        cost::spend(ctx, QuizAnalysis::rows(&analysis))?;
        Ok(analysis.into())
    }
}
