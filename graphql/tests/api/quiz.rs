//! Quizzes and progress over GraphQL: attempts, reasons of progress, and the secrecy of the answer key.

mod answer_key;
mod checked;
mod draws;
mod hotspots;
mod locked;
mod practice;
mod scoring;
mod taking;
mod timed;

use kurso_base::ids::{CourseId, EnrollmentId, PageId};
use kurso_core::access::{Right, Viewer};
use kurso_core::attempts;
use kurso_core::auth::Origin;
use kurso_core::courses;
use kurso_core::courses::tree::PageKind::{Content, Quiz};
use kurso_core::learning::{enroll, view::CourseView};
use kurso_core::testing::TestKurso;
use kurso_core::testing::exam::answers;
use kurso_graphql::{AdmissionChecks, Limits};
use serde_json::{Map, Value, json};

use crate::schema_walk::{INTROSPECTION, Ids, Schema};
use crate::support::Server;

/// A server with a course of a content page and a quiz page, its owner, and a learner.
struct Exam {
    kurso: TestKurso,
    server: Server,
    owner: Viewer,
    owner_token: String,
    learner: String,
    course: CourseId,
    enrollment: EnrollmentId,
    pages: Vec<PageId>,
}

impl Exam {
    async fn open(kurso: TestKurso, quiz: &Value) -> Self {
        // The walk over the schema exceeds the default limits.
        let cost = u64::MAX;
        let limits = Limits {
            cost,
            ..Limits::default()
        };
        let server = Server::with(&kurso, AdmissionChecks::new(limits)).await;
        let owner = kurso.person("owner").await;
        let course = kurso.course(&owner, &[&[&[Content, Quiz]]]).await;
        let tree = CourseView::load(&kurso, &owner, course, Right::Read)
            .await
            .unwrap()
            .tree;
        let pages: Vec<_> = tree.pages.iter().map(|page| page.id).collect();
        kurso.set_quiz(pages[1], quiz).await;
        let learner = kurso.person("learner").await;
        let enrollment = join(&kurso, &owner, course, &learner).await;
        Exam {
            owner_token: kurso.token("owner@example.com").await,
            learner: kurso.token("learner@example.com").await,
            kurso,
            server,
            owner,
            course,
            enrollment,
            pages,
        }
    }

    /// The schema as the learner may walk it.
    async fn schema(&self, ids: Ids) -> Schema {
        let schema = self.server.data(&self.learner, INTROSPECTION, json!({})).await;
        Schema::new(&schema["types"], ids)
    }

    /// The input of a submission to the exam.
    async fn input(&self, right: bool) -> Value {
        self.input_of(Some(self.enrollment), right).await
    }

    /// The same with the IDs of the author's form.
    async fn input_of_staff(&self, right: bool) -> Value {
        self.input_of(None, right).await
    }

    async fn input_of(&self, enrollment: Option<EnrollmentId>, right: bool) -> Value {
        let found = attempts::for_learner(&self.kurso, enrollment, &self.pages)
            .await
            .unwrap();
        let answers = answers(&found[&self.pages[1]].quiz, right);
        json!({"pageId": self.pages[1], "answers": in_camel_case(answers)})
    }
}

async fn join(kurso: &TestKurso, owner: &Viewer, course: CourseId, who: &Viewer) -> EnrollmentId {
    let shared = courses::generate_share_code(kurso, owner, course).await.unwrap();
    let course = enroll(kurso, who, &Origin::default(), &shared.share_code.unwrap())
        .await
        .unwrap();
    course.enrollment.unwrap().id
}

/// Names in camel case.
fn in_camel_case(value: Value) -> Value {
    match value {
        Value::Array(list) => list.into_iter().map(in_camel_case).collect(),
        Value::Object(map) => {
            let renamed = map.into_iter().map(|(key, value)| {
                let mut words = key.split('_');
                let first = words.next().unwrap_or_default().to_owned();
                let rest = words.map(|word| word[..1].to_uppercase() + &word[1..]);
                (first + &rest.collect::<String>(), in_camel_case(value))
            });
            Value::Object(renamed.collect::<Map<_, _>>())
        }
        other => other,
    }
}
