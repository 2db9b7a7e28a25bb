//! Response schemas of author calls.

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

use crate::error::Result;
use crate::quiz::AuthorQuiz;
use crate::response::{from_fields, lists};

/// A course as the caller may see it.
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
    /// `XXXX-XXXX`; owner and editors only, else null.
    #[schema(required)]
    pub share_code: Option<String>,
    pub modules_count: i64,
    pub lessons_count: i64,
    /// Learners: of published pages.
    pub pages_count: i64,
    pub students_count: i64,
    #[serde(serialize_with = "wire::time")]
    pub created_at: DateTime<Utc>,
    #[serde(serialize_with = "wire::time")]
    pub updated_at: DateTime<Utc>,
}

/// Who made a course.
#[derive(Serialize, ToSchema)]
pub struct CourseOwner {
    pub id: Uuid,
    #[schema(required)]
    pub full_name: Option<String>,
    /// Null for learners.
    #[schema(required)]
    pub email: Option<String>,
}

/// The caller's highest role in a course; `admin` is a superuser with no other role.
#[derive(ToSchema)]
#[schema(rename_all = "snake_case")]
#[expect(dead_code, reason = "describes names of the core")]
pub enum CourseRole {
    Owner,
    Editor,
    Teacher,
    Admin,
    Learner,
}

lists! {
    /// A page of a list of courses.
    Courses of Course;
}

/// A course with everything in it but the contents of its pages.
#[derive(Serialize, ToSchema)]
pub struct CourseTree {
    #[serde(flatten)]
    pub course: Course,
    /// In order.
    pub modules: Vec<Module>,
}

#[derive(Serialize, ToSchema)]
pub struct Module {
    pub id: Uuid,
    pub course_id: Uuid,
    pub title: String,
    #[schema(required)]
    pub description: Option<String>,
    /// From 0.
    pub position: i64,
    #[schema(required)]
    pub avatar_url: Option<String>,
    /// In order.
    pub lessons: Vec<Lesson>,
}

/// A lesson without its pages.
#[derive(Serialize, ToSchema)]
pub struct LessonFields {
    pub id: Uuid,
    pub module_id: Uuid,
    pub title: String,
    /// From 0.
    pub position: i64,
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
        }
    }
}

/// A page in a tree, without its content.
#[derive(Serialize, ToSchema)]
pub struct Page {
    pub id: Uuid,
    pub lesson_id: Uuid,
    /// Null: shown as the page's number in its lesson.
    #[schema(required)]
    pub title: Option<String>,
    #[schema(inline, value_type = PageKind)]
    pub kind: tree::PageKind,
    /// From 0.
    pub position: i64,
    /// Learners see published pages only.
    pub published: bool,
}

/// What a page holds.
#[derive(ToSchema)]
#[schema(rename_all = "snake_case")]
#[expect(dead_code, reason = "describes names of the core")]
pub enum PageKind {
    Content,
    Quiz,
}

/// The code that enrolls.
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
        Page {
            id: page.id.0,
            lesson_id: view.lesson(page.lesson).id.0,
            title: page.title.clone(),
            kind: page.kind,
            position: page.position,
            published: page.published,
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
    let modules = view.tree.modules.iter();
    modules
        .map(|module| Module {
            id: module.id.0,
            course_id: view.course.id.0,
            title: module.title.clone(),
            description: module.description.clone(),
            position: module.position,
            avatar_url: module.avatar_url.clone(),
            lessons: module.lessons.clone().map(lesson).collect(),
        })
        .collect()
}

from_fields! {
    Module from ModuleRead { id, course_id, title, description, position, avatar_url, [lessons] }
    LessonFields from LessonRead { id, module_id, title, position }
    Page from Summary { id, lesson_id, title, kind, position, published }
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

/// A page read alone, as its authors and teachers see it.
#[derive(Serialize, ToSchema)]
pub struct AuthorPage {
    pub id: Uuid,
    pub lesson_id: Uuid,
    pub course_id: Uuid,
    /// Null: shown as the page's number in its lesson.
    #[schema(required)]
    pub title: Option<String>,
    #[schema(inline, value_type = PageKind)]
    pub kind: tree::PageKind,
    /// From 0.
    pub position: i64,
    /// Learners see published pages only.
    pub published: bool,
    /// A ProseMirror document.
    #[schema(value_type = Object)]
    pub content: Box<RawValue>,
    /// With its answers; null on content pages.
    #[schema(required, value_type = Option<AuthorQuiz>)]
    pub quiz: Option<Box<RawValue>>,
    /// From 1, raised by changes of title, content or quiz.
    pub version: i64,
    #[serde(serialize_with = "wire::time")]
    pub updated_at: DateTime<Utc>,
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
        })
    }
}

/// Somebody else has changed the page since it was read: nothing was saved.
#[derive(Serialize, ToSchema)]
pub struct PageConflict {
    pub detail: String,
    /// As it is stored.
    pub page: AuthorPage,
}

/// The history of a page, newest first.
#[derive(Serialize, ToSchema)]
pub struct PageVersions {
    pub data: Vec<PageVersion>,
    /// How many there are in all: at most 50.
    pub count: i64,
}

/// What a page said at a time. Saves of one open editor within ten minutes are one version.
#[derive(Serialize, ToSchema)]
pub struct PageVersion {
    pub version: i64,
    #[schema(required)]
    pub title: Option<String>,
    /// Who saved it; null when that account is gone.
    #[schema(required)]
    pub editor: Option<PageEditor>,
    /// Its first save.
    #[serde(serialize_with = "wire::time")]
    pub started_at: DateTime<Utc>,
    /// Its last save.
    #[serde(serialize_with = "wire::time")]
    pub saved_at: DateTime<Utc>,
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
        }
    }
}
