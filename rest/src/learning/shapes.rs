//! Response schemas of learners' operations.

use chrono::{DateTime, Utc};
use kurso_base::error as core;
use kurso_base::ids::CourseId;
use kurso_base::values::{BlockIndex, BlockPart, HeadingAnchor, PageVersion};
use kurso_base::wire;
use kurso_core::attempts;
use kurso_core::attempts::QuizPage;
use kurso_core::courses::tree::{self, Tree};
use kurso_core::learning::places::KeepPlace;
use kurso_core::learning::progress::{self, LessonProgress as LessonCounts};
use kurso_core::learning::view::{CourseView, PageContent};
use kurso_formats::quiz;
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;
use uuid::Uuid;

use super::reading::ChangeSinceRead;
use crate::courses::timeline::Timeline;
use crate::courses::{Course, LessonFields, Page, module_response};
use crate::fields::body;
use crate::page_kind::PageKind;
use crate::quiz::running::RunningAttempt;
use crate::quiz::{LearnerQuiz, QuizAttempt};
use crate::response::lists;

body! {
    /// A share code. Case, dashes and spaces do not matter; I and L are read as 1, O as 0.
    EnrollRequest -> String {
        share_code: String,
    } => |_fields| share_code;
}

body! {
    /// The block at the top of the reader's window.
    ReadingPlaceKeep -> KeepPlace {
        /// The version of the page that is read.
        version: PageVersion,
        /// Index among the blocks of the page; 0 is its start, also when it was read to its end.
        block: BlockIndex,
        /// How much of the block is above the window, in thousandths of its height.
        part: BlockPart,
        /// Anchor of the last heading above the window; it finds the place in a text that was changed since.
        heading: Option<HeadingAnchor>,
    }
}

/// The page that the caller opened last, and the block at the top of the window.
#[derive(Serialize, ToSchema)]
pub struct ReadingPlace {
    pub page_id: Uuid,
    /// The version of the page that was read.
    pub version: i64,
    /// Index among the blocks of the page; 0 is its start, also after it was read to its end.
    pub block: i64,
    /// How much of the block was above the window, in thousandths of its height.
    #[schema(minimum = 0, maximum = 1000)]
    pub part: i64,
    /// Anchor of the last heading above the window; null without one.
    #[schema(required)]
    pub heading: Option<String>,
    #[serde(serialize_with = "wire::time")]
    pub saved_at: DateTime<Utc>,
}

impl ReadingPlace {
    pub fn of(view: &CourseView) -> Option<Self> {
        let place = view.course.enrollment.as_ref()?.place.clone()?;
        Some(ReadingPlace {
            page_id: place.page.0,
            version: place.version,
            block: place.block,
            part: place.part,
            heading: place.heading,
            saved_at: place.at,
        })
    }
}

/// The enrollment of the caller in a course.
#[derive(Serialize, ToSchema)]
pub struct Enrollment {
    pub id: Uuid,
    pub course_id: Uuid,
    pub user_id: Uuid,
    /// Title of the caller's group; null for a learner without a group.
    #[schema(required)]
    pub group_title: Option<String>,
    #[serde(serialize_with = "wire::time")]
    pub enrolled_at: DateTime<Utc>,
    /// When the learner first reached 100 %; null before that.
    #[serde(serialize_with = "wire::optional_time")]
    #[schema(required)]
    pub completed_at: Option<DateTime<Utc>>,
    pub course: Course,
}

