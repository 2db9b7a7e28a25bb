//! Groups of a course's learners.

use async_graphql::{Context, ID, InputObject, MaybeUndefined, Object, Result, SimpleObject};
use kurso_base::error::Error;
use kurso_base::ids::{CourseId, GroupId};
use kurso_base::messages::Message;
use kurso_core::courses::groups::{
    self, CreateGroup, ExpectedGroups, MoveByEmail, MoveOutcome, MoveStudents, Moved, UpdateGroup,
};
use serde_json::Value;

use crate::context::{self, kurso, viewer};
use crate::error::wrap;
use crate::input::{command, ids};
use crate::language::say;
use crate::types::{Course, Group, id_of};

#[derive(Default)]
pub struct GroupsMutation;

/// A new group.
#[derive(InputObject)]
pub struct CreateGroupInput {
    /// ID of the course.
    course_id: ID,
    /// 1 to 255 characters.
    title: String,
    /// Index among its siblings, from 0; by default, or beyond the end, the end.
    position: MaybeUndefined<i32>,
}

/// A change of a group. Fields that are left out stay as they are.
#[derive(InputObject)]
pub struct UpdateGroupInput {
    /// ID of the group.
    group_id: ID,
    /// 1 to 255 characters.
    title: MaybeUndefined<String>,
    /// New index among its siblings, from 0; beyond the end: the end.
    position: MaybeUndefined<i32>,
}

/// A group.
#[derive(InputObject)]
pub struct GroupInput {
    /// ID of the group.
    group_id: ID,
}

/// The group in its new state.
#[derive(SimpleObject)]
pub struct GroupPayload {
    /// The group.
    group: Group,
    /// The course with all its groups; null when it was deleted at the same time.
    course: Option<Course>,
}

/// The group was deleted.
#[derive(SimpleObject)]
pub struct DeleteGroupPayload {
    /// ID of the deleted group.
    group_id: ID,
    /// The course with the groups that are left; null when it was deleted at the same time.
    course: Option<Course>,
    /// The result in words, in the language of the request.
    message: String,
}

/// Students to move.
#[derive(InputObject)]
pub struct MoveStudentsInput {
    /// ID of the course.
    course_id: ID,
    /// The `id` of each `Student`, 1 to 1,000.
    enrollment_ids: Vec<ID>,
    /// A group of the course; null: no group. It cannot be left out.
    group_id: MaybeUndefined<ID>,
    /// The group in which the client last saw all of these students; null for none. If one of them is now in another group, other than the new
    /// one, nobody is moved. Without it, a move is never refused as a conflict.
    expected_group_id: MaybeUndefined<ID>,
    /// The group of each of these students when it was read, 1 to 1,000, with the same effect as `expectedGroupId`, for students of several
    /// groups.
    expected_groups: MaybeUndefined<Vec<ExpectedGroupInput>>,
}

/// A student with the group that they were in when it was read.
#[derive(InputObject)]
pub struct ExpectedGroupInput {
    /// The `id` of the `Student`.
    enrollment_id: ID,
    /// ID of the group; null: no group. It cannot be left out.
    group_id: MaybeUndefined<ID>,
}

/// The entry as REST sends it: both APIs have one reader.
fn expected_group(input: ExpectedGroupInput) -> Value {
    let student = (ExpectedGroups::STUDENT, Value::from(input.enrollment_id.0));
    let group = match input.group_id {
        MaybeUndefined::Undefined => None,
        MaybeUndefined::Null => Some(Value::Null),
        MaybeUndefined::Value(id) => Some(id.0.into()),
    };
    let group = group.map(|id| (ExpectedGroups::GROUP, id));
    let fields = [Some(student), group].into_iter().flatten();
    Value::Object(fields.map(|(name, value)| (name.to_owned(), value)).collect())
}

