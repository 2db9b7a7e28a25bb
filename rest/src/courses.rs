//! Courses as their authors and teachers see them (contract 4).

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use chrono::{DateTime, Utc};
use kurso_core::access::{Right, Role, Viewer};
use kurso_core::courses::{self, Counts, tree};
use kurso_core::ids::CourseId;
use kurso_core::learning::view::CourseView;
use kurso_core::page as paging;
use kurso_core::{Kurso, wire};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::error::Result;
use crate::extract::Path;
use crate::openapi::{CourseRefusals, InvalidRefusal, PagingParams, ServerRefusals, SignedInRefusals};

/// A course as the caller may see it.
#[derive(Serialize, ToSchema)]
pub struct Course {
    pub id: Uuid,
    #[schema(min_length = 1, max_length = 255)]
    pub title: String,
    #[schema(required)]
    pub description: Option<String>,
    pub owner: CourseOwner,
    #[schema(inline)]
    pub my_role: CourseRole,
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
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum CourseRole {
    Owner,
    Editor,
    Teacher,
    Admin,
    Learner,
}

/// A page of a list of courses.
#[derive(Serialize, ToSchema)]
pub struct Courses {
    pub data: Vec<Course>,
    /// How many there are in all.
    pub count: i64,
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

#[derive(Serialize, ToSchema)]
pub struct Lesson {
    pub id: Uuid,
    pub module_id: Uuid,
    pub title: String,
    /// From 0.
    pub position: i64,
    /// In order.
    pub pages: Vec<Page>,
}

/// A page in a tree, without its content.
#[derive(Serialize, ToSchema)]
pub struct Page {
    pub id: Uuid,
    pub lesson_id: Uuid,
    /// Null: shown as the page's number in its lesson.
    #[schema(required)]
    pub title: Option<String>,
    #[schema(inline)]
    pub kind: PageKind,
    /// From 0.
    pub position: i64,
    /// Learners see published pages only.
    pub published: bool,
}

/// What a page holds.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
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
            my_role: course.role.into(),
            share_code: course.share_code,
            modules_count: counts.modules,
            lessons_count: counts.lessons,
            pages_count: counts.pages,
            students_count: counts.students,
            created_at: course.created_at,
            updated_at: course.updated_at,
        }
    }

    /// The courses with what they hold, counted in one statement.
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

impl From<Role> for CourseRole {
    fn from(role: Role) -> Self {
        match role {
            Role::Owner => CourseRole::Owner,
            Role::Editor => CourseRole::Editor,
            Role::Teacher => CourseRole::Teacher,
            Role::Admin => CourseRole::Admin,
            Role::Learner => CourseRole::Learner,
        }
    }
}

impl From<tree::PageKind> for PageKind {
    fn from(kind: tree::PageKind) -> Self {
        match kind {
            tree::PageKind::Content => PageKind::Content,
            tree::PageKind::Quiz => PageKind::Quiz,
        }
    }
}

impl Page {
    pub fn of(view: &CourseView, place: usize) -> Self {
        let page = view.page(place);
        Page {
            id: page.id.0,
            lesson_id: view.lesson(page.lesson).id.0,
            title: page.title.clone(),
            kind: page.kind.into(),
            position: page.position,
            published: page.published,
        }
    }
}

fn modules(view: &CourseView) -> Vec<Module> {
    let lesson = |place: usize| {
        let lesson = view.lesson(place);
        Lesson {
            id: lesson.id.0,
            module_id: view.module(lesson.module).id.0,
            title: lesson.title.clone(),
            position: lesson.position,
            pages: view.pages_of(lesson).map(|place| Page::of(view, place)).collect(),
        }
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

/// List Courses
///
/// Courses where the caller is owner, editor or teacher. Order: newest change first, then by id, descending.
#[utoipa::path(
    get, path = "/api/v1/courses/list_courses", operation_id = "courses-list_courses", tag = "courses",
    params(PagingParams),
    security(("OAuth2PasswordBearer" = [])),
    responses(ServerRefusals, SignedInRefusals, InvalidRefusal, (status = 200, description = "Courses", body = Courses))
)]
pub async fn list_courses(
    State(kurso): State<Arc<Kurso>>,
    viewer: Viewer,
    page: paging::Page,
) -> Result<Json<Courses>> {
    let listed = courses::taught_by(&kurso.db, &viewer, page).await?;
    Ok(Json(Courses {
        data: Course::counted(&kurso, listed.data).await?,
        count: listed.count,
    }))
}

/// Get Course
///
/// A course with its modules, lessons and pages, as its authors and teachers see it.
#[utoipa::path(
    get, path = "/api/v1/courses/get_course/{course_id}", operation_id = "courses-get_course", tag = "courses",
    params(("course_id" = Uuid, Path)),
    security(("OAuth2PasswordBearer" = [])),
    responses(
        ServerRefusals, CourseRefusals, InvalidRefusal,
        (status = 200, description = "The course", body = CourseTree),
    )
)]
pub async fn get_course(
    State(kurso): State<Arc<Kurso>>,
    viewer: Viewer,
    Path(id): Path<CourseId>,
) -> Result<Json<CourseTree>> {
    let view = CourseView::load(&kurso, &viewer, id, Right::ReadAsAuthor).await?;
    let modules = modules(&view);
    Ok(Json(CourseTree {
        course: Course::counted_one(&kurso, view.course).await?,
        modules,
    }))
}

/// Generate Share Code
///
/// Makes a new share code, which replaces the old one at once. The owner only.
#[utoipa::path(
    post, path = "/api/v1/courses/generate_share_code/{course_id}",
    operation_id = "courses-generate_share_code", tag = "courses",
    params(("course_id" = Uuid, Path)),
    security(("OAuth2PasswordBearer" = [])),
    responses(
        ServerRefusals, CourseRefusals, InvalidRefusal,
        (status = 200, description = "The new code", body = ShareCode),
    )
)]
pub async fn generate_share_code(
    State(kurso): State<Arc<Kurso>>,
    viewer: Viewer,
    Path(id): Path<CourseId>,
) -> Result<Json<ShareCode>> {
    let course = courses::generate_share_code(&kurso, &viewer, id).await?;
    Ok(Json(ShareCode {
        course_id: course.id.0,
        share_code: course.share_code,
    }))
}
