//! Response schemas of learner calls.

use chrono::{DateTime, Utc};
use kurso_base::error as core;
use kurso_base::ids::CourseId;
use kurso_base::wire;
use kurso_core::attempts;
use kurso_core::attempts::QuizPage;
use kurso_core::courses::tree::{self, Tree};
use kurso_core::learning::progress::{self, LessonProgress as LessonCounts};
use kurso_core::learning::view::{CourseView, PageContent};
use kurso_formats::quiz;
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::courses::{Course, LessonFields, Page, PageKind};
use crate::fields::body;
use crate::quiz::{LearnerQuiz, QuizAttempt};
use crate::response::lists;

body! {
    /// A share code as a person types it: without regard to case, dashes and spaces, I and L read as 1, O as 0.
    EnrollRequest -> String {
        share_code: String,
    } => |_fields| share_code;
}

/// A learner's place in a course.
#[derive(Serialize, ToSchema)]
pub struct Enrollment {
    pub id: Uuid,
    pub course_id: Uuid,
    pub user_id: Uuid,
    #[serde(serialize_with = "wire::time")]
    pub enrolled_at: DateTime<Utc>,
    /// When 100 % was first reached.
    #[serde(serialize_with = "wire::optional_time")]
    #[schema(required)]
    pub completed_at: Option<DateTime<Utc>>,
    pub course: Course,
}

/// A course the caller learns.
#[derive(Serialize, ToSchema)]
pub struct MyEnrollment {
    pub enrollment_id: Uuid,
    #[serde(serialize_with = "wire::time")]
    pub enrolled_at: DateTime<Utc>,
    #[serde(serialize_with = "wire::time")]
    pub last_activity_at: DateTime<Utc>,
    pub course: Course,
    pub progress: Progress,
}

lists! {
    /// A page of a list of enrollments.
    MyEnrollments of MyEnrollment;
}

