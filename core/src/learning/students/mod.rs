//! The students of a course, for those who may see them (contract 6).

mod detail;
mod order;
mod remove;

use std::collections::HashMap;
use std::sync::Arc;

use chrono::{DateTime, Utc};

pub use detail::{Detail, detail};
pub use order::{Order, SortKey};
pub use remove::remove;

use super::marks::{Counting, Kept};
use super::progress::{self, Marks, Progress};
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::courses::tree::Tree;
use crate::courses::{self, Course};
use crate::db::LIST_LIMIT;
use crate::error::Result;
use crate::ids::{CourseId, EnrollmentId, UserId};
use crate::page::{Listed, Page};
use crate::search::Search;
use crate::sql;

/// A learner of a course, as its staff see them.
#[derive(Clone, Debug)]
pub struct Student {
    pub enrollment_id: EnrollmentId,
    pub user_id: UserId,
    pub full_name: Option<String>,
    pub email: String,
    pub enrolled_at: DateTime<Utc>,
    pub last_activity_at: DateTime<Utc>,
    pub progress: Progress,
}

/// Which students, and in which order.
#[derive(Clone, Debug, Default)]
pub struct Query {
    /// In the name or the e-mail address.
    pub search: Search,
    pub order: Order,
}

/// What every query of students selects.
macro_rules! columns {
    () => {
        "SELECT e.course_id, e.id AS enrollment_id, e.user_id, u.full_name, u.email, e.enrolled_at, e.last_activity_at,
           e.completed_at, e.marks
         FROM enrollments e JOIN users u ON u.id = e.user_id WHERE "
    };
}

/// The students of a course: a page of those that `query` asks for. 403 for learners. At most five statements, whatever the
/// size of the course and the class.
pub async fn list(
    kurso: &Kurso,
    viewer: &Viewer,
    course: CourseId,
    query: &Query,
    page: Page,
) -> Result<Listed<Student>> {
    let course = courses::find(&kurso.db, viewer, course, Right::SeeStudents).await?;
    let rosters = Roster::of_all(kurso, &[course]).await?;
    Ok(rosters
        .first()
        .map_or_else(|| Listed { data: vec![], count: 0 }, |roster| roster.page(query, page)))
}

/// One student of a course whose reader may see them; None when there is no such enrollment in it. At most five statements,
/// one when the tree is known and the marks are kept.
pub async fn find(kurso: &Kurso, course: &Course, enrollment: EnrollmentId) -> Result<Option<Student>> {
    let row = sql!(
        concat!(columns!(), "e.course_id = $1 AND e.id = $2"),
        course.id,
        enrollment
    )
    .fetch_optional::<Row>(&kurso.db)
    .await?;
    let Some(row) = row else { return Ok(None) };
    let tree = kurso.trees.of(&kurso.db, std::slice::from_ref(course)).await?.pop();
    let mut rosters = [Roster {
        rows: vec![row],
        ..Roster::empty(tree.unwrap_or_default())
    }];
    read_marks(kurso, &mut rosters).await?;
    let [roster] = &rosters;
    Ok(roster.rows.first().map(|row| roster.student(row)))
}

/// Everybody who learns a course. What a page of it shows is searched, sorted and cut in memory: two thousand rows are read
/// in a few milliseconds, and neither database could sort by a percentage or fold Cyrillic letters.
#[derive(Debug)]
pub struct Roster {
    tree: Arc<Tree>,
    counting: Counting,
    rows: Vec<Row>,
}

#[derive(Debug, sqlx::FromRow)]
struct Row {
    course_id: CourseId,
    enrollment_id: EnrollmentId,
    user_id: UserId,
    full_name: Option<String>,
    email: String,
    enrolled_at: DateTime<Utc>,
    last_activity_at: DateTime<Utc>,
    completed_at: Option<DateTime<Utc>>,
    marks: Option<Kept>,
    /// In place of marks that are not kept.
    #[sqlx(skip)]
    read: Option<Marks>,
}

impl Roster {
    /// The rosters of the courses, in the order given; whether the reader may see them was decided when the courses were
    /// found. Three statements for trees that are not known yet, one for the students, and one for each
    /// [`LIST_LIMIT`] of them whose marks are not kept.
    pub async fn of_all(kurso: &Kurso, courses: &[Course]) -> Result<Vec<Roster>> {
        let trees = kurso.trees.of(&kurso.db, courses).await?;
        let mut rosters: Vec<Roster> = trees.into_iter().map(Roster::empty).collect();
        let places: HashMap<CourseId, usize> = courses.iter().enumerate().map(|(i, c)| (c.id, i)).collect();
        // Most lists are of one course, whose statement stays prepared.
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
        read_marks(kurso, &mut rosters).await?;
        Ok(rosters)
    }

    fn empty(tree: Arc<Tree>) -> Self {
        Roster {
            counting: Counting::of(&tree),
            tree,
            rows: vec![],
        }
    }

    /// A page of those that `query` asks for, and how many they are in all.
    pub fn page(&self, query: &Query, page: Page) -> Listed<Student> {
        let mut found: Vec<&Row> = self.rows.iter().filter(|row| row.is_found(&query.search)).collect();
        query.order.sort(&mut found, |row| self.pages_done(row));
        let (skip, limit) = (size(page.skip), size(page.limit));
        Listed {
            count: i64::try_from(found.len()).unwrap_or(i64::MAX),
            data: found
                .into_iter()
                .skip(skip)
                .take(limit)
                .map(|row| self.student(row))
                .collect(),
        }
    }

    fn pages_done(&self, row: &Row) -> usize {
        match (&row.read, &row.marks) {
            (Some(marks), _) => progress::derive(&self.tree, marks, None).pages_done,
            (None, Some(marks)) => self.counting.pages_done(marks),
            (None, None) => 0,
        }
    }

    fn student(&self, row: &Row) -> Student {
        let marks = match (&row.read, &row.marks) {
            (Some(marks), _) => marks,
            (None, Some(marks)) => &marks.marks(&self.tree),
            (None, None) => &Marks::none(&self.tree),
        };
        Student {
            enrollment_id: row.enrollment_id,
            user_id: row.user_id,
            full_name: row.full_name.clone(),
            email: row.email.clone(),
            enrolled_at: row.enrolled_at,
            last_activity_at: row.last_activity_at,
            progress: progress::derive(&self.tree, marks, row.completed_at),
        }
    }
}

impl Row {
    fn is_found(&self, search: &Search) -> bool {
        search.is_empty() || search.finds(&[self.full_name.as_deref().unwrap_or_default(), &self.email])
    }

    /// As interfaces show the person.
    fn name(&self) -> &str {
        match self.full_name.as_deref() {
            None | Some("") => &self.email,
            Some(name) => name,
        }
    }
}

/// Reads from the truth what is not kept.
async fn read_marks(kurso: &Kurso, rosters: &mut [Roster]) -> Result<()> {
    for roster in rosters {
        let mut missing: Vec<&mut Row> = roster.rows.iter_mut().filter(|row| row.marks.is_none()).collect();
        for rows in missing.chunks_mut(LIST_LIMIT) {
            let of: Vec<_> = rows
                .iter()
                .map(|row| (row.enrollment_id, roster.tree.as_ref()))
                .collect();
            let marks = progress::marks(&kurso.db, &of).await?;
            for (row, marks) in rows.iter_mut().zip(marks) {
                row.read = Some(marks);
            }
        }
    }
    Ok(())
}

fn size(number: i64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}
