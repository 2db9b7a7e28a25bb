//! What the caller keeps of a course.

use async_graphql::{Context, ID, Object, Result};
use kurso_base::ids::CourseId;
use kurso_core::notes::{self, NoteColor as Color, NoteFilter};

use crate::context::{self, kurso, viewer};
use crate::cost;
use crate::error::wrap;
use crate::input::command;
use crate::lists::{list, window};
use crate::types::{CourseNotes, NoteColor, NotedCourse};

#[derive(Default)]
pub struct NotesQuery;

#[Object]
impl NotesQuery {
    /// Courses in which the caller has notes, including those that they have left, at most 500. The course with the most recently changed note comes first.
    #[graphql(complexity = "cost::list(cost::NOTED_COURSES, child_complexity)")]
    async fn noted_courses(&self, ctx: &Context<'_>) -> Result<Vec<NotedCourse>> {
        let found = Box::pin(notes::noted_courses(kurso(ctx), viewer(ctx)?)).await;
        Ok(found.map_err(wrap(ctx))?.into_iter().map(NotedCourse::from).collect())
    }

    /// Notes and bookmarks of the caller in a course, in its order. For everyone who may read the course, and for those who have left it while they
    /// have notes; NOT_FOUND for others. Words of pages that the caller may not read now are withheld.
    #[graphql(complexity = "cost::connection(first, child_complexity)")]
    async fn course_notes(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "ID of the course.")] course_id: ID,
        #[graphql(desc = "Only notes of this color.")] color: Option<NoteColor>,
        #[graphql(desc = "Only notes with these words in their text or quote; at most 200 characters.")] search: Option<
            String,
        >,
        #[graphql(desc = "Rows, at most 100.", default = 20)] first: Option<i32>,
        #[graphql(desc = "Cursor of the last row already read.")] after: Option<String>,
    ) -> Result<CourseNotes> {
        let viewer = viewer(ctx)?;
        let course: CourseId = context::id(ctx, "courseId", &course_id)?;
        let page = window(ctx, first, after)?;
        let color: Option<Color> = color.map(Into::into);
        let filter = command!(
            ctx,
            NoteFilter {
                color: known(color),
                search: optional(search),
            }
        );
        let found = Box::pin(notes::in_course(kurso(ctx), viewer, course, &filter, page)).await;
        let found = found.map_err(wrap(ctx))?;
        let count = found.notes.count;
        Ok(CourseNotes::of(course, found, |rows| list(page, count, rows)))
    }
}
