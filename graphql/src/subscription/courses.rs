//! What the learners of a course do.

use async_graphql::{Context, ID, Interface, Object, Result, Subscription};
use futures_util::stream::BoxStream;
use kurso_core::events::{self, Activity, CourseWatch};
use kurso_core::ids::{CourseId, PageId};

use super::seen;
use crate::context::{self, kurso, viewer};
use crate::error::wrap;
use crate::types::{DateTime, Page, Student, int};

#[derive(Default)]
pub struct CoursesSubscription;

#[Subscription]
impl CoursesSubscription {
    /// What the learners of a course do, as they do it. Owner, editors and teachers; NOT_FOUND for people without a relation
    /// to the course, FORBIDDEN for learners. The rights are looked at again for each event.
    async fn course_activity(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Which course.")] course_id: ID,
    ) -> Result<BoxStream<'static, Result<CourseActivity>>> {
        let viewer = viewer(ctx)?;
        let id: CourseId = context::id(ctx, "course_id", &course_id)?;
        let watch = CourseWatch::start(kurso(ctx), viewer, id).await.map_err(wrap(ctx))?;
        Ok(seen(ctx, watch, CourseActivity::of))
    }
}

/// Something a learner of a course did.
#[derive(Interface)]
#[graphql(
    field(name = "student", ty = "Student", desc = "As they are now."),
    field(name = "at", ty = "DateTime", desc = "When it was.")
)]
#[allow(clippy::enum_variant_names, reason = "they are named as the types of the schema")]
pub enum CourseActivity {
    StudentEnrolled(StudentEnrolled),
    StudentReadPage(StudentReadPage),
    StudentSubmittedQuiz(StudentSubmittedQuiz),
    StudentCompletedCourse(StudentCompletedCourse),
}

impl CourseActivity {
    fn of(seen: events::CourseActivity) -> Self {
        let events::CourseActivity { what, student, at } = seen;
        let did = Did {
            student: Student(student),
            at: DateTime(at),
        };
        match what {
            Activity::Enrolled => CourseActivity::StudentEnrolled(StudentEnrolled(did)),
            Activity::Read { page } => CourseActivity::StudentReadPage(StudentReadPage { did, page }),
            Activity::Submitted { page, percent, passed } => {
                CourseActivity::StudentSubmittedQuiz(StudentSubmittedQuiz {
                    did,
                    page,
                    percent,
                    passed,
                })
            }
            Activity::Completed => CourseActivity::StudentCompletedCourse(StudentCompletedCourse(did)),
        }
    }
}

struct Did {
    student: Student,
    at: DateTime,
}

impl Did {
    fn student(&self) -> Student {
        self.student.clone()
    }
    fn at(&self) -> DateTime {
        DateTime(self.at.0)
    }
}

pub struct StudentEnrolled(Did);

/// Somebody came into the course by its share code.
#[Object]
impl StudentEnrolled {
    /// As they are now.
    async fn student(&self) -> Student {
        self.0.student()
    }
    /// When it was.
    async fn at(&self) -> DateTime {
        self.0.at()
    }
}

pub struct StudentReadPage {
    did: Did,
    page: PageId,
}

/// A student was on a page for the first time.
#[Object]
impl StudentReadPage {
    /// As they are now.
    async fn student(&self) -> Student {
        self.did.student()
    }
    /// When it was.
    async fn at(&self) -> DateTime {
        self.did.at()
    }
    /// Null when it was deleted since.
    async fn page(&self, ctx: &Context<'_>) -> Result<Option<Page>> {
        Page::load_unless_gone(ctx, self.page).await
    }
}

pub struct StudentSubmittedQuiz {
    did: Did,
    page: PageId,
    percent: i64,
    passed: bool,
}

/// A student submitted the answers to a quiz.
#[Object]
impl StudentSubmittedQuiz {
    /// As they are now.
    async fn student(&self) -> Student {
        self.did.student()
    }
    /// When it was.
    async fn at(&self) -> DateTime {
        self.did.at()
    }
    /// Null when it was deleted since.
    async fn page(&self, ctx: &Context<'_>) -> Result<Option<Page>> {
        Page::load_unless_gone(ctx, self.page).await
    }
    /// Of this attempt, rounded down.
    async fn percent(&self) -> i32 {
        int(self.percent)
    }
    /// Whether this attempt has passed.
    async fn passed(&self) -> bool {
        self.passed
    }
}

pub struct StudentCompletedCourse(Did);

/// A student reached 100 % for the first time.
#[Object]
impl StudentCompletedCourse {
    /// As they are now.
    async fn student(&self) -> Student {
        self.0.student()
    }
    /// When it was.
    async fn at(&self) -> DateTime {
        self.0.at()
    }
}
