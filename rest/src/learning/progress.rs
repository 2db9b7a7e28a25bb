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

use super::shapes::progress::{LessonProgress, Progress, Reason, progress_response};
use crate::KursoState;
use crate::error::Result;
use crate::extract::Path;
use crate::openapi_parts::CourseRefusals;
use crate::page_kind::PageKind;

/// Get the caller's progress in a course
///
/// Returns the progress by lesson and the reason for each page that is not completed. Learners only.
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

/// Get the facts behind the caller's progress
///
/// Returns the visits and attempts from which the progress is derived, by page. Learners only.
#[utoipa::path(
    get, path = "/api/v1/courses/debug_progress/{course_id}", operation_id = "courses-debug_progress", tag = "courses",
    responses(CourseRefusals, (status = 200, description = "The progress and its facts", body = ProgressFacts))
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

/// Recalculate the completion of a course
///
/// Derives completion from visits and attempts and stores it: for all learners when the caller is owner, editor or teacher, for
/// the caller otherwise. A completion that was reached once remains.
#[utoipa::path(
    post, path = "/api/v1/courses/fix_progress/{course_id}", operation_id = "courses-fix_progress", tag = "courses",
    responses(CourseRefusals, (status = 200, description = "The changed completions", body = ProgressFixed))
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
    /// The caller's progress in a course, with the reasons for what is missing.
    MyProgress of MyLessonProgress
}

#[derive(Serialize, ToSchema)]
pub struct MyLessonProgress {
    #[serde(flatten)]
    pub counts: LessonProgress,
    /// One for each published page that is not completed, in order.
    pub reasons: Vec<PageReason>,
}

/// The reason why a page is not completed.
#[derive(Serialize, ToSchema)]
pub struct PageReason {
    pub page_id: Uuid,
    #[serde(flatten)]
    pub reason: Reason,
}

/// A learner's progress with the facts from which it is derived.
#[derive(Serialize, ToSchema)]
pub struct ProgressFacts {
    #[serde(flatten)]
    pub progress: Progress,
    /// All pages that the caller sees, in reading order.
    pub pages: Vec<PageGrounds>,
}

/// The facts about a learner on a page.
#[derive(Serialize, ToSchema)]
pub struct PageGrounds {
    pub page_id: Uuid,
    pub lesson_id: Uuid,
    /// Null for an untitled page: clients show its number in the lesson.
    #[schema(required)]
    pub title: Option<String>,
    #[schema(inline, value_type = PageKind)]
    pub kind: tree::PageKind,
    /// Unpublished pages do not count.
    pub published: bool,
    /// Time of the first visit; null when there was none.
    #[serde(serialize_with = "wire::optional_time")]
    #[schema(required)]
    pub visited_at: Option<DateTime<Utc>>,
    /// Number of attempts at its quiz.
    pub attempts: i64,
    /// Percentage of the best attempt; null when there is none.
    #[schema(required)]
    pub best_percent: Option<i64>,
    /// Whether an attempt has passed.
    pub passed: bool,
    /// Whether it is completed: a content page visited, a quiz passed.
    pub done: bool,
    /// Null for a completed page and for an unpublished page.
    #[schema(required)]
    pub reason: Option<Reason>,
}

/// The result of recalculating completion.
#[derive(Serialize, ToSchema)]
pub struct ProgressFixed {
    /// The result in words, in the language of the request.
    pub message: String,
    /// Number of enrollments that were checked.
    pub checked: usize,
    /// The completions whose stored time was wrong.
    pub changed: Vec<CompletionChange>,
}

/// A corrected completion.
#[derive(Serialize, ToSchema)]
pub struct CompletionChange {
    pub enrollment_id: Uuid,
    /// Null: it was not completed.
    #[serde(serialize_with = "wire::optional_time")]
    #[schema(required)]
    pub completed_at_before: Option<DateTime<Utc>>,
    /// Null: it is not completed.
    #[serde(serialize_with = "wire::optional_time")]
    #[schema(required)]
    pub completed_at_after: Option<DateTime<Utc>>,
}

impl MyProgress {
    pub(super) fn of(view: &CourseView) -> Self {
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
