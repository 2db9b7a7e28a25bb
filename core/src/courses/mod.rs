//! Courses: access to one, the lists of courses, their counts.

mod asked;
pub mod avatar;
pub mod course;
pub mod duplicate;
pub mod enrollment;
pub mod finding;
pub mod lesson;
pub mod module;
mod order;
pub mod page;
pub mod sharing;
pub mod team;
pub mod tree;

pub use asked::AskedCourses;
pub(crate) use asked::{find_by_token, find_by_token_and_page};
use chrono::{DateTime, Utc};
pub use enrollment::Enrollment;
use enrollment::{AttemptSummaries, ProgressBitmap, StoredProgress};

use crate::Kurso;
use crate::access::{self, CollaboratorRole, Right, Role, Viewer};
use crate::audit::{Act, Entry};
use kurso_base::error::{Error, Result};
use kurso_base::ids::{CourseId, EnrollmentId, LessonId, ModuleId, PageId, UserId};
use kurso_base::messages::Message;
use kurso_base::pagination::{Listed, Page};
use kurso_base::search::Search;
use kurso_db::sql;
use kurso_db::{Db, Executor, Tx};

/// Rows of one INSERT: with at most ten columns well below SQLite's limit of arguments.
const ROWS: usize = 500;

/// A course as one person may see it: fields they may not see are None already.
#[derive(Clone, Debug)]
pub struct Course {
    pub id: CourseId,
    pub title: String,
    pub description: Option<String>,
    pub owner: Owner,
    pub role: Role,
    /// `XXXX-XXXX`; owner and editors only.
    pub share_code: Option<String>,
    /// Raised by every change of the tree: the key of [`tree::Tree`]s in the cache.
    pub structure_version: i64,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
    /// The viewer's own.
    pub enrollment: Option<Enrollment>,
}

#[derive(Clone, Debug)]
pub struct Owner {
    pub id: UserId,
    pub full_name: Option<String>,
    /// None for learners.
    pub email: Option<String>,
}

#[derive(Debug, sqlx::FromRow)]
struct CourseRow {
    #[sqlx(rename = "course_id")]
    id: CourseId,
    title: String,
    description: Option<String>,
    share_code: Option<String>,
    structure_version: i64,
    #[sqlx(rename = "course_created_at")]
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
    owner_id: UserId,
    owner_full_name: Option<String>,
    owner_email: String,
    collaborator: Option<CollaboratorRole>,
    enrollment_id: Option<EnrollmentId>,
    enrolled_at: Option<DateTime<Utc>>,
    last_activity_at: Option<DateTime<Utc>>,
    completed_at: Option<DateTime<Utc>>,
    marks: Option<ProgressBitmap>,
    tries: Option<AttemptSummaries>,
}

#[derive(sqlx::FromRow)]
struct CountedRow {
    #[sqlx(flatten)]
    row: CourseRow,
    whole: i64,
}

/// What every query of courses selects; `$1` is the viewer.
macro_rules! course_columns {
    () => {
        "c.id AS course_id, c.title, c.description, c.share_code, c.structure_version,
         c.created_at AS course_created_at, c.updated_at,
         o.id AS owner_id, o.full_name AS owner_full_name, o.email AS owner_email, k.role AS collaborator,
         e.id AS enrollment_id, e.enrolled_at, e.last_activity_at, e.completed_at, e.marks, e.tries"
    };
}
macro_rules! course_joins {
    () => {
        course_joins!("$1")
    };
    ($viewer:literal) => {
        concat!(
            " JOIN users o ON o.id = c.owner_id
              LEFT JOIN collaborators k ON k.course_id = c.id AND k.user_id = ",
            $viewer,
            " LEFT JOIN enrollments e ON e.course_id = c.id AND e.user_id = ",
            $viewer,
            " "
        )
    };
}

use {course_columns, course_joins};