/// An enrollment of the caller with the course and the progress.
#[derive(Serialize, ToSchema)]
pub struct MyEnrollment {
    pub enrollment_id: Uuid,
    /// Title of the caller's group; null for a learner without a group.
    #[schema(required)]
    pub group_title: Option<String>,
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
pub(super) use progress_response;

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

/// A course with its modules, lessons and pages and the caller's progress, without the content of pages.
#[derive(Serialize, ToSchema)]
pub struct EnrolledCourse {
    #[serde(flatten)]
    pub course: Course,
    /// Title of the caller's group; null without one and without an enrollment.
    #[schema(required)]
    pub group_title: Option<String>,
    /// Where the caller stopped reading; null before that and without an enrollment. The page may be deleted.
    #[schema(required)]
    pub reading_place: Option<ReadingPlace>,
    pub timeline: Timeline,
    /// In order.
    pub modules: Vec<EnrolledModule>,
    pub progress: Progress,
}

module_response! {
    /// A module with its lessons and pages and the caller's progress.
    EnrolledModule of EnrolledLesson with timeline
}

#[derive(Serialize, ToSchema)]
pub struct EnrolledLesson {
    #[serde(flatten)]
    pub lesson: LessonFields,
    pub timeline: Timeline,
    pub is_completed: bool,
    /// In order.
    pub pages: Vec<EnrolledTreePage>,
}

/// A page in a course tree with the caller's progress.
#[derive(Serialize, ToSchema)]
pub struct EnrolledTreePage {
    #[serde(flatten)]
    pub page: Page,
    pub timeline: Timeline,
    pub is_visited: bool,
    pub is_completed: bool,
    /// Why it is not done; null when it is, and for a page that counts nowhere.
    #[schema(required)]
    pub reason: Option<Reason>,
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

/// A page as learners see it.
#[derive(Serialize, ToSchema)]
pub struct EnrolledPage {
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
    pub published: bool,
    pub timeline: Timeline,
    /// ProseMirror document.
    #[schema(value_type = Object)]
    pub content: Box<RawValue>,
    /// Quiz without its answer key; null on content pages.
    #[schema(required, value_type = Option<LearnerQuiz>)]
    pub quiz: Option<quiz::LearnerQuiz>,
    /// Starts at 1; every change of title, content or quiz increments it.
    pub version: i64,
    #[serde(serialize_with = "wire::time")]
    pub updated_at: DateTime<Utc>,
    /// What has changed since the caller read the page; null if title and content have not, in a preview, and without an enrollment.
    #[schema(required)]
    pub change_since_read: Option<ChangeSinceRead>,
    pub is_visited: bool,
    pub is_completed: bool,
    /// Why it is not done; null when it is, and for a page that counts nowhere.
    #[schema(required)]
    pub reason: Option<Reason>,
    /// The last 100 attempts of the caller at the quiz, oldest first.
    pub attempts: Vec<QuizAttempt>,
    /// The caller's running attempt at a quiz with a time limit or with draws; null when there is none.
    #[schema(required)]
    pub running_attempt: Option<RunningAttempt>,
    /// Null when there is no limit, and on content pages.
    #[schema(required)]
    pub attempts_left: Option<i64>,
    /// Percentage of the best attempt; null when there is none.
    #[schema(required)]
    pub best_percent: Option<i64>,
    pub breadcrumbs: Breadcrumbs,
    /// Previous page in reading order, across lessons and modules; null for the first page.
    #[schema(required)]
    pub previous_page_id: Option<Uuid>,
    /// Next page in reading order; null for the last page.
    #[schema(required)]
    pub next_page_id: Option<Uuid>,
}

/// The course, module and lesson of a page.
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

impl EnrolledPage {
    /// `quiz`: of a quiz page, with the reader's attempts. `change`: since the reader has read it.
    pub fn of(
        view: &CourseView,
        index: usize,
        (stored, quiz): (PageContent, Option<(QuizPage, Vec<attempts::Attempt>)>),
        change: Option<ChangeSinceRead>,
    ) -> Result<Self, core::Error> {
        let page = Page::of(view, index);
        let lesson = view.lesson(view.page(index).lesson);
        let module = view.module(lesson.module);
        let id_at = |index: usize| view.page(index).id.0;
        let (mut quiz, attempts) = quiz.unzip();
        let running = quiz.as_mut().and_then(|quiz| quiz.running.take());
        let attempts_left = view.attempts_left(index);
        let attempts = attempts.unwrap_or_default().into_iter();
        Ok(EnrolledPage {
            id: page.id,
            lesson_id: page.lesson_id,
            course_id: view.course.id.0,
            title: page.title,
            kind: page.kind,
            position: page.position,
            published: page.published,
            timeline: view.timeline().page(index).into(),
            content: RawValue::from_string(stored.content).map_err(core::Error::internal)?,
            version: stored.version,
            updated_at: stored.updated_at,
            change_since_read: change,
            is_visited: view.marks.is_visited(index),
            is_completed: view.marks.is_done(&view.tree, index),
            reason: view.reason(index).map(Reason::from),
            attempts: attempts
                .map(|attempt| QuizAttempt::of(attempt, attempts_left))
                .collect(),
            running_attempt: running.map(RunningAttempt::from),
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
        timeline: view.timeline().page(index).into(),
        is_visited: view.marks.is_visited(index),
        is_completed: view.marks.is_done(&view.tree, index),
        reason: view.reason(index).map(Reason::from),
    };
    let lesson = |index: usize| EnrolledLesson {
        lesson: LessonFields::of(view, index),
        timeline: view.timeline().lesson(index).into(),
        is_completed: view.is_lesson_completed(index),
        pages: view.pages_of(view.lesson(index)).map(page).collect(),
    };
    EnrolledModule::all(view, lesson)
}
