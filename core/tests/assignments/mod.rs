//! Assignments, on both databases: handing in, drafts, returning for revision, and what becomes of them.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod consistency;
mod drafts;
mod migration;
mod pages;
mod reference;
mod returns;

use std::sync::Arc;

use bytes::Bytes;
use kurso_base::error::Error;
use kurso_base::ids::{AttemptId, CourseId, EnrollmentId, PageId};
use kurso_core::Kurso;
use kurso_core::access::{Right, Viewer};
use kurso_core::assessments::{self, AnswerId, Assessed, OpenAnswer};
use kurso_core::attempts::{self, AnswerUpload, SavedDraft, SavedWork};
use kurso_core::auth::Origin;
use kurso_core::check::{self, Depth};
use kurso_core::courses;
use kurso_core::courses::tree::PageKind::Assignment;
use kurso_core::files::upload::Sink as _;
use kurso_core::learning::enroll;
use kurso_core::learning::view::CourseView;
use kurso_core::testing::{TestKurso, command, submission};
use kurso_formats::quiz::{self, AnswerFile, Quiz, WorkDraft};
use serde_json::{Value, json};
use uuid::Uuid;

/// A course of one assignment, and its people.
pub struct Class {
    pub owner: Viewer,
    pub teacher: Viewer,
    pub course: CourseId,
    pub page: PageId,
    pub question: Uuid,
    code: String,
}

/// An assignment for a text, two files and two links with these settings.
pub fn assignment(settings: &Value) -> Value {
    let mut quiz = json!({"pass_percent": 60, "questions": [
        {"type": "hand_in", "points": 10, "max_files": 2, "max_links": 2, "guide": "Look for a reason."},
    ]});
    quiz.as_object_mut()
        .unwrap()
        .extend(settings.as_object().unwrap().clone());
    quiz
}

pub async fn class(kurso: &TestKurso, settings: &Value) -> Class {
    let (owner, teacher) = (kurso.person("owner").await, kurso.person("teacher").await);
    let course = kurso.course(&owner, &[&[&[Assignment]]]).await;
    kurso.collaborator(course, &teacher, "teacher").await;
    let shared = courses::generate_share_code(kurso, &owner, course).await.unwrap();
    let tree = CourseView::load(kurso, &owner, course, Right::Read).await.unwrap().tree;
    let page = tree.pages[0].id;
    let quiz: Quiz = kurso.set_quiz(page, &assignment(settings)).await;
    Class {
        code: shared.share_code.unwrap(),
        owner,
        teacher,
        course,
        page,
        question: quiz.questions[0].id,
    }
}

impl Class {
    pub async fn learner(&self, kurso: &TestKurso, name: &str) -> (Viewer, EnrollmentId) {
        let learner = kurso.person(name).await;
        let enrollment = self.enroll(kurso, &learner).await;
        (learner, enrollment)
    }

    pub async fn enroll(&self, kurso: &TestKurso, learner: &Viewer) -> EnrollmentId {
        let course = enroll(kurso, learner, &Origin::default(), &self.code).await.unwrap();
        course.enrollment.unwrap().id
    }

    pub async fn hand_in(
        &self,
        kurso: &TestKurso,
        learner: &Viewer,
        mut answer: Value,
    ) -> Result<attempts::Attempt, Error> {
        answer["question_id"] = json!(self.question);
        let answers = submission(&json!({ "answers": [answer] }));
        Ok(attempts::submit(kurso, learner, self.page, answers).await?.attempt)
    }

    pub async fn write(&self, kurso: &TestKurso, learner: &Viewer, words: &str) -> attempts::Attempt {
        self.hand_in(kurso, learner, json!({ "content": words })).await.unwrap()
    }

    pub async fn upload(&self, kurso: &Arc<Kurso>, learner: &Viewer, name: &str) -> AnswerFile {
        let upload = AnswerUpload::begin(kurso, learner, (self.page, self.question), None).await;
        let mut upload = upload.unwrap();
        upload.write(Bytes::from_static(b"work")).await.unwrap();
        upload.finish(name).await.unwrap()
    }

    pub fn answer(&self, attempt: AttemptId) -> AnswerId {
        AnswerId {
            attempt,
            question: self.question,
        }
    }

    pub async fn assess(&self, kurso: &TestKurso, attempt: AttemptId, body: Value) -> Result<Assessed, Error> {
        assessments::assess(kurso, &self.teacher, self.answer(attempt), command(body)).await
    }

    pub async fn give(&self, kurso: &TestKurso, attempt: AttemptId, points: u32) -> OpenAnswer {
        let version = self.read(kurso, attempt).await.version;
        stored(
            self.assess(kurso, attempt, json!({"version": version, "points": points}))
                .await,
        )
    }

    pub async fn return_it(&self, kurso: &TestKurso, attempt: AttemptId) -> OpenAnswer {
        let version = self.read(kurso, attempt).await.version;
        let body = json!({"version": version, "is_returned": true, "comment": "Give a reason."});
        stored(self.assess(kurso, attempt, body).await)
    }

    pub async fn read(&self, kurso: &TestKurso, attempt: AttemptId) -> OpenAnswer {
        assessments::open_answer(kurso, &self.teacher, self.answer(attempt))
            .await
            .unwrap()
    }

    pub async fn own(&self, kurso: &TestKurso, enrollment: EnrollmentId) -> Vec<attempts::Attempt> {
        attempts::attempts_of(kurso, enrollment, self.page).await.unwrap()
    }

    pub async fn save(&self, kurso: &TestKurso, learner: &Viewer, draft: Value) -> Result<SavedDraft, Error> {
        let draft = WorkDraft::read(&draft).unwrap();
        attempts::save_draft(kurso, learner, self.page, draft).await
    }

    /// Saves a draft and returns it.
    pub async fn saved(&self, kurso: &TestKurso, learner: &Viewer, draft: Value) -> Option<SavedWork> {
        match self.save(kurso, learner, draft).await.unwrap() {
            SavedDraft::Stored(saved) => saved,
            SavedDraft::Stale(stored) => panic!("stale: {stored:?}"),
        }
    }

    pub async fn draft(&self, kurso: &TestKurso, learner: &Viewer) -> Option<SavedWork> {
        attempts::draft(kurso, learner, self.page).await.unwrap()
    }
}

pub fn stored(assessed: Result<Assessed, Error>) -> OpenAnswer {
    match assessed.unwrap() {
        Assessed::Stored(answer) => answer,
        Assessed::Stale(answer) => panic!("stale: {answer:?}"),
    }
}

pub fn text(document: Option<&Value>) -> String {
    document.map(kurso_formats::content::text).unwrap_or_default()
}

/// The fields that a refusal names.
pub fn fields<T: std::fmt::Debug>(refused: Result<T, Error>) -> Vec<String> {
    match refused {
        Err(Error::Invalid(errors)) => errors
            .iter()
            .map(|error| {
                let loc = serde_json::to_string(&error.loc[1..]).unwrap();
                format!("{} {}", error.kind, loc.replace('"', ""))
            })
            .collect(),
        other => panic!("{other:?}"),
    }
}

pub async fn assert_consistent(kurso: &TestKurso) {
    let report = check::check(kurso, Depth::default()).await.unwrap();
    assert_eq!(report.problems, 0, "{:?}", report.findings);
}

/// As it is stored for an author.
pub async fn stored_quiz(kurso: &TestKurso, page: PageId) -> Quiz {
    let texts = attempts::for_author(&kurso.db, &[page]).await.unwrap();
    quiz::Quiz::from_text(&texts[&page]).unwrap()
}
