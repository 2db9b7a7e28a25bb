//! Response schemas of authors' operations.

use chrono::{DateTime, Utc};
use kurso_base::error as core;
use kurso_base::wire;
use kurso_core::Kurso;
use kurso_core::access::Role;
use kurso_core::courses::lesson::Lesson as LessonRead;
use kurso_core::courses::module::Module as ModuleRead;
use kurso_core::courses::page::versions::Version;
use kurso_core::courses::page::{PageRead, Summary};
use kurso_core::courses::{self, Counts, tree};
use kurso_core::learning::view::CourseView;
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;
use uuid::Uuid;

use super::timeline::{Dates, Late};
use crate::error::Result;
use crate::page_kind::PageKind;
use crate::quiz::AuthorQuiz;
use crate::response::{from_fields, lists};

/// A course, with the fields that the caller may see.
#[derive(Serialize, ToSchema)]
pub struct Course {
    pub id: Uuid,
    #[schema(min_length = 1, max_length = 255)]
    pub title: String,
    #[schema(required)]
    pub description: Option<String>,
    pub owner: CourseOwner,
    #[schema(inline, value_type = CourseRole)]
    pub my_role: Role,
    /// `XXXX-XXXX`; null for everyone but the owner and editors, and when the course has no code.
    #[schema(required)]
    pub share_code: Option<String>,
    pub modules_count: i64,
    pub lessons_count: i64,
    /// Learners: the number of published pages.
    pub pages_count: i64,
    pub students_count: i64,
    #[serde(serialize_with = "wire::optional_time")]
    #[schema(required)]
    pub starts_at: Option<DateTime<Utc>>,
    #[serde(serialize_with = "wire::optional_time")]
    #[schema(required)]
    pub ends_at: Option<DateTime<Utc>>,
    /// End of enrollment by share code.
    #[serde(serialize_with = "wire::optional_time")]
    #[schema(required)]
    pub enroll_until: Option<DateTime<Utc>>,
    /// IANA name of the zone of local times; null means UTC.
    #[schema(required)]
    pub time_zone: Option<String>,
    /// Whether learners see no titles of what is locked for them.
    pub hide_locked_titles: bool,
    /// Whether each lesson opens for a learner when the one before it is complete.
    pub sequential: bool,
    #[serde(serialize_with = "wire::time")]
    pub created_at: DateTime<Utc>,
    #[serde(serialize_with = "wire::time")]
    pub updated_at: DateTime<Utc>,
}

/// The owner of a course.
#[derive(Serialize, ToSchema)]
pub struct CourseOwner {
    pub id: Uuid,
    #[schema(required)]
    pub full_name: Option<String>,
    /// Null for learners.
    #[schema(required)]
    pub email: Option<String>,
}

/// The caller's highest role in the course. `admin`: a superuser without another role.
#[derive(ToSchema)]
#[schema(rename_all = "snake_case")]
#[expect(dead_code, reason = "describes names of the core")]
pub enum CourseRole {
    Owner,
    Editor,
    Teacher,
    Reviewer,
    Admin,
    Learner,
}

lists! {
    /// A page of a list of courses.
    Courses of Course;
}

/// A course with its modules, lessons and pages, without the content of pages.
#[derive(Serialize, ToSchema)]
pub struct CourseTree {
    #[serde(flatten)]
    pub course: Course,
    /// In order.
    pub modules: Vec<Module>,
}

