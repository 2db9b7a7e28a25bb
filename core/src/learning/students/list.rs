//! A page of one course's students. To read two thousand students with all there is to them takes longer than to find the
//! hundred that are shown: so first what they are sorted and searched by is read of all, then the rest of those.

use std::collections::HashMap;

use super::order::SortKey;
use super::{Class, Key, Query, Row, Student, columns};
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::courses;
use crate::error::Result;
use crate::ids::{CourseId, EnrollmentId};
use crate::page::{Listed, Page};
use crate::sql;

/// The students of a course: a page of those that `query` asks for. 403 for learners. At most eight statements, whatever
/// the size of the course and the class.
pub async fn list(
    kurso: &Kurso,
    viewer: &Viewer,
    course: CourseId,
    query: &Query,
    page: Page,
) -> Result<Listed<Student>> {
    let course = courses::find(&kurso.db, viewer, course, Right::SeeStudents).await?;
    let trees = kurso.trees.of(&kurso.db, std::slice::from_ref(&course)).await?;
    let class = Class::of(trees.into_iter().next().unwrap_or_default());
    let mut keys: Vec<Key> = sql!(statement(query), course.id).fetch_all(&kurso.db).await?;
    if query.order.by == SortKey::Percent {
        class.read_marks(&kurso.db, keys.iter_mut()).await?;
    }
    let Listed { data, count } = class.page(&keys, query, page);
    let ids: Vec<EnrollmentId> = data.into_iter().map(|key| key.enrollment_id).collect();

    let mut rows = read(kurso, &ids).await?;
    class
        .read_marks(&kurso.db, rows.iter_mut().map(|row| &mut row.key))
        .await?;
    let rows: HashMap<EnrollmentId, Row> = rows.into_iter().map(|row| (row.key.enrollment_id, row)).collect();
    // Who was taken out of the course in between has no row.
    let shown = ids.iter().filter_map(|id| rows.get(id));
    Ok(Listed {
        data: shown.map(|row| class.student(row)).collect(),
        count,
    })
}

/// Everything about these students.
async fn read(kurso: &Kurso, ids: &[EnrollmentId]) -> Result<Vec<Row>> {
    if ids.is_empty() {
        return Ok(vec![]);
    }
    let rows = sql!(concat!(columns!(), "e.id IN ")).push_in(ids.iter().copied());
    Ok(rows.fetch_all(&kurso.db).await?)
}

macro_rules! class {
    ($column:literal) => {
        concat!(
            "SELECT e.id AS enrollment_id, ",
            $column,
            " FROM enrollments e WHERE e.course_id = $1"
        )
    };
}
macro_rules! class_with_names {
    ($column:literal) => {
        concat!(
            "SELECT e.id AS enrollment_id, u.full_name, u.email",
            $column,
            " FROM enrollments e JOIN users u ON u.id = e.user_id WHERE e.course_id = $1"
        )
    };
}

/// Reads of the class what the query looks at, and no more.
fn statement(query: &Query) -> &'static str {
    match (query.order.by, query.search.is_empty()) {
        (SortKey::FullName | SortKey::Email, _) => class_with_names!(""),
        (SortKey::EnrolledAt, true) => class!("e.enrolled_at"),
        (SortKey::EnrolledAt, false) => class_with_names!(", e.enrolled_at"),
        (SortKey::LastActivityAt, true) => class!("e.last_activity_at"),
        (SortKey::LastActivityAt, false) => class_with_names!(", e.last_activity_at"),
        (SortKey::CompletedAt, true) => class!("e.completed_at"),
        (SortKey::CompletedAt, false) => class_with_names!(", e.completed_at"),
        (SortKey::Percent, true) => class!("e.marks"),
        (SortKey::Percent, false) => class_with_names!(", e.marks"),
    }
}
