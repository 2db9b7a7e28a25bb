//! Positions of siblings: 0-based and dense after every insertion, move and deletion.
//!
//! A change costs one UPDATE of a range per parent, never one per row. Callers must hold the lock on the course's structure
//! (`courses::begin`), which serialises concurrent moves.

use uuid::Uuid;

use kurso_base::error::{Error, Result};
use kurso_base::ids::{CourseId, LessonId, ModuleId};
use kurso_base::messages::Message;
use kurso_db::Tx;
use kurso_db::sql;

/// The children of one parent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Siblings {
    Modules(CourseId),
    Lessons(ModuleId),
    Pages(LessonId),
    Groups(CourseId),
    GradeCategories(CourseId),
}

/// A shift of the siblings at positions `first..=last` by `by`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Shift {
    first: i64,
    last: i64,
    by: i64,
}

impl Shift {
    /// Frees `position`.
    fn open(position: i64) -> Self {
        Shift {
            first: position,
            last: i64::MAX,
            by: 1,
        }
    }

    /// Closes the gap at `position`.
    fn close(position: i64) -> Self {
        Shift {
            first: position.saturating_add(1),
            last: i64::MAX,
            by: -1,
        }
    }

    /// The shift of the other siblings when one moves from `from` to `to`.
    fn within(from: i64, to: i64) -> Option<Self> {
        match from.cmp(&to) {
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Less => Some(Shift {
                first: from + 1,
                last: to,
                by: -1,
            }),
            std::cmp::Ordering::Greater => Some(Shift {
                first: to,
                last: from - 1,
                by: 1,
            }),
        }
    }
}

/// The position among `others` siblings: the end if none is requested or it is too large.
fn place(wanted: Option<i64>, others: i64) -> i64 {
    wanted.unwrap_or(others).clamp(0, others)
}

/// Frees a position for a new child and returns it. Fails with 404 if the parent does not belong to the course.
pub(crate) async fn make_room(tx: &mut Tx, course: CourseId, siblings: Siblings, wanted: Option<i64>) -> Result<i64> {
    let position = free(tx, course, siblings, wanted).await?;
    position.ok_or(Error::NotFound(siblings.parent_not_found()))
}

/// As [`make_room`]; None if the parent does not belong to the course.
async fn free(tx: &mut Tx, course: CourseId, siblings: Siblings, wanted: Option<i64>) -> Result<Option<i64>> {
    let Some(others) = siblings.count(tx, course).await? else {
        return Ok(None);
    };
    let position = place(wanted, others);
    if position < others {
        siblings.shift(tx, Shift::open(position)).await?;
    }
    Ok(Some(position))
}

/// Closes the gap of a child that was deleted at `position`.
pub(crate) async fn close_gap(tx: &mut Tx, siblings: Siblings, position: i64) -> Result<()> {
    siblings.shift(tx, Shift::close(position)).await
}

/// Shifts the siblings of a child that moves, and returns its new position, which the caller writes. Without a requested position
/// the child stays where it is, or is appended to the new parent. None if the new parent does not belong to the course.
pub(crate) async fn move_child(
    tx: &mut Tx,
    course: CourseId,
    (from, at): (Siblings, i64),
    to: Siblings,
    wanted: Option<i64>,
) -> Result<Option<i64>> {
    if from != to {
        let position = free(tx, course, to, wanted).await?;
        if position.is_some() {
            close_gap(tx, from, at).await?;
        }
        return Ok(position);
    }
    let Some(wanted) = wanted else { return Ok(Some(at)) };
    let Some(all) = to.count(tx, course).await? else {
        return Ok(None);
    };
    let position = place(Some(wanted), all.saturating_sub(1));
    if let Some(shift) = Shift::within(at, position) {
        to.shift(tx, shift).await?;
    }
    Ok(Some(position))
}

impl Siblings {
    fn parent(self) -> Uuid {
        match self {
            Siblings::Modules(course) | Siblings::Groups(course) | Siblings::GradeCategories(course) => course.0,
            Siblings::Lessons(module) => module.0,
            Siblings::Pages(lesson) => lesson.0,
        }
    }

    fn parent_not_found(self) -> Message {
        match self {
            Siblings::Modules(_) | Siblings::Groups(_) | Siblings::GradeCategories(_) => Message::CourseNotFound,
            Siblings::Lessons(_) => Message::ModuleNotFound,
            Siblings::Pages(_) => Message::LessonNotFound,
        }
    }

