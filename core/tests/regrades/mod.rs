//! Consequences of publishing changed quizzes, regrading and its undoing, on both databases.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod consequences;
mod large;
mod open;
mod random;
mod undo;
mod updates;

use std::collections::BTreeMap;

use futures_util::TryStreamExt as _;
use kurso_base::error::Error;
use kurso_base::ids::{AttemptId, CourseId, EnrollmentId, PageId};
use kurso_base::page_draft_entries::{PageDraftEntries, PageDraftEntry};
use kurso_base::pagination::Page;
use kurso_core::access::{Right, Viewer};
use kurso_core::attempts::{self, Attempt};
use kurso_core::auth::Origin;
use kurso_core::check::{self, Depth};
use kurso_core::courses::page::{self, Importance, draft};
use kurso_core::courses::tree::PageKind::{Content, Quiz};
use kurso_core::courses::{self};
use kurso_core::gradebook;
use kurso_core::learning::view::CourseView;
use kurso_core::learning::{enroll, mark_page_visited, my_progress};
use kurso_core::regrades::{self, Consequences, PastAttempts, Plan, PublishError, Published, RemovedQuestions};
use kurso_core::testing::{TestKurso, command, submission};
use kurso_db::tables::tables;
use kurso_formats::quiz;
use serde_json::{Value, json};

/// A course of a page and two quizzes, of which the second one stays as it is, and its people.
pub struct Class {
    pub kurso: TestKurso,
    pub owner: Viewer,
    pub editor: Viewer,
    pub course: CourseId,
    pub pages: [PageId; 3],
    pub quiz: quiz::Quiz,
    pub code: String,
}

/// A learner of the class.
pub struct Learner {
    pub viewer: Viewer,
    pub enrollment: EnrollmentId,
}

/// Three questions of 1, 2 and 3 points with the answers 1, 2 and 3; half of the points pass.
pub fn numbers() -> Value {
    let question = |n: i64| json!({"type": "numeric", "prompt": "?", "value": n, "points": n});
    json!({"pass_percent": 50, "questions": [question(1), question(2), question(3)]})
}

impl Class {
    pub async fn new(kurso: TestKurso, quiz: &Value) -> Self {
        let (owner, editor) = (kurso.person("owner").await, kurso.person("editor").await);
        let course = kurso.course(&owner, &[&[&[Content, Quiz, Quiz]]]).await;
        kurso.collaborator(course, &editor, "editor").await;
        let shared = courses::generate_share_code(&kurso, &owner, course).await.unwrap();
        let tree = CourseView::load(&kurso, &owner, course, Right::Read)
            .await
            .unwrap()
            .tree;
        let pages = [0, 1, 2].map(|place| tree.pages[place].id);
        let quiz = kurso.set_quiz(pages[1], quiz).await;
        kurso.set_quiz(pages[2], &numbers()).await;
        Class {
            code: shared.share_code.unwrap(),
            kurso,
            owner,
            editor,
            course,
            pages,
            quiz,
        }
    }

    pub async fn learner(&self, name: &str) -> Learner {
        let viewer = self.kurso.person(name).await;
        let course = enroll(&self.kurso, &viewer, &Origin::default(), &self.code)
            .await
            .unwrap();
        Learner {
            viewer,
            enrollment: course.enrollment.unwrap().id,
        }
    }

    /// Does all of the course but the first quiz.
    pub async fn complete_others(&self, learner: &Learner) {
        mark_page_visited(&self.kurso, &learner.viewer, self.pages[0])
            .await
            .unwrap();
        let quiz = page::get(&self.kurso, &self.owner, self.pages[2])
            .await
            .unwrap()
            .quiz
            .unwrap();
        let quiz = quiz::Quiz::from_text(&quiz).unwrap();
        self.answer(learner, self.pages[2], &quiz, &[1, 2, 3]).await;
    }

    /// Answers numeric questions in the order of the quiz.
    pub async fn answer(&self, learner: &Learner, page: PageId, quiz: &quiz::Quiz, numbers: &[i64]) -> Attempt {
        let answers = quiz.questions.iter().zip(numbers);
        let answers = answers.map(|(question, number)| json!({"question_id": question.id, "number": number}));
        let body = json!({"answers": answers.collect::<Vec<_>>()});
        self.submit(learner, page, &body).await
    }

    pub async fn submit(&self, learner: &Learner, page: PageId, body: &Value) -> Attempt {
        let submitted = attempts::submit(&self.kurso, &learner.viewer, page, submission(body)).await;
        submitted.unwrap().attempt
    }

    /// As [`Self::answer`], at the first quiz as it was at first.
    pub async fn take(&self, learner: &Learner, numbers: &[i64]) -> Attempt {
        self.answer(learner, self.pages[1], &self.quiz, numbers).await
    }

