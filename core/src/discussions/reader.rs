//! Who reads which discussions and posts: pure rules, and the same rules as SQL.

use kurso_base::ids::{GroupId, UserId};
use kurso_db::Sql;

use crate::access::{Right, Role};
use crate::courses::Course;

/// Who reads a discussion besides its author.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum Audience {
    /// All learners of the course, and the staff.
    Course,
    /// The learners of one group, and the staff.
    Group,
    /// The owner and teachers.
    Teachers,
}

impl Audience {
    pub fn name(self) -> &'static str {
        match self {
            Audience::Course => "course",
            Audience::Group => "group",
            Audience::Teachers => "teachers",
        }
    }
}

kurso_base::values::choices! {
    Audience: "course" => Audience::Course, "group" => Audience::Group, "teachers" => Audience::Teachers;
}

/// What a person is in the discussions of a course.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Standing {
    /// Owner and teachers: they read everything, and know who is anonymous.
    Moderator,
    /// Editors: they answer as staff.
    Editor,
    Learner {
        group: Option<GroupId>,
    },
}

/// Somebody who takes part in the discussions of a course.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Reader {
    pub user: UserId,
    pub standing: Standing,
}

/// Whose discussion it is, and for whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scope {
    /// None if the account was deleted.
    pub asker: Option<UserId>,
    pub audience: Audience,
    pub group: Option<GroupId>,
    /// Whether the question is hidden.
    pub is_hidden: bool,
    /// Whether discussions are on in the course and under the page.
    pub is_on: bool,
}

impl Reader {
    /// None for those who take no part.
    pub fn of(course: &Course, user: UserId) -> Option<Self> {
        let standing = match course.role {
            role if role.may(Right::ModerateDiscussions) => Standing::Moderator,
            Role::Editor => Standing::Editor,
            Role::Learner => Standing::Learner {
                group: course.enrollment.as_ref()?.group.as_ref().map(|group| group.id),
            },
            _ => return None,
        };
        Some(Reader { user, standing })
    }

    pub fn is_moderator(&self) -> bool {
        self.standing == Standing::Moderator
    }

    pub fn is_staff(&self) -> bool {
        !matches!(self.standing, Standing::Learner { .. })
    }

    /// Whether the person reads a discussion of a page that they may read.
    pub fn reads(&self, scope: &Scope) -> bool {
        match self.standing {
            Standing::Moderator => true,
            Standing::Editor => scope.audience != Audience::Teachers || scope.asker == Some(self.user),
            Standing::Learner { .. } if !scope.is_on => false,
            Standing::Learner { .. } if scope.asker == Some(self.user) => true,
            Standing::Learner { .. } if scope.is_hidden => false,
            Standing::Learner { group } => match scope.audience {
                Audience::Course => true,
                Audience::Group => group.is_some() && group == scope.group,
                Audience::Teachers => false,
            },
        }
    }

    /// Whether the person reads a post of a discussion that they read.
    pub fn reads_post(&self, author: Option<UserId>, is_hidden: bool) -> bool {
        self.is_staff() || !is_hidden || author == Some(self.user)
    }

    /// Whether the person is told who wrote a post.
    pub fn sees_author(&self, author: Option<UserId>, is_anonymous: bool) -> bool {
        !is_anonymous || self.is_moderator() || author == Some(self.user)
    }

    /// Appends [`Self::reads`] as a condition on discussions `d` with their opening posts `o` and pages `p`.
    pub(super) fn push_reads<'q>(&self, sql: Sql<'q>) -> Sql<'q> {
        let group = match self.standing {
            Standing::Moderator => return sql.push("TRUE"),
            Standing::Editor => {
                let sql = sql.push("(d.audience <> 'teachers' OR o.author_id = ");
                return sql.push_bind(self.user).push(")");
            }
            Standing::Learner { group } => group,
        };
        let sql = sql
            .push(concat!("(", is_on!(), " AND (o.author_id = "))
            .push_bind(self.user);
        let sql = sql.push(" OR (o.hidden_at IS NULL AND (d.audience = 'course'");
        match group {
            None => sql.push("))))"),
            Some(group) => sql
                .push(" OR (d.audience = 'group' AND d.group_id = ")
                .push_bind(group)
                .push(")))))"),
        }
    }
}

