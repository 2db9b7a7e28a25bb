//! Courses as learners see them: enrolling, reading, progress.

pub mod preview;
pub mod progress;
pub mod reading;
pub mod shapes;

use axum::Json;
use axum::extract::State;
use kurso_base::error as core;
use kurso_base::ids::{CourseId, PageId};
use kurso_base::pagination::Page as Paging;
use kurso_core::access::{Right, Viewer};
use kurso_core::attempts;
use kurso_core::auth::Origin;
use kurso_core::courses::tree::PageKind;
use kurso_core::learning::view::{self, CourseView};
use kurso_core::{Kurso, courses, learning};

use crate::KursoState;
use crate::courses::Course;
use crate::courses::timeline::{PageLocked, TimeIsOver};
use crate::error::Result;
use crate::extract::{Path, ShownQuery, with_path};
use crate::fields::Command;
use crate::openapi_parts::{CourseRefusals, HTTPError, PagingParams, SignedInRefusals};
use reading::ChangeSinceRead;
use shapes::page::EnrolledPage;
use shapes::progress::{LessonProgress, PageState, Progress, Reason, Visited};
use shapes::{
    EnrollRequest, EnrolledCourse, Enrollment, MyEnrollment, MyEnrollments, ReadingPlace, ReadingPlaceKeep, modules,
};

/// Enroll in a course by its share code or that of a group
///
/// The code of a group also puts a learner without a group in the group. A user who is already enrolled gets the existing
/// enrollment; a learner who is in a group stays there.
#[utoipa::path(
    post, path = "/api/v1/courses/enroll", operation_id = "courses-enroll", tag = "courses",
    request_body = EnrollRequest,
    responses(
        CourseRefusals,
        (status = 200, description = "The enrollment", body = Enrollment),
        (status = 400, description = "The user is inactive, or the body is not UTF-8", body = HTTPError),
        (status = 404, description = "No course and no group has this code, or the user is deleted", body = HTTPError),
        (status = 409, description = "Enrollment has ended", body = TimeIsOver),
        (status = 429, description = "Too many wrong codes; `Retry-After` is the wait in seconds", body = HTTPError),
    )
)]
pub async fn enroll(
    State(kurso): KursoState,
    origin: Origin,
    viewer: Viewer,
    Command(share_code): Command<EnrollRequest>,
) -> Result<Json<Enrollment>> {
    let course = learning::enroll(&kurso, &viewer, &origin, &share_code).await?;
    Ok(Json(enrolled(&kurso, course).await?))
}

/// The enrollment of the caller, with its course.
pub(crate) async fn enrolled(kurso: &Kurso, course: courses::Course) -> Result<Enrollment> {
    let enrollment = enrollment(&course)?;
    Ok(Enrollment {
        id: enrollment.id.0,
        course_id: enrollment.course_id.0,
        user_id: enrollment.user_id.0,
        group_title: enrollment.group.map(|group| group.title),
        enrolled_at: enrollment.enrolled_at,
        completed_at: enrollment.completed_at,
        course: Course::counted_one(kurso, course).await?,
    })
}

fn enrollment(course: &courses::Course) -> Result<courses::Enrollment> {
    let enrollment = course.enrollment.clone();
    Ok(enrollment.ok_or_else(|| core::Error::internal("an enrolled course without its enrollment"))?)
}

/// List the courses that the caller learns
///
/// Returns the caller's enrollments with their courses and progress. Order: latest activity first, then by enrollment ID,
/// descending.
#[utoipa::path(
    get, path = "/api/v1/courses/my_enrolled_courses", operation_id = "courses-my_enrolled_courses", tag = "courses",
    params(PagingParams),
    responses(SignedInRefusals, (status = 200, description = "Enrollments", body = MyEnrollments))
)]
pub async fn my_enrolled_courses(
    State(kurso): KursoState,
    viewer: Viewer,
    page: Paging,
) -> Result<Json<MyEnrollments>> {
    let listed = courses::learnt_by(&kurso.db, &viewer, page).await?;
    let views = CourseView::of_all(&kurso, listed.data).await?;
    let counted = Course::counted(&kurso, views.iter().map(|view| view.course.clone()).collect()).await?;
    let rows = views.iter().zip(counted).map(|(view, course)| {
        let enrollment = enrollment(&view.course)?;
        Ok(MyEnrollment {
            enrollment_id: enrollment.id.0,
            group_title: enrollment.group.map(|group| group.title),
            enrolled_at: enrollment.enrolled_at,
            last_activity_at: enrollment.last_activity_at,
            course,
            progress: Progress::of(view),
        })
    });
    Ok(Json(MyEnrollments {
        data: rows.collect::<Result<_>>()?,
        count: listed.count,
    }))
}

