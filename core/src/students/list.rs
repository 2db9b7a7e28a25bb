//! One page of a course's class list. It first reads of all students only what the query sorts and searches by, then
//! everything about those shown, which is faster than reading everything of a large class.

use std::collections::HashMap;

use super::order::SortKey;
use super::{Class, Key, Query, Row, Student, columns, matching};
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::courses;
use kurso_base::error::Result;
use kurso_base::ids::{CourseId, EnrollmentId};
use kurso_base::pagination::{Listed, Page};
use kurso_db::sql;

/// The students of a course that match `query`, one page of them. Fails with 403 for learners. At most ten
/// statements for any size of course and class.
pub async fn list(
    kurso: &Kurso,
    viewer: &Viewer,
    course: CourseId,
    query: &Query,
    page: Page,
) -> Result<Listed<Student>> {
    let course = courses::find(&kurso.db, viewer, course, Right::SeeStudents).await?;
    let selected = match query.progress.is_all() {
        true => None,
        false => matching(kurso, std::slice::from_ref(&course), query.progress)
            .await?
            .pop(),
    };
    let trees = kurso.trees.of(&kurso.db, std::slice::from_ref(&course)).await?;
    let class = Class::of(trees.into_iter().next().unwrap_or_default());
    let all = query.group.on(sql!(statement(query), course.id));
    let mut keys: Vec<Key> = all.fetch_all(&kurso.db).await?;
    if query.order.by == SortKey::Percent {
        class.read_marks(&kurso.db, keys.iter_mut()).await?;
    }
    let Listed { data, count } = class.page(&keys, (query, selected.as_deref()), page);
    let ids: Vec<EnrollmentId> = data.into_iter().map(|key| key.enrollment_id).collect();

    let mut rows = read(kurso, &ids).await?;
    class
        .read_marks(&kurso.db, rows.iter_mut().map(|row| &mut row.key))
        .await?;
    let rows: HashMap<EnrollmentId, Row> = rows.into_iter().map(|row| (row.key.enrollment_id, row)).collect();
    // A student removed in between has no row.
    let shown = ids.iter().filter_map(|id| rows.get(id));
    Ok(Listed {
        data: shown.map(|row| class.student(row)).collect(),
        count,
    })
}

/// Reads everything about these students.
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

/// The statement that reads what the query needs of the whole class.
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
