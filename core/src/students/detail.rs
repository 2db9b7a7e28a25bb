//! One student in detail: visits and attempts page by page.

use std::collections::HashMap;
use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::Student;
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::attempts::{TakenAttempt, attempts_for_staff};
use crate::courses::groups::GroupName;
use crate::courses::overrides::{Own, Place};
use crate::courses::tree::Tree;
use crate::courses::{self, Course};
use crate::learning::progress::{self, Marks};
use kurso_base::error::{Error, Result};
use kurso_base::ids::{EnrollmentId, GroupId, PageId, UserId};
use kurso_base::messages::Message;
use kurso_db::sql;

/// A student with visits and attempts per page of the tree, including unpublished pages.
#[derive(Clone, Debug)]
pub struct Detail {
    pub course: Course,
    pub student: Student,
    pub tree: Arc<Tree>,
    pub marks: Marks,
    /// What is overridden for the student.
    own: Own,
    visits: HashMap<PageId, DateTime<Utc>>,
    attempts: HashMap<PageId, Vec<TakenAttempt>>,
}

#[derive(sqlx::FromRow)]
struct Row {
    user_id: UserId,
    full_name: Option<String>,
    email: String,
    group_id: Option<GroupId>,
    group_title: Option<String>,
    enrolled_at: DateTime<Utc>,
    last_activity_at: DateTime<Utc>,
    completed_at: Option<DateTime<Utc>>,
    last_nudged_at: Option<DateTime<Utc>>,
}

/// One student in detail. Fails with 404 if the enrollment does not exist or the viewer has no relation to its course,
/// with 403 for learners. At most nine statements.
pub async fn detail(kurso: &Kurso, viewer: &Viewer, enrollment: EnrollmentId) -> Result<Detail> {
    let course = courses::find(&kurso.db, viewer, enrollment, Right::SeeStudents).await?;
    let row = sql!(
        "SELECT e.user_id, u.full_name, u.email, e.enrolled_at, e.last_activity_at, e.completed_at, e.group_id,
           g.title AS group_title, d.sent_at AS last_nudged_at
         FROM enrollments e JOIN users u ON u.id = e.user_id LEFT JOIN groups g ON g.id = e.group_id
         LEFT JOIN nudges d ON d.course_id = e.course_id AND d.user_id = e.user_id WHERE e.id = $1",
        enrollment
    )
    .fetch_optional::<Row>(&kurso.db)
    .await?
    .ok_or(Error::NotFound(Message::StudentNotFound))?;
    let visits: HashMap<PageId, DateTime<Utc>> = sql!(
        "SELECT page_id, visited_at FROM visits WHERE enrollment_id = $1",
        enrollment
    )
    .fetch_all(&kurso.db)
    .await?
    .into_iter()
    .collect();
    let mut attempts: HashMap<PageId, Vec<TakenAttempt>> = HashMap::new();
    for attempt in attempts_for_staff(kurso, enrollment).await? {
        attempts.entry(attempt.page_id).or_default().push(attempt);
    }
    let trees = kurso.trees.of(&kurso.db, std::slice::from_ref(&course)).await?;
    let tree = trees.into_iter().next().unwrap_or_default();
    // Of all attempts, not only of those that are shown.
    let marks = progress::read::marks(&kurso.db, &[(enrollment, &tree)]).await?;
    let marks = marks.into_iter().next().unwrap_or_else(|| Marks::none(&tree));
    let own = Own::of_learner(&course, &tree, row.user_id, row.group_id);
    Ok(Detail {
        student: Student {
            enrollment_id: enrollment,
            user_id: row.user_id,
            full_name: row.full_name,
            email: row.email,
            group: GroupName::of(row.group_id, row.group_title),
            enrolled_at: row.enrolled_at,
            last_activity_at: row.last_activity_at,
            last_nudged_at: row.last_nudged_at,
            progress: progress::derive(&tree, &marks, row.completed_at),
        },
        course,
        tree,
        marks,
        own,
        visits,
        attempts,
    })
}

impl Detail {
    /// When the student first visited the page at this index of the tree.
    pub fn visited_at(&self, place: usize) -> Option<DateTime<Utc>> {
        self.visits.get(&self.tree.page(place).id).copied()
    }

    /// In the order they were made, the last ones if there are many.
    pub fn attempts(&self, place: usize) -> &[TakenAttempt] {
        self.attempts.get(&self.tree.page(place).id).map_or(&[], Vec::as_slice)
    }

    /// The attempts left at the quiz at this index; None without a limit or without a quiz.
    pub fn attempts_left(&self, place: usize) -> Option<i64> {
        let limit = self
            .own
            .at(Place::Page(place))
            .attempts(self.tree.page(place).max_attempts);
        self.marks.attempts_left(place, limit)
    }

    pub fn is_done(&self, place: usize) -> bool {
        self.marks.is_done(&self.tree, place)
    }
}