/// Get a course with the caller's progress
///
/// Returns modules, lessons and published pages. Staff see every page, and have no progress without an enrollment.
#[utoipa::path(
    get, path = "/api/v1/courses/enrolled_course/{course_id}",
    operation_id = "courses-enrolled_course", tag = "courses",
    responses(CourseRefusals, (status = 200, description = "The course", body = EnrolledCourse))
)]
pub async fn enrolled_course(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<CourseId>,
) -> Result<Json<EnrolledCourse>> {
    let view = CourseView::load(&kurso, &viewer, id, Right::Read).await?;
    shown_course(&kurso, view).await
}

async fn shown_course(kurso: &Kurso, view: CourseView) -> Result<Json<EnrolledCourse>> {
    let (modules, progress) = (modules(&view), Progress::of(&view));
    let group = view.course.enrollment.as_ref().and_then(|own| own.group.as_ref());
    let group_title = group.map(|group| group.title.clone());
    let reading_place = ReadingPlace::of(&view);
    let timeline = view.timeline().course().into();
    Ok(Json(EnrolledCourse {
        timeline,
        course: Course::counted_one(kurso, view.course).await?,
        group_title,
        reading_place,
        modules,
        progress,
    }))
}

/// Get a page as learners see it
///
/// Returns the content, the titles above the page and the IDs of the previous and next page. A quiz has no answer key; `attempts`
/// contain the correct answers once the quiz reveals them. Staff get a preview.
#[utoipa::path(
    get, path = "/api/v1/courses/enrolled_page/{page_id}", operation_id = "courses-enrolled_page", tag = "courses",
    responses(
        CourseRefusals,
        (status = 200, description = "The page", body = EnrolledPage),
        (status = 409, description = "The page is locked for the learner", body = PageLocked),
    )
)]
pub async fn enrolled_page(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<PageId>,
) -> Result<Json<EnrolledPage>> {
    let (view, index) = CourseView::load_by_page(&kurso, &viewer, id, Right::Read).await?;
    shown_page(&kurso, &view, index).await
}

async fn shown_page(kurso: &Kurso, view: &CourseView, index: usize) -> Result<Json<EnrolledPage>> {
    view.require_readable(index)?;
    // The version is read before the quiz: answers to a quiz that changes in between are refused as stale.
    let stored = view::content(kurso, view.page(index).id, view.shows_drafts).await?;
    let quiz = match view.page(index).kind {
        PageKind::Quiz | PageKind::Assignment => Some(attempts::for_reading(kurso, view, index).await?),
        PageKind::Content => None,
    };
    let change = ChangeSinceRead::of(kurso, view, index).await?;
    Ok(Json(EnrolledPage::of(view, index, (stored, quiz), change)?))
}

/// Mark a page as visited
///
/// Returns the new state of the page, its lesson and the course. Repeating the call changes nothing: `mark_reread` says that a changed page
/// was read again. Learners only.
#[utoipa::path(
    post, path = "/api/v1/courses/mark_page_visited/{page_id}",
    operation_id = "courses-mark_page_visited", tag = "courses",
    params(
        ("version" = Option<i64>, Query, minimum = 1, nullable = false,
            description = "The version whose text was shown. Without it: the present one."),
    ),
    responses(
        CourseRefusals,
        (status = 200, description = "The new state", body = Visited),
        (status = 409, description = "The page is locked for the learner", body = PageLocked),
    )
)]
pub async fn mark_page_visited(
    State(kurso): KursoState,
    viewer: Viewer,
    path: Result<Path<PageId>>,
    shown: Result<ShownQuery>,
) -> Result<Json<Visited>> {
    let (page, ShownQuery(version)) = with_path(path, shown)?;
    let (view, index) = learning::mark_page_visited(&kurso, &viewer, learning::Opened { page, version }).await?;
    let lesson = view.page(index).lesson;
    let counts = view.progress.lesson(lesson);
    Ok(Json(Visited {
        page: PageState {
            id: page.0,
            is_visited: view.marks.is_visited(index),
            is_completed: view.marks.is_done(&view.tree, index),
            reason: view.reason(index).map(Reason::from),
        },
        lesson: LessonProgress::of(&view, lesson, counts),
        progress: Progress::of(&view),
    }))
}

/// Store where the caller has stopped reading
///
/// One place per course: that of the page opened last. `enrolled_course` returns it. Learners only.
#[utoipa::path(
    put, path = "/api/v1/courses/keep_reading_place/{page_id}",
    operation_id = "courses-keep_reading_place", tag = "courses",
    request_body = ReadingPlaceKeep,
    responses(
        CourseRefusals,
        (status = 200, description = "The stored place", body = ReadingPlace),
        (status = 409, description = "The page is locked for the learner", body = PageLocked),
    )
)]
pub async fn keep_reading_place(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<PageId>,
    Command(keep): Command<ReadingPlaceKeep>,
) -> Result<Json<ReadingPlace>> {
    let view = learning::places::keep_place(&kurso, &viewer, id, keep).await?;
    let place = ReadingPlace::of(&view);
    Ok(Json(
        place.ok_or_else(|| core::Error::internal("a stored place is missing"))?,
    ))
}