    /// Saves a changed first quiz as a draft.
    pub async fn draft(&self, quiz: &quiz::Quiz) {
        let body = json!({"draft": true, "quiz": quiz.to_json().unwrap()});
        page::update(&self.kurso, &self.owner, self.pages[1], None, command(&body))
            .await
            .unwrap();
    }

    /// The first quiz with another right answer of its question at this index.
    pub fn corrected(&self, index: usize, value: i64) -> quiz::Quiz {
        let mut quiz = self.quiz.clone();
        if let quiz::Kind::Numeric { value: right, .. } = &mut quiz.questions[index].kind {
            *right = Some(value.into());
        }
        quiz
    }

    /// The first quiz without its question at this index.
    pub fn without(&self, index: usize) -> quiz::Quiz {
        let mut quiz = self.quiz.clone();
        quiz.questions.remove(index);
        quiz
    }

    pub async fn plan(&self, past: PastAttempts, removed: RemovedQuestions) -> Plan {
        let drafts = draft::list(&self.kurso, &self.owner, self.course).await.unwrap();
        let entries = drafts.iter().map(|draft| PageDraftEntry {
            page_id: draft.page_id,
            version: draft.version,
            page_version: draft.page_version,
        });
        Plan {
            pages: PageDraftEntries(entries.collect()),
            past_attempts: Some(past),
            removed_questions: Some(removed),
        }
    }

    pub async fn regrading(&self) -> Plan {
        self.plan(PastAttempts::Regrade, RemovedQuestions::Exclude).await
    }

    pub async fn consequences(&self, plan: &Plan) -> Consequences {
        regrades::consequences(&self.kurso, &self.owner, self.course, plan)
            .await
            .unwrap()
    }

    pub async fn publish(&self, plan: &Plan, digest: Option<&str>) -> Result<Published, PublishError> {
        regrades::publish(
            &self.kurso,
            &self.owner,
            self.course,
            plan,
            Importance::Correction,
            digest,
        )
        .await
    }

    /// Regrades by a changed first quiz.
    pub async fn regrade(&self, quiz: &quiz::Quiz, removed: RemovedQuestions) -> Published {
        self.draft(quiz).await;
        let plan = self.plan(PastAttempts::Regrade, removed).await;
        self.publish(&plan, None).await.unwrap()
    }

    pub async fn attempts(&self, learner: &Learner) -> Vec<Attempt> {
        attempts::attempts_of(&self.kurso, learner.enrollment, self.pages[1])
            .await
            .unwrap()
    }

    /// What the learner and the teachers read of a learner: percent, completion, grade in hundredths, and the best attempt at the first quiz.
    pub async fn seen(&self, learner: &Learner) -> Seen {
        let view = my_progress(&self.kurso, &learner.viewer, self.course).await.unwrap();
        let query = gradebook::Query::default();
        let book = gradebook::gradebook(&self.kurso, &self.owner, self.course, &query, Page::default()).await;
        let rows = book.unwrap().rows.data;
        let row = rows
            .iter()
            .find(|row| row.learner.enrollment_id == learner.enrollment)
            .unwrap();
        let attempts = self.attempts(learner).await;
        let best = attempts.iter().rev().max_by_key(|attempt| attempt.percent);
        Seen {
            percent: view.progress.percent(),
            is_completed: view.progress.is_complete(),
            grade: row.grades.total.percent,
            best: best.map(|best| (best.score, best.max_score)),
            passed: attempts.iter().any(|attempt| attempt.passed),
        }
    }

    pub async fn assert_consistent(&self) {
        let report = check::check(&self.kurso, Depth::default()).await.unwrap();
        assert_eq!(report.problems, 0, "{:?}", report.findings);
    }

    /// All rows of these tables, or of all without names.
    pub async fn rows(&self, names: &[&str]) -> BTreeMap<String, Vec<String>> {
        let mut snapshot = self.kurso.db.snapshot().await.unwrap();
        let mut found = BTreeMap::new();
        for table in tables(&mut snapshot).await.unwrap() {
            if names.is_empty() || names.contains(&table.name.as_str()) {
                let rows: Vec<_> = table.rows(&mut snapshot).unwrap().try_collect().await.unwrap();
                let mut texts: Vec<String> = rows.into_iter().map(|row| format!("{row:?}")).collect();
                texts.sort();
                found.insert(table.name.clone(), texts);
            }
        }
        found
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    pub percent: u8,
    pub is_completed: bool,
    pub grade: Option<i64>,
    pub best: Option<(f64, f64)>,
    pub passed: bool,
}

pub fn is_conflict(error: &Error) -> bool {
    matches!(error, Error::Conflict(_))
}

/// Score and total of each attempt.
pub fn scores(attempts: &[Attempt]) -> Vec<(f64, f64)> {
    attempts
        .iter()
        .map(|attempt| (attempt.score, attempt.max_score))
        .collect()
}

pub fn by_id(attempts: &[Attempt], id: AttemptId) -> &Attempt {
    attempts.iter().find(|attempt| attempt.id == id).unwrap()
}
