//! Mutations of courses.

use async_graphql::{Context, ID, InputObject, MaybeUndefined, Object, Result, SimpleObject};
use kurso_base::ids::CourseId;
use kurso_base::messages::Message;
use kurso_core::courses;
use kurso_core::courses::course::{self, CreateCourse, UpdateCourse};
use kurso_core::courses::duplicate::{self, DuplicateCourse};
use kurso_core::learning::view::CourseView;

use super::expected_dates::ExpectedDatesInput;
use crate::context::{self, kurso, viewer};
use crate::cost;
use crate::error::wrap;
use crate::input::command;
use crate::language::say;
use crate::types::{Course, View};

#[derive(Default)]
pub struct CoursesMutation;

/// A new course.
#[derive(InputObject)]
pub struct CreateCourseInput {
    /// 1 to 255 characters.
    title: String,
    /// At most 10,000 characters.
    description: MaybeUndefined<String>,
    /// A time with its offset (`2026-09-01T10:00:00+03:00`), a local time of the course's zone (`2026-09-01T10:00`) or a
    /// day, which begins at 00:00.
    starts_at: MaybeUndefined<String>,
    /// A time with its offset (`2026-09-01T10:00:00+03:00`), a local time of the course's zone (`2026-09-01T10:00`) or a
    /// day, which ends at 23:59.
    ends_at: MaybeUndefined<String>,
    /// End of enrollment by share code, as `endsAt`.
    enroll_until: MaybeUndefined<String>,
    /// IANA name of the zone of local times; null means UTC. Stored dates stay the moments that they are.
    time_zone: MaybeUndefined<String>,
    /// Whether learners see no titles of what is locked for them; false by default.
    hide_locked_titles: MaybeUndefined<bool>,
    /// Whether each lesson opens for a learner when the one before it is complete.
    sequential: MaybeUndefined<bool>,
}

/// The course was created.
#[derive(SimpleObject)]
pub struct CreateCoursePayload {
    /// The new course.
    course: Course,
}

/// Absent fields keep their values.
#[derive(InputObject)]
pub struct UpdateCourseInput {
    /// ID of the course.
    course_id: ID,
    /// 1 to 255 characters; may not be null.
    title: MaybeUndefined<String>,
    /// At most 10,000 characters; null clears it.
    description: MaybeUndefined<String>,
    /// A time with its offset (`2026-09-01T10:00:00+03:00`), a local time of the course's zone (`2026-09-01T10:00`) or a
    /// day, which begins at 00:00. Null clears it.
    starts_at: MaybeUndefined<String>,
    /// A time with its offset (`2026-09-01T10:00:00+03:00`), a local time of the course's zone (`2026-09-01T10:00`) or a
    /// day, which ends at 23:59. Null clears it.
    ends_at: MaybeUndefined<String>,
    /// End of enrollment by share code, as `endsAt`.
    enroll_until: MaybeUndefined<String>,
    /// IANA name of the zone of local times; null means UTC. Stored dates stay the moments that they are.
    time_zone: MaybeUndefined<String>,
    /// Whether learners see no titles of what is locked for them; false by default.
    hide_locked_titles: MaybeUndefined<bool>,
    /// Whether each lesson opens for a learner when the one before it is complete.
    sequential: MaybeUndefined<bool>,
    /// The dates that the change is based on; CONFLICT if others are stored. Without it, the change of dates never conflicts.
    expected_dates: Option<ExpectedDatesInput>,
}

/// The course was changed.
#[derive(SimpleObject)]
pub struct UpdateCoursePayload {
    /// The course as it is now.
    course: Course,
}

/// A course to delete.
#[derive(InputObject)]
pub struct DeleteCourseInput {
    /// ID of the course.
    course_id: ID,
}

/// The course was deleted.
#[derive(SimpleObject)]
pub struct DeleteCoursePayload {
    /// The deleted course.
    course_id: ID,
    /// The result in words, in the language of the request.
    message: String,
}

