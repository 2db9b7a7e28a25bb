//! Request bodies and response schemas for groups.

use kurso_base::ids::{EnrollmentId, GroupId};
use kurso_base::values::{Change, PastedEmails, Position, Several, Title};
use kurso_core::courses::groups::{
    self as core, CreateGroup, ExpectedGroups, MoveByEmail, MoveStudents, Moved, UpdateGroup,
};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa::openapi::schema::Type;
use utoipa::openapi::{RefOr, Schema};
use uuid::Uuid;

use crate::fields::{Field, Flag, Given, Nullable, body, entries_schema, of_type, property};

body! {
    GroupCreate -> CreateGroup {
        title: Title,
        /// Index among its siblings, from 0. Absent or beyond the end: the end.
        position: Option<Position>,
    }

    /// Fields that are absent keep their values.
    GroupUpdate -> UpdateGroup {
        title: Given<Title>,
        /// New index among its siblings, from 0. Beyond the end: the end.
        position: Option<Position>,
    }

    StudentsMove -> MoveStudents {
        /// The `enrollment_id` of each student.
        enrollment_ids: Several<EnrollmentId>,
        /// A group of the course; null: no group.
        group_id: Nullable<GroupId>,
        /// The group in which the client last saw all of these students; null for none. If one of them is now in another group, other than the
        /// new one, nobody is moved (409). Without it, a move is never refused as a conflict.
        expected_group_id: Change<GroupId>,
        /// The group of each of these students when it was read, with the same effect as `expected_group_id`, for students of several groups.
        expected_groups: Given<ExpectedGroups>,
    }

    StudentsMoveByEmail -> MoveByEmail {
        /// A text with at most 1,000 email addresses, separated by line breaks, spaces, commas or semicolons. Names around the
        /// addresses are ignored; a line without an address is reported in `not_found`.
        emails: PastedEmails,
        /// A group of the course; null: no group.
        group_id: Nullable<GroupId>,
        /// Changes nothing and returns what would change.
        preview: Flag<false>,
    }
}

impl Field for ExpectedGroups {
    fn schema() -> RefOr<Schema> {
        entries_schema("ExpectedGroup", Self::MAX)
    }

    fn schemas(to: &mut Vec<(String, RefOr<Schema>)>) {
        let object = of_type(Type::Object)
            .description(Some("A student with the group that they were in when it was read."))
            .property(Self::STUDENT, property::<EnrollmentId>(&[]))
            .property(Self::GROUP, property::<Nullable<GroupId>>(&["Null: no group."]))
            .required(Self::STUDENT)
            .required(Self::GROUP);
        to.push(("ExpectedGroup".to_owned(), object.into()));
    }
}

/// A group of learners of a course.
#[derive(Serialize, ToSchema)]
pub struct Group {
    pub id: Uuid,
    pub course_id: Uuid,
    pub title: String,
    /// Index among its siblings, from 0.
    pub position: i64,
    /// `XXXX-XXXX`. For the owner, editors and teachers, else null; null when there is none.
    #[schema(required)]
    pub share_code: Option<String>,
    /// Number of learners in the group.
    pub students: i64,
}

impl From<core::Group> for Group {
    fn from(group: core::Group) -> Self {
        Group {
            id: group.id.0,
            course_id: group.course_id.0,
            title: group.title,
            position: group.position,
            share_code: group.share_code,
            students: group.students,
        }
    }
}

/// All groups of a course.
#[derive(Serialize, ToSchema)]
pub struct Groups {
    /// In order.
    pub data: Vec<Group>,
    /// Number of groups.
    pub count: usize,
}

impl From<Vec<core::Group>> for Groups {
    fn from(groups: Vec<core::Group>) -> Self {
        Groups {
            count: groups.len(),
            data: groups.into_iter().map(Group::from).collect(),
        }
    }
}

/// The result for each student, by enrollment ID: every student of the request once, in its order.
#[derive(Serialize, ToSchema)]
pub struct MovedStudents {
    pub moved: Vec<Uuid>,
    /// Already in the group.
    pub unchanged: Vec<Uuid>,
    /// No students of the course.
    pub not_found: Vec<Uuid>,
}

impl From<Moved<EnrollmentId>> for MovedStudents {
    fn from(result: Moved<EnrollmentId>) -> Self {
        let ids = |list: Vec<EnrollmentId>| list.into_iter().map(|id| id.0).collect();
        MovedStudents {
            moved: ids(result.moved),
            unchanged: ids(result.unchanged),
            not_found: ids(result.not_found),
        }
    }
}

/// A student who is in another group than the expected one.
#[derive(Serialize, ToSchema)]
pub struct StudentElsewhere {
    pub enrollment_id: Uuid,
    /// Null: no group.
    #[schema(required)]
    pub group_id: Option<Uuid>,
}

impl StudentElsewhere {
    pub fn of((student, group): (EnrollmentId, Option<GroupId>)) -> Self {
        StudentElsewhere {
            enrollment_id: student.0,
            group_id: group.map(|id| id.0),
        }
    }
}

/// Somebody else has moved students since the client read their group. Nobody was moved.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes what `error` writes")]
pub struct MoveConflict {
    detail: String,
    /// The students who are not in the expected group, with their groups.
    changed: Vec<StudentElsewhere>,
}

/// The result for each address: every address of the request once, as written there and in its order.
#[derive(Serialize, ToSchema)]
pub struct MovedEmails {
    pub moved: Vec<String>,
    /// Of students already in the group.
    pub unchanged: Vec<String>,
    /// Of no students of the course, and lines without an address.
    pub not_found: Vec<String>,
}

impl From<Moved<String>> for MovedEmails {
    fn from(result: Moved<String>) -> Self {
        MovedEmails {
            moved: result.moved,
            unchanged: result.unchanged,
            not_found: result.not_found,
        }
    }
}
