use async_graphql::{ID, SimpleObject};
use kurso_core::courses::groups::{self, GroupName};

use super::{id_of, int};

/// A group of learners of a course, as its staff see it.
#[derive(Clone, SimpleObject)]
pub struct Group {
    /// Unique ID.
    id: ID,
    /// 1 to 255 characters.
    title: String,
    /// Index among its siblings, from 0.
    position: i32,
    /// Code by which learners enroll and join the group, `XXXX-XXXX`. For the owner, editors and teachers, else null; null when there is
    /// none.
    share_code: Option<String>,
    /// Number of learners in the group.
    students_count: i32,
}

impl From<&groups::Group> for Group {
    fn from(group: &groups::Group) -> Self {
        Group {
            id: id_of(group.id),
            title: group.title.clone(),
            position: int(group.position),
            share_code: group.share_code.clone(),
            students_count: int(group.students),
        }
    }
}

/// The group of a student.
#[derive(Clone, SimpleObject)]
pub struct StudentGroup {
    /// ID of the `Group`.
    id: ID,
    /// 1 to 255 characters.
    title: String,
}

impl From<&GroupName> for StudentGroup {
    fn from(group: &GroupName) -> Self {
        StudentGroup {
            id: id_of(group.id),
            title: group.title.clone(),
        }
    }
}
