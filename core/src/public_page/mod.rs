//! What visitors see of a course: its public page, the catalogue and the sitemap. Needs no account.
//!
//! A page shows what a learner would see who has just enrolled, and less of it: titles but no contents, names but no addresses.
//! A private course, a deleted one and an unknown id are the same to a visitor.

mod catalogue;

use chrono::{DateTime, Utc};

use crate::Kurso;
use crate::auth::Origin;
use crate::auth::limits::Limit;
use crate::courses;
use crate::courses::visibility::{Visibility, has_public_page};
use crate::files::File;
use crate::learning::view::CourseView;
use crate::schedule::{self, State};
use kurso_base::error::{Error, Result};
use kurso_base::ids::CourseId;
use kurso_base::messages::Message;
use kurso_base::schedule::CourseDates;
use kurso_db::sql;

pub use catalogue::{MAX_IN_SITEMAP, SitemapEntry, list, sitemap};

/// What a list of courses shows of one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CatalogueEntry {
    pub id: CourseId,
    /// Never private.
    pub visibility: Visibility,
    /// Whether people can start without an account.
    pub allows_guests: bool,
    pub title: String,
    pub description: Option<String>,
    pub cover: Option<Cover>,
    /// The full names of the owner and the editors whose accounts are active and have one, the owner first.
    pub authors: Vec<String>,
    pub dates: CourseDates,
    pub updated_at: DateTime<Utc>,
}

/// The cover of a course as visitors load it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cover {
    /// `/courses/…`. It changes with the picture.
    pub url: String,
    pub width: i64,
    pub height: i64,
}

/// The public page of a course.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PublicPage {
    pub entry: CatalogueEntry,
    /// Whether a newcomer can enroll now.
    pub is_enrollment_open: bool,
    /// In order, without those that have no lessons to show.
    pub modules: Vec<OutlineModule>,
    pub lesson_count: i64,
    /// Published pages, with quizzes and assignments.
    pub page_count: i64,
    /// Published quizzes and assignments.
    pub quiz_count: i64,
}

/// A module with published pages.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OutlineModule {
    /// None: newcomers do not see it yet.
    pub title: Option<String>,
    pub lessons: Vec<OutlineLesson>,
}

/// A lesson with published pages.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OutlineLesson {
    /// None: newcomers do not see it yet.
    pub title: Option<String>,
    pub page_count: i64,
    pub quiz_count: i64,
}

/// The public page of a course; rate-limited per client address. Fails with 404 if the course is private, deleted or unknown.
pub async fn read(kurso: &Kurso, origin: &Origin, id: CourseId) -> Result<PublicPage> {
    let now = kurso.clock.now();
    kurso.limits.acquire_of_address(Limit::Visits, origin.address, now)?;
    let course = courses::find_with_public_page(&kurso.db, id, now).await?;
    let course = course.ok_or_else(not_found)?;
    let entry = catalogue::entries(kurso, &[id]).await?.pop().ok_or_else(not_found)?;
    let enroll_until = course.dates.enroll_until;
    let view = CourseView::read(kurso, course, now).await?;
    let modules = outline(&view);
    let lessons = || modules.iter().flat_map(|module| &module.lessons);
    Ok(PublicPage {
        is_enrollment_open: schedule::require_enrollment(enroll_until, now).is_ok(),
        lesson_count: count(lessons().count()),
        page_count: lessons().map(|lesson| lesson.page_count).sum(),
        quiz_count: lessons().map(|lesson| lesson.quiz_count).sum(),
        entry,
        modules,
    })
}

fn not_found() -> Error {
    Error::NotFound(Message::CourseNotFound)
}

fn count(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// The modules and lessons with published pages. A learner also sees empty ones, but they are work in progress.
fn outline(view: &CourseView) -> Vec<OutlineModule> {
    let (timeline, hides) = (view.timeline(), view.hides_titles());
    let shown = |title: &str, state: State| (!hides || state != State::Locked).then(|| title.to_owned());
    let lesson = |place: usize| {
        let lesson = view.lesson(place);
        let takes_attempts = |page: &usize| view.page(*page).kind.takes_attempts();
        OutlineLesson {
            title: shown(&lesson.title, timeline.lesson(place).state),
            page_count: count(view.pages_of(lesson).count()),
            quiz_count: count(view.pages_of(lesson).filter(takes_attempts).count()),
        }
    };
    let modules = view.tree.modules.iter().enumerate();
    let modules = modules.map(|(place, module)| OutlineModule {
        title: shown(&module.title, timeline.module(place).state),
        lessons: module
            .lessons
            .clone()
            .map(lesson)
            .filter(|lesson| lesson.page_count > 0)
            .collect(),
    });
    modules.filter(|module| !module.lessons.is_empty()).collect()
}

/// The file of the cover of a course with a public page. Fails with 404 without one.
pub async fn cover(kurso: &Kurso, id: CourseId) -> Result<File> {
    let file = sql!(
        concat!(
            "SELECT f.id, f.key, f.filename, f.content_type, f.size, f.width, f.height, f.created_at
             FROM courses c JOIN public_pages p ON p.course_id = c.id JOIN files f ON f.id = p.cover_file_id
             WHERE c.id = $1 AND ",
            has_public_page!()
        ),
        id
    );
    let file = file.fetch_optional::<File>(&kurso.db).await?;
    file.ok_or(Error::NotFound(Message::FileNotFound))
}