impl CourseRow {
    fn seen_by(self, viewer: &Viewer) -> Option<Course> {
        let role = access::role_of(viewer, self.owner_id, self.collaborator, self.enrollment_id.is_some())?;
        let enrollment = match (self.enrollment_id, self.enrolled_at, self.last_activity_at) {
            (Some(id), Some(enrolled_at), Some(last_activity_at)) => Some(Enrollment {
                id,
                course_id: self.id,
                user_id: viewer.id(),
                enrolled_at,
                last_activity_at,
                completed_at: self.completed_at,
                kept: self
                    .marks
                    .zip(self.tries)
                    .map(|(marks, tries)| StoredProgress { marks, tries }),
            }),
            _ => None,
        };
        Some(Course {
            id: self.id,
            title: self.title,
            description: self.description,
            owner: Owner {
                id: self.owner_id,
                full_name: self.owner_full_name,
                email: role.is_staff().then_some(self.owner_email),
            },
            role,
            share_code: self
                .share_code
                .filter(|_| role.may(Right::SeeShareCode))
                .map(|code| sharing::shown(&code)),
            structure_version: self.structure_version,
            created_at: self.created_at,
            updated_at: self.updated_at,
            enrollment,
        })
    }
}

fn decide(row: Option<CourseRow>, viewer: &Viewer, right: Right, missing: Message) -> Result<Course> {
    let course = row
        .and_then(|row| row.seen_by(viewer))
        .ok_or(Error::NotFound(missing))?;
    access::require(course.role, right)?;
    Ok(course)
}

/// One course; 404 without a relation to it, 403 without `right`. One statement.
pub async fn find(on: impl Executor, viewer: &Viewer, id: CourseId, right: Right) -> Result<Course> {
    let row = sql!(
        concat!(
            "SELECT ",
            course_columns!(),
            " FROM courses c",
            course_joins!(),
            "WHERE c.id = $2"
        ),
        viewer.id(),
        id
    )
    .fetch_optional(on)
    .await?;
    decide(row, viewer, right, Message::CourseNotFound)
}

/// The course of a module; the refusals speak of the module.
pub async fn find_by_module(on: impl Executor, viewer: &Viewer, module: ModuleId, right: Right) -> Result<Course> {
    let row = sql!(
        concat!(
            "SELECT ",
            course_columns!(),
            " FROM modules m JOIN courses c ON c.id = m.course_id",
            course_joins!(),
            "WHERE m.id = $2"
        ),
        viewer.id(),
        module
    )
    .fetch_optional(on)
    .await?;
    decide(row, viewer, right, Message::ModuleNotFound)
}

/// The course of a lesson; the refusals speak of the lesson.
pub async fn find_by_lesson(on: impl Executor, viewer: &Viewer, lesson: LessonId, right: Right) -> Result<Course> {
    let row = sql!(
        concat!(
            "SELECT ",
            course_columns!(),
            " FROM lessons l JOIN courses c ON c.id = l.course_id",
            course_joins!(),
            "WHERE l.id = $2"
        ),
        viewer.id(),
        lesson
    )
    .fetch_optional(on)
    .await?;
    decide(row, viewer, right, Message::LessonNotFound)
}

/// The course of a page; the refusals speak of the page.
pub async fn find_by_page(on: impl Executor, viewer: &Viewer, page: PageId, right: Right) -> Result<Course> {
    let row = sql!(
        concat!(
            "SELECT ",
            course_columns!(),
            " FROM pages p JOIN courses c ON c.id = p.course_id",
            course_joins!(),
            "WHERE p.id = $2"
        ),
        viewer.id(),
        page
    )
    .fetch_optional(on)
    .await?;
    decide(row, viewer, right, Message::PageNotFound)
}

/// The course of somebody's enrollment; the refusals speak of the student.
pub async fn find_by_enrollment(
    on: impl Executor,
    viewer: &Viewer,
    enrollment: EnrollmentId,
    right: Right,
) -> Result<Course> {
    let row = sql!(
        concat!(
            "SELECT ",
            course_columns!(),
            " FROM enrollments s JOIN courses c ON c.id = s.course_id",
            course_joins!(),
            "WHERE s.id = $2"
        ),
        viewer.id(),
        enrollment
    )
    .fetch_optional(on)
    .await?;
    decide(row, viewer, right, Message::StudentNotFound)
}

/// Courses where the viewer is owner, editor or teacher: newest change first, then by id. One statement, two when
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

