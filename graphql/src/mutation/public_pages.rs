//! Changes the settings of the public page of a course, and enrolls from it. Covers are uploaded over REST (`upload_cover`), like all files.

use async_graphql::{Context, ID, InputObject, Object, Result, SimpleObject};
use kurso_base::ids::CourseId;
use kurso_core::access::Right;
use kurso_core::courses::visibility::{self, SetVisibility};
use kurso_core::courses::{self, cover};
use kurso_core::learning;

use crate::context::{self, kurso, viewer};
use crate::error::wrap;
use crate::types::{Course, CourseVisibility, Enrollment};

#[derive(Default)]
pub struct PublicPagesMutation;

/// Who sees the public page of a course.
#[derive(InputObject)]
pub struct SetVisibilityInput {
    /// ID of the course.
    course_id: ID,
    /// Who sees it.
    visibility: CourseVisibility,
    /// Whether people may start the course without an account, from its page or with a code. Absent: as before.
    allows_guests: Option<bool>,
}

/// The visibility is set.
#[derive(SimpleObject)]
pub struct SetVisibilityPayload {
    /// The course.
    course: Course,
}

/// A cover to remove.
#[derive(InputObject)]
pub struct RemoveCoverInput {
    /// ID of the course.
    course_id: ID,
}

/// The cover was removed.
#[derive(SimpleObject)]
pub struct RemoveCoverPayload {
    /// The course without a cover.
    course: Course,
}

/// A course with a public page.
#[derive(InputObject)]
pub struct JoinCourseInput {
    /// ID of the course.
    course_id: ID,
}

/// The caller is enrolled.
#[derive(SimpleObject)]
pub struct JoinCoursePayload {
    /// The caller's enrollment in the course.
    enrollment: Option<Enrollment>,
}

#[Object]
impl PublicPagesMutation {
    /// Sets who sees the public page of a course. Owner only, because whoever sees the page can enroll. A superuser may
    /// set PRIVATE without guests.
    async fn set_visibility(&self, ctx: &Context<'_>, input: SetVisibilityInput) -> Result<SetVisibilityPayload> {
        let id: CourseId = context::id(ctx, "course_id", &input.course_id)?;
        let to = SetVisibility {
            visibility: input.visibility.into(),
            allows_guests: input.allows_guests,
        };
        visibility::set(kurso(ctx), viewer(ctx)?, id, to)
            .await
            .map_err(wrap(ctx))?;
        Ok(SetVisibilityPayload {
            course: course(ctx, id).await?,
        })
    }

    /// Removes the cover of a course, if it has one. Owner and editors.
    async fn remove_cover(&self, ctx: &Context<'_>, input: RemoveCoverInput) -> Result<RemoveCoverPayload> {
        let id: CourseId = context::id(ctx, "course_id", &input.course_id)?;
        cover::remove(kurso(ctx), viewer(ctx)?, id).await.map_err(wrap(ctx))?;
        Ok(RemoveCoverPayload {
            course: course(ctx, id).await?,
        })
    }

    /// Enrolls the caller in a course that has a public page. A user who is already enrolled gets the existing enrollment. NOT_FOUND for
    /// other courses; CLOSED for a newcomer after the end of enrollment.
    async fn join_course(&self, ctx: &Context<'_>, input: JoinCourseInput) -> Result<JoinCoursePayload> {
        let id: CourseId = context::id(ctx, "course_id", &input.course_id)?;
        let row = learning::join_course(kurso(ctx), viewer(ctx)?, id)
            .await
            .map_err(wrap(ctx))?;
        Ok(JoinCoursePayload {
            enrollment: Enrollment::of(Course::from_row(row)),
        })
    }
}

async fn course(ctx: &Context<'_>, id: CourseId) -> Result<Course> {
    let course = courses::find(&kurso(ctx).db, viewer(ctx)?, id, Right::Read).await;
    Ok(Course::from_row(course.map_err(wrap(ctx))?))
}