/// Declares a module with its lessons, and its conversion from the modules of a view.
macro_rules! module_response {
    ($(#[doc = $doc:literal])* $name:ident of $lesson:ident $(with $timeline:ident)?) => {
        $(#[doc = $doc])*
        #[derive(serde::Serialize, utoipa::ToSchema)]
        pub struct $name {
            pub id: uuid::Uuid,
            pub course_id: uuid::Uuid,
            pub title: String,
            #[schema(required)]
            pub description: Option<String>,
            /// Index among its siblings, from 0.
            pub position: i64,
            #[schema(required)]
            pub avatar_url: Option<String>,
            #[serde(flatten)]
            pub dates: $crate::courses::timeline::Dates,
            /// IDs of the modules and lessons that must be complete before it, in reading order.
            pub prerequisites: Vec<uuid::Uuid>,
            $(pub $timeline: $crate::courses::timeline::Timeline,)?
            /// In order.
            pub lessons: Vec<$lesson>,
        }

        impl $name {
            /// `lesson` makes the lesson with an index.
            pub fn all(
                view: &kurso_core::learning::view::CourseView,
                lesson: impl Fn(usize) -> $lesson,
            ) -> Vec<Self> {
                let modules = view.tree.modules.iter().enumerate();
                modules
                    .map(|(_index, module)| $name {
                        id: module.id.0,
                        course_id: view.course.id.0,
                        title: module.title.clone(),
                        description: module.description.clone(),
                        position: module.position,
                        avatar_url: module.avatar_url.clone(),
                        dates: module.own_dates().into(),
                        prerequisites: module.prerequisites.clone(),
                        $($timeline: view.timeline().module(_index).into(),)?
                        lessons: module.lessons.clone().map(&lesson).collect(),
                    })
                    .collect()
            }
        }
    };
}
pub(crate) use module_response;

module_response! {
    /// A module with its lessons and pages.
    Module of Lesson
}

/// The fields of a lesson without its pages.
#[derive(Serialize, ToSchema)]
pub struct LessonFields {
    pub id: Uuid,
    pub module_id: Uuid,
    pub title: String,
    /// Index among its siblings, from 0.
    pub position: i64,
    #[serde(flatten)]
    pub dates: Dates,
    /// IDs of the modules and lessons that must be complete before it, in reading order.
    pub prerequisites: Vec<Uuid>,
}

#[derive(Serialize, ToSchema)]
pub struct Lesson {
    #[serde(flatten)]
    pub lesson: LessonFields,
    /// In order.
    pub pages: Vec<Page>,
}

impl LessonFields {
    pub fn of(view: &CourseView, index: usize) -> Self {
        let lesson = view.lesson(index);
        LessonFields {
            id: lesson.id.0,
            module_id: view.module(lesson.module).id.0,
            title: lesson.title.clone(),
            position: lesson.position,
            dates: lesson.own_dates().into(),
            prerequisites: lesson.prerequisites.clone(),
        }
    }
}

/// A page in a course tree, without its content.
#[derive(Serialize, ToSchema)]
pub struct Page {
    pub id: Uuid,
    pub lesson_id: Uuid,
    /// Null for an untitled page: clients show its number in the lesson.
    #[schema(required)]
    pub title: Option<String>,
    #[schema(inline, value_type = PageKind)]
    pub kind: tree::PageKind,
    /// Index among its siblings, from 0.
    pub position: i64,
    /// Learners see published pages only.
    pub published: bool,
    #[serde(flatten)]
    pub dates: Dates,
    #[serde(flatten)]
    pub late: Late,
}

/// The share code of a course.
#[derive(Serialize, ToSchema)]
pub struct ShareCode {
    pub course_id: Uuid,
    /// `XXXX-XXXX`
    #[schema(required)]
    pub share_code: Option<String>,
}

impl Course {
    pub fn of(course: courses::Course, counts: Counts) -> Self {
        Course {
            id: course.id.0,
            title: course.title,
            description: course.description,
            owner: CourseOwner {
                id: course.owner.id.0,
                full_name: course.owner.full_name,
                email: course.owner.email,
            },
            my_role: course.role,
            share_code: course.share_code,
            modules_count: counts.modules,
            lessons_count: counts.lessons,
            pages_count: counts.pages,
            students_count: counts.students,
            starts_at: course.dates.starts_at,
            ends_at: course.dates.ends_at,
            enroll_until: course.dates.enroll_until,
            time_zone: course.dates.time_zone,
            hide_locked_titles: course.dates.hide_locked_titles,
            sequential: course.dates.sequential,
            created_at: course.created_at,
            updated_at: course.updated_at,
        }
    }

    /// Returns the courses with their counts, which one statement reads.
    pub async fn counted(kurso: &Kurso, courses: Vec<courses::Course>) -> Result<Vec<Self>> {
        if courses.is_empty() {
            return Ok(vec![]);
        }
        let counts = courses::counts(&kurso.db, &courses).await?;
        Ok(courses
            .into_iter()
            .zip(counts)
            .map(|(course, counts)| Course::of(course, counts))
            .collect())
    }

    pub async fn counted_one(kurso: &Kurso, course: courses::Course) -> Result<Self> {
        let counts = courses::counts(&kurso.db, std::slice::from_ref(&course)).await?;
        Ok(Course::of(course, counts.into_iter().next().unwrap_or_default()))
    }
}

impl Page {
    pub fn of(view: &CourseView, index: usize) -> Self {
        let page = view.page(index);
        let (dates, late) = page.own_dates();
        Page {
            id: page.id.0,
            lesson_id: view.lesson(page.lesson).id.0,
            title: page.title.clone(),
            kind: page.kind,
            position: page.position,
            published: page.published,
            dates: dates.into(),
            late: late.into(),
        }
    }
}

impl CourseTree {
    pub async fn of(kurso: &Kurso, view: CourseView) -> Result<Self> {
        let modules = modules(&view);
        Ok(CourseTree {
            course: Course::counted_one(kurso, view.course).await?,
            modules,
        })
    }
}

fn modules(view: &CourseView) -> Vec<Module> {
    let page = |index| Page::of(view, index);
    let lesson = |index: usize| Lesson {
        lesson: LessonFields::of(view, index),
        pages: view.pages_of(view.lesson(index)).map(page).collect(),
    };
    Module::all(view, lesson)
}

from_fields! {
    Module from ModuleRead { id, course_id, title, description, position, avatar_url, dates, prerequisites, [lessons] }
    LessonFields from LessonRead { id, module_id, title, position, dates, prerequisites }
    Page from Summary { id, lesson_id, title, kind, position, published, dates, late }
}

impl From<LessonRead> for Lesson {
    fn from(mut lesson: LessonRead) -> Self {
        let pages = std::mem::take(&mut lesson.pages);
        Lesson {
            lesson: lesson.into(),
            pages: pages.into_iter().map(Page::from).collect(),
        }
    }
}

/// A page with its content, as authors and teachers see it.
#[derive(Serialize, ToSchema)]
pub struct AuthorPage {
    pub id: Uuid,
    pub lesson_id: Uuid,
    pub course_id: Uuid,
    /// Null for an untitled page: clients show its number in the lesson.
    #[schema(required)]
    pub title: Option<String>,
    #[schema(inline, value_type = PageKind)]
    pub kind: tree::PageKind,
    /// Index among its siblings, from 0.
    pub position: i64,
    /// Learners see published pages only.
    pub published: bool,
    /// ProseMirror document.
    #[schema(value_type = Object)]
    pub content: Box<RawValue>,
    /// Quiz with its answer key; null on content pages.
    #[schema(required, value_type = Option<AuthorQuiz>)]
    pub quiz: Option<Box<RawValue>>,
    /// Starts at 1; every change of title, content or quiz increments it.
    pub version: i64,
    #[serde(serialize_with = "wire::time")]
    pub updated_at: DateTime<Utc>,
    #[serde(flatten)]
    pub dates: Dates,
    #[serde(flatten)]
    pub late: Late,
    /// True: title, content, quiz, version and `updated_at` are those of the draft of the page, which learners do not see. Else absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub draft: Option<bool>,
}

impl AuthorPage {
    pub fn of(page: PageRead) -> Result<Self, core::Error> {
        let raw = |text| RawValue::from_string(text).map_err(core::Error::internal);
        Ok(AuthorPage {
            id: page.id.0,
            lesson_id: page.lesson_id.0,
            course_id: page.course_id.0,
            title: page.title,
            kind: page.kind,
            position: page.position,
            published: page.published,
            content: raw(page.content)?,
            quiz: page.quiz.map(raw).transpose()?,
            version: page.version,
            updated_at: page.updated_at,
            dates: page.dates.into(),
            late: page.late.into(),
            draft: page.is_draft.then_some(true),
        })
    }
}

/// The page has changed since the client read it. Nothing was saved.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes what `error` writes")]
pub struct PageConflict {
    detail: String,
    /// The stored page.
    page: AuthorPage,
}

/// The history of a page, newest first.
#[derive(Serialize, ToSchema)]
pub struct PageVersions {
    pub data: Vec<PageVersion>,
    /// Number of versions, seldom more than 50.
    pub count: i64,
}

/// A version of a page. Saves of one `user_session_id` within ten minutes share a version.
#[derive(Serialize, ToSchema)]
pub struct PageVersion {
    pub version: i64,
    #[schema(required)]
    pub title: Option<String>,
    /// The user who saved it; null when the account is deleted.
    #[schema(required)]
    pub editor: Option<PageEditor>,
    /// Time of its first save.
    #[serde(serialize_with = "wire::time")]
    pub started_at: DateTime<Utc>,
    /// Time of its last save.
    #[serde(serialize_with = "wire::time")]
    pub saved_at: DateTime<Utc>,
    /// When learners could first read it; null for a text that they never could.
    #[serde(serialize_with = "wire::optional_time")]
    #[schema(required)]
    pub published_at: Option<DateTime<Utc>>,
}

#[derive(Serialize, ToSchema)]
pub struct PageEditor {
    pub id: Uuid,
    #[schema(required)]
    pub full_name: Option<String>,
}

impl From<Version> for PageVersion {
    fn from(version: Version) -> Self {
        let full_name = version.editor_full_name;
        PageVersion {
            version: version.version,
            title: version.title,
            editor: version.editor_id.map(|id| PageEditor { id: id.0, full_name }),
            started_at: version.started_at,
            saved_at: version.saved_at,
            published_at: version.published_at,
        }
    }
}
