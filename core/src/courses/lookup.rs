//! Finds a course for a viewer: by its id, or by the id of something in it.

use chrono::{DateTime, Utc};

use super::enrollment::{AttemptSummaries, Enrollment, ProgressBitmap, ReadingPlace, StoredProgress};
use super::groups::GroupName;
use super::visibility::has_public_page;
use super::{Course, Owner, sharing};
use crate::access::{self, CollaboratorRole, Right, Role, Viewer};
use kurso_base::error::{Error, Result};
use kurso_base::ids::{
    AnnouncementId, CertificateId, CommentId, CourseId, DiscussionId, EnrollmentId, GradeCategoryId, GroupId, LessonId,
    ModuleId, OverrideId, PageId, PostId, ThreadId, UserId,
};
use kurso_base::messages::Message;

use kurso_base::schedule::CourseDates;
use kurso_db::{Executor, sql};

/// A course with the relation of one person to it.
#[derive(Debug, sqlx::FromRow)]
pub(super) struct CourseRow {
    #[sqlx(rename = "course_id")]
    id: CourseId,
    title: String,
    description: Option<String>,
    share_code: Option<String>,
    structure_version: i64,
    #[sqlx(flatten)]
    dates: CourseDates,
    has_overrides: bool,
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
    last_page_id: Option<PageId>,
    reading_place: Option<String>,
    completed_at: Option<DateTime<Utc>>,
    marks: Option<ProgressBitmap>,
    tries: Option<AttemptSummaries>,
    group_id: Option<GroupId>,
    group_title: Option<String>,
}

/// The columns of a [`CourseRow`].
macro_rules! course_columns {
    () => {
        concat!(
            "c.id AS course_id, c.title, c.description, c.share_code, c.structure_version, ",
            $crate::courses::dates::course_dates_columns!("c"),
            ", EXISTS (SELECT 1 FROM schedule_overrides x WHERE x.course_id = c.id) AS has_overrides,
         c.created_at AS course_created_at, c.updated_at,
         o.id AS owner_id, o.full_name AS owner_full_name, o.email AS owner_email, k.role AS collaborator,
         e.id AS enrollment_id, e.enrolled_at, e.last_activity_at, e.completed_at, e.marks, e.tries,
         e.last_page_id, e.reading_place, e.group_id, g.title AS group_title"
        )
    };
}
/// The joins of these columns; `$1` is the viewer, unless another parameter is given.
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
            " LEFT JOIN groups g ON g.id = e.group_id "
        )
    };
}

pub(super) use {course_columns, course_joins};

impl CourseRow {
    /// The course as the viewer may see it; None without a relation to it.
    pub(super) fn seen_by(self, viewer: &Viewer) -> Option<Course> {
        let role = access::role_of(viewer, self.owner_id, self.collaborator, self.enrollment_id.is_some())?;
        Some(self.seen_as(viewer.id(), role))
    }

    /// The course as a person with this role may see it.
    fn seen_as(self, person: UserId, role: Role) -> Course {
        let enrollment = match (self.enrollment_id, self.enrolled_at, self.last_activity_at) {
            (Some(id), Some(enrolled_at), Some(last_activity_at)) => Some(Enrollment {
                id,
                course_id: self.id,
                user_id: person,
                group: GroupName::of(self.group_id, self.group_title),
                enrolled_at,
                last_activity_at,
                last_page: self.last_page_id,
                place: self.reading_place.as_deref().and_then(ReadingPlace::parse),
                completed_at: self.completed_at,
                kept: self
                    .marks
                    .zip(self.tries)
                    .map(|(marks, tries)| StoredProgress { marks, tries }),
            }),
            _ => None,
        };
        Course {
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
            dates: self.dates,
            has_overrides: self.has_overrides,
            created_at: self.created_at,
            updated_at: self.updated_at,
            enrollment,
        }
    }
}

/// A course that has a public page, as an unnamed learner sees it who has just enrolled. None for any other id.
pub(crate) async fn find_with_public_page(
    on: impl Executor,
    course: CourseId,
    now: DateTime<Utc>,
) -> Result<Option<Course>> {
    let nobody = UserId(uuid::Uuid::nil());
    let row = sql!(
        concat!(
            "SELECT ",
            course_columns!(),
            " FROM courses c",
            course_joins!(),
            "WHERE c.id = $2 AND ",
            has_public_page!()
        ),
        nobody,
        course
    )
    .fetch_optional::<CourseRow>(on)
    .await?;
    Ok(row.map(|row| row.seen_as(nobody, Role::Learner).for_newcomer(None, now)))
}

/// A course with the learner whose it is.
#[derive(sqlx::FromRow)]
struct LearnerRow {
    learner_id: UserId,
    #[sqlx(flatten)]
    course: CourseRow,
}

/// The course as a learner of it sees it, whatever other role they have in it. Fails with 404 if the course has no such enrollment.
pub async fn find_as_learner(on: impl Executor, course: CourseId, enrollment: EnrollmentId) -> Result<Course> {
    let row = sql!(
        concat!(
            "SELECT s.user_id AS learner_id, ",
            course_columns!(),
            " FROM enrollments s JOIN courses c ON c.id = s.course_id",
            course_joins!("s.user_id"),
            "WHERE s.id = $1 AND s.course_id = $2"
        ),
        enrollment,
        course
    )
    .fetch_optional::<LearnerRow>(on)
    .await?;
    let row = row.ok_or(Error::NotFound(Message::StudentNotFound))?;
    Ok(row.course.seen_as(row.learner_id, Role::Learner))
}

