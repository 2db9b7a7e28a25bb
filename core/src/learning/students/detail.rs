//! What one student did, page by page, with the attempts as they were taken (contract 6).

use std::collections::HashMap;
use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::Student;
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::courses::tree::Tree;
use crate::courses::{self, Course};
use crate::error::{Error, Result};
use crate::ids::{EnrollmentId, PageId, UserId};
use crate::learning::progress::{self, Marks};
use crate::messages::Message;
use crate::quiz::{TakenAttempt, attempts_for_staff};
use crate::sql;

/// A student and what they did in each place of the course's tree, unpublished pages included.
#[derive(Clone, Debug)]
pub struct Detail {
    pub course: Course,
    pub student: Student,
    pub tree: Arc<Tree>,
    pub marks: Marks,
    visits: HashMap<PageId, DateTime<Utc>>,
    attempts: HashMap<PageId, Vec<TakenAttempt>>,
}

#[derive(sqlx::FromRow)]
struct Row {
    user_id: UserId,
    full_name: Option<String>,
    email: String,
    enrolled_at: DateTime<Utc>,
    last_activity_at: DateTime<Utc>,
    completed_at: Option<DateTime<Utc>>,
}

/// One student in detail. 404 when there is no such enrollment, or the viewer has nothing to do with its course; 403 for
/// learners. At most eight statements.
pub async fn detail(kurso: &Kurso, viewer: &Viewer, enrollment: EnrollmentId) -> Result<Detail> {
    let course = courses::find_by_enrollment(&kurso.db, viewer, enrollment, Right::SeeStudents).await?;
    let row = sql!(
        "SELECT e.user_id, u.full_name, u.email, e.enrolled_at, e.last_activity_at, e.completed_at
         FROM enrollments e JOIN users u ON u.id = e.user_id WHERE e.id = $1",
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
    for attempt in attempts_for_staff(&kurso.db, enrollment).await? {
        attempts.entry(attempt.page_id).or_default().push(attempt);
    }
    let trees = kurso.trees.of(&kurso.db, std::slice::from_ref(&course)).await?;
    let tree = trees.into_iter().next().unwrap_or_default();
    let mut marks = Marks::none(&tree);
    for (place, page) in tree.pages.iter().enumerate() {
        let taken = attempts.get(&page.id);
        let passed = taken.is_some_and(|all| all.iter().any(|one| one.attempt.passed));
        marks.set(place, visits.contains_key(&page.id), passed);
    }
    Ok(Detail {
        student: Student {
            enrollment_id: enrollment,
            user_id: row.user_id,
            full_name: row.full_name,
            email: row.email,
            enrolled_at: row.enrolled_at,
            last_activity_at: row.last_activity_at,
            progress: progress::derive(&tree, &marks, row.completed_at),
        },
        course,
        tree,
        marks,
        visits,
        attempts,
    })
}

impl Detail {
    /// When the student first was on the page at this place of the tree.
    pub fn visited_at(&self, place: usize) -> Option<DateTime<Utc>> {
        self.visits.get(&self.tree.page(place).id).copied()
    }

    /// First to last.
    pub fn attempts(&self, place: usize) -> &[TakenAttempt] {
        self.attempts.get(&self.tree.page(place).id).map_or(&[], Vec::as_slice)
    }

    pub fn is_done(&self, place: usize) -> bool {
        self.marks.is_done(&self.tree, place)
    }
}