/// The result for each student: every student of the input once, in its order. A conflict is an expected outcome: nobody was moved, and the
/// three lists are empty.
#[derive(SimpleObject)]
pub struct MoveStudentsPayload {
    /// The students who were moved.
    moved: Vec<ID>,
    /// Already in the group.
    unchanged: Vec<ID>,
    /// No students of the course.
    not_found: Vec<ID>,
    /// Why nobody was moved; null when the move was made.
    conflict: Option<MoveConflict>,
    /// The course with its groups; null when it was deleted at the same time.
    course: Option<Course>,
}

/// Somebody else has moved students since their group was read.
#[derive(SimpleObject)]
pub struct MoveConflict {
    /// Why nobody was moved, in the language of the request.
    message: String,
    /// The students who are not in the expected group, with their groups.
    changed: Vec<StudentElsewhere>,
}

/// A student who is in another group than the expected one.
#[derive(SimpleObject)]
pub struct StudentElsewhere {
    /// The `id` of the `Student`.
    enrollment_id: ID,
    /// ID of the group; null for none.
    group_id: Option<ID>,
}

/// Students to move, by their addresses.
#[derive(InputObject)]
pub struct MoveStudentsByEmailInput {
    /// ID of the course.
    course_id: ID,
    /// A text with at most 1,000 email addresses, separated by line breaks, spaces, commas or semicolons. Names around the addresses are
    /// ignored; a line without an address is reported in `notFound`.
    emails: String,
    /// A group of the course; null: no group. It cannot be left out.
    group_id: MaybeUndefined<ID>,
    /// Changes nothing and returns what would change. False by default.
    preview: MaybeUndefined<bool>,
}

/// The result for each address: every address of the input once, as written there and in its order.
#[derive(SimpleObject)]
pub struct MoveStudentsByEmailPayload {
    /// Addresses of the students who were moved.
    moved: Vec<String>,
    /// Of students already in the group.
    unchanged: Vec<String>,
    /// Of no students of the course, and lines without an address.
    not_found: Vec<String>,
    /// The course with its groups; null when it was deleted at the same time.
    course: Option<Course>,
}

impl GroupPayload {
    async fn of(ctx: &Context<'_>, changed: Result<groups::Group, Error>) -> Result<Self> {
        let group = changed.map_err(wrap(ctx))?;
        Ok(GroupPayload {
            course: Course::load_left(ctx, group.course_id).await?,
            group: Group::from(&group),
        })
    }
}

#[Object]
impl GroupsMutation {
    /// Creates a group of a course; CONFLICT when the course has 200. Owner and teachers.
    async fn create_group(&self, ctx: &Context<'_>, input: CreateGroupInput) -> Result<GroupPayload> {
        let viewer = viewer(ctx)?;
        let id: CourseId = context::id(ctx, "course_id", &input.course_id)?;
        let new = command!(
            ctx,
            CreateGroup {
                title: required(input.title),
                position: optional(input.position.take()),
            }
        );
        GroupPayload::of(ctx, groups::create(kurso(ctx), viewer, id, new).await).await
    }

    /// Renames or moves a group. Owner and teachers.
    async fn update_group(&self, ctx: &Context<'_>, input: UpdateGroupInput) -> Result<GroupPayload> {
        let viewer = viewer(ctx)?;
        let id: GroupId = context::id(ctx, "group_id", &input.group_id)?;
        let update = command!(
            ctx,
            UpdateGroup {
                title: given(input.title),
                position: optional(input.position.take()),
            }
        );
        GroupPayload::of(ctx, groups::update(kurso(ctx), viewer, id, update).await).await
    }

    /// Deletes a group. Its learners stay in the course, without a group. Owner and teachers.
    async fn delete_group(&self, ctx: &Context<'_>, input: GroupInput) -> Result<DeleteGroupPayload> {
        let viewer = viewer(ctx)?;
        let id: GroupId = context::id(ctx, "group_id", &input.group_id)?;
        let course = groups::delete(kurso(ctx), viewer, id).await.map_err(wrap(ctx))?;
        Ok(DeleteGroupPayload {
            group_id: id_of(id),
            course: Course::load_left(ctx, course).await?,
            message: say(ctx, Message::GroupDeleted),
        })
    }

