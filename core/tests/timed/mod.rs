//! Quizzes with a time limit, on both databases: starting, saving answers, and the end of an attempt.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod checked;
mod end;
mod enrollment;
mod files;
mod random;
mod save;
mod start;

use chrono::Duration;
use kurso_base::error::{Error, Result};
use kurso_base::ids::{CourseId, EnrollmentId, PageId};
use kurso_base::messages::Message;
use kurso_core::Kurso;
use kurso_core::access::{Right, Viewer};
use kurso_core::attempts::running::{self, MARGIN, Saved, Started, finish_due};
use kurso_core::attempts::{self, Attempt, QuizPage, Seen, Submitted};
use kurso_core::auth::Origin;
use kurso_core::check::{self, Depth};
use kurso_core::courses::tree::PageKind::Quiz;
use kurso_core::learning::view::CourseView;
use kurso_core::testing::{TestKurso, submission};
use kurso_core::{courses, learning};
use kurso_formats::quiz::AnswersSave;
use serde_json::{Value, json};
use uuid::Uuid;

/// The time limit of the quiz and its grace period in seconds.
const LIMIT: i64 = 600;
const GRACE: i64 = 30;

/// When an attempt that starts now is ended by the server.
fn over() -> Duration {
    Duration::seconds(LIMIT + GRACE) + MARGIN + Duration::milliseconds(1)
}

/// A course of one quiz with a time limit, and its people.
struct Class {
    owner: Viewer,
    course: CourseId,
    page: PageId,
    code: String,
}

/// The id of the question with a number; the right answer is the number.
fn question(number: u128) -> Uuid {
    Uuid::from_u128(number)
}

/// Three questions, whose right answers are 1, 2 and 3.
fn quiz(settings: &Value) -> Value {
    let questions: Vec<Value> = (1..=3)
        .map(|n| json!({"id": question(n), "type": "numeric", "prompt": format!("Write {n}"), "value": n as u64}))
        .collect();
    let mut quiz = json!({"time_limit_seconds": LIMIT, "grace_seconds": GRACE, "questions": questions});
    let all = quiz.as_object_mut().unwrap();
    all.extend(settings.as_object().unwrap().clone());
    quiz
}

fn answer(n: u128, number: &str) -> Value {
    json!({"question_id": question(n), "number": number})
}

async fn class(kurso: &TestKurso, settings: &Value) -> Class {
    let owner = kurso.person("owner").await;
    let course = kurso.course(&owner, &[&[&[Quiz]]]).await;
    let shared = courses::generate_share_code(kurso, &owner, course).await.unwrap();
    let tree = CourseView::load(kurso, &owner, course, Right::Read).await.unwrap().tree;
    let page = tree.pages[0].id;
    kurso.set_quiz(page, &quiz(settings)).await;
    Class {
        owner,
        course,
        page,
        code: shared.share_code.unwrap(),
    }
}

impl Class {
    async fn learner(&self, kurso: &TestKurso, name: &str) -> (Viewer, EnrollmentId) {
        let learner = kurso.person(name).await;
        let enrollment = self.enroll(kurso, &learner).await;
        (learner, enrollment)
    }

    async fn enroll(&self, kurso: &TestKurso, learner: &Viewer) -> EnrollmentId {
        let course = learning::enroll(kurso, learner, &Origin::default(), &self.code).await;
        course.unwrap().enrollment.unwrap().id
    }

    async fn start(&self, kurso: &Kurso, learner: &Viewer) -> Result<Started> {
        running::start(kurso, learner, self.page).await
    }

    /// Saves answers that are given now.
    async fn save(&self, kurso: &Kurso, learner: &Viewer, started: &Started, answers: Value) -> Saved {
        let elapsed = (kurso.clock.now() - started.attempt.started_at)
            .as_seconds_f64()
            .max(0.0);
        self.save_late(kurso, learner, started, elapsed, answers).await
    }

    /// Saves answers that the device says were given after `elapsed` seconds.
    async fn save_late(
        &self,
        kurso: &Kurso,
        learner: &Viewer,
        started: &Started,
        elapsed: f64,
        answers: Value,
    ) -> Saved {
        let body = json!({"ticket": started.attempt.ticket, "elapsed_seconds": elapsed, "answers": answers});
        self.try_save(kurso, learner, &body).await.unwrap()
    }

    async fn try_save(&self, kurso: &Kurso, learner: &Viewer, body: &Value) -> Result<Saved> {
        running::save(kurso, learner, self.page, AnswersSave::read(body).unwrap()).await
    }

    async fn submit(&self, kurso: &Kurso, learner: &Viewer, answers: Value) -> Result<Submitted> {
        let sent = submission(&json!({"answers": answers, "submission_id": Uuid::now_v7()}));
        attempts::submit(kurso, learner, self.page, sent).await
    }

    async fn own(&self, kurso: &Kurso, enrollment: EnrollmentId) -> Vec<Attempt> {
        attempts::attempts_of(kurso, enrollment, self.page).await.unwrap()
    }

    /// The page as its reader sees it.
    async fn read(&self, kurso: &Kurso, reader: &Viewer) -> QuizPage {
        let (view, place) = CourseView::load_by_page(kurso, reader, self.page, Right::Read)
            .await
            .unwrap();
        let mut found = attempts::for_reader(kurso, &[Seen::at(&view, place)]).await.unwrap();
        found.remove(&self.page).unwrap()
    }
}

fn refused<T>(result: Result<T>) -> Message {
    match result {
        Err(Error::Conflict(message) | Error::Forbidden(message) | Error::NotFound(message)) => message,
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("nothing was refused"),
    }
}

fn stored(saved: Saved) {
    assert!(matches!(saved, Saved::Stored { .. }), "{saved:?}");
}

fn too_late(saved: Saved) {
    assert!(matches!(saved, Saved::TimeIsOver { .. }), "{saved:?}");
}

async fn assert_consistent(kurso: &TestKurso) {
    let report = check::check(kurso, Depth::default()).await.unwrap();
    assert_eq!(report.problems, 0, "{:?}", report.findings);
}
