//! Reads the rows of course trees.

use std::collections::HashMap;

use uuid::Uuid;

use super::{ModuleRow, PageRow, Rows, Tree};
use crate::courses::Course;
use crate::courses::dates::{dates_columns, late_columns};
use crate::courses::lesson::{Lesson, lesson_columns};
use kurso_base::error::Result;
use kurso_base::ids::CourseId;
use kurso_db::{Db, sql};

/// A module or lesson once for each of its prerequisites, or once without them.
#[derive(sqlx::FromRow)]
struct Needing<T> {
    #[sqlx(flatten)]
    row: T,
    /// True for one row of each module or lesson.
    is_first: bool,
    needs: Option<Uuid>,
}

/// The column of [`Needing`].
macro_rules! needs_column {
    () => {
        "COALESCE(r.needs_module_id, r.needs_lesson_id) AS needs"
    };
}

/// Whether no other prerequisite of the same module or lesson, named by this column, comes before this one.
macro_rules! is_first {
    ($of:literal) => {
        concat!(
            "NOT EXISTS (SELECT 1 FROM prerequisites q WHERE q.",
            $of,
            " = r.",
            $of,
            " AND q.id < r.id)"
        )
    };
}

/// Splits rows into parts and their prerequisites; the rows are in any order.
fn split<T, Id: Into<Uuid>>(rows: Vec<Needing<T>>, id: impl Fn(&T) -> Id, needs: &mut Vec<(Uuid, Uuid)>) -> Vec<T> {
    let parts = rows.into_iter().filter_map(|part| {
        needs.extend(part.needs.map(|need| (id(&part.row).into(), need)));
        part.is_first.then_some(part.row)
    });
    parts.collect()
}

/// Reads trees with three range reads for any number and size of courses. No content is read.
pub(super) async fn load(db: &Db, courses: &[&Course]) -> Result<HashMap<CourseId, Tree>> {
    let ids = || courses.iter().map(|c| c.id);
    let modules = sql!(concat!(
        // A description may be long, so it comes with the first row of its module only.
        "SELECT m.course_id, m.id, m.title, m.position, f.key AS avatar_key, f.filename AS avatar_name,
               CASE WHEN ",
        is_first!("module_id"),
        " THEN m.description END AS description, ",
        is_first!("module_id"),
        " AS is_first, ",
        dates_columns!("m"),
        ", ",
        needs_column!(),
        " FROM modules m LEFT JOIN files f ON f.id = m.avatar_file_id
             LEFT JOIN prerequisites r ON r.module_id = m.id WHERE m.course_id IN "
    ))
    .push_in(ids())
    .fetch_all::<Needing<ModuleRow>>(db)
    .await?;
    let lessons = sql!(concat!(
        "SELECT l.course_id, l.id, l.module_id, ",
        lesson_columns!(),
        ", ",
        is_first!("lesson_id"),
        " AS is_first, ",
        needs_column!(),
        " FROM lessons l LEFT JOIN prerequisites r ON r.lesson_id = l.id WHERE l.course_id IN "
    ))
    .push_in(ids())
    .fetch_all::<Needing<Lesson>>(db)
    .await?;
    let pages = sql!(concat!(
        "SELECT course_id, id, lesson_id, title, kind, position, published, max_attempts, mark_no, ",
        dates_columns!(),
        ", ",
        late_columns!(),
        " FROM pages WHERE course_id IN "
    ))
    .push_in(ids())
    .fetch_all::<PageRow>(db)
    .await?;

    let mut needs = Vec::new();
    let modules = split(modules, |module| module.id, &mut needs);
    let lessons = split(lessons, |lesson| lesson.id, &mut needs);
    let mut parts: HashMap<CourseId, Rows> = HashMap::new();
    let mut course_of: HashMap<Uuid, CourseId> = HashMap::new();
    for row in modules {
        course_of.insert(row.id.0, row.course_id);
        parts.entry(row.course_id).or_default().0.push(row);
    }
    for row in lessons {
        course_of.insert(row.id.0, row.course_id);
        parts.entry(row.course_id).or_default().1.push(row);
    }
    for pair in needs {
        if let Some(course) = course_of.get(&pair.0) {
            parts.entry(*course).or_default().3.push(pair);
        }
    }
    for row in pages {
        parts.entry(row.course_id).or_default().2.push(row);
    }
    Ok(parts.into_iter().map(|(id, rows)| (id, Tree::grow(rows))).collect())
}
