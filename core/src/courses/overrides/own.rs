//! The overrides of a course as its tree keeps them, and those that concern one person.

use std::collections::HashMap;
use std::sync::Arc;

use kurso_base::ids::{GroupId, UserId};
use kurso_base::schedule::CourseDates;

use super::rows::{Row, TargetId};
use super::{Course, Part};
use crate::courses::tree::Tree;
use crate::schedule::overrides::Override;

/// Where an override is in a tree: a part by its index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    Course,
    Module(usize),
    Lesson(usize),
    Page(usize),
}

/// The overrides of one group or learner, sorted by place.
type Parts = Arc<Vec<(Place, Override)>>;

/// The overrides of a course by whom they are for.
#[derive(Debug, Default)]
pub struct Overrides {
    groups: HashMap<GroupId, Parts>,
    users: HashMap<UserId, Parts>,
    count: usize,
}

impl Overrides {
    /// From the rows of the tree's course. Rows of parts that the tree does not have are omitted.
    pub(in crate::courses) fn of(rows: Vec<Row>, tree: &Tree) -> Self {
        let modules: HashMap<_, _> = tree.modules.iter().enumerate().map(|(i, m)| (m.id, i)).collect();
        let lessons: HashMap<_, _> = tree.lessons.iter().enumerate().map(|(i, l)| (l.id, i)).collect();
        let place = |part| match part {
            Part::Course => Some(Place::Course),
            Part::Module(id) => modules.get(&id).copied().map(Place::Module),
            Part::Lesson(id) => lessons.get(&id).copied().map(Place::Lesson),
            Part::Page(id) => tree.place(id).map(Place::Page),
        };
        let mut targets: HashMap<TargetId, Vec<(Place, Override)>> = HashMap::new();
        for row in rows {
            if let (Some(target), Some(place)) = (row.target(), place(row.part())) {
                targets.entry(target).or_default().push((place, row.values()));
            }
        }
        let mut all = Overrides::default();
        for (target, mut parts) in targets {
            parts.sort_unstable_by_key(|(place, _)| *place);
            all.count += parts.len();
            match target {
                TargetId::Group(id) => all.groups.insert(id, Arc::new(parts)),
                TargetId::User(id) => all.users.insert(id, Arc::new(parts)),
            };
        }
        all
    }

    pub fn len(&self) -> usize {
        self.count
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Whether any learner has one.
    pub(super) fn has_users(&self) -> bool {
        !self.users.is_empty()
    }
}

/// The overrides that concern one person: those of the person, and those of their group.
#[derive(Clone, Debug, Default)]
pub struct Own {
    group: Option<Parts>,
    user: Option<Parts>,
    /// The dates of the course with its override, if it has one.
    course: Option<Arc<CourseDates>>,
}

impl Own {
    /// Those of the viewer of the course, who has none without an enrollment. Staff see the dates of the course, also when they are
    /// enrolled; their attempts are limited as those of other learners.
    pub fn of(course: &Course, tree: &Tree) -> Self {
        let Some(own) = &course.enrollment else {
            return Own::default();
        };
        let found = Self::of_learner(course, tree, own.user_id, own.group.as_ref().map(|group| group.id));
        if course.role.is_staff() {
            found.without_dates()
        } else {
            found
        }
    }

    fn without_dates(self) -> Self {
        let attempts = |parts: Parts| {
            let of = |(place, over): &(Place, Override)| {
                let extra_attempts = over.extra_attempts;
                let kept = Override {
                    extra_attempts,
                    ..Override::default()
                };
                (!kept.is_empty()).then_some((*place, kept))
            };
            let kept: Vec<_> = parts.iter().filter_map(of).collect();
            (!kept.is_empty()).then(|| Arc::new(kept))
        };
        Own {
            group: self.group.and_then(attempts),
            user: self.user.and_then(attempts),
            course: None,
        }
    }

    /// Those of a learner of the course.
    pub fn of_learner(course: &Course, tree: &Tree, user: UserId, group: Option<GroupId>) -> Self {
        let all = &tree.overrides;
        if all.is_empty() {
            return Own::default();
        }
        let mut own = Own {
            group: group.and_then(|group| all.groups.get(&group).cloned()),
            user: all.users.get(&user).cloned(),
            course: None,
        };
        let over = own.at(Place::Course);
        own.course = (!over.is_empty()).then(|| Arc::new(over.course(&course.dates)));
        own
    }

    /// The overrides of a group.
    pub(super) fn of_group(tree: &Tree, group: GroupId) -> Self {
        Own {
            group: tree.overrides.groups.get(&group).cloned(),
            ..Own::default()
        }
    }

    /// The overrides of a learner, without those of the group.
    pub(super) fn of_user(tree: &Tree, user: UserId) -> Self {
        Own {
            user: tree.overrides.users.get(&user).cloned(),
            ..Own::default()
        }
    }

    pub fn is_empty(&self) -> bool {
        self.group.is_none() && self.user.is_none()
    }

    /// Whether there are any for this person alone; otherwise they are those of everybody in the group.
    pub(crate) fn is_personal(&self) -> bool {
        self.user.is_some()
    }

    /// What is overridden at a place: the override of the learner over that of the group.
    pub fn at(&self, place: Place) -> Override {
        let find = |parts: &Option<Parts>| {
            let parts = parts.as_ref()?;
            let found = parts.binary_search_by_key(&place, |(place, _)| *place).ok()?;
            parts.get(found).map(|(_, over)| *over)
        };
        match (find(&self.user), find(&self.group)) {
            (Some(user), Some(group)) => user.over(group),
            (user, group) => user.or(group).unwrap_or_default(),
        }
    }

    /// The dates of the course for the person.
    pub fn course<'a>(&'a self, course: &'a Course) -> &'a CourseDates {
        self.course.as_deref().unwrap_or(&course.dates)
    }
}

#[cfg(test)]
impl Overrides {
    /// Those of one group and one learner, each at any place once.
    pub(in crate::courses) fn of_two(
        (group, of_group): (GroupId, Vec<(Place, Override)>),
        (user, of_user): (UserId, Vec<(Place, Override)>),
    ) -> Self {
        let sorted = |mut parts: Vec<(Place, Override)>| {
            parts.sort_unstable_by_key(|(place, _)| *place);
            Arc::new(parts)
        };
        Overrides {
            count: of_group.len() + of_user.len(),
            groups: HashMap::from([(group, sorted(of_group))]),
            users: HashMap::from([(user, sorted(of_user))]),
        }
    }
}
