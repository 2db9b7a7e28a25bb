//! Response schemas of learners' operations.

pub mod page;
pub mod progress;

use chrono::{DateTime, Utc};
use kurso_base::values::{BlockIndex, BlockPart, HeadingAnchor, PageVersion};
use kurso_base::wire;
use kurso_core::learning::places::KeepPlace;
use kurso_core::learning::view::CourseView;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::courses::timeline::Timeline;
use crate::courses::{Course, LessonFields, Page, module_response};
use crate::fields::body;
use crate::response::lists;
use progress::{Progress, Reason};

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