/// Every course there is, as a superuser sees it: newest change first, then by id; those with all words of the search in
/// the title, the owner's name or address. One statement, two with a search.
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
    let names = sql!(
        "SELECT c.id, c.title, o.full_name, o.email FROM courses c JOIN users o ON o.id = c.owner_id
         ORDER BY c.updated_at DESC, c.id DESC"
    )
    .fetch_all::<(CourseId, String, Option<String>, String)>(db)
    .await?;
    let found: Vec<CourseId> = names
        .into_iter()
        .filter(|(_, title, name, email)| search.matches(&[title, name.as_deref().unwrap_or_default(), email]))
        .map(|(id, ..)| id)
        .collect();
    let size = |number: i64| usize::try_from(number).unwrap_or(usize::MAX);
    let shown: Vec<CourseId> = found
        .iter()
        .copied()
        .skip(size(page.skip))
        .take(size(page.limit))
        .collect();
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
    .push_in(shown.iter().copied())
    .push(" ORDER BY c.updated_at DESC, c.id DESC")
    .fetch_all::<CourseRow>(db)
    .await?;
    Ok(Listed {
        data: rows.into_iter().filter_map(|row| row.seen_by(viewer)).collect(),
        count: i64::try_from(found.len()).unwrap_or(i64::MAX),
    })
}

/// Courses the viewer is enrolled in: latest activity first, then by enrollment id.
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

/// Courses the viewer teaches or learns: the latest activity first, then by id. One statement.
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

/// How much a course holds. Learners count published pages only.
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

/// Makes a new share code, which replaces the old one at once; owner only.
pub async fn generate_share_code(kurso: &Kurso, viewer: &Viewer, id: CourseId) -> Result<Course> {
    let mut course = find(&kurso.db, viewer, id, Right::Share).await?;
    // Two equal codes of 40 random bits are next to impossible, but not an error of the caller.
    for _ in 0..5 {
        let code = sharing::new_code();
        let mut tx = kurso.db.begin().await?;
        match sql!("UPDATE courses SET share_code = $2 WHERE id = $1", id, &code)
            .execute(&mut tx)
            .await
        {
            Ok(0) => return Err(Error::NotFound(Message::CourseNotFound)),
            Ok(_) => {
                let entry = Entry::new(Act::ShareCodeRenewed).by(viewer.id()).in_course(id);
                entry.write(&mut tx, kurso.clock.now()).await?;
                tx.commit().await?;
                course.share_code = Some(sharing::shown(&code));
                return Ok(course);
            }
            Err(error) if kurso_base::error::is_unique_violation(&error) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Err(Error::internal("no free share code in five tries"))
}

/// Locks the course for writing until the transaction ends; the first statement of every change below a course, so that
/// writers of one course come one after the other and never wait for each other in a circle. 404 when it is gone.
async fn lock(tx: &mut Tx, course: CourseId, now: DateTime<Utc>) -> Result<()> {
    let locked = sql!("UPDATE courses SET updated_at = $2 WHERE id = $1", course, now)
        .execute(tx)
        .await?;
    if locked == 0 {
        return Err(Error::NotFound(Message::CourseNotFound));
    }
    Ok(())
}

/// The same for changes of the people of a course, which is not changed by them itself.
pub(crate) async fn hold(tx: &mut Tx, course: CourseId) -> Result<()> {
    let held = sql!("UPDATE courses SET updated_at = updated_at WHERE id = $1", course)
        .execute(tx)
        .await?;
    if held == 0 {
        return Err(Error::NotFound(Message::CourseNotFound));
    }
    Ok(())
}

/// The same, and the tree gets a new version: what readers have cached is no longer found.
pub(crate) async fn lock_structure(tx: &mut Tx, course: CourseId, now: DateTime<Utc>) -> Result<()> {
    let locked = sql!(
        "UPDATE courses SET structure_version = structure_version + 1, updated_at = $2 WHERE id = $1",
        course,
        now
    )
    .execute(tx)
    .await?;
    if locked == 0 {
        return Err(Error::NotFound(Message::CourseNotFound));
    }
    Ok(())
}
