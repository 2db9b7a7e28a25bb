//! Subscription to the activity of a course.

use async_graphql::{Context, ID, Interface, Object, Result, Subscription};
use futures_util::stream::BoxStream;
use kurso_base::ids::{CourseId, PageId};
use kurso_core::subscriptions::{self, CourseWatch, GradesWatch, GroupsWatch};
use kurso_db::events::Activity;

use crate::context::{self, kurso, viewer};
use crate::error::wrap;
use crate::lists;
use crate::types::{Course, DateTime, Page, Student, int};

#[derive(Default)]
pub struct CoursesSubscription;

#[Subscription]
impl CoursesSubscription {
    /// Activity of the learners of a course. For the owner, editors and teachers; NOT_FOUND for users without a role
    /// in the course, FORBIDDEN for learners. The rights are checked again for each event.
    async fn course_activity(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "ID of the course.")] course_id: ID,
        #[graphql(
            desc = "ID of a group: only learners who are in it when they act. `none`: only learners without a group."
        )]
        group_id: Option<ID>,
    ) -> Result<BoxStream<'static, Result<CourseActivity>>> {
        let viewer = viewer(ctx)?;
        let id: CourseId = context::id(ctx, "course_id", &course_id)?;
        let group = lists::group(ctx, group_id)?;
        let watch = CourseWatch::start(kurso(ctx), viewer, id, group)
            .await
            .map_err(wrap(ctx))?;
        Ok(super::events(ctx, watch, CourseActivity::of))
    }

    /// The course after each change of its groups, of who is in them, of its overrides, or of many dates by `setDates`. For the owner, editors,
    /// teachers and superusers, as `courseActivity`.
    async fn groups_changed(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "ID of the course.")] course_id: ID,
    ) -> Result<BoxStream<'static, Result<Course>>> {
        let viewer = viewer(ctx)?;
        let id: CourseId = context::id(ctx, "course_id", &course_id)?;
        let watch = GroupsWatch::start(kurso(ctx), viewer, id).await.map_err(wrap(ctx))?;
        Ok(super::events(ctx, watch, Course::from_row))
    }

    /// The course after each change of its gradebook: of its settings, a decision on a grade, a submitted quiz, a new learner, a change of groups
    /// or extensions, of the pages of the course or of its dates. For the owner, editors, teachers and superusers, as `courseActivity`.
    async fn gradebook_changed(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "ID of the course.")] course_id: ID,
    ) -> Result<BoxStream<'static, Result<Course>>> {
        let viewer = viewer(ctx)?;
        let id: CourseId = context::id(ctx, "course_id", &course_id)?;
        let watch = GradesWatch::start(kurso(ctx), viewer, id).await.map_err(wrap(ctx))?;
        Ok(super::events(ctx, watch, Course::from_row))
    }
}

/// An action of a learner.
#[derive(Interface)]
#[graphql(
    field(name = "student", ty = "Student", desc = "The learner in their current state."),
    field(name = "at", ty = "DateTime", desc = "Time of the action.")
)]
#[allow(clippy::enum_variant_names, reason = "they are named as the types of the schema")]
pub enum CourseActivity {
    StudentEnrolled(StudentEnrolled),
    StudentReadPage(StudentReadPage),
    StudentSubmittedQuiz(StudentSubmittedQuiz),
    StudentCompletedCourse(StudentCompletedCourse),
}

impl CourseActivity {
    fn of(activity: subscriptions::CourseActivity) -> Self {
        let subscriptions::CourseActivity { what, student, at } = activity;
        let did = Did {
            student: Student(student),
            at: DateTime(at),
        };
        match what {
            Activity::Enrolled => CourseActivity::StudentEnrolled(StudentEnrolled(did)),
            Activity::Read { page } => CourseActivity::StudentReadPage(StudentReadPage { did, page }),
            Activity::Submitted {
                page,
                percent,
                passed,
                is_waiting,
            } => CourseActivity::StudentSubmittedQuiz(StudentSubmittedQuiz {
                did,
                page,
                percent,
                passed,
                is_waiting,
            }),
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

/// A learner enrolled by a share code.
#[Object]
impl StudentEnrolled {
    /// The learner in their current state.
    async fn student(&self) -> Student {
        self.0.student()
    }
    /// Time of the action.
    async fn at(&self) -> DateTime {
        self.0.at()
    }
}

pub struct StudentReadPage {
    did: Did,
    page: PageId,
}

/// A learner visited a page for the first time.
#[Object]
impl StudentReadPage {
    /// The learner in their current state.
    async fn student(&self) -> Student {
        self.did.student()
    }
    /// Time of the action.
    async fn at(&self) -> DateTime {
        self.did.at()
    }
    /// The page; null when it was deleted since.
    async fn page(&self, ctx: &Context<'_>) -> Result<Option<Page>> {
        Page::load_unless_gone(ctx, self.page).await
    }
}

pub struct StudentSubmittedQuiz {
    did: Did,
    page: PageId,
    percent: i64,
    passed: bool,
    is_waiting: bool,
}

/// A learner submitted a quiz.
#[Object]
impl StudentSubmittedQuiz {
    /// The learner in their current state.
    async fn student(&self) -> Student {
        self.did.student()
    }
    /// Time of the action.
    async fn at(&self) -> DateTime {
        self.did.at()
    }
    /// The page; null when it was deleted since.
    async fn page(&self, ctx: &Context<'_>) -> Result<Option<Page>> {
        Page::load_unless_gone(ctx, self.page).await
    }
    /// Percentage of this attempt, rounded down.
    async fn percent(&self) -> i32 {
        int(self.percent)
    }
    /// Whether this attempt has passed.
    async fn passed(&self) -> bool {
        self.passed
    }
    /// Whether answers wait for a grader, so that the percentage may rise.
    async fn is_waiting(&self) -> bool {
        self.is_waiting
    }
}

pub struct StudentCompletedCourse(Did);

/// A learner reached 100 % for the first time.
#[Object]
impl StudentCompletedCourse {
    /// The learner in their current state.
    async fn student(&self) -> Student {
        self.0.student()
    }
    /// Time of the action.
    async fn at(&self) -> DateTime {
        self.0.at()
    }
}
