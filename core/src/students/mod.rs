//! The students of a course, for its staff: class list, detail, removal, nudges, heat map, results.

mod detail;
pub mod heat_map;
mod list;
mod nudge;
mod order;
mod remove;
mod results;
mod state;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use chrono::{DateTime, Utc};

pub use detail::{Detail, detail};
pub use list::list;
pub use nudge::{NudgeStudents, Nudged, nudge};
pub use order::{Order, SortKey};
pub use remove::remove;
pub use results::Results;
pub(crate) use results::cell as cell_text;
pub use state::{ProgressFilter, StudentState, matching};

use crate::Kurso;
use crate::access::shown_name;
use crate::courses::Course;
use crate::courses::enrollment::ProgressBitmap;
use crate::courses::groups::{GroupFilter, GroupName};
use crate::courses::tree::Tree;
use crate::learning::progress::{self, Marks, Progress};
use crate::learning::stored_progress::Counting;
use kurso_base::error::Result;
use kurso_base::ids::{CourseId, EnrollmentId, GroupId, UserId};
use kurso_base::pagination::{Listed, Page};
use kurso_base::search::Search;
use kurso_db::sql;
use kurso_db::{Db, LIST_LIMIT};

/// A learner of a course, as its staff see them.
#[derive(Clone, Debug)]
pub struct Student {
    pub enrollment_id: EnrollmentId,
    pub user_id: UserId,
    pub full_name: Option<String>,
    pub email: String,
    pub group: Option<GroupName>,
    pub enrolled_at: DateTime<Utc>,
    pub last_activity_at: DateTime<Utc>,
    /// When the student was last nudged in this course; None if never.
    pub last_nudged_at: Option<DateTime<Utc>>,
    pub progress: Progress,
}

/// A filter and an order.
#[derive(Clone, Debug, Default)]
pub struct Query {
    /// Matches the name or the mail address.
    pub search: Search,
    pub group: GroupFilter,
    pub progress: ProgressFilter,
    pub order: Order,
}

/// The columns that every query of students selects.
macro_rules! columns {
    () => {
        "SELECT e.course_id, e.id AS enrollment_id, e.user_id, u.full_name, u.email, e.enrolled_at, e.last_activity_at,
           e.completed_at, e.marks, e.group_id, g.title AS group_title, d.sent_at AS last_nudged_at
         FROM enrollments e JOIN users u ON u.id = e.user_id LEFT JOIN groups g ON g.id = e.group_id
         LEFT JOIN nudges d ON d.course_id = e.course_id AND d.user_id = e.user_id WHERE "
    };
}
use columns;

/// One student of a course; None without such an enrollment. Does not check access. At most five statements, one if the
/// tree is cached and progress is stored.
pub async fn find(kurso: &Kurso, course: &Course, enrollment: EnrollmentId) -> Result<Option<Student>> {
    let row = sql!(
        concat!(columns!(), "e.course_id = $1 AND e.id = $2"),
        course.id,
        enrollment
    )
    .fetch_optional::<Row>(&kurso.db)
    .await?;
    let Some(mut row) = row else { return Ok(None) };
    let tree = kurso.trees.of(&kurso.db, std::slice::from_ref(course)).await?.pop();
    let class = Class::of(tree.unwrap_or_default());
    class.read_marks(&kurso.db, std::iter::once(&mut row.key)).await?;
    Ok(Some(class.student(&row)))
}

/// All students of a course. Searching, sorting and paging happen in memory, because neither database can sort by a
/// percentage or fold Cyrillic letters.
#[derive(Debug)]
pub struct Roster {
    class: Class,
    rows: Vec<Row>,
}

/// What is needed to read the stored progress of a course's learners.
#[derive(Debug)]
struct Class {
    tree: Arc<Tree>,
    counting: Counting,
}

#[derive(Debug, sqlx::FromRow)]
struct Row {
    course_id: CourseId,
    user_id: UserId,
    group_id: Option<GroupId>,
    group_title: Option<String>,
    last_nudged_at: Option<DateTime<Utc>>,
    #[sqlx(flatten)]
    key: Key,
}

/// What students are searched and sorted by; columns that a statement does not select are empty.
#[derive(Debug, sqlx::FromRow)]
struct Key {
    enrollment_id: EnrollmentId,
    #[sqlx(default)]
    full_name: Option<String>,
    #[sqlx(default)]
    email: String,
    #[sqlx(default)]
    enrolled_at: DateTime<Utc>,
    #[sqlx(default)]
    last_activity_at: DateTime<Utc>,
    #[sqlx(default)]
    completed_at: Option<DateTime<Utc>>,
    #[sqlx(default)]
    marks: Option<ProgressBitmap>,
    /// Replaces progress that is not stored.
    #[sqlx(skip)]
    read: Option<Marks>,
}

impl AsRef<Key> for Key {
    fn as_ref(&self) -> &Key {
        self
    }
}

impl AsRef<Key> for Row {
    fn as_ref(&self) -> &Key {
        &self.key
    }
}

