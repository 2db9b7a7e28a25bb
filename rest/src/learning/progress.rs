//! Progress of the caller, the reasons why it is incomplete, its sources, and its repair.

use axum::Json;
use axum::extract::State;
use chrono::{DateTime, Utc};
use kurso_base::ids::CourseId;
use kurso_base::messages::{Lang, Message};
use kurso_base::wire;
use kurso_core::access::Viewer;
use kurso_core::courses::tree;
use kurso_core::learning;
use kurso_core::learning::completion::{self, Change};
use kurso_core::learning::facts::{self, PageFacts};
use kurso_core::learning::view::CourseView;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::shapes::{LessonProgress, Progress, Reason, progress_response};
use crate::KursoState;
use crate::courses::PageKind;
use crate::error::Result;
use crate::extract::Path;
use crate::openapi_parts::CourseRefusals;

/// My Progress
///
/// The caller's progress in a course they are enrolled in, and why it is not more.
#[utoipa::path(
    get, path = "/api/v1/courses/my_progress/{course_id}", operation_id = "courses-my_progress", tag = "courses",
    responses(CourseRefusals, (status = 200, description = "The progress", body = MyProgress))
)]
pub async fn my_progress(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<CourseId>,
) -> Result<Json<MyProgress>> {
    let view = learning::my_progress(&kurso, &viewer, id).await?;
    Ok(Json(MyProgress::of(&view)))
}

/// Debug Progress
///
/// What the caller's progress is derived from, page by page. For those who are enrolled.
#[utoipa::path(
    get, path = "/api/v1/courses/debug_progress/{course_id}", operation_id = "courses-debug_progress", tag = "courses",
    responses(CourseRefusals, (status = 200, description = "The progress and its grounds", body = ProgressFacts))
)]
pub async fn debug_progress(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<CourseId>,
) -> Result<Json<ProgressFacts>> {
    let (view, pages) = facts::debug(&kurso, &viewer, id).await?;
    Ok(Json(ProgressFacts {
        progress: Progress::of(&view),
        pages: pages.into_iter().map(|facts| PageGrounds::of(&view, facts)).collect(),
    }))
}

/// Fix Progress
///
/// Derives completion anew and stores it: of everyone in the course for its owner, editors and teachers, of the caller for
/// learners. What was completed once stays so.
#[utoipa::path(
    post, path = "/api/v1/courses/fix_progress/{course_id}", operation_id = "courses-fix_progress", tag = "courses",
    responses(CourseRefusals, (status = 200, description = "What was found", body = ProgressFixed))
)]
pub async fn fix_progress(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<CourseId>,
    lang: Lang,
) -> Result<Json<ProgressFixed>> {
    let fixed = completion::rederive(&kurso, &viewer, id).await?;
    let (checked, changed) = (fixed.checked, fixed.changed.len());
    Ok(Json(ProgressFixed {
        message: Message::ProgressFixed { checked, changed }.text(lang),
        checked,
        changed: fixed.changed.into_iter().map(CompletionChange::from).collect(),
    }))
}

progress_response! {
    /// How far a learner is, and what is missing.
    MyProgress of MyLessonProgress
}

#[derive(Serialize, ToSchema)]
pub struct MyLessonProgress {
    #[serde(flatten)]
    pub counts: LessonProgress,
    /// Of the pages that are not done, in order.
    pub reasons: Vec<PageReason>,
}

/// Why a page is not done.
#[derive(Serialize, ToSchema)]
pub struct PageReason {
    pub page_id: Uuid,
    #[serde(flatten)]
    pub reason: Reason,
}

/// A learner's progress and what it is derived from.
#[derive(Serialize, ToSchema)]
pub struct ProgressFacts {
    #[serde(flatten)]
    pub progress: Progress,
    /// Every page the caller sees, in reading order.
    pub pages: Vec<PageGrounds>,
}

#[derive(Serialize, ToSchema)]
pub struct PageGrounds {
    pub page_id: Uuid,
    pub lesson_id: Uuid,
    /// Null: shown as the page's number in its lesson.
    #[schema(required)]
    pub title: Option<String>,
    #[schema(inline, value_type = PageKind)]
    pub kind: tree::PageKind,
    /// A page that is not counts nowhere.
    pub published: bool,
    #[serde(serialize_with = "wire::optional_time")]
    #[schema(required)]
    pub visited_at: Option<DateTime<Utc>>,
    /// Attempts at its quiz.
    pub attempts: i64,
    /// Of the best attempt; null when there is none.
    #[schema(required)]
    pub best_percent: Option<i64>,
    /// Has any attempt passed?
    pub passed: bool,
    /// Visited, if it is a content page; passed, if it is a quiz.
    pub done: bool,
    /// Why it is not done; null when it is, and for a page that counts nowhere.
    #[schema(required)]
    pub reason: Option<Reason>,
}

/// What deriving completion anew has found.
#[derive(Serialize, ToSchema)]
pub struct ProgressFixed {
    pub message: String,
    /// Enrollments.
    pub checked: usize,
    pub changed: Vec<CompletionChange>,
}

#[derive(Serialize, ToSchema)]
pub struct CompletionChange {
    pub enrollment_id: Uuid,
    #[serde(serialize_with = "wire::optional_time")]
    #[schema(required)]
    pub completed_at_before: Option<DateTime<Utc>>,
    #[serde(serialize_with = "wire::optional_time")]
    #[schema(required)]
    pub completed_at_after: Option<DateTime<Utc>>,
}

impl MyProgress {
    fn of(view: &CourseView) -> Self {
        Self::with_rows(view.course.id, &view.progress, |index, counts| MyLessonProgress {
            counts: LessonProgress::of(view, index, counts),
            reasons: reasons(view, index),
        })
    }
}

fn reasons(view: &CourseView, lesson: usize) -> Vec<PageReason> {
    view.unfinished(view.lesson(lesson))
        .map(|(index, reason)| PageReason {
            page_id: view.page(index).id.0,
            reason: reason.into(),
        })
        .collect()
}

impl PageGrounds {
    fn of(view: &CourseView, facts: PageFacts) -> Self {
        let page = view.page(facts.place);
        PageGrounds {
            page_id: page.id.0,
            lesson_id: view.lesson(page.lesson).id.0,
            title: page.title.clone(),
            kind: page.kind,
            published: page.published,
            visited_at: facts.visited_at,
            attempts: facts.attempts,
            best_percent: facts.best_percent,
            passed: facts.passed,
            done: facts.done,
            reason: facts.reason.map(Reason::from),
        }
    }
}

impl From<Change> for CompletionChange {
    fn from(change: Change) -> Self {
        CompletionChange {
            enrollment_id: change.enrollment.0,
            completed_at_before: change.before,
            completed_at_after: change.after,
        }
    }
}
