//! Lists of courses, and the sizes of courses.

use super::Course;
use super::lookup::{CourseRow, course_columns, course_joins};
use crate::access::Viewer;
use crate::scan;
use kurso_base::error::Result;
use kurso_base::ids::CourseId;
use kurso_base::pagination::{Listed, Page};
use kurso_base::search::Search;
use kurso_db::{Db, Executor, sql};

#[derive(sqlx::FromRow)]
struct CountedRow {
    #[sqlx(flatten)]
    row: CourseRow,
    whole: i64,
}

/// Courses where the viewer is the owner or a collaborator: newest change first, then by id. One statement, two when
/// the page is empty.
pub async fn taught_by(db: &Db, viewer: &Viewer, page: Page) -> Result<Listed<Course>> {
    let rows = sql!(
        concat!(
            "SELECT ",
            course_columns!(),
            ", COUNT(*) OVER () AS whole FROM courses c",
            course_joins!(),
            "WHERE c.owner_id = $1 OR k.role IS NOT NULL
             ORDER BY c.updated_at DESC, c.id DESC LIMIT $2 OFFSET $3"
        ),
        viewer.id(),
        page.limit,
        page.skip
    )
    .fetch_all::<CountedRow>(db)
    .await?;
    let count = match rows.first() {
        Some(row) => row.whole,
        None => {
            sql!(
                "SELECT COUNT(*) FROM courses c LEFT JOIN collaborators k ON k.course_id = c.id AND k.user_id = $1
                 WHERE c.owner_id = $1 OR k.role IS NOT NULL",
                viewer.id()
            )
            .fetch_one::<(i64,)>(db)
            .await?
            .0
        }
    };
    Ok(Listed {
        data: rows.into_iter().filter_map(|r| r.row.seen_by(viewer)).collect(),
        count,
    })
}

/// All courses, for superusers: newest change first, then by id. A search selects those with all of its words in the title
/// or in the owner's name or address. One statement; with a search two, and one more for each thousand courses.
pub async fn everywhere(db: &Db, viewer: &Viewer, search: &Search, page: Page) -> Result<Listed<Course>> {
    viewer.require_superuser()?;
    if !search.is_empty() {
        return found_everywhere(db, viewer, search, page).await;
    }
    let rows = sql!(
        concat!(
            "SELECT ",
            course_columns!(),
            ", (SELECT COUNT(*) FROM courses) AS whole FROM courses c",
            course_joins!(),
            "ORDER BY c.updated_at DESC, c.id DESC LIMIT $2 OFFSET $3"
        ),
        viewer.id(),
        page.limit,
        page.skip
    )
    .fetch_all::<CountedRow>(db)
    .await?;
    let count = match rows.first() {
        Some(row) => row.whole,
        None => sql!("SELECT COUNT(*) FROM courses").fetch_one::<(i64,)>(db).await?.0,
    };
    Ok(Listed {
        data: rows.into_iter().filter_map(|r| r.row.seen_by(viewer)).collect(),
        count,
    })
}

async fn found_everywhere(db: &Db, viewer: &Viewer, search: &Search, page: Page) -> Result<Listed<Course>> {
    let part = "SELECT c.id, c.updated_at, c.title, COALESCE(o.full_name, ''), o.email
                FROM courses c JOIN users o ON o.id = c.owner_id WHERE c.id > $1 ORDER BY c.id LIMIT $2";
    let found = scan::find(db, part, search, page).await?;
    let rows = sql!(
        concat!(
            "SELECT ",
            course_columns!(),
            " FROM courses c",
            course_joins!(),
            "WHERE c.id IN "
        ),
        viewer.id()
    )
    .push_in(found.data)
    .push(" ORDER BY c.updated_at DESC, c.id DESC")
    .fetch_all::<CourseRow>(db)
    .await?;
    Ok(Listed {
        data: rows.into_iter().filter_map(|row| row.seen_by(viewer)).collect(),
        count: found.count,
    })
}