    /// The number of children; None if the parent does not belong to the course.
    async fn count(self, tx: &mut Tx, course: CourseId) -> Result<Option<i64>> {
        let text = match self {
            Siblings::Modules(_) => {
                "SELECT (SELECT COUNT(*) FROM modules m WHERE m.course_id = c.id) FROM courses c
                 WHERE c.id = $1 AND c.id = $2"
            }
            Siblings::Lessons(_) => {
                "SELECT (SELECT COUNT(*) FROM lessons l WHERE l.module_id = m.id) FROM modules m
                 WHERE m.id = $1 AND m.course_id = $2"
            }
            Siblings::Pages(_) => {
                "SELECT (SELECT COUNT(*) FROM pages p WHERE p.lesson_id = l.id) FROM lessons l
                 WHERE l.id = $1 AND l.course_id = $2"
            }
            Siblings::Groups(_) => {
                "SELECT (SELECT COUNT(*) FROM groups g WHERE g.course_id = c.id) FROM courses c
                 WHERE c.id = $1 AND c.id = $2"
            }
            Siblings::GradeCategories(_) => {
                "SELECT (SELECT COUNT(*) FROM grade_categories g WHERE g.course_id = c.id) FROM courses c
                 WHERE c.id = $1 AND c.id = $2"
            }
        };
        let count = sql!(text, self.parent(), course).fetch_optional::<(i64,)>(tx).await?;
        Ok(count.map(|(count,)| count))
    }