/// Declares the progress in a course, with a row for each lesson.
macro_rules! progress_response {
    ($(#[doc = $doc:literal])* $name:ident of $lesson:ident) => {
        $(#[doc = $doc])*
        #[derive(serde::Serialize, utoipa::ToSchema)]
        pub struct $name {
            pub course_id: uuid::Uuid,
            /// Whole percent of pages, rounded down: 100 only when all is done.
            #[schema(minimum = 0, maximum = 100)]
            pub percent: u8,
            pub pages_done: usize,
            pub pages_total: usize,
            pub lessons_done: usize,
            pub lessons_total: usize,
            /// When 100 % was first reached; kept when the course grows.
            #[serde(serialize_with = "kurso_base::wire::optional_time")]
            #[schema(required)]
            pub completed_at: Option<chrono::DateTime<chrono::Utc>>,
            /// In the order of the course; a lesson without pages counts nowhere.
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
pub(super) use progress_response;

progress_response! {
    /// How far a learner is. Content pages are done when visited, quiz pages when passed.
    Progress of LessonProgress
}

#[derive(Serialize, ToSchema)]
pub struct LessonProgress {
    pub lesson_id: Uuid,
    pub is_completed: bool,
    pub pages_done: usize,
    pub pages_total: usize,
}

/// A course with everything in it but the contents of its pages, and what the caller has done of it.
#[derive(Serialize, ToSchema)]
pub struct EnrolledCourse {
    #[serde(flatten)]
    pub course: Course,
    /// In order.
    pub modules: Vec<EnrolledModule>,
    pub progress: Progress,
}

#[derive(Serialize, ToSchema)]
pub struct EnrolledModule {
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
    pub lessons: Vec<EnrolledLesson>,
}

#[derive(Serialize, ToSchema)]
pub struct EnrolledLesson {
    #[serde(flatten)]
    pub lesson: LessonFields,
    pub is_completed: bool,
    /// In order.
    pub pages: Vec<EnrolledTreePage>,
}

/// A page in a tree and what the caller has done of it.
#[derive(Serialize, ToSchema)]
pub struct EnrolledTreePage {
    #[serde(flatten)]
    pub page: Page,
    pub is_visited: bool,
    pub is_completed: bool,
    /// Why it is not done; null when it is, and for a page that counts nowhere.
    #[schema(required)]
    pub reason: Option<Reason>,
}

/// Why a page is not done.
#[derive(Serialize, ToSchema)]
pub struct Reason {
    #[schema(inline)]
    pub kind: ReasonKind,
    /// Of the best attempt at the quiz; null when there is none, and on content pages.
    #[schema(required)]
    pub best_percent: Option<i64>,
    /// Null when there is no limit, and on content pages.
    #[schema(required)]
    pub attempts_left: Option<i64>,
}

/// `not_visited`: a content page; `quiz_not_passed`: a quiz page.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReasonKind {
    NotVisited,
    QuizNotPassed,
}

/// A page for reading.
#[derive(Serialize, ToSchema)]
pub struct EnrolledPage {
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
    pub published: bool,
    /// A ProseMirror document.
    #[schema(value_type = Object)]
    pub content: Box<RawValue>,
    /// Null on content pages.
    #[schema(required, value_type = Option<LearnerQuiz>)]
    pub quiz: Option<quiz::LearnerQuiz>,
    /// From 1, raised by every change.
    pub version: i64,
    #[serde(serialize_with = "wire::time")]
    pub updated_at: DateTime<Utc>,
    pub is_visited: bool,
    pub is_completed: bool,
    /// Why it is not done; null when it is, and for a page that counts nowhere.
    #[schema(required)]
    pub reason: Option<Reason>,
    /// The caller's attempts at the quiz, first to last; the last 100 of more.
    pub attempts: Vec<QuizAttempt>,
    /// Null when there is no limit, and on content pages.
    #[schema(required)]
    pub attempts_left: Option<i64>,
    /// Of the best attempt; null when there is none.
    #[schema(required)]
    pub best_percent: Option<i64>,
    pub breadcrumbs: Breadcrumbs,
    /// In reading order, across lessons and modules.
    #[schema(required)]
    pub previous_page_id: Option<Uuid>,
    #[schema(required)]
    pub next_page_id: Option<Uuid>,
}

/// What a page is in.
#[derive(Serialize, ToSchema)]
pub struct Breadcrumbs {
    pub course: Breadcrumb,
    pub module: Breadcrumb,
    pub lesson: Breadcrumb,
}

#[derive(Serialize, ToSchema)]
pub struct Breadcrumb {
    pub id: Uuid,
    pub title: String,
}

/// What a visit changed.
#[derive(Serialize, ToSchema)]
pub struct Visited {
    pub page: PageState,
    pub lesson: LessonProgress,
    /// Of the whole course.
    pub progress: Progress,
}

#[derive(Serialize, ToSchema)]
pub struct PageState {
    pub id: Uuid,
    pub is_visited: bool,
    pub is_completed: bool,
    /// Why it is not done; null when it is.
    #[schema(required)]
    pub reason: Option<Reason>,
}

impl From<progress::Reason> for Reason {
    fn from(reason: progress::Reason) -> Self {
        match reason {
            progress::Reason::NotVisited => Reason {
                kind: ReasonKind::NotVisited,
                best_percent: None,
                attempts_left: None,
            },
            progress::Reason::QuizNotPassed {
                best_percent,
                attempts_left,
            } => Reason {
                kind: ReasonKind::QuizNotPassed,
                best_percent,
                attempts_left,
            },
        }
    }
}

impl Progress {
    pub fn of(view: &CourseView) -> Self {
        Self::in_tree(view.course.id, &view.tree, &view.progress)
    }

    /// Of anybody in a course.
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

impl EnrolledPage {
    /// `quiz`: of a quiz page, with the reader's attempts.
    pub fn of(
        view: &CourseView,
        index: usize,
        stored: PageContent,
        quiz: Option<(QuizPage, Vec<attempts::Attempt>)>,
    ) -> Result<Self, core::Error> {
        let page = Page::of(view, index);
        let lesson = view.lesson(view.page(index).lesson);
        let module = view.module(lesson.module);
        let id_at = |index: usize| view.page(index).id.0;
        let (quiz, attempts) = quiz.unzip();
        let attempts_left = quiz.as_ref().and_then(|quiz| quiz.attempts_left);
        let attempts = attempts.unwrap_or_default().into_iter();
        Ok(EnrolledPage {
            id: page.id,
            lesson_id: page.lesson_id,
            course_id: view.course.id.0,
            title: page.title,
            kind: page.kind,
            position: page.position,
            published: page.published,
            content: RawValue::from_string(stored.content).map_err(core::Error::internal)?,
            version: stored.version,
            updated_at: stored.updated_at,
            is_visited: view.marks.is_visited(index),
            is_completed: view.marks.is_done(&view.tree, index),
            reason: view.reason(index).map(Reason::from),
            attempts: attempts
                .map(|attempt| QuizAttempt::of(attempt, attempts_left))
                .collect(),
            attempts_left,
            best_percent: quiz.as_ref().and_then(|quiz| quiz.best_percent),
            quiz: quiz.map(|quiz| quiz.quiz),
            breadcrumbs: Breadcrumbs {
                course: breadcrumb(view.course.id.0, &view.course.title),
                module: breadcrumb(module.id.0, &module.title),
                lesson: breadcrumb(lesson.id.0, &lesson.title),
            },
            previous_page_id: view.previous(index).map(id_at),
            next_page_id: view.next(index).map(id_at),
        })
    }
}

fn breadcrumb(id: Uuid, title: &str) -> Breadcrumb {
    Breadcrumb {
        id,
        title: title.to_owned(),
    }
}

pub fn modules(view: &CourseView) -> Vec<EnrolledModule> {
    let page = |index: usize| EnrolledTreePage {
        page: Page::of(view, index),
        is_visited: view.marks.is_visited(index),
        is_completed: view.marks.is_done(&view.tree, index),
        reason: view.reason(index).map(Reason::from),
    };
    let lesson = |index: usize| EnrolledLesson {
        lesson: LessonFields::of(view, index),
        is_completed: view.is_lesson_completed(index),
        pages: view.pages_of(view.lesson(index)).map(page).collect(),
    };
    let modules = view.tree.modules.iter();
    modules
        .map(|module| EnrolledModule {
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
