//! Gradebooks and grades.

use async_graphql::{Context, ID, Object, Result};
use kurso_base::ids::{CourseId, EnrollmentId, PageId};
use kurso_core::gradebook;

use crate::context::{self, kurso, viewer};
use crate::cost;
use crate::error::wrap;
use crate::lists::{self, list, window_at};
use crate::types::{GradeDetail, GradeSettings, Gradebook, GradebookRow, GradebookSort, MyGrades};

#[derive(Default)]
pub struct GradebookQuery;

#[Object]
impl GradebookQuery {
    /// The gradebook of a course, for its staff; FORBIDDEN for learners. `gradebookChanged` says when to read it again.
    #[allow(clippy::too_many_arguments, reason = "each is an argument of the field")]
    #[graphql(complexity = "cost::connection(first, child_complexity)")]
    async fn gradebook(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "ID of the course.")] course_id: ID,
        #[graphql(desc = "Words to find in the name or the email address, all of them; at most 255 characters.")]
        search: Option<String>,
        #[graphql(
            desc = "ID of a group: only its students; nobody when the course has no such group. `none`: only students without a group."
        )]
        group_id: Option<ID>,
        #[graphql(desc = "Sort key; equal rows in the order of enrollment.", default)] sort: GradebookSort,
        #[graphql(desc = "Reverses the order.", default)] descending: bool,
        #[graphql(desc = "Rows, at most 1000.", default = 100)] first: Option<i32>,
        #[graphql(desc = "Cursor of the last row already read.")] after: Option<String>,
        #[graphql(
            desc = "Rows to skip from the start, for numbered pages; ignored when `after` is given.",
            default = 0
        )]
        skip: Option<i32>,
    ) -> Result<Gradebook> {
        let viewer = viewer(ctx)?;
        let course: CourseId = context::id(ctx, "course_id", &course_id)?;
        let page = window_at(ctx, first, after, skip)?;
        let query = gradebook::Query {
            search: lists::search(ctx, search)?,
            group: lists::group(ctx, group_id)?,
            order: sort.order(descending),
        };
        let found = gradebook::gradebook(kurso(ctx), viewer, course, &query, page)
            .await
            .map_err(wrap(ctx))?;
        let rows = found.rows.data.into_iter().map(GradebookRow).collect();
        Ok(Gradebook {
            settings: found.setup,
            rows: list(page, found.rows.count, rows),
        })
    }

    /// The settings of a gradebook, for the staff of the course; FORBIDDEN for learners.
    async fn grade_settings(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "ID of the course.")] course_id: ID,
    ) -> Result<GradeSettings> {
        let viewer = viewer(ctx)?;
        let course: CourseId = context::id(ctx, "course_id", &course_id)?;
        let setup = gradebook::setup(kurso(ctx), viewer, course).await.map_err(wrap(ctx))?;
        Ok(setup.into())
    }

    /// A grade of a student with all decisions on it, for the staff of the course; FORBIDDEN for learners.
    async fn grade(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The `id` of a `Student`.")] enrollment_id: ID,
        #[graphql(desc = "A page of the gradebook; null: the grade of the course.")] page_id: Option<ID>,
    ) -> Result<GradeDetail> {
        let viewer = viewer(ctx)?;
        let enrollment: EnrollmentId = context::id(ctx, "enrollment_id", &enrollment_id)?;
        let page: Option<PageId> = page_id.map(|id| context::id(ctx, "page_id", &id)).transpose()?;
        let read = gradebook::read_cell(kurso(ctx), viewer, enrollment, page)
            .await
            .map_err(wrap(ctx))?;
        Ok(read.into())
    }

    /// The grades of the caller in a course that they learn; FORBIDDEN without an enrollment.
    async fn my_grades(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "ID of the course.")] course_id: ID,
    ) -> Result<MyGrades> {
        let viewer = viewer(ctx)?;
        let course: CourseId = context::id(ctx, "course_id", &course_id)?;
        let own = gradebook::own(kurso(ctx), viewer, course).await.map_err(wrap(ctx))?;
        Ok(MyGrades(own))
    }
}
