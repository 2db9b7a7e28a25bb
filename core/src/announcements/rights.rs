//! Who may read an announcement. Pure.

use kurso_base::error::{Error, Result};
use kurso_base::ids::GroupId;
use kurso_base::messages::Message;

use crate::access::{Right, Role};
use crate::courses::Course;

/// The role and group of a person in a course.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Reader {
    pub role: Role,
    pub group: Option<GroupId>,
}

impl Reader {
    pub fn of(course: &Course) -> Self {
        let enrollment = course.enrollment.as_ref();
        Reader {
            role: course.role,
            group: enrollment.and_then(|enrollment| Some(enrollment.group.as_ref()?.id)),
        }
    }

    /// Whether the person writes announcements, and therefore sees scheduled ones.
    pub fn can_write(self) -> bool {
        self.role.may(Right::ManageStudents)
    }

    /// Whether the person may read an announcement for this group, or for the whole course if it is None. Staff read the announcements of all groups.
    pub fn may_read(self, to: Option<GroupId>, is_published: bool) -> bool {
        let is_addressed = self.role.is_staff() || to.is_none() || to == self.group;
        is_addressed && (is_published || self.can_write())
    }

    /// Requires the right to change an announcement. Fails with 404 if the person may not read it, and with 403 if they may only read it.
    pub fn require_write(self, to: Option<GroupId>, is_published: bool) -> Result<()> {
        if !self.may_read(to, is_published) {
            return Err(Error::NotFound(Message::AnnouncementNotFound));
        }
        crate::access::require(self.role, Right::ManageStudents)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use uuid::Uuid;

    use super::*;

    const ROLES: [Role; 6] = [
        Role::Owner,
        Role::Editor,
        Role::Teacher,
        Role::Reviewer,
        Role::Admin,
        Role::Learner,
    ];

    fn group(number: u128) -> Option<GroupId> {
        (number > 0).then(|| GroupId(Uuid::from_u128(number)))
    }

    proptest! {
        #[test]
        fn only_those_addressed_learn_of_an_announcement(
            role in 0..ROLES.len(), own in 0..3_u128, to in 0..3_u128, is_published: bool
        ) {
            let reader = Reader { role: ROLES[role], group: group(own) };
            let writes = matches!(reader.role, Role::Owner | Role::Teacher);
            let expected = match reader.role {
                Role::Owner | Role::Teacher => true,
                Role::Editor | Role::Reviewer | Role::Admin => is_published,
                Role::Learner => is_published && (to == 0 || to == own),
            };
            prop_assert_eq!(reader.may_read(group(to), is_published), expected);
            prop_assert_eq!(reader.can_write(), writes);
            match reader.require_write(group(to), is_published) {
                Ok(()) => prop_assert!(writes),
                Err(Error::NotFound(_)) => prop_assert!(!expected),
                Err(Error::Forbidden(_)) => prop_assert!(expected && !writes),
                Err(error) => prop_assert!(false, "{error}"),
            }
        }
    }
}