/// Courses that the viewer is enrolled in: latest activity first, then by enrollment id.
pub async fn learnt_by(db: &Db, viewer: &Viewer, page: Page) -> Result<Listed<Course>> {
    let rows = sql!(
        concat!(
            "SELECT ",
            course_columns!(),
            ", COUNT(*) OVER () AS whole FROM courses c",
            course_joins!(),
            "WHERE e.id IS NOT NULL ORDER BY e.last_activity_at DESC, e.id DESC LIMIT $2 OFFSET $3"
        ),
        viewer.id(),
        page.limit,
        page.skip
    )
    .fetch_all::<CountedRow>(db)
    .await?;
    let count = match rows.first() {
        Some(row) => row.whole,
        None => {
            sql!("SELECT COUNT(*) FROM enrollments WHERE user_id = $1", viewer.id())
                .fetch_one::<(i64,)>(db)
                .await?
                .0
        }
    };
    Ok(Listed {
        data: rows.into_iter().filter_map(|r| r.row.seen_by(viewer)).collect(),
        count,
    })
}

/// Courses that the viewer teaches or learns: latest activity first, then by id. One statement.
pub async fn in_reach(db: &Db, viewer: &Viewer) -> Result<Vec<Course>> {
    let rows = sql!(
        concat!(
            "SELECT ",
            course_columns!(),
            " FROM courses c",
            course_joins!(),
            "WHERE c.owner_id = $1 OR k.role IS NOT NULL OR e.id IS NOT NULL
             ORDER BY COALESCE(e.last_activity_at, c.updated_at) DESC, c.id DESC"
        ),
        viewer.id()
    )
    .fetch_all::<CourseRow>(db)
    .await?;
    Ok(rows.into_iter().filter_map(|row| row.seen_by(viewer)).collect())
}

/// Those of the courses, at most [`kurso_db::LIST_LIMIT`], that the viewer teaches or learns, in no order. One statement.
pub(crate) async fn in_reach_of(
    db: &Db,
    viewer: &Viewer,
    courses: impl IntoIterator<Item = CourseId>,
) -> Result<Vec<Course>> {
    let rows = sql!(
        concat!(
            "SELECT ",
            course_columns!(),
            " FROM courses c",
            course_joins!(),
            "WHERE c.id IN "
        ),
        viewer.id()
    )
    .push_in(courses)
    .fetch_all::<CourseRow>(db)
    .await?;
    Ok(rows.into_iter().filter_map(|row| row.seen_by(viewer)).collect())
}

/// The sizes of a course. Learners count published pages only.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    pub modules: i64,
    pub lessons: i64,
    pub pages: i64,
    pub students: i64,
}

#[derive(sqlx::FromRow)]
struct CountsRow {
    id: CourseId,
    modules: i64,
    lessons: i64,
    pages: i64,
    published: i64,
    students: i64,
}

/// The counts of each course, in the order given. One statement.
pub async fn counts(on: impl Executor, courses: &[Course]) -> Result<Vec<Counts>> {
    let rows = sql!(
        "SELECT c.id,
           (SELECT COUNT(*) FROM modules m WHERE m.course_id = c.id) AS modules,
           (SELECT COUNT(*) FROM lessons l WHERE l.course_id = c.id) AS lessons,
           (SELECT COUNT(*) FROM pages p WHERE p.course_id = c.id) AS pages,
           (SELECT COUNT(*) FROM pages p WHERE p.course_id = c.id AND p.published) AS published,
           (SELECT COUNT(*) FROM enrollments e WHERE e.course_id = c.id) AS students
         FROM courses c WHERE c.id IN "
    )
    .push_in(courses.iter().map(|c| c.id))
    .fetch_all::<CountsRow>(on)
    .await?;
    Ok(courses
        .iter()
        .map(|course| {
            let row = rows.iter().find(|row| row.id == course.id);
            row.map_or(Counts::default(), |row| Counts {
                modules: row.modules,
                lessons: row.lessons,
                pages: if course.role.is_staff() {
                    row.pages
                } else {
                    row.published
                },
                students: row.students,
            })
        })
        .collect())
}
