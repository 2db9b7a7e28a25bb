//! Quizzes and progress over GraphQL: attempts, reasons of progress, and the secrecy of the answer key.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod answer_key;
mod taking;

use std::sync::Arc;

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
use reqwest::Client;
use serde_json::{Map, Value, json};

/// A server with a course of a content page and a quiz page, its owner, and a learner.
struct Exam {
    kurso: TestKurso,
    url: String,
    client: Client,
    owner: Viewer,
    owner_token: String,
    learner: String,
    course: CourseId,
    enrollment: EnrollmentId,
    pages: Vec<PageId>,
}

impl Exam {
    async fn open(kurso: TestKurso, quiz: &Value) -> Self {
        let http = kurso_graphql::Http {
            kurso: kurso.kurso.clone(),
            schema: kurso_graphql::schema(),
            // The walk over the schema exceeds the default limits.
            checks: Arc::new(AdmissionChecks::new(Limits {
                cost: u64::MAX,
                ..Limits::default()
            })),
            sockets: kurso_graphql::Sockets::default(),
            address: Arc::new(|_, _| None),
        };
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/graphql", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, kurso_graphql::router(http)).await });
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
            client: Client::new(),
            kurso,
            url,
            owner,
            course,
            enrollment,
            pages,
        }
    }

    async fn ask(&self, token: &str, query: &str, variables: Value) -> Value {
        let body = json!({"query": query, "variables": variables});
        let request = self.client.post(&self.url).bearer_auth(token).json(&body);
        request.send().await.unwrap().json().await.unwrap()
    }

    /// The value of the only field of a call; panics on an error.
    async fn data(&self, token: &str, query: &str, variables: Value) -> Value {
        let mut answer = self.ask(token, query, variables).await;
        assert!(answer["errors"].is_null(), "{query}: {answer}");
        let data = answer["data"].as_object_mut().unwrap();
        data.values_mut().next().unwrap().take()
    }

    /// The code of the first error.
    async fn refusal(&self, token: &str, query: &str, variables: Value) -> String {
        let answer = self.ask(token, query, variables).await;
        let code = answer["errors"][0]["extensions"]["code"].as_str();
        code.unwrap_or_else(|| panic!("no refusal: {answer}")).to_owned()
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