impl Roster {
    /// The rosters of the courses, in the order given. Does not check access. Three statements for uncached trees, one
    /// for the students, and one per [`LIST_LIMIT`] students without stored progress.
    pub async fn of_all(kurso: &Kurso, courses: &[Course]) -> Result<Vec<Roster>> {
        let trees = kurso.trees.of(&kurso.db, courses).await?;
        let empty = |tree| Roster {
            class: Class::of(tree),
            rows: vec![],
        };
        let mut rosters: Vec<Roster> = trees.into_iter().map(empty).collect();
        let places: HashMap<CourseId, usize> = courses.iter().enumerate().map(|(i, c)| (c.id, i)).collect();
        // Most lists are of one course, whose statement is prepared.
        let rows = match courses {
            [] => vec![],
            [course] => {
                sql!(concat!(columns!(), "e.course_id = $1"), course.id)
                    .fetch_all::<Row>(&kurso.db)
                    .await?
            }
            _ => {
                sql!(concat!(columns!(), "e.course_id IN "))
                    .push_in(courses.iter().map(|course| course.id))
                    .fetch_all::<Row>(&kurso.db)
                    .await?
            }
        };
        for row in rows {
            if let Some(roster) = places.get(&row.course_id).and_then(|place| rosters.get_mut(*place)) {
                roster.rows.push(row);
            }
        }
        for Roster { class, rows } in &mut rosters {
            class
                .read_marks(&kurso.db, rows.iter_mut().map(|row| &mut row.key))
                .await?;
        }
        Ok(rosters)
    }

    /// One page of the students that match `query`, with the number of all matches. `selected` are the students whom
    /// [`Query::progress`] selects ([`matching()`]); None if it selects all.
    pub fn page(&self, query: &Query, selected: Option<&HashSet<EnrollmentId>>, page: Page) -> Listed<Student> {
        let all: Vec<&Row> = self
            .rows
            .iter()
            .filter(|row| query.group.admits(row.group_id))
            .collect();
        let found = self.class.page(&all, (query, selected), page);
        Listed {
            data: found.data.into_iter().map(|row| self.class.student(row)).collect(),
            count: found.count,
        }
    }
}

impl Class {
    fn of(tree: Arc<Tree>) -> Self {
        Class {
            counting: Counting::of(&tree),
            tree,
        }
    }

    /// Derives progress that is not stored. One statement per [`LIST_LIMIT`] such students.
    async fn read_marks<'a>(&self, db: &Db, keys: impl Iterator<Item = &'a mut Key>) -> Result<()> {
        let mut missing: Vec<&mut Key> = keys.filter(|key| key.marks.is_none()).collect();
        for keys in missing.chunks_mut(LIST_LIMIT) {
            let of: Vec<_> = keys.iter().map(|key| (key.enrollment_id, self.tree.as_ref())).collect();
            let marks = progress::read::marks(db, &of).await?;
            for (key, marks) in keys.iter_mut().zip(marks) {
                key.read = Some(marks);
            }
        }
        Ok(())
    }

    /// One page of those among `all` that match `query`, with the number of all matches.
    fn page<'a, T: AsRef<Key>>(
        &self,
        all: &'a [T],
        (query, selected): (&Query, Option<&HashSet<EnrollmentId>>),
        page: Page,
    ) -> Listed<&'a T> {
        let is_selected = |key: &Key| selected.is_none_or(|students| students.contains(&key.enrollment_id));
        let mut found: Vec<&T> = all
            .iter()
            .filter(|one| is_selected((*one).as_ref()) && (*one).as_ref().is_found(&query.search))
            .collect();
        order::sort(&mut found, query.order, |key| self.pages_done(key));
        page.of(found)
    }

    fn pages_done(&self, key: &Key) -> usize {
        match (&key.read, &key.marks) {
            (Some(marks), _) => progress::derive(&self.tree, marks, None).pages_done,
            (None, Some(marks)) => self.counting.pages_done(marks),
            (None, None) => 0,
        }
    }

    fn student(&self, row: &Row) -> Student {
        let key = &row.key;
        let marks = match (&key.read, &key.marks) {
            (Some(marks), _) => marks,
            (None, Some(marks)) => &marks.marks(&self.tree),
            (None, None) => &Marks::none(&self.tree),
        };
        Student {
            enrollment_id: key.enrollment_id,
            user_id: row.user_id,
            full_name: key.full_name.clone(),
            email: key.email.clone(),
            group: GroupName::of(row.group_id, row.group_title.clone()),
            enrolled_at: key.enrolled_at,
            last_activity_at: key.last_activity_at,
            last_nudged_at: row.last_nudged_at,
            progress: progress::derive(&self.tree, marks, key.completed_at),
        }
    }
}

impl Key {
    fn is_found(&self, search: &Search) -> bool {
        search.is_empty() || search.matches(&[self.full_name.as_deref().unwrap_or_default(), &self.email])
    }

    fn shown_name(&self) -> &str {
        shown_name(self.full_name.as_deref(), &self.email)
    }
}
