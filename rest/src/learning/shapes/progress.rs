//! Progress in a course and in a lesson, the state after a visit, and why a page is not completed.

use chrono::{DateTime, Utc};
use kurso_base::ids::CourseId;
use kurso_base::wire;
use kurso_core::courses::tree::Tree;
use kurso_core::learning::progress::{self, LessonProgress as LessonCounts};
use kurso_core::learning::view::CourseView;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// Declares the progress in a course, with a row for each lesson.
macro_rules! progress_response {
    ($(#[doc = $doc:literal])* $name:ident of $lesson:ident) => {
        $(#[doc = $doc])*
        #[derive(serde::Serialize, utoipa::ToSchema)]
        pub struct $name {
            pub course_id: uuid::Uuid,
            /// Percentage of completed pages, rounded down: 100 only when all are completed.
            #[schema(minimum = 0, maximum = 100)]
            pub percent: u8,
            /// Number of completed pages.
            pub pages_done: usize,
            /// Number of published pages.
            pub pages_total: usize,
            /// Number of completed lessons.
            pub lessons_done: usize,
            /// Number of lessons with published pages.
            pub lessons_total: usize,
            /// When the learner first reached 100 %; kept when pages are added later. Null before that.
            #[serde(serialize_with = "kurso_base::wire::optional_time")]
            #[schema(required)]
            pub completed_at: Option<chrono::DateTime<chrono::Utc>>,
            /// In the order of the course, without lessons that have no published pages.
            pub lesson_progress: Vec<$lesson>,
        }

        impl $name {
            /// `row` makes the row of the lesson with an index.
            fn with_rows(
                course: kurso_base::ids::CourseId,
                progress: &kurso_core::learning::progress::Progress,
                row: impl Fn(usize, kurso_core::learning::progress::LessonProgress) -> $lesson,
            ) -> Self {
                let lessons = progress.lessons.iter().enumerate();
                let counted = lessons.filter(|(_, counts)| counts.pages_total > 0);
                $name {
                    course_id: course.0,
                    percent: progress.percent(),
                    pages_done: progress.pages_done,
                    pages_total: progress.pages_total,
                    lessons_done: progress.lessons_done,
                    lessons_total: progress.lessons_total,
                    completed_at: progress.completed_at,
                    lesson_progress: counted.map(|(index, counts)| row(index, *counts)).collect(),
                }
            }
        }
    };
}
pub(in crate::learning) use progress_response;

progress_response! {
    /// Progress in a course. A content page is completed by a visit, a quiz page by a passed attempt.
    Progress of LessonProgress
}

#[derive(Serialize, ToSchema)]
pub struct LessonProgress {
    pub lesson_id: Uuid,
    pub is_completed: bool,
    pub pages_done: usize,
    pub pages_total: usize,
}

/// The reason why a page is not completed.
#[derive(Serialize, ToSchema)]
pub struct Reason {
    #[schema(inline)]
    pub kind: ReasonKind,
    /// Percentage of the best attempt; null when there is none, and on content pages.
    #[schema(required)]
    pub best_percent: Option<i64>,
    /// Null when there is no limit, and on content pages.
    #[schema(required)]
    pub attempts_left: Option<i64>,
    /// Whether answers of an attempt at the quiz wait for a grader, or for the release of their points. Not for returned work.
    pub is_waiting: bool,
    /// Whether work was returned for revision and nothing was handed in since. The learner can hand in again.
    pub is_returned: bool,
    /// When a locked page opens; null if time does not open it, and for other kinds.
    #[serde(serialize_with = "wire::optional_time")]
    #[schema(required)]
    pub opens_at: Option<DateTime<Utc>>,
    /// Titles of what must be completed before a locked page opens; of many, the first ones.
    pub needs: Vec<String>,
}

/// `not_visited`: a content page was not visited; `quiz_not_passed`: a quiz was not passed; `locked`: the page is not
/// open for the learner.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReasonKind {
    NotVisited,
    QuizNotPassed,
    Locked,
}

/// The state of the page, its lesson and the course after a visit.
#[derive(Serialize, ToSchema)]
pub struct Visited {
    pub page: PageState,
    pub lesson: LessonProgress,
    /// Progress in the whole course.
    pub progress: Progress,
}

#[derive(Serialize, ToSchema)]
pub struct PageState {
    pub id: Uuid,
    pub is_visited: bool,
    pub is_completed: bool,
    /// Null for a completed page.
    #[schema(required)]
    pub reason: Option<Reason>,
}

impl From<progress::Reason> for Reason {
    fn from(reason: progress::Reason) -> Self {
        let of_kind = |kind| Reason {
            kind,
            best_percent: None,
            attempts_left: None,
            is_waiting: false,
            is_returned: false,
            opens_at: None,
            needs: vec![],
        };
        match reason {
            progress::Reason::Locked { opens_at, needs } => Reason {
                opens_at,
                needs,
                ..of_kind(ReasonKind::Locked)
            },
            progress::Reason::NotVisited => of_kind(ReasonKind::NotVisited),
            progress::Reason::QuizNotPassed {
                best_percent,
                attempts_left,
                is_waiting,
                is_returned,
            } => Reason {
                best_percent,
                attempts_left,
                is_waiting,
                is_returned,
                ..of_kind(ReasonKind::QuizNotPassed)
            },
        }
    }
}

impl Progress {
    pub fn of(view: &CourseView) -> Self {
        Self::in_tree(view.course.id, &view.tree, &view.progress)
    }

    /// Progress of any learner of the course.
    pub fn in_tree(course: CourseId, tree: &Tree, progress: &progress::Progress) -> Self {
        Self::with_rows(course, progress, |index, counts| {
            LessonProgress::in_tree(tree, index, counts)
        })
    }
}

impl LessonProgress {
    pub fn of(view: &CourseView, index: usize, counts: LessonCounts) -> Self {
        Self::in_tree(&view.tree, index, counts)
    }

    pub fn in_tree(tree: &Tree, index: usize, counts: LessonCounts) -> Self {
        LessonProgress {
            lesson_id: tree.lesson(index).id.0,
            is_completed: counts.is_completed(),
            pages_done: counts.pages_done,
            pages_total: counts.pages_total,
        }
    }
}
