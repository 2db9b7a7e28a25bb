//! Response schemas of operations on students.

use chrono::{DateTime, Utc};
use kurso_base::{error, wire};
use kurso_core::attempts::{QuestionResult, ResultChange, TakenAttempt};
use kurso_core::courses::groups::GroupName;
use kurso_core::courses::tree;
use kurso_core::students::{self as core, Detail};
use kurso_formats::quiz::Answer;
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::learning::shapes::progress::Progress;
use crate::page_kind::PageKind;
use crate::person::Person;
use crate::response::lists;

lists! {
    /// A page of a list of students.
    Students of Student;
}

/// A learner of a course with their progress.
#[derive(Serialize, ToSchema)]
pub struct Student {
    pub enrollment_id: Uuid,
    pub user: Person,
    /// Null for a student without a group.
    #[schema(required)]
    pub group: Option<StudentGroup>,
    #[serde(serialize_with = "wire::time")]
    pub enrolled_at: DateTime<Utc>,
    #[serde(serialize_with = "wire::time")]
    pub last_activity_at: DateTime<Utc>,
    /// When the student was last nudged in this course; null if never.
    #[serde(serialize_with = "wire::optional_time")]
    #[schema(required)]
    pub last_nudged_at: Option<DateTime<Utc>>,
    /// Percentage of completed published pages, rounded down: 100 only when all are completed.
    #[schema(minimum = 0, maximum = 100)]
    pub percent: u8,
    pub lessons_done: usize,
    pub lessons_total: usize,
    /// When the learner first reached 100 %; kept when pages are added later. Null before that.
    #[serde(serialize_with = "wire::optional_time")]
    #[schema(required)]
    pub completed_at: Option<DateTime<Utc>>,
}

/// The group of a student.
#[derive(Serialize, ToSchema)]
pub struct StudentGroup {
    pub id: Uuid,
    pub title: String,
}

impl From<GroupName> for StudentGroup {
    fn from(group: GroupName) -> Self {
        StudentGroup {
            id: group.id.0,
            title: group.title,
        }
    }
}

/// The activity of a student in a course.
#[derive(Serialize, ToSchema)]
pub struct StudentProgress {
    pub enrollment: StudentEnrollment,
    pub user: Person,
    pub progress: Progress,
    /// In order.
    pub modules: Vec<StudentModule>,
}

#[derive(Serialize, ToSchema)]
pub struct StudentEnrollment {
    pub id: Uuid,
    pub course_id: Uuid,
    /// Null for a student without a group.
    #[schema(required)]
    pub group: Option<StudentGroup>,
    #[serde(serialize_with = "wire::time")]
    pub enrolled_at: DateTime<Utc>,
    #[serde(serialize_with = "wire::time")]
    pub last_activity_at: DateTime<Utc>,
    #[serde(serialize_with = "wire::optional_time")]
    #[schema(required)]
    pub completed_at: Option<DateTime<Utc>>,
}

#[derive(Serialize, ToSchema)]
pub struct StudentModule {
    pub id: Uuid,
    pub title: String,
    /// Index among its siblings, from 0.
    pub position: i64,
    /// In order.
    pub lessons: Vec<StudentLesson>,
}

#[derive(Serialize, ToSchema)]
pub struct StudentLesson {
    pub id: Uuid,
    pub title: String,
    /// Index among its siblings, from 0.
    pub position: i64,
    pub is_completed: bool,
    /// Counts published pages only.
    pub pages_done: usize,
    /// Counts published pages only.
    pub pages_total: usize,
    /// In order.
    pub pages: Vec<StudentPage>,
}

#[derive(Serialize, ToSchema)]
pub struct StudentPage {
    pub id: Uuid,
    /// Null for an untitled page: clients show its number in the lesson.
    #[schema(required)]
    pub title: Option<String>,
    #[schema(inline, value_type = PageKind)]
    pub kind: tree::PageKind,
    /// Index among its siblings, from 0.
    pub position: i64,
    /// Unpublished pages do not count.
    pub published: bool,
    /// Time of the first visit; null when there was none.
    #[serde(serialize_with = "wire::optional_time")]
    #[schema(required)]
    pub visited_at: Option<DateTime<Utc>>,
    /// Whether it is completed: a content page visited, a quiz passed.
    pub done: bool,
    /// Number of attempts left; null when there is no limit, and on content pages.
    #[schema(required)]
    pub attempts_left: Option<i64>,
    /// Oldest first; empty on content pages. The last 100 at each page, fewer if those of the student have more than 32 MiB.
    pub attempts: Vec<StudentAttempt>,
}

