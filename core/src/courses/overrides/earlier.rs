//! What an override does not reach, because something more specific still ends earlier: parts below with their own dates, and learners of a
//! group with an override of their own.

use chrono::{DateTime, Utc};

use kurso_base::error::Result;
use kurso_base::ids::{CourseId, EnrollmentId, GroupId, UserId};
use kurso_db::{Executor, sql};

use super::chain::{Chain, Ends};
use super::{Own, Part, Place, StudentName};
use crate::courses::Course;
use crate::courses::tree::Tree;
use crate::schedule::overrides::Override;

/// The maximum number that is named; the others are counted.
const MOST: usize = 20;

/// What ends earlier, each with the first moment that does: the due date or the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Earlier<T> {
    /// The first [`MOST`].
    pub named: Vec<(T, DateTime<Utc>)>,
    /// The number of all.
    pub count: usize,
}

impl<T> Default for Earlier<T> {
    fn default() -> Self {
        Earlier {
            named: vec![],
            count: 0,
        }
    }
}

impl<T> Earlier<T> {
    fn add(&mut self, what: T, at: DateTime<Utc>) {
        if self.count < MOST {
            self.named.push((what, at));
        }
        self.count += 1;
    }
}

/// The parts below a place with due dates or ends of their own that are earlier than those of the part there, in the order of the course.
pub(super) fn earlier_parts(
    course: &Course,
    tree: &Tree,
    (place, above): (Place, Ends),
    is_due_compared: bool,
    over: impl Fn(Place) -> Override + Copy,
) -> Earlier<Part> {
    let mut found = Earlier::default();
    for below in places_below(tree, place) {
        let chain = Chain::of(course, tree, below);
        if !chain.has_own_end(over(below)) {
            continue;
        }
        if let Some(at) = chain.ends(over).earlier_than(above, is_due_compared) {
            found.add(chain.part(), at);
        }
    }
    found
}

/// The learners of a group for whom the part of the chain still ends earlier than for the group, because of their own overrides; in the order
/// in which they enrolled. One statement, and none if the course has no overrides of learners.
pub(super) async fn earlier_students(
    on: impl Executor,
    (course, tree): (CourseId, &Tree),
    group: GroupId,
    chain: &Chain<'_>,
    is_due_compared: bool,
    of_group: impl Fn(Place) -> Override + Copy,
) -> Result<Earlier<StudentName>> {
    let mut found = Earlier::default();
    if !tree.overrides.has_users() {
        return Ok(found);
    }
    #[derive(sqlx::FromRow)]
    struct Row {
        id: EnrollmentId,
        user_id: UserId,
        full_name: Option<String>,
        email: String,
    }
    let rows = sql!(
        "SELECT e.id, e.user_id, u.full_name, u.email FROM enrollments e JOIN users u ON u.id = e.user_id
         WHERE e.course_id = $1 AND e.group_id = $2
           AND EXISTS (SELECT 1 FROM schedule_overrides o WHERE o.course_id = $1 AND o.user_id = e.user_id)
         ORDER BY e.id",
        course,
        group
    );
    let group_ends = chain.ends(of_group);
    for row in rows.fetch_all::<Row>(on).await? {
        let own = Own::of_user(tree, row.user_id);
        if !chain.is_overridden(|at| own.at(at)) {
            continue;
        }
        let ends = chain.ends(|at| own.at(at).over(of_group(at)));
        if let Some(at) = ends.earlier_than(group_ends, is_due_compared) {
            let student = StudentName {
                enrollment_id: row.id,
                full_name: row.full_name,
                email: row.email,
            };
            found.add(student, at);
        }
    }
    Ok(found)
}

/// The places below one, in the order of the course.
fn places_below(tree: &Tree, place: Place) -> Vec<Place> {
    let lesson = |at: usize| tree.lesson(at).pages.clone().map(Place::Page);
    let lesson_itself = |at: usize| std::iter::once(Place::Lesson(at)).chain(lesson(at));
    let module = |at: usize| tree.module(at).lessons.clone().flat_map(lesson_itself);
    match place {
        Place::Course => {
            let itself = |at: usize| std::iter::once(Place::Module(at)).chain(module(at));
            (0..tree.modules.len()).flat_map(itself).collect()
        }
        Place::Module(at) => module(at).collect(),
        Place::Lesson(at) => lesson(at).collect(),
        Place::Page(_) => vec![],
    }
}
