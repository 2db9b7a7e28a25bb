//! Queries for courses and their content.

use async_graphql::{Context, ID, Object, Result};
use kurso_base::ids::{CourseId, EnrollmentId, LessonId, ModuleId, PageId};
use kurso_base::pagination::Listed;
use kurso_core::access::Right;
use kurso_core::content_search;
use kurso_core::courses;
use kurso_core::finding;
use kurso_core::students;

use crate::context::{self, kurso, viewer};
use crate::cost;
use crate::error::wrap;
use crate::lists::{self, List, list, window, window_at};
use crate::types::{ContentMatch, Course, Enrollment, Found, Lesson, Module, Page, StudentProgress};

#[derive(Default)]
pub struct CoursesQuery;

#[Object]
impl CoursesQuery {
    /// A course that the caller teaches or learns; NOT_FOUND for others, whether it exists or not.
    async fn course(&self, ctx: &Context<'_>, #[graphql(desc = "ID of the course.")] id: ID) -> Result<Course> {
        let viewer = viewer(ctx)?;
        let id: CourseId = context::id(ctx, "id", &id)?;
        let row = courses::find(&kurso(ctx).db, viewer, id, Right::Read)
            .await
            .map_err(wrap(ctx))?;
        Ok(Course::from_row(row))
    }

    /// A page. Learners read published pages of courses they are enrolled in, staff all pages.
    async fn page(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "ID of the page.")] id: ID,
        #[graphql(
            desc = "True: the page and the others of its course have their unpublished changes in place of what learners see. FORBIDDEN for callers who may not edit.",
            default = false
        )]
        drafts: bool,
    ) -> Result<Page> {
        viewer(ctx)?;
        let id: PageId = context::id(ctx, "id", &id)?;
        match drafts {
            true => Page::load_drafted(ctx, id).await,
            false => Page::load(ctx, id).await,
        }
    }

    /// A module of a course that the caller teaches or learns.
    async fn module(&self, ctx: &Context<'_>, #[graphql(desc = "ID of the module.")] id: ID) -> Result<Module> {
        viewer(ctx)?;
        let id: ModuleId = context::id(ctx, "id", &id)?;
        Module::load(ctx, id).await
    }

    /// A lesson of a course that the caller teaches or learns.
    async fn lesson(&self, ctx: &Context<'_>, #[graphql(desc = "ID of the lesson.")] id: ID) -> Result<Lesson> {
        viewer(ctx)?;
        let id: LessonId = context::id(ctx, "id", &id)?;
        Lesson::load(ctx, id).await
    }

    /// Courses where the caller is owner, editor or teacher, newest change first.
    #[graphql(complexity = "cost::connection(first, child_complexity)")]
    async fn my_courses(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Rows, at most 1000.", default = 100)] first: Option<i32>,
        #[graphql(desc = "Cursor of the last row already read.")] after: Option<String>,
    ) -> Result<List<Course>> {
        let viewer = viewer(ctx)?;
        let page = window(ctx, first, after)?;
        let found = courses::taught_by(&kurso(ctx).db, viewer, page)
            .await
            .map_err(wrap(ctx))?;
        Ok(list(page, found.count, Course::list(found.data)))
    }

    /// All courses, newest change first; superusers only.
    #[graphql(complexity = "cost::connection(first, child_complexity)")]
    async fn all_courses(
        &self,
        ctx: &Context<'_>,
        #[graphql(
            desc = "Words to find in the title, the owner's name or email address, all of them; at most 255 characters."
        )]
        search: Option<String>,
        #[graphql(desc = "Rows, at most 1000.", default = 100)] first: Option<i32>,
        #[graphql(desc = "Cursor of the last row already read.")] after: Option<String>,
        #[graphql(
            desc = "Rows to skip from the start, for numbered pages; ignored when `after` is given.",
            default = 0
        )]
        skip: Option<i32>,
    ) -> Result<List<Course>> {
        let viewer = viewer(ctx)?;
        viewer.require_superuser().map_err(wrap(ctx))?;
        let (page, search) = (window_at(ctx, first, after, skip)?, lists::search(ctx, search)?);
        let found = courses::everywhere(&kurso(ctx).db, viewer, &search, page)
            .await
            .map_err(wrap(ctx))?;
        Ok(list(page, found.count, Course::list(found.data)))
    }

    /// Searches courses, lessons and pages that the caller teaches or learns by title: all words occur in the title or in those of the
    /// lesson, module or course above, at least one in the title itself. Best match first; without words, all courses,
    /// latest activity first.
    #[graphql(complexity = "cost::connection(first, child_complexity)")]
    async fn search(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "At most 255 characters.")] text: Option<String>,
        #[graphql(desc = "Rows, at most 1000.", default = 100)] first: Option<i32>,
        #[graphql(desc = "Cursor of the last row already read.")] after: Option<String>,
    ) -> Result<List<Found>> {
        let viewer = viewer(ctx)?;
        let (page, search) = (window(ctx, first, after)?, lists::search(ctx, text)?);
        let found = finding::search(kurso(ctx), viewer, &search, page)
            .await
            .map_err(wrap(ctx))?;
        Ok(list(page, found.count, found.data.into_iter().map(Found::of).collect()))
    }

    /// Searches the texts of all pages that the caller may read now, and of the banks' questions for staff: titles, text, captions, code
    /// and prompts of questions. Finds other forms of a word, the beginning of the last word, and words with one wrong letter if there is
    /// no better match. Best match first; blank text finds nothing.
    #[graphql(complexity = "cost::connection(first, child_complexity)")]
    async fn search_content(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Words to find; at most 255 characters.")] text: String,
        #[graphql(desc = "Finds pages of this course only, and no bank questions.")] course_id: Option<ID>,
        #[graphql(desc = "Rows, at most 100.", default = 20)] first: Option<i32>,
        #[graphql(desc = "Cursor of the last row already read.")] after: Option<String>,
    ) -> Result<List<ContentMatch>> {
        let viewer = viewer(ctx)?;
        let (page, text) = (window(ctx, first, after)?, lists::search_text(ctx, "text", text)?);
        let course = course_id.map(|id| context::id(ctx, "courseId", &id)).transpose()?;
        let found = content_search::search(kurso(ctx), viewer, &text, course, page)
            .await
            .map_err(wrap(ctx))?;
        let nodes = found.data.into_iter().map(ContentMatch::of).collect();
        Ok(list(page, found.count, nodes))
    }

    /// Activity of a student, for staff of the course; NOT_FOUND for users without a role in the course, FORBIDDEN for
    /// learners.
    async fn enrollment(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The `id` of a `Student`.")] id: ID,
    ) -> Result<StudentProgress> {
        let viewer = viewer(ctx)?;
        let id: EnrollmentId = context::id(ctx, "id", &id)?;
        let detail = students::detail(kurso(ctx), viewer, id).await.map_err(wrap(ctx))?;
        Ok(StudentProgress::of(detail))
    }

    /// The caller's enrollments, latest activity first.
    #[graphql(complexity = "cost::connection(first, child_complexity)")]
    async fn my_enrollments(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Rows, at most 1000.", default = 100)] first: Option<i32>,
        #[graphql(desc = "Cursor of the last row already read.")] after: Option<String>,
    ) -> Result<List<Enrollment>> {
        let viewer = viewer(ctx)?;
        let page = window(ctx, first, after)?;
        let Listed { data, count } = courses::learnt_by(&kurso(ctx).db, viewer, page)
            .await
            .map_err(wrap(ctx))?;
        Ok(list(
            page,
            count,
            Course::list(data).into_iter().filter_map(Enrollment::of).collect(),
        ))
    }
}
