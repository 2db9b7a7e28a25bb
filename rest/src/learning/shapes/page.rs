//! A page as learners see it.

use chrono::{DateTime, Utc};
use kurso_base::error as core;
use kurso_base::wire;
use kurso_core::attempts;
use kurso_core::attempts::QuizPage;
use kurso_core::courses::tree;
use kurso_core::learning::view::{CourseView, PageContent};
use kurso_formats::quiz;
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;
use uuid::Uuid;

use super::progress::Reason;
use crate::courses::Page;
use crate::courses::timeline::Timeline;
use crate::learning::reading::ChangeSinceRead;
use crate::page_kind::PageKind;
use crate::quiz::running::RunningAttempt;
use crate::quiz::{LearnerQuiz, QuizAttempt};

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
    /// The caller's running attempt at the quiz; null if there is none.
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