    async fn shift(self, tx: &mut Tx, shift: Shift) -> Result<()> {
        let text = match self {
            Siblings::Modules(_) => {
                "UPDATE modules SET position = position + $4 WHERE course_id = $1 AND position BETWEEN $2 AND $3"
            }
            Siblings::Lessons(_) => {
                "UPDATE lessons SET position = position + $4 WHERE module_id = $1 AND position BETWEEN $2 AND $3"
            }
            Siblings::Pages(_) => {
                "UPDATE pages SET position = position + $4 WHERE lesson_id = $1 AND position BETWEEN $2 AND $3"
            }
            Siblings::Groups(_) => {
                "UPDATE groups SET position = position + $4 WHERE course_id = $1 AND position BETWEEN $2 AND $3"
            }
            Siblings::GradeCategories(_) => {
                "UPDATE grade_categories SET position = position + $4 WHERE course_id = $1 AND position BETWEEN $2 AND $3"
            }
        };
        sql!(text, self.parent(), shift.first, shift.last, shift.by)
            .execute(tx)
            .await?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::courses::{Scope, begin};

    /// Rows as in the database, in any order: a name, a parent, a position.
    #[derive(Clone, Debug, Default)]
    struct Rows(Vec<(usize, usize, i64)>);

    impl Rows {
        fn count(&self, parent: usize) -> i64 {
            self.0.iter().filter(|row| row.1 == parent).count() as i64
        }

        fn shift(&mut self, parent: usize, shift: Shift) {
            for row in self.0.iter_mut().filter(|row| row.1 == parent) {
                if (shift.first..=shift.last).contains(&row.2) {
                    row.2 += shift.by;
                }
            }
        }

        fn insert(&mut self, name: usize, parent: usize, wanted: Option<i64>) {
            let position = place(wanted, self.count(parent));
            self.shift(parent, Shift::open(position));
            self.0.push((name, parent, position));
        }

        fn remove(&mut self, index: usize) {
            let (_, parent, position) = self.0.remove(index);
            self.shift(parent, Shift::close(position));
        }

        fn go(&mut self, index: usize, parent: usize, wanted: Option<i64>) {
            let (_, from, at) = self.0[index];
            let position = if from == parent {
                let position = wanted.map_or(at, |wanted| place(Some(wanted), self.count(parent) - 1));
                if let Some(shift) = Shift::within(at, position) {
                    self.shift(parent, shift);
                }
                position
            } else {
                let position = place(wanted, self.count(parent));
                self.shift(parent, Shift::open(position));
                self.shift(from, Shift::close(at));
                position
            };
            self.0[index].1 = parent;
            self.0[index].2 = position;
        }

        /// The names below each parent in order; positions must be dense.
        fn lists(&self) -> Vec<Vec<usize>> {
            (0..PARENTS)
                .map(|parent| {
                    let mut rows: Vec<_> = self.0.iter().filter(|row| row.1 == parent).collect();
                    rows.sort_by_key(|row| row.2);
                    assert!(rows.iter().enumerate().all(|(i, row)| row.2 == i as i64), "{rows:?}");
                    rows.iter().map(|row| row.0).collect()
                })
                .collect()
        }
    }

    const PARENTS: usize = 3;

    #[derive(Clone, Debug)]
    enum Step {
        Insert(usize, Option<i64>),
        Remove(prop::sample::Index),
        Move(prop::sample::Index, usize, Option<i64>),
    }

    fn step() -> impl Strategy<Value = Step> {
        let wanted = || prop::option::of(prop_oneof![0..8i64, Just(i64::MAX)]);
        prop_oneof![
            3 => (0..PARENTS, wanted()).prop_map(|(parent, at)| Step::Insert(parent, at)),
            1 => any::<prop::sample::Index>().prop_map(Step::Remove),
            4 => (any::<prop::sample::Index>(), 0..PARENTS, wanted()).prop_map(|(which, to, at)| Step::Move(which, to, at)),
        ]
    }

    proptest! {
        /// Shifting ranges has the same result as removing from a list and inserting into one.
        #[test]
        fn shifting_positions_equals_moving_list_entries(steps in prop::collection::vec(step(), 0..60)) {
            let mut rows = Rows::default();
            let mut model: Vec<Vec<usize>> = vec![vec![]; PARENTS];
            for (name, step) in steps.into_iter().enumerate() {
                let whole = rows.0.len();
                match step {
                    Step::Insert(parent, wanted) => {
                        rows.insert(name, parent, wanted);
                        let list = &mut model[parent];
                        let at = wanted.map_or(list.len(), |w| list.len().min(w as usize));
                        list.insert(at, name);
                    }
                    Step::Remove(which) if whole > 0 => {
                        let index = which.index(whole);
                        let name = rows.0[index].0;
                        rows.remove(index);
                        model.iter_mut().for_each(|list| list.retain(|n| *n != name));
                    }
                    Step::Move(which, parent, wanted) if whole > 0 => {
                        let index = which.index(whole);
                        let (name, from, at) = rows.0[index];
                        rows.go(index, parent, wanted);
                        let stays = if from == parent { Some(at as usize) } else { None };
                        model[from].retain(|n| *n != name);
                        let list = &mut model[parent];
                        let at = match wanted {
                            Some(wanted) => list.len().min(wanted as usize),
                            None => stays.unwrap_or(list.len()),
                        };
                        list.insert(at, name);
                    }
                    _ => {}
                }
                prop_assert_eq!(rows.lists(), model.clone());
            }
        }
    }

    crate::both! {
        async fn a_parent_of_another_course_is_not_found(kurso: TestKurso) {
            let owner = kurso.person("owner").await;
            let [course, other] = [kurso.course(&owner, &[&[&[]]]).await, kurso.course(&owner, &[&[&[]]]).await];
            let (module, lesson) = sql!("SELECT m.id, l.id FROM modules m JOIN lessons l ON l.module_id = m.id WHERE m.course_id = $1", other)
                .fetch_one::<(ModuleId, LessonId)>(&kurso.db)
                .await
                .unwrap();
            let mut tx = begin(&kurso.db, course, Scope::Unchanged).await.unwrap();
            for (siblings, expected) in [
                (Siblings::Modules(other), Message::CourseNotFound),
                (Siblings::Groups(other), Message::CourseNotFound),
                (Siblings::GradeCategories(other), Message::CourseNotFound),
                (Siblings::Lessons(module), Message::ModuleNotFound),
                (Siblings::Pages(lesson), Message::LessonNotFound),
            ] {
                match make_room(&mut tx, course, siblings, None).await {
                    Err(Error::NotFound(message)) => assert_eq!(message, expected),
                    found => panic!("{siblings:?}: {found:?}"),
                }
                let moved = move_child(&mut tx, course, (siblings, 0), siblings, Some(0)).await.unwrap();
                assert_eq!(moved, None, "{siblings:?}");
            }
            assert_eq!(make_room(&mut tx, course, Siblings::Modules(course), Some(5)).await.unwrap(), 1);
        }
    }
}
