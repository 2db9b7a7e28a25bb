//! The public pages of courses, as visitors see them, and their settings.

use async_graphql::{ComplexObject, Context, Enum, ID, Result, SimpleObject};
use kurso_core::courses::visibility::{self, PublicPageSettings};
use kurso_core::{guests, public_page};

use super::{DateTime, id_of, int};
use crate::cost;

/// Who sees the public page of a course without being in the course.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "visibility::Visibility")]
pub enum CourseVisibility {
    /// Nobody: the course has no public page.
    Private,
    /// Everybody who has its address. The page is neither in the catalogue nor in search engines.
    Link,
    /// Everybody: the course is in the catalogue and in search engines.
    Public,
}

/// Settings of the public page of a course.
#[derive(SimpleObject)]
pub struct PublicPage {
    /// Who sees it.
    visibility: CourseVisibility,
    /// Path of the cover for the team of the course; null without one. It is uploaded over REST (`upload_cover`).
    cover_url: Option<String>,
    /// Whether people may start the course without an account, from its page or with a code.
    allows_guests: bool,
}

impl From<PublicPageSettings> for PublicPage {
    fn from(settings: PublicPageSettings) -> Self {
        PublicPage {
            visibility: settings.visibility.into(),
            cover_url: settings.cover_url,
            allows_guests: settings.allows_guests,
        }
    }
}

/// The cover of a course, for visitors.
#[derive(SimpleObject)]
pub struct CourseCover {
    /// Path `/courses/…`. It changes with the picture.
    url: String,
    /// In pixels.
    width: i32,
    /// In pixels.
    height: i32,
}

/// A course of the catalogue.
#[derive(SimpleObject)]
pub struct CatalogueCourse {
    /// Unique ID.
    id: ID,
    /// 1 to 255 characters.
    title: String,
    /// Plain text, at most 10,000 characters, in the catalogue only its first 300; null when there is none.
    description: Option<String>,
    /// The cover; null without one.
    cover: Option<CourseCover>,
    /// The full names of the owner and the editors; people without one are left out.
    authors: Vec<String>,
    /// Start of the course; null: no start.
    starts_at: Option<DateTime>,
    /// End of the course; null: no end.
    ends_at: Option<DateTime>,
    /// End of enrollment; null: no end.
    enroll_until: Option<DateTime>,
    /// IANA name of the zone of local times; null means UTC.
    time_zone: Option<String>,
    /// Time of the last change.
    updated_at: DateTime,
}

impl From<public_page::CatalogueEntry> for CatalogueCourse {
    fn from(entry: public_page::CatalogueEntry) -> Self {
        CatalogueCourse {
            id: id_of(entry.id),
            title: entry.title,
            description: entry.description,
            cover: entry.cover.map(|cover| CourseCover {
                url: cover.url,
                width: int(cover.width),
                height: int(cover.height),
            }),
            authors: entry.authors,
            starts_at: entry.dates.starts_at.map(DateTime),
            ends_at: entry.dates.ends_at.map(DateTime),
            enroll_until: entry.dates.enroll_until.map(DateTime),
            time_zone: entry.dates.time_zone,
            updated_at: DateTime(entry.updated_at),
        }
    }
}

/// The public page of a course.
#[derive(SimpleObject)]
#[graphql(complex)]
pub struct PublicCourse {
    /// The course.
    course: CatalogueCourse,
    /// Who sees the page; never `PRIVATE`.
    visibility: CourseVisibility,
    /// Whether a newcomer can enroll now.
    is_enrollment_open: bool,
    /// Whether people can start the course without an account.
    allows_guests: bool,
    /// Number of lessons in `modules`.
    lesson_count: i32,
    /// Number of published pages, with quizzes and assignments.
    page_count: i32,
    /// Number of published quizzes and assignments.
    quiz_count: i32,
    #[graphql(skip)]
    outline: Vec<public_page::OutlineModule>,
}

#[ComplexObject]
impl PublicCourse {
    /// In order, without those that have no published page.
    #[graphql(complexity = "cost::list(cost::MODULES, child_complexity)")]
    async fn modules(&self, ctx: &Context<'_>) -> Result<Vec<PublicModule>> {
        cost::spend(ctx, self.outline.len())?;
        let modules = self.outline.iter().map(|module| PublicModule {
            title: module.title.clone(),
            outline: module.lessons.clone(),
        });
        Ok(modules.collect())
    }
}

/// A module on a public page.
#[derive(SimpleObject)]
#[graphql(complex)]
pub struct PublicModule {
    /// Null: newcomers do not see it yet.
    title: Option<String>,
    #[graphql(skip)]
    outline: Vec<public_page::OutlineLesson>,
}

#[ComplexObject]
impl PublicModule {
    /// In order, without those that have no published page.
    #[graphql(complexity = "cost::list(cost::LESSONS, child_complexity)")]
    async fn lessons(&self, ctx: &Context<'_>) -> Result<Vec<PublicLesson>> {
        cost::spend(ctx, self.outline.len())?;
        let lessons = self.outline.iter().map(|lesson| PublicLesson {
            title: lesson.title.clone(),
            page_count: int(lesson.page_count),
            quiz_count: int(lesson.quiz_count),
        });
        Ok(lessons.collect())
    }
}

/// A lesson on a public page.
#[derive(SimpleObject)]
pub struct PublicLesson {
    /// Null: newcomers do not see it yet.
    title: Option<String>,
    /// Number of published pages, with quizzes and assignments.
    page_count: i32,
    /// Number of published quizzes and assignments.
    quiz_count: i32,
}

impl From<public_page::PublicPage> for PublicCourse {
    fn from(page: public_page::PublicPage) -> Self {
        PublicCourse {
            visibility: page.entry.visibility.into(),
            allows_guests: page.entry.allows_guests,
            course: page.entry.into(),
            is_enrollment_open: page.is_enrollment_open,
            lesson_count: int(page.lesson_count),
            page_count: int(page.page_count),
            quiz_count: int(page.quiz_count),
            outline: page.modules,
        }
    }
}

/// A course that can be started without an account.
#[derive(SimpleObject)]
pub struct GuestCourse {
    /// Unique ID.
    id: ID,
    /// 1 to 255 characters.
    title: String,
    /// End of enrollment.
    enroll_until: Option<DateTime>,
}

impl From<guests::GuestCourse> for GuestCourse {
    fn from(course: guests::GuestCourse) -> Self {
        GuestCourse {
            id: id_of(course.id),
            title: course.title,
            enroll_until: course.enroll_until.map(DateTime),
        }
    }
}
