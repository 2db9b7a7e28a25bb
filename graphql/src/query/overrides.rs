//! Overrides of dates and attempts.

use async_graphql::{Context, ID, InputObject, MaybeUndefined, Object, Result};
use kurso_base::ids::CourseId;
use kurso_core::courses::overrides::{self, TargetFilter, TimesOf};
use serde_json::{Map, Value};

use crate::context::{self, kurso, viewer};
use crate::cost;
use crate::error::wrap;
use crate::input::command;
use crate::lists::{List, list, window};
use crate::types::{OverrideTimes, ScheduleOverride};

#[derive(Default)]
pub struct OverridesQuery;

/// A part of a course, and the group or student of an override of it; everybody without either. Without a module, lesson or page, the part is
/// the course itself.
#[derive(InputObject)]
pub struct OverrideTimesInput {
    /// ID of the course.
    course_id: ID,
    /// A group of the course.
    group_id: Option<ID>,
    /// The `id` of a `Student` of the course.
    enrollment_id: Option<ID>,
    /// A module of the course.
    module_id: Option<ID>,
    /// A lesson of the course.
    lesson_id: Option<ID>,
    /// A page of the course.
    page_id: Option<ID>,
    /// The dates that the override would have instead of the stored one.
    limits: Option<OverrideDatesInput>,
}

/// Dates of an override: those that are left out are inherited, null lifts the limit. A date is a time with its offset, a local time of the
/// course's zone, or a day.
#[derive(InputObject)]
pub struct OverrideDatesInput {
    /// Own start. Of the course itself: its start.
    available_from: MaybeUndefined<String>,
    /// Own end. Of the course itself: its end.
    available_until: MaybeUndefined<String>,
    /// Own due date.
    due_at: MaybeUndefined<String>,
    /// End of late attempts at a quiz page.
    late_until: MaybeUndefined<String>,
}

#[Object]
impl OverridesQuery {
    /// The effective dates of a part of a course, with those inherited from the parts above it: for everybody, for the group of a student, and
    /// for the group or student of an override. Also the parts that end for them before the deadline of the override. FORBIDDEN for learners.
    async fn override_times(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The part, and the group or student of the override.")] of: OverrideTimesInput,
    ) -> Result<OverrideTimes> {
        let viewer = viewer(ctx)?;
        let course: CourseId = context::id(ctx, "course_id", &of.course_id)?;
        let wanted = command!(
            ctx,
            TimesOf {
                group_id: optional(of.group_id.map(String::from)),
                enrollment_id: optional(of.enrollment_id.map(String::from)),
                module_id: optional(of.module_id.map(String::from)),
                lesson_id: optional(of.lesson_id.map(String::from)),
                page_id: optional(of.page_id.map(String::from)),
                limits: optional(of.limits.map(limits)),
            }
        );
        let times = overrides::times(kurso(ctx), viewer, course, wanted)
            .await
            .map_err(wrap(ctx))?;
        Ok(times.into())
    }

    /// Overrides of a course: those of groups in the order of the groups, then those of students, each in the order in which they were made;
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

/// The dates in their REST form, because both APIs share one parser.
fn limits(dates: OverrideDatesInput) -> Value {
    let dates = [
        ("available_from", dates.available_from),
        ("available_until", dates.available_until),
        ("due_at", dates.due_at),
        ("late_until", dates.late_until),
    ];
    let given = dates.into_iter().filter_map(|(name, text)| match text {
        MaybeUndefined::Undefined => None,
        MaybeUndefined::Null => Some((name.to_owned(), Value::Null)),
        MaybeUndefined::Value(text) => Some((name.to_owned(), text.into())),
    });
    Value::Object(given.collect::<Map<_, _>>())
}
