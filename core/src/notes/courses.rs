//! The courses in which a person has notes.

use std::collections::HashSet;

use kurso_base::error::Result;
use kurso_base::ids::CourseId;
use kurso_db::sql;

use super::MAX_COURSES;
use crate::Kurso;
use crate::access::Viewer;
use crate::courses;

/// A course in which a person has notes.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct NotedCourse {
    pub id: CourseId,
    pub title: String,
    /// The number of their notes.
    pub notes: i64,
    /// Whether they can no longer read the course. They keep their notes.
    #[sqlx(skip)]
    pub has_left: bool,
}

/// Lists the courses in which the viewer has notes, including those that they have left: the most recently changed note first, at most [`MAX_COURSES`]
/// courses. At most two statements.
pub async fn noted_courses(kurso: &Kurso, viewer: &Viewer) -> Result<Vec<NotedCourse>> {
    let noted = sql!(
        "SELECT c.id, c.title, COUNT(*) AS notes FROM notes n JOIN pages p ON p.id = n.page_id JOIN courses c ON c.id = p.course_id
         WHERE n.user_id = $1 GROUP BY c.id, c.title ORDER BY MAX(n.updated_at) DESC, c.id LIMIT $2",
        viewer.id(),
        MAX_COURSES
    );
    let mut noted = noted.fetch_all::<NotedCourse>(&kurso.db).await?;
    if noted.is_empty() {
        return Ok(noted);
    }
    let in_reach = courses::in_reach_of(&kurso.db, viewer, noted.iter().map(|course| course.id)).await?;
    let in_reach: HashSet<CourseId> = in_reach.into_iter().map(|course| course.id).collect();
    for course in &mut noted {
        course.has_left = !in_reach.contains(&course.id);
    }
    Ok(noted)
}
