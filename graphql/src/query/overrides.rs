//! Overrides of dates and attempts.

use async_graphql::{Context, ID, Object, Result};
use kurso_base::ids::CourseId;
use kurso_core::courses::overrides::{self, TargetFilter};

use crate::context::{self, kurso, viewer};
use crate::cost;
use crate::error::wrap;
use crate::lists::{List, list, window};
use crate::types::ScheduleOverride;

#[derive(Default)]
pub struct OverridesQuery;

#[Object]
impl OverridesQuery {
    /// Overrides of a course: those of groups in the order of the groups, then those of students, each in the order of their making;
    /// FORBIDDEN for learners. `groupsChanged` says when to read them again.
    #[graphql(complexity = "cost::connection(first, child_complexity)")]
    async fn overrides(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "ID of the course.")] course_id: ID,
        #[graphql(desc = "ID of a group: only its overrides; none when the course has no such group.")]
        group_id: Option<ID>,
        #[graphql(
            desc = "The `id` of a `Student`: only their own overrides; none when the course has no such student. `groupId` is then ignored."
        )]
        enrollment_id: Option<ID>,
        #[graphql(desc = "Rows, at most 1000.", default = 100)] first: Option<i32>,
        #[graphql(desc = "Cursor of the last row already read.")] after: Option<String>,
    ) -> Result<List<ScheduleOverride>> {
        let viewer = viewer(ctx)?;
        let course: CourseId = context::id(ctx, "course_id", &course_id)?;
        let group = group_id.map(|id| context::id(ctx, "group_id", &id)).transpose()?;
        let student = enrollment_id
            .map(|id| context::id(ctx, "enrollment_id", &id))
            .transpose()?;
        let page = window(ctx, first, after)?;
        let filter = TargetFilter::of(group, student);
        let found = overrides::list(kurso(ctx), viewer, course, filter, page)
            .await
            .map_err(wrap(ctx))?;
        Ok(list(
            page,
            found.count,
            found.data.into_iter().map(ScheduleOverride::from).collect(),
        ))
    }
}