    /// Generates a share code of a group, which replaces its current one immediately. Learners who enroll with it join the group. Owner
    /// and teachers.
    async fn generate_group_code(&self, ctx: &Context<'_>, input: GroupInput) -> Result<GroupPayload> {
        let viewer = viewer(ctx)?;
        let id: GroupId = context::id(ctx, "group_id", &input.group_id)?;
        GroupPayload::of(ctx, groups::generate_code(kurso(ctx), viewer, id).await).await
    }

    /// Removes the share code of a group; its learners stay. Owner and teachers.
    async fn remove_group_code(&self, ctx: &Context<'_>, input: GroupInput) -> Result<GroupPayload> {
        let viewer = viewer(ctx)?;
        let id: GroupId = context::id(ctx, "group_id", &input.group_id)?;
        GroupPayload::of(ctx, groups::remove_code(kurso(ctx), viewer, id).await).await
    }

    /// Moves students to a group of the course, or out of their groups, all in one transaction. Owner and teachers.
    async fn move_students(&self, ctx: &Context<'_>, input: MoveStudentsInput) -> Result<MoveStudentsPayload> {
        let viewer = viewer(ctx)?;
        let course: CourseId = context::id(ctx, "course_id", &input.course_id)?;
        let expected = |groups: Vec<_>| Value::from_iter(groups.into_iter().map(expected_group));
        let to = command!(
            ctx,
            MoveStudents {
                enrollment_ids: required(ids(input.enrollment_ids)),
                group_id: nullable(input.group_id.map_value(String::from)),
                expected_group_id: change(input.expected_group_id.map_value(String::from)),
                expected_groups: given(input.expected_groups.map_value(expected)),
            }
        );
        let outcome = groups::move_students(kurso(ctx), viewer, course, to)
            .await
            .map_err(wrap(ctx))?;
        let (result, conflict) = match outcome {
            MoveOutcome::Done(moved) => (moved, None),
            MoveOutcome::Stale(changed) => {
                let changed = changed.into_iter().map(|(student, group)| StudentElsewhere {
                    enrollment_id: id_of(student),
                    group_id: group.map(id_of),
                });
                let conflict = MoveConflict {
                    message: say(ctx, Message::StudentsMovedMeanwhile),
                    changed: changed.collect(),
                };
                let nobody = Moved {
                    moved: vec![],
                    unchanged: vec![],
                    not_found: vec![],
                };
                (nobody, Some(conflict))
            }
        };
        let ids = |list: Vec<_>| list.into_iter().map(id_of).collect();
        Ok(MoveStudentsPayload {
            moved: ids(result.moved),
            unchanged: ids(result.unchanged),
            not_found: ids(result.not_found),
            conflict,
            course: Course::load_left(ctx, course).await?,
        })
    }

    /// Moves students as `moveStudents` does, by the addresses in a pasted text. Owner and teachers.
    async fn move_students_by_email(
        &self,
        ctx: &Context<'_>,
        input: MoveStudentsByEmailInput,
    ) -> Result<MoveStudentsByEmailPayload> {
        let viewer = viewer(ctx)?;
        let course: CourseId = context::id(ctx, "course_id", &input.course_id)?;
        let to = command!(
            ctx,
            MoveByEmail {
                emails: required(input.emails),
                group_id: nullable(input.group_id.map_value(String::from)),
                preview: flag(input.preview, false),
            }
        );
        let result = groups::move_by_email(kurso(ctx), viewer, course, to)
            .await
            .map_err(wrap(ctx))?;
        Ok(MoveStudentsByEmailPayload {
            moved: result.moved,
            unchanged: result.unchanged,
            not_found: result.not_found,
            course: Course::load_left(ctx, course).await?,
        })
    }
}
