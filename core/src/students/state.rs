//! Selects students by their progress, for example to nudge those who have not started.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use chrono::{DateTime, Duration, Utc};
use kurso_base::error::Result;
use kurso_base::ids::{CourseId, EnrollmentId, GroupId, PageId, UserId};
use kurso_db::{LIST_LIMIT, sql};

use super::heat_map::Standing;
use crate::Kurso;
use crate::access::Role;
use crate::courses::Course;
use crate::courses::enrollment::{AttemptSummaries, ProgressBitmap, StoredProgress};
use crate::courses::overrides::Own;
use crate::courses::timeline::Timeline;
use crate::courses::tree::Tree;
use crate::learning::progress::{self, Marks};
use crate::learning::stored_progress::Numbers;

/// How long a student who has started may be inactive before they count as stalled.
const STALLED_AFTER: Duration = Duration::days(7);

/// A state in which a student may need a reminder.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum StudentState {
    /// Has visited no page.
    NotStarted,
    /// Has started but not completed the course, and has been inactive for seven days.
    Stalled,
    /// The due date of a published page has passed, and the student has neither done the page nor handed in work that waits for grading.
    Late,
}

kurso_base::values::choices! {
    StudentState: "not_started" => StudentState::NotStarted, "stalled" => StudentState::Stalled, "late" => StudentState::Late;
}

/// Selects students by their progress. Without conditions, it selects all.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct ProgressFilter {
    pub state: Option<StudentState>,
    /// Only students who have stopped at this page, by the rule of the heat map. Selects nobody if the course has no such page.
    pub stopped_at: Option<PageId>,
}

impl ProgressFilter {
    pub fn is_all(self) -> bool {
        self == ProgressFilter::default()
    }
}

/// Whether a student is in the state. `is_late` is evaluated only if needed, because it depends on dates.
fn is_in(
    state: StudentState,
    standing: Standing,
    last_activity_at: DateTime<Utc>,
    now: DateTime<Utc>,
    is_late: impl FnOnce() -> bool,
) -> bool {
    match state {
        StudentState::NotStarted => standing == Standing::NotStarted,
        StudentState::Stalled => matches!(standing, Standing::StoppedAt(_)) && now - last_activity_at >= STALLED_AFTER,
        StudentState::Late => is_late(),
    }
}

#[derive(sqlx::FromRow)]
struct Row {
    course_id: CourseId,
    id: EnrollmentId,
    user_id: UserId,
    group_id: Option<GroupId>,
    last_activity_at: DateTime<Utc>,
    has_completed: bool,
    marks: Option<ProgressBitmap>,
    tries: Option<AttemptSummaries>,
}

/// Returns the selected students of each course, in the order of the courses. Does not check access. Three statements for uncached trees, one for
/// the students, and one per [`LIST_LIMIT`] students of a course without stored progress.
pub async fn matching(
    kurso: &Kurso,
    courses: &[Course],
    filter: ProgressFilter,
) -> Result<Vec<Arc<HashSet<EnrollmentId>>>> {
    if courses.is_empty() {
        return Ok(vec![]);
    }
    let trees = kurso.trees.of(&kurso.db, courses).await?;
    let rows = sql!(
        "SELECT e.course_id, e.id, e.user_id, e.group_id, e.last_activity_at, e.completed_at IS NOT NULL AS has_completed, e.marks, e.tries
         FROM enrollments e WHERE e.course_id IN "
    );
    let rows = rows.push_in(courses.iter().map(|course| course.id));
    let mut of_course: HashMap<CourseId, Vec<Row>> = HashMap::new();
    for row in rows.fetch_all::<Row>(&kurso.db).await? {
        of_course.entry(row.course_id).or_default().push(row);
    }
    let mut found = Vec::with_capacity(courses.len());
    for (course, tree) in courses.iter().zip(&trees) {
        let rows = of_course.remove(&course.id).unwrap_or_default();
        found.push(Arc::new(of_rows(kurso, course, tree, rows, filter).await?));
    }
    Ok(found)
}