/// An attempt at a quiz, with its answers and the answer key.
#[derive(Serialize, ToSchema)]
pub struct StudentAttempt {
    pub attempt_id: Uuid,
    /// Number of the attempt, from 1.
    pub attempt_no: i64,
    /// Rounded to four decimal places.
    pub score: f64,
    pub max_score: f64,
    /// Rounded down.
    pub percent: i64,
    pub passed: bool,
    /// Percent of the score that was lost because the attempt was late. Score, percent and `passed` are without them.
    pub penalty_percent: i64,
    /// Answers whose points are to come: no person has graded them, or their points are not released.
    pub waiting_answers: i64,
    /// Whether it was returned for revision. Then it does not count against the limit, and waits until there is a later attempt.
    pub is_returned: bool,
    #[serde(serialize_with = "wire::time")]
    pub submitted_at: DateTime<Utc>,
    /// Submitted answers, with the IDs of `quiz`.
    #[schema(value_type = Vec<Object>)]
    pub answers: Vec<Answer>,
    /// For each question: `question_id`, `points`, `max_points`, `correct`, `is_waiting`, `is_returned`, `comment`, `prompt`, `explanation`, `option_feedback`, `correct_answer`, `zones`, `right_places` and `seconds`, the time that the student spent on the question, absent if unknown.
    #[schema(value_type = Vec<Object>)]
    pub results: Vec<QuestionResult>,
    /// The quiz at the time of the attempt, with its answer key.
    #[schema(value_type = Object)]
    pub quiz: Box<RawValue>,
    /// The changes of its result, newest first; absent without any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false, value_type = Vec<crate::quiz::answers::ResultChange>)]
    pub result_changes: Vec<ResultChange>,
}

impl From<core::Student> for Student {
    fn from(student: core::Student) -> Self {
        Student {
            enrollment_id: student.enrollment_id.0,
            user: Person::of(&student),
            group: student.group.map(StudentGroup::from),
            enrolled_at: student.enrolled_at,
            last_activity_at: student.last_activity_at,
            last_nudged_at: student.last_nudged_at,
            percent: student.progress.percent(),
            lessons_done: student.progress.lessons_done,
            lessons_total: student.progress.lessons_total,
            completed_at: student.progress.completed_at,
        }
    }
}

impl Person {
    fn of(student: &core::Student) -> Self {
        Person {
            id: student.user_id.0,
            full_name: student.full_name.clone(),
            email: student.email.clone(),
        }
    }
}

impl StudentProgress {
    pub fn of(detail: &Detail) -> Result<Self, error::Error> {
        let student = &detail.student;
        let modules = detail.tree.modules.iter().map(|module| {
            let lessons = module.lessons.clone().map(|index| StudentLesson::of(detail, index));
            Ok(StudentModule {
                id: module.id.0,
                title: module.title.clone(),
                position: module.position,
                lessons: lessons.collect::<Result<_, error::Error>>()?,
            })
        });
        Ok(StudentProgress {
            enrollment: StudentEnrollment {
                id: student.enrollment_id.0,
                course_id: detail.course.id.0,
                group: student.group.clone().map(StudentGroup::from),
                enrolled_at: student.enrolled_at,
                last_activity_at: student.last_activity_at,
                completed_at: student.progress.completed_at,
            },
            user: Person::of(student),
            progress: Progress::in_tree(detail.course.id, &detail.tree, &student.progress),
            modules: modules.collect::<Result<_, error::Error>>()?,
        })
    }
}

impl StudentLesson {
    fn of(detail: &Detail, index: usize) -> Result<Self, error::Error> {
        let lesson = detail.tree.lesson(index);
        let counts = detail.student.progress.lesson(index);
        let pages = lesson.pages.clone().map(|index| StudentPage::of(detail, index));
        Ok(StudentLesson {
            id: lesson.id.0,
            title: lesson.title.clone(),
            position: lesson.position,
            is_completed: counts.is_completed(),
            pages_done: counts.pages_done,
            pages_total: counts.pages_total,
            pages: pages.collect::<Result<_, _>>()?,
        })
    }
}

impl StudentPage {
    fn of(detail: &Detail, index: usize) -> Result<Self, error::Error> {
        let page = detail.tree.page(index);
        let attempts = detail.attempts(index).iter().map(StudentAttempt::of);
        Ok(StudentPage {
            id: page.id.0,
            title: page.title.clone(),
            kind: page.kind,
            position: page.position,
            published: page.published,
            visited_at: detail.visited_at(index),
            done: detail.is_done(index),
            attempts_left: detail.attempts_left(index),
            attempts: attempts.collect::<Result<_, _>>()?,
        })
    }
}

impl StudentAttempt {
    fn of(taken: &TakenAttempt) -> Result<Self, error::Error> {
        let attempt = taken.attempt.clone();
        Ok(StudentAttempt {
            attempt_id: attempt.id.0,
            attempt_no: attempt.attempt_no,
            score: attempt.score,
            max_score: attempt.max_score,
            percent: attempt.percent,
            passed: attempt.passed,
            penalty_percent: attempt.penalty_percent,
            waiting_answers: attempt.waiting_answers,
            is_returned: attempt.is_returned,
            submitted_at: attempt.submitted_at,
            answers: attempt.answers,
            results: attempt.results,
            result_changes: attempt.result_changes,
            quiz: RawValue::from_string(taken.quiz.to_string()).map_err(error::Error::internal)?,
        })
    }
}