/// A course to copy.
#[derive(InputObject)]
pub struct DuplicateCourseInput {
    /// ID of the course.
    course_id: ID,
    /// By how many days all dates of the copy move, from -3660 to 3660; the times of day in the course's time zone stay. Default: 0.
    shift_days: Option<i32>,
}

/// The course was copied.
#[derive(SimpleObject)]
pub struct DuplicateCoursePayload {
    /// The copy.
    course: Course,
}

#[Object]
impl CoursesMutation {
    /// Creates an empty course that belongs to the caller. Any active user may create courses.
    async fn create_course(&self, ctx: &Context<'_>, input: CreateCourseInput) -> Result<CreateCoursePayload> {
        let viewer = viewer(ctx)?;
        let new = command!(
            ctx,
            CreateCourse {
                title: required(input.title),
                description: optional(input.description.take()),
                starts_at: optional(input.starts_at.take()),
                ends_at: optional(input.ends_at.take()),
                enroll_until: optional(input.enroll_until.take()),
                time_zone: optional(input.time_zone.take()),
                hide_locked_titles: given(input.hide_locked_titles),
                sequential: given(input.sequential),
            }
        );
        let made = course::create(kurso(ctx), viewer, new).await.map_err(wrap(ctx))?;
        Ok(CreateCoursePayload {
            course: with_tree(ctx, made).await?,
        })
    }

    /// Changes the fields that are present. Owner and editors.
    async fn update_course(&self, ctx: &Context<'_>, input: UpdateCourseInput) -> Result<UpdateCoursePayload> {
        let viewer = viewer(ctx)?;
        let id: CourseId = context::id(ctx, "course_id", &input.course_id)?;
        let update = command!(
            ctx,
            UpdateCourse {
                title: given(input.title),
                description: change(input.description),
                starts_at: change(input.starts_at),
                ends_at: change(input.ends_at),
                enroll_until: change(input.enroll_until),
                time_zone: change(input.time_zone),
                hide_locked_titles: given(input.hide_locked_titles),
                sequential: given(input.sequential),
                expected_dates: optional(input.expected_dates),
            }
        );
        let changed = course::update(kurso(ctx), viewer, id, update)
            .await
            .map_err(wrap(ctx))?;
        Ok(UpdateCoursePayload {
            course: with_tree(ctx, changed).await?,
        })
    }

    /// Deletes a course with everything in it, including the progress of its learners. Owner and superusers.
    async fn delete_course(&self, ctx: &Context<'_>, input: DeleteCourseInput) -> Result<DeleteCoursePayload> {
        let viewer = viewer(ctx)?;
        let id: CourseId = context::id(ctx, "course_id", &input.course_id)?;
        course::delete(kurso(ctx), viewer, id).await.map_err(wrap(ctx))?;
        Ok(DeleteCoursePayload {
            course_id: ID(id.to_string()),
            message: say(ctx, Message::CourseDeleted),
        })
    }

    /// Makes a deep copy that belongs to the caller, without students and share code; ` (копия)` is added to its title. Owner
    /// and editors.
    #[graphql(complexity = "cost::COPY_OF_COURSE + child_complexity")]
    async fn duplicate_course(&self, ctx: &Context<'_>, input: DuplicateCourseInput) -> Result<DuplicateCoursePayload> {
        let viewer = viewer(ctx)?;
        let id: CourseId = context::id(ctx, "course_id", &input.course_id)?;
        let how = command!(
            ctx,
            DuplicateCourse {
                shift_days: optional(input.shift_days),
            }
        );
        let copy = duplicate::course(kurso(ctx), viewer, id, how)
            .await
            .map_err(wrap(ctx))?;
        Ok(DuplicateCoursePayload {
            course: with_tree(ctx, copy).await?,
        })
    }
}

/// The course with its tree and progress, which are read once for all fields of the response.
async fn with_tree(ctx: &Context<'_>, course: courses::Course) -> Result<Course> {
    let view = CourseView::of(kurso(ctx), course).await.map_err(wrap(ctx))?;
    Ok(Course::from_view(&View::new(view)))
}