/// Whether discussions are on under the page `p`.
macro_rules! is_on {
    () => {
        "(NOT EXISTS (SELECT 1 FROM discussion_settings s WHERE s.course_id = p.course_id AND NOT s.is_on)
          AND NOT EXISTS (SELECT 1 FROM discussion_pages_off f WHERE f.page_id = p.id))"
    };
}
pub(crate) use is_on;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use uuid::Uuid;

    use super::*;

    fn user(number: u128) -> UserId {
        UserId(Uuid::from_u128(number))
    }

    fn group() -> impl Strategy<Value = Option<GroupId>> {
        proptest::option::of((0..3_u128).prop_map(|number| GroupId(Uuid::from_u128(number))))
    }

    prop_compose! {
        fn scope()(
            asker in proptest::option::of(0..3_u128), audience in 0..3_usize, group in group(), is_hidden: bool, is_on: bool
        ) -> Scope {
            let audience = [Audience::Course, Audience::Group, Audience::Teachers][audience];
            let group = group.filter(|_| audience == Audience::Group);
            Scope { asker: asker.map(user), audience, group, is_hidden, is_on }
        }
    }

    fn learner(number: u128, group: Option<GroupId>) -> Reader {
        Reader {
            user: user(number),
            standing: Standing::Learner { group },
        }
    }

    proptest! {
        #[test]
        fn moderators_read_all_and_editors_all_but_private_ones_of_others(scope in scope(), number in 0..3_u128) {
            let reader = |standing| Reader { user: user(number), standing };
            prop_assert!(reader(Standing::Moderator).reads(&scope));
            let is_own = scope.asker == Some(user(number));
            prop_assert_eq!(reader(Standing::Editor).reads(&scope), scope.audience != Audience::Teachers || is_own);
        }

        #[test]
        fn learners_read_their_own_and_what_is_shown_to_them(scope in scope(), number in 0..3_u128, group in group()) {
            let reads = learner(number, group).reads(&scope);
            let is_own = scope.asker == Some(user(number));
            prop_assert_eq!(reads && !scope.is_on, false, "nothing while it is off");
            prop_assert_eq!(reads && scope.is_hidden && !is_own, false, "hidden ones are for their author");
            prop_assert_eq!(reads && scope.audience == Audience::Teachers && !is_own, false, "private ones are for their author");
            prop_assert_eq!(reads && scope.audience == Audience::Group && !is_own && scope.group != group, false, "groups are apart");
            prop_assert_eq!(reads && scope.audience == Audience::Group && !is_own && group.is_none(), false, "nobody reads those of no group");
            if scope.is_on && is_own {
                prop_assert!(reads);
            }
            if scope.is_on && !scope.is_hidden && scope.audience == Audience::Course {
                prop_assert!(reads);
            }
        }

        #[test]
        fn nobody_gains_by_hiding_or_switching_off(scope in scope(), number in 0..3_u128, group in group()) {
            let reader = learner(number, group);
            for less in [Scope { is_hidden: true, ..scope }, Scope { is_on: false, ..scope }] {
                prop_assert!(!reader.reads(&less) || reader.reads(&scope));
            }
        }

        #[test]
        fn anonymous_authors_are_known_to_moderators_and_themselves(author in proptest::option::of(0..3_u128), number in 0..3_u128) {
            let author = author.map(user);
            for standing in [Standing::Editor, Standing::Learner { group: None }] {
                let reader = Reader { user: user(number), standing };
                prop_assert_eq!(reader.sees_author(author, true), author == Some(user(number)));
                prop_assert!(reader.sees_author(author, false));
            }
            let moderator = Reader { user: user(number), standing: Standing::Moderator };
            prop_assert!(moderator.sees_author(author, true));
        }
    }
}
