//! Draws from question banks, on both databases: what attempts draw, who may draw from a bank, and what copies a draw.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod attempts_of;
mod copies;
mod pages;
mod practice;
mod staff;

use std::collections::HashSet;

use kurso_base::error::{Error, Result};
use kurso_base::ids::{CourseId, EnrollmentId, LessonId, PageId};
use kurso_base::messages::Message;
use kurso_core::Kurso;
use kurso_core::access::{Right, Viewer};
use kurso_core::attempts::running::{self, Saved, Started};
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

/// The fixed question of the quiz, whose right answer is 1.
const FIXED: Uuid = Uuid::from_u128(1);
/// The draw of the quiz.
const DRAW: Uuid = Uuid::from_u128(2);

/// A course of one quiz that draws from a bank, and its people.
struct Class {
    owner: Viewer,
    course: CourseId,
    lesson: LessonId,
    page: PageId,
    code: String,
    bank: Uuid,
    /// Questions of the bank with the tag `a`, whose right answers are their numbers from 0.
    questions: Vec<Uuid>,
}

fn numeric(number: usize) -> Value {
    json!({"type": "numeric", "prompt": format!("Write {number}"), "value": number})
}

/// A fixed question, and a draw of `count` questions worth two points each.
fn quiz(bank: Uuid, count: usize, settings: &Value) -> Value {
    let fixed = json!({"id": FIXED, "type": "numeric", "prompt": "Write 1", "value": 1});
    let draw = json!({"id": DRAW, "type": "draw", "bank_id": bank, "tags": ["a"], "count": count, "points": 2});
    let mut quiz = json!({"pass_percent": 100, "questions": [fixed, draw]});
    let all = quiz.as_object_mut().unwrap();
    all.extend(settings.as_object().unwrap().clone());
    quiz
}

/// A class whose bank has `size` questions, of which an attempt draws `count`.
async fn class(kurso: &TestKurso, size: usize, count: usize, settings: &Value) -> Class {
    let owner = kurso.person("owner").await;
    let course = kurso.course(&owner, &[&[&[Quiz]]]).await;
    let shared = courses::generate_share_code(kurso, &owner, course).await.unwrap();
    let tree = CourseView::load(kurso, &owner, course, Right::Read).await.unwrap().tree;
    let page = tree.pages[0].id;
    let bank = kurso.bank(&owner).await;
    let mut questions = Vec::new();
    for number in 0..size {
        questions.push(kurso.bank_question(bank, &numeric(number), &["a", "b"]).await);
    }
    // Neither has the tag nor is complete.
    kurso.bank_question(bank, &numeric(1000), &["b"]).await;
    kurso
        .bank_question(bank, &json!({"type": "numeric", "prompt": "?"}), &["a"])
        .await;
    kurso.set_quiz(page, &quiz(bank, count, settings)).await;
    Class {
        owner,
        course,
        lesson: tree.lessons[0].id,
        page,
        code: shared.share_code.unwrap(),
        bank,
        questions,
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

    async fn save(&self, kurso: &Kurso, learner: &Viewer, started: &Started, answers: Value) -> Saved {
        let elapsed = (kurso.clock.now() - started.attempt.started_at)
            .as_seconds_f64()
            .max(0.0);
        let body = json!({"ticket": started.attempt.ticket, "elapsed_seconds": elapsed, "answers": answers});
        let save = AnswersSave::read(&body).unwrap();
        running::save(kurso, learner, self.page, save).await.unwrap()
    }

    async fn submit(&self, kurso: &Kurso, learner: &Viewer, answers: Value) -> Result<Submitted> {
        let sent = submission(&json!({"answers": answers, "submission_id": Uuid::now_v7()}));
        attempts::submit(kurso, learner, self.page, sent).await
    }

    /// Starts an attempt and submits the right answers. Returns the drawn questions.
    async fn take(&self, kurso: &Kurso, learner: &Viewer) -> HashSet<Uuid> {
        let started = self.start(kurso, learner).await.unwrap();
        self.submit(kurso, learner, self.right(&started.quiz)).await.unwrap();
        self.drawn(&started.quiz)
    }

    /// The questions of the bank among those that are shown.
    fn drawn(&self, page: &QuizPage) -> HashSet<Uuid> {
        let shown = page.quiz.questions.iter().map(|question| question.id);
        shown.filter(|id| self.questions.contains(id)).collect()
    }

    /// The right answers to the questions that are shown.
    fn right(&self, page: &QuizPage) -> Value {
        let number = |id: Uuid| self.questions.iter().position(|question| *question == id).unwrap_or(1);
        let questions = page.quiz.questions.iter();
        questions
            .map(|question| json!({"question_id": question.id, "number": number(question.id).to_string()}))
            .collect()
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

/// The places and messages of a refusal with 422.
fn invalid<T>(result: Result<T>) -> Vec<(String, String)> {
    match result {
        Err(Error::Invalid(errors)) => errors
            .iter()
            .map(|error| {
                let place = serde_json::to_string(&error.loc).unwrap().replace('"', "");
                (place, error.message.text(kurso_base::messages::Lang::En))
            })
            .collect(),
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("nothing was refused"),
    }
}

async fn assert_consistent(kurso: &TestKurso) {
    let report = check::check(kurso, Depth::default()).await.unwrap();
    assert_eq!(report.problems, 0, "{:?}", report.findings);
}