/// A course, or something in it that has exactly one course.
#[derive(Clone, Copy, Debug)]
pub enum CoursePart {
    Course(CourseId),
    Module(ModuleId),
    Lesson(LessonId),
    Page(PageId),
    Enrollment(EnrollmentId),
    Group(GroupId),
    Override(OverrideId),
    GradeCategory(GradeCategoryId),
    Thread(ThreadId),
    Comment(CommentId),
    Announcement(AnnouncementId),
    Discussion(DiscussionId),
    Post(PostId),
    Certificate(CertificateId),
}

macro_rules! parts {
    ($($part:ident($id:ident)),*) => {$(
        impl From<$id> for CoursePart {
            fn from(id: $id) -> Self {
                CoursePart::$part(id)
            }
        }
    )*};
}

parts! { Course(CourseId), Module(ModuleId), Lesson(LessonId), Page(PageId), Enrollment(EnrollmentId), Group(GroupId), Override(OverrideId), GradeCategory(GradeCategoryId), Thread(ThreadId), Comment(CommentId), Announcement(AnnouncementId), Discussion(DiscussionId), Post(PostId), Certificate(CertificateId) }

/// Reads the course that `part` is or belongs to. Fails with 404, in the words of the part, if the viewer has no relation to
/// the course, and with 403 without `right`. One statement.
pub async fn find(on: impl Executor, viewer: &Viewer, part: impl Into<CoursePart>, right: Right) -> Result<Course> {
    macro_rules! select {
        ($from:literal, $id:literal, $value:expr) => {
            sql!(
                concat!(
                    "SELECT ",
                    course_columns!(),
                    " FROM ",
                    $from,
                    course_joins!(),
                    "WHERE ",
                    $id,
                    " = $2"
                ),
                viewer.id(),
                $value
            )
        };
    }
    let (select, missing) = match part.into() {
        CoursePart::Course(id) => (select!("courses c", "c.id", id), Message::CourseNotFound),
        CoursePart::Module(id) => (
            select!("modules m JOIN courses c ON c.id = m.course_id", "m.id", id),
            Message::ModuleNotFound,
        ),
        CoursePart::Lesson(id) => (
            select!("lessons l JOIN courses c ON c.id = l.course_id", "l.id", id),
            Message::LessonNotFound,
        ),
        CoursePart::Page(id) => (
            select!("pages p JOIN courses c ON c.id = p.course_id", "p.id", id),
            Message::PageNotFound,
        ),
        CoursePart::Enrollment(id) => (
            select!("enrollments s JOIN courses c ON c.id = s.course_id", "s.id", id),
            Message::StudentNotFound,
        ),
        CoursePart::Group(id) => (
            select!("groups y JOIN courses c ON c.id = y.course_id", "y.id", id),
            Message::GroupNotFound,
        ),
        CoursePart::Override(id) => (
            select!("schedule_overrides z JOIN courses c ON c.id = z.course_id", "z.id", id),
            Message::OverrideNotFound,
        ),
        CoursePart::GradeCategory(id) => (
            select!("grade_categories z JOIN courses c ON c.id = z.course_id", "z.id", id),
            Message::GradeCategoryNotFound,
        ),
        CoursePart::Thread(id) => (
            select!(
                "comment_threads z JOIN pages y ON y.id = z.page_id JOIN courses c ON c.id = y.course_id",
                "z.id",
                id
            ),
            Message::ThreadNotFound,
        ),
        CoursePart::Comment(id) => (
            select!(
                "page_comments x JOIN comment_threads z ON z.id = x.thread_id JOIN pages y ON y.id = z.page_id
                 JOIN courses c ON c.id = y.course_id",
                "x.id",
                id
            ),
            Message::CommentNotFound,
        ),
        CoursePart::Announcement(id) => (
            select!("announcements z JOIN courses c ON c.id = z.course_id", "z.id", id),
            Message::AnnouncementNotFound,
        ),
        CoursePart::Discussion(id) => (
            select!(
                "discussions z JOIN pages y ON y.id = z.page_id JOIN courses c ON c.id = y.course_id",
                "z.id",
                id
            ),
            Message::DiscussionNotFound,
        ),
        CoursePart::Post(id) => (
            select!(
                "discussion_posts x JOIN discussions z ON z.id = x.discussion_id JOIN pages y ON y.id = z.page_id
                 JOIN courses c ON c.id = y.course_id",
                "x.id",
                id
            ),
            Message::PostNotFound,
        ),
        CoursePart::Certificate(id) => (
            select!("certificates z JOIN courses c ON c.id = z.course_id", "z.id", id),
            Message::CertificateNotFound,
        ),
    };
    let row = select.fetch_optional::<CourseRow>(on).await?;
    let course = row
        .and_then(|row| row.seen_by(viewer))
        .ok_or(Error::NotFound(missing))?;
    access::require(course.role, right)?;
    Ok(course)
}