async fn of_rows(
    kurso: &Kurso,
    course: &Course,
    tree: &Tree,
    rows: Vec<Row>,
    filter: ProgressFilter,
) -> Result<HashSet<EnrollmentId>> {
    let now = kurso.clock.now();
    let numbers = Numbers::of(tree);
    let mut due = DuePages::of(course, tree, now);
    let mut found = HashSet::new();
    let stopped_at = filter.stopped_at.map(|page| tree.place(page).map(Standing::StoppedAt));
    let mut select = |row: &Row, marks: &Marks| {
        let standing = Standing::of(tree, marks, row.has_completed);
        let has_stopped = stopped_at.is_none_or(|wanted| wanted == Some(standing));
        let is_in = filter
            .state
            .is_none_or(|state| is_in(state, standing, row.last_activity_at, now, || due.is_late(row, marks)));
        if has_stopped && is_in {
            found.insert(row.id);
        }
    };
    let mut missing = vec![];
    for mut row in rows {
        match row.marks.take().zip(row.tries.take()) {
            Some((marks, tries)) => select(&row, &numbers.marks(&StoredProgress { marks, tries })),
            None => missing.push(row),
        }
    }
    for rows in missing.chunks(LIST_LIMIT) {
        let of: Vec<_> = rows.iter().map(|row| (row.id, tree)).collect();
        let marks = progress::read::marks(&kurso.db, &of).await?;
        for (row, marks) in rows.iter().zip(&marks) {
            select(row, marks);
        }
    }
    Ok(found)
}

/// The pages whose due date has passed. They are the same for all learners of a group who have no personal overrides.
struct DuePages<'a> {
    course: Course,
    tree: &'a Tree,
    now: DateTime<Utc>,
    of_group: HashMap<Option<GroupId>, Vec<usize>>,
}

impl<'a> DuePages<'a> {
    fn of(course: &Course, tree: &'a Tree, now: DateTime<Utc>) -> Self {
        DuePages {
            // Dates do not apply to staff.
            course: Course {
                role: Role::Learner,
                ..course.clone()
            },
            tree,
            now,
            of_group: HashMap::new(),
        }
    }

    fn is_late(&mut self, row: &Row, marks: &Marks) -> bool {
        let own = Own::of_learner(&self.course, self.tree, row.user_id, row.group_id);
        let tree = self.tree;
        let is_open = |place: &usize| {
            let tried = marks.tried.get(place);
            let is_handed_in = tried.is_some_and(|tried| tried.is_waiting && !tried.is_returned);
            !is_handed_in && !marks.is_done(tree, *place)
        };
        if own.is_personal() {
            return past_due(&self.course, tree, &own, self.now).iter().any(is_open);
        }
        let (course, now) = (&self.course, self.now);
        let due = self.of_group.entry(row.group_id);
        due.or_insert_with(|| past_due(course, tree, &own, now))
            .iter()
            .any(is_open)
    }
}

/// The indexes of the published pages whose due date has passed.
fn past_due(course: &Course, tree: &Tree, own: &Own, now: DateTime<Utc>) -> Vec<usize> {
    let timeline = Timeline::of(course, tree, own, &[], now);
    let is_past = |place: &usize| {
        tree.page(*place).published && timeline.page_by_dates(*place).due_at.is_some_and(|due| due < now)
    };
    (0..tree.pages.len()).filter(is_past).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn nobody_is_both_not_started_and_stalled(standing in 0..3_usize, hours in 0..1000_i64, is_late: bool) {
            let now: DateTime<Utc> = "2026-11-21T12:00:00Z".parse().unwrap();
            let standing = [Standing::Completed, Standing::NotStarted, Standing::StoppedAt(3)][standing];
            let is = |state| is_in(state, standing, now - Duration::hours(hours), now, || is_late);
            prop_assert_eq!(is(StudentState::NotStarted), standing == Standing::NotStarted);
            prop_assert_eq!(is(StudentState::Stalled), standing == Standing::StoppedAt(3) && hours >= 7 * 24);
            prop_assert_eq!(is(StudentState::Late), is_late);
        }
    }
}
